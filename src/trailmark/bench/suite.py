"""What is measured: domains x learners x planners x instances x limits, as data.

A suite is a TOML file of limits, learners (how a landmark graph is learned), planners and parts. A
part is one experiment: which planners on which instances, and which tables and figures show it. A
learner whose option is a list stands for one learner for each value.

Instances come from the project's own presets, or from a folder of benchmark files. It holds one folder a
domain: `domain.pddl`, `train/tNN.pddl` with plans `tNN.plan`, `test/pNN.pddl`, and optionally `SOURCE.txt`
with lines `test/pNN.pddl | size | ...`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Literal, NamedTuple, get_args

from msgspec import Meta

from trailmark import domains
from trailmark.errors import InputError
from trailmark.files import read_text

Option = str | int | float | bool
Options = tuple[tuple[str, Option], ...]
Amount = Annotated[float, Meta(gt=0, le=1e9)]
Number = Annotated[int, Meta(ge=1, le=10**9)]

TRAILMARK, PAPER, BASELINE = "trailmark", "paper", "baseline"
FAST_DOWNWARD, COMMAND = "fast-downward", "command"
PlannerKind = Literal["trailmark", "paper", "baseline", "fast-downward", "command"]
"""`paper` is A* + h_add + LM-G with pruning and nothing after it, `baseline` A* without landmarks."""

BENCHMARK_SET: Literal["benchmark"] = "benchmark"
PAPER_SET = "paper"
TrainingSet = Literal["benchmark", "paper", "paper-fd", "paper-plus24", "paper-plus50"]
"""The domain's own training instances, or the paper's five Delivery ones with one of its plan sets; `paper`
is these with Fast Downward's plans for Delivery, and the domain's own for others."""
BEST_CONFIG = "best"
"""The pool configuration with which the paper solves most in a domain."""

TableName = Literal[
    "coverage", "time", "expansions", "length", "length-ratio", "instances", "loops", "graphs",
    "discovery-time", "t-test", "training-size", "plan-quality", "preprocessing", "scale", "differences",
]  # fmt: skip
FigureName = Literal["coverage", "cactus", "scatter", "expansions", "length", "scale", "training-size"]
TABLES, FIGURES = get_args(TableName), get_args(FigureName)
WALL: Literal["wall"] = "wall"
CPU: Literal["cpu"] = "cpu"
Clock = Literal["wall", "cpu"]
"""What seconds are counted in: time that passes, or time of processors that the run's processes use."""
CEILING = 30.0
"""With the CPU clock a run is ended when so many times its limit has passed. It sleeps then, or others kept
it from the processors: it counts as not run."""
Relation = Literal[
    "solves at least as many as", "solves more than", "expands fewer than", "has shorter plans than"
]
"""What a claim says of one planner and another."""

LEARN_OPTIONS = (
    "method", "solver", "config", "complexity", "feature-limit", "pool-time", "grammar", "rules",
    "limit-counts", "counters-from", "loop-condition", "search-after", "plans-from", "seed",
)  # fmt: skip
PLAN_OPTIONS = (
    "search", "heuristic", "prune", "prune-forgets", "fallback", "complete", "improve", "shorten", "anytime",
)  # fmt: skip
"""Options of `trailmark learn` and `trailmark plan` that a suite may give, by their long names."""


@dataclass(frozen=True)
class Limits:
    """Seconds of a run from the start of its process, and megabytes of its processes."""

    learn_seconds: Amount = 60.0
    plan_seconds: Amount = 20.0
    megabytes: Amount = 4000.0
    clock: Clock = WALL
    """With `cpu` a busy machine does not change what is solved. It is for planners that use their limit only
    to end: they are not told of it, since the limits of `plan` and `learn` are of the wall clock."""


@dataclass(frozen=True)
class Learner:
    """One way to learn a landmark graph."""

    name: str
    variant: str
    """What tells apart the learners that one name in the suite stands for; empty where there is one."""
    options: Options = ()
    """Options of `trailmark learn`, by their long names."""
    training: Number = 5
    """How many training instances."""
    plans: Number | None = None
    """Plans for each instance, made by a seeded search; None takes one plan from `plans_from`."""
    set: TrainingSet = BENCHMARK_SET


@dataclass(frozen=True)
class Planner:
    """One way to solve an instance."""

    name: str
    kind: PlannerKind = "trailmark"
    options: Options = ()
    """Options of `trailmark plan`, by their long names."""
    learners: tuple[str, ...] = ()
    """Names of the learners whose graphs it follows; in the file with * for any letters."""
    graph: str | None = None
    """A hand-written graph of this package that it follows instead."""
    alias: str = "lama-first"
    """Of Fast Downward's driver."""
    command: str = ""
    """An external command with {domain}, {problem} and {plan}."""


@dataclass(frozen=True)
class Part:
    """One experiment."""

    name: Annotated[str, Meta(pattern=r"^[\w-]+$")]
    title: str = ""
    domains: tuple[str, ...] = ()
    tests: tuple[Number, ...] = ()
    planners: tuple[str, ...] = ()
    learners: tuple[str, ...] = ()
    """Learners that are measured without planning with their graphs."""
    baseline: str = ""
    """The planner that others are compared with by paired tests."""
    own: bool = False
    """Always the project's own instances, whatever the others are taken from."""
    sizes: tuple[dict[str, int], ...] = ()
    """Instances of these sizes from the project's own generators, besides the tests."""
    lama_graph: Number | None = None
    """The test instance whose traditional landmark graph is drawn."""
    limits: Limits = Limits()
    tables: tuple[TableName, ...] = ("coverage", "time", "expansions", "length")
    figures: tuple[FigureName, ...] = ()
    notes: str = ""
    question: str = ""
    paper: str = ""
    """What the paper answers."""
    claims: tuple[tuple[str, Relation, str], ...] = ()
    """What it says of two planners, as in ("lm-g", "expands fewer than", "hadd")."""

    @property
    def has_runs(self) -> bool:
        return bool(self.domains and (self.learners or (self.planners and (self.tests or self.sizes))))


