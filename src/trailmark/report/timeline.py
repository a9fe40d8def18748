"""The timeline of an explained plan, as a part of the HTML page.

Marks and curves are drawn without text and stretched to the width there is; their names stand beside.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise

from trailmark.features.syntax import INFINITE
from trailmark.report.explain import Explanation, Measure, Stretch, finite, step_text, value_text
from trailmark.report.pictures import escape

TRACK_HEIGHT = 20
ARROW = "→"
FOLDED_PASSES = 2
"""More passes in a row that are alike are folded, but for the first."""


def timeline(explanation: Explanation) -> Iterator[str]:
    """The section of the page about the plan."""
    length = len(explanation.steps)
    # A plan that is told is valid, also where it leaves the graph: nothing about it is bad.
    kind = "good" if explanation.follows else "aside"
    cost = "" if explanation.cost in (None, length) else f", cost {explanation.cost:g}"
    yield "<h2>The plan</h2>"
    yield f'<div class="card" id="plan"><p>{escape(explanation.task)}: '
    yield f'<span class="{kind}">{escape(explanation.verdict)}</span>; the plan is valid{cost}</p>'
    yield '<div class="scrubber"><label for="state">State</label>'
    yield f'<input type="range" id="state" min="0" max="{length}" value="0" step="1">'
    yield '<output id="where" for="state"></output></div>'
    yield '<div class="tracks">'
    for landmark in explanation.outline.landmarks:
        states = [
            stretch.last
            for stretch in explanation.stretches
            if stretch.kind == "landmark" and stretch.landmark == landmark.number
        ]
        yield f'<span class="name"><b>{landmark.number}</b> {escape(landmark.label)}</span>'
        listed = ", ".join(map(str, states)) or "none"
        yield _marks(states, length, f"landmark {landmark.number} achieved after steps {listed}")
    for measure in explanation.measures:
        first, last = value_text(measure.values[0]), value_text(measure.values[-1])
        yield f'<span class="name">{escape(measure.measure)}: <b>{first} {ARROW} {last}</b></span>'
        yield _curve(measure, length)
    yield "</div>"
    yield from _departures(explanation)
    yield '<ol class="stretches">'
    for alike in _alike_passes(explanation.stretches):
        yield from _folded(alike)
    yield "</ol></div>"
    yield f'<script type="application/json" id="plan-data">{_data(explanation)}</script>'


def _departures(explanation: Explanation) -> Iterator[str]:
    if not explanation.departures:
        return
    yield "<h3>Where the plan leaves the graph</h3><ul>"
    for departure in explanation.departures:
        landmark = f' data-landmark="{departure.landmark}"' if departure.landmark is not None else ""
        yield (
            f'<li class="{"aside" if departure.breaks else "soft"}"><button type="button" '
            f'data-state="{departure.step}"{landmark}>{step_text(departure.step)}</button> '
            f"{escape(departure.reason)}</li>"
        )
    yield "</ul>"


Passed = tuple[Stretch, ...]
"""The stretches of one pass, or of what else leads to a landmark."""


def _alike_passes(stretches: Sequence[Stretch]) -> Iterator[list[Passed]]:
    """The passes in order, those that follow one another and are made by the same actions together."""
    passes: list[Passed] = []
    begun: Passed = ()
    for stretch in stretches:
        begun = (*begun, stretch)
        if stretch.kind != "progress":
            passes.append(begun)
            begun = ()
    for _, alike in groupby([*passes, begun] if begun else passes, _shape):
        yield list(alike)


def _shape(passed: Passed) -> list[tuple[str, int | None, list[str]]]:
    """What alike passes have in common: landmarks and actions without their objects, repeated ones once."""
    return [
        (
            stretch.kind,
            stretch.landmark,
            [name for name, _ in groupby(one.split()[0] for one in stretch.actions)],
        )
        for stretch in passed
    ]


def _folded(alike: Sequence[Passed]) -> Iterator[str]:
    """The first of alike passes, and the others to be unfolded."""
    shown = alike[:1] if len(alike) > FOLDED_PASSES else alike
    yield from (piece for passed in shown for stretch in passed for piece in _stretch(stretch))
    others = alike[len(shown) :]
    if others:
        first, last = others[0][0].first, others[-1][-1].last
        yield f'<li class="alike" data-first="{first}" data-last="{last}"><details>'
        yield f"<summary>{len(others)} more passes like this, steps {first}-{last}</summary>"
        yield '<ol class="stretches">'
        yield from (piece for passed in others for stretch in passed for piece in _stretch(stretch))
        yield "</ol></details></li>"


def _stretch(stretch: Stretch) -> Iterator[str]:
    landmark = f' data-landmark="{stretch.landmark}"' if stretch.landmark is not None else ""
    yield f'<li class="{stretch.kind}" data-first="{stretch.first}" data-last="{stretch.last}">'
    yield (
        f'<button type="button" data-state="{stretch.last}"{landmark}>{stretch.steps}</button> '
        f"{escape(stretch.heading)}"
    )
    yield from (f'<br><span class="soft">{escape(change.text(ARROW))}</span>' for change in stretch.changes)
    actions = "".join(
        f'<li value="{stretch.first + place}">{escape(action)}</li>'
        for place, action in enumerate(stretch.actions)
    )
    yield f'<details><summary>actions</summary><ol class="actions">{actions}</ol></details></li>'


def _marks(states: Sequence[int], length: int, label: str) -> str:
    ticks = "".join(f'<line class="tick" x1="{s}" x2="{s}" y1="2" y2="{TRACK_HEIGHT - 2}"/>' for s in states)
    return _track("marks", length, label, ticks)


def _curve(measure: Measure, length: int) -> str:
    """The values over the states as steps, from the least to the greatest; infinite is above all others."""
    finite = [value for value in measure.values if value < INFINITE]
    low, top = min(finite, default=0), max(finite, default=0) + (len(finite) < len(measure.values))
    inner = TRACK_HEIGHT - 4

    def height(value: int) -> float:
        share = (min(value, top) - low) / (top - low) if top > low else 0.5
        return round(TRACK_HEIGHT - 2 - inner * share, 2)

    path = f"M0 {height(measure.values[0])}"
    for state, (before, value) in enumerate(pairwise(measure.values), start=1):
        path += f"H{state}V{height(value)}" if value != before else ""
    return _track("measure", length, measure.measure, f'<path class="curve" d="{path}H{max(length, 1)}"/>')


def _track(kind: str, length: int, label: str, content: str) -> str:
    # Half a step beyond both ends, so that marks at the ends are not cut off.
    box = f"-0.5 0 {max(length, 1) + 1} {TRACK_HEIGHT}"
    return (
        f'<svg class="{kind}" viewBox="{box}" preserveAspectRatio="none" role="img" '
        f'aria-label="{escape(label)}">{content}'
        f'<line class="cursor" x1="0" x2="0" y1="0" y2="{TRACK_HEIGHT}"/></svg>'
    )


def _data(explanation: Explanation) -> str:
    """Steps and values for the page's script: for each feature where its value changes, and to what."""
    changes = [
        [[state, finite(new)] for state, (old, new) in enumerate(pairwise((None, *values))) if new != old]
        for values in zip(*explanation.states, strict=True)
    ]
    text = json.dumps({"steps": list(explanation.steps), "values": changes}, separators=(",", ":"))
    # Inside a script element only these characters could end it or begin a comment.
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
