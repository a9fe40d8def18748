"""A* + h_add + LM-G beside the engine's own C++ A* + h_add, in one run.

    python benchmarks/astar.py BENCHMARKS [--seconds S] [--rounds N]

BENCHMARKS holds delivery/domain.pddl and delivery/test/p01.pddl, ...; the instances are 5x5 with 7 packages
and 9x9 with 9. The graph is the chain learned at complexity 9 from the paper's five instances. Every search
runs for at most S seconds, in turns, and the best of the rounds counts; what is compared are expansions in a
second of processor time. LM-G's own share of a node is measured on the very same search: its marks are
computed, and count for nothing. Wanted: at least 0.4 of the engine's rate, and at most 30 % for LM-G.
"""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Callable
from importlib.resources import as_file, files
from pathlib import Path

from tests.enginesearch import embedded_search

from trailmark.features.states import state_batch
from trailmark.landmarks.graph import LandmarkGraph
from trailmark.learning.chain import learn_chain
from trailmark.learning.options import LearnOptions
from trailmark.limits import Budget
from trailmark.search.best_first import BestFirstOptions, Pruning, best_first
from trailmark.search.guide import LandmarkGuide, Mark
from trailmark.search.result import SearchResult
from trailmark.task import Domain, Task, read_plan, trajectory
from trailmark.task.states import State, prepare

COMPLEXITY = 9
INSTANCES = ("5x5-7", "9x9-9")
SHARE_ROUNDS = 3
"""So many times more rounds measure LM-G's share, which is a small difference."""
MOST_STATES = 6_000
"""Our searches stop beyond so many known states; the engine's after the seconds."""


class WeightlessGuide(LandmarkGuide):
    """LM-G computed in full, and worth nothing: the search is the one without landmarks."""

    def start(self, state: State) -> Mark:
        mark = super().start(state)
        self.maximum = 0
        return mark._replace(value=0)


def chain_graph(domain: Domain) -> LandmarkGraph:
    """The graph of the paper's five training instances and plans."""
    with as_file(files("trailmark.bench") / "paper_delivery") as folder:
        problems = sorted(folder.glob("t*.pddl"))
        paths = [
            trajectory(Task.load(domain, each), read_plan(each.with_suffix(".fd.plan"))) for each in problems
        ]
    batch = state_batch([(each.structure, each.states) for each in paths])
    options = LearnOptions(method="chain", complexity=COMPLEXITY)
    return learn_chain(batch, options).discovery.graph


def timed(work: Callable[[], tuple[int, int, str]]) -> tuple[float, int, int, str]:
    """Processor seconds, states expanded, nodes evaluated, status."""
    started = time.process_time()
    expanded, evaluated, status = work()
    return time.process_time() - started, expanded, evaluated, status


def engine(task: Task, seconds: float) -> Callable[[], tuple[int, int, str]]:
    prepare(task, "hadd")

    def work() -> tuple[int, int, str]:
        result = embedded_search(task, "astar", "hadd", Budget(seconds))
        return result.expanded, result.generated, result.status.value

    return work


def ours(
    task: Task, guide: LandmarkGuide | None, prune: bool, seconds: float
) -> Callable[[], tuple[int, int, str]]:
    heuristic = prepare(task, "hadd")

    def work() -> tuple[int, int, str]:
        result: SearchResult = best_first(
            task,
            heuristic,
            guide,
            BestFirstOptions(prune=Pruning.CLEAR if prune else Pruning.NONE, max_states=MOST_STATES),
            Budget(seconds),
        )
        return result.statistics.expanded, result.statistics.evaluated, result.status.value

    return work


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("benchmarks", type=Path)
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    folder = arguments.benchmarks / "delivery"
    domain = Domain.load(folder / "domain.pddl")
    graph = chain_graph(domain)
    print(
        f"graph: {len(graph.landmarks)} landmarks, {len(graph.loops)} loops, {len(graph.features)} features"
    )
    paths = {Task.load(domain, each).name: each for each in sorted((folder / "test").glob("p*.pddl"))}
    for size in INSTANCES:
        (path,) = (path for name, path in paths.items() if f"-{size}-" in f"{name}-")
        report(size, lambda: Task.load(domain, path), graph, arguments.seconds, arguments.rounds)  # noqa: B023


def report(size: str, load: Callable[[], Task], graph: LandmarkGraph, seconds: float, rounds: int) -> None:
    """One instance: a fresh task for every search, so that none finds another's states."""
    searches: dict[str, Callable[[Task], Callable[[], tuple[int, int, str]]]] = {
        "engine A*+hadd": lambda task: engine(task, seconds),
        "A*+hadd": lambda task: ours(task, None, False, seconds),
        "A*+hadd+LM-G": lambda task: ours(task, LandmarkGuide(task, graph), False, seconds),
        "A*+hadd+LM-G, pruning": lambda task: ours(task, LandmarkGuide(task, graph), True, seconds),
    }
    print(f"\n{size:26}{'expanded':>10}{'CPU s':>8}{'a second':>10}{'ratio':>7}{'µs/eval':>9}  status")
    best: dict[str, tuple[float, int, int, str]] = {}
    for _ in range(rounds):
        for name, make in searches.items():
            found = timed(make(load()))
            if name not in best or found[1] / found[0] > best[name][1] / best[name][0]:
                best[name] = found
    reference = best["engine A*+hadd"][1] / best["engine A*+hadd"][0]
    for name, (taken, expanded, evaluated, status) in best.items():
        rate = expanded / taken
        print(
            f"{name:26}{expanded:10}{taken:8.2f}{rate:10.0f}{rate / reference:7.2f}"
            f"{taken / evaluated * 1e6:9.1f}  {status}"
        )
    print(
        f"LM-G adds {share(load(), graph, seconds, rounds):.0%} to an evaluated node (bar 30 %)", flush=True
    )


def share(task: Task, graph: LandmarkGraph, seconds: float, rounds: int) -> float:
    """What LM-G adds to the time of a node: the very same search on one task with and without, in turns."""
    searches = {
        "without": ours(task, None, False, seconds),
        "with": ours(task, WeightlessGuide(task, graph), False, seconds),
    }
    best = dict.fromkeys(searches, math.inf)
    for _ in range(rounds * SHARE_ROUNDS):
        for name, search in searches.items():
            taken, _, evaluated, _ = timed(search)
            best[name] = min(best[name], taken / evaluated)
    return best["with"] / best["without"] - 1


if __name__ == "__main__":
    main()
