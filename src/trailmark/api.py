"""The library for notebooks and programs: learn a model, plan with it, explain what it did.

    model = learn("domain.pddl", ["t1.pddl", "t2.pddl"])
    solution = model.plan("large.pddl")
    print(model.explain(solution))

What the command line does, these do in the calling process: nothing is printed and nothing exits. What only
learning and reports need is imported where it is used: planning starts without it.
"""

from __future__ import annotations

import os
import re
import warnings
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from trailmark.errors import InputError, ModelError, Place, check_options
from trailmark.features.incremental.evaluation import bind
from trailmark.features.text import check as check_feature
from trailmark.files import read_text
from trailmark.landmarks.graph import LandmarkGraph
from trailmark.landmarks.progression import Satisfaction, satisfies, values_along
from trailmark.limits import LEARN_SECONDS, UNLIMITED, Budget
from trailmark.models.document import save
from trailmark.models.model import Expectation, Model, expect
from trailmark.models.reading import loads
from trailmark.programs.program import Program, parse_guidance
from trailmark.search.planner import PlannerOptions
from trailmark.search.planner import plan as search_plan
from trailmark.search.result import Progress
from trailmark.solution import ExplainedPlan, File, Solution
from trailmark.task import Domain, Plan, Step, Task, read_plan, trajectory

if TYPE_CHECKING:
    from trailmark.discovery.functions import UserFunctions
    from trailmark.learning.learner import LandmarkLearner
    from trailmark.learning.options import LearnOptions
    from trailmark.learning.sources import PlanSource
    from trailmark.learning.training import TrainingInstance
    from trailmark.report.words import Words

PLAN_SHARE = 0.5
"""The share of the time limit that one training plan may take."""


@dataclass(frozen=True)
class LearnedModel:
    """A landmark graph or a program with where it came from, ready to plan with."""

    model: Model
    """The content of the model file."""
    domain: Domain | None = None
    """The domain, where it is known: problems can then be named alone, and words are better."""
    learner: LandmarkLearner | None = field(default=None, compare=False, repr=False)
    """What learning found besides; None for a model from a file."""

    @property
    def guidance(self) -> LandmarkGraph | Program:
        """The landmarks and loops, or the counters."""
        return self.model.guidance

    def __str__(self) -> str:
        """What was learned, in words, as `trailmark show` prints it."""
        from trailmark.report.text import model_text

        return model_text(self.model, self.words)

    def __repr__(self) -> str:
        landmarks, loops = len(self.guidance), len(self.guidance.repeated)
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
        settings = planner_options(("time_limit", "memory_limit", "on_plan"), **options)
        budget = Budget(time_limit, memory_limit)
        return solve(self.task(*task), self, settings, budget, on_plan=on_plan)

    def expect(self, *task: Task | File) -> Expectation:
        """Passes and plan length that the loop counters promise in the initial state of a task."""
        known = self.task(*task)
        initial = bind(self.guidance.features, known.structure).start(known.initial_interpretation)
        return expect(self.guidance, self.model.estimate, initial.values)

    def check(self, plan: Solution | Plan | File, *task: Task | File) -> Satisfaction:
        """Whether the states a plan visits satisfy the guidance, and if not, why.

        The task is named as for `task`; a `Solution` knows its own.
        """
        known, steps, name = self._known_plan(plan, task)
        path = trajectory(known, steps, name)
        return satisfies(self.guidance, values_along(self.guidance, path.structure, path.states))

    def explain(self, plan: Solution | Plan | File, *task: Task | File) -> ExplainedPlan:
        """Tells a plan by its landmarks or passes; plan and task are named as for `check`."""
        from trailmark.report.explain import explain
        from trailmark.report.words import Words

        known, steps, name = self._known_plan(plan, task)
        words = Words.of(self.model, known.domain.vocabulary, known.domain.parameter_types)
        return ExplainedPlan(explain(self.model, known, steps, words, name))

    def _repr_html_(self) -> str:
        from trailmark.report.html import model_html

        return model_html(self.model, self.words)

    def _repr_svg_(self) -> str:
        from trailmark.report import graph_svg, outline

        return graph_svg(outline(self.model, self.words))

    def _known_plan(
        self, plan: Solution | Plan | File, task: tuple[Task | File, ...]
    ) -> tuple[Task, Plan, str]:
        """The task, the plan, and the plan's file where it has one."""
        if isinstance(plan, Solution):
            return plan.task, plan.plan, ""
        known = self.task(*task)
        return (known, plan, "") if isinstance(plan, Plan) else (known, read_plan(plan), os.fspath(plan))

    @property
    def words(self) -> Words:
        """How the guidance is put in words."""
        from trailmark.report.words import Words

        if self.domain is None:
            return Words.of(self.model)
        return Words.of(self.model, self.domain.vocabulary, self.domain.parameter_types)


def solve(
    task: Task,
    model: LearnedModel | None = None,
    options: PlannerOptions | None = None,
    budget: Budget = UNLIMITED,
    progress: Progress | None = None,
    on_plan: Callable[[tuple[Step, ...], float], None] | None = None,
) -> Solution:
    """Solves a task with a model or, without one, by search alone; the plan is validated."""
    if model is not None:
        model.task(task)
    guidance = model.guidance if model else None
    return Solution(task, search_plan(task, guidance, options or PlannerOptions(), budget, progress, on_plan))


