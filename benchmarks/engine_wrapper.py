"""What our view of the engine costs beside the engine's own Python calls, in one run.

    python benchmarks/engine_wrapper.py [DOMAIN PROBLEM]

The task is a 5x5 Delivery with 7 packages unless another is named. Both sides walk the same states, in
turns, and the best of several rounds counts. Wanted: h_add at most 60 µs a call, a successor at most
5 µs, and at most twice the engine's own Python calls.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from pathlib import Path

import pymimir

from trailmark.task import Task
from trailmark.task.engine import silenced
from trailmark.task.states import prepare

DELIVERY = Path(__file__).parents[1] / ".." / "shared" / "benchmarks" / "delivery"
ROUNDS = 9


def per_call(work: Callable[[], int]) -> float:
    """Microseconds of processor time for each of the calls that `work` makes and counts."""
    started = time.process_time()
    calls = work()
    return (time.process_time() - started) / calls * 1e6


def our_side(domain: Path, problem: Path, generation: str, count: int) -> dict[str, Callable[[], int]]:
    task = Task.load(domain, problem)
    task.generation = generation
    states = [task.initial_state]
    for state in states:
        if len(states) >= count:
            break
        states += [reached for _, reached, _ in task.successors(state)]
    estimate = prepare(task, "hadd")
    assert task.engine.grounded == (generation == "grounded")

    def successors() -> int:
        return sum(len(task.successors(state)) for state in states)

    def estimates() -> int:
        for state in states:
            estimate(state)
        return len(states)

    return {f"successor, {generation}": successors, f"h_add, {generation}": estimates}


def engine_side(domain: Path, problem: Path, generation: str, count: int) -> dict[str, Callable[[], int]]:
    with silenced():
        parsed = pymimir.Problem(pymimir.Domain(domain), problem, generation)
        heuristic = pymimir.AddHeuristic(parsed)
    states = [parsed.get_initial_state()]
    for state in states:
        if len(states) >= count:
            break
        states += [action.apply(state) for action in state.generate_applicable_actions()]

    def successors() -> int:
        # Without the cache, which would leave nothing to measure in the second round.
        return sum(
            len([action.apply(state) for action in state.generate_applicable_actions(cache_result=False)])
            for state in states
        )

    def estimates() -> int:
        for state in states:
            heuristic.compute_value(state)
        return len(states)

    return {f"successor, {generation}": successors, f"h_add, {generation}": estimates}


def main() -> None:
    arguments = argparse.ArgumentParser(description="Our view of the engine beside its own Python calls.")
    arguments.add_argument("domain", nargs="?", default=DELIVERY / "domain.pddl", type=Path)
    arguments.add_argument("problem", nargs="?", default=DELIVERY / "test" / "p10.pddl", type=Path)
    arguments.add_argument("--states", type=int, default=500)
    chosen = arguments.parse_args()
    print(f"{'µs a call':24}{'ours':>8}{'engine':>8}{'ratio':>8}")
    for generation in ("lifted", "grounded"):
        ours = our_side(chosen.domain, chosen.problem, generation, chosen.states)
        engine = engine_side(chosen.domain, chosen.problem, generation, chosen.states)
        for name in ours:
            pairs = [(per_call(ours[name]), per_call(engine[name])) for _ in range(ROUNDS)]
            mine, theirs = (min(each) for each in zip(*pairs, strict=True))
            print(f"{name:24}{mine:8.2f}{theirs:8.2f}{mine / theirs:8.2f}")


if __name__ == "__main__":
    main()
