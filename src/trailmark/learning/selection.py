"""Choosing among programs by planning with them.

A program is a sequence of counters, each run down in turn. From single counters programs grow: a
counter gets a further feature that falls inside its passes, or another counter joins. The programs
that plan best on the easy trials grow on, the best of all meet on harder ones, and of those within a
margin of the winner the least complex one is chosen.

All limits are of states. Time ends the selection with what there is; what it cut counts for none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field

from trailmark.discovery.counters import (
    CounterCandidate,
    all_lows,
    further_counters,
    gap_effort,
    reach_the_end,
    weight,
)
from trailmark.features.states import Valuations
from trailmark.landmarks.functions import StateDescriptor
from trailmark.learning.validation import Rank, Score, ScoringJob, Trials, least_complex, ranks, scores
from trailmark.limits import UNLIMITED, Budget
from trailmark.programs.program import Program

INCOMPLETE_WEIGHT = 1.5
"""What the effort of a program is multiplied by that leaves work to be done after it: what small
instances get done by chance, large ones do not."""

Key = tuple[tuple[int, ...], ...]
"""What tells programs apart."""


FURTHER = 5
"""So many further features of each kind are tried for a counter."""
BEAM = 3
"""So many programs grow on in each round."""
ROUNDS = 5
GROWTH_STATES = 1_000_000
"""No further program is tried once so many states were generated."""
FINALISTS = 8
"""So many programs meet on the harder trials."""
MARGIN = 0.15
"""Programs within this share of the best count as equal."""
GAIN = 0.03
"""A round that improves the best effort by less than this share is the last."""
TOGETHER = 8
"""So many programs are scored under the same limits, whether at once or one by one."""
RACE = 4.0
RACE_FREE = 250
"""A trial ends for a program at so many times the fewest states it was solved with, and so many more."""


@dataclass(frozen=True)
class CandidateProgram:
    """A program that learning tries."""

    counters: tuple[CounterCandidate, ...]
    guidance: Program
    complexity: int
    gaps: float
    """Σ gap² between the lows of all its counters in the training trajectories."""
    complete: bool
    """Whether its last low is the end of every training plan: nothing is left after it."""

    def __str__(self) -> str:
        return str(self.guidance)


@dataclass(frozen=True)
class Tried:
    """A program and what it scored."""

    program: CandidateProgram
    score: Score


@dataclass(frozen=True)
class Selection:
    best: Tried | None
    """Its score is over all trials; of the other programs only finalists met on the harder ones."""
    tried: tuple[Tried, ...]
    """Everything tried on the easy trials, best first."""


@dataclass(frozen=True)
class Material:
    """What programs are made of."""

    valuations: Valuations
    """The features in the states of the training plans."""
    starts: Sequence[tuple[CounterCandidate, ...]]
    """The programs that growth begins with."""
    guards: tuple[StateDescriptor, ...] = ()
    """Every program has them."""


def select(
    material: Material,
    trials: Trials,
    budget: Budget = UNLIMITED,
    report: Callable[[str], None] | None = None,
    executor: Executor | None = None,
    known: Score | None = None,
) -> Selection:
    """The program that plans best; `known` is how another program did, with which these must compete."""
    search = _Search(material, trials, budget, report or (lambda text: None), executor)
    if known is not None:
        search.note(range(len(known.outcomes)), known)
    return search.run()


@dataclass
class _Search:
    material: Material
    trials: Trials
    budget: Budget
    report: Callable[[str], None]
    executor: Executor | None
    tried: dict[Key, Tried] = field(default_factory=dict)
    fewest: dict[int, int] = field(default_factory=dict)
    """By trial: the fewest states with which it was solved."""
    generated: int = 0
    out_of_time: bool = False

    def run(self) -> Selection:
        easy = range(len(self.trials.easy))
        self._grow(easy)
        if not self.tried:
            return Selection(None, ())
        finalists = self._finalists()
        for trial in range(len(easy), len(self.trials.every)):
            finalists = self._tried_on(trial, finalists)
        chosen = least_complex(finalists, ranks_of(finalists), _complexity, MARGIN)
        return Selection(chosen[0], tuple(_ranked([*self.tried.values()])))

    def _grow(self, easy: range) -> None:
        frontier = [self._program(start) for start in self.material.starts]
        leader: Tried | None = None
        for _ in range(ROUNDS):
            if not self._try(frontier, easy):
                return
            leaders = _ranked(list(self.tried.values()))[:BEAM]
            if leader is not None and not leader.score.unsolved:
                before, after = ranks_of([leader, leaders[0]])
                if after.effort > before.effort * (1 - GAIN):
                    return
            leader = leaders[0]
            frontier = [program for tried in leaders for program in self._grown(tried.program)]

    def _try(self, programs: Sequence[CandidateProgram], easy: range) -> int:
        """Scores the programs that are new, while the limits allow it; how many these were."""
        new = {_key(program): program for program in programs if _key(program) not in self.tried}
        waiting, count = list(new.items()), 0
        while waiting and self.generated < GROWTH_STATES:
            batch, waiting = waiting[:TOGETHER], waiting[TOGETHER:]
            found = self._scores([program for _, program in batch], easy, self._failures(easy))
            if self.out_of_time and self.tried:
                return 0
            for (key, program), score in zip(batch, found, strict=True):
                self.tried[key] = Tried(program, score)
            count += len(batch)
            self.report(f"{len(self.tried)} graphs tried")
        return count

    def _failures(self, easy: range) -> int:
        """How many trials a program may fail before it is given up: one more than the best one, and not more
        than half of them."""
        least = min((tried.score.unsolved for tried in self.tried.values()), default=len(easy))
        return min(least + 1, len(easy) // 2)

    def _scores(self, programs: Sequence[CandidateProgram], trials: range, failures: int) -> list[Score]:
        """How the programs do on these trials, all under the same limits."""
        limits = tuple(self._limit(trial) for trial in trials)
        guidances = [program.guidance for program in programs]
        jobs = [ScoringJob(known, tuple(trials), limits, failures, self.budget) for known in guidances]
        found = scores(self.trials, jobs, self.executor)
        self.out_of_time = self.out_of_time or self.budget.expired()
        for score in found:
            self.generated += sum(outcome.generated for outcome in score.outcomes)
            self.note(trials, score)
        return found

    def note(self, trials: range, score: Score) -> None:
        """The limits of what is tried from now on follow these outcomes."""
        for trial, outcome in zip(trials, score.outcomes, strict=True):
            if outcome.solved:
                self.fewest[trial] = min(self.fewest.get(trial, outcome.generated), outcome.generated)

    def _limit(self, trial: int) -> int:
        """How many states the trial may take: once it has been solved it is a race."""
        states = self.trials.every[trial].states
        if trial not in self.fewest:
            return states
        return min(states, int(RACE * self.fewest[trial]) + RACE_FREE)

    def _finalists(self) -> list[Tried]:
        """The best programs, and the least complex of those within the margin of the best."""
        ranked = _ranked(list(self.tried.values()))
        simple = least_complex(ranked, ranks_of(ranked), _complexity, MARGIN)
        half = FINALISTS // 2
        chosen = {_key(tried.program): tried for tried in (*ranked[:half], *simple[:half], *ranked)}
        return list(chosen.values())[:FINALISTS]

    def _tried_on(self, trial: int, finalists: list[Tried]) -> list[Tried]:
        """The finalists with one trial more, unless time cuts it; the first one sets the others' limit."""
        if self.out_of_time:
            return finalists
        programs = [tried.program for tried in finalists]
        found: list[Score] = []
        for batch in (programs[:1], programs[1:]):
            found += self._scores(batch, range(trial, trial + 1), 0)
        self.report(f"{len(finalists)} graphs in the final")
        if self.out_of_time:
            return finalists
        return [
            Tried(tried.program, Score((*tried.score.outcomes, *score.outcomes)))
            for tried, score in zip(finalists, found, strict=True)
        ]

    def _grown(self, program: CandidateProgram) -> Iterator[CandidateProgram]:
        """The program with a further feature, or with a counter that falls where none of its own does."""
        counters = program.counters
        for counter in counters:
            for longer in further_counters(self.material.valuations, counter, FURTHER):
                yield self._program(tuple(longer if known is counter else known for known in counters))
        reached = all_lows(counters)
        for single in (start[0] for start in self.material.starts if len(start) == 1):
            if not single.lows <= reached:
                yield self._program((*counters, single))
                yield self._program((single, *counters))

    def _program(self, counters: tuple[CounterCandidate, ...]) -> CandidateProgram:
        valuations = self.material.valuations
        features = valuations.features
        return CandidateProgram(
            counters,
            Program(tuple(counter.counter(features) for counter in counters), self.material.guards),
            sum(weight(features[row]) for counter in counters for row in counter.rows),
            gap_effort(valuations, all_lows(counters)),
            reach_the_end(valuations, counters),
        )


def _key(program: CandidateProgram) -> Key:
    return tuple(counter.rows for counter in program.counters)


def _complexity(tried: Tried) -> int:
    return tried.program.complexity


def ranks_of(tried: Sequence[Tried]) -> list[Rank]:
    """How each of them compares with the others; those that leave work to be done after them rank lower.

    Where nobody solves a trial, lows that lie closer together in the training plans promise more.
    """
    found = ranks([one.score for one in tried])
    if not any(outcome.solved for one in tried for outcome in one.score.outcomes):
        found = [Rank(0, one.program.gaps) for one in tried]
    return [
        rank if one.program.complete else rank._replace(effort=rank.effort * INCOMPLETE_WEIGHT)
        for one, rank in zip(tried, found, strict=True)
    ]


def _ranked(tried: Sequence[Tried]) -> list[Tried]:
    """The best first, and of equals the least complex."""
    keys = [(rank, _complexity(one)) for one, rank in zip(tried, ranks_of(tried), strict=True)]
    return [tried[place] for place in sorted(range(len(tried)), key=keys.__getitem__)]
