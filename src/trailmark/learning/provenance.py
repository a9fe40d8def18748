"""Where a model comes from: training instances with their files, and the versions of what made it."""

from __future__ import annotations

import hashlib
import platform
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import NamedTuple

from trailmark import __version__
from trailmark.models.model import TrainingRecord
from trailmark.task import Plan, Task


@dataclass(frozen=True)
class TrainingInstance:
    """A solved instance, with the files it came from where there are any."""

    task: Task
    plan: Plan
    problem_file: str | None = None
    plan_file: str | None = None


class SeenLoop(NamedTuple):
    """A loop of what was learned, with its landmarks counted from 1."""

    source: int
    target: int
    accepted: tuple[int, ...]

    def __str__(self) -> str:
        return f"{self.source} → {self.target}: {', '.join(map(str, self.accepted))}"


def record(
    instance: TrainingInstance, counts: tuple[int, ...], *, satisfied: bool, reason: str
) -> TrainingRecord:
    """What a model keeps of an instance, and how its plan fits the graph."""
    problem, plan = instance.problem_file, instance.plan_file
    return TrainingRecord(
        problem=Path(problem).name if problem else instance.task.name,
        problem_sha256=_sha256(problem),
        plan=Path(plan).name if plan else None,
        plan_sha256=_sha256(plan) if plan else None,
        length=len(instance.plan),
        passes=counts,
        satisfied=satisfied,
        reason=reason,
    )


def _sha256(path: str | None) -> str:
    data = Path(path).read_bytes() if path else b""
    return hashlib.sha256(data).hexdigest()


def versions() -> dict[str, str]:
    """Of this program and of what it uses."""
    found = {"trailmark": __version__, "python": platform.python_version()}
    for name in ("pymimir", "numpy", "clingo"):
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found
