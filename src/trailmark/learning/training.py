"""The training set: solved instances as the learner takes them, the classes of their goals, what a model
keeps of them, and advice on it: what about it makes a model worse, one sentence each.

A landmark graph is learned for one class of problems (the paper's Section 3.1): those whose goals use the
same predicates over the same types. A mixed training set is reported by class, and can be split.
"""

from __future__ import annotations

import hashlib
import logging
import os
import platform
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import NamedTuple

from trailmark import __version__
from trailmark.errors import InputError, NoGraphError, PlanError, TimeLimitError
from trailmark.landmarks.functions import Guidance, StateDescriptor
from trailmark.landmarks.graph import LandmarkGraph
from trailmark.learning.sources import PlanFile, PlanSource, SourcedPlan, collect_plans, sources_named
from trailmark.learning.trials import training_trial
from trailmark.learning.validation import try_on
from trailmark.models.model import Model, TrainingRecord
from trailmark.programs.program import Program
from trailmark.search.shorten import shorten
from trailmark.task import Domain, Plan, Task, Trajectory, trajectory


@dataclass(frozen=True)
class TrainingInstance:
    """A solved instance, with the files it came from where there are any."""

    task: Task
    plan: Plan
    problem_file: str | None = None
    plan_file: str | None = None

    @property
    def name(self) -> str:
        return self.problem_file or self.task.name


class SeenLoop(NamedTuple):
    """A loop of what was learned, with its landmarks counted from 1."""

    source: int
    target: int
    accepted: tuple[int, ...]

    def __str__(self) -> str:
        return f"{self.source} → {self.target}: {', '.join(map(str, self.accepted))}"


def record(
    instance: TrainingInstance, counts: tuple[int, ...], *, satisfied: bool, reason: str
) -> TrainingRecord:
    """What a model keeps of an instance, and how its plan fits the graph."""
    problem, plan = instance.problem_file, instance.plan_file
    return TrainingRecord(
        problem=Path(problem).name if problem else instance.task.name,
        problem_sha256=_sha256(problem),
        plan=Path(plan).name if plan else None,
        plan_sha256=_sha256(plan) if plan else None,
        length=len(instance.plan),
        passes=counts,
        satisfied=satisfied,
        reason=reason,
    )


def _sha256(path: str | None) -> str:
    data = Path(path).read_bytes() if path else b""
    return hashlib.sha256(data).hexdigest()


def versions() -> dict[str, str]:
    """Of this program and of what it uses."""
    found = {"trailmark": __version__, "python": platform.python_version()}
    for name in ("pymimir", "numpy", "clingo"):
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found


GoalShape = tuple[tuple[str, tuple[str, ...]], ...]
"""The predicates of a goal, each with the types of its objects, sorted."""


@dataclass(frozen=True)
class ProblemClass:
    shape: GoalShape
    members: tuple[int, ...]
    """The positions of its instances in the training set."""

    def __str__(self) -> str:
        return ", ".join(f"({' '.join((predicate, *types))})" for predicate, types in self.shape) or "no goal"


def goal_shape(task: Task) -> GoalShape:
    """What the goal of an instance is about, without its objects."""
    declared = {
        thing.name: "/".join(thing.types) for thing in (*task.domain.model.constants, *task.model.objects)
    }
    shapes: set[tuple[str, tuple[str, ...]]] = set()
    for atom in task.goal.positive:
        symbol, arguments = task.structure.decode(atom)
        types = tuple(declared[task.structure.objects[argument]] for argument in arguments)
        shapes.add((task.domain.vocabulary.symbols[symbol].name, types))
    return tuple(sorted(shapes))


def problem_classes(tasks: Sequence[Task]) -> list[ProblemClass]:
    """The classes in the order of their first instance."""
    members: dict[GoalShape, list[int]] = {}
    for position, task in enumerate(tasks):
        members.setdefault(goal_shape(task), []).append(position)
    return [ProblemClass(shape, tuple(positions)) for shape, positions in members.items()]


@dataclass(frozen=True)
class TrainingSet:
    instances: tuple[TrainingInstance, ...]
    seconds: float
    """What the plans took."""
    notes: tuple[str, ...]
    """What a user should know: problems left out, goals of different classes."""

    def by_class(self) -> list[tuple[TrainingInstance, ...]]:
        """The instances of each problem class."""
        classes = problem_classes([instance.task for instance in self.instances])
        return [tuple(self.instances[place] for place in problem_class.members) for problem_class in classes]


def load_training(
    domain: str | os.PathLike[str],
    problems: Sequence[str],
    source: str | PlanSource = "auto",
    plans: Sequence[str] = (),
    *,
    seconds: float = 30.0,
    executor: Executor | None = None,
    progress: Callable[[SourcedPlan], None] | None = None,
) -> TrainingSet:
    """Reads the problems and gets a plan for each, all within the seconds.

    Where a planner finds no plan the problem is left out with a note; a plan file must fit its problem.
    """
    known = Domain.load(domain)
    read = {name: Task.load(known, name) for name in dict.fromkeys(problems)}
    tasks = [read[name] for name in problems]
    if isinstance(source, str):
        sources = sources_named(source, len(tasks), plans)
    else:
        sources = [source] * len(tasks)
    found = collect_plans(sources, tasks, seconds=seconds, executor=executor, progress=progress)
    notes: list[str] = []
    instances: list[TrainingInstance] = []
    for origin, task, sought in zip(sources, tasks, found, strict=True):
        if sought.plan is None:
            if isinstance(origin, PlanFile):
                raise InputError(f"the plan for {sought.problem} cannot be used: {sought.reason}")
            notes.append(f"{sought.problem} is left out: {sought.reason}")
            continue
        plan_file = origin.of(sought.problem) if isinstance(origin, PlanFile) else None
        instances.append(TrainingInstance(task, sought.plan, sought.problem, plan_file))
    if not instances:
        first = f"no training problem has a plan; {found[0].problem}: {found[0].reason}" if found else ""
        raise InputError(
            first or "there are no problems to learn from",
            hint="give smaller problems, a longer --time-limit, plan files, or another --plans-from",
        )
    classes = problem_classes([instance.task for instance in instances])
    if len(classes) > 1:
        described = "; ".join(f"{problem_class} in {len(problem_class.members)}" for problem_class in classes)
        notes.append(f"the goals are of {len(classes)} classes: {described} (--split learns each apart)")
    return TrainingSet(tuple(instances), sum(sourced.seconds for sourced in found), tuple(notes))


