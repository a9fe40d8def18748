"""The library for notebooks and programs: learn a model, plan with it, explain what it did.

    model = learn("domain.pddl", ["t1.pddl", "t2.pddl"])
    solution = model.plan("large.pddl")
    print(model.explain(solution))

What the command line does, these do in the calling process: nothing is printed and nothing exits.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from trailmark.discovery import UserFunctions, parse_functions
from trailmark.errors import InputError
from trailmark.features.batch import evaluate
from trailmark.features.check import check as check_feature
from trailmark.features.states import state_batch
from trailmark.files import read_text, write_text
from trailmark.landmarks import (
    LandmarkGraph,
    Model,
    Satisfaction,
    graph_values,
    loads,
    parse_graph,
    satisfies,
    save,
)
from trailmark.learning.learner import LandmarkLearner, LearnOptions, TrainingInstance
from trailmark.learning.sources import PlanSource, collect_plans
from trailmark.learning.training import TrainingSet, load_training
from trailmark.limits import Budget
from trailmark.report.explain import Explanation, explain
from trailmark.report.explaintext import explanation_json, explanation_text
from trailmark.report.html import page
from trailmark.report.notebook import explanation_html, model_html, model_svg
from trailmark.report.text import model_text
from trailmark.report.words import Words
from trailmark.search.planner import PlannerOptions, PlanResult
from trailmark.search.planner import plan as search_plan
from trailmark.task import Domain, Plan, Step, Task, plan_text, read_plan, trajectory, write_plan
from trailmark.task.status import SearchStatus

DEFAULT_LEARN_SECONDS = 60.0
PLAN_SHARE = 0.5
"""The share of the time limit that one training plan may take."""

File = str | os.PathLike[str]


@dataclass(frozen=True)
class Solution:
    """What planning gave for one task: a status, the plan if there is one, and what it took."""

    task: Task
    result: PlanResult
    """Status, cost, statistics, strategy and times of the search."""

    def __bool__(self) -> bool:
        """Whether there is a plan."""
        return self.result.steps is not None

    def __len__(self) -> int:
        """The number of steps; 0 where there is no plan."""
        return len(self.result.steps or ())

    def __str__(self) -> str:
        """The plan in Fast Downward's format, or why there is none."""
        steps = self.result.steps
        if steps is None:
            return f"; {self.status.value}\n"
        return plan_text(steps, self.result.cost, unit_cost=self.task.model.minimize is None)

    def __repr__(self) -> str:
        length = f", {len(self)} steps" if self else ""
        return f"<solution of {self.task.name}: {self.status.value}{length}>"

    @property
    def status(self) -> SearchStatus:
        """Solved, proved unsolvable, no plan found, or the limit that was reached."""
        return self.result.status

    @property
    def plan(self) -> Plan:
        """The validated plan; an `InputError` where there is none."""
        if self.result.steps is None:
            raise InputError(f"{self.task.name} has no plan: {self.status.value}")
        return Plan(self.result.steps)

    def save(self, path: File) -> None:
        """Writes the plan in Fast Downward's format; the file is whole or not there."""
        write_plan(path, self.plan.steps, self.result.cost, unit_cost=self.task.model.minimize is None)


@dataclass(frozen=True)
class ExplainedPlan:
    """A plan told by its landmarks: which steps achieve which, in which pass, where it leaves the graph."""

    explanation: Explanation
    """The parts it is told from: stretches of actions, passes of loops, departures from the graph."""

    def __bool__(self) -> bool:
        """Whether the plan follows the graph from beginning to end."""
        return self.explanation.follows

    def __str__(self) -> str:
        """The explanation as `trailmark explain` prints it."""
        return explanation_text(self.explanation)

    def as_json(self) -> dict[str, Any]:
        """The explanation as `trailmark explain --json` gives it."""
        return explanation_json(self.explanation)

    def save(self, path: File) -> None:
        """Writes the page with the graph and the plan's timeline; it needs no network."""
        write_text(path, page(self.explanation.outline, self.explanation))

    def _repr_html_(self) -> str:
        return explanation_html(self.explanation)


