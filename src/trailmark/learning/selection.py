"""Choosing among counter-first graphs by planning with them.

A program is a sequence of counters, each run down in turn. From single counters programs grow: a
counter gets a further feature that falls inside its passes, or another counter joins. The programs
that plan best on the validation instances grow on, the best of all meet on harder trials, and of
those within a margin of the winner the least complex one is chosen.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from trailmark.discovery.counterfirst import loop_graph
from trailmark.discovery.counters import Counter, further_counters, gap_effort, reach_the_end, weight
from trailmark.features.valuations import Valuations
from trailmark.landmarks.functions import StateDescriptor
from trailmark.landmarks.graph import LandmarkGraph
from trailmark.learning.scorers import Job, Scorer, scorer
from trailmark.learning.validation import Score, Trial
from trailmark.limits import UNLIMITED, Budget

INCOMPLETE_WEIGHT = 1.5
"""What the effort of a program is multiplied by that leaves work to be done after it: what small
instances get done by chance, large ones do not."""

Key = tuple[tuple[int, ...], ...]
"""What tells programs apart."""

EASY, HARD = 0, 1
"""The sets of trials: all programs are scored on the first, the finalists on the second too."""


@dataclass(frozen=True)
class SelectionOptions:
    further: int = 5
    """So many further features of each kind are tried for a counter."""
    beam: int = 3
    """So many programs grow on in each round."""
    rounds: int = 5
    finalists: int = 8
    """So many programs meet on the harder trials."""
    margin: float = 0.2
    """Programs within this share of the best score count as equal."""
    gain: float = 0.03
    """A round that improves the best score by less than this share is the last."""
    growth_share: float = 0.65
    """The share of the time for growing programs; the rest is for the final."""
    together: int = 8
    """So many programs are scored with the same bound, whether at once or one by one."""
    patience: float = 4.0
    """A trial ends for a program when its effort is so many times that of the best."""


@dataclass(frozen=True)
class Program:
    counters: tuple[Counter, ...]
    graph: LandmarkGraph
    complexity: int
    gaps: float
    """Σ gap² between the stepping stones of all its counters in the training trajectories."""
    complete: bool
    """Whether its last stepping stone is the end of every training plan: nothing is left after it."""

    def __str__(self) -> str:
        functions = [function for each in self.graph.landmarks for function in each.functions]
        return "; then ".join(map(str, functions))


@dataclass(frozen=True)
class Tried:
    """A program and what it scored."""

    program: Program
    score: Score


@dataclass(frozen=True)
class Selection:
    best: Tried | None
    tried: tuple[Tried, ...]
    """Everything tried, best first."""


def select(
    valuations: Valuations,
    starts: Sequence[tuple[Counter, ...]],
    easy: Sequence[Trial],
    hard: Sequence[Trial] = (),
    options: SelectionOptions | None = None,
    budget: Budget = UNLIMITED,
    report: Callable[[str], None] | None = None,
    guards: tuple[StateDescriptor, ...] = (),
    processes: int = 1,
) -> Selection:
    """The program that plans best; `starts` are the programs that growth begins with.

    Every graph has the guards.
    """
    with scorer((easy, hard), processes) as scores:
        return _Search(
            valuations, starts, options or SelectionOptions(), budget, report, guards, scores
        ).run()


class _Search:
    def __init__(
        self,
        valuations: Valuations,
        starts: Sequence[tuple[Counter, ...]],
        options: SelectionOptions,
        budget: Budget,
        report: Callable[[str], None] | None,
        guards: tuple[StateDescriptor, ...],
        scorer: Scorer,
    ) -> None:
        self.scorer = scorer
        self.valuations = valuations
        self.guards = guards
        self.starts = starts
        self.options = options
        self.growth = budget.part(budget.remaining() * options.growth_share)
        self.budget = budget
        self.report = report or (lambda text: None)
        self.tried: dict[Key, Tried] = {}
        self.singles = [start[0] for start in starts if len(start) == 1]

    def run(self) -> Selection:
        frontier = [self._program(start) for start in self.starts]
        best: Score | None = None
        for _ in range(self.options.rounds):
            if not self._try(frontier):
                break
            leaders = self._ranked()[: self.options.beam]
            solved = best is not None and best.unsolved == 0
            if solved and best is not None and not _improves(leaders[0].score, best, self.options.gain):
                break
            best = leaders[0].score
            if self.growth.expired():
                break
            frontier = [each for leader in leaders for each in self._grown(leader.program)]
        ranked = self._ranked()
        if not ranked:
            return Selection(None, ())
        return Selection(self._chosen(self._final(ranked)), tuple(ranked))

    def _ranked(self) -> list[Tried]:
        return sorted(self.tried.values(), key=_rank)

    def _try(self, programs: Sequence[Program]) -> int:
        """Scores the programs that are new; how many these were."""
        new = {_key(each): each for each in programs if _key(each) not in self.tried}
        waiting = list(new.items())
        count = 0
        while waiting and not (self.growth.expired() and self.tried):
            batch, waiting = waiting[: self.options.together], waiting[self.options.together :]
            bound = self._bound()
            jobs = [Job(each.graph, EASY, bound, self.growth) for _, each in batch]
            for (key, each), result in zip(batch, self.scorer.scores(jobs), strict=True):
                self.tried[key] = Tried(each, result)
            count += len(batch)
            self.report(f"{len(self.tried)} graphs tried")
        return count

    def _bound(self) -> Score | None:
        if not self.tried:
            return None
        best = min(each.score for each in self.tried.values())
        return Score(best.unsolved + 1, self.options.patience * best.effort)

    def _final(self, ranked: Sequence[Tried]) -> list[Tried]:
        """The best programs with what they score on the harder trials added; the first one sets the
        bound for the others."""
        finalists = self._finalists(ranked)
        found: list[Tried] = []
        bound: Score | None = None
        for batch in (finalists[:1], finalists[1:]):
            if not batch or (found and self.budget.expired()):
                break
            jobs = [Job(each.program.graph, HARD, bound, self.budget) for each in batch]
            for each, result in zip(batch, self.scorer.scores(jobs), strict=True):
                found.append(Tried(each.program, each.score + result))
            best = min(each.score for each in found)
            bound = Score(best.unsolved, self.options.patience * best.effort)
            self.report(f"{len(found)} of {len(finalists)} graphs in the final")
        return found

    def _finalists(self, ranked: Sequence[Tried]) -> list[Tried]:
        """The best programs, and the least complex of those within the margin of the best."""
        least, effort, _ = _rank(ranked[0])
        limit = effort * (1 + self.options.margin)
        equals = [each for each in ranked if each.score.unsolved == least and _rank(each)[1] <= limit]
        simple = sorted(equals, key=lambda each: (each.program.complexity, _rank(each)))
        best = [each for each in ranked if each.score.unsolved == least]
        half = self.options.finalists // 2
        chosen = {_key(each.program): each for each in (*best[:half], *simple[:half], *best)}
        return list(chosen.values())[: self.options.finalists]

    def _chosen(self, finalists: Sequence[Tried]) -> Tried:
        """The least complex of those within the margin of the best."""
        ranked = sorted(finalists, key=_rank)
        unsolved, effort, _ = _rank(ranked[0])
        if unsolved:
            return ranked[0]
        limit = effort * (1 + self.options.margin)
        equals = [each for each in ranked if each.score.unsolved == 0 and _rank(each)[1] <= limit]
        return min(equals, key=lambda each: (each.program.complexity, _rank(each)))

    def _grown(self, program: Program) -> Iterator[Program]:
        counters = program.counters
        for counter in counters:
            for longer in further_counters(self.valuations, counter, self.options.further):
                yield self._replaced(program, counter, longer)
        used = {counter.rows[0] for counter in counters}
        for single in self.singles:
            if single.rows[0] not in used:
                yield self._program((*counters, single))
                yield self._program((single, *counters))

    def _replaced(self, program: Program, counter: Counter, by: Counter) -> Program:
        return self._program(tuple(by if each is counter else each for each in program.counters))

    def _program(self, counters: tuple[Counter, ...]) -> Program:
        features = self.valuations.features
        complexity = sum(weight(features[row]) for counter in counters for row in counter.rows)
        stones = [counter.stones for counter in counters]
        return Program(
            counters,
            loop_graph(features, counters, self.guards),
            complexity,
            gap_effort(self.valuations, stones),
            reach_the_end(self.valuations, stones),
        )


def _key(program: Program) -> Key:
    return tuple(counter.rows for counter in program.counters)


def _rank(tried: Tried) -> tuple[int, float, int]:
    """Where trials stay unsolved, the effort spent on them says little: there stepping stones that
    lie closer together in the training plans promise more."""
    effort = tried.score.effort if tried.score.unsolved == 0 else tried.program.gaps
    if not tried.program.complete:
        effort *= INCOMPLETE_WEIGHT
    return tried.score.unsolved, effort, tried.program.complexity


def _improves(score: Score, best: Score, gain: float) -> bool:
    if score.unsolved != best.unsolved:
        return score.unsolved < best.unsolved
    return score.effort < best.effort * (1 - gain)
