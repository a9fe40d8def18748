"""The paper's hand-written Delivery graphs in A* + h_add + LM-G with pruning, beside A* + h_add.

    python benchmarks/sketch.py BENCHMARKS                 every test instance, 60 s each
    python benchmarks/sketch.py BENCHMARKS --seconds 20    with a shorter limit

BENCHMARKS holds delivery/domain.pddl and delivery/test/p01.pddl, ... For each instance that the baseline
solves within the limit: states expanded by the baseline, by the graph of the policy sketch, and by the
running example's graph, all without any fallback, and whether `--search auto` with the running example
solves it. Expansions do not depend on the machine; only who gets through within the limit does.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import dataclass
from pathlib import Path

from trailmark.bench.runs import graph_text
from trailmark.landmarks.graph import LandmarkGraph
from trailmark.landmarks.text import parse_graph
from trailmark.limits import Budget
from trailmark.search.best_first import BestFirstOptions, Pruning, best_first
from trailmark.search.guide import LandmarkGuide
from trailmark.search.planner import plan
from trailmark.task import Domain, Plan, Task, validate
from trailmark.task.states import prepare

BAR = 0.8
"""The share of instances on which the sketch must expand fewer states."""


@dataclass(frozen=True)
class Run:
    solved: bool
    expanded: int
    length: int
    seconds: float

    def __str__(self) -> str:
        return f"{self.expanded}" if self.solved else f"({self.expanded})"


def astar(task: Task, graph: LandmarkGraph | None, seconds: float) -> Run:
    """A* + h_add, with LM-G and pruning where there is a graph. A plan is validated."""
    started = time.monotonic()
    guide = LandmarkGuide(task, graph) if graph is not None else None
    options = BestFirstOptions(prune=Pruning.NONE if graph is None else Pruning.CLEAR)
    result = best_first(task, prepare(task, "hadd"), guide, options, Budget(seconds))
    if result.steps is not None and not validate(task, Plan(result.steps)):
        raise AssertionError("an invalid plan")
    taken = time.monotonic() - started
    return Run(result.steps is not None, result.statistics.expanded, len(result.steps or ()), taken)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("benchmarks", type=Path)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--only", nargs="+", help="names of problem files without their suffix")
    arguments = parser.parse_args()
    folder = arguments.benchmarks / "delivery"
    domain = Domain.load(folder / "domain.pddl")
    graphs = {name: parse_graph(graph_text(name)) for name in ("sketch", "example")}
    head = ("instance", "A*+hadd", "steps", "s", "sketch", "steps", "s", "example", "steps", "s", "auto")
    print("{:24}{:>9}{:>6}{:>7}{:>10}{:>6}{:>7}{:>10}{:>6}{:>7}  {}".format(*head))
    fewer, solved, by_example, by_auto, tried = 0, 0, 0, 0, 0
    for path in sorted((folder / "test").glob("p*.pddl")):
        if arguments.only and path.stem not in arguments.only:
            continue
        task = Task.load(domain, path)
        base = astar(task, None, arguments.seconds)
        if not base.solved:
            print(f"{task.name:24}{base!s:>9}  not solved by the baseline", flush=True)
            continue
        tried += 1
        sketch = astar(task, graphs["sketch"], arguments.seconds)
        example = astar(task, graphs["example"], arguments.seconds)
        auto = plan(Task.load(domain, path), graphs["example"], budget=Budget(arguments.seconds))
        fewer += sketch.solved and sketch.expanded < base.expanded
        solved += sketch.solved
        by_example += example.solved
        by_auto += auto.steps is not None
        row = "".join(
            f"{each!s:>{width}}{each.length:6}{each.seconds:7.2f}"
            for each, width in ((base, 9), (sketch, 10), (example, 10))
        )
        print(f"{task.name:24}{row}  {auto.status.value}, {auto.strategy}", flush=True)
    print(
        f"\nof {tried} that the baseline solves in {arguments.seconds:g} s: the sketch expands fewer on "
        f"{fewer} ({fewer / max(tried, 1):.0%}, bar {BAR:.0%}) and solves {solved}; the running example "
        f"alone solves {by_example}, with auto {by_auto}"
    )


if __name__ == "__main__":
    main()
