"""The two discovery models in ASP, solved with clingo: the paper's method, and a check of the exact one.

The encodings are `landmark.lp` and `loop.lp` beside this module; here their facts are written and
their answers read.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib.resources import files
from itertools import combinations, pairwise

import clingo
import numpy as np

from trailmark.discovery.functions import StateFunctions
from trailmark.discovery.loops import Indices, LoopCondition, Occurrences, Step, by_complexity, occurrences
from trailmark.errors import TimeLimitError
from trailmark.landmarks.functions import StateDescriptor, StateProgressor, StateValue
from trailmark.landmarks.graph import Landmark, LandmarkGraph, Loop
from trailmark.limits import UNLIMITED, Budget

SECONDS_BETWEEN_CHECKS = 0.05
"""How often a running solver looks whether it should stop."""


@dataclass(frozen=True)
class Optimum:
    """The objective values, most important first (a maximum is negative), and one optimal answer."""

    costs: tuple[int, ...]
    atoms: tuple[clingo.Symbol, ...]


def solve_landmark(functions: StateFunctions, previous: Indices, budget: Budget = UNLIMITED) -> Step | None:
    """One optimum of Equation "Generalized landmark discovery"; None where there is no landmark."""
    optimum = solve("landmark.lp", landmark_facts(functions, previous), budget)
    return None if optimum is None else _read_step(optimum, functions)


def solve_loop(
    graph: LandmarkGraph,
    functions: StateFunctions,
    condition: LoopCondition = LoopCondition.MINIMAL,
    budget: Budget = UNLIMITED,
) -> tuple[Loop, Occurrences] | None:
    """One optimum of Equation "Discovery of loop" for the graph's last landmark, if it has a loop."""
    optimum = solve("loop.lp", loop_facts(graph, functions, condition), budget)
    if optimum is None:
        return None
    loop = _read_loop(optimum, graph, functions)
    return loop, occurrences(graph, functions, loop.target)


def landmark_facts(functions: StateFunctions, previous: Indices) -> Iterator[str]:
    """The input of `landmark.lp`."""
    yield from _trajectory_facts(functions)
    yield from (f"previous({t},{p})." for t, p in enumerate(previous.tolist()))
    yield from _truth_facts(functions)


def loop_facts(graph: LandmarkGraph, functions: StateFunctions, condition: LoopCondition) -> Iterator[str]:
    """The input of `loop.lp`."""
    source = len(graph.landmarks)
    yield f"source({source}). keep({condition.value})."
    yield from _trajectory_facts(functions)
    yield from _truth_facts(functions)
    for number, landmark in enumerate(graph.landmarks, start=1):
        for t, k in _states_where(functions, landmark.descriptors):
            yield f"holds({number},{t},{k})."
    for loop in graph.loops:
        yield from _inner_loop_facts(graph, functions, loop)
    yield from _progressor_facts(functions, graph.landmarks[-1])
    for number, value in enumerate(functions.values):
        yield f"complexity(counter({number}),{value.complexity})."
        row = functions.valuations.values[functions.row_of[value.feature]]
        for t, start in enumerate(functions.offsets[:-1]):
            yield f"value({number},{t},{value.of(int(row[start])) or 0})."
    for number, descriptor in enumerate(functions.descriptors):
        yield f"complexity(exit({number},0..1),{descriptor.complexity})."


def _trajectory_facts(functions: StateFunctions) -> Iterator[str]:
    for t, (start, stop) in enumerate(pairwise(functions.offsets)):
        yield f"trajectory({t}). state({t},0..{stop - start - 1})."


def _truth_facts(functions: StateFunctions) -> Iterator[str]:
    yield from (f"descriptor({d})." for d in range(len(functions.descriptors)))
    for t, (start, stop) in enumerate(pairwise(functions.offsets)):
        rows, columns = np.nonzero(functions.truth[:, start:stop])
        yield from (f"true({d},{t},{k})." for d, k in zip(rows.tolist(), columns.tolist(), strict=True))


def _inner_loop_facts(graph: LandmarkGraph, functions: StateFunctions, loop: Loop) -> Iterator[str]:
    number = loop.source + 1
    yield f"loop({number},{loop.target + 1})."
    for t, k in _states_where(functions, loop.exit):
        yield f"exits({number},{t},{k})."
    places = _states_where(functions, graph.landmarks[loop.source].descriptors)
    for (t, earlier), (other, later) in combinations(places, 2):
        comparable = t == other and earlier > 0  # the initial state accepts nothing
        if comparable and not _progresses(functions, loop.progression, t, earlier, later):
            yield f"worse({number},{t},{earlier},{later})."


