"""Exact discovery against the ASP model on the same state functions, in one run.

    python benchmarks/discovery.py                     pools of the paper's Delivery set and random matrices
    python benchmarks/discovery.py --trajectories 400  also many trajectories
    python benchmarks/discovery.py --public DIR        also the training sets of a folder of domains
    python benchmarks/discovery.py --command           also `learn --method chain`, from start to end
    python benchmarks/discovery.py --no-asp            exact discovery alone

Times are processor time; exact ones are the best of a few runs, ASP ones include grounding. The ratio is
what counts. ASP runs end at `--asp-seconds` and are then shown with a `>`.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from importlib.resources import files
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from tests.enginesearch import embedded_search

from trailmark.discovery.discover import DiscoveryOptions, Solver, discover
from trailmark.discovery.functions import StateFunctions, state_functions
from trailmark.domains import domain_text, generate
from trailmark.errors import NoGraphError, TimeLimitError
from trailmark.features.grammar import CONFIGS, PoolOptions, preprocess
from trailmark.features.pool import generate_pool
from trailmark.features.states import StateBatch, Valuations, state_batch
from trailmark.features.syntax import expression
from trailmark.landmarks.functions import Status
from trailmark.landmarks.progression import Progression
from trailmark.limits import UNLIMITED, Budget
from trailmark.task import Domain, Task, Trajectory, read_plan, trajectory

PAPER_SET = Path(str(files("trailmark.bench"))) / "paper_delivery"
EXACT_RUNS = 5
PAPER_FEATURES = 228
"""Features of the paper's b1 pool without preprocessing, on which it needs 1856 s."""


def timed(work: Callable[[], object]) -> float:
    """Processor time of all threads, so that a busy machine does not blur the ratios."""
    start = time.process_time()
    work()
    return time.process_time() - start


def exact_seconds(functions: Callable[[], StateFunctions], runs: int = EXACT_RUNS) -> float:
    """From valuations to graph: making the state functions is part of it."""
    return min(timed(lambda: quiet(functions(), DiscoveryOptions())) for _ in range(runs))


def quiet(
    functions: StateFunctions, options: DiscoveryOptions, budget: Budget = UNLIMITED
) -> tuple[int, int]:
    """Nodes and loops of the graph; none where there is no graph."""
    try:
        graph = discover(functions, options, budget=budget).graph
    except NoGraphError:
        return 0, 0
    return len(graph.landmarks), len(graph.loops)


def compare(name: str, functions: Callable[[], StateFunctions], asp_limit: float) -> None:
    made = functions()
    nodes, loops = quiet(made, DiscoveryOptions())
    exact, sign = exact_seconds(functions), " "
    states = made.offsets[-1]
    row = f"{name:34} {len(made.descriptors):6} {made.trajectories:5} {states:6} {nodes:5} {loops:5} "
    row += f"{1000 * exact:9.2f}"
    if asp_limit > 0:
        start = time.process_time()
        try:
            quiet(functions(), DiscoveryOptions(Solver.ASP), Budget(asp_limit))
        except TimeLimitError:
            sign = ">"
        asp = time.process_time() - start
        row += f" {sign}{1000 * asp:9.0f} {sign}{asp / exact:7.0f}x"
    print(row, flush=True)


def header(title: str) -> None:
    print(f"\n{title}")
    print(
        f"{'pool':34} {'descr.':>6} {'traj.':>5} {'states':>6} {'nodes':>5} {'loops':>5} "
        f"{'exact ms':>9} {'ASP ms':>10} {'ratio':>9}"
    )


def batch(trajectories: Iterable[Trajectory]) -> StateBatch:
    return state_batch([(each.structure, each.states) for each in trajectories])


def training_batch(domain: Domain, folder: Path, suffix: str) -> StateBatch:
    problems = sorted(folder.glob("t*.pddl"))
    plans = [path.with_suffix(suffix) for path in problems]
    return batch(
        trajectory(Task.load(domain, problem), read_plan(plan))
        for problem, plan in zip(problems, plans, strict=True)
    )


def of_pool(pool: Valuations, setting: str) -> Callable[[], StateFunctions]:
    left = preprocess(pool, setting)
    return lambda: state_functions(left.descriptors, left.numericals)


def first_features(pool: Valuations, count: int) -> Valuations:
    """The least complex features of a pool."""
    return Valuations(pool.features[:count], pool.values[:count], pool.offsets)


def random_functions(features: int, trajectories: int, states: int, seed: int) -> StateFunctions:
    """Rows that change now and then, as features do along plans."""
    random = np.random.default_rng(seed)
    steps = random.random((features, trajectories * states)) < 0.25
    values = (np.cumsum(steps, axis=1) % 2).astype(np.int32)
    named = tuple(expression("n_count", expression("c_primitive", f"p{n}", 0)) for n in range(features))
    return state_functions(Valuations(named, values, tuple(range(0, trajectories * states + 1, states))))


def delivery(asp_limit: float, configs: list[str]) -> None:
    header("The paper's Delivery training set (unprocessed phi1, all rules phi4)")
    domain = Domain.parse(domain_text("delivery"))
    states = training_batch(domain, PAPER_SET, ".fd.plan")
    for name in configs:
        pool = generate_pool(states, CONFIGS[name]).valuations
        for setting in ("phi1", "phi4"):
            compare(f"delivery {name} {setting}", of_pool(pool, setting), asp_limit)
    # The paper's b1 pool has 228 literals, which are 114 features and their negations; so that the
    # comparison holds in either reading, also 228 features and as many negations.
    pool = generate_pool(states, CONFIGS["b2"]).valuations
    cut = first_features(pool, PAPER_FEATURES)
    compare(f"delivery b2, first {PAPER_FEATURES}, phi1", of_pool(cut, "phi1"), asp_limit)


