"""A cheap post-pass over a plan: cut loops in its states, then drop actions nobody needs."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
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
    actions = without_redundant(task, actions, budget)
    return tuple(action.step for action in without_cycles(task, actions))


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
        if place not in links.dropped:
            links.drop(place)
    return [action for place, action in enumerate(actions) if place not in links.dropped]


class _Links:
    """Which action sets each atom when, and which one needs it: what dropping an action undoes."""

    def __init__(self, task: Task, actions: list[StripsStep]) -> None:
        self._actions = actions
        self._initial = task.initial_atoms
        self._goal = task.goal.positive - task.structure.static_atoms, task.goal.negative
        self.dropped: set[int] = set()
        self._setters: dict[int, list[int]] = {}
        """By atom: the actions that add or delete it, in order."""
        self._readers: dict[int, list[int]] = {}
        """By atom: the actions that need it to hold, or not to."""
        for place, action in enumerate(actions):
            for atom in (*action.adds, *action.deletes):
                self._setters.setdefault(atom, []).append(place)
            for atom in (*action.needs, *action.forbids):
                self._readers.setdefault(atom, []).append(place)

    def drop(self, place: int) -> None:
        """Drop the action with all that become inapplicable, unless the goal would not hold."""
        waiting, found = [place], set[int]()
        while waiting:
            place = heappop(waiting)
            if place in found:
                continue
            found.add(place)
            if len(found) > MOST_DROPPED:
                return
            action = self._actions[place]
            for atom in (*action.adds, *action.deletes):
                affected = self._affected(atom, place, found)
                if affected is None:
                    return
                for reader in affected:
                    heappush(waiting, reader)
        self.dropped |= found

    def _affected(self, atom: int, place: int, found: set[int]) -> list[int] | None:
        """The actions that are not applicable where this one does not set the atom; None where the goal
        would not hold."""
        setters = self._setters[atom]
        number = bisect_left(setters, place)
        held = self._before(atom, setters, number, found)
        if held == (atom in self._actions[place].adds):
            return []
        later = (setters[each] for each in range(number + 1, len(setters)))
        end = next((setter for setter in later if self._is_kept(setter, found)), None)
        wanted, unwanted = self._goal
        if end is None and atom in (unwanted if held else wanted):
            return None
        readers = self._readers.get(atom, [])
        first = bisect_right(readers, place)
        last = len(readers) if end is None else bisect_right(readers, end)
        return [
            reader
            for reader in readers[first:last]
            if self._is_kept(reader, found)
            and atom in (self._actions[reader].forbids if held else self._actions[reader].needs)
        ]

    def _before(self, atom: int, setters: list[int], number: int, found: set[int]) -> bool:
        """Whether the atom holds before one of its setters."""
        for each in range(number - 1, -1, -1):
            if self._is_kept(setters[each], found):
                return atom in self._actions[setters[each]].adds
        return atom in self._initial

    def _is_kept(self, place: int, found: set[int]) -> bool:
        return place not in self.dropped and place not in found


def _scrambled(atom: int) -> int:
    """A well-mixed 64-bit number for an atom; the XOR over a state is its fingerprint."""
    mixed = (atom + 0x9E3779B97F4A7C15) & _MASK
    mixed = ((mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & _MASK
    return mixed ^ (mixed >> 31)
