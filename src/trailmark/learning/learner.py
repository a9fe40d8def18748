"""Learning a model: trajectories, a program or else a landmark graph, practice, recipes.

The shape is scikit-learn's: `LandmarkLearner(options).fit(instances)` learns and returns itself, and
what was learned ends in an underscore.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import replace
from pathlib import Path

from trailmark.errors import InputError, NoGraphError, TimeLimitError
from trailmark.features.batch import evaluate
from trailmark.features.states import StateBatch, state_batch
from trailmark.landmarks.graph import LandmarkGraph
from trailmark.landmarks.progression import Satisfaction, graph_values, satisfies
from trailmark.learning.chain import ChainLearning, learn_chain
from trailmark.learning.counter import CounterLearning, CounterOptions, learn_counters
from trailmark.learning.nouns import Nouns
from trailmark.learning.options import LearnOptions
from trailmark.learning.practice import learn_practice
from trailmark.learning.recipes import Example, learn_recipes, solved_goal_by_goal
from trailmark.learning.selection import Tried
from trailmark.learning.training import (
    SeenLoop,
    TrainingInstance,
    record,
    versions,
)
from trailmark.limits import UNLIMITED, Budget, Progress, Stages
from trailmark.models.model import Candidate, Model, fit_estimate
from trailmark.programs.program import Program
from trailmark.task import Domain, Task, Trajectory, trajectory

COUNTER_SHARE = 0.8
"""The share of the time limit that `auto` gives to counter-first learning."""
TIMES = {
    "pool_s": ("pool", "features of"),
    "rules_s": ("rules",),
    "discovery_s": ("discovery", "graphs of"),
    "recipes_s": ("recipes",),
}
"""The stages whose seconds a model has, by how their names begin."""
KEPT_CANDIDATES = 12
"""So many of the programs that were tried stand in the model."""


class LandmarkLearner:
    """Learns a program or a landmark graph from solved instances of one domain.

    After `fit`: `guidance_`, `model_`, `chain_` and `counter_` (what each method found, None where it was
    not used or found nothing), `satisfaction_` (one answer a trajectory), `times_`
    (seconds by stage) and `notes_` (what a user should know).
    """

    guidance_: LandmarkGraph | Program
    model_: Model
    chain_: ChainLearning | None
    counter_: CounterLearning | None
    satisfaction_: list[Satisfaction]
    times_: dict[str, float]
    cut_short_: tuple[str, ...]
    """The stages that ended with the time they had."""

    def __init__(self, options: LearnOptions | None = None) -> None:
        self.options = options or LearnOptions()

    def fit(
        self,
        instances: Sequence[TrainingInstance],
        budget: Budget = UNLIMITED,
        progress: Progress | None = None,
        plans_seconds: float = 0.0,
        validation: Sequence[Task] = (),
        executor: Executor | None = None,
    ) -> LandmarkLearner:
        """Learns from the instances; `plans_seconds` is what their plans took, for the record.

        Programs are also tried on the tasks of `validation`, which need no plans, here or by an executor.
        """
        started = time.monotonic()
        stages = Stages(progress)
        domain = _common_domain(instances)
        paths = [trajectory(instance.task, instance.plan, instance.name) for instance in instances]
        batch = state_batch([(path.structure, path.states) for path in paths])
        self.chain_ = self.counter_ = None
        if self.options.method in ("auto", "counter") and self.options.functions is None:
            tasks = [instance.task for instance in instances]
            self._learn_counters(tasks, paths, budget, stages, validation, executor)
        if self._program is None and self.options.method != "counter":
            self._learn_chain(batch, budget, stages)
        method = self._choose()
        candidates = self._candidates()
        practice = None
        if isinstance(self.guidance_, Program):
            with stages.stage("practice", budget):
                if not budget.expired():
                    names = [Path(path.name).name for path in paths]
                    practice = learn_practice(self.guidance_, instances, names)
        self._learn_recipes(instances, budget, stages)
        self.cut_short_ = tuple(stages.cut_short)
        values = graph_values(self.guidance_, evaluate(self.guidance_.features, batch))
        self.satisfaction_ = [satisfies(self.guidance_, path) for path in values]
        counts = [self.guidance_.passes(path[0]) for path in values]
        self.times_ = _times(plans_seconds, stages.seconds, time.monotonic() - started)
        self.model_ = Model(
            guidance=self.guidance_,
            domain=domain.name,
            signature=domain.signature,
            method=method,
            training=tuple(
                record(instance, count, satisfied=bool(answer), reason="" if answer else str(answer))
                for instance, count, answer in zip(instances, counts, self.satisfaction_, strict=True)
            ),
            candidates=candidates,
            estimate=fit_estimate(counts, [len(instance.plan) for instance in instances]),
            options={**self.options.described(), "cut_short": ", ".join(self.cut_short_)},
            seed=self.options.seed,
            versions=versions(),
            times={name: round(value, 6) for name, value in self.times_.items()},
            vocabulary=domain.vocabulary,
            parameter_types=Nouns(domain, paths).of_parameters(),
            practice=practice,
        )
        return self

    def _learn_counters(
        self,
        tasks: Sequence[Task],
        paths: Sequence[Trajectory],
        budget: Budget,
        stages: Stages,
        validation: Sequence[Task],
        executor: Executor | None,
    ) -> None:
        share = budget.part(budget.remaining() * COUNTER_SHARE)
        options = CounterOptions(seed=self.options.seed)
        if self.options.complexity is not None:
            options = replace(options, complexities=(self.options.complexity,))
        self.counter_ = learn_counters(tasks, paths, options, share, stages, validation, executor)

    @property
    def _program(self) -> Tried | None:
        """The best program that counter-first learning found."""
        return self.counter_.selection.best if self.counter_ is not None else None

    def _learn_chain(self, batch: StateBatch, budget: Budget, stages: Stages) -> None:
        try:
            with stages.stage("chain", budget):
                self.chain_ = learn_chain(batch, self.options, budget, stages)
                stages.say(f"landmarks {len(self.chain_.discovery.graph)}")
        except TimeLimitError:
            if self.counter_ is None:
                budget.check("learning")  # what was not found in time may well exist
            raise NoGraphError(
                "no state function that the training plans agree on was found in time",
                hint="give a longer --time-limit, or smaller training problems",
            ) from None

    def _choose(self) -> str:
        """Sets the guidance and returns the method that found it: a program, or else a chain."""
        if self._program is not None:
            self.guidance_ = self._program.program.guidance
            return "counter"
        if self.chain_ is None:
            raise NoGraphError(
                "no feature counts down to one value in every training trajectory",
                hint="try --method chain, more training problems, or a higher --complexity",
            )
        self.guidance_ = self.chain_.discovery.graph
        return "paper" if self.options.method == "paper" else "chain"

    def _learn_recipes(self, instances: Sequence[TrainingInstance], budget: Budget, stages: Stages) -> None:
        """Gives a program recipes for its passes; what programs were tried on are trials here too."""
        if self.counter_ is None or not isinstance(self.guidance_, Program):
            return
        examples = [Example(instance.task, instance.plan.steps) for instance in instances]
        known = {id(instance.task) for instance in instances}
        others = [trial.task for trial in self.counter_.trials if id(trial.task) not in known]
        with stages.stage("recipes", budget):
            recipes = learn_recipes(self.guidance_, examples, others, self.options.seed, budget)
            stages.say(f"{len(recipes)} recipes")
            tasks = [*(example.task for example in examples), *others]
            goals = solved_goal_by_goal(self.guidance_, tasks, budget)
        self.guidance_ = replace(self.guidance_, recipes=recipes, goal_by_goal=goals)

    def _candidates(self) -> tuple[Candidate, ...]:
        """The best programs of the counter method as the model file keeps them, with the one chosen."""
        if self.counter_ is None:
            return ()
        selection = self.counter_.selection
        ranked = list(selection.tried[:KEPT_CANDIDATES])
        if selection.best is not None and selection.best.program not in [tried.program for tried in ranked]:
            ranked.append(selection.best)
        return tuple(
            Candidate(
                str(tried.program),
                tried.score.unsolved,
                tried.score.effort,
                tried.score.steps,
                tried.program.guidance == self.guidance_,
            )
            for tried in ranked
        )

    @property
    def notes_(self) -> list[str]:
        """What a user should know of how learning went."""
        if not self.cut_short_:
            return []
        stages = ", ".join(self.cut_short_)
        return [f"the time limit cut short: {stages}; with a longer one the model may be another"]

    @property
    def loops_(self) -> list[SeenLoop]:
        """Where loops lead, and how often each training trajectory accepts what they repeat."""
        guidance = self.guidance_
        targets = {position: position for position in guidance.repeated}
        if isinstance(guidance, LandmarkGraph):
            targets = {loop.source: loop.target for loop in guidance.loops}
        return [
            SeenLoop(
                source + 1,
                target + 1,
                tuple(
                    sum(found.landmark == source for found in answer.acceptances)
                    for answer in self.satisfaction_
                ),
            )
            for source, target in targets.items()
        ]

    @property
    def features_(self) -> dict[str, int]:
        """How many features were generated, and how many of them discovery chose from."""
        if self.model_.method == "counter" and self.counter_ is not None:
            known = len(self.counter_.valuations.features)
            return {"generated": self.counter_.features, "after_rules": known}
        pool = self.chain_.pool if self.chain_ else None
        kept = self.chain_.preprocessed if self.chain_ else None
        return {
            "generated": len(pool.features) if pool else 0,
            "after_rules": len(kept.descriptors.features) if kept else 0,
        }


def _times(plans: float, stages: Mapping[str, float], learning: float) -> dict[str, float]:
    """Seconds by what they were spent on, of those that the stages took."""
    spent = {"plans_s": plans} | {
        name: sum((seconds for stage, seconds in stages.items() if stage.startswith(known)), 0.0)
        for name, known in TIMES.items()
    }
    total = plans + learning
    return {**spent, "other_s": max(0.0, total - sum(spent.values())), "total_s": total}


def _common_domain(instances: Sequence[TrainingInstance]) -> Domain:
    if not instances:
        raise InputError("there are no training instances", hint="give at least one problem with a plan")
    domain = instances[0].task.domain
    for instance in instances:
        if instance.task.domain.signature != domain.signature:
            other = instance.task.domain.name
            raise InputError(
                f"the training instances belong to different domains, '{domain.name}' and '{other}'"
            )
    return domain
