"""A cheap post-pass over a plan: cut loops in its states, then drop actions nobody needs."""

from __future__ import annotations

from bisect import bisect_right
from heapq import heappop, heappush

from trailmark.limits import UNLIMITED, Budget
from trailmark.task.lifted.schema import StripsStep, strips_steps
from trailmark.task.plans import Step
from trailmark.task.task import Task

MOST_DROPPED = 300
"""An action is dropped together with at most so many that only it made possible; then the plan keeps it.
This makes elimination near-linear in the plan's length."""

_MASK = (1 << 64) - 1


def shorten(task: Task, steps: tuple[Step, ...], budget: Budget = UNLIMITED) -> tuple[Step, ...]:
    """The plan without detours, as far as is found cheaply. Tasks beyond STRIPS keep their plan.

    The steps that remain are in their old order; the caller validates the plan.
    """
    actions = strips_steps(task, steps)
    if actions is None:
        return steps
    actions = without_cycles(task, actions)
    needed = without_redundant(task, actions, budget)
    if len(needed) < len(actions):
        needed = without_cycles(task, needed)
    return tuple(action.step for action in needed)


def without_cycles(task: Task, actions: list[StripsStep]) -> list[StripsStep]:
    """Cuts what lies between two visits of the same state."""
    atoms = set(task.initial_atoms)
    fingerprint = 0
    for atom in atoms:
        fingerprint ^= _scrambled(atom)
    kept: list[StripsStep] = []
    path = [fingerprint]
    seen = {fingerprint: 0}
    for action in actions:
        for atom in action.deletes & atoms:
            fingerprint ^= _scrambled(atom)
        atoms -= action.deletes
        for atom in action.adds - atoms:
            fingerprint ^= _scrambled(atom)
        atoms |= action.adds
        earlier = seen.get(fingerprint)
        if earlier is None:
            kept.append(action)
            path.append(fingerprint)
            seen[fingerprint] = len(kept)
        else:
            for forgotten in path[earlier + 1 :]:
                del seen[forgotten]
            del path[earlier + 1 :]
            del kept[earlier:]
    return kept


def without_redundant(task: Task, actions: list[StripsStep], budget: Budget = UNLIMITED) -> list[StripsStep]:
    """Drops an action together with those that only it made possible, where the goal still holds."""
    links = _Links(task, actions)
    for place in range(len(actions)):
        if budget.expired():
            break
        links.drop(place)
    return [action for place, action in enumerate(actions) if not links.dropped[place]]


class _Links:
    """Which action sets each atom when, and which one needs it: what dropping an action undoes."""

    def __init__(self, task: Task, actions: list[StripsStep]) -> None:
        self._initial = task.initial_atoms
        self._wanted = task.goal.positive - task.structure.static_atoms
        self._unwanted = task.goal.negative
        self.dropped = bytearray(len(actions))
        setters: dict[int, list[tuple[int, bool]]] = {}
        """By atom: the actions that add or delete it, in order, and whether they add it."""
        self._needing: dict[int, list[int]] = {}
        """By atom: the actions that need it to hold."""
        self._forbidding: dict[int, list[int]] = {}
        self._effects: list[list[tuple[int, list[tuple[int, bool]], int]]] = []
        """By action: the atoms it sets, the setters of each, and its own place among them."""
        for place, action in enumerate(actions):
            own = []
            for atoms, adds in ((action.adds, True), (action.deletes, False)):
                for atom in atoms:
                    known = setters.setdefault(atom, [])
                    own.append((atom, known, len(known)))
                    known.append((place, adds))
            self._effects.append(own)
            for atom in action.needs:
                self._needing.setdefault(atom, []).append(place)
            for atom in action.forbids:
                self._forbidding.setdefault(atom, []).append(place)

    def drop(self, place: int) -> None:
        """Drop the action with all that become inapplicable, unless the goal would not hold."""
        waiting, found, dropped = [place], list[int](), self.dropped
        while waiting:
            place = heappop(waiting)
            if dropped[place]:
                continue
            dropped[place] = True
            found.append(place)
            if len(found) > MOST_DROPPED or not self._undo(place, waiting):
                for restored in found:
                    dropped[restored] = False
                return

    def _undo(self, place: int, waiting: list[int]) -> bool:
        """Add the actions that are not applicable where this one does nothing; whether the goal may hold
        then."""
        dropped = self.dropped
        for atom, setters, number in self._effects[place]:
            held = self._before(atom, setters, number)
            if held == setters[number][1]:
                continue
            end = None
            for index in range(number + 1, len(setters)):
                if not dropped[setters[index][0]]:
                    end = setters[index][0]
                    break
            if end is None and atom in (self._unwanted if held else self._wanted):
                return False
            readers = (self._forbidding if held else self._needing).get(atom, ())
            last = len(readers) if end is None else bisect_right(readers, end)
            for reader in readers[bisect_right(readers, place) : last]:
                if not dropped[reader]:
                    heappush(waiting, reader)
        return True

    def _before(self, atom: int, setters: list[tuple[int, bool]], number: int) -> bool:
        """Whether the atom holds before one of its setters."""
        for index in range(number - 1, -1, -1):
            setter, adds = setters[index]
            if not self.dropped[setter]:
                return adds
        return atom in self._initial


def _scrambled(atom: int) -> int:
    """A well-mixed 64-bit number for an atom; the XOR over a state is its fingerprint."""
    mixed = (atom + 0x9E3779B97F4A7C15) & _MASK
    mixed = ((mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & _MASK
    return mixed ^ (mixed >> 31)
