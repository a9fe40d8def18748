"""What a benchmark domain is: its size parameters, its instance generator and its presets.

A generator is a function of a seeded `random.Random` and integer sizes that returns a `Problem`. It
draws only with `randrange`, `shuffle` and `sample`, whose sequences are the same on every supported
Python, so that a seed stands for one text, byte for byte.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from trailmark.errors import InputError

Atom = tuple[str, ...]
"""A predicate and its objects."""

Sizes = Mapping[str, int]
"""A value for some or all of a domain's parameters."""

OBJECTS_PER_LINE = 12
TEST_STEPS = 30


@dataclass(frozen=True)
class Parameter:
    """A size of a domain's instances: whole numbers from `low` to `high`."""

    name: str
    default: int
    low: int
    high: int
    meaning: str


@dataclass(frozen=True)
class Problem:
    """A generated instance. Objects come in groups of one type; a group without a type has None."""

    objects: Sequence[tuple[Sequence[str], str | None]]
    init: Sequence[Atom]
    goal: Sequence[Atom]


@dataclass(frozen=True)
class DomainSpec:
    """A benchmark domain with its generator and presets."""

    name: str
    description: str
    pddl_name: str
    """The name inside the domain's PDDL, which every problem repeats."""
    parameters: tuple[Parameter, ...]
    build: Callable[..., Problem]
    train: tuple[Sizes, ...]
    """Five small instances to learn from."""
    test: tuple[Sizes, ...]
    """Growing instances: thirty for a domain of the paper, ten for a further one."""

    def sizes(self, given: Sizes) -> dict[str, int]:
        """`given` with the defaults filled in; an `InputError` for a name or value that does not fit."""
        known = {parameter.name for parameter in self.parameters}
        for name in given:
            if name not in known:
                raise InputError(
                    f"{self.name} has no parameter {name!r}", hint=f"it has {', '.join(sorted(known))}"
                )
        full = {parameter.name: given.get(parameter.name, parameter.default) for parameter in self.parameters}
        for parameter in self.parameters:
            require(parameter.name, full[parameter.name], parameter.low, parameter.high)
        return full

    def generate(self, rng: Random, *, title: str | None = None, **sizes: int) -> str:
        """The PDDL text of an instance of the given sizes, drawn from `rng`."""
        full = self.sizes(sizes)
        default_title = "-".join([self.name, *(str(value) for value in full.values())])
        return problem_text(title or default_title, self.pddl_name, self.build(rng, **full))


def require(name: str, value: object, low: int, high: int | None = None, because: str | None = None) -> None:
    """Raise an `InputError` unless `value` is a whole number from `low` to `high` (None: any above)."""
    if type(value) is int and value >= low and (high is None or value <= high):
        return
    span = f"of at least {low}" if high is None else f"from {low} to {high}"
    raise InputError(f"{name} must be a whole number {span}, not {value!r}", hint=because)


def ramp(first: Sizes, last: Sizes, steps: int = TEST_STEPS) -> tuple[Sizes, ...]:
    """Sizes that grow from `first` to `last`, geometrically, or evenly where a size starts at 0."""
    return tuple(
        {name: _between(start, last[name], step, steps - 1) for name, start in first.items()}
        for step in range(steps)
    )


def _between(start: int, end: int, step: int, steps: int) -> int:
    if start == 0:
        return end * step // steps
    growth: float = (end / start) ** (step / steps)
    return round(start * growth)


def problem_text(title: str, pddl_name: str, problem: Problem) -> str:
    """`problem` as PDDL, one fact a line."""
    lines = [f"(define (problem {title})", f"  (:domain {pddl_name})", "  (:objects"]
    for names, type_name in problem.objects:
        rows = [
            "    " + " ".join(names[start : start + OBJECTS_PER_LINE])
            for start in range(0, len(names), OBJECTS_PER_LINE)
        ]
        if rows and type_name is not None:
            rows[-1] += f" - {type_name}"
        lines += rows
    lines += ["  )", "  (:init"]
    lines += [f"    ({' '.join(atom)})" for atom in problem.init]
    lines += ["  )", "  (:goal (and"]
    lines += [f"    ({' '.join(atom)})" for atom in problem.goal]
    lines += ["  ))", ")", ""]
    return "\n".join(lines)
