"""A plan as the abstract plan: which stretch of actions achieves which landmark, in which pass of a loop.

The guidance is followed over the plan's states: a loop landmark that is met again
without progress is refused. What the plan does beside the graph is told as departures, with the
step and the reason.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, pairwise

from trailmark.features.batch import left
from trailmark.features.syntax import INFINITE
from trailmark.landmarks.functions import Status, accepted_position
from trailmark.landmarks.progression import values_along
from trailmark.models.model import Model
from trailmark.programs.program import Program
from trailmark.report.departures import Departure, Valuation, departures
from trailmark.report.outline import LoopOutline, Outline, count, outline
from trailmark.report.words import Words
from trailmark.task import Plan, Task, Trajectory, trajectory, validate


@dataclass(frozen=True)
class Change:
    """A measured quantity before and after a stretch."""

    measure: str
    before: int
    after: int

    def text(self, arrow: str = "->") -> str:
        return f"{self.measure}: {value_text(self.before)} {arrow} {value_text(self.after)}"


@dataclass(frozen=True)
class Pass:
    """Where in a loop a stretch belongs."""

    loop: int
    """The loop's place in the graph, counted from 1."""
    number: int
    """Counted from 1."""
    expected: int
    """What the loop's counter says in the initial state."""


@dataclass(frozen=True)
class Stretch:
    """Consecutive steps of the plan and what they achieve."""

    first: int
    """The first step, counted from 1; the state before it has one number less."""
    last: int
    """The last step, which is also the number of the state it leads to."""
    kind: str
    """`landmark` where it achieves one, `progress` inside a pass, `rest` after the last of both."""
    landmark: int | None
    """The landmark it serves, counted from 1."""
    in_pass: Pass | None
    says: str
    """What is achieved."""
    changes: tuple[Change, ...]
    actions: tuple[str, ...]
    subject: str = ""
    """The object that the pass is about, where that is known."""

    @property
    def steps(self) -> str:
        """`step 4`, `steps 5-9`."""
        return f"step {self.first}" if self.first == self.last else f"steps {self.first}-{self.last}"

    @property
    def heading(self) -> str:
        """What is achieved, and where: `landmark 3 (pass 1 of 4): some truck is empty`."""
        if self.kind == "rest":
            return self.says
        where = "" if self.in_pass is None else f"pass {self.in_pass.number} of {self.in_pass.expected}"
        if self.subject:
            inside = "inside " if self.kind == "progress" else ""
            return f"counter {self.landmark}, {inside}{where}: {self.subject}, {self.says}"
        lead = "toward landmark" if self.kind == "progress" else "landmark"
        return f"{lead} {self.landmark}{where and f' ({where})'}: {self.says}"


@dataclass(frozen=True)
class LoopPasses:
    """How often a loop was passed, and how often its counter says; the numbers count from 1."""

    loop: int
    landmark: int
    expected: int
    found: int
    skipped: bool
    """Whether the loop was over when the plan came to it."""

    def text(self, *, only: bool) -> str:
        """`2 of 3 passes of loop 1`; the only loop needs no number."""
        if self.skipped:
            return f"{'the loop' if only else f'loop {self.loop}'} was over before it began"
        return f"{self.found} of {self.expected} passes" + ("" if only else f" of loop {self.loop}")


@dataclass(frozen=True)
class Measure:
    """A quantity that a loop counts or makes progress by, in every state."""

    loop: int
    """Counted from 1."""
    measure: str
    """In words."""
    values: tuple[int, ...]


@dataclass(frozen=True)
class Explanation:
    """A plan told by the landmarks of a graph."""

    task: str
    outline: Outline
    stretches: tuple[Stretch, ...]
    passes: tuple[LoopPasses, ...]
    departures: tuple[Departure, ...]
    measures: tuple[Measure, ...]
    states: tuple[tuple[int, ...], ...]
    """The values of the graph's features in every state of the plan."""
    steps: tuple[str, ...]
    cost: float | None = None
    """What the plan costs, where that is known."""

    @property
    def follows(self) -> bool:
        """Whether the plan achieves every landmark, and each loop as often as its counter says."""
        return not any(departure.breaks for departure in self.departures)

    @property
    def verdict(self) -> str:
        """In one line: whether the plan follows the graph, and the passes of its loops."""
        answer = f"the plan {'follows' if self.follows else 'leaves'} the graph"
        loops = [loop.text(only=len(self.passes) == 1) for loop in self.passes]
        return f"{count(len(self.steps), 'step')}; {', '.join([answer, *loops])}"


def finite(value: int) -> int | None:
    """A value for JSON: null where a distance is infinite."""
    return None if value >= INFINITE else value


def value_text(value: int) -> str:
    return "∞" if value >= INFINITE else str(value)


def step_text(step: int) -> str:
    """`step 4`, and `start` for the initial state."""
    return f"step {step}" if step else "start"


def explain(model: Model, task: Task, plan: Plan, words: Words | None = None, name: str = "") -> Explanation:
    """Tells a valid plan by the model's landmarks; an invalid one is a `PlanError`."""
    path = trajectory(task, plan, name)
    states = values_along(model.guidance, path.structure, path.states)
    subjects = dict(_subjects(model, path, states))
    told = explain_states(model, states, [str(step) for step in plan.steps], task.name, words, subjects)
    return replace(told, cost=validate(task, plan).cost)


