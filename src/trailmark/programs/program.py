"""Programs of counters: what counter-first learning finds (beyond the paper).

A counter is a chain of numerical features, compared in lexicographic order. A pass ends where its
first feature falls: one package more is at its goal. Inside a pass a later feature may fall: one
package more is picked up. A program runs its counters down, one after the other.

As text, which people write and read, with indentation as they like:

    # comments start with a hash
    counter n_count(c_primitive(waiting,0)) - 1
        then n_count(c_primitive(unpacked,0))
    counter n_count(c_primitive(dirty,0))
    guard n_count(c_primitive(broken,0))

Each counter is run down until its first feature is at 0, or at the number after the minus. Lines with
`then` are its further features. A guard is a state descriptor that must never hold.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from trailmark.errors import InputError
from trailmark.features.syntax import Expression
from trailmark.landmarks.functions import (
    Policy,
    StateDescriptor,
    StateProgressor,
    StateValue,
    Status,
    Valuation,
    increased,
    require_consistent,
)
from trailmark.landmarks.graph import LandmarkGraph
from trailmark.landmarks.text import (
    Line,
    located,
    parse_graph,
    read_descriptor,
    read_feature,
    read_lines,
    read_value,
)
from trailmark.programs.recipe import Recipe


@dataclass(frozen=True)
class Counter:
    """A chain of numerical features in lexicographic order; the first one counts the passes."""

    features: tuple[Expression, ...]
    least: int = 0
    """The value of the first feature at which the counter is run down."""

    def __post_init__(self) -> None:
        if not self.features:
            raise InputError("a counter needs at least one feature")
        for feature in self.features:
            StateValue(feature, self.least)  # refuses what does not count
        if len(set(self.features)) < len(self.features):
            raise InputError(f"a counter contains {_repeated(self.features)} twice")

    @property
    def value(self) -> StateValue:
        """How many passes are left in a state, where each one lowers the first feature by 1."""
        return StateValue(self.features[0], self.least)

    def fallen(self, before: float, after: float) -> int:
        """How many passes end where its first feature falls from one value to another: one for each unit.
        Where it was infinite nobody knows how many, and it is one."""
        first, last = self.value.of(before), self.value.of(after)
        return 1 if first is None or last is None else max(1, first - last)

    @property
    def finished(self) -> StateDescriptor:
        """Holds in states where the counter is run down."""
        return StateDescriptor(self.features[0], True, "<=", self.least)

    @property
    def progressors(self) -> tuple[StateProgressor, ...]:
        """What each of its features does from one state to a later one that is less."""
        return tuple(StateProgressor(feature) for feature in self.features)

    def __str__(self) -> str:
        return " then ".join(map(str, self.progressors))


@dataclass(frozen=True)
class Program:
    """Counters that are run down one after the other, as a `Guidance`.

    One that is run down already when it is entered is skipped. The status remembers the values of the
    awaited counter: those of the state in which it was entered, or of the last state that was less.
    """

    counters: tuple[Counter, ...]
    guards: tuple[StateDescriptor, ...] = ()
    """Conditions that never hold on the way to a goal: where one holds, the goal is out of reach."""
    recipes: tuple[Recipe, ...] = ()
    """How passes are made, as far as is known."""
    goal_by_goal: bool = False
    """Whether every training task was solved by achieving its goals one after the other, where what changes
    decides which ways are open."""

    def __post_init__(self) -> None:
        if not self.counters:
            raise InputError("a program needs at least one counter")
        require_consistent(self.guards, "the list of guards")

    def __len__(self) -> int:
        return len(self.counters)

    @cached_property
    def features(self) -> tuple[Expression, ...]:
        """The distinct features in the order they first appear, those of the guards last."""
        counted = [feature for counter in self.counters for feature in counter.features]
        return tuple(dict.fromkeys([*counted, *(guard.feature for guard in self.guards)]))

    @cached_property
    def feature_index(self) -> Mapping[Expression, int]:
        return {feature: place for place, feature in enumerate(self.features)}

    @property
    def without_guards(self) -> Program:
        return replace(self, guards=()) if self.guards else self

    def following(self, policy: Policy) -> Program:
        """The policy concerns landmark graphs alone."""
        return self

    @cached_property
    def deciding(self) -> tuple[tuple[int, ...], ...]:
        """For each counter the places of its features, the first one first."""
        index = self.feature_index
        return tuple(tuple(index[feature] for feature in counter.features) for counter in self.counters)

    @cached_property
    def repeated(self) -> tuple[int, ...]:
        """Every counter is a loop of its own."""
        return tuple(range(len(self.counters)))

    @property
    def accepts_changes_alone(self) -> bool:
        """Yes: a count falls by one change or the other, not only by both."""
        return True

    def has_inner_progress(self, position: int) -> bool:
        return position < len(self.counters) and len(self.counters[position].features) > 1

    def start(self, initial: Valuation) -> Status:
        first = self._unfinished(0, initial)
        nothing = (0,) * len(self.counters)
        return Status(first, 0, nothing, nothing, self._read(first, initial))

    def step(self, status: Status, values: Valuation) -> Status:
        """The status after a state with these values: the very same object if it is not less.

        A first feature that falls by 2 ends two passes at once. Where a later feature of the chain decides,
        the path has come further inside a pass: what is remembered changes, and nothing is counted.
        """
        memory = status[4]
        if not memory:
            return status
        position = status[0]
        reached = self._read(position, values)
        if reached >= memory:
            return status
        before, after = memory[0][0], reached[0][0]
        if before == after:
            return status._replace(memory=reached)
        following, traversals = position, status.traversals
        if after <= self.counters[position].least:
            following = self._unfinished(position + 1, values)
            reached = self._read(following, values)
        else:
            traversals = increased(traversals, position)
        passes = self.counters[position].fallen(before, after)
        counts = increased(status.counts, position, passes)
        return Status(following, status.accepted + passes, counts, traversals, reached)

    def _unfinished(self, position: int, values: Valuation) -> int:
        """The first counter from here on that is not run down."""
        while position < len(self.counters) and (
            values[self.deciding[position][0]] <= self.counters[position].least
        ):
            position += 1
        return position

    def _read(self, position: int, values: Valuation) -> tuple[tuple[float, ...], ...]:
        """What is remembered at this counter of a state with these values."""
        if position == len(self.counters):
            return ()
        return (tuple([values[place] for place in self.deciding[position]]),)

    def awaited(self, status: Status) -> int | None:
        return status.next if status.next < len(self.counters) else None

    def missing(self, status: Status) -> int | None:
        """A counter in the middle of its passes is not missing: their number tells."""
        begun = [place + 1 for place, count in enumerate(status.counts) if count]
        first = max([status.next, *begun])
        return first if first < len(self.counters) else None

    def fits(self, status: Status, position: int, passes: int) -> bool:
        """A counter that fell before its turn has so much less to do in it, down to nothing. One that rose
        has more to do than it said."""
        count = status.counts[position]
        return count == 0 or (count <= passes and position < status.next)

    def passes(self, initial: Valuation) -> tuple[int, ...]:
        """The counters' values in the initial state, at least 1 each; 1 where the value is infinite."""
        index = self.feature_index
        values = [counter.value for counter in self.counters]
        return tuple(value.of(initial[index[value.feature]]) or 1 for value in values)

    def h_max(self, initial: Valuation) -> int:
        return sum(self.passes(initial))

    def __str__(self) -> str:
        return "; then ".join(map(str, self.counters))


