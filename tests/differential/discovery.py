"""Exact discovery against clingo's optima of the paper's ASP model, on random training data."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from hypothesis import strategies as st

from tests.differential.comparison import Comparison
from tests.differential.drawn import for_each
from tests.discovery.clingo_checks import check_chain, check_loops
from tests.discovery.matrices import plain, repeating
from trailmark.discovery.functions import StateFunctions
from trailmark.discovery.loops import LoopCondition


def compare(seed: int, count: int, save: Path | None) -> list[Comparison]:
    """Half of the cases are chains of landmarks, half loops."""
    chains = Comparison("discovery", "clingo chains", save)
    loops = Comparison("discovery", "clingo loops", save)
    matrices = st.one_of(plain(), plain(trajectories=6, states=10, features=10), repeating())

    def chain(functions: StateFunctions) -> None:
        _record(chains, functions, "landmarks", lambda: check_chain(functions))

    def loop(case: tuple[StateFunctions, LoopCondition]) -> None:
        functions, condition = case
        _record(loops, functions, "loops", lambda: check_loops(functions, condition))

    for_each(matrices, seed, count - count // 2, chain)
    if count > 1:
        with_condition = st.tuples(
            st.one_of(plain(), repeating(), repeating()), st.sampled_from(LoopCondition)
        )
        for_each(with_condition, seed, count // 2, loop)
    return [chains, loops]


def _record(comparison: Comparison, functions: StateFunctions, what: str, check: Callable[[], int]) -> None:
    """A check goes step by step and asserts; how many landmarks or loops it met is a note."""
    try:
        comparison.notes[what] += check()
    except AssertionError as problem:
        comparison.record(False, {"functions.txt": f"{functions!r}\n", "problem.txt": f"{problem}\n"})
    else:
        comparison.record(True, {})