def learn(
    domain: File,
    problems: Sequence[File],
    plans: Sequence[File] | str | PlanSource | None = None,
    *,
    functions: str | UserFunctions | None = None,
    validation: Sequence[File] = (),
    time_limit: float = LEARN_SECONDS,
    jobs: int = 1,
    cluster: str | None = None,
    progress: Callable[[str, str], None] | None = None,
    **options: Any,
) -> LearnedModel:
    """Learns a landmark graph or a program from training problems of a domain.

    `plans` are plan files in the problems' order, the name of a source as for `--plans-from`, or a
    `PlanSource` of your own; without them the embedded search finds plans. `functions` are your own
    state functions, as text. `validation` are further problems, without plans, that graphs are tried on.
    So many `jobs` are done at once, or those of the Dask `cluster` at an address; the result is the same.
    `options` are the fields of `LearnOptions`. `progress` is told the stage at work and a word on how far
    it is. What a user should know is a `UserWarning`.
    """
    from trailmark.executors import parallel
    from trailmark.learning.training import load_training

    budget = Budget(time_limit)
    settings = learn_options(functions, **options)
    if isinstance(problems, str | os.PathLike):
        raise InputError("the problems are one file", hint="give a list of files")
    names, seconds = [os.fspath(problem) for problem in problems], time_limit * PLAN_SHARE
    source, files = plans or "auto", list[str]()
    if not isinstance(source, str) and isinstance(source, Sequence):
        source, files = "files", [os.fspath(plan) for plan in source]
    with parallel(jobs, cluster) as executor:
        training = load_training(domain, names, source, files, seconds=seconds, executor=executor)
        learned = fit(training.instances, settings, budget, progress, training.seconds, validation, executor)
    assert learned.learner is not None
    for note in (*training.notes, *learned.learner.notes_):
        warnings.warn(note, UserWarning, stacklevel=2)
    return learned


def fit(
    instances: Sequence[TrainingInstance],
    options: LearnOptions,
    budget: Budget = UNLIMITED,
    progress: Callable[[str, str], None] | None = None,
    plans_seconds: float = 0.0,
    validation: Sequence[File] = (),
    executor: Executor | None = None,
) -> LearnedModel:
    """Learns from tasks that have plans; `plans_seconds` is what these took, for the record."""
    from trailmark.learning.learner import LandmarkLearner

    domain = instances[0].task.domain
    further = [Task.load(domain, problem) for problem in validation]
    learner = LandmarkLearner(options).fit(instances, budget, progress, plans_seconds, further, executor)
    return LearnedModel(learner.model_, domain, learner)


def learn_options(functions: str | UserFunctions | None = None, **options: Any) -> LearnOptions:
    """The options of learning; `functions` are a user's state functions, as text."""
    from trailmark.discovery.functions import parse_functions
    from trailmark.learning.options import LearnOptions

    given = parse_functions(functions, "functions") if isinstance(functions, str) else functions
    check_options(options, LearnOptions, LEARN_NAMES)
    return LearnOptions(functions=given, **options)


def load(path: File, domain: Domain | File | None = None) -> LearnedModel:
    """The model of a file: one that was learned, or a graph or program written by hand in text.

    With its domain, the model is checked against it and problems can be named alone.
    """
    text = read_text(path, "model file")
    _refuse_pddl(text, path)
    known = domain if domain is None or isinstance(domain, Domain) else Domain.load(domain)
    if text.lstrip().startswith("{"):
        model = loads(text, os.fspath(path))
    else:
        name, signature = (known.name, known.signature) if known else (ANY_DOMAIN, "")
        guidance = parse_guidance(text, os.fspath(path))
        model = Model(guidance=guidance, domain=name, signature=signature, method=HAND_WRITTEN)
    if known is not None:
        _require_domain(model, known)
    return LearnedModel(model, known)


def _refuse_pddl(text: str, path: File) -> None:
    found = re.match(r"(?:\s|;.*\n)*\(\s*define\s*\(\s*(domain|problem)\b", text, re.IGNORECASE)
    if found:
        hint = "the model comes first, then the domain and the problem"
        message = f"expected a model, this file is a PDDL {found[1].lower()}"
        raise ModelError(message, place=Place(os.fspath(path)), hint=hint)


HAND_WRITTEN = "hand-written"
"""The method of a graph in text, which fits every domain that has its predicates."""
ANY_DOMAIN = "any"


def _require_domain(model: Model, domain: Domain) -> None:
    if model.method != HAND_WRITTEN:
        model.check_domain(domain.name, domain.signature)
        return
    for feature in model.guidance.features:
        check_feature(feature, domain.vocabulary)


def planner_options(further: Sequence[str] = (), /, **options: Any) -> PlannerOptions:
    """The options of planning, by the names of the fields of `PlannerOptions`; `further` are names that the
    caller takes besides, for the message where there is no such option."""
    check_options(options, PlannerOptions, further)
    return PlannerOptions(**options)


LEARN_NAMES = ("plans", "validation", "time_limit", "jobs", "cluster", "progress")
"""What `learn` takes besides the fields of `LearnOptions`."""
