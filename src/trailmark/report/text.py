"""A landmark graph, and an explained plan, as plain text that reads by itself, and as a JSON document."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from typing import Any

from trailmark.models.model import Model
from trailmark.programs.program import Program
from trailmark.report.explain import Explanation, Stretch, finite, step_text
from trailmark.report.outline import LandmarkOutline, LoopOutline, Outline, count, outline
from trailmark.report.telling import ACTIONS_LEAD, GOAL_BY_GOAL, LEGEND, ORDER_OF_PARTS, ToldPass
from trailmark.report.words import Part, Words

_LABEL = 14
"""Columns for the words that lead a line."""
_WIDTH = 100
"""Columns of a line."""
MOST_NEGATIONS = 1
"""What must never happen is told where it has no more; `--formal` has all."""
MOST_ACTIONS = 6
"""Longer stretches of a plan show their first and last actions; the verbose form shows all."""
MOST_DEPARTURES = 8
NO_BREAK = "\N{NO-BREAK SPACE}"


def model_text(model: Model, words: Words | None = None, *, verbose: bool = False) -> str:
    """The graph in words; the verbose form has every part with the formula behind it."""
    told = outline(model, words)
    lines = [] if told.telling is None else list(telling_lines(told))
    if verbose or not lines:
        lines += _lines(told, verbose)
    if verbose and model.candidates:
        lines += _tried(model)
    return "\n".join(lines) + "\n"


def telling_lines(graph: Outline) -> Iterator[str]:
    """The program told by actions."""
    told, model = graph.telling, graph.model
    assert told is not None
    yield f"{model.domain}: {graph.title}, {graph.origin}"
    yield from _wrapped(LEGEND, "")
    if len(told.passes) > 1:
        yield from ("", ORDER_OF_PARTS)
    for place, told_pass in enumerate(told.passes, start=1):
        lead = "Do" if len(told.passes) == 1 else f"Part {place}. Do"
        yield ""
        yield from _wrapped(f"{lead} this for {told_pass.heading}:", "  ")
        yield from _ways(told_pass)
        yield from _wrapped(" ".join(told_pass.remarks), "  ")
        if told_pass.example:
            yield from _wrapped(
                f"For example ({told_pass.example_from}): {', '.join(told_pass.example)}.", "  "
            )
    yield ""
    for phrase in (guard.phrase for guard in graph.guards):
        if sum(map(phrase.count, (" no ", " not "))) <= MOST_NEGATIONS:
            yield from _wrapped(f"Never let it happen that {phrase}.", "  ")
    for remark in told.remarks:
        yield from _wrapped(remark, "  ")
    for warning in told.warnings:
        yield from _wrapped(f"Careful: {warning}.", "  ")
    if told.actions:
        yield from ("", ACTIONS_LEAD)
        for line in told.actions:
            yield from _wrapped(f"  {line}.", "     ")
    yield from ("", "Progress is counted by (not needed to act):")
    for place, counter in enumerate(told.counters, start=1):
        for inner, told_count in enumerate(counter.counts):
            lead = "     inside: " if inner else f"  {place}. "
            yield from _wrapped(f"{lead}{told_count.text}", "     ")
    if missed := [record.problem for record in model.training if not record.satisfied]:
        yield from _wrapped(f"  The plans of {', '.join(missed)} do not follow these counts.", "     ")


def _ways(told: ToldPass) -> Iterator[str]:
    for way in told.ways:
        if len(told.ways) > 1:
            yield from _wrapped(f"  {way.lead}:", "     ")
        for place, step in enumerate(way.steps, start=1):
            yield from _wrapped(f"  {place}. {step.text}  ({step.share})", "     ")
        if way.rare:
            yield from _wrapped(f"  Rarely also {'; '.join(way.rare)}.", "     ")


def _wrapped(line: str, indent: str) -> list[str]:
    """The line in the width of a page."""
    return textwrap.wrap(
        line, _WIDTH, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )


def _tried(model: Model) -> list[str]:
    """What learning compared: the graph that plans with the least effort won, or a simpler equal."""
    rows = [
        f"  {'*' if candidate.chosen else ' '} {candidate.effort:8.0f} {candidate.unsolved:8d}"
        f"  {candidate.graph}"
        for candidate in model.candidates
    ]
    return ["", "graphs tried (* chosen), the best first:", "      effort unsolved  graph", *rows]


def _lines(graph: Outline, verbose: bool) -> Iterator[str]:
    yield f"{graph.model.domain}: {graph.title}, {graph.origin}"
    yield ""
    for landmark in graph.landmarks:
        yield from _landmark(landmark, verbose)
    if graph.guards:
        yield from ("", "never on the way to a goal:")
        for guard in graph.guards:
            yield from _part("   - ", guard, verbose)
    if missed := [record for record in graph.model.training if not record.satisfied]:
        yield from ("", "training plans that do not follow the graph:")
        yield from (f"   {record.problem}: {record.reason}" for record in missed)
    guidance = graph.model.guidance
    if isinstance(guidance, Program) and graph.telling is None:
        yield from ("", GOAL_BY_GOAL) if guidance.goal_by_goal else ()
        yield from ("", "the file does not say by which actions passes are made; learn the model again")


def _landmark(landmark: LandmarkOutline, verbose: bool) -> Iterator[str]:
    parts, indent = landmark.parts if verbose else landmark.shown, " " * 4
    for place, part in enumerate(parts):
        start = f"{landmark.number:2}. {landmark.lead}" if place == 0 else f"{indent}and "
        yield from _part(start, part, verbose)
        yield from (f"{indent}{'inside a pass':{_LABEL}} {phrase}" for phrase in part.inner)
    hidden = len(landmark.parts) - len(parts)
    if hidden:
        yield f"{indent}({count(hidden, 'more condition')} with --verbose)"
    if landmark.loop is not None:
        yield from _loop(landmark.loop, indent, verbose)


def _loop(loop: LoopOutline, indent: str, verbose: bool) -> Iterator[str]:
    if loop.lead != "repeat":
        yield f"{indent}then {loop.lead}"
    if not verbose:
        yield from (f"{indent}{label:{_LABEL}} {phrase}" for label, phrase in loop.lines())
        return
    for label, parts in loop.words.labelled:
        for place, part in enumerate(parts):
            yield from _part(f"{indent}{label if place == 0 else 'and':{_LABEL}} ", part, verbose)


def _part(start: str, part: Part, verbose: bool) -> Iterator[str]:
    yield f"{start}{part.phrase}"
    if verbose:
        yield f"{' ' * len(start)}  {part.formula}"


_OF_TRAINING = ("problem", "length", "passes", "satisfied", "reason")


def outline_json(told: Outline) -> dict[str, Any]:
    """Each landmark with its phrases and formulas, loops, guards, and how the graph was learned."""
    model = told.model
    return {
        "status": "shown",
        "domain": model.domain,
        "method": model.method,
        "landmarks": [_landmark_json(landmark) for landmark in told.landmarks],
        "goal_by_goal": isinstance(model.guidance, Program) and model.guidance.goal_by_goal,
        "telling": None if told.telling is None else asdict(told.telling),
        "guards": _parts(told.guards),
        "training": [{name: getattr(record, name) for name in _OF_TRAINING} for record in model.training],
    }


def _landmark_json(landmark: LandmarkOutline) -> dict[str, Any]:
    loop = landmark.loop
    return {
        "number": landmark.number,
        "summary": landmark.summary,
        "parts": _parts(landmark.parts),
        "loop": loop
        and {
            "target": loop.target + 1,
            "until": _parts(loop.words.exit),
            "each_time": _parts(loop.words.progress),
            "passes": _parts(loop.words.counter),
        },
    }


def _parts(parts: Iterable[Part]) -> list[dict[str, Any]]:
    return [
        {
            "phrase": part.phrase,
            "formula": part.formula,
            "shown": part.shown,
            **({"inside_a_pass": list(part.inner)} if part.inner else {}),
        }
        for part in parts
    ]


def explanation_text(explanation: Explanation, *, verbose: bool = False) -> str:
    """The abstract plan, one paragraph a stretch."""
    return "\n".join(_told(explanation, verbose)) + "\n"


def explanation_json(explanation: Explanation) -> dict[str, Any]:
    """The same as a document."""
    return {
        "status": "follows" if explanation.follows else "leaves",
        "task": explanation.task,
        "domain": explanation.outline.model.domain,
        "plan_length": len(explanation.steps),
        "cost": explanation.cost,
        "passes": list(map(asdict, explanation.passes)),
        "stretches": [_stretch_json(stretch) for stretch in explanation.stretches],
        "departures": list(map(asdict, explanation.departures)),
        "measures": [
            {**asdict(told), "values": list(map(finite, told.values))} for told in explanation.measures
        ],
    }


def _told(explanation: Explanation, verbose: bool) -> Iterator[str]:
    yield f"{explanation.task}: {explanation.verdict}"
    yield ""
    leads = [stretch.steps for stretch in explanation.stretches]
    leads += [step_text(leaving.step) for leaving in explanation.departures]
    width = max(map(len, leads), default=0) + 2
    indent = " " * width
    for stretch in explanation.stretches:
        yield from _wrapped(f"{stretch.steps:{width}}{stretch.heading}", indent)
        for change in stretch.changes:
            yield from _wrapped(f"{indent}{change.text()}", indent)
        shown = stretch.actions if verbose else shortened(stretch.actions)
        unbroken = [action.replace(" ", NO_BREAK) for action in shown]
        yield from (line.replace(NO_BREAK, " ") for line in _wrapped(indent + " ".join(unbroken), indent))
    if explanation.departures:
        yield from ("", "where the plan leaves the graph:")
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


def _stretch_json(stretch: Stretch) -> dict[str, Any]:
    return {
        **{name: getattr(stretch, name) for name in ("first", "last", "kind", "landmark", "says")},
        "pass": stretch.in_pass and asdict(stretch.in_pass),
        "changes": [
            {"measure": change.measure, "before": finite(change.before), "after": finite(change.after)}
            for change in stretch.changes
        ],
        "actions": list(stretch.actions),
        **({"subject": stretch.subject} if stretch.subject else {}),
    }