@dataclass(frozen=True)
class Suite:
    name: str
    title: str
    learners: tuple[Learner, ...]
    planners: tuple[Planner, ...]
    parts: tuple[Part, ...]
    notes: str = ""

    def learner(self, name: str) -> Learner:
        return next(learner for learner in self.learners if learner.name == name)

    def planner(self, name: str) -> Planner:
        return next(planner for planner in self.planners if planner.name == name)


def glob_names(patterns: Iterable[str], known: Sequence[str]) -> tuple[str, ...]:
    """The known names that match one of the patterns, in the order they are known."""
    wanted = list(patterns)
    return tuple(name for name in known if any(fnmatchcase(name, pattern) for pattern in wanted))


SIZED_SEED = 1
"""The seed of instances that a suite asks for by their sizes."""


class TrainingInstance(NamedTuple):
    name: str
    problem: str
    """PDDL."""
    plan: str | None
    """A plan that came with the instance."""


class Presets:
    """The instances that `trailmark.domains` generates."""

    description = "the project's own seeded presets"

    def domains(self) -> list[str]:
        return [*domains.names(), *domains.further_names()]

    def domain(self, name: str) -> str:
        return domains.domain_text(name)

    def training(self, name: str, count: int) -> list[TrainingInstance]:
        """The five of the preset; more are drawn from the same sizes with further seeds."""
        sizes, seeds = domains.train_preset(name), range(1, count + 1)
        texts = (domains.generate(name, seed, **sizes[(seed - 1) % len(sizes)]) for seed in seeds)
        return [TrainingInstance(f"t{seed:02}", text, None) for seed, text in zip(seeds, texts, strict=True)]

    def test(self, name: str, number: int) -> str:
        return domains.test_problem(name, number)

    def size(self, name: str, number: int) -> str:
        preset = domains.test_preset(name)
        return "-".join(str(value) for value in preset[number - 1].values()) if number <= len(preset) else ""


@dataclass(frozen=True)
class Folder:
    """Benchmark files on disk."""

    root: Path
    description = "public benchmark files (--benchmarks)"

    def domains(self) -> list[str]:
        if not self.root.is_dir():
            raise InputError(f"there is no folder {self.root}", hint="give --benchmarks a folder of domains")
        return sorted(path.parent.name for path in self.root.glob("*/domain.pddl"))

    def domain(self, name: str) -> str:
        return read_text(self.root / name / "domain.pddl", "PDDL domain")

    def training(self, name: str, count: int) -> list[TrainingInstance]:
        found = sorted((self.root / name / "train").glob("t*.pddl"))
        if len(found) < count:
            what = f"{name} has {len(found)} training instances, {count} are asked for"
            raise InputError(what, hint="the own presets have any number: leave --benchmarks out")
        instances = []
        for path in found[:count]:
            plan = path.with_suffix(".plan")
            given = read_text(plan, "plan", may_be_empty=True) if plan.is_file() else None
            instances.append(TrainingInstance(path.stem, read_text(path, "PDDL problem"), given))
        return instances

    def test(self, name: str, number: int) -> str:
        return read_text(self.root / name / "test" / f"p{number:02}.pddl", "PDDL problem")

    def size(self, name: str, number: int) -> str:
        """The size of a test instance in a word; empty where it is not known."""
        source = self.root / name / "SOURCE.txt"
        for line in source.read_text().splitlines() if source.is_file() else ():
            file, *columns = (column.strip() for column in line.split("|"))
            if file == f"test/p{number:02}.pddl" and columns:
                return columns[0]
        return ""


Instances = Presets | Folder
"""A source of instances, as texts, so that a run can be sent to another machine."""


def instance_name(number: int) -> str:
    return f"p{number:02}"


def instance_names(numbers: Sequence[int]) -> str:
    """Several of them in words; `p01 to p30` where none is left out."""
    if len(numbers) > 2 and list(numbers) == list(range(numbers[0], numbers[-1] + 1)):
        return f"{instance_name(numbers[0])} to {instance_name(numbers[-1])}"
    return ", ".join(map(instance_name, numbers))


def sized_name(sizes: Mapping[str, int]) -> str:
    """The name of an instance that is generated by its sizes, as in `width=5,packages=4`."""
    return ",".join(f"{name}={value}" for name, value in sizes.items())


def instance_text(instances: Instances, domain: str, name: str) -> str:
    """The PDDL of a test instance by its name."""
    if "=" not in name:
        return instances.test(domain, int(name[1:]))
    sizes = {key: int(value) for key, value in (pair.split("=") for pair in name.split(","))}
    return domains.generate(domain, SIZED_SEED, **sizes)


def training_set(
    instances: Instances, domain: str, name: str = BENCHMARK_SET, count: int = 5
) -> list[TrainingInstance]:
    """The training instances of a set: the domain's own, or the paper's five of Delivery."""
    if name == BENCHMARK_SET or (name == PAPER_SET and domain != "delivery"):
        return instances.training(domain, count)
    suffix = "fd" if name == PAPER_SET else name.removeprefix("paper-")
    folder = files(__package__) / "paper_delivery"
    ends = ("pddl", f"{suffix}.plan")
    return [
        TrainingInstance(number, *((folder / f"{number}.{end}").read_text(encoding="utf-8") for end in ends))
        for number in (f"t{place:02}" for place in range(1, count + 1))
    ]
