"""The level between novelty 1 and 2: novelty 1 while one object of an open goal is moved.

A state's context is what changed of the one target object that was touched since the base; states
that touched two of them are left out. In each context an atom is new once: to carry a ball makes
the other room new again. This finds what needs pairs only because of the object that is to be moved.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Sequence

from trailmark.search.leap.base import CHUNK, Base, Node
from trailmark.search.leap.views import Goals, Job
from trailmark.task.lifted import Action, LiftedGenerator

Context = frozenset[int]

LIMIT = 20_000
"""States generated in one leap."""
SIDE_BY_SIDE = 0.25
"""Of which so large a share goes to moving all targets side by side, the rest to one by one."""


class Targets:
    """The objects that open goals are about: one place of each goal predicate.

    It is the place whose objects are in the fewest atoms each: a thing is at one place, a place has
    many things.
    """

    def __init__(self, generator: LiftedGenerator, goals: Goals) -> None:
        task = generator.task
        self._goals = goals
        self._decode = decode = task.structure.decode
        self._places: dict[int, int] = {}
        structure = task.structure
        for symbol in sorted({decode(atom)[0] for atom in goals.atoms}):
            low, high = structure.bases[symbol], structure.bases[symbol + 1]
            distinct = [0] * structure.vocabulary.symbols[symbol].arity
            for atoms in (task.initial_atoms, goals.atoms):
                tuples = [decode(atom)[1] for atom in atoms if low <= atom < high]
                for place in range(len(distinct)):
                    distinct[place] += len({each[place] for each in tuples})
            if distinct:
                self._places[symbol] = distinct.index(max(distinct))

        self._goals_of: dict[int, list[int]] = {}
        for atom in sorted(goals.atoms):
            symbol, arguments = decode(atom)
            if arguments:
                self._goals_of.setdefault(arguments[self._places[symbol]], []).append(atom)

    def touched(self, atom: int, state: Collection[int]) -> list[int]:
        """The objects of the atom that a goal open in the state is about."""
        return [each for each in self._decode(atom)[1] if self._is_target(each, state)]

    def _is_target(self, each: int, state: Collection[int]) -> bool:
        positive = self._goals.positive
        return any((atom in positive) != (atom in state) for atom in self._goals_of.get(each, ()))

    def open_in(self, state: Collection[int]) -> list[int]:
        """All objects that a goal open in the state is about."""
        return [each for each in self._goals_of if self._is_target(each, state)]


def focus(base: Base, targets: Targets) -> Node | None:
    """The first node found that ends the leap; None where no novel state is left or at the limit.

    At first all targets are moved side by side, for the shortest way to any; where that is too wide,
    one after the other.
    """
    statistics = base.statistics
    end = statistics.generated + LIMIT
    search = _Focus(base, targets, frozenset())
    reached = search.search(statistics.generated + int(LIMIT * SIDE_BY_SIDE))
    if reached is not None or not search.queue:
        return reached
    waiting = targets.open_in(base.state.root)
    for target in waiting:
        if reached is not None or statistics.generated >= end:
            break
        others = frozenset(each for each in waiting if each != target)
        reached = _Focus(base, targets, others).search(end)
    return reached


class _Focus:
    def __init__(self, base: Base, targets: Targets, untouched: frozenset[int]) -> None:
        self.base = base
        self.targets = targets
        self.untouched = untouched
        """Objects that no action may use."""
        self.seen: dict[Context, set[int]] = {}
        self.queue: deque[tuple[Node, Context, Sequence[Job] | None, int]] = deque()
        """Nodes with the joins left to do in them, None for those that the node's own action started."""
        self._whole = [(base.generator.joins.whole[schema].every, ()) for schema in base.view.order]
        self._mentions: dict[int, list[int]] = {}

    def search(self, end: int) -> Node | None:
        base, chunk = self.base, CHUNK
        self.queue.append((base.root(), frozenset(), self._whole, chunk))
        while self.queue and base.statistics.generated < end:
            node, context, jobs, limit = self.queue.popleft()
            base.statistics.expanded += limit == chunk
            found: list[tuple[Job, list[Action]]] = []
            base.enter(node)
            together: set[int] | None = None
            if jobs is None:
                jobs = self._started(node)
                together = base.interplay(node) if node.touched else None
            for job in jobs:
                actions: list[Action] = []
                job[0](actions, limit, None, *job[1])
                if actions:
                    found.append((job, actions))
            for job, actions in found:
                reached = self._evaluate(node, context, self._allowed(actions, together))
                if reached is not None:
                    return reached
                if len(actions) >= limit:
                    self.queue.append((node, context, (job,), 2 * limit))
        return None

    def _started(self, node: Node) -> list[Job]:
        """The joins that the node's action may have given new results, and those of actions that may be
        accepted together with it. In the context of its parent, other actions bring nothing new."""
        generator, view = self.base.generator, self.base.view
        jobs: list[Job] = list(view.whole[0]) if node.touched else []
        for atoms, starts in ((node.adds, generator.joins.needed), (node.deletes, generator.joins.excluded)):
            for atom in atoms:
                for schema, every, _, objects in starts[atom]:
                    if not (node.touched and view.evaluated[schema]):
                        jobs.append((every, objects))
        return jobs

    def _allowed(self, actions: list[Action], together: set[int] | None) -> list[Action]:
        """Those that leave alone what must not be touched, and have to do with what changed."""
        untouched = self.untouched
        if untouched:
            actions = [each for each in actions if untouched.isdisjoint(each[1:])]
        if together is not None:
            actions = [each for each in actions if not together.isdisjoint(each[1:])]
        return actions

    def _evaluate(self, node: Node, context: Context, actions: list[Action]) -> Node | None:
        base, marks = self.base, self.base.view.marks
        effects_of = base.generator.effects_of
        base.statistics.generated += len(actions)
        base.course.look_at_clock()
        for action in actions:
            adds, deletes = effects_of[action[0]](action)
            mark = 0
            for atom in (*adds, *deletes):
                mark |= marks[atom]
            if mark:
                added, deleted = base.differences(node, adds, deletes)
                if base.reached(added, deleted, mark):
                    return Node(node, action, adds, deletes, added, deleted, True)
            now = self._context(node, context, adds, deletes)
            if now is None:
                continue
            seen = self.seen.setdefault(now, set())
            if not seen.issuperset(adds):
                added, deleted = base.differences(node, adds, deletes)
                child = Node(node, action, adds, deletes, added, deleted, mark != 0)
                if not base.guarded(child):
                    seen.update(adds)
                    self.queue.append((child, now, None if now == context else self._whole, CHUNK))
        return None

    def _context(
        self, node: Node, context: Context, adds: tuple[int, ...], deletes: tuple[int, ...]
    ) -> Context | None:
        """The context after the action; None where it touches a second target."""
        mentions = [(atom, self._mention(atom)) for atom in (*adds, *deletes)]
        if not any(each for _, each in mentions):
            return context
        touched = {each for _, found in mentions for each in found}
        touched.update(each for literal in context for each in self._mention(max(literal, ~literal)))
        if len(touched) > 1:
            return None
        added, deleted = self.base.differences(node, adds, deletes)
        return frozenset(
            [atom for atom in added if self._mention(atom)]
            + [~atom for atom in deleted if self._mention(atom)]
        )

    def _mention(self, atom: int) -> list[int]:
        found = self._mentions.get(atom)
        if found is None:
            found = self._mentions[atom] = self.targets.touched(atom, self.base.state.root)
        return found
