"""Why there is no plan, and what to do next: for a person, and the same for `--json`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from trailmark.api import LearnedModel
    from trailmark.search.settings import PlannerOptions
    from trailmark.search.standing import Standing
    from trailmark.task import Task

TIME_LIMIT, MEMORY_LIMIT, NO_PLAN_FOUND = "time limit", "memory limit", "no plan found"
"""The statuses of a search without a plan. They are not imported with all that reads tasks, which only
the process that searches needs."""
STALLED_STATES = 2_000
"""A leap that generates more states than this has stalled; with fewer it may just have begun."""
COMMITTED = ("leap", "leap again", "leap by whole passes", "leap without recipes")
"""The strategies that go from landmark to landmark."""


def failure(
    task: Task, model: LearnedModel | None, options: PlannerOptions, standing: Standing | None
) -> dict[str, Any]:
    """What can be told of a search without a plan, but for its status and times."""
    from trailmark.search.fast_downward import is_installed, reads
    from trailmark.task.numbers import misread_number

    return {
        "goals": len(task.goal.positive) + len(task.goal.negative),
        "open_goals": None if standing is None else standing.open_goals,
        "landmark": None if standing is None or standing.awaited is None else standing.awaited + 1,
        "looked_for": looked_for(model, standing),
        "states": None if standing is None else standing.states,
        "level": standing.level or None if standing is not None else None,
        "with_model": model is not None,
        "complete_search": options.search == "auto" and options.fallback,
        "fast_downward": "installed" if is_installed() else "missing" if reads(task) else "cannot read it",
        "misread": misread_number(task),
        "next_steps": [],
    }


def looked_for(model: LearnedModel | None, standing: Standing | None) -> str | None:
    """The landmark or counter that a search came to a halt at, in words."""
    from trailmark.programs import Program

    if model is None or standing is None or standing.awaited is None:
        return None
    guidance, words = model.guidance, model.words
    if isinstance(guidance, Program):
        parts = words.counter(guidance.counters[standing.awaited])
    else:
        parts = words.landmark(guidance.landmarks[standing.awaited])
    return ", and ".join(part.phrase for part in parts if part.shown)


def with_next_steps(document: dict[str, Any]) -> dict[str, Any]:
    """The document of a search that has ended, with what to do next."""
    told = document["failure"]
    if told is None:
        return document
    return {**document, "failure": {**told, "next_steps": list(_next_steps(document))}}


def _next_steps(document: Mapping[str, Any]) -> Iterator[str]:
    told = document["failure"]
    if document["status"] == MEMORY_LIMIT:
        yield "raise --memory-limit, or try --search leap, which keeps few states"
    if told.get("misread") is not None:
        number = f"{told['misread']!r}: the engine reads it inexactly, so that a plan may be overlooked"
        yield f"write numbers with at most 15 digits, not {number}"
    if not told["complete_search"]:
        yield "--search auto goes on with a complete search where this one ends"
    if not told["with_model"]:
        yield "learn a model from small problems of the domain (trailmark learn) and plan with it"
    elif document["landmarks"] is not None:
        yield from _about_model(document)
    if told["complete_search"] and told["fast_downward"] == "missing":
        yield "pip install 'trailmark[fd]': Fast Downward then takes over where leaping does not get on"


def _about_model(document: Mapping[str, Any]) -> Iterator[str]:
    told, landmarks = document["failure"], document["landmarks"]
    spent = sum(document["times"].get(strategy, 0.0) for strategy in COMMITTED)
    if told["landmark"] is None and told["open_goals"]:
        yield (
            "the model ends before the goal: learn from problems whose goals are as varied as this one's, "
            "and name this problem with --validation"
        )
        return
    # Leaping that others were tried after got stuck, or was too slow to be waited for.
    gave_up = next(reversed(document["times"]), None) not in COMMITTED
    stalled = told["states"] and (told["states"] > STALLED_STATES or document["status"] == NO_PLAN_FOUND)
    if stalled or gave_up:
        yield (
            "learn from more varied problems (two and more of everything that this problem has), and name "
            "this problem, or a smaller one like it, with --validation"
        )
    if not stalled and landmarks["accepted"] and document["status"] == TIME_LIMIT and spent:
        needed = spent / landmarks["accepted"] * landmarks["total"]
        yield f"raise --time-limit: at this pace all landmarks take about {needed:.0f} s of leaping"


def failure_lines(document: Mapping[str, Any]) -> Iterator[str]:
    """Why there is no plan, line by line."""
    told, landmarks = document["failure"], document["landmarks"]
    if told is None:
        return
    if landmarks is not None and told["open_goals"] is not None:
        yield (
            f"reached {landmarks['accepted']} of {landmarks['total']} landmarks; "
            f"{told['open_goals']} of {told['goals']} goals are open there"
        )
        sought = f"landmark {told['landmark']}: {told['looked_for']}" if told["landmark"] else "an open goal"
        level = f", last by {told['level']}" if told["level"] else ""
        yield f"then looked for {sought} ({told['states']} states{level})"
    if document["times"]:
        total = document["total_time_s"]
        other = max(0.0, total - sum(document["times"].values()))
        stages = {**document["times"], "other": other}
        parts = ", ".join(f"{name} {seconds:.2f} s" for name, seconds in stages.items())
        yield f"time: {total:.2f} s, of which {parts}; memory: at most {document['peak_memory_mb']:.0f} MB"
    for step in told["next_steps"]:
        yield f"next: {step}"
