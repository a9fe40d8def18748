"""An explained plan as text and as JSON."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from typing import Any

from trailmark.features.syntax import INFINITE
from trailmark.report.explain import Change, Explanation, LoopPasses, Stretch
from trailmark.report.outline import count

WIDTH = 100
"""Columns of a line."""
MOST_ACTIONS = 6
"""Longer stretches show their first and last actions; the verbose form shows all."""
MOST_DEPARTURES = 8
NO_BREAK = "\N{NO-BREAK SPACE}"


def explanation_text(explanation: Explanation, *, verbose: bool = False) -> str:
    """The abstract plan, one paragraph a stretch."""
    return "\n".join(_lines(explanation, verbose)) + "\n"


def explanation_json(explanation: Explanation) -> dict[str, Any]:
    """The same as a document."""
    return {
        "status": "follows" if explanation.follows else "leaves",
        "task": explanation.task,
        "domain": explanation.outline.model.domain,
        "plan_length": len(explanation.steps),
        "cost": explanation.cost,
        "passes": [
            {
                "loop": loop.loop + 1,
                "landmark": loop.landmark,
                "expected": loop.expected,
                "found": loop.found,
                "skipped": loop.skipped,
            }
            for loop in explanation.passes
        ],
        "stretches": [_stretch_json(stretch) for stretch in explanation.stretches],
        "departures": [
            {
                "step": departure.step,
                "landmark": departure.landmark,
                "reason": departure.reason,
                "breaks": departure.breaks,
            }
            for departure in explanation.departures
        ],
        "measures": [
            {
                "loop": measure.loop + 1,
                "measure": measure.phrase,
                "values": [number(value) for value in measure.values],
            }
            for measure in explanation.measures
        ],
    }


def verdict(explanation: Explanation) -> str:
    """In one line: whether the plan follows the graph, and the passes of its loops."""
    steps = count(len(explanation.steps), "step")
    answer = "follows the graph" if explanation.follows else "leaves the graph"
    loops = [_passes(loop, one=len(explanation.passes) == 1) for loop in explanation.passes]
    return f"{steps}; the plan {answer}" + (f", {', '.join(loops)}" if loops else "")


def _passes(loop: LoopPasses, *, one: bool) -> str:
    of_loop = "the loop" if one else f"loop {loop.loop + 1}"
    if loop.skipped:
        return f"{of_loop} was over before it began"
    return f"{loop.found} of {loop.expected} passes" + ("" if one else f" of {of_loop}")


def number(value: int) -> int | None:
    """A value for JSON: null where a distance is infinite."""
    return None if value >= INFINITE else value


def value_text(value: int) -> str:
    return "∞" if value >= INFINITE else str(value)


def step_text(step: int) -> str:
    """`step 4`, and `start` for the initial state."""
    return f"step {step}" if step else "start"


def steps_text(stretch: Stretch) -> str:
    """`step 4`, `steps 5-9`."""
    if stretch.first == stretch.last:
        return f"step {stretch.first}"
    return f"steps {stretch.first}-{stretch.last}"


def heading(stretch: Stretch) -> str:
    """What a stretch achieves: `landmark 3 (pass 1 of 4)`."""
    if stretch.kind == "rest":
        return stretch.says
    where = ""
    if stretch.in_pass is not None:
        where = f" (pass {stretch.in_pass.number} of {stretch.in_pass.expected})"
    if stretch.subject:
        inside = "inside " if stretch.kind == "progress" else ""
        part = f"counter {stretch.landmark}, " if stretch.landmark is not None else ""
        says = f", {stretch.says}" if stretch.says else ""
        return f"{part}{inside}{where.strip(' ()')}: {stretch.subject}{says}"
    lead = "toward landmark" if stretch.kind == "progress" else "landmark"
    return f"{lead} {stretch.landmark}{where}: {stretch.says}"


def change_text(change: Change, arrow: str = "->") -> str:
    return f"{change.measure}: {value_text(change.before)} {arrow} {value_text(change.after)}"


def _lines(explanation: Explanation, verbose: bool) -> Iterator[str]:
    yield f"{explanation.task}: {verdict(explanation)}"
    yield ""
    leads = list(map(steps_text, explanation.stretches))
    leads += [step_text(leaving.step) for leaving in explanation.departures]
    width = max(map(len, leads), default=0) + 2
    indent = " " * width
    for stretch in explanation.stretches:
        yield from _wrapped(f"{steps_text(stretch):{width}}{heading(stretch)}", indent)
        yield from (
            line for change in stretch.changes for line in _wrapped(indent + change_text(change), indent)
        )
        shown = stretch.actions if verbose else shortened(stretch.actions)
        unbroken = [action.replace(" ", NO_BREAK) for action in shown]
        yield from (line.replace(NO_BREAK, " ") for line in _wrapped(indent + " ".join(unbroken), indent))
    if explanation.departures:
        yield ""
        yield "where the plan leaves the graph:"
        shown_departures = explanation.departures if verbose else explanation.departures[:MOST_DEPARTURES]
        for departure in shown_departures:
            yield from _wrapped(f"{step_text(departure.step):{width}}{departure.reason}", indent)
        hidden = len(explanation.departures) - len(shown_departures)
        if hidden:
            yield f"{indent}({hidden} more with --verbose)"


def shortened(actions: Sequence[str]) -> list[str]:
    """The first and last of many actions."""
    if len(actions) <= MOST_ACTIONS:
        return list(actions)
    half = MOST_ACTIONS // 2
    return [*actions[:half], f"... {len(actions) - 2 * half} more ...", *actions[-half:]]


def _wrapped(line: str, indent: str) -> list[str]:
    return textwrap.wrap(
        line, WIDTH, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )


def _stretch_json(stretch: Stretch) -> dict[str, Any]:
    return {
        "first": stretch.first,
        "last": stretch.last,
        "kind": stretch.kind,
        "landmark": stretch.landmark,
        "says": stretch.says,
        "pass": None
        if stretch.in_pass is None
        else {
            "loop": stretch.in_pass.loop + 1,
            "number": stretch.in_pass.number,
            "expected": stretch.in_pass.expected,
        },
        "changes": [
            {"measure": change.measure, "before": number(change.before), "after": number(change.after)}
            for change in stretch.changes
        ],
        "actions": list(stretch.actions),
        **({"subject": stretch.subject} if stretch.subject else {}),
    }