def shortened(instance: TrainingInstance, name: str) -> Trajectory:
    """The states of its plan without needless actions."""
    try:
        return trajectory(instance.task, Plan(shorten(instance.task, instance.plan.steps)), name)
    except PlanError:
        return trajectory(instance.task, instance.plan, name)


_log = logging.getLogger(__name__)

FEWEST = 3
"""With fewer instances, what they share by chance looks like a law."""
MOST_SHARE = 0.8
"""Plans that take more than this share of their time leave others out, or come near it."""
LEAST_BOUND = 2
"""A number from here on in a model is probably one of the training problems; 0 and 1 hold in all sizes."""


def advice(training: TrainingSet, plan_seconds: float) -> Iterator[str]:
    """What a user should change about the training set; `plan_seconds` is what plans could take."""
    instances = training.instances
    if len(instances) < FEWEST:
        many = "1 training problem" if len(instances) == 1 else f"{len(instances)} training problems"
        yield f"only {many}: give {FEWEST} to 5 that differ in size"
    elif len({_size(instance) for instance in instances}) == 1:
        yield (
            "all training problems have as many objects and goals: give some that are larger, with two and "
            "more of everything"
        )
    yield from _repeated(instances)
    solved = [instance.name for instance in instances if not len(instance.plan)]
    if solved:
        yield f"nothing is to be done in {', '.join(solved)}: the goal holds at the beginning"
    if training.seconds > MOST_SHARE * plan_seconds:
        yield (
            f"plans took {training.seconds:.1f} of {plan_seconds:.1f} s: give smaller problems, plan files "
            "(--plan) or another source (--plans-from)"
        )


def _size(instance: TrainingInstance) -> tuple[int, int]:
    return len(instance.task.structure.objects), len(instance.task.goal.positive)


def _repeated(instances: Sequence[TrainingInstance]) -> Iterator[str]:
    """The instances that say the same as an earlier one."""
    seen: dict[object, str] = {}
    for instance in instances:
        model = instance.task.model
        content = frozenset(model.objects), instance.task.initial_atoms, instance.task.goal, instance.plan
        if content in seen:
            yield f"{instance.name} is the same problem as {seen[content]}, with the same plan"
        seen.setdefault(content, instance.name)


def model_advice(model: Model, in_words: Callable[[StateDescriptor], str]) -> Iterator[str]:
    """What of the training set shows in the model that it gave."""
    for descriptor in _bound(model.guidance):
        yield (
            f"the model has a number that may be bound to the training problems ({in_words(descriptor)}): "
            "give problems with more and with fewer of everything"
        )
    left = [record.problem for record in model.training if not record.satisfied]
    if left:
        yield (
            f"{len(left)} of {len(model.training)} training plans do not follow the model "
            f"({', '.join(left)}): give more problems like these, or plans of one planner throughout"
        )


def _bound(guidance: LandmarkGraph | Program) -> Iterator[StateDescriptor]:
    """The conditions with a number that is bound to the training problems."""
    if isinstance(guidance, LandmarkGraph):
        landmarks = [descriptor for landmark in guidance.landmarks for descriptor in landmark.descriptors]
        found = [*landmarks, *(descriptor for loop in guidance.loops for descriptor in loop.exit)]
    else:
        found = [counter.finished for counter in guidance.counters]
    yield from (descriptor for descriptor in dict.fromkeys(found) if descriptor.threshold >= LEAST_BOUND)


@dataclass(frozen=True)
class LeaveOneOut:
    """The problems that what was learned from all others solves, and those that it does not."""

    solved: tuple[str, ...]
    unsolved: tuple[str, ...]

    def __str__(self) -> str:
        number, solved = len(self.solved) + len(self.unsolved), len(self.solved)
        text = f"leave-one-out: learned from {number - 1}, solved the one left out in {solved} of {number}"
        more = f"; not {', '.join(self.unsolved)}: give more problems like it"
        return text + more if self.unsolved else text


def leave_one_out(
    instances: Sequence[TrainingInstance], fit: Callable[[Sequence[TrainingInstance]], Guidance]
) -> LeaveOneOut:
    """Learns once without each of the instances and lets leap search solve it, under a limit of states."""
    solved: list[str] = []
    unsolved: list[str] = []
    for place, instance in enumerate(instances):
        trial = training_trial(instance.task, instance.plan)
        try:
            learned = fit([*instances[:place], *instances[place + 1 :]])
            found = try_on(trial, learned, trial.states).solved
        except (NoGraphError, TimeLimitError):
            found = False
        _log.info("learned without %s: %s", instance.name, "solved" if found else "not solved")
        (solved if found else unsolved).append(instance.name)
    return LeaveOneOut(tuple(solved), tuple(unsolved))
