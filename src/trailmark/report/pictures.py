"""A landmark graph as SVG, as Graphviz DOT and as Mermaid.

The SVG has boxes one below the other, and loops that lead back along the right side. It is written directly:
a chain with back edges needs no layout engine. It is readable on light and dark ground, and all text is
escaped.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape as escape_html
from itertools import count, pairwise

from trailmark.report.outline import LandmarkOutline, LoopOutline, Outline

WRAP = 36
"""Characters of a line inside a box."""


def dot(told: Outline) -> str:
    """The graph for Graphviz."""
    lines = [
        f"digraph {_quoted([told.model.domain])} {{",
        '  rankdir=TB; node [shape=box, style=rounded, fontname="sans-serif"];',
        '  edge [fontname="sans-serif"];',
    ]
    lines += [f"  l{number} [label={_quoted(rows)}];" for number, rows in _nodes(told)]
    lines += [f"  l{number} -> l{number + 1};" for number in range(1, len(told.landmarks))]
    for source, target, rows in _back_edges(told):
        lines.append(f"  l{source} -> l{target} [style=dashed, constraint=false, label={_quoted(rows)}];")
    return "\n".join(lines) + "\n}\n"


def mermaid(told: Outline) -> str:
    """The graph for Mermaid, as GitHub and many editors draw it."""
    lines = ["flowchart TD", *(f'  l{number}["{_entities(rows)}"]' for number, rows in _nodes(told))]
    lines += [f"  l{number} --> l{number + 1}" for number in range(1, len(told.landmarks))]
    lines += [f'  l{source} -. "{_entities(rows)}" .-> l{at}' for source, at, rows in _back_edges(told)]
    return "\n".join(lines) + "\n"


def _nodes(told: Outline) -> Iterator[tuple[int, list[str]]]:
    """The numbers of landmarks, with the lines in their boxes."""
    for landmark in told.landmarks:
        yield landmark.number, [str(landmark.number), *_rows(box_phrases(landmark))]


def _back_edges(told: Outline) -> Iterator[tuple[int, int, list[str]]]:
    """The landmarks that loops lead from and to, with the lines at their edges."""
    for landmark in told.landmarks:
        if landmark.loop is not None:
            yield landmark.number, landmark.loop.target + 1, _rows(edge_phrases(landmark.loop))


def _quoted(lines: list[str]) -> str:
    escaped = [line.replace("\\", "\\\\").replace('"', '\\"') for line in lines]
    return '"' + "\\n".join(escaped) + '"'


_MERMAID = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "#": "&#35;", "`": "&#96;"})


def _entities(lines: list[str]) -> str:
    """Text inside quotes: Mermaid reads markup and its own `#` codes there."""
    return "<br/>".join(line.translate(_MERMAID) for line in lines)


def box_phrases(landmark: LandmarkOutline) -> list[str]:
    """What stands in a landmark's box; for a counter what its passes are about, and their actions."""
    if landmark.told is not None:
        return [f"count down: {landmark.told.heading}"]
    phrases = [part.phrase for part in landmark.shown]
    phrases[0] = landmark.lead + phrases[0]
    phrases[1:] = [f"and {phrase}" for phrase in phrases[1:]]
    return phrases + [f"inside a pass: {phrase}" for phrase in landmark.inner]


def edge_phrases(loop: LoopOutline) -> list[str]:
    """What stands at a loop's edge."""
    return [f"{label}: {phrase}" for label, phrase in loop.lines()]


def wrapped(text: str, width: int) -> list[str]:
    """The text in lines of at most this width, as few as can be and about equally long."""
    lines = _wrap(text, width)
    while width > 1 and len(narrower := _wrap(text, width - 1)) == len(lines):
        lines, width = narrower, width - 1
    return lines


def _wrap(text: str, width: int) -> list[str]:
    return textwrap.wrap(text, width, break_long_words=True, break_on_hyphens=False) or [""]


