"""Progression: which landmark is awaited next, state after state (Algorithm 1).

A `Progression` is a graph compiled to places in a valuation; a `Status` is all it remembers on one
path. Statuses are immutable and hashable, so that a search keeps one for each state.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, NamedTuple

from trailmark.errors import InputError
from trailmark.landmarks.functions import OPERATORS, StateDescriptor, StateProgressor
from trailmark.landmarks.graph import Landmark, LandmarkGraph, Loop


class Policy(Enum):
    """What a loop landmark does where neither its exit nor its progression condition holds."""

    LEAVE = "leave"
    """Count the landmark and move on, as Algorithm 1 is printed."""
    STAY = "stay"
    """Refuse the acceptance: the landmark stays awaited."""


class Status(NamedTuple):
    """How far a path has come."""

    next: int
    """The position of the awaited landmark; past the last one nothing more is accepted."""
    accepted: int
    """Acceptances so far, repeated ones included, and possible landmarks that were skipped. Where an
    alternative is shorter than the longest one of its branch, the difference counts as skipped."""
    counts: tuple[int, ...]
    """Acceptances of each landmark."""
    traversals: tuple[int, ...]
    """How often each loop of the graph was traversed."""
    memory: tuple[tuple[float, ...], ...]
    """For each landmark that compares states, what progressors need of its previous acceptance."""


_Comparison = tuple[int, Callable[[Any, Any], bool], int, bool]
_Link = tuple[int, int, bool]
_Chain = tuple[_Link, ...]


class _Condition(NamedTuple):
    """Descriptors by the place of their feature; plain ones, the common case, apart from others."""

    positive: tuple[int, ...]
    negative: tuple[int, ...]
    compared: tuple[_Comparison, ...]


class _Node(NamedTuple):
    """One landmark with its loop, ready to be tested."""

    positive: tuple[int, ...]
    negative: tuple[int, ...]
    compared: tuple[_Comparison, ...]
    progress: tuple[_Chain, ...]
    remembered: tuple[int, ...]
    slot: int
    loop: _LoopEdge | None


class _LoopEdge(NamedTuple):
    number: int
    target: int
    exit: _Condition | None
    progress: tuple[_Chain, ...]


class Progression:
    """The status machine of Algorithm 1 for one graph and one policy."""

    __slots__ = ("_choices", "_entries", "_nodes", "_slots", "graph", "policy")

    def __init__(self, graph: LandmarkGraph, policy: Policy = Policy.LEAVE) -> None:
        self.graph = graph
        self.policy = policy
        nodes: list[_Node] = []
        slots: list[tuple[int, ...]] = []
        for position, landmark in enumerate(graph.landmarks):
            node = _compile(graph, position, landmark, len(slots))
            if node.remembered:
                slots.append(node.remembered)
            nodes.append(node)
        self._nodes: tuple[_Node | None, ...] = (*nodes, None)
        self._choices: tuple[_Node, ...] = ()
        """All landmarks of a graph of which several may be awaited at once; `_nodes` is then empty, which
        costs other graphs nothing."""
        if graph.has_choices:
            self._choices, self._nodes = tuple(nodes), (None,) * (len(nodes) + 1)
        self._slots = tuple(slots)
        self._entries: dict[int, list[_Node]] = {}
        """By the landmark at which it is entered, the loop whose landmark carries progressors. It is
        skipped where its exit holds on entering, and compares with the state in which it was entered."""
        for position, each in enumerate(nodes):
            if each.progress and each.loop is not None:
                self._entries.setdefault(min(position, each.loop.target), []).append(each)

    def with_endless_loop(self, target: int) -> Progression:
        """The same with a loop under test: every acceptance of the last landmark leads back to `target`.

        The last landmark must have no loop of its own. Discovery counts occurrences with this.
        """
        if self._choices:
            raise InputError("loops are sought before possible landmarks and branches")
        *before, last, end = self._nodes
        assert last is not None  # a graph has a landmark
        if last.loop is not None:
            raise InputError("the last landmark has a loop already")
        other = Progression.__new__(Progression)
        other.graph, other.policy = self.graph, self.policy
        other._slots, other._entries = self._slots, self._entries
        other._nodes = (*before, last._replace(loop=_LoopEdge(-1, target, None, ())), end)
        other._choices = ()
        return other

    def start(self, initial: Sequence[float]) -> Status:
        """The status in the initial state, which accepts nothing."""
        memory = tuple(tuple(initial[place] for place in places) for places in self._slots)
        position = self._past_finished(0, initial)
        return Status(position, 0, (0,) * len(self.graph.landmarks), (0,) * len(self.graph.loops), memory)

    def step(self, status: Status, values: Sequence[float]) -> Status:
        """The status after a state with these values: the very same object if nothing is accepted.

        Where a later link of a lexicographic progressor decides, the path has come further inside a
        pass: what is remembered changes, and nothing is counted.
        """
        position = status[0]
        node = self._nodes[position]
        if node is None:
            return self._choose(status, values) if self._choices else status
        # Most states accept nothing: the tests come before everything that only an acceptance needs.
        for place in node[0]:
            if values[place] <= 0:
                return status
        for place in node[1]:
            if values[place] > 0:
                return status
        _, _, compared, progress, remembered, slot, loop = node
        if compared and not _compare(compared, values):
            return status
        if progress:
            if not _progresses(progress, status.memory[slot], values):
                return status
            lexicographic = loop is not None and len(progress[0]) > 1
            if lexicographic and not _first_decides(progress[0], status.memory[slot], values):
                return status._replace(memory=_remember(status.memory, slot, remembered, values))
        return self._accept(status, position, node, values)

    def _accept(self, status: Status, position: int, node: _Node, values: Sequence[float]) -> Status:
        """The status after this landmark, which holds; the very same where its loop refuses it."""
        _, _, _, _, remembered, slot, loop = node
        following = position + 1
        traversals = status.traversals
        if loop is not None and (loop.exit is None or not _holds(loop.exit, values)):
            first = status.counts[position] == 0
            if first or not loop.progress or _progresses(loop.progress, status.memory[slot], values):
                following = loop.target
                if loop.exit is not None:
                    traversals = _increase(traversals, loop.number)
            elif self.policy is Policy.STAY:
                return status
        memory = _remember(status.memory, slot, remembered, values) if remembered else status.memory
        if following > position and self._entries:
            following = self._past_finished(following, values)
            for entered in self._entries.get(following, ()):
                memory = _remember(memory, entered.slot, entered.remembered, values)
        return Status(following, status[1] + 1, _increase(status.counts, position), traversals, memory)

    def _choose(self, status: Status, values: Sequence[float]) -> Status:
        """The status after the first of the awaited landmarks that holds; what it skips counts as passed."""
        routes = self.graph.routes
        for position in routes.awaited[status.next]:
            node = self._choices[position]
            if not _holds(node, values):
                continue
            after = self._accept(status, position, node, values)
            if after is not status:
                following = routes.following[position]
                passed = status.accepted + routes.rest[status.next] - routes.rest[following]
                return after._replace(
                    next=following if after.next > position else after.next, accepted=passed
                )
        return status

    def _past_finished(self, position: int, values: Sequence[float]) -> int:
        """The first landmark from here on that does not lie in a loop that is over already."""
        for node in self._entries.get(position, ()):
            if node.loop is not None and node.loop.exit is not None and _holds(node.loop.exit, values):
                return self._past_finished(self._nodes.index(node) + 1, values)
        return position


@dataclass(frozen=True)
class Acceptance:
    """One landmark accepted in one state of a trajectory."""

    state: int
    """The index of the state; the initial state is 0."""
    landmark: int
    """The landmark's position in the chain, counted from 0."""
    looped: bool
    """Whether a loop led back from here."""


