"""Discovery straight from the equations, by trying everything: the oracle for tiny inputs."""

from __future__ import annotations

from itertools import pairwise, product

from trailmark.discovery.functions import StateFunctions


def truth_of(functions: StateFunctions, literal: int, trajectory: int, state: int) -> bool:
    """Whether a literal holds, from the definition of its descriptor."""
    descriptor = functions.literal(literal)
    row = functions.valuations.features.index(descriptor.feature)
    column = functions.offsets[trajectory] + state
    return descriptor.holds(int(functions.valuations.values[row, column]))


def best_landmark(
    functions: StateFunctions, previous: list[int]
) -> tuple[tuple[int, ...], tuple[int, ...]] | None:
    """The indices and literals of the best landmark; the smallest indices among equal ones."""
    lengths = [stop - start for start, stop in pairwise(functions.offsets)]
    ranges = [range(first + 1, length) for first, length in zip(previous, lengths, strict=True)]
    best: tuple[tuple[int, int, tuple[int, ...]], tuple[int, ...]] | None = None
    for indices in product(*ranges):
        literals = tuple(
            literal
            for literal in range(2 * len(functions.descriptors))
            if all(
                truth_of(functions, literal, t, k) and not truth_of(functions, literal, t, k - 1)
                for t, k in enumerate(indices)
            )
        )
        key = (sum(indices), -len(literals), indices)
        if literals and (best is None or key < best[0]):
            best = key, literals
    return None if best is None else (best[0][2], best[1])


def passes(
    functions: StateFunctions, landmarks: list[tuple[int, ...]], target: int, trajectory: int
) -> list[int]:
    """Where the last landmark is reached, walking the chain and then the body again and again."""
    length = functions.offsets[trajectory + 1] - functions.offsets[trajectory]
    found, awaited = [], 0
    for state in range(1, length):
        if all(truth_of(functions, literal, trajectory, state) for literal in landmarks[awaited]):
            if awaited == len(landmarks) - 1:
                found.append(state)
                awaited = target
            else:
                awaited += 1
    return found
