"""Where a suite's instances come from: the project's own presets, or a folder of benchmark files.

A folder holds one folder a domain: `domain.pddl`, `train/tNN.pddl` with plans `tNN.plan`,
`test/pNN.pddl`, and optionally `SOURCE.txt` with lines `test/pNN.pddl | size | ...`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Protocol

from trailmark import domains
from trailmark.bench.suite import BENCHMARK_SET
from trailmark.errors import InputError
from trailmark.files import read_text


@dataclass(frozen=True)
class TrainingInstance:
    name: str
    problem: str
    """PDDL."""
    plan: str | None
    """A plan that came with the instance."""


class Instances(Protocol):
    """A source of instances, as texts, so that a run can be sent to another machine."""

    @property
    def description(self) -> str: ...

    def domains(self) -> list[str]: ...

    def domain(self, name: str) -> str: ...

    def training(self, name: str, count: int) -> list[TrainingInstance]: ...

    def test(self, name: str, number: int) -> str: ...

    def size(self, name: str, number: int) -> str:
        """The size of a test instance in a word; empty where it is not known."""


@dataclass(frozen=True)
class Presets:
    """The instances that `trailmark.domains` generates."""

    @property
    def description(self) -> str:
        return "the project's own seeded presets"

    def domains(self) -> list[str]:
        return domains.names()

    def domain(self, name: str) -> str:
        return domains.domain_text(name)

    def training(self, name: str, count: int) -> list[TrainingInstance]:
        """The five of the preset; more are drawn from the same sizes with further seeds."""
        sizes = domains.train_preset(name)
        return [
            TrainingInstance(
                f"t{seed:02}", domains.generate(name, seed, **sizes[(seed - 1) % len(sizes)]), None
            )
            for seed in range(1, count + 1)
        ]

    def test(self, name: str, number: int) -> str:
        return _preset_test(name, number)

    def size(self, name: str, number: int) -> str:
        preset = domains.test_preset(name)
        return "-".join(str(value) for value in preset[number - 1].values()) if number <= len(preset) else ""


@lru_cache(maxsize=64)
def _preset_test(name: str, number: int) -> str:
    return domains.test_problem(name, number)


@dataclass(frozen=True)
class Folder:
    """Benchmark files on disk."""

    root: Path

    @property
    def description(self) -> str:
        return "public benchmark files (--benchmarks)"

    def domains(self) -> list[str]:
        if not self.root.is_dir():
            raise InputError(f"there is no folder {self.root}", hint="give --benchmarks a folder of domains")
        return sorted(each.parent.name for each in self.root.glob("*/domain.pddl"))

    def domain(self, name: str) -> str:
        return read_text(self.root / name / "domain.pddl", "PDDL domain")

    def training(self, name: str, count: int) -> list[TrainingInstance]:
        found = sorted((self.root / name / "train").glob("t*.pddl"))
        if len(found) < count:
            raise InputError(
                f"{name} has {len(found)} training instances, {count} are asked for",
                hint="the own presets have any number: leave --benchmarks out",
            )
        instances = []
        for path in found[:count]:
            plan = path.with_suffix(".plan")
            given = read_text(plan, "plan", may_be_empty=True) if plan.is_file() else None
            instances.append(TrainingInstance(path.stem, read_text(path, "PDDL problem"), given))
        return instances

    def test(self, name: str, number: int) -> str:
        return read_text(self.root / name / "test" / f"p{number:02}.pddl", "PDDL problem")

    def size(self, name: str, number: int) -> str:
        source = self.root / name / "SOURCE.txt"
        for line in source.read_text().splitlines() if source.is_file() else ():
            columns = [each.strip() for each in line.split("|")]
            if columns[0] == f"test/p{number:02}.pddl" and len(columns) > 1:
                return columns[1]
        return ""


def training_set(
    instances: Instances, domain: str, name: str = BENCHMARK_SET, count: int = 5
) -> list[TrainingInstance]:
    """The training instances of a set: the domain's own, or the paper's five with their plans."""
    if name == BENCHMARK_SET:
        return instances.training(domain, count)
    suffix = name.removeprefix("paper-")
    folder = files(__package__) / "paper_delivery"
    return [
        TrainingInstance(
            f"t{number:02}",
            (folder / f"t{number:02}.pddl").read_text(encoding="utf-8"),
            (folder / f"t{number:02}.{suffix}.plan").read_text(encoding="utf-8"),
        )
        for number in range(1, count + 1)
    ]
