"""What each step of counter-first learning buys: the rule without it, step by step.

    python benchmarks/ablation.py FOLDER                        public benchmark files, a folder a domain
    python benchmarks/ablation.py FOLDER --domains ferry grid --tests 6 15 24 --learn-seconds 30

Every variant learns from the same training plans (train/*.pddl with *.plan beside them) and plans the
same tests by leap search alone, without the complete search behind it: what the graph does not solve
counts as unsolved. The table has the instances solved, and the steps of the plans that all variants found.
`search_ablation.py` does the like for the mechanisms of leap search.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import repeat
from pathlib import Path
from unittest.mock import patch

from trailmark.learning.counter import CounterOptions, learn_counters
from trailmark.learning.training import load_training
from trailmark.limits import Budget
from trailmark.programs.program import Program
from trailmark.search.planner import PlannerOptions, plan
from trailmark.task import Domain, Task, trajectory

DOMAINS = ("blocksworld", "childsnack", "driverlog", "floortile-single", "grid", "logistics", "tpp")
TESTS = (6, 15, 24)


@dataclass(frozen=True)
class Variant:
    name: str
    options: CounterOptions = CounterOptions()  # noqa: RUF009 -- frozen
    constants: tuple[tuple[str, object], ...] = ()
    """Constants and functions of the package that are replaced."""


def nothing(*_: object) -> tuple[object, ...]:
    return ()


WHOLE = Variant("the whole rule")
PLANNING = PlannerOptions(search="leap")

VARIANTS = (
    WHOLE,
    Variant(
        "no goal classes and distances",
        constants=(
            ("counter.goal_counters", nothing),
            ("counter.value_distances", nothing),
            ("counter.carried_counters", nothing),
        ),
    ),
    Variant("no second counters", constants=(("selection.FURTHER", 0),)),
    Variant("no features bound to open goals", constants=(("counter.BOUND_COMPLEXITY", 0),)),
    Variant("no values through carriers", constants=(("counter.carried_counters", nothing),)),
    Variant("no larger trials", constants=(("trials.GLUED", 0),)),
    Variant("no guards", constants=(("counter.GUARD_SHARE", 0.0),)),
    Variant("one rung only, complexity 5", CounterOptions(complexities=(5,))),
    Variant("no states of random walks", constants=(("counter.WALK_STATES", 0), ("trials.WALK_STARTS", 0))),
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--domains", nargs="+", default=DOMAINS)
    parser.add_argument("--tests", nargs="+", type=int, default=TESTS)
    parser.add_argument("--variants", nargs="+", help="only those whose name has one of these words")
    parser.add_argument("--learn-seconds", type=float, default=30)
    parser.add_argument("--plan-seconds", type=float, default=5)
    parser.add_argument("--jobs", type=int, default=1, help="so many domains at once")
    arguments = parser.parse_args()
    chosen = [
        each
        for each in VARIANTS
        if each is WHOLE or not arguments.variants or any(word in each.name for word in arguments.variants)
    ]
    lengths: dict[str, dict[tuple[str, int], int]] = {each.name: {} for each in chosen}
    with ProcessPoolExecutor(arguments.jobs) as workers:
        for name, by_variant in zip(
            arguments.domains,
            workers.map(run, arguments.domains, repeat(chosen), repeat(arguments)),
            strict=True,
        ):
            for variant, plans in by_variant.items():
                lengths[variant].update({(name, test): length for test, length in plans.items()})
    common = set.intersection(*(set(found) for found in lengths.values()))
    print(f"| variant | {' | '.join(arguments.domains)} | solved | steps of {len(common)} plans |")
    print("|---|" + "---|" * (len(arguments.domains) + 2))
    for name, found in lengths.items():
        solved = [sum(domain == each for each, _ in found) for domain in arguments.domains]
        steps = sum(found[each] for each in common)
        print(f"| {name} | {' | '.join(map(str, solved))} | {len(found)} | {steps} |")


def run(name: str, variants: Sequence[Variant], arguments: argparse.Namespace) -> dict[str, dict[int, int]]:
    """By variant and test of one domain, the length of the plan found."""
    folder = arguments.folder / name
    domain = Domain.load(folder / "domain.pddl")
    lengths: dict[str, dict[int, int]] = {}
    for variant in variants:
        graph, found = learned(folder, variant, arguments.learn_seconds), lengths.setdefault(variant.name, {})
        for test in arguments.tests:
            task = Task.load(domain, folder / "test" / f"p{test:02}.pddl")
            if graph is not None:
                result = plan(task, graph, PLANNING, Budget(arguments.plan_seconds))
                if result.steps is not None:
                    found[test] = len(result.steps)
        print(f"{name}: {variant.name}: {len(found)}", file=sys.stderr, flush=True)
    return lengths


def learned(folder: Path, variant: Variant, seconds: float) -> Program | None:
    """The program that counter-first learning finds, None where it finds none."""
    problems = [str(each) for each in sorted((folder / "train").glob("*.pddl"))]
    training = load_training(str(folder / "domain.pddl"), problems, "files", seconds=seconds)
    tasks = [each.task for each in training.instances]
    paths = [trajectory(each.task, each.plan) for each in training.instances]
    with ExitStack() as replaced:
        for name, value in variant.constants:
            replaced.enter_context(patch(f"trailmark.learning.{name}", value))
        best = learn_counters(tasks, paths, variant.options, Budget(seconds)).selection.best
    return None if best is None else best.program.guidance


if __name__ == "__main__":
    main()
