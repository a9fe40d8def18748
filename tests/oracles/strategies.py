"""Hypothesis strategies for vocabularies, structures, states, successors and expressions."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from hypothesis import strategies as st

from trailmark.features.syntax import (
    CONSTRUCTORS,
    Argument,
    Constructor,
    Expression,
    Kind,
    Slot,
    expression,
)
from trailmark.relational import Interpretation, Structure, Symbol, Vocabulary

MOST_OBJECTS = 6
MOST_ATOMS = 14
"""Atoms of one predicate that hold at once: few, so that a failing example stays readable."""


@dataclass(frozen=True)
class Successor:
    """A state change: what a search tells an incremental evaluator, and the state it leads to."""

    added: frozenset[int]
    deleted: frozenset[int]
    interpretation: Interpretation


@st.composite
def vocabularies(draw: st.DrawFn, *, numeric: bool = True) -> Vocabulary:
    """Types, static and fluent predicates of arity 0 to 3 and goal versions of some of them."""
    symbols = [
        Symbol(f"kind{number}", 1, static=True, is_type=True) for number in range(draw(st.integers(0, 2)))
    ]
    arities = draw(st.lists(st.sampled_from([0, 1, 1, 2, 2, 2, 3]), min_size=1, max_size=4))
    for number, arity in enumerate(arities):
        symbols.append(Symbol(f"p{number}", arity, static=draw(st.booleans())))
    symbols += [
        Symbol(f"{symbol.name}_g", symbol.arity, static=True, goal_of=symbol.name)
        for symbol in symbols
        if not symbol.is_type and draw(st.booleans())
    ]
    constants = tuple(f"const{number}" for number in range(draw(st.integers(0, 2))))
    functions = tuple(f"total{number}" for number in range(draw(st.integers(0, 1)) if numeric else 0))
    return Vocabulary(tuple(symbols), constants, functions)


@st.composite
def structures(draw: st.DrawFn, vocabulary: Vocabulary) -> Structure:
    """An instance of one to six objects, constants first, with random static atoms."""
    fewest = max(1, len(vocabulary.constants))
    others = draw(st.integers(fewest, MOST_OBJECTS)) - len(vocabulary.constants)
    objects = (*vocabulary.constants, *(f"o{number}" for number in range(others)))
    return Structure(vocabulary, objects, draw(_atoms(Structure(vocabulary, objects), static=True)))


def interpretations(structure: Structure) -> st.SearchStrategy[Interpretation]:
    """A state of this instance: fluent atoms, and a value for every nullary function."""
    return st.builds(Interpretation, _atoms(structure, static=False), _function_values(structure))


@st.composite
def successors(draw: st.DrawFn, structure: Structure, state: Interpretation) -> Successor:
    """A state that differs in a few fluent atoms; `added` is new and `deleted` was there."""
    touched = draw(_atoms(structure, static=False, most=2))
    added, deleted = touched - state.atoms, touched & state.atoms
    if state.atoms and draw(st.booleans()):
        deleted |= draw(st.sets(st.sampled_from(sorted(state.atoms)), max_size=3))
    after = Interpretation((state.atoms | added) - deleted, draw(_function_values(structure)))
    return Successor(frozenset(added), frozenset(deleted), after)


@st.composite
def worlds(draw: st.DrawFn, *, numeric: bool = True) -> tuple[Structure, Interpretation]:
    """A random instance of a random vocabulary, and one of its states."""
    structure = draw(structures(draw(vocabularies(numeric=numeric))))
    return structure, draw(interpretations(structure))


@st.composite
def walks(draw: st.DrawFn, structure: Structure, *, steps: int = 4) -> tuple[Interpretation, list[Successor]]:
    """A state and up to `steps` changes, each from the state before."""
    first = state = draw(interpretations(structure))
    path: list[Successor] = []
    for _ in range(draw(st.integers(0, steps))):
        path.append(draw(successors(structure, state)))
        state = path[-1].interpretation
    return first, path


@st.composite
def expressions(
    draw: st.DrawFn,
    vocabulary: Vocabulary,
    kind: Kind | Sequence[Kind] = tuple(Kind),
    depth: int = 3,
    without: Collection[str] = (),
) -> Expression:
    """A random expression of one of these kinds that fits the vocabulary, at most `depth` nodes deep.

    `without` names constructors that it must not contain.
    """
    kinds = [kind] if isinstance(kind, Kind) else list(kind)
    possible = [each for each in kinds if _rules(vocabulary, each, depth, without)]
    return _expression(draw, vocabulary, draw(st.sampled_from(possible)), depth, without)


def features(vocabulary: Vocabulary, depth: int = 4) -> st.SearchStrategy[Expression]:
    """A random Boolean or numerical expression."""
    return expressions(vocabulary, (Kind.BOOLEAN, Kind.NUMERICAL), depth)


def _expression(
    draw: st.DrawFn, vocabulary: Vocabulary, kind: Kind, depth: int, without: Collection[str]
) -> Expression:
    rule = draw(st.sampled_from(_rules(vocabulary, kind, depth, without)))
    shared = draw(st.sampled_from([Kind.CONCEPT, Kind.ROLE]))
    arguments: list[Argument] = []
    for takes in rule.takes:
        if isinstance(takes, tuple):
            arguments.append(_expression(draw, vocabulary, shared, depth - 1, without))
        elif isinstance(takes, Kind):
            arguments.append(_expression(draw, vocabulary, takes, depth - 1, without))
        else:
            arguments.append(_leaf(draw, vocabulary, rule, takes, arguments))
    return expression(rule.name, *arguments)


def _leaf(
    draw: st.DrawFn, vocabulary: Vocabulary, rule: Constructor, takes: Slot, before: Sequence[Argument]
) -> Argument:
    if takes is Slot.PREDICATE:
        fitting = [s.name for s in vocabulary.symbols if (s.arity == 0) == (rule.name == "b_nullary")]
        return draw(st.sampled_from(fitting))
    if takes is Slot.OBJECT:
        return draw(st.sampled_from(vocabulary.constants))
    if takes is Slot.FUNCTION:
        return draw(st.sampled_from(vocabulary.functions))
    places = vocabulary[str(before[0])].arity if rule.takes[0] is Slot.PREDICATE else 2
    return draw(st.integers(0, places - 1))


def _rules(
    vocabulary: Vocabulary, kind: Kind, depth: int, without: Collection[str] = ()
) -> list[Constructor]:
    """The constructors of this kind that fit the vocabulary and the depth."""
    available = {
        Slot.PREDICATE: any(symbol.arity for symbol in vocabulary.symbols),
        Slot.POSITION: True,
        Slot.OBJECT: bool(vocabulary.constants),
        Slot.FUNCTION: bool(vocabulary.functions),
    }
    nullary = any(symbol.arity == 0 for symbol in vocabulary.symbols)

    def fits(rule: Constructor) -> bool:
        if rule.name == "b_nullary":
            return nullary
        return all(available[t] if isinstance(t, Slot) else depth > 1 for t in rule.takes)

    made = [rule for rule in CONSTRUCTORS.values() if rule.makes is kind and rule.name not in without]
    return [rule for rule in made if fits(rule)]


@st.composite
def _atoms(draw: st.DrawFn, structure: Structure, *, static: bool, most: int = MOST_ATOMS) -> frozenset[int]:
    atoms: set[int] = set()
    for position, symbol in enumerate(structure.vocabulary.symbols):
        if symbol.static == static:
            low, high = structure.bases[position], structure.bases[position + 1]
            atoms |= draw(st.sets(st.integers(low, high - 1), max_size=min(most, high - low)))
    return frozenset(atoms)


def _function_values(structure: Structure) -> st.SearchStrategy[dict[str, float]]:
    return st.fixed_dictionaries(
        {name: st.integers(0, 9).map(float) for name in structure.vocabulary.functions}
    )