@dataclass(frozen=True)
class LearnedModel:
    """A landmark graph with where it came from, ready to plan with."""

    model: Model
    """The content of the model file."""
    domain: Domain | None = None
    """The domain, where it is known: problems can then be named alone, and words are better."""

    @property
    def graph(self) -> LandmarkGraph:
        """The landmarks and loops."""
        return self.model.graph

    def __str__(self) -> str:
        """The graph in words, as `trailmark show` prints it."""
        return model_text(self.model, self._words)

    def __repr__(self) -> str:
        landmarks, loops = len(self.graph.landmarks), len(self.graph.loops)
        return f"<model of {self.model.domain}: landmarks {landmarks}, loops {loops}>"

    def save(self, path: File) -> None:
        """Writes the model file; it is whole or not there."""
        save(self.model, Path(path))

    def task(self, *task: Task | File) -> Task:
        """The task of a `Task`, a problem file, or a domain file and a problem file."""
        match task:
            case (Task() as known,):
                loaded = known
            case (problem,) if self.domain is not None and not isinstance(problem, Task):
                return Task.load(self.domain, problem)
            case (domain, problem) if not isinstance(domain, Task) and not isinstance(problem, Task):
                loaded = Task.load(domain, problem)
            case _:
                raise InputError("name the task", hint="give a Task, or a domain file and a problem file")
        _require_domain(self.model, loaded.domain)
        return loaded

    def plan(
        self,
        *task: Task | File,
        time_limit: float | None = None,
        memory_limit: float | None = None,
        on_plan: Callable[[tuple[Step, ...], float], None] | None = None,
        **options: Any,
    ) -> Solution:
        """Solves a task, given as for `task`; the plan is validated.

        Limits are seconds and megabytes. `options` are the fields of `PlannerOptions`, as in
        `search="leap"` or `anytime=True`. `on_plan` is told every plan found and its cost.
        """
        budget = Budget(time_limit, memory_limit)
        settings = PlannerOptions(**_known(options, PlannerOptions))
        known = self.task(*task)
        return Solution(known, search_plan(known, self.graph, settings, budget, None, on_plan))

    def check(self, plan: Solution | Plan | File, *task: Task | File) -> Satisfaction:
        """Whether the states a plan visits satisfy the graph, and if not, why.

        The task is named as for `task`; a `Solution` knows its own.
        """
        known, steps = self._known_plan(plan, task)
        path = trajectory(known, steps)
        values = evaluate(self.graph.features, state_batch([(path.structure, path.states)]))
        (states,) = graph_values(self.graph, values)
        return satisfies(self.graph, states)

    def explain(self, plan: Solution | Plan | File, *task: Task | File) -> ExplainedPlan:
        """Tells a plan by the landmarks of the graph; plan and task are named as for `check`."""
        known, steps = self._known_plan(plan, task)
        words = Words(known.domain.vocabulary, known.domain.parameter_types)
        if self.model.vocabulary is not None:
            words = Words.of(self.model)
        return ExplainedPlan(explain(self.model, known, steps, words))

    def _repr_html_(self) -> str:
        return model_html(self.model, self._words)

    def _repr_svg_(self) -> str:
        return model_svg(self.model, self._words)

    def _known_plan(self, plan: Solution | Plan | File, task: tuple[Task | File, ...]) -> tuple[Task, Plan]:
        if isinstance(plan, Solution):
            return plan.task, plan.plan
        return self.task(*task), plan if isinstance(plan, Plan) else read_plan(plan)

    @property
    def _words(self) -> Words:
        if self.model.vocabulary is None and self.domain is not None:
            return Words(self.domain.vocabulary, self.domain.parameter_types)
        return Words.of(self.model)