def _subjects(model: Model, path: Trajectory, states: Sequence[Valuation]) -> Iterator[tuple[int, str]]:
    """For states that end a pass or come further in one the object that leaves the count, best one that the
    action names."""
    program = model.guidance
    if not isinstance(program, Program):
        return
    statuses = _statuses(model, states)
    for state, (before, after) in enumerate(pairwise(statuses), start=1):
        if after == before or not before.memory:
            continue
        counter = accepted_position(before, after)
        places = zip(before.memory[0], program.deciding[counter], strict=True)
        fallen = next(place for value, place in places if states[state][place] != value)
        pair = path.states[state - 1], path.states[state]
        gone = left(program.features[fallen], path.structure, *pair)
        named = [name for name in path.plan.steps[state - 1].arguments if name in gone] or gone
        if named:
            yield state, named[0]


def explain_states(
    model: Model,
    states: Sequence[Valuation],
    steps: Sequence[str],
    task: str,
    words: Words | None = None,
    subjects: Mapping[int, str] | None = None,
) -> Explanation:
    """The same for the valuations of the states a plan visits, one more than it has steps; where it is known,
    with the object that each pass is about, by the state it ends in."""
    told = outline(model, words)
    statuses = _statuses(model, states)
    stretches = tuple(_stretches(told, states, statuses, steps, subjects or {}))
    last, expected = statuses[-1], model.guidance.passes(states[0])
    passes = tuple(
        LoopPasses(place + 1, at + 1, expected[place], found, not found and last.next > at)
        for place, at, found in [(loop.index, loop.source, last.counts[loop.source]) for loop in told.loops]
    )
    found = departures(told, states, statuses), tuple(_measures(told, states))
    values = tuple(tuple(state) for state in states)
    return Explanation(task, told, stretches, passes, *found, values, tuple(steps))


def _statuses(model: Model, states: Sequence[Valuation]) -> list[Status]:
    """How far the plan has come in every state."""
    guidance = model.guidance
    return list(accumulate(states[1:], guidance.step, initial=guidance.start(states[0])))


def _stretches(
    told: Outline,
    states: Sequence[Valuation],
    statuses: Sequence[Status],
    steps: Sequence[str],
    subjects: Mapping[int, str],
) -> Iterator[Stretch]:
    start = 0
    for state, (before, after) in enumerate(pairwise(statuses), start=1):
        if after == before:
            continue
        place = accepted_position(before, after)
        landmark = told.landmarks[place]
        accepted = after.accepted > before.accepted
        says = landmark.shown[0].phrase if accepted or not landmark.inner else " or ".join(landmark.inner)
        if landmark.told is not None:
            says = f"by {steps[state - 1]}"
        in_pass = _pass(told, before, place, states[0])
        yield Stretch(
            first=start + 1,
            last=state,
            kind="landmark" if accepted else "progress",
            landmark=landmark.number,
            in_pass=in_pass,
            says=says,
            changes=tuple(_changes(told, in_pass, states[start], states[state])),
            actions=tuple(steps[start:state]),
            subject=subjects.get(state, ""),
        )
        start = state
    if start < len(steps):
        waiting = told.model.guidance.awaited(statuses[-1])
        number = None if waiting is None else told.landmarks[waiting].number
        says = "after the last landmark" if number is None else f"landmark {number} is not achieved"
        yield Stretch(start + 1, len(steps), "rest", number, None, says, (), tuple(steps[start:]))


def _pass(told: Outline, status: Status, landmark: int, initial: Valuation) -> Pass | None:
    """The pass of the innermost loop around the landmark."""
    around = [loop for loop in told.loops if loop.covers(landmark)]
    if not around:
        return None
    loop = min(around, key=lambda loop: loop.source - loop.target)
    number = status.counts[loop.source] + 1
    return Pass(loop.index + 1, number, told.model.guidance.passes(initial)[loop.index])


def _changes(told: Outline, in_pass: Pass | None, before: Valuation, after: Valuation) -> Iterator[Change]:
    """What the loop measures and the stretch changes."""
    if in_pass is None:
        return
    for phrase, place in _measured(told, told.loops[in_pass.loop - 1]):
        if before[place] != after[place]:
            yield Change(phrase, before[place], after[place])


def _measured(told: Outline, loop: LoopOutline) -> Iterator[tuple[str, int]]:
    """What a loop counts, in words, and its place in a valuation."""
    for number, feature in enumerate(loop.measured):
        count = None if loop.told is None else loop.told.counts[number]
        phrase = told.words.value(feature) if count is None or not count.is_exact else count.phrase
        yield phrase, told.model.guidance.feature_index[feature]


def _measures(told: Outline, states: Sequence[Valuation]) -> Iterator[Measure]:
    for loop in told.loops:
        measured = _measured(told, loop)
        found = [Measure(loop.index + 1, phrase, tuple(s[at] for s in states)) for phrase, at in measured]
        yield from [measure for measure in found if len(set(measure.values)) > 1] or found[:1]
