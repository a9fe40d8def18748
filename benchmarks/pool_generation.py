"""Pool generation from five training trajectories a domain, against DLPlan's generator, in one run.

    python benchmarks/pool_generation.py                      ours and DLPlan's (where it is installed)
    python benchmarks/pool_generation.py --config b3          a configuration on all domains: time and memory
    python benchmarks/pool_generation.py --domains delivery barman --complexity 9

DLPlan generates with its defaults, and once more without its role `r_til_c`, which we do not have.
Features are counted by their different valuations on the training states; what counts is the ratios.
"""

from __future__ import annotations

import argparse
import multiprocessing
import resource
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TypeVar

from trailmark.features.grammar import CONFIGS, GRAMMARS, PoolOptions, preprocess
from trailmark.features.pool import Pool, generate_pool
from trailmark.features.states import StateBatch, Trajectory, state_batch
from trailmark.task import Domain, Task, read_plan, trajectory

ROOT = Path(__file__).parents[1]
BENCHMARKS = ROOT / ".." / "shared" / "benchmarks"
sys.path.insert(0, str(ROOT))  # for the oracles of the tests
DOMAINS = (
    "delivery",
    "driverlog",
    "barman",
    "ferry",
    "gripper",
    "logistics",
    "miconic",
    "tpp",
    "blocksworld",
)
T = TypeVar("T")
UNLIMITED = 10**7
"""A feature limit that no run reaches."""


def training(folder: Path) -> list[Trajectory]:
    """The trajectories of the training instances of one domain."""
    domain = Domain.load(folder / "domain.pddl")
    found = []
    for problem in sorted((folder / "train").glob("*.pddl")):
        visited = trajectory(Task.load(domain, problem), read_plan(problem.with_suffix(".plan")))
        found.append((visited.structure, visited.states))
    return found


def best(run: Callable[[], T], repeat: int) -> tuple[T, float]:
    """The last result and the shortest of some runs."""
    times = []
    for _ in range(repeat):
        begin = time.perf_counter()
        result = run()
        times.append(time.perf_counter() - begin)
    return result, min(times)


def ours(trajectories: Sequence[Trajectory], options: PoolOptions) -> Pool:
    return generate_pool(state_batch(trajectories), options)


# DLPlan


def dlplan_run(batch: StateBatch, complexity: int, repeat: int) -> tuple[float, int, int]:
    """DLPlan's time, its different valuations, and those without `r_til_c`."""
    from tests.oracles.dlplan_pool import different, dlplan_features, dlplan_states

    vocabulary, states = dlplan_states(batch)
    features, seconds = best(partial(dlplan_features, vocabulary, states, complexity, til_c=True), repeat)
    shared = dlplan_features(vocabulary, states, complexity, til_c=False)
    return seconds, len(different(features, states)), len(different(shared, states))


# Tables


def compare(folders: Sequence[Path], complexities: Sequence[int], repeat: int, grammar: str) -> None:
    try:
        import dlplan.generator  # noqa: F401
    except ImportError:
        print("dlplan is not installed: ours alone", file=sys.stderr)
        with_dlplan = False
    else:
        with_dlplan = True
    print(
        f"{'domain':18} {'compl.':>6} {'ours':>9} {'features':>9}"
        f" {'DLPlan':>9} {'features':>9} {'no til_c':>9} {'ratio':>7}"
    )
    for folder in folders:
        trajectories = training(folder)
        for complexity in complexities:
            options = PoolOptions(complexity=complexity, features=UNLIMITED, grammar=GRAMMARS[grammar])
            pool, seconds = best(partial(ours, trajectories, options), repeat)
            line = f"{folder.name:18} {complexity:6} {seconds:8.3f}s {len(pool.features):9}"
            if with_dlplan:
                their_seconds, default, shared = dlplan_run(state_batch(trajectories), complexity, repeat)
                line += f" {their_seconds:8.3f}s {default:9} {shared:9} {their_seconds / seconds:6.1f}x"
            print(line, flush=True)


def run_config(folder: Path, options: PoolOptions) -> str:
    """One configuration on one domain, in a process of its own so that its memory can be told."""
    trajectories = training(folder)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    pool, seconds = best(lambda: ours(trajectories, options), 1)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    left, rules = best(lambda: preprocess(pool.valuations, "phi4").descriptors, 3)
    return (
        f"{folder.name:18} {seconds:8.3f}s {len(pool.features):9} {pool.concepts:9} {pool.roles:6}"
        f" {peak:6}MB {peak - before:6}MB {rules * 1000:7.1f}ms {len(left.features):6}  {pool.end.value}"
    )


def limits(folders: Sequence[Path], options: PoolOptions) -> None:
    print(
        f"{'domain':18} {'time':>9} {'features':>9} {'concepts':>9} {'roles':>6}"
        f" {'peak':>8} {'of it':>8} {'rules':>9} {'phi4':>6}  end"
    )
    processes = multiprocessing.get_context("spawn")
    for folder in folders:
        with processes.Pool(1) as workers:
            print(workers.apply(run_config, (folder, options)), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--benchmarks", type=Path, default=BENCHMARKS, help="the folder of the domains")
    parser.add_argument("--domains", nargs="+", metavar="NAME", help="which domains; `all` for all")
    parser.add_argument("--complexity", type=int, nargs="+", default=[5, 7, 9])
    parser.add_argument("--config", choices=CONFIGS, help="run this configuration alone")
    parser.add_argument("--grammar", choices=GRAMMARS, default="paper")
    parser.add_argument("--features", type=int, help="another feature limit than the configuration's")
    parser.add_argument("--repeat", type=int, default=3, help="the shortest of so many runs counts")
    arguments = parser.parse_args()
    chosen = arguments.domains or (["all"] if arguments.config else DOMAINS)
    every = sorted(path.parent for path in arguments.benchmarks.resolve().glob("*/domain.pddl"))
    folders = [folder for folder in every if "all" in chosen or folder.name in chosen]
    if not folders:
        parser.error(f"no such domain in {arguments.benchmarks}")
    if arguments.config:
        options = replace(CONFIGS[arguments.config], grammar=GRAMMARS[arguments.grammar])
        limits(folders, replace(options, features=arguments.features or options.features))
    else:
        compare(folders, arguments.complexity, arguments.repeat, arguments.grammar)


if __name__ == "__main__":
    main()