def _rows(phrases: list[str]) -> list[str]:
    return [line for phrase in phrases for line in wrapped(phrase, WRAP)]


LINE = 19
"""Height of a line of text."""
CHARACTERS = 38
"""Of a line in a box: what fits with a wide font of 14 pixels."""
BOX_WIDTH = 340
NUMBER_WIDTH = 34
MARGIN = 10
PADDING = 10
HANG = 12
"""How far the further lines of a phrase are set in."""
GAP = 30
"""Between two boxes."""
LANE = 20
"""Room for one loop beside the boxes."""

STYLE = """
.tm-graph{font:14px/1.35 system-ui,-apple-system,"Segoe UI","Liberation Sans",Arial,sans-serif}
.tm-graph .tm-box{fill:#fff;stroke:#5b6b7f;stroke-width:1.4}
.tm-graph .tm-loop{stroke:#8a4b00}
.tm-graph text{fill:#1a2330}
.tm-graph .tm-number{font-weight:700;fill:#14508c}
.tm-graph .tm-note{fill:#7a4200}
.tm-graph .tm-edge{fill:none;stroke:#5b6b7f;stroke-width:1.6}
.tm-graph .tm-back{fill:none;stroke:#b56a12;stroke-width:1.8;stroke-dasharray:5 3}
.tm-graph .tm-tip{fill:#5b6b7f}
.tm-graph .tm-backtip{fill:#b56a12}
@media (prefers-color-scheme:dark){
.tm-graph .tm-box{fill:#1b2430;stroke:#8fa1b8}
.tm-graph .tm-loop{stroke:#e0a458}
.tm-graph text{fill:#e8edf4}
.tm-graph .tm-number{fill:#8cc4ff}
.tm-graph .tm-note{fill:#f0bd7c}
.tm-graph .tm-edge{stroke:#8fa1b8}
.tm-graph .tm-back{stroke:#e0a458}
.tm-graph .tm-tip{fill:#8fa1b8}
.tm-graph .tm-backtip{fill:#e0a458}
}
"""
GROUND = """
.tm-graph .tm-ground{fill:#fff}
@media (prefers-color-scheme:dark){.tm-graph .tm-ground{fill:#11161d}}
"""


_Line = tuple[str, int]
"""Text and how far it is set in."""


@dataclass(frozen=True)
class _Box:
    landmark: LandmarkOutline
    top: int
    lines: tuple[_Line, ...]
    notes: tuple[_Line, ...]

    @property
    def height(self) -> int:
        gap = PADDING // 2 if self.notes else 0
        return 2 * PADDING + LINE * (len(self.lines) + len(self.notes)) + gap

    @property
    def bottom(self) -> int:
        return self.top + self.height


def graph_svg(told: Outline, *, standalone: bool = True, focusable: bool = False) -> str:
    """The picture. `standalone` brings its style and ground; `focusable` boxes are buttons of a page."""
    boxes = _boxes(told)
    lanes = _lanes(told)
    width = 2 * MARGIN + BOX_WIDTH + (LANE * (1 + max(lanes.values())) + MARGIN if lanes else 0)
    height = boxes[-1].bottom + MARGIN
    title = f"{told.model.domain}: {told.title}"
    pieces = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="tm-graph" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" role="{"group" if focusable else "img"}" '
        f'aria-label="{escape(title)}">',
        f"<title>{escape(title)}</title>",
    ]
    if standalone:
        pieces.append(f"<style>{STYLE}{GROUND}</style>")
        pieces.append(f'<rect class="tm-ground" width="{width}" height="{height}"/>')
    pieces += [_edge(before, after) for before, after in pairwise(boxes)]
    pieces += [
        _back_edge(boxes[place], boxes[landmark.loop.target], lanes[place])
        for place, landmark in enumerate(told.landmarks)
        if landmark.loop is not None
    ]
    pieces += [piece for box in boxes for piece in _box(box, focusable)]
    return "\n".join([*pieces, "</svg>"]) + "\n"


