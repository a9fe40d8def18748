"""Planning with and without recipes in one run, with the same models.

    python benchmarks/recipes.py                             the default domains, their first two tests
    python benchmarks/recipes.py delivery ferry --tests 1 5  these test tasks of these domains
    python benchmarks/recipes.py --seconds 60                with another time limit a task

A model is learned from a domain's five training tasks. Each task is planned with the model, and with the
same model without its recipes and without any that would be learned on the way. A row tells seconds,
generated states and steps of both, and the share of leaps that recipes made. Every plan is validated.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import patch

from trailmark.api import learn
from trailmark.domains import domain_text, names, test_problem, train_problems
from trailmark.landmarks.functions import Guidance
from trailmark.limits import Budget
from trailmark.programs.program import Program
from trailmark.search.planner import PlannerOptions, PlanResult, plan
from trailmark.search.recipes.leaps import RecipeLeaps
from trailmark.task import Domain, Task

DOMAINS = ("delivery", "ferry")
TESTS = (1, 2)
SECONDS = 20.0


@dataclass(frozen=True)
class Row:
    """One task, planned both ways."""

    name: str
    test: int
    with_recipes: PlanResult
    without: PlanResult

    def __str__(self) -> str:
        counts = self.with_recipes.statistics
        leaps = counts.recipe_leaps + counts.search_leaps
        share = f"{counts.recipe_leaps / leaps:4.0%}" if leaps else "   -"
        told = " ".join(map(_told, (self.with_recipes, self.without)))
        return f"{self.name:18} {self.test:4} {told} {share}"


def _told(result: PlanResult) -> str:
    steps = "-" if result.steps is None else str(len(result.steps))
    return f"{result.search_time_s:8.2f} {result.statistics.generated:9} {steps:>6}"


def learned(name: str, seconds: float) -> Guidance:
    with TemporaryDirectory() as folder:
        texts = {
            "domain": domain_text(name),
            **{f"t{n}": text for n, text in enumerate(train_problems(name))},
        }
        paths = [Path(folder) / f"{part}.pddl" for part in texts]
        for path, text in zip(paths, texts.values(), strict=True):
            path.write_text(text)
        return learn(paths[0], paths[1:], time_limit=seconds).guidance


def compared(task: Task, name: str, test: int, guidance: Guidance, seconds: float) -> Row:
    options = PlannerOptions(search="leap")
    helped = plan(task, guidance, options, Budget(seconds))
    bare = replace(guidance, recipes=()) if isinstance(guidance, Program) else guidance
    with patch.object(RecipeLeaps, "leap", lambda _: None), patch.object(RecipeLeaps, "learn", _nothing):
        return Row(name, test, helped, plan(task, bare, options, Budget(seconds)))


def _nothing(_: RecipeLeaps, way: object) -> bool:
    return False


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("domains", nargs="*", default=DOMAINS, help=", ".join(names()))
    parser.add_argument("--tests", type=int, nargs="+", default=TESTS, help="numbers of test tasks, from 1")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="for each plan, and for learning")
    given = parser.parse_args()
    print(f"{'':23} {'with recipes':>25} {'without':>25} share of leaps")
    print(f"{'domain':18} test {'seconds generated  steps ' * 2}by recipes")
    for name in given.domains:
        domain = Domain.parse(domain_text(name))
        guidance = learned(name, given.seconds)
        for test in given.tests:
            task = Task.parse(domain, test_problem(name, test))
            print(compared(task, name, test, guidance, given.seconds), flush=True)


if __name__ == "__main__":
    main()
