"""Counter-first learning: pool, counters, candidate programs and their selection (beyond the paper)."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from statistics import mean

import numpy as np

from trailmark.discovery.counters import Counter, first_counters, record_counters
from trailmark.discovery.goalclasses import (
    bound_features,
    carried_counters,
    goal_counters,
    open_objects,
    value_distances,
)
from trailmark.features.batch import evaluate
from trailmark.features.grammar import RICH, PoolOptions
from trailmark.features.pool import generate_pool
from trailmark.features.states import StateBatch, state_batch
from trailmark.features.syntax import Expression, Kind
from trailmark.features.valuations import Valuations
from trailmark.landmarks.functions import StateDescriptor
from trailmark.landmarks.graph import LandmarkGraph
from trailmark.learning.deadends import learn_guards
from trailmark.learning.selection import Selection, SelectionOptions, select
from trailmark.learning.validation import Trial, score
from trailmark.limits import UNLIMITED, Budget
from trailmark.relational import Interpretation
from trailmark.search.lazy import lazy_greedy
from trailmark.search.shorten import shorten
from trailmark.task import Plan, Task, Trajectory, trajectory
from trailmark.task.heuristics import prepare_preferring
from trailmark.task.status import SearchStatus


@dataclass(frozen=True)
class CounterOptions:
    complexities: tuple[int, ...] = (5, 7)
    """The ladder: pools grow to the next complexity only while that helps."""
    pool_seconds: float = 60.0
    """Like `guard_seconds` far more than is needed on any machine seen: a limit of seconds that ends a stage
    makes learning depend on how busy the machine is."""
    features: int = 6_000
    goal_classes: bool = True
    """Whether open goals are counted by class, and values by their distance to the goal."""
    carried: bool = True
    """Whether, after the first rung, values are also seen through what carries an object."""
    bound_complexity: int = 4
    """The largest complexity of a concept that is counted among the objects with open goals."""
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
    start_states: int = 3_000
    """The states within which a plain search must solve a start for it to count: others may be dead ends."""
    validation_states: int = 15_000
    """States for each validation instance that a user gives."""
    failure_states: int = 5_000
    """The states within which a plain search must solve a trial that the best graph leaves unsolved, for
    its plan to be learned from."""
    guard_seconds: float = 60.0
    guard_share: float = 0.25
    """Looking for guards takes at most so many seconds, and so large a share of the time."""
    seed: int = 0
    processes: int = 1
    """So many graphs are scored at the same time."""
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
    failures: int
    """Plans of failed trials that were learned from besides the given ones."""
    out_of_time: bool
    """Whether the budget ended the selection, so that trials may count as unsolved that are not."""


def learn_counters(
    tasks: Sequence[Task],
    paths: Sequence[Trajectory],
    options: CounterOptions | None = None,
    budget: Budget = UNLIMITED,
    report: Callable[[str], None] | None = None,
    validation: Sequence[Task] = (),
) -> CounterLearning:
    """The counter-first graph that plans best, climbing the complexity ladder while that helps.

    Trials that the best graph of one rung leaves unsolved give plans to learn from on the next, found
    by a plain search. `validation` are further instances to plan on.
    """
    settings = options or CounterOptions()
    rng = random.Random(settings.seed)
    walks = [(task.structure, _walk(task, rng, settings.walk_states)) for task in tasks]
    easy = [Trial(task, settings.easy_states, settings.easy_states // 3) for task in tasks]
    hard = _hard_trials(tasks, settings, rng, budget)
    hard += [Trial(task, settings.validation_states, settings.validation_states // 3) for task in validation]
    goals = frozenset().union(*(task.goal_predicates for task in tasks))
    guard_budget = budget.part(min(settings.guard_seconds, budget.remaining() * settings.guard_share))
    guards = learn_guards(tasks, paths, stop=guard_budget.expired)
    best: CounterLearning | None = None
    known = list(paths)
    for step, complexity in enumerate(settings.complexities):
        if best is not None and budget.expired():
            break
        if best is not None and best.selection.best is not None:
            known = [*paths, *_failures(best.selection.best.program.graph, hard, settings, budget)]
        states = [(path.structure, path.states) for path in known]
        batch = state_batch([*states, *(walk for walk in walks if walk[1])])
        share = budget.part(budget.remaining() / (len(settings.complexities) - step))
        learned = _at_complexity(
            batch, len(known), goals, complexity, easy, hard, settings, share, report, guards, step > 0
        )
        learned = replace(learned, failures=len(known) - len(paths))
        if best is None or _better(learned, best):
            best = learned
        if best.selection.best is not None and _easy_enough(best):
            break
    assert best is not None
    return best


def _at_complexity(
    batch: StateBatch,
    plans: int,
    goals: frozenset[str],
    complexity: int,
    easy: Sequence[Trial],
    hard: Sequence[Trial],
    settings: CounterOptions,
    budget: Budget,
    report: Callable[[str], None] | None,
    guards: tuple[StateDescriptor, ...],
    carried: bool,
) -> CounterLearning:
    limits = PoolOptions(
        complexity=complexity,
        seconds=max(0.1, min(settings.pool_seconds, budget.remaining() / 3)),
        features=settings.features,
        grammar=RICH,
    )
    pool = generate_pool(batch, limits, stop=budget.expired)
    seeds: tuple[Expression, ...] = ()
    if settings.goal_classes:
        seeds = (*goal_counters(batch.vocabulary, goals), *value_distances(batch.vocabulary, goals))
    if carried and settings.carried:
        seeds += tuple(carried_counters(batch.vocabulary, goals))
    bound = bound_features(open_objects(batch.vocabulary, goals), _simple_concepts(pool.valuations, settings))
    valuations, rows = _extended(pool.valuations, batch, (*seeds, *bound), plans)
    starts = _starts(valuations, [rows[each] for each in seeds], settings)
    clock = time.monotonic()
    selection = select(
        valuations, starts, easy, hard, settings.selection, budget, report, guards, settings.processes
    )
    return CounterLearning(
        selection,
        valuations,
        len(pool.features),
        complexity,
        pool.seconds,
        time.monotonic() - clock,
        (*easy, *hard),
        0,
        budget.expired(),
    )


def _simple_concepts(pool: Valuations, settings: CounterOptions) -> list[Expression]:
    """The concepts that the pool counts and that plans change, up to a complexity."""
    changing = (pool.values != pool.values[:, :1]).any(axis=1)
    counted = [each for each, changes in zip(pool.features, changing, strict=True) if changes]
    concepts = [each.children[0] for each in counted if each.constructor.name == "n_count"]
    return [
        each
        for each in concepts
        if each.kind is Kind.CONCEPT and each.complexity <= settings.bound_complexity
    ]


def _extended(
    pool: Valuations, batch: StateBatch, added: Sequence[Expression], plans: int
) -> tuple[Valuations, dict[Expression, int]]:
    """The pool with those of the added features that differ from all others, on the plans' states;
    and the row of each added feature or of its equal.

    Features are told apart on all states of the batch, those of random walks included.
    """
    values = evaluate(added, batch).values
    rows = {row.tobytes(): place for place, row in enumerate(pool.values)}
    kept: list[int] = []
    found: dict[Expression, int] = {}
    for place, row in enumerate(values):
        key = row.tobytes()
        if key not in rows:
            rows[key] = len(pool.features) + len(kept)
            kept.append(place)
        found[added[place]] = rows[key]
    states = pool.offsets[plans]
    table = np.concatenate([pool.values[:, :states], values[kept, :states]])
    features = (*pool.features, *(added[place] for place in kept))
    return Valuations(features, table, pool.offsets[: plans + 1]), found


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
    lengths = [stop - start for start, stop in pairwise(valuations.offsets)]

    def finish(counter: Counter) -> float:
        """Where plans finish it, as a share of their length: not every plan has each class."""
        pairs = zip(counter.stones, lengths, strict=True)
        return mean([states[-1] / length for states, length in pairs if states])

    return sorted(kept, key=finish)


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


def _hard_trials(
    tasks: Sequence[Task], settings: CounterOptions, rng: random.Random, budget: Budget
) -> list[Trial]:
    """Starts on random walks of the larger half of the instances, those that have a plan."""
    by_size = sorted(tasks, key=lambda task: len(task.structure.objects))
    larger = by_size[len(by_size) // 2 :]
    trials: list[Trial] = []
    for number in range(settings.hard_starts):
        task = larger[number % len(larger)]
        walk = _walk(task, rng, settings.hard_walk)
        if walk and not budget.expired():
            start = task.starting_from(walk[-1].atoms, f"{task.name}-walk-{number}")
            if _has_plan(start, settings, budget):
                trials.append(Trial(start, settings.hard_states, settings.hard_states // 3))
    return trials


def _has_plan(task: Task, settings: CounterOptions, budget: Budget) -> bool:
    found = lazy_greedy(task, prepare_preferring(task), budget, max_states=settings.start_states)
    return found.status is SearchStatus.SOLVED


def _failures(
    graph: LandmarkGraph, trials: Sequence[Trial], settings: CounterOptions, budget: Budget
) -> list[Trajectory]:
    """Trajectories of trials that leap search does not solve with the graph, where another search does."""
    found: list[Trajectory] = []
    for trial in trials:
        if budget.expired():
            break
        if score(graph, [trial], stop=budget.expired).unsolved:
            start = trial.task
            result = lazy_greedy(start, prepare_preferring(start), budget, max_states=settings.failure_states)
            if result.steps:
                found.append(trajectory(start, Plan(shorten(start, result.steps, budget)), start.name))
    return found


def _better(learned: CounterLearning, than: CounterLearning) -> bool:
    new, old = learned.selection.best, than.selection.best
    if new is None or old is None:
        return new is not None
    return new.score < old.score


def _easy_enough(learned: CounterLearning) -> bool:
    """Whether a more complex pool can hardly help: every leap is made by novelty 1."""
    best = learned.selection.best
    return best is not None and best.score.unsolved == 0 and best.score.hard_leaps == 0