def _boxes(told: Outline) -> list[_Box]:
    boxes: list[_Box] = []
    for landmark in told.landmarks:
        loop, top = landmark.loop, boxes[-1].bottom + GAP if boxes else MARGIN
        lead = [] if loop is None or loop.lead == "repeat" else [f"then {loop.lead}"]
        notes = [] if loop is None else edge_phrases(loop)
        boxes.append(_Box(landmark, top, _lines(box_phrases(landmark)), _lines([*lead, *notes])))
    return boxes


def _lines(phrases: list[str]) -> tuple[_Line, ...]:
    return tuple(
        (line, HANG if place else 0)
        for phrase in phrases
        for place, line in enumerate(wrapped(phrase, CHARACTERS))
    )


def _lanes(told: Outline) -> dict[int, int]:
    """For each loop landmark the lane of its edge: short loops inside, none over another."""
    lanes: dict[LoopOutline, int] = {}
    for loop in sorted(told.loops, key=lambda loop: loop.source - loop.target):
        crossed = {lanes[at] for at in lanes if at.target <= loop.source and loop.target <= at.source}
        lanes[loop] = next(number for number in count() if number not in crossed)
    return {loop.source: lane for loop, lane in lanes.items()}


def _edge(before: _Box, after: _Box) -> str:
    x = MARGIN + BOX_WIDTH // 2
    end = after.top - 1
    return (
        f'<path class="tm-edge" d="M{x} {before.bottom}V{end - 6}"/>'
        f'<path class="tm-tip" d="M{x - 5} {end - 8}L{x} {end}L{x + 5} {end - 8}Z"/>'
    )


def _back_edge(source: _Box, target: _Box, lane: int) -> str:
    x = MARGIN + BOX_WIDTH
    outer = x + LANE * (lane + 1)
    start = source.bottom - 16
    end = target.top + 16
    out = f"M{x} {start}H{outer - 8}Q{outer} {start} {outer} {start - 8}"
    path = f"{out}V{end + 8}Q{outer} {end} {outer - 8} {end}H{x + 8}"
    return (
        f'<path class="tm-back" d="{path}"/>'
        f'<path class="tm-backtip" d="M{x + 9} {end - 5}L{x + 1} {end}L{x + 9} {end + 5}Z"/>'
    )


def _box(box: _Box, focusable: bool) -> Iterator[str]:
    number = box.landmark.number
    formulas = "\n".join(part.formula for part in box.landmark.parts)
    label = f"landmark {number}: {box.landmark.summary}"
    button = (
        f' tabindex="0" role="button" aria-label="{escape(label)}" data-landmark="{number}" '
        f'aria-controls="landmark-{number}"'
        if focusable
        else ""
    )
    yield f'<g class="tm-landmark"{button}>'
    yield f"<title>{escape(formulas)}</title>"
    kind = "tm-box tm-loop" if box.landmark.loop is not None else "tm-box"
    size = f'width="{BOX_WIDTH}" height="{box.height}"'
    yield f'<rect class="{kind}" x="{MARGIN}" y="{box.top}" {size} rx="8"/>'
    baseline = box.top + PADDING + 14
    yield f'<text class="tm-number" x="{MARGIN + PADDING}" y="{baseline}">{number}</text>'
    x = MARGIN + NUMBER_WIDTH
    for lines, note in ((box.lines, ""), (box.notes, ' class="tm-note"')):
        for line, hang in lines:
            yield f'<text{note} x="{x + hang}" y="{baseline}">{escape(line)}</text>'
            baseline += LINE
        baseline += PADDING // 2
    yield "</g>"


def escape(text: str) -> str:
    """Text for HTML and XML. Control characters have no place there, nor have those that turn the
    direction of text: a name could then look like another."""
    return escape_html(
        "".join(
            character if character.isprintable() or character == "\n" else "\N{REPLACEMENT CHARACTER}"
            for character in text
        )
    )