def random_matrices(asp_limit: float) -> None:
    header("Random matrices")
    for features, trajectories, states in ((50, 5, 20), (250, 5, 20), (1000, 5, 20), (250, 20, 20)):
        functions = random_functions(features, trajectories, states, seed=1)
        compare(f"random {features} x {trajectories} x {states}", lambda made=functions: made, asp_limit)


def many_trajectories(count: int, config: str) -> None:
    domain = Domain.parse(domain_text("delivery"))
    found: list[Trajectory] = []
    seed = 0
    while len(found) < count:
        text = generate("delivery", seed=seed, width=2 + seed % 2, height=2, packages=1 + seed % 3)
        task = Task.parse(domain, text, f"seed {seed}")
        plan = embedded_search(task, algorithm="gbfs").plan
        if plan is not None and plan.steps:
            found.append(trajectory(task, plan))
        seed += 1
    made = batch(found)
    start = time.perf_counter()
    pool = generate_pool(made, CONFIGS[config])
    pool_seconds = time.perf_counter() - start
    print(
        f"\n{count} Delivery trajectories, {made.states} states, {config}: pool {len(pool.features)} features"
    )
    for setting in ("phi1", "phi4"):
        seconds = exact_seconds(of_pool(pool.valuations, setting), runs=1)
        shape = quiet(of_pool(pool.valuations, setting)(), DiscoveryOptions())
        print(f"  {setting}: pool {pool_seconds:.2f} s, discovery {seconds:.3f} s, nodes and loops {shape}")


def public(folder: Path, configs: list[str]) -> None:
    print(
        f"\nExact discovery after preprocessing (phi4), milliseconds, and nodes/loops\n{'domain':20}", end=""
    )
    print("".join(f"{name:>18}" for name in configs))
    longest = (0.0, "none")
    for path in sorted(each for each in folder.iterdir() if (each / "domain.pddl").is_file()):
        states = training_batch(Domain.load(path / "domain.pddl"), path / "train", ".plan")
        print(f"{path.name:20}", end="")
        for name in configs:
            options = CONFIGS[name]
            limited = PoolOptions(options.complexity, 30.0, options.features)
            functions = of_pool(generate_pool(states, limited).valuations, "phi4")
            nodes, loops = quiet(functions(), DiscoveryOptions())
            seconds = exact_seconds(functions)
            longest = max(longest, (seconds, f"{path.name} {name}"))
            print(f"{1000 * seconds:10.1f} {nodes:4}/{loops:<2}", end="", flush=True)
        print()
    print(f"longest: {1000 * longest[0]:.1f} ms, {longest[1]}")


def progression_steps(steps: int = 200_000) -> None:
    """What a progression step costs beyond the features, on the graph of the paper's Delivery set."""
    states = training_batch(Domain.parse(domain_text("delivery")), PAPER_SET, ".fd.plan")
    functions = of_pool(generate_pool(states, CONFIGS["b1"]).valuations, "phi4")()
    graph = discover(functions).graph
    trajectory_values = functions.of_graph(graph)[-1]
    progression = Progression(graph)
    status = progression.start(trajectory_values[0])
    idle = next(values for values in trajectory_values if progression.step(status, values) is status)
    accepting = next(values for values in trajectory_values if progression.step(status, values) is not status)

    def nothing(_status: Status, _values: list[int]) -> None:
        return None

    print("\nOne progression step in nanoseconds")
    for name, call, values in (
        ("an empty Python function", nothing, idle),
        ("a step that accepts nothing", progression.step, idle),
        ("a step that accepts", progression.step, accepting),
    ):

        def repeat(call: Callable[..., object] = call, values: list[int] = values) -> None:
            for _ in range(steps):
                call(status, values)

        print(f"{name:34} {1e9 * timed(repeat) / steps:8.0f}")


def whole_command(config: str) -> None:
    """`learn --method chain` on the paper's Delivery set with its plans, the interpreter's start included."""
    problems = sorted(str(path) for path in PAPER_SET.glob("t*.pddl"))
    with TemporaryDirectory() as folder:
        domain = Path(folder) / "domain.pddl"
        domain.write_text(domain_text("delivery"))
        command = [sys.executable, "-m", "trailmark", "learn", str(domain), *problems, "--method", "chain"]
        command += ["--config", config, "-o", str(Path(folder) / "model.json"), "--quiet"]
        for problem in problems:
            command += ["--plan", problem.replace(".pddl", ".fd.plan")]
        before, start = os.times(), time.perf_counter()
        subprocess.run(command, check=True)
        seconds, after = time.perf_counter() - start, os.times()
    used = after.children_user + after.children_system - before.children_user - before.children_system
    print(f"\nlearn --method chain --config {config}: {seconds:.2f} s in all, {used:.2f} s of processor time")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--asp-seconds", type=float, default=60.0)
    parser.add_argument("--configs", nargs="+", default=["b1", "b2"], choices=list(CONFIGS))
    parser.add_argument("--trajectories", type=int, default=0)
    parser.add_argument("--trajectory-config", default="b3", choices=list(CONFIGS))
    parser.add_argument("--public", type=Path)
    parser.add_argument("--command", action="store_true")
    parser.add_argument("--no-asp", action="store_true")
    options = parser.parse_args()
    asp_seconds = 0.0 if options.no_asp else options.asp_seconds
    delivery(asp_seconds, options.configs)
    random_matrices(asp_seconds)
    progression_steps()
    if options.command:
        whole_command("b3")
    if options.trajectories:
        many_trajectories(options.trajectories, options.trajectory_config)
    if options.public:
        public(options.public, options.configs)


if __name__ == "__main__":
    main()
