"""What a comparison with one program has counted, and the table of all of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

HEADINGS = ("part", "against", "cases", "agree", "disagree", "skipped", "why")
REASONS_SHOWN = 4


@dataclass
class Comparison:
    """Cases of one part compared with one other program."""

    part: str
    against: str
    save: Path | None = None
    """Where the files of a case go on which the two disagree; None keeps nothing."""
    agreements: int = 0
    disagreements: int = 0
    skipped: Counter[str] = field(default_factory=Counter)
    notes: Counter[str] = field(default_factory=Counter)
    """Further figures to be told with the cases, as in how many plans were valid."""

    @property
    def cases(self) -> int:
        return self.agreements + self.disagreements

    def skip(self, reason: str, times: int = 1) -> None:
        self.skipped[reason] += times

    def record(self, agreed: bool, files: Mapping[str, str]) -> None:
        """Counts a case; the files of a disagreement are kept, with what each side said among them."""
        if agreed:
            self.agreements += 1
            return
        self.disagreements += 1
        if self.save is not None:
            folder = self.save / f"{self.part}-{self.against.replace(' ', '-')}-{self.disagreements:03}"
            folder.mkdir(parents=True, exist_ok=True)
            for name, text in files.items():
                (folder / name).write_text(text, encoding="utf-8")


def table(comparisons: Sequence[Comparison]) -> str:
    """One row a comparison, in columns."""
    rows = [HEADINGS, *(_row(each) for each in comparisons)]
    widths = [max(len(row[place]) for row in rows) for place in range(len(HEADINGS) - 1)]
    lines = []
    for row in rows:
        cells = [
            cell.ljust(width) if place < 2 else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=False))
        ]
        lines.append("  ".join((*cells, row[-1])).rstrip())
    for each in comparisons:
        if each.notes:
            told = ", ".join(f"{count} {what}" for what, count in sorted(each.notes.items()))
            lines.append(f"{each.part}, {each.against}: {told}")
    return "\n".join(lines)


def _row(each: Comparison) -> tuple[str, ...]:
    reasons = [f"{count} {reason}" for reason, count in each.skipped.most_common(REASONS_SHOWN)]
    if len(each.skipped) > REASONS_SHOWN:
        reasons.append("…")
    counts = (each.cases, each.agreements, each.disagreements, sum(each.skipped.values()))
    return (each.part, each.against, *map(str, counts), "; ".join(reasons))