def acceptances(
    progression: Progression, trajectory: Iterable[Sequence[float]]
) -> tuple[tuple[Acceptance, ...], Status | None]:
    """Everything accepted along a trajectory of valuations, and the last status (None without states)."""
    states = iter(trajectory)
    initial = next(states, None)
    if initial is None:
        return (), None
    found: list[Acceptance] = []
    status = progression.start(initial)
    for index, values in enumerate(states, start=1):
        after = progression.step(status, values)
        if after.accepted > status.accepted:
            landmark = accepted_landmark(status, after)
            found.append(Acceptance(index, landmark, after.next <= landmark))
        status = after
    return tuple(found), status


def accepted_landmark(before: Status, after: Status) -> int:
    """The position of the landmark that was accepted from one status to the next, and else the one
    that stays awaited. It is not the first awaited one where that was skipped."""
    pairs = zip(before.counts, after.counts, strict=True)
    return next((place for place, (old, new) in enumerate(pairs) if old != new), before.next)


def lm_g(maximum: int, status: Status) -> int:
    """The paper's heuristic LM-G: the landmarks still to be achieved, never less than 0."""
    return max(0, maximum - status.accepted)


def _compile(graph: LandmarkGraph, position: int, landmark: Landmark, slot: int) -> _Node:
    loop = graph.loop_at(position)
    compared = [*landmark.progressors, *(loop.progression if loop else ())]
    remembered = tuple(
        dict.fromkeys(graph.feature_index[link.feature] for each in compared for link in each.chain)
    )
    edge = _edge(graph, loop, remembered) if loop else None
    progress = _chains(graph, landmark.progressors, remembered)
    return _Node(*_condition(graph, landmark.descriptors), progress, remembered, slot, edge)


