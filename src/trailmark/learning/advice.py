"""Advice on a training set: what about it makes a model worse, one sentence each."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from trailmark.errors import NoGraphError, TimeLimitError
from trailmark.landmarks import LandmarkGraph
from trailmark.landmarks.functions import StateDescriptor
from trailmark.landmarks.guidance import Guidance
from trailmark.learning.training import TrainingInstance, TrainingSet
from trailmark.learning.trials import training_trial
from trailmark.learning.validation import try_on
from trailmark.models import Model
from trailmark.programs import Program

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
        landmarks = [each for landmark in guidance.landmarks for each in landmark.descriptors]
        found = [*landmarks, *(each for loop in guidance.loops for each in loop.exit)]
    else:
        found = [counter.finished for counter in guidance.counters]
    yield from (each for each in dict.fromkeys(found) if each.threshold >= LEAST_BOUND)


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
