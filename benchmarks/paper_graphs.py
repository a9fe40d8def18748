"""Nodes, loops and features of the graphs learned on public benchmarks, beside the paper's table.

    python benchmarks/paper_graphs.py BENCHMARKS TABLE

BENCHMARKS holds a folder a domain (domain.pddl, train/t01.pddl and t01.plan, ...); TABLE is the paper's
discovery table as CSV. Prints Markdown: one row a domain and configuration, each cell the number of
features after the rules, nodes and loops. One run; discovery times are processor time.
"""

from __future__ import annotations

import argparse
import csv
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from trailmark.discovery import DiscoveryOptions, SearchAfter, discover, state_functions
from trailmark.errors import NoGraphError
from trailmark.features.grammar import CONFIGS
from trailmark.features.pool import generate_pool
from trailmark.features.rules import preprocess
from trailmark.features.states import StateBatch, state_batch
from trailmark.task import Domain, Task, read_plan, trajectory

RULES = "phi4"


@dataclass(frozen=True)
class Shape:
    """What a table says of one graph; `satisfied` only where it is ours."""

    features: int
    nodes: int
    loops: int
    satisfied: int = 0
    pool: int = 0
    pool_seconds: float = 0.0
    discovery_seconds: float = 0.0

    def __str__(self) -> str:
        return f"{self.features} / {self.nodes} / {self.loops}"


def paper_table(path: Path) -> dict[tuple[str, str, int], Shape | None]:
    """The paper's shapes by domain, configuration and trajectories; None where it found no graph in time."""
    with path.open(newline="") as file:
        return {
            (row["domain"], row["config"], int(row["trajectories"])): Shape(
                int(row["features"]), int(row["nodes"]), int(row["loops"])
            )
            if row["nodes"]
            else None
            for row in csv.DictReader(file)
        }


def training_states(folder: Path, count: int) -> StateBatch:
    domain = Domain.load(folder / "domain.pddl")
    problems = sorted((folder / "train").glob("t*.pddl"))[:count]
    paths = [trajectory(Task.load(domain, each), read_plan(each.with_suffix(".plan"))) for each in problems]
    return state_batch([(each.structure, each.states) for each in paths])


def learned(states: StateBatch, config: str, options: DiscoveryOptions, pool_seconds: float) -> Shape:
    pool = generate_pool(states, replace(CONFIGS[config], seconds=pool_seconds))
    left = preprocess(pool.valuations, RULES)
    started = time.process_time()
    try:
        found = discover(state_functions(left.descriptors, left.numericals), options)
    except NoGraphError:
        return Shape(len(left.descriptors.features), 0, 0, 0, len(pool.features), pool.seconds)
    return Shape(
        len(left.descriptors.features),
        len(found.graph.landmarks),
        len(found.graph.loops),
        sum(map(bool, found.satisfaction)),
        len(pool.features),
        pool.seconds,
        time.process_time() - started,
    )


def print_domain(
    name: str,
    states: dict[int, StateBatch],
    paper: dict[tuple[str, str, int], Shape | None],
    options: DiscoveryOptions,
    pool_seconds: float,
) -> list[tuple[Shape | None, Shape]]:
    pairs = []
    for config in CONFIGS:
        cells = []
        for count, batch in states.items():
            ours = learned(batch, config, options, pool_seconds)
            theirs = paper[name, config, count]
            pairs.append((theirs, ours))
            cells += [
                str(theirs or "none"),
                str(ours),
                f"{ours.satisfied} of {count}",
                f"{ours.pool} in {ours.pool_seconds:.2f} s",
                f"{1000 * ours.discovery_seconds:.1f}",
            ]
        print(f"| {name} | {config} | {' | '.join(cells)} |", flush=True)
    return pairs


def print_summary(pairs: Sequence[tuple[Shape | None, Shape]]) -> None:
    both = [(theirs, ours) for theirs, ours in pairs if theirs is not None and ours.nodes]
    same = sum(theirs.nodes == ours.nodes for theirs, ours in both)
    near = sum(abs(theirs.nodes - ours.nodes) <= 1 for theirs, ours in both)
    loops = sum((theirs.loops > 0) == (ours.loops > 0) for theirs, ours in both)
    found = sum(ours.nodes > 0 for _, ours in pairs)
    print(
        f"\n{len(pairs)} settings: the paper has a graph in {sum(each is not None for each, _ in pairs)}, "
        f"we in {found}. Of the {len(both)} that both have, {same} have the same number of nodes, {near} "
        f"differ by at most one, {loops} agree on whether there is a loop. With a loop: the paper "
        f"{sum(theirs.loops > 0 for theirs, _ in both)}, we {sum(ours.loops > 0 for _, ours in both)}. "
        f"Longest discovery {1000 * max(ours.discovery_seconds for _, ours in pairs):.1f} ms, "
        f"longest pool {max(ours.pool_seconds for _, ours in pairs):.2f} s."
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("benchmarks", type=Path)
    parser.add_argument("table", type=Path)
    parser.add_argument("--domains", nargs="+")
    parser.add_argument("--trajectories", nargs="+", type=int, default=[5, 3])
    parser.add_argument("--pool-seconds", type=float, default=20.0)
    parser.add_argument("--search-after", choices=[each.value for each in SearchAfter], default="first")
    parser.add_argument("--satisfied-loops", action="store_true")
    options = parser.parse_args()
    paper = paper_table(options.table)
    discovery = DiscoveryOptions(
        search_after=SearchAfter(options.search_after), satisfied_loops=options.satisfied_loops
    )
    titles = ["domain", "config"]
    for count in options.trajectories:
        titles += [
            f"paper, {count} trajectories",
            f"ours, {count} trajectories",
            "satisfied",
            "pool",
            "discovery ms",
        ]
    print(f"| {' | '.join(titles)} |\n|{'---|' * len(titles)}")
    pairs: list[tuple[Shape | None, Shape]] = []
    for name in options.domains or dict.fromkeys(name for name, _, _ in paper):
        states = {count: training_states(options.benchmarks / name, count) for count in options.trajectories}
        pairs += print_domain(name, states, paper, discovery, options.pool_seconds)
    print_summary(pairs)


if __name__ == "__main__":
    main()