def _edge(graph: LandmarkGraph, loop: Loop, remembered: tuple[int, ...]) -> _LoopEdge:
    progress = _chains(graph, loop.progression, remembered)
    return _LoopEdge(graph.loops.index(loop), loop.target, _condition(graph, loop.exit), progress)


def _condition(graph: LandmarkGraph, descriptors: Iterable[StateDescriptor]) -> _Condition:
    positive: list[int] = []
    negative: list[int] = []
    compared: list[_Comparison] = []
    for each in descriptors:
        place = graph.feature_index[each.feature]
        if each.is_plain:
            (positive if each.positive else negative).append(place)
        else:
            compared.append((place, OPERATORS[each.operator], each.threshold, each.positive))
    return _Condition(tuple(positive), tuple(negative), tuple(compared))


def _chains(
    graph: LandmarkGraph, progressors: Iterable[StateProgressor], remembered: tuple[int, ...]
) -> tuple[_Chain, ...]:
    def link(each: StateProgressor) -> _Link:
        place = graph.feature_index[each.feature]
        return remembered.index(place), place, each.decreases

    return tuple(tuple(link(each) for each in progressor.chain) for progressor in progressors)


def _holds(condition: _Condition | _Node, values: Sequence[float]) -> bool:
    for place in condition.positive:
        if values[place] <= 0:
            return False
    for place in condition.negative:
        if values[place] > 0:
            return False
    return _compare(condition.compared, values)


def _compare(compared: tuple[_Comparison, ...], values: Sequence[float]) -> bool:
    return all(test(values[place], threshold) == positive for place, test, threshold, positive in compared)


def _progresses(chains: tuple[_Chain, ...], earlier: tuple[float, ...], later: Sequence[float]) -> bool:
    return all(_chain_progresses(chain, earlier, later) for chain in chains)


def _chain_progresses(chain: _Chain, earlier: tuple[float, ...], later: Sequence[float]) -> bool:
    for kept, place, decreases in chain:
        before, after = earlier[kept], later[place]
        if before != after:
            return (after < before) == decreases
    return False


def _first_decides(chain: _Chain, earlier: tuple[float, ...], later: Sequence[float]) -> bool:
    """Whether the first feature of a lexicographic progressor has changed, so that a later one, which
    counts only inside a pass, does not decide."""
    kept, place, _ = chain[0]
    return earlier[kept] != later[place]


def _remember(
    memory: tuple[tuple[float, ...], ...], slot: int, places: tuple[int, ...], values: Sequence[float]
) -> tuple[tuple[float, ...], ...]:
    return (*memory[:slot], tuple([values[place] for place in places]), *memory[slot + 1 :])


def _increase(counts: tuple[int, ...], place: int) -> tuple[int, ...]:
    return (*counts[:place], counts[place] + 1, *counts[place + 1 :])
