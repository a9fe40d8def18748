"""The rules by which concepts and roles grow, one complexity after the other.

A rule yields stacks of candidates; `Elements` keeps those with a denotation not yet known. Nothing
here looks at more than a chunk of candidates at a time, so that generation can stop between two.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import numpy as np

from trailmark.features import batch as meaning
from trailmark.features import bits
from trailmark.features.grammar import Grammar
from trailmark.features.states import StateBatch
from trailmark.features.syntax import CONSTRUCTORS, Expression, Kind, expression

CHUNK_BYTES = 1 << 21
"""How much is computed between two looks at the clock; more would not fit the processor's cache."""

Candidates = tuple[bits.Bits, Callable[[int], bits.Derivation]]
"""A stack, and the derivation of each of its rows."""
Operation = Callable[[bits.Words, bits.Words], bits.Words]

COMPARISONS: dict[str, Operation] = {
    "c_equal": lambda left, right: left ^ right,
    "c_subset": lambda left, right: left & ~right,
    "r_and": lambda left, right: left & right,
    "r_diff": lambda left, right: left & ~right,
}
"""Constructors of two roles take a role and the same role of the goal, as `at` and `at_g`. What they have, or
what an object of the concept must have none of."""
SYMMETRIC = frozenset({"c_and", "r_and", "c_equal"})


