"""States as relational structures: what `task` makes and `features` reads.

A vocabulary names the predicates of a domain, its types as unary predicates and the goal version
`p_g` of every predicate. A structure is one instance's objects and what never changes in it. A
ground atom is one integer, so that a state is a set of integers.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property


@dataclass(frozen=True)
class Symbol:
    """A predicate of the vocabulary."""

    name: str
    arity: int
    static: bool
    goal_of: str | None = None
    """For a goal version, the predicate it is the goal version of (Definition 1)."""
    is_type: bool = False


@dataclass(frozen=True)
class Vocabulary:
    """The symbols with which the states of a domain are described."""

    symbols: tuple[Symbol, ...]
    constants: tuple[str, ...] = ()
    functions: tuple[str, ...] = ()
    """Nullary numeric functions."""

    @cached_property
    def index(self) -> Mapping[str, int]:
        """The position of every symbol by its name."""
        return {symbol.name: position for position, symbol in enumerate(self.symbols)}

    def __contains__(self, name: object) -> bool:
        return name in self.index

    def __getitem__(self, name: str) -> Symbol:
        return self.symbols[self.index[name]]


@dataclass(frozen=True)
class Structure:
    """One instance: its objects (the domain's constants first) and the atoms no action changes.

    A ground atom `p(o1, …, ok)` is the integer `base(p) + o1·n^(k-1) + … + ok`, where n is the
    number of objects: unique, and found again without a table.
    """

    vocabulary: Vocabulary
    objects: tuple[str, ...]
    static_atoms: frozenset[int] = field(default=frozenset(), repr=False)

    def __reduce__(self) -> tuple[type[Structure], tuple[Vocabulary, tuple[str, ...], frozenset[int]]]:
        """What was computed stays behind where a structure is sent to another process."""
        return Structure, (self.vocabulary, self.objects, self.static_atoms)

    @cached_property
    def bases(self) -> tuple[int, ...]:
        """The first atom of each symbol, and one past the last atom at the end."""
        n, bases = len(self.objects), [0]
        for symbol in self.vocabulary.symbols:
            bases.append(bases[-1] + n**symbol.arity)
        return tuple(bases)

    @cached_property
    def static_tuples(self) -> Mapping[int, tuple[tuple[int, ...], ...]]:
        """The objects of the static atoms, by the position of their symbol, in the order of the atoms.

        Large instances have most of their atoms here, and much is set up from them: they are decoded once.
        """
        atoms, n = sorted(self.static_atoms), len(self.objects)
        found: dict[int, tuple[tuple[int, ...], ...]] = {}
        for position, symbol in enumerate(self.vocabulary.symbols):
            base = self.bases[position]
            own = atoms[bisect_left(atoms, base) : bisect_left(atoms, self.bases[position + 1])]
            if own and symbol.arity == 2:
                found[position] = tuple([divmod(atom - base, n) for atom in own])
            elif own:
                found[position] = tuple([self.decode(atom)[1] for atom in own])
        return found

    @cached_property
    def object_index(self) -> Mapping[str, int]:
        return {name: position for position, name in enumerate(self.objects)}

    def encode(self, symbol: int, arguments: Sequence[int]) -> int:
        """The atom of the symbol at this position of the vocabulary with these objects."""
        n, offset = len(self.objects), 0
        for argument in arguments:
            offset = offset * n + argument
        return self.bases[symbol] + offset

    def encoded(self, facts: Iterable[tuple[str, Sequence[str]]], *, static: bool) -> set[int]:
        """The atoms of predicates that no action changes, or of the others, from facts by names."""
        symbols, n, objects = self.vocabulary.symbols, len(self.objects), self.object_index
        bases = {
            symbol.name: self.bases[place] for place, symbol in enumerate(symbols) if symbol.static == static
        }
        found = set()
        for predicate, terms in facts:
            base = bases.get(predicate)
            if base is not None:
                offset = 0
                for term in terms:
                    offset = offset * n + objects[term]
                found.add(base + offset)
        return found

    @cached_property
    def decode(self) -> Callable[[int], tuple[int, tuple[int, ...]]]:
        """A function from an atom to its symbol's position and its objects.

        It remembers nothing: a search meets too many atoms to keep all.
        """
        bases, size = self.bases, len(self.objects)
        arities = [symbol.arity for symbol in self.vocabulary.symbols]

        def decode(atom: int) -> tuple[int, tuple[int, ...]]:
            symbol = bisect_right(bases, atom) - 1
            offset, arity = atom - bases[symbol], arities[symbol]
            if arity == 2:
                return symbol, divmod(offset, size)
            if arity == 1:
                return symbol, (offset,)
            arguments: list[int] = []
            for _ in range(arity):
                offset, argument = divmod(offset, size)
                arguments.append(argument)
            return symbol, tuple(reversed(arguments))

        return decode

    def atom(self, name: str, *objects: str) -> int:
        """The atom `name(objects…)`, by names."""
        return self.encode(self.vocabulary.index[name], [self.object_index[known] for known in objects])

    def named(self, atom: int) -> tuple[str, ...]:
        """The predicate of an atom and its objects, by names."""
        symbol, arguments = self.decode(atom)
        return (self.vocabulary.symbols[symbol].name, *(self.objects[place] for place in arguments))

    def atom_text(self, atom: int) -> str:
        """The atom in PDDL, as in `(at p1 c2)`."""
        return f"({' '.join(self.named(atom))})"


@dataclass(frozen=True)
class Interpretation:
    """One state to be described: the fluent atoms that hold, and the values of nullary functions."""

    atoms: frozenset[int]
    values: Mapping[str, float] = field(default_factory=dict)
