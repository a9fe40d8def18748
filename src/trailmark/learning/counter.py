"""Counter-first learning: pool, counters, candidate programs and their selection (beyond the paper)."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from statistics import mean

import numpy as np

from trailmark.discovery.counters import Counter, first_counters, record_counters
from trailmark.discovery.goalclasses import goal_counters
from trailmark.features.batch import evaluate
from trailmark.features.grammar import RICH, PoolOptions
from trailmark.features.pool import generate_pool
from trailmark.features.states import StateBatch, state_batch
from trailmark.features.syntax import Expression
from trailmark.features.valuations import Valuations
from trailmark.learning.selection import Selection, SelectionOptions, select
from trailmark.learning.validation import Trial
from trailmark.limits import UNLIMITED, Budget
from trailmark.relational import Interpretation
from trailmark.task import Task, Trajectory


@dataclass(frozen=True)
class CounterOptions:
    complexities: tuple[int, ...] = (5, 7)
    """The ladder: pools grow to the next complexity only while that helps."""
    pool_seconds: float = 5.0
    features: int = 6_000
    walk_states: int = 25
    """So many states of a random walk in each instance tell features apart that agree on the plans."""
    first: int = 6
    """So many single counters from the pool are tried, besides those of the goals."""
    records: int = 4
    """So many counters that may rise are tried where no other counter exists."""
    easy_states: int = 1_000
    hard_states: int = 4_000
    hard_starts: int = 6
    """So many starts on random walks of the larger instances are validated on."""
    hard_walk: int = 30
    seed: int = 0
    selection: SelectionOptions = field(default_factory=SelectionOptions)


@dataclass(frozen=True)
class CounterLearning:
    selection: Selection
    valuations: Valuations
    """The features of the chosen pool in the states of the training plans."""
    features: int
    complexity: int
    pool_seconds: float
    selection_seconds: float
    trials: tuple[Trial, ...]
    """Easy and hard trials that the score adds up."""


def learn_counters(
    tasks: Sequence[Task],
    paths: Sequence[Trajectory],
    options: CounterOptions | None = None,
    budget: Budget = UNLIMITED,
    report: Callable[[str], None] | None = None,
) -> CounterLearning:
    """The counter-first graph that plans best, climbing the complexity ladder while that helps."""
    settings = options or CounterOptions()
    rng = random.Random(settings.seed)
    walks = [_walk(task, rng, settings.walk_states) for task in tasks]
    batch = state_batch(
        [(path.structure, path.states) for path in paths]
        + [(task.structure, walk) for task, walk in zip(tasks, walks, strict=True) if walk]
    )
    easy = [Trial(task, settings.easy_states) for task in tasks]
    hard = _hard_trials(tasks, settings, rng)
    goal_predicates = frozenset().union(*(task.goal_predicates for task in tasks))
    seeds = goal_counters(tasks[0].domain.vocabulary, goal_predicates)
    best: CounterLearning | None = None
    for step, complexity in enumerate(settings.complexities):
        if best is not None and budget.expired():
            break
        share = budget.part(budget.remaining() / (len(settings.complexities) - step))
        learned = _at_complexity(batch, len(paths), seeds, complexity, easy, hard, settings, share, report)
        if best is None or _better(learned, best):
            best = learned
        if best.selection.best is not None and _easy_enough(best):
            break
    assert best is not None
    return best


def _at_complexity(
    batch: StateBatch,
    plans: int,
    seeds: Sequence[Expression],
    complexity: int,
    easy: Sequence[Trial],
    hard: Sequence[Trial],
    settings: CounterOptions,
    budget: Budget,
    report: Callable[[str], None] | None,
) -> CounterLearning:
    limits = PoolOptions(
        complexity=complexity,
        seconds=max(0.1, min(settings.pool_seconds, budget.remaining() / 3)),
        features=settings.features,
        grammar=RICH,
    )
    pool = generate_pool(batch, limits, stop=budget.expired)
    valuations = _with_seeds(pool.valuations, batch, seeds, plans)
    places = {feature: row for row, feature in enumerate(valuations.features)}
    starts = _starts(valuations, [places[each] for each in seeds if each in places], settings)
    clock = time.monotonic()
    selection = select(valuations, starts, easy, hard, settings.selection, budget.expired, report)
    return CounterLearning(
        selection,
        valuations,
        len(pool.features),
        complexity,
        pool.seconds,
        time.monotonic() - clock,
        (*easy, *hard),
    )


def _with_seeds(pool: Valuations, batch: StateBatch, seeds: Sequence[Expression], plans: int) -> Valuations:
    """The pool and the goal counters in it or beside it, on the states of the plans alone."""
    known = set(pool.features)
    missing = [each for each in seeds if each not in known]
    values = evaluate(missing, batch).values
    states = pool.offsets[plans]
    table = np.concatenate([pool.values[:, :states], values[:, :states]])
    return Valuations((*pool.features, *missing), table, pool.offsets[: plans + 1])


def _starts(
    valuations: Valuations, seeds: Sequence[int], settings: CounterOptions
) -> list[tuple[Counter, ...]]:
    """The programs that growth begins with: single counters, and all goal counters in a row."""
    counters = first_counters(valuations)
    chosen = [each for each in counters if each.rows[0] in seeds]
    chosen += [each for each in counters if each.rows[0] not in seeds][: settings.first]
    if not chosen:
        chosen = record_counters(valuations)[: settings.records]
    starts: list[tuple[Counter, ...]] = [(each,) for each in chosen]
    classes = _covering(valuations, [each for each in chosen if each.rows[0] in seeds])
    if len(classes) > 1:
        starts.append(tuple(classes))
    return starts


def _covering(valuations: Valuations, counters: Sequence[Counter]) -> list[Counter]:
    """Goal counters that together fall wherever any of them falls, in the order plans finish them."""
    covered: set[tuple[int, int]] = set()
    kept: list[Counter] = []
    for counter in sorted(counters, key=lambda each: -sum(map(len, each.stones))):
        falls = {(path, state) for path, states in enumerate(counter.stones) for state in states}
        if falls - covered:
            kept.append(counter)
            covered |= falls
    return sorted(kept, key=lambda each: mean([states[-1] for states in each.stones if states]))


def _walk(task: Task, rng: random.Random, length: int) -> list[Interpretation]:
    """The states of a random walk from the initial state."""
    state, found = task.initial_state, []
    for _ in range(length):
        successors = task.successors(state)
        if not successors:
            break
        state = rng.choice(successors)[1]
        found.append(task.interpretation(state))
    return found


def _hard_trials(tasks: Sequence[Task], settings: CounterOptions, rng: random.Random) -> list[Trial]:
    """Starts on random walks of the larger half of the instances."""
    by_size = sorted(tasks, key=lambda task: len(task.structure.objects))
    larger = by_size[len(by_size) // 2 :]
    trials: list[Trial] = []
    for number in range(settings.hard_starts):
        task = larger[number % len(larger)]
        walk = _walk(task, rng, settings.hard_walk)
        if walk:
            start = task.starting_from(walk[-1].atoms, f"{task.name}-walk-{number}")
            trials.append(Trial(start, settings.hard_states))
    return trials


def _better(learned: CounterLearning, than: CounterLearning) -> bool:
    new, old = learned.selection.best, than.selection.best
    if new is None or old is None:
        return new is not None
    return new.score < old.score


def _easy_enough(learned: CounterLearning) -> bool:
    """Whether a more complex pool can hardly help: every leap is made by novelty 1."""
    best = learned.selection.best
    return best is not None and best.score.unsolved == 0 and best.score.hard_leaps == 0
