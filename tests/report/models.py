"""Models that the tests of reports show: learned from given plans, or counters written down."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from importlib.resources import files
from pathlib import Path

from msgspec import structs

from tests.enginesearch import embedded_search
from trailmark.domains import domain_text, test_problem, train_problems
from trailmark.landmarks.graph import LandmarkGraph
from trailmark.learning.learner import LandmarkLearner
from trailmark.learning.options import LearnOptions
from trailmark.learning.practice import learn_practice
from trailmark.learning.training import TrainingInstance
from trailmark.models.model import Model
from trailmark.programs.program import parse_program
from trailmark.task import Domain, Plan, Task, parse_plan

HERE = Path(__file__).parent
PAPER = files("trailmark.bench") / "paper_delivery"
NAMES = ("delivery", "ferry", "newspapers", "baking", "miconic")
COMPLEXITY = 7
PAPER_COMPLEXITY = 9


@cache
def domain(name: str) -> Domain:
    return Domain.parse(domain_text(name))


@cache
def instances(name: str) -> tuple[TrainingInstance, ...]:
    """The paper's instances and plans for Delivery, else the training preset with recorded plans: the
    engine's search may find another plan on another run."""
    if name == "delivery":
        problems = [(PAPER / f"t0{k}.pddl").read_text(encoding="utf-8") for k in range(1, 6)]
        plans = [(PAPER / f"t0{k}.fd.plan").read_text(encoding="utf-8") for k in range(1, 6)]
    else:
        problems = train_problems(name)
        plans = [(HERE / "plans" / f"{name}-{k}.plan").read_text(encoding="utf-8") for k in range(1, 6)]
    tasks = [Task.parse(domain(name), text) for text in problems]
    return tuple(TrainingInstance(task, parse_plan(plan)) for task, plan in zip(tasks, plans, strict=True))


@cache
def chain_model(name: str) -> Model:
    """The chain learned from these plans."""
    complexity = PAPER_COMPLEXITY if name == "delivery" else COMPLEXITY
    learner = LandmarkLearner(LearnOptions(method="chain", complexity=complexity))
    return learner.fit(instances(name)).model_


@cache
def counter_model(name: str) -> Model:
    """A program, as counter-first learning finds them, in the names of the same domain."""
    program = parse_program((HERE / "graphs" / f"{name}.graph").read_text(encoding="utf-8"), name)
    learned = chain_model(name)
    records = tuple(structs.replace(each, passes=(1,) * len(program)) for each in learned.training)
    names = [f"{name}-{place}" for place in range(1, len(records) + 1)]
    practice = learn_practice(program, instances(name), names)
    told = replace(learned, guidance=program, method="counter", estimate=None)
    return replace(told, training=records, practice=practice)


def formulas(model: Model) -> list[str]:
    """Every formula that a full report of the model has."""
    guidance = model.guidance
    if isinstance(guidance, LandmarkGraph):
        return [str(function) for function in guidance.functions]
    return [str(each) for counter in guidance.counters for each in (counter, counter.value, counter.finished)]


def larger_task(name: str) -> Task:
    """A task that is larger than those of training."""
    return Task.parse(domain(name), test_problem(name, 2))


def solved(task: Task) -> Plan:
    """Some plan."""
    plan = embedded_search(task, "gbfs", "ff").plan
    assert plan is not None
    return plan
