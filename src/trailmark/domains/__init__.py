"""Benchmark domains: their PDDL, and seeded instances of any size.

`names` are the 21 domains of the paper's Appendix A. `further_names` are the project's own, which the
learner was not made with; everything else here takes both.

    domain_text("delivery")                                the domain
    generate("delivery", seed=7, width=5, packages=4)      a problem; equal arguments, equal text
    train_problems("delivery"), test_problem("delivery", 30)     the presets

Every instance is solvable by construction; its generator says why.
"""

from __future__ import annotations

from importlib.resources import files
from random import Random

from trailmark.domains import puzzles, transport, workplaces
from trailmark.domains.spec import DomainSpec, Generator, Parameter, Sizes, problem_text, read_specs, require
from trailmark.errors import InputError

__all__ = [
    "DomainSpec", "Parameter", "Sizes", "domain_text", "further_names", "generate", "names", "spec",
    "test_preset", "test_problem", "train_preset", "train_problems",
]  # fmt: skip

GENERATORS: dict[str, Generator] = {
    name.removeprefix("build_"): build
    for module in (puzzles, transport, workplaces)
    for name, build in vars(module).items()
    if name.startswith("build_")
}
"""The generators by the domains they are named after."""

SPECS = "domains.toml"
REGISTRY, FURTHER = read_specs((files(__package__) / SPECS).read_text(encoding="utf-8"), SPECS, GENERATORS)
"""The domains of the paper's Appendix A, by name; and those of the project."""

TEST_SEED_OFFSET = 1000
"""Test instance k has seed 1000 + k and training instance k seed k, so that none is in both sets."""
HIGHEST_SEED = 2**63 - 1


def names() -> list[str]:
    """The names of the paper's 21 domains, sorted."""
    return sorted(REGISTRY)


def further_names() -> list[str]:
    """The names of the project's own domains, sorted."""
    return sorted(FURTHER)


def spec(name: str) -> DomainSpec:
    """The domain of that name."""
    found = REGISTRY.get(name) or FURTHER.get(name)
    if found is None:
        known = ", ".join([*names(), *further_names()])
        raise InputError(f"there is no domain {name!r}", hint=f"choose one of {known}")
    return found


def domain_text(name: str) -> str:
    """The PDDL of the domain."""
    return (files(__package__) / "pddl" / f"{spec(name).name}.pddl").read_text(encoding="utf-8")


def generate(name: str, seed: int = 0, **sizes: int) -> str:
    """The PDDL of an instance; sizes that are not given have their default."""
    domain = spec(name)
    require("seed", seed, 0, HIGHEST_SEED)
    full = domain.sizes(sizes)
    title = "-".join([name, *map(str, full.values()), f"s{seed}"])
    return problem_text(title, domain.pddl_name, domain.build(Random(seed), **full))


def train_preset(name: str) -> list[dict[str, int]]:
    """The sizes of five small instances to learn from."""
    return [dict(sizes) for sizes in spec(name).train]


def test_preset(name: str) -> list[dict[str, int]]:
    """The sizes of thirty growing instances (ten of a further domain), the last far larger than training."""
    return [dict(sizes) for sizes in spec(name).test]


def train_problems(name: str) -> list[str]:
    """The instances of `train_preset`."""
    return [generate(name, seed, **sizes) for seed, sizes in enumerate(train_preset(name), start=1)]


def test_problem(name: str, number: int) -> str:
    """Instance `number` of `test_preset`, counted from 1."""
    preset = test_preset(name)
    require("number", number, 1, len(preset))
    return generate(name, TEST_SEED_OFFSET + number, **preset[number - 1])
