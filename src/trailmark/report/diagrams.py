"""A landmark graph as Graphviz DOT and as Mermaid: the chain of landmarks with its loops."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

from trailmark.report.outline import LandmarkOutline, LoopOutline, Outline

WRAP = 36
"""Characters of a line inside a box."""


def dot(told: Outline) -> str:
    """The graph for Graphviz."""
    return "\n".join(_dot_lines(told)) + "\n"


def mermaid(told: Outline) -> str:
    """The graph for Mermaid, as GitHub and many editors draw it."""
    return "\n".join(_mermaid_lines(told)) + "\n"


def box_phrases(landmark: LandmarkOutline) -> list[str]:
    """What stands in a landmark's box."""
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


def _lines(phrases: list[str]) -> list[str]:
    return [line for phrase in phrases for line in wrapped(phrase, WRAP)]


def _dot_lines(told: Outline) -> Iterator[str]:
    yield f"digraph {_quoted([told.model.domain])} {{"
    yield '  rankdir=TB; node [shape=box, style=rounded, fontname="sans-serif"];'
    yield '  edge [fontname="sans-serif"];'
    for landmark in told.landmarks:
        label = _quoted([str(landmark.number), *_lines(box_phrases(landmark))])
        style = ', style="rounded,dashed"' if landmark.is_possible else ""
        yield f"  l{landmark.number} [label={label}{style}];"
    yield from (f"  l{before} -> l{after};" for before, after in told.edges)
    for landmark in told.landmarks:
        if landmark.loop is not None:
            target = landmark.loop.target + 1
            label = _quoted(_lines(edge_phrases(landmark.loop)))
            yield f"  l{landmark.number} -> l{target} [style=dashed, constraint=false, label={label}];"
    yield "}"


def _quoted(lines: list[str]) -> str:
    escaped = [line.replace("\\", "\\\\").replace('"', '\\"') for line in lines]
    return '"' + "\\n".join(escaped) + '"'


def _mermaid_lines(told: Outline) -> Iterator[str]:
    yield "flowchart TD"
    for landmark in told.landmarks:
        yield f'  l{landmark.number}["{_entities([str(landmark.number), *_lines(box_phrases(landmark))])}"]'
    yield from (f"  l{before} --> l{after}" for before, after in told.edges)
    possible = [f"l{each.number}" for each in told.landmarks if each.is_possible]
    if possible:
        yield "  classDef possible stroke-dasharray: 5 3"
        yield f"  class {','.join(possible)} possible"
    for landmark in told.landmarks:
        if landmark.loop is not None:
            target = landmark.loop.target + 1
            yield f'  l{landmark.number} -. "{_entities(_lines(edge_phrases(landmark.loop)))}" .-> l{target}'


_MERMAID = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "#": "&#35;", "`": "&#96;"}


def _entities(lines: list[str]) -> str:
    """Text inside quotes: Mermaid reads markup and its own `#` codes there."""
    return "<br/>".join("".join(_MERMAID.get(each, each) for each in line) for line in lines)
