"""Advice on a training set: what about it makes a model worse, one sentence each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from trailmark.learning.training import TrainingInstance, TrainingSet

FEWEST = 3
"""With fewer instances, what they share by chance looks like a law."""
MOST_SHARE = 0.8
"""Plans that take more than this share of their time leave others out, or come near it."""


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
    solved = [_name(instance) for instance in instances if not len(instance.plan)]
    if solved:
        yield f"nothing is to be done in {', '.join(solved)}: the goal holds at the beginning"
    if training.seconds > MOST_SHARE * plan_seconds:
        yield (
            f"plans took {training.seconds:.1f} of {plan_seconds:.1f} s: give smaller problems, plan files "
            "(--plan) or another source (--plans-from)"
        )


def _size(instance: TrainingInstance) -> tuple[int, int]:
    return len(instance.task.structure.objects), len(instance.task.goal.positive)


def _name(instance: TrainingInstance) -> str:
    return instance.problem_file or instance.task.name


def _repeated(instances: Sequence[TrainingInstance]) -> Iterator[str]:
    """The instances that say the same as an earlier one."""
    seen: dict[object, str] = {}
    for instance in instances:
        model = instance.task.model
        content = frozenset(model.objects), instance.task.initial_atoms, instance.task.goal, instance.plan
        if content in seen:
            yield f"{_name(instance)} is the same problem as {seen[content]}, with the same plan"
        seen.setdefault(content, _name(instance))
