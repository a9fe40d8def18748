"""Counter-first learning: pool, counters, candidate programs and their selection (beyond the paper)."""

from __future__ import annotations

import random
from collections.abc import Collection, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace

from trailmark.discovery.counters import (
    CounterCandidate,
    covering,
    first_counters,
    reach_the_end,
    record_counters,
    weight,
)
from trailmark.discovery.goalclasses import (
    bound_features,
    carried_counters,
    chained_roles,
    goal_counters,
    open_objects,
    value_distances,
)
from trailmark.features.grammar import RICH, PoolOptions
from trailmark.features.pool import extended, generate_pool
from trailmark.features.states import StateBatch, Valuations, state_batch
from trailmark.features.syntax import Expression, Kind
from trailmark.landmarks.functions import StateDescriptor
from trailmark.learning.deadends import learn_guards
from trailmark.learning.selection import MARGIN, Material, Selection, Tried, ranks_of, select
from trailmark.learning.trials import make_trials, plain_plan, random_walk
from trailmark.learning.validation import Score, Trial, Trials, least_complex
from trailmark.limits import UNLIMITED, Budget, Stages
from trailmark.relational import Vocabulary
from trailmark.task import Task, Trajectory, trajectory

POOL_SECONDS = 60.0
"""Like `GUARD_SECONDS` far more than is needed on any machine seen: a limit of seconds that ends a stage
makes learning depend on how busy the machine is."""
FEATURES = 6_000
BOUND_COMPLEXITY = 4
"""The largest complexity of a concept that is counted among the objects with open goals."""
WALK_STATES = 25
"""So many states of a random walk in each instance tell features apart that agree on the plans."""
FIRST = 6
"""So many single counters from the pool are tried, besides those of the goals."""
RECORDS = 4
"""So many counters that may rise are tried where no other counter exists."""
TRIAL_SHARE = 0.2
"""Looking for trials, and for plans of failed ones, takes at most so large a share of the time."""
GUARD_SECONDS = 60.0
GUARD_SHARE = 0.25
"""Looking for guards takes at most so many seconds, and so large a share of the time."""


@dataclass(frozen=True)
class CounterOptions:
    complexities: tuple[int, ...] = (5, 7)
    """The ladder: what small trials are easily solved without, larger tasks may need. A program of the next
    rung must plan better by more than the margin, or be simpler."""
    seed: int = 0


@dataclass(frozen=True)
class CounterLearning:
    selection: Selection
    valuations: Valuations
    """The features of the chosen pool in the states of the training plans."""
    features: int
    trials: tuple[Trial, ...]
    """Easy and hard trials that the score adds up."""


def learn_counters(
    tasks: Sequence[Task],
    paths: Sequence[Trajectory],
    options: CounterOptions | None = None,
    budget: Budget = UNLIMITED,
    stages: Stages | None = None,
    validation: Sequence[Task] = (),
    executor: Executor | None = None,
) -> CounterLearning:
    """The program that plans best, of all rungs of the complexity ladder.

    Trials that the best program of one rung leaves unsolved give plans to learn from on the next, found
    by a plain search. `validation` are further instances to plan on, `executor` where programs
    are scored.
    """
    settings = options or CounterOptions()
    told = stages or Stages()
    rng = random.Random(settings.seed)
    walks = [(task.structure, random_walk(task, rng, WALK_STATES)) for task in tasks]
    with told.stage("trials", budget.part(budget.remaining() * TRIAL_SHARE)) as share:
        trials = make_trials(tasks, paths, validation, settings.seed, share)
    guard_seconds = min(GUARD_SECONDS, budget.remaining() * GUARD_SHARE)
    with told.stage("guards", budget.part(guard_seconds)) as share:
        guards = learn_guards(tasks, paths, budget=share)
    ladder = _Ladder(
        frozenset().union(*(task.goal_predicates for task in tasks)),
        chained_roles(task.structure for task in tasks),
        trials,
        guards,
        budget,
        told,
        executor,
    )
    best: CounterLearning | None = None
    known = list(paths)
    for step, complexity in enumerate(settings.complexities):
        if best is not None and budget.expired():
            break
        if best is not None and best.selection.best is not None:
            share = budget.part(budget.remaining() * TRIAL_SHARE)
            with told.stage("plans of failed trials", share):
                known = [*paths, *_failures(best.selection.best, trials, share)]
        states = [(path.structure, path.states) for path in known]
        batch = state_batch([*states, *(walk for walk in walks if walk[1])])
        learned = ladder.learn(batch, len(known), complexity, best, carried=step > 0)
        if best is None or _better(learned, best):
            best = learned
    assert best is not None
    return best


