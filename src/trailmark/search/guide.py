"""LM-G, the generalized landmark counting heuristic (Algorithm 1), as a guide of best-first search.

A guide gives each new state a mark from its parent's mark, and a value to add to the heuristic. The
landmark status is path-dependent: the first path to a state sets it. Most states fail one condition
of the awaited landmark, so every feature is evaluated apart, only when it is read, and the condition
that failed last is read first.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from trailmark.features.incremental.evaluation import Evaluation, bind
from trailmark.features.syntax import Expression
from trailmark.landmarks.functions import Guidance, Policy, Status, lm_g
from trailmark.landmarks.graph import LandmarkGraph
from trailmark.programs.program import Program
from trailmark.task.states import GroundAction, Heuristic, State, prepare
from trailmark.task.task import Task

FARTHEST = 20
"""A state that differs by more atoms than this from its anchor is one itself when it is expanded."""
MOST_ENTRIES = 2_000_000
"""What the tables of all anchors may hold, counted as objects times evaluations."""

NOWHERE: frozenset[int] = frozenset()


class Anchor:
    """A state with evaluations of its own; the features of states near it follow from them."""

    __slots__ = ("atoms", "changes", "evaluations", "numbers")

    def __init__(self, atoms: frozenset[int], numbers: Mapping[str, float] | None) -> None:
        self.atoms = atoms
        self.numbers = numbers
        self.evaluations: dict[int, Evaluation] = {}
        """By the place of a feature, where it was needed."""
        self.changes: dict[int, tuple[frozenset[int], frozenset[int]]] = {}
        """By the number of an action, the atoms that differ from here after it, and those that do not."""


class Mark(NamedTuple):
    """What LM-G remembers of a state."""

    value: int
    """LM-G: landmarks still to be achieved."""
    status: Status
    anchor: Anchor
    away: frozenset[int]
    """The atoms that hold either here or in the anchor."""
    looped: bool
    """Whether a loop was traversed in this very state."""


class LandmarkGuide:
    """Follows a guidance through the states of a search; the policy concerns landmark graphs alone."""

    def __init__(self, task: Task, guidance: Guidance, policy: Policy = Policy.LEAVE) -> None:
        self.task = task
        # A guard is learned and may be wrong, and LM-G prunes nothing: the search stays complete.
        self.guidance = guidance.without_guards
        self._stepper = self.guidance.following(policy)
        self.maximum = 0
        features = self.guidance.features
        self._evaluators = [bind((feature,), task.structure) for feature in features]
        self._reads_numbers = _read_numbers(features)
        self._tests = _plain_tests(self.guidance)
        self._most = MOST_ENTRIES // max(1, len(task.structure.objects))
        self._plain = task.has_plain_effects
        self._first: Anchor | None = None
        self._anchors: list[Anchor] = []
        self._stored = 0

    def start(self, state: State) -> Mark:
        """The mark of the initial state, which accepts nothing."""
        self._first = Anchor(state.atoms, self._numbers(state))
        self._forget()
        values = _Values(self, self._first, NOWHERE, self._first.numbers)
        read = [values[place] for place in range(len(self._evaluators))]
        self.maximum = self.guidance.h_max(read)
        return Mark(self.maximum, self._stepper.start(read), self._first, NOWHERE, False)

    def expand(self, mark: Mark, state: State) -> Mark:
        """The mark of a state from which those of its successors follow."""
        if len(mark.away) <= FARTHEST:
            return mark
        return mark._replace(anchor=Anchor(state.atoms, self._numbers(state)), away=NOWHERE)

    def step(self, parent: Mark, action: GroundAction, state: State) -> Mark:
        """The mark of the successor by this action of a parent that is being expanded."""
        value, before, anchor, away, _ = parent
        if self._plain:
            change = anchor.changes.get(action.native.get_index()) or self._change(anchor, action)
            away = (away - change[1]) | change[0]
        else:
            away = state.atoms ^ anchor.atoms
        tests = self._tests[before[0]]
        if tests:
            numbers = self._numbers(state) if self._reads_numbers else None
            gained, lost = away - anchor.atoms, away & anchor.atoms
            for test in tests:
                place, positive = test
                evaluation = anchor.evaluations.get(place) or self.evaluation(anchor, place)
                if (evaluation.values_after(gained, lost, numbers)[0] > 0) is not positive:
                    if test is not tests[0]:
                        tests.remove(test)
                        tests.insert(0, test)
                    return Mark(value, before, anchor, away, False)
        after = self._stepper.step(before, _Values(self, anchor, away, self._numbers(state)))
        if after is before:
            return Mark(value, before, anchor, away, False)
        looped = after.traversals != before.traversals
        return Mark(lm_g(self.maximum, after), after, anchor, away, looped)

    def _change(self, anchor: Anchor, action: GroundAction) -> tuple[frozenset[int], frozenset[int]]:
        adds, deletes = map(frozenset, self.task.engine.effects(action.native))
        deletes -= adds
        there = anchor.atoms
        change = (adds - there) | (deletes & there), (adds & there) | (deletes - there)
        anchor.changes[action.native.get_index()] = change
        return change

    def evaluation(self, anchor: Anchor, place: int) -> Evaluation:
        """A feature in an anchor: in the first one from scratch, in others from there."""
        first = self._first
        assert first is not None  # set by `start`
        if anchor is first:
            made = self._evaluators[place].start(self.task.interpretation(self.task.initial_state))
        else:
            if self._stored >= self._most:
                self._forget()
            near = first.evaluations.get(place) or self.evaluation(first, place)
            made = near.after(anchor.atoms - first.atoms, first.atoms - anchor.atoms, anchor.numbers)
        if not anchor.evaluations:
            self._anchors.append(anchor)
        self._stored += 1
        anchor.evaluations[place] = made
        return made

    def _forget(self) -> None:
        """Drops all tables; those that are needed again are made again."""
        for anchor in self._anchors:
            anchor.evaluations.clear()
            anchor.changes.clear()
        self._anchors.clear()
        self._stored = 0

    def _numbers(self, state: State) -> Mapping[str, float] | None:
        """The numeric functions of a state, where a feature reads one."""
        return self.task.interpretation(state).values if self._reads_numbers else None


class _Values(Sequence[float]):
    """The values of the features in a state near an anchor, each computed when it is read."""

    __slots__ = ("_anchor", "_gained", "_guide", "_lost", "_numbers")

    def __init__(
        self,
        guide: LandmarkGuide,
        anchor: Anchor,
        away: frozenset[int],
        numbers: Mapping[str, float] | None,
    ) -> None:
        self._guide = guide
        self._anchor = anchor
        self._gained = away - anchor.atoms
        self._lost = away & anchor.atoms
        self._numbers = numbers

    def __getitem__(self, place: int) -> float:  # type: ignore[override]
        anchor = self._anchor
        known = anchor.evaluations.get(place) or self._guide.evaluation(anchor, place)
        return known.values_after(self._gained, self._lost, self._numbers)[0]

    def __len__(self) -> int:
        return len(self._guide.guidance.features)


def _plain_tests(guidance: Guidance) -> list[list[tuple[int, bool]]]:
    """For each position, and the one past the end, conditions that a state must meet to be accepted, as
    places of features that are above 0 or not.

    A counter has none: it asks for less than before.
    """
    if not isinstance(guidance, LandmarkGraph):
        return [[] for _ in range(len(guidance) + 1)]
    return [
        [(guidance.feature_index[plain.feature], plain.positive) for plain in descriptors if plain.is_plain]
        for descriptors in (*(landmark.descriptors for landmark in guidance.landmarks), ())
    ]


def goals_and_passes(task: Task, program: Program) -> Heuristic:
    """How many goals are open, and how many passes the counters say are left, whatever led to a state. Goals
    alone say nothing where few of them stand for many passes."""
    goals = prepare(task, "goalcount")
    counts = [counter.value for counter in program.counters]
    features = [count.feature for count in counts]
    initial = bind(features, task.structure).start(task.interpretation(task.initial_state))
    root, reads_numbers = task.initial_state.atoms, _read_numbers(features)

    def left(state: State) -> float:
        atoms = state.atoms
        numbers = task.interpretation(state).values if reads_numbers else None
        values = initial.values_after(atoms - root, root - atoms, numbers)
        passes = sum(count.of(value) or 0 for count, value in zip(counts, values, strict=True))
        return goals(state) + passes

    return left


def _read_numbers(features: Sequence[Expression]) -> bool:
    return any(feature.constructor.name == "n_function" for feature in features)
