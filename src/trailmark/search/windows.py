"""Cheaper plans by windows: some steps of a plan are replaced by cheaper ones that serve the rest as well.

The steps of a window are brought together: what lies between them and is independent of them moves before or
behind them. The rest of the plan needs some atoms to hold behind the window, and others not to. A small task,
which has the objects of the window alone, starts with what holds before it and ends with what is needed
behind it. Where a search of few states finds a cheaper plan for it, that takes the window's place.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from math import ceil, inf
from random import Random
from typing import TypeVar

from trailmark.errors import SearchStatus
from trailmark.limits import UNLIMITED, Budget
from trailmark.search.best_first import BestFirstOptions, best_first, weighted_astar_key
from trailmark.search.gathering import Window, gathered
from trailmark.search.result import SearchResult
from trailmark.search.shorten import shorten
from trailmark.task import Plan, Step, Task, validate
from trailmark.task.lifted.schema import StripsStep, strips_steps
from trailmark.task.model import And, Atom, Condition, Not
from trailmark.task.states import prepare

Fact = TypeVar("Fact")


STEPS = 10
STATES = 600
"""At first a window has so many steps, and so many states are searched for cheaper ones."""
MORE_STEPS = 1.6
MORE_STATES = 2.5
"""Both grow so many times with every round that saves little, up to the whole plan."""
WINDOW_EFFORT = 180
"""What making the task of a window weighs against searching a state."""
USUAL_OBJECTS = 14
"""Both weigh more with the square of a window's objects; this is with so many."""
LIFTED_UP_TO = STATES
"""For so few states grounding the task of a window takes longer than it saves."""
WORTHWHILE = 0.01
"""A round that saves this share of the cost is worth another one of the same size."""
IDLE_ROUNDS = 3
"""After so many rounds over the whole plan at once that saved nothing there is nothing more to find."""
WEIGHT = 2.0
"""Of the estimate against the cost so far."""
TRUST = 0.5
"""So many times the estimate counts as what is still to come at least, where steps differ in cost. Where
they do not it is taken as it is: what it says too much is lost, and most searches end at once."""
REACH = 40
"""The steps of a window lie within so many times its length."""
SPREAD = 3.0
"""Steps that must stay between those of a window join it, up to so many times its length in all."""
EXTRA_OBJECTS = 3
"""At most so many objects, drawn at random, may be used besides those of the window."""
TELL_SECONDS = 1.0
"""How often a cheaper plan is told."""


def cheaper_plans(
    task: Task,
    steps: tuple[Step, ...],
    budget: Budget = UNLIMITED,
    progress: Callable[[int], None] | None = None,
    effort: float = inf,
) -> Iterator[tuple[Step, ...]]:
    """Plans, none dearer than the one before, until the time is up or nothing more can be found, or for so
    much effort; the caller validates them and takes the cheaper ones. None for tasks beyond STRIPS."""
    actions = strips_steps(task, steps)
    if actions is None:
        return
    yield from _Improving(task, actions, budget, progress, effort).plans()