def _repeated(features: tuple[Expression, ...]) -> Expression:
    return next(feature for place, feature in enumerate(features) if feature in features[:place])


def parse_guidance(text: str, source: str = "<text>") -> LandmarkGraph | Program:
    """The program or the landmark graph this text describes: the first word tells which."""
    words = [line.text.split(maxsplit=1)[0] for line in read_lines(text, source)]
    is_program = next((word for word in words if word != "guard"), "") == "counter"
    return parse_program(text, source) if is_program else parse_graph(text, source)


_PARTS_HINT = "as in 'counter n_count(…)', 'then n_count(…)', 'guard n_count(…) > 3'"


def parse_program(text: str, source: str = "<text>") -> Program:
    """The program this text describes; an error names the line and what was expected there."""
    counters: list[tuple[Line, StateValue, list[Expression]]] = []
    guards: list[StateDescriptor] = []
    for line in read_lines(text, source):
        part, rest = line.part(("counter", "then", "guard"), _PARTS_HINT)
        if part == "counter":
            counters.append((line, read_value(rest), []))
        elif part == "guard":
            guards.append(read_descriptor(rest))
        elif counters:
            counters[-1][2].append(read_feature(rest))
        else:
            raise line.error("expected 'counter' before 'then'")
    if not counters:
        raise InputError(f"{source} describes no counter", hint="start with a line 'counter n_count(…)'")
    made: list[Counter] = []
    for line, value, further in counters:
        with located(line.error):
            made.append(Counter((value.feature, *further), value.minus))
    with located(counters[0][0].error):
        return Program(tuple(made), tuple(guards))
