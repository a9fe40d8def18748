"""Random state spaces: any states, any steps between them."""

from __future__ import annotations

from hypothesis import strategies as st

from tests.oracles.strategies import interpretations, structures
from trailmark.discovery.guards import StateSpace
from trailmark.relational import Interpretation, Structure, Symbol, Vocabulary

EMPTY = Structure(Vocabulary(()), ())


@st.composite
def steps(draw: st.DrawFn, most: int) -> tuple[list[list[int] | None], frozenset[int]]:
    """Successors of up to so many states, None for some, and goals."""
    size = draw(st.integers(1, most))
    numbers = st.integers(0, size - 1)
    following = st.one_of(st.none(), *[st.lists(numbers, max_size=3)] * 4)
    successors = draw(st.lists(following, min_size=size, max_size=size))
    return successors, draw(st.frozensets(numbers, max_size=2))


@st.composite
def bare_spaces(draw: st.DrawFn) -> StateSpace:
    """States of which nothing is known but the steps."""
    successors, goals = draw(steps(12))
    return StateSpace(EMPTY, successors, goals, lambda number: Interpretation(frozenset()))


@st.composite
def spaces(draw: st.DrawFn, vocabulary: Vocabulary) -> StateSpace:
    """States of a random instance, in which steps need not make sense."""
    successors, goals = draw(steps(8))
    structure = draw(structures(vocabulary))
    states = [draw(interpretations(structure)) for _ in successors]
    return StateSpace(structure, successors, goals, states.__getitem__)


SMALL = Vocabulary(
    (
        Symbol("kind", 1, True, is_type=True),
        Symbol("p", 1, False),
        Symbol("r", 2, False),
        Symbol("n", 0, False),
    )
)