def learn(
    domain: File,
    problems: Sequence[File],
    plans: Sequence[File] | str | PlanSource | None = None,
    *,
    functions: str | UserFunctions | None = None,
    validation: Sequence[File] = (),
    time_limit: float = DEFAULT_LEARN_SECONDS,
    jobs: int = 1,
    progress: Callable[[str, str], None] | None = None,
    **options: Any,
) -> LearnedModel:
    """Learns a landmark graph from training problems of a domain.

    `plans` are plan files in the problems' order, the name of a source as for `--plans-from`, or a
    `PlanSource` of your own; without them the embedded search finds plans. `functions` are your own
    state functions, as text. `validation` are further problems, without plans, that graphs are tried on.
    `options` are the fields of `LearnOptions`. `progress` is told the stage
    at work and a word on how far it is. What a user should know is a `UserWarning`.
    """
    budget = Budget(time_limit)
    given = parse_functions(functions, "functions") if isinstance(functions, str) else functions
    settings = LearnOptions(functions=given, **_known(options, LearnOptions))
    training = _training(domain, problems, plans, time_limit * PLAN_SHARE, jobs)
    for note in training.notes:
        warnings.warn(note, UserWarning, stacklevel=2)
    known = training.instances[0].task.domain
    further = [Task.load(known, each) for each in validation]
    learner = LandmarkLearner(settings).fit(
        training.instances, budget, progress, training.seconds, further, jobs
    )
    return LearnedModel(learner.model_, known)


def load(path: File, domain: Domain | File | None = None) -> LearnedModel:
    """The model of a file: one that was learned, or a landmark graph written by hand in text.

    With its domain, the model is checked against it and problems can be named alone.
    """
    text = read_text(path, "model file")
    known = domain if domain is None or isinstance(domain, Domain) else Domain.load(domain)
    if text.lstrip().startswith("{"):
        model = loads(text, os.fspath(path))
    else:
        name, signature = (known.name, known.signature) if known else (ANY_DOMAIN, "")
        graph = parse_graph(text, os.fspath(path))
        model = Model(graph=graph, domain=name, signature=signature, method=HAND_WRITTEN)
    if known is not None:
        _require_domain(model, known)
    return LearnedModel(model, known)


HAND_WRITTEN = "hand-written"
"""The method of a graph in text, which fits every domain that has its predicates."""
ANY_DOMAIN = "any"


def _require_domain(model: Model, domain: Domain) -> None:
    if model.method != HAND_WRITTEN:
        model.check_domain(domain.name, domain.signature)
        return
    for feature in model.graph.features:
        check_feature(feature, domain.vocabulary)


def _known(options: dict[str, Any], kind: type) -> dict[str, Any]:
    names = kind.__dataclass_fields__  # type: ignore[attr-defined]
    for name in options:
        if name not in names:
            raise InputError(f"there is no option '{name}'", hint=f"use one of {', '.join(sorted(names))}")
    return options


def _training(
    domain: File,
    problems: Sequence[File],
    plans: Sequence[File] | str | PlanSource | None,
    seconds: float,
    jobs: int,
) -> TrainingSet:
    names = [os.fspath(each) for each in problems]
    if plans is None or isinstance(plans, str):
        return load_training(os.fspath(domain), names, plans or "embedded", seconds=seconds, jobs=jobs)
    if isinstance(plans, Sequence):
        files = [os.fspath(each) for each in plans]
        return load_training(os.fspath(domain), names, "files", files, seconds=seconds, jobs=jobs)
    known = Domain.load(domain)
    found = collect_plans(plans, domain, names, seconds=seconds)
    solved = [each for each in found if each.plan is not None]
    if not solved:
        raise InputError(
            f"no training problem has a plan: {found[0].reason}" if found else "no problems given"
        )
    return TrainingSet(
        tuple(
            TrainingInstance(Task.load(known, each.problem), each.plan, each.problem)
            for each in solved
            if each.plan is not None
        ),
        sum(each.seconds for each in found),
        tuple(f"{each.problem} is left out: {each.reason}" for each in found if each.plan is None),
    )
