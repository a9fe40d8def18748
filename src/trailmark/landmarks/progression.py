"""Progression: which landmark is awaited next, state after state (Algorithm 1).

A `Progression` is a graph compiled to places in a valuation; a `Status` is all it remembers on one
path. Statuses are immutable and hashable, so that a search keeps one for each state.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from enum import Enum
from typing import TYPE_CHECKING, Any, NamedTuple

from trailmark.errors import InputError
from trailmark.landmarks.functions import OPERATORS, StateDescriptor, StateProgressor
from trailmark.landmarks.guidance import Status, Valuation

if TYPE_CHECKING:
    from trailmark.landmarks.graph import Landmark, LandmarkGraph, Loop


class Policy(Enum):
    """What a loop landmark does where neither its exit nor its progression condition holds."""

    LEAVE = "leave"
    """Count the landmark and move on, as Algorithm 1 is printed."""
    STAY = "stay"
    """Refuse the acceptance: the landmark stays awaited."""


_Comparison = tuple[int, Callable[[Any, Any], bool], int, bool]
_Compared = tuple[tuple[int, int, bool], ...]
"""Progressors: where the earlier value is remembered, the place of the later one, whether it decreases."""


class _Condition(NamedTuple):
    """Descriptors by the place of their feature; plain ones, the common case, apart from others."""

    positive: tuple[int, ...]
    negative: tuple[int, ...]
    compared: tuple[_Comparison, ...]


class _LoopEdge(NamedTuple):
    number: int
    target: int
    exit: _Condition | None
    progress: _Compared
    remembered: tuple[int, ...]
    """The places of what is remembered of an acceptance, and where in the memory that is."""
    slot: int


class _Node(NamedTuple):
    """One landmark with its loop, ready to be tested."""

    positive: tuple[int, ...]
    negative: tuple[int, ...]
    compared: tuple[_Comparison, ...]
    loop: _LoopEdge | None


class Progression:
    """The status machine of Algorithm 1 for one graph and one policy."""

    __slots__ = ("_nodes", "_slots", "graph", "policy")

    def __init__(self, graph: LandmarkGraph, policy: Policy = Policy.LEAVE) -> None:
        self.graph = graph
        self.policy = policy
        self._slots = tuple(_remembered(graph, loop) for loop in graph.loops)
        nodes = [_compile(graph, position, landmark) for position, landmark in enumerate(graph.landmarks)]
        self._nodes: tuple[_Node | None, ...] = (*nodes, None)

    def with_endless_loop(self, target: int) -> Progression:
        """The same with a loop under test: every acceptance of the last landmark leads back to `target`.

        The last landmark must have no loop of its own. Discovery counts occurrences with this.
        """
        *before, last, end = self._nodes
        assert last is not None  # a graph has a landmark
        if last.loop is not None:
            raise InputError("the last landmark has a loop already")
        other = Progression.__new__(Progression)
        other.graph, other.policy, other._slots = self.graph, self.policy, self._slots
        other._nodes = (*before, last._replace(loop=_LoopEdge(-1, target, None, (), (), 0)), end)
        return other

    def start(self, initial: Valuation) -> Status:
        """The status in the initial state, which accepts nothing."""
        memory = tuple(tuple(initial[place] for place in places) for places in self._slots)
        return Status(0, 0, (0,) * len(self.graph.landmarks), (0,) * len(self.graph.loops), memory)

    def step(self, status: Status, values: Valuation) -> Status:
        """The status after a state with these values: the very same object if nothing is accepted."""
        position = status[0]
        node = self._nodes[position]
        if node is None:
            return status
        # Most states accept nothing: the tests come before everything that only an acceptance needs.
        for place in node[0]:
            if values[place] <= 0:
                return status
        for place in node[1]:
            if values[place] > 0:
                return status
        _, _, compared, loop = node
        if compared and not _compare(compared, values):
            return status
        return self._accept(status, position, loop, values)

    def _accept(self, status: Status, position: int, loop: _LoopEdge | None, values: Valuation) -> Status:
        """The status after this landmark, which holds; the very same where its loop refuses it."""
        following, traversals, memory = position + 1, status.traversals, status.memory
        if loop is not None:
            if loop.exit is None or not _holds(loop.exit, values):
                first = status.counts[position] == 0
                if first or _progresses(loop, memory, values):
                    following = loop.target
                    if loop.exit is not None:
                        traversals = _increase(traversals, loop.number)
                elif self.policy is Policy.STAY:
                    return status
            if loop.remembered:
                remembered = tuple([values[place] for place in loop.remembered])
                memory = (*memory[: loop.slot], remembered, *memory[loop.slot + 1 :])
        return Status(following, status[1] + 1, _increase(status.counts, position), traversals, memory)


def _compile(graph: LandmarkGraph, position: int, landmark: Landmark) -> _Node:
    loop = graph.loop_at(position)
    return _Node(*_condition(graph, landmark.descriptors), _edge(graph, loop) if loop else None)


def _edge(graph: LandmarkGraph, loop: Loop) -> _LoopEdge:
    number, remembered = graph.loops.index(loop), _remembered(graph, loop)

    def compared(progressor: StateProgressor) -> tuple[int, int, bool]:
        place = graph.feature_index[progressor.feature]
        return remembered.index(place), place, progressor.decreases

    progress = tuple(compared(progressor) for progressor in loop.progression)
    return _LoopEdge(number, loop.target, _condition(graph, loop.exit), progress, remembered, number)


def _remembered(graph: LandmarkGraph, loop: Loop) -> tuple[int, ...]:
    """The places of the features that the loop compares."""
    return tuple(dict.fromkeys(graph.feature_index[progressor.feature] for progressor in loop.progression))


def _condition(graph: LandmarkGraph, descriptors: Iterable[StateDescriptor]) -> _Condition:
    positive: list[int] = []
    negative: list[int] = []
    compared: list[_Comparison] = []
    for descriptor in descriptors:
        place = graph.feature_index[descriptor.feature]
        if descriptor.is_plain:
            (positive if descriptor.positive else negative).append(place)
        else:
            test = OPERATORS[descriptor.operator]
            compared.append((place, test, descriptor.threshold, descriptor.positive))
    return _Condition(tuple(positive), tuple(negative), tuple(compared))


def _holds(condition: _Condition | _Node, values: Valuation) -> bool:
    for place in condition.positive:
        if values[place] <= 0:
            return False
    for place in condition.negative:
        if values[place] > 0:
            return False
    return _compare(condition.compared, values)


def _compare(compared: tuple[_Comparison, ...], values: Valuation) -> bool:
    return all(test(values[place], threshold) == positive for place, test, threshold, positive in compared)


def _progresses(loop: _LoopEdge, memory: tuple[tuple[float, ...], ...], values: Valuation) -> bool:
    for kept, place, decreases in loop.progress:
        before, after = memory[loop.slot][kept], values[place]
        if before == after or (after < before) != decreases:
            return False
    return True


def _increase(counts: tuple[int, ...], place: int) -> tuple[int, ...]:
    return (*counts[:place], counts[place] + 1, *counts[place + 1 :])