@dataclass(frozen=True)
class _Ladder:
    """What all rungs have in common."""

    goals: frozenset[str]
    chained: frozenset[str]
    trials: Trials
    guards: tuple[StateDescriptor, ...]
    budget: Budget
    stages: Stages
    executor: Executor | None

    def learn(
        self, batch: StateBatch, plans: int, complexity: int, below: CounterLearning | None, *, carried: bool
    ) -> CounterLearning:
        """The program that plans best with features up to this complexity; the first states are of plans."""
        trials, told = self.trials, self.stages
        seconds = max(0.1, min(POOL_SECONDS, self.budget.remaining() / 3))
        limits = PoolOptions(complexity, seconds, FEATURES, grammar=RICH)
        with told.stage(f"features of complexity {complexity}", self.budget.part(seconds)) as share:
            pool = generate_pool(batch, limits, lambda _, count: told.say(str(count)), share.expired)
        seeds = sorted(self._seeds(batch.vocabulary, carried), key=weight)
        objects = open_objects(batch.vocabulary, self.goals)
        bound = bound_features(objects, _simple_concepts(pool.valuations))
        with told.stage("features about goals", self.budget.part(self.budget.remaining() / 3)) as share:
            valuations, rows = extended(pool.valuations, batch, (*seeds, *bound), plans, share)
        goals = {rows[feature]: feature for feature in reversed(seeds) if feature in rows}
        valuations = _renamed(valuations, goals)
        best = None if below is None else below.selection.best
        with told.stage(f"graphs of complexity {complexity}", self.budget):
            selection = select(
                Material(valuations, _starts(valuations, goals), self.guards),
                trials,
                self.budget,
                told.say,
                self.executor,
                None if best is None else best.score,
            )
        return CounterLearning(selection, valuations, len(pool.features), trials.every)

    def _seeds(self, vocabulary: Vocabulary, carried: bool) -> Iterator[Expression]:
        """What counts the goals that are left: by class, and values by their distance to the goal. After the
        first rung values are also seen through what carries an object."""
        yield from goal_counters(vocabulary, self.goals)
        yield from value_distances(vocabulary, self.goals, self.chained)
        if carried:
            yield from carried_counters(vocabulary, self.goals)


def _renamed(valuations: Valuations, goals: Mapping[int, Expression]) -> Valuations:
    """With the rows of goal counters under these names: what a pool has instead of one is equal in the states
    at hand alone, and other states have another instead."""
    features = tuple(goals.get(row, feature) for row, feature in enumerate(valuations.features))
    return replace(valuations, features=features)


def _simple_concepts(pool: Valuations) -> list[Expression]:
    """The concepts that the pool counts and that plans change, up to a complexity."""
    changing = (pool.values != pool.values[:, :1]).any(axis=1)
    counted = [feature for feature, changes in zip(pool.features, changing, strict=True) if changes]
    concepts = [feature.children[0] for feature in counted if feature.constructor.name == "n_count"]
    return [one for one in concepts if one.kind is Kind.CONCEPT and one.complexity <= BOUND_COMPLEXITY]


def _starts(valuations: Valuations, goals: Collection[int]) -> list[tuple[CounterCandidate, ...]]:
    """The programs that growth begins with: single counters, and all goal counters in a row.

    Where goal counters do not reach the end of every plan, a count of open goals that may rise follows them:
    where a driver is to end is of no account until all parcels are delivered. Then nothing else is counted:
    what reaches the end there does so by accident.
    """
    counters = first_counters(valuations)
    singles = [counter for counter in counters if counter.rows[0] in goals]
    row, rest = covering(valuations, singles), list[CounterCandidate]()
    if row and not reach_the_end(valuations, row):
        open_goals = record_counters(valuations, goals)
        rest = [counter for counter in open_goals if reach_the_end(valuations, [counter])][:1]
    if not rest:
        singles += [counter for counter in counters if counter.rows[0] not in goals][:FIRST]
    singles = singles or record_counters(valuations)[:RECORDS]
    starts: list[tuple[CounterCandidate, ...]] = [(counter,) for counter in singles]
    return [*starts, (*row, *rest)] if len(row) + len(rest) > 1 else starts


def _failures(best: Tried, trials: Trials, budget: Budget) -> list[Trajectory]:
    """Trajectories of the harder trials that leap search does not solve with the best program so far, where
    another search does."""
    found: list[Trajectory] = []
    outcomes = best.score.outcomes[len(trials.easy) :]
    for trial, outcome in zip(trials.hard, outcomes, strict=False):
        plan = None if outcome.solved or budget.expired() else plain_plan(trial.task, budget)
        if plan is not None:
            found.append(trajectory(trial.task, plan, trial.task.name))
    return found


def _better(learned: CounterLearning, than: CounterLearning) -> bool:
    new, old = learned.selection.best, than.selection.best
    if new is None or old is None:
        return new is not None
    trials = min(len(new.score.outcomes), len(old.score.outcomes))
    both = [replace(tried, score=Score(tried.score.outcomes[:trials])) for tried in (old, new)]
    return least_complex(both, ranks_of(both), lambda tried: tried.program.complexity, MARGIN)[0] is both[1]