class _Improving:
    def __init__(
        self,
        task: Task,
        actions: list[StripsStep],
        budget: Budget,
        progress: Callable[[int], None] | None,
        effort: float,
    ) -> None:
        self._left = effort
        """How much effort is left."""
        self._task = task
        self._small = _SmallTasks(task)
        self.actions = actions
        self._budget = budget
        self._progress = progress
        self._draw = Random(0)
        self._tried: dict[object, int] = {}
        """By small task the states that were searched for a cheaper plan."""
        self._saved = 0
        self._searched = 0
        """The windows that were replaced, and all."""

    def plans(self) -> Iterator[tuple[Step, ...]]:
        size, states, idle = STEPS, STATES, 0
        while idle < IDLE_ROUNDS:
            before, whole = self._saved, size >= len(self.actions)
            yield from self._round(size, states)
            if self._stopped():
                return
            saved = self._saved - before
            idle = idle + 1 if whole and not saved else 0
            if saved <= WORTHWHILE * len(self.actions):
                size = min(ceil(size * MORE_STEPS), len(self.actions))
                states = int(states * MORE_STATES)

    def _stopped(self) -> bool:
        return self._left <= 0 or self._budget.expired() or self._budget.memory_exceeded()

    def _round(self, size: int, states: int) -> Iterator[tuple[Step, ...]]:
        """Windows of one size all over the plan."""
        told, before = time.monotonic(), self._saved
        saved = before
        for window in self._windows(size):
            if self._stopped():
                break
            self._searched += 1
            if self._progress is not None:
                self._progress(self._searched)
            self._saved += self._improve(window, states)
            if self._saved > saved and time.monotonic() > told + TELL_SECONDS:
                yield self._steps()
                told, saved = time.monotonic(), self._saved
        if self._saved > before:
            shorter = self._steps()
            # Only here: when a plan is told must not decide which one is found.
            self.actions = strips_steps(self._task, shorter) or self.actions
            yield shorter

    def _steps(self) -> tuple[Step, ...]:
        """The plan, less what has become needless."""
        return shorten(self._task, tuple(action.step for action in self.actions), self._budget)

    def _windows(self, size: int) -> Iterator[Window]:
        """Windows all over the plan: neighbours, and steps about one object."""
        start, by_object = 0, False
        while start < len(self.actions):
            members = self._about_one(start, size) if by_object else range(start, start + size)
            window = gathered(self.actions, members, int(SPREAD * size))
            if window is not None:
                yield window
            if by_object:
                start += max(1, size // 2)
            by_object = not by_object

    def _about_one(self, start: int, size: int) -> list[int]:
        """The next steps that mention an object of one step."""
        place = min(start + self._draw.randrange(size), len(self.actions) - 1)
        names = self.actions[place].step.arguments
        if not names:
            return []
        name = self._draw.choice(names)
        end = min(len(self.actions), place + size * REACH)
        return [index for index in range(place, end) if name in self.actions[index].step.arguments][:size]

    def _improve(self, window: Window, states: int) -> bool:
        """Whether the window has a cheaper one, which takes its place."""
        objects = {name for action in window.inside for name in action.step.arguments}
        others = [name for name in self._small.objects if name not in objects]
        most = self._draw.randrange(EXTRA_OBJECTS + 1)
        small = self._small.task(window, objects.union(self._draw.sample(others, min(len(others), most))))
        if states <= LIFTED_UP_TO:
            small.generation = "lifted"
        key = small.model.objects, small.model.initial_atoms, small.model.goal
        if self._tried.get(key, 0) >= states:
            return False
        self._tried[key] = states
        steps = tuple(action.step for action in window.inside)
        cheaper = cheaper_steps(small, steps, states, self._budget)
        effort = cheaper.statistics.evaluated + WINDOW_EFFORT
        self._left -= effort * (len(small.model.objects) / USUAL_OBJECTS) ** 2
        found = None if cheaper.steps is None else strips_steps(self._task, cheaper.steps)
        if found is None:
            return False
        self.actions = [*window.before, *found, *window.behind]
        return True


class _SmallTasks:
    """Tasks that have a few objects of a large one."""

    def __init__(self, task: Task) -> None:
        self._task = task
        self._types = {thing.name: thing for thing in task.model.objects}
        self.objects = tuple(self._types)
        static = task.domain.vocabulary
        self._facts = _by_object(
            (fact, fact.terms) for fact in task.model.initial_atoms if static[fact.predicate].static
        )
        self._values = _by_object((value, value[0].terms) for value in task.model.initial_values)

    def task(self, window: Window, objects: set[str]) -> Task:
        """From what holds before the window to what is needed behind it."""
        task, named = self._task, self._task.structure.named
        allowed = objects.union(constant.name for constant in task.domain.model.constants)
        state = set(task.initial_atoms)
        for action in window.before:
            state -= action.deletes
            state |= action.adds
        needs, forbids = needed(task, window.behind)

        def kept(atoms: Iterable[int]) -> list[Atom]:
            known = [(name, tuple(terms)) for name, *terms in map(named, sorted(atoms))]
            return [Atom(name, terms) for name, terms in known if allowed.issuperset(terms)]

        goal: list[Condition] = [*kept(needs), *map(Not, kept(forbids))]
        model = replace(
            task.model,
            name="window",
            objects=tuple(self._types[name] for name in self.objects if name in objects),
            initial_atoms=(*_within(self._facts, allowed), *kept(state)),
            initial_values=tuple(_within(self._values, allowed)),
            goal=And(tuple(goal)),
        )
        return Task(task.domain, model, source="window")


def _by_object(
    facts: Iterable[tuple[Fact, tuple[str, ...]]],
) -> dict[str, list[tuple[Fact, tuple[str, ...]]]]:
    """Facts by their first object, with their objects; those without any by an empty name."""
    found: dict[str, list[tuple[Fact, tuple[str, ...]]]] = {}
    for fact, terms in facts:
        found.setdefault(terms[0] if terms else "", []).append((fact, terms))
    return found


def _within(facts: dict[str, list[tuple[Fact, tuple[str, ...]]]], objects: set[str]) -> Iterator[Fact]:
    """The facts about these objects alone."""
    for name in ("", *sorted(objects)):
        yield from (fact for fact, terms in facts.get(name, ()) if objects.issuperset(terms))


def needed(task: Task, actions: Sequence[StripsStep]) -> tuple[set[int], set[int]]:
    """The fluent atoms that must hold for the actions to lead to the goal, and those that must not."""
    holds, fails = set(task.goal.positive - task.structure.static_atoms), set(task.goal.negative)
    for action in reversed(actions):
        holds -= action.adds
        holds |= action.needs
        fails -= action.deletes
        fails |= action.forbids
    return holds, fails


def cheaper_steps(task: Task, steps: tuple[Step, ...], states: int, budget: Budget) -> SearchResult:
    """A plan for the task that costs less than this one, looked for within so many states."""
    cost = validate(task, Plan(steps)).cost
    if not cost:
        return SearchResult(SearchStatus.NO_PLAN_FOUND)
    # The estimate is in steps.
    estimate, scale = prepare(task, "ff"), cost / len(steps)
    trust = 1.0 if task.model.minimize is None else TRUST
    settings = BestFirstOptions(
        weighted_astar_key(WEIGHT), max_states=states, too_dear=lambda g, h: g + trust * h >= cost
    )
    return best_first(task, lambda state: scale * estimate(state), None, settings, budget)