def _progressor_facts(functions: StateFunctions, landmark: Landmark) -> Iterator[str]:
    numbers: dict[int, None] = {}
    for number, progressor in enumerate(functions.progressors):
        row = functions.row_of[progressor.feature]
        numbers[row] = None
        yield f"progressor({number},{row},{'down' if progressor.decreases else 'up'})."
        yield f"complexity(progress({number}),{progressor.complexity})."
    places = _states_where(functions, landmark.descriptors)
    for row in numbers:
        values = functions.valuations.values[row].tolist()
        yield from (f"number({row},{t},{k},{values[functions.offsets[t] + k]})." for t, k in places)


def _states_where(functions: StateFunctions, descriptors: Sequence[StateDescriptor]) -> list[tuple[int, int]]:
    """The trajectory and index of every state where all these descriptors hold."""
    table, row_of = functions.valuations.values, functions.row_of
    rows = [table[row_of[descriptor.feature]].tolist() for descriptor in descriptors]
    return [
        (t, column - start)
        for t, (start, stop) in enumerate(pairwise(functions.offsets))
        for column in range(start, stop)
        if all(descriptor.holds(row[column]) for descriptor, row in zip(descriptors, rows, strict=True))
    ]


def _progresses(
    functions: StateFunctions, progressors: Iterable[StateProgressor], t: int, earlier: int, later: int
) -> bool:
    table, columns = functions.valuations.values, [functions.offsets[t] + k for k in (earlier, later)]
    return all(part.holds(*table[functions.row_of[part.feature], columns].tolist()) for part in progressors)


def solve(
    encoding: str, facts: Iterable[str], budget: Budget = UNLIMITED, extra: Sequence[str] = ()
) -> Optimum | None:
    """Ground and solve; the last model that clingo reports when it is done is an optimum."""
    control = clingo.Control(["--warn=none"])
    control.add("base", [], (files(__package__) / encoding).read_text(encoding="utf-8"))
    control.add("base", [], "\n".join([*facts, *extra]))
    _check(budget)
    control.ground([("base", [])])
    best: list[Optimum] = []

    def keep(model: clingo.Model) -> None:
        best[:] = [Optimum(tuple(model.cost), tuple(model.symbols(shown=True)))]

    with control.solve(on_model=keep, async_=True) as handle:
        while not handle.wait(SECONDS_BETWEEN_CHECKS):
            try:
                _check(budget)
            except TimeLimitError:
                handle.cancel()
                raise
        handle.get()
    return best[0] if best else None


def _check(budget: Budget) -> None:
    """Grounding cannot be interrupted: the time is looked at before and after it."""
    if budget.expired():
        raise TimeLimitError("the ASP solver ran out of time", hint="use --solver exact")


def _read_step(optimum: Optimum, functions: StateFunctions) -> Step:
    indices = np.zeros(functions.trajectories, dtype=np.int64)
    literals: list[int] = []
    for atom in optimum.atoms:
        first, second = (argument.number for argument in atom.arguments)
        if atom.name == "at":
            indices[first] = second
        else:
            literals.append(2 * first + 1 - second)
    return Step(tuple(sorted(literals)), indices)


def _read_loop(optimum: Optimum, graph: LandmarkGraph, functions: StateFunctions) -> Loop:
    target = 0
    exits: list[StateDescriptor] = []
    progressors: list[StateProgressor] = []
    counters: list[StateValue] = []
    for atom in sorted(optimum.atoms):
        if atom.name == "target":
            target = atom.arguments[0].number - 1
            continue
        selected = atom.arguments[0]
        first, *sign = [argument.number for argument in selected.arguments]
        if selected.name == "exit":
            exits.append(functions.literal(2 * first + 1 - sign[0]))
        elif selected.name == "progress":
            progressors.append(functions.progressors[first])
        else:
            counters.append(functions.values[first])
    parts = by_complexity(exits), by_complexity(progressors), by_complexity(counters)
    return Loop(len(graph.landmarks) - 1, target, *parts)