@dataclass
class Growth:
    """What has grown so far, and the rules for the next complexity."""

    batch: StateBatch
    grammar: Grammar
    goal_versions: frozenset[str]
    """The goal versions that may be used."""
    concepts: bits.Elements = field(init=False)
    roles: bits.Elements = field(init=False)
    goal_role: dict[int, int] = field(default_factory=dict)
    """For a role the same role of the goal: for `at` it is `at_g`, for its closure the closure of that."""
    _images: dict[tuple[str, int], int] = field(default_factory=dict)
    _by_node: dict[int, bits.Words] = field(default_factory=dict)
    _edges: dict[int, bits.Edges] = field(default_factory=dict)
    _made: dict[tuple[Kind, int], Expression] = field(default_factory=dict)

    def __post_init__(self) -> None:
        nodes, pairs = int(self.batch.nodes[-1]), int(self.batch.pairs[-1])
        self.concepts = bits.Elements(Kind.CONCEPT, bits.packed_width(nodes))
        self.roles = bits.Elements(Kind.ROLE, bits.packed_width(pairs))
        self._all_nodes = bits.pack(np.ones((1, nodes), bool))

    def concept_candidates(self, complexity: int) -> Iterator[Candidates]:
        """Every concept of this complexity that the grammar makes from what is known."""
        allows, below = self.grammar.allows, complexity - 1
        if complexity == 1:
            yield from self._leaves(self._concept_leaves())
        if allows("c_not", complexity):
            yield from self._unary("c_not", self.concepts, below)
        if allows("c_and", complexity):
            yield from self._binary("c_and", lambda left, right: left & right, below)
        for name in ("c_equal", "c_subset"):
            if allows(name, complexity):
                for rows, derivation in self._comparisons(name, below):
                    pairs = bits.unpack(rows, int(self.batch.pairs[-1])).view(bool)[0]
                    yield bits.pack(~meaning.any_right(self.batch, pairs)[None]), derivation
        if allows("c_all", complexity) and "r_identity" in self.grammar.constructors:
            full = self._all_nodes.view(np.uint64)
            yield from self._binary(bits.IMPLIES, lambda left, right: ~left & full | right, below - 1)
        if allows("c_some", complexity) or allows("c_all", complexity):
            for role_complexity in range(1, below):
                yield from self._quantified(role_complexity, below - role_complexity)

    def _concept_leaves(self) -> Iterator[Expression]:
        vocabulary, uses = self.batch.vocabulary, self.grammar.constructors
        if "c_one_of" in uses:
            yield from (expression("c_one_of", name) for name in vocabulary.constants)
        yield from (expression(name) for name in ("c_top", "c_bot") if name in uses)
        if "c_primitive" in uses:
            for name, arity in self.predicates():
                if arity == 1 or self.grammar.any_position:
                    yield from (expression("c_primitive", name, place) for place in range(arity))

    def _quantified(self, role_complexity: int, concept_complexity: int) -> Iterator[Candidates]:
        """`c_some` and `c_all` of all roles and all concepts of these complexities."""
        level = self.concepts.level(concept_complexity)
        roles = self.edges(role_complexity)
        if not len(level) or not roles.roles:
            return
        stack, all_nodes = self.by_node(concept_complexity), self._all_nodes
        step = max(1, CHUNK_BYTES // stack.nbytes)
        role_number, number = self.roles.first[role_complexity], self.concepts.first[concept_complexity]
        for first in range(0, roles.roles, step):
            for name, words in zip(
                ("c_some", "c_all"),
                bits.apply(roles, first, min(first + step, roles.roles), stack),
                strict=True,
            ):
                if name in self.grammar.constructors:
                    rows = bits.by_concept(words, len(level)) & all_nodes
                    yield rows, bits.pairing(name, role_number + first, number, len(level))

    def _comparisons(self, name: str, size: int) -> Iterator[Candidates]:
        """The pairs that a constructor of two roles of this summed complexity is about, one row each."""
        complexities = self.roles.complexities
        for role, goal in self.goal_role.items():
            if complexities[role] + complexities[goal] == size:
                for left, right in [(role, goal)] if name in SYMMETRIC else [(role, goal), (goal, role)]:
                    one, other = (self.roles.row(role)[None].view(np.uint64) for role in (left, right))
                    yield COMPARISONS[name](one, other).view(np.uint8), bits.pairing(name, left, right)

    def role_candidates(self, complexity: int) -> Iterator[Candidates]:
        """Every role of this complexity that the grammar makes from what is known."""
        allows, below = self.grammar.allows, complexity - 1
        if complexity == 1:
            yield from self._leaves(self._role_leaves())
        if allows("r_restrict", complexity):
            for role_complexity in range(1, below):
                yield from self._restricted(role_complexity, below - role_complexity)
        for name in ("r_and", "r_diff"):
            if allows(name, complexity):
                yield from self._comparisons(name, below)
        for name in ("r_inverse", "r_transitive_closure"):
            if allows(name, complexity):
                yield from self._unary(name, self.roles, below)

    def _role_leaves(self) -> Iterator[Expression]:
        if "r_primitive" not in self.grammar.constructors:
            return
        for name, arity in self.predicates():
            if arity == 2 or self.grammar.any_position:
                for left in range(arity):
                    for right in range(left + 1, arity):
                        yield expression("r_primitive", name, left, right)

    def _restricted(self, role_complexity: int, concept_complexity: int) -> Iterator[Candidates]:
        roles, concepts = self.roles.level(role_complexity), self.concepts.level(concept_complexity)
        if not len(roles) or not len(concepts):
            return
        pairs, right = int(self.batch.pairs[-1]), self.batch.pair_nodes[1]
        step = max(1, CHUNK_BYTES // max(1, pairs))
        for begin in range(0, len(concepts), step):
            members = bits.unpack(concepts[begin : begin + step], int(self.batch.nodes[-1]))
            ends = bits.pack(members[:, right].view(bool))
            number = self.concepts.first[concept_complexity] + begin
            for role, row in enumerate(roles, self.roles.first[role_complexity]):
                yield ends & row, bits.pairing("r_restrict", role, number, len(ends))

    def pair_goal_roles(self, complexity: int) -> None:
        """Note for the roles of this closed level which role of the goal each corresponds to."""
        first = self.roles.first[complexity]
        if complexity == 1:
            spelled = {self.roles.derivations[n][0]: n for n in range(first, len(self.roles))}
            versions = {symbol.goal_of: symbol.name for symbol in self.batch.vocabulary.symbols}
            for leaf in self._role_leaves():
                name, *places = leaf.arguments
                if leaf in spelled and name in versions:
                    goal = expression("r_primitive", versions[str(name)], *places)
                    if goal in spelled:
                        self.goal_role[spelled[leaf]] = spelled[goal]
            return
        for (name, part), image in list(self._images.items()):
            goal_part = self.goal_role.get(part)
            goal_image = None if goal_part is None else self._images.get((name, goal_part))
            if goal_image is not None and image != goal_image:
                self.goal_role.setdefault(image, goal_image)

    def expression(self, kind: Kind, number: int) -> Expression:
        """The expression of an element, made from its derivation once."""
        made = self._made.get((kind, number))
        if made is None:
            elements = self.concepts if kind is Kind.CONCEPT else self.roles
            made = self._made[kind, number] = self._expression(*elements.derivations[number])
        return made

    def _expression(self, name: str | Expression, left: int, right: int) -> Expression:
        if isinstance(name, Expression):
            return name
        if name == bits.IMPLIES:
            condition = expression("r_identity", self.expression(Kind.CONCEPT, left))
            return expression("c_all", condition, self.expression(Kind.CONCEPT, right))
        parts = zip(CONSTRUCTORS[name].takes, (left, right), strict=False)
        made = [self.expression(kind, part) for kind, part in parts if isinstance(kind, Kind)]
        return expression(name, *made)

    def by_node(self, complexity: int) -> bits.Words:
        """The concepts of a closed level, transposed."""
        if complexity not in self._by_node:
            self._by_node[complexity] = bits.by_node(self.concepts.level(complexity))
        return self._by_node[complexity]

    def edges(self, complexity: int) -> bits.Edges:
        """The roles of a closed level as edges."""
        if complexity not in self._edges:
            self._edges[complexity] = bits.edges(self.roles.level(complexity), self.batch)
        return self._edges[complexity]

    def predicates(self) -> Iterator[tuple[str, int]]:
        for symbol in self.batch.vocabulary.symbols:
            if symbol.goal_of is None or symbol.name in self.goal_versions:
                yield symbol.name, symbol.arity

    def _leaves(self, leaves: Iterator[Expression]) -> Iterator[Candidates]:
        for leaf, denotation in meaning.denotations(list(leaves), self.batch):
            yield bits.pack(denotation[None]), bits.pairing(leaf, 0)

    def _unary(self, name: str, elements: bits.Elements, size: int) -> Iterator[Candidates]:
        level = elements.level(size)
        step = max(1, CHUNK_BYTES // elements.width)
        for begin in range(0, len(level), step):
            rows = self._image(name, level[begin : begin + step])
            number = elements.first[size] + begin
            yield rows, bits.pairing(name, number)
            if elements is self.roles:
                for index, row in enumerate(rows):
                    image = elements.numbers.get(row.tobytes())
                    if image is not None:
                        self._images[name, number + index] = image

    def _image(self, name: str, rows: bits.Bits) -> bits.Bits:
        if name == "c_not":
            return ~rows & self._all_nodes
        members = bits.unpack(rows, int(self.batch.pairs[-1])).view(bool)
        if name == "r_inverse":
            return bits.pack(members[:, self.batch.inverse])
        return bits.pack(np.array([meaning.closure(self.batch, role) for role in members]))

    def _binary(self, name: str, operation: Operation, size: int) -> Iterator[Candidates]:
        """The operation on all pairs of concepts whose complexities sum up to `size`."""
        elements = self.concepts
        for left_size in range(1, size):
            right_size = size - left_size
            if name in SYMMETRIC and left_size > right_size:
                return
            left, right = (
                elements.level(complexity).view(np.uint64) for complexity in (left_size, right_size)
            )
            if not len(left) or not len(right):
                continue
            step = max(1, CHUNK_BYTES // right.nbytes)
            for begin in range(0, len(left), step):
                skip = begin if name in SYMMETRIC and left_size == right_size else 0
                partners = right[skip:]
                rows = operation(left[begin : begin + step, None], partners[None])
                yield (
                    rows.reshape(-1, right.shape[1]).view(np.uint8),
                    bits.pairing(
                        name,
                        elements.first[left_size] + begin,
                        elements.first[right_size] + skip,
                        len(partners),
                    ),
                )
