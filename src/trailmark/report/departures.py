"""Where a plan leaves a landmark graph, and why."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from trailmark.landmarks.functions import StateDescriptor, Status
from trailmark.landmarks.progression import satisfaction
from trailmark.report.outline import LandmarkOutline, LoopOutline, Outline, count, short
from trailmark.report.words import Part

Valuation = Sequence[int]

MOST_REASONS = 3
"""So many conditions that fail are named."""


@dataclass(frozen=True)
class Departure:
    """One place where plan and graph part."""

    step: int
    """The step of the plan, counted from 1; 0 is the initial state."""
    landmark: int | None
    """The landmark it is about, counted from 1."""
    reason: str
    breaks: bool
    """Whether the plan does not satisfy the graph for it; otherwise it is a detour."""


def departures(
    told: Outline, states: Sequence[Valuation], statuses: Sequence[Status]
) -> tuple[Departure, ...]:
    """All departures in the order of their steps."""
    found = [
        *_refused(told, states, statuses),
        *_undone(told, states, statuses),
        *_guarded(told, states),
        *_failed(told, states, statuses),
    ]
    return tuple(sorted(found, key=lambda departure: departure.step))


def _refused(told: Outline, states: Sequence[Valuation], statuses: Sequence[Status]) -> Iterator[Departure]:
    """Loop landmarks met again without progress."""
    before_refused = False
    for state, (before, after) in enumerate(pairwise(statuses), start=1):
        landmark = _awaited(told, before)
        asked = landmark.loop.words.progress if landmark is not None and landmark.loop is not None else ()
        refused = False
        if landmark is not None and asked and after == before:
            refused = all(_holds(told, part, states[state]) for part in landmark.parts)
            reason = f"holds again, but without progress ({short(asked)}): it does not count"
            if refused and not before_refused:
                yield Departure(state, landmark.number, f"landmark {landmark.number} {reason}", breaks=False)
        before_refused = refused


def _undone(told: Outline, states: Sequence[Valuation], statuses: Sequence[Status]) -> Iterator[Departure]:
    """Steps inside a loop that take back what it has achieved."""
    for state, ((earlier, later), status) in enumerate(
        zip(pairwise(states), statuses, strict=False), start=1
    ):
        for loop in told.loops:
            place = told.model.guidance.feature_index[loop.progressor.feature]
            if loop.covers(status.next) and loop.progressor.holds(later[place], earlier[place]):
                what = told.words.value(loop.progressor.feature)
                reason = f"{what} goes from {earlier[place]} to {later[place]}: progress is taken back"
                yield Departure(state, loop.source + 1, reason, breaks=False)


def _guarded(told: Outline, states: Sequence[Valuation]) -> Iterator[Departure]:
    for guard in told.guards:
        met = next((state for state, values in enumerate(states) if _holds(told, guard, values)), None)
        if met is not None:
            yield Departure(met, None, f"{guard.phrase}, which the graph says never happens", breaks=False)


def _failed(told: Outline, states: Sequence[Valuation], statuses: Sequence[Status]) -> Iterator[Departure]:
    """For what the plan does not satisfy the graph."""
    awaited = _awaited(told, statuses[-1])
    guidance = told.model.guidance
    for failure in satisfaction(guidance, guidance, states).failures:
        landmark = told.landmarks[failure.landmark]
        if not failure.is_loop:
            reason = _why_missing(told, landmark, states, failure.state)
        else:
            assert landmark.loop is not None  # a count is wrong only at a loop
            reason = _count_reason(landmark.loop, failure.found, failure.expected)
            if awaited is not None and landmark.loop.covers(awaited.number - 1):
                reason += f"; {_why_missing(told, awaited, states, _last_event(statuses))}"
        yield Departure(failure.state, landmark.number, reason, breaks=True)


def _why_missing(told: Outline, landmark: LandmarkOutline, states: Sequence[Valuation], since: int) -> str:
    """What of the landmark fails in the later state that comes closest to it."""
    lead = f"landmark {landmark.number} is not achieved after step {since}"
    failing = {
        state: [part for part in landmark.parts if not _holds(told, part, states[state])]
        for state in range(since + 1, len(states))
    }
    if never := [part for part in landmark.parts if failing and all(part in own for own in failing.values())]:
        return f"{lead}: it never happens that {_listed(never)}"
    best = min(failing, key=lambda state: len(failing[state]), default=since)
    if not failing.get(best):
        return f"{lead}: {landmark.summary}"
    return f"{lead}: closest is step {best}, where it does not hold that {_listed(failing[best])}"


def _count_reason(loop: LoopOutline, found: int, expected: int) -> str:
    counted = next(part.phrase for part in loop.words.counter if part.shown)
    times = "1 pass" if found == 1 else f"{found} passes"
    return f"the loop ends after {times}, but its counter ({counted}) says {expected}"


def _awaited(told: Outline, status: Status) -> LandmarkOutline | None:
    awaited = told.model.guidance.awaited(status)
    return None if awaited is None else told.landmarks[awaited]


def _last_event(statuses: Sequence[Status]) -> int:
    """The last state that was accepted or came further, 0 where there is none."""
    changed = [state for state, (a, b) in enumerate(pairwise(statuses), start=1) if a != b]
    return changed[-1] if changed else 0


def _holds(told: Outline, part: Part, values: Valuation) -> bool:
    """Whether a descriptor holds; a progressor compares two states and is not asked here."""
    function = part.function
    if not isinstance(function, StateDescriptor):
        return True
    return function.holds(values[told.model.guidance.feature_index[function.feature]])


def _listed(parts: Sequence[Part]) -> str:
    shown = [part.phrase for part in parts[:MOST_REASONS]]
    more = len(parts) - len(shown)
    return "; ".join(shown) + (f"; and {count(more, 'more condition')}" if more else "")
