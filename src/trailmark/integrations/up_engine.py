"""Trailmark as an engine of Unified Planning (the `up` extra).

    from trailmark.integrations.up_engine import register
    register()
    with OneshotPlanner(name="trailmark", params={"model": "model.json"}) as planner:
        result = planner.solve(problem)

The engine plans with a model file, with a model it learns from the problems it is given, or without
landmarks. Problems pass through Unified Planning's own PDDL writer, so that a model learned from PDDL
files fits the same domain read by Unified Planning, and the other way round.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import IO, Any

import unified_planning as up
from unified_planning.engines import Credits, Engine, LogMessage, OptimalityGuarantee
from unified_planning.engines.mixins import OneshotPlannerMixin
from unified_planning.engines.results import LogLevel, PlanGenerationResult, PlanGenerationResultStatus
from unified_planning.exceptions import UPException
from unified_planning.io import PDDLWriter
from unified_planning.model import Problem, ProblemKind
from unified_planning.plans import ActionInstance, SequentialPlan

from trailmark import __version__
from trailmark.api import LearnedModel, learn, load, planner_options, solve
from trailmark.errors import InputError, MemoryLimitError, SearchStatus, TimeLimitError, TrailmarkError
from trailmark.files import scratch_folder
from trailmark.limits import Budget
from trailmark.search.planner import PlanResult
from trailmark.task import Domain, Step, Task

NAME = "trailmark"
PARAMETERS = ("model", "problems", "learn_options", "memory_limit")
"""What the engine takes besides the options of planning."""

_FEATURES = (
    "ACTION_BASED", "FLAT_TYPING", "HIERARCHICAL_TYPING", "NEGATIVE_CONDITIONS",
    "DISJUNCTIVE_CONDITIONS", "EXISTENTIAL_CONDITIONS", "UNIVERSAL_CONDITIONS", "EQUALITIES",
    "CONDITIONAL_EFFECTS", "FORALL_EFFECTS", "STATIC_FLUENTS_IN_BOOLEAN_ASSIGNMENTS",
    "FLUENTS_IN_BOOLEAN_ASSIGNMENTS", "SIMPLE_NUMERIC_PLANNING", "GENERAL_NUMERIC_PLANNING",
    "INT_FLUENTS", "REAL_FLUENTS", "INCREASE_EFFECTS", "DECREASE_EFFECTS",
    "STATIC_FLUENTS_IN_NUMERIC_ASSIGNMENTS", "FLUENTS_IN_NUMERIC_ASSIGNMENTS", "ACTIONS_COST",
    "STATIC_FLUENTS_IN_ACTIONS_COST", "FLUENTS_IN_ACTIONS_COST", "INT_NUMBERS_IN_ACTIONS_COST",
    "REAL_NUMBERS_IN_ACTIONS_COST", "PLAN_LENGTH", "FINAL_VALUE",
)  # fmt: skip

_STATUSES = {
    SearchStatus.SOLVED: PlanGenerationResultStatus.SOLVED_SATISFICING,
    SearchStatus.UNSOLVABLE: PlanGenerationResultStatus.UNSOLVABLE_PROVEN,
    SearchStatus.NO_PLAN_FOUND: PlanGenerationResultStatus.UNSOLVABLE_INCOMPLETELY,
    SearchStatus.TIME_LIMIT: PlanGenerationResultStatus.TIMEOUT,
    SearchStatus.MEMORY_LIMIT: PlanGenerationResultStatus.MEMOUT,
}


class TrailmarkEngine(Engine, OneshotPlannerMixin):  # type: ignore[misc]
    """A one-shot planner guided by generalized landmarks.

    `model` is a model file, a graph in text, or a `LearnedModel`; `problems` are problems of the same
    domain to learn from instead, once, under `learn_options` (those of `trailmark.learn`). Without
    either it plans without landmarks. `options` are the fields of `PlannerOptions`.
    """

    def __init__(
        self,
        model: LearnedModel | str | os.PathLike[str] | None = None,
        problems: Sequence[Problem] | None = None,
        learn_options: Mapping[str, Any] | None = None,
        memory_limit: float | None = None,
        **options: Any,
    ) -> None:
        Engine.__init__(self)
        OneshotPlannerMixin.__init__(self)
        if model is not None and problems:
            raise InputError("give a model or problems to learn one from, not both")
        self._options = planner_options(PARAMETERS, **options)
        self._memory_limit = memory_limit
        self.model: LearnedModel | None = None
        if isinstance(model, LearnedModel):
            self.model = model
        elif model is not None:
            self.model = load(model)
        elif problems:
            self.model = learn_from(problems, **(learn_options or {}))

    @property
    def name(self) -> str:
        return NAME

    @staticmethod
    def supported_kind() -> ProblemKind:
        return ProblemKind(_FEATURES, version=2)

    @staticmethod
    def supports(problem_kind: ProblemKind) -> bool:
        return bool(problem_kind <= TrailmarkEngine.supported_kind())

    @staticmethod
    def satisfies(optimality_guarantee: OptimalityGuarantee) -> bool:
        return bool(optimality_guarantee == OptimalityGuarantee.SATISFICING)

    @staticmethod
    def get_credits(**_: Any) -> Credits:
        return Credits(
            NAME,
            "the Trailmark project",
            "",
            "",
            "GPL-3.0-or-later",
            f"Trailmark {__version__}: plans with generalized landmarks learned from a few solved instances.",
            "Trailmark learns a graph of generalized landmarks from a few small problems of a domain and "
            "uses it to solve far larger ones. Every plan is validated before it is returned.",
        )

    def _solve(
        self,
        problem: Problem,
        heuristic: Any = None,
        timeout: float | None = None,
        output_stream: IO[str] | None = None,
    ) -> PlanGenerationResult:
        if heuristic is not None:
            raise InputError("a heuristic of the caller is not supported", hint="use params={'heuristic': …}")
        try:
            written = WrittenProblem(problem)
            budget = Budget(timeout, self._memory_limit)
            result = solve(written.task, self.model, self._options, budget).result
        except TimeLimitError as reason:
            return _failed(PlanGenerationResultStatus.TIMEOUT, reason)
        except MemoryLimitError as reason:
            return _failed(PlanGenerationResultStatus.MEMOUT, reason)
        except (TrailmarkError, UPException) as reason:
            return _failed(PlanGenerationResultStatus.UNSUPPORTED_PROBLEM, reason)
        if output_stream is not None:
            output_stream.write(f"{NAME}: {result.status.value} by {result.strategy}\n")
        return PlanGenerationResult(
            _STATUSES[result.status],
            None if result.steps is None else written.plan(result.steps),
            engine_name=NAME,
            metrics=_metrics(result),
        )


class WrittenProblem:
    """A problem of Unified Planning as a task, with the way back for plans."""

    def __init__(self, problem: Problem) -> None:
        # All problems of a domain are to belong to one PDDL domain, whatever they are called.
        renamed = problem.clone()
        renamed.name = NAME
        self._problem = problem
        self._writer = PDDLWriter(renamed, rewrite_bool_assignments=True)
        self.domain_text: str = self._writer.get_domain()
        self.problem_text: str = self._writer.get_problem()

    @property
    def task(self) -> Task:
        """The task; a problem that Trailmark cannot read is a `PddlError`."""
        domain = Domain.parse(self.domain_text, "the problem's domain")
        return Task.parse(domain, self.problem_text, "the problem")

    def plan(self, steps: Sequence[Step]) -> SequentialPlan:
        """The plan in terms of the original problem."""
        problem, named = self._problem, self._writer.get_item_named
        actions = []
        for step in steps:
            objects = [problem.object(named(argument).name) for argument in step.arguments]
            arguments = tuple(map(problem.environment.expression_manager.ObjectExp, objects))
            actions.append(ActionInstance(problem.action(named(step.action).name), arguments))
        return SequentialPlan(actions, problem.environment)


def learn_from(problems: Sequence[Problem], **options: Any) -> LearnedModel:
    """A model from problems of one domain; `options` are those of `trailmark.learn`."""
    with scratch_folder("trailmark-up-") as folder:
        files = []
        for number, problem in enumerate(problems, start=1):
            written = WrittenProblem(problem)
            if number == 1:
                (folder / "domain.pddl").write_text(written.domain_text, encoding="utf-8")
            files.append(folder / f"problem{number}.pddl")
            files[-1].write_text(written.problem_text, encoding="utf-8")
        return learn(folder / "domain.pddl", files, **options)


def register(environment: Any = None) -> None:
    """Makes the engine known by its name to Unified Planning's factory, as other engines are."""
    known = environment if environment is not None else up.environment.get_environment()
    known.factory.add_engine(NAME, __name__, TrailmarkEngine.__name__)


def _metrics(result: PlanResult) -> dict[str, str]:
    counts = result.statistics
    return {
        "engine_internal_time": f"{result.total_time_s:.4f}",
        "expanded": str(counts.expanded),
        "generated": str(counts.generated),
        "strategy": result.strategy,
    }


def _failed(status: PlanGenerationResultStatus, reason: Exception) -> PlanGenerationResult:
    message = LogMessage(LogLevel.ERROR, str(reason))
    return PlanGenerationResult(status, None, engine_name=NAME, log_messages=[message])
