"""Expressions in the few forms that incremental evaluation knows.

Complements of concepts and inverses of roles are no nodes of their own but marks on a reference,
disjunctions and universal quantifiers turn into conjunctions and existential ones, and role-value maps
into "some pair differs". What never changes in a task is a static node. Equal nodes exist once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import cached_property

from trailmark.features.syntax import Expression, Kind, subexpressions
from trailmark.features.text import check_features
from trailmark.relational import Structure


class Op(Enum):
    """What a node computes from the nodes it refers to, and how a feature's value comes from its nodes."""

    C_EMPTY = "no object"
    C_ONE_OF = "one object"
    C_PRIMITIVE = "the objects at one place of a predicate"
    C_AND = "objects in both concepts"
    C_SOME = "objects with a successor in the concept"
    R_TOP = "every pair"
    R_PRIMITIVE = "the pairs at two places of a predicate"
    R_AND = "pairs in both roles"
    R_DIFF = "pairs in the first role only"
    R_OR = "pairs in one of the roles"
    R_XOR = "pairs in exactly one of the roles"
    R_RESTRICT = "pairs whose second object is in the concept"
    R_IDENTITY = "each object of the concept with itself"
    R_COMPOSE = "pairs joined by an object between them"
    R_CLOSURE = "pairs joined by one or more steps"
    COUNT = "number of elements"
    EMPTY = "1 if there is no element"
    NONEMPTY = "1 if there is an element"
    DISTANCE = "steps from one concept to another"
    NULLARY = "1 if the nullary predicate holds"
    FUNCTION = "value of a nullary function"

    @cached_property
    def is_role(self) -> bool:
        return self.name.startswith("R_")


@dataclass(frozen=True)
class Ref:
    """A use of a node: its denotation, a concept's complemented or a role's turned round where marked."""

    node: int
    negated: bool = False
    inverse: bool = False

    def complement(self) -> Ref:
        return replace(self, negated=not self.negated)

    def turned(self) -> Ref:
        return replace(self, inverse=not self.inverse)


@dataclass(frozen=True)
class FormNode:
    """One denotation, or one value of a feature, that is kept up to date."""

    op: Op
    refs: tuple[Ref, ...] = ()
    symbol: int = -1
    """The place of a predicate in the vocabulary, or of a function among its functions."""
    places: tuple[int, ...] = ()
    """Argument places of a primitive; the object of a one-of."""


BOTTOM = Ref(0)
TOP = Ref(0, negated=True)
EVERY_PAIR = Ref(1)


@dataclass
class NormalForm:
    """The nodes of an expression set, parts before wholes, and its features in order."""

    structure: Structure
    nodes: list[FormNode] = field(default_factory=list)
    static: list[bool] = field(default_factory=list)
    features: list[FormNode] = field(default_factory=list)
    sets: set[int] = field(default_factory=set)
    """The concepts that a distance reads."""
    columns: set[int] = field(default_factory=set)
    """The roles that are read backwards."""
    counted: list[int] = field(default_factory=list)
    """The nodes of which it is kept how many witnesses each element has."""
    _known: dict[FormNode, Ref] = field(default_factory=dict)

    def node(self, op: Op, *refs: Ref, symbol: int = -1, places: tuple[int, ...] = ()) -> Ref:
        """A reference to the one node with these parts."""
        node = FormNode(op, refs, symbol, places)
        known = self._known.get(node)
        if known is None:
            known = self._known[node] = Ref(len(self.nodes))
            fixed = symbol < 0 or self.structure.vocabulary.symbols[symbol].static
            self.nodes.append(node)
            self.static.append(fixed and all(self.static[ref.node] for ref in refs))
        return known

    def dynamic_first(self, a: Ref, b: Ref) -> tuple[Ref, Ref]:
        """The operands of a commutative node in one order, a static one second."""
        key = (self.static[a.node], a.node, a.negated, a.inverse)
        return (a, b) if key <= (self.static[b.node], b.node, b.negated, b.inverse) else (b, a)


def normal_form(expressions: tuple[Expression, ...], structure: Structure) -> NormalForm:
    """The normal form of these features, for their values in the states of one instance."""
    form = NormalForm(structure)
    form.node(Op.C_EMPTY)
    form.node(Op.R_TOP)
    made: dict[Expression, Ref] = {}
    check_features(expressions, structure.vocabulary)
    for part in subexpressions(expressions):
        if part.kind in (Kind.CONCEPT, Kind.ROLE):
            made[part] = _DENOTATIONS[part.constructor.name](
                form, part, *map(made.__getitem__, part.children)
            )
    for feature in expressions:
        refs = map(made.__getitem__, feature.children)
        form.features.append(_FEATURES[feature.constructor.name](form, feature, *refs))
    return form


def _and(form: NormalForm, a: Ref, b: Ref) -> Ref:
    a, b = form.dynamic_first(a, b)
    if b == TOP or a == b:
        return a
    if a == TOP:
        return b
    if BOTTOM in (a, b) or a == b.complement():
        return BOTTOM
    return form.node(Op.C_AND, a, b)


def _roles(form: NormalForm, op: Op, a: Ref, b: Ref) -> Ref:
    """A node over two roles, turned so that its first operand is not an inverse."""
    if op is not Op.R_DIFF:
        a, b = form.dynamic_first(a, b)
    if a.inverse:
        return form.node(op, a.turned(), b.turned()).turned()
    return form.node(op, a, b)


def _closure(form: NormalForm, role: Ref) -> Ref:
    if role.inverse:
        return form.node(Op.R_CLOSURE, role.turned()).turned()
    return form.node(Op.R_CLOSURE, role)


def _role_primitive(form: NormalForm, expression: Expression) -> Ref:
    symbol, places = _symbol(form, expression), _places(expression)
    arity = form.structure.vocabulary.symbols[symbol].arity
    if arity == 1:
        return form.node(Op.R_IDENTITY, form.node(Op.C_PRIMITIVE, symbol=symbol, places=(0,)))
    if arity == 2 and places == (1, 0):
        return form.node(Op.R_PRIMITIVE, symbol=symbol, places=(0, 1)).turned()
    return form.node(Op.R_PRIMITIVE, symbol=symbol, places=places)


def _one_of(form: NormalForm, expression: Expression, argument: int) -> Ref:
    return form.node(Op.C_ONE_OF, places=(form.structure.object_index[str(expression.arguments[argument])],))


def _symbol(form: NormalForm, expression: Expression) -> int:
    return form.structure.vocabulary.index[str(expression.arguments[0])]


def _places(expression: Expression) -> tuple[int, ...]:
    return tuple(place for place in expression.arguments if isinstance(place, int))


def _primitive(form: NormalForm, expression: Expression) -> Ref:
    return form.node(Op.C_PRIMITIVE, symbol=_symbol(form, expression), places=_places(expression))


def _inclusion(form: NormalForm, expression: Expression, a: Ref, b: Ref) -> FormNode:
    is_role = form.nodes[a.node].op.is_role
    return FormNode(Op.EMPTY, (_roles(form, Op.R_DIFF, a, b) if is_role else _and(form, a, b.complement()),))


def _function(form: NormalForm, expression: Expression) -> FormNode:
    return FormNode(
        Op.FUNCTION, symbol=form.structure.vocabulary.functions.index(str(expression.arguments[0]))
    )


_FEATURES: Mapping[str, Callable[..., FormNode]] = {
    "n_count": lambda form, node, *refs: FormNode(Op.COUNT, refs),
    "b_empty": lambda form, node, *refs: FormNode(Op.EMPTY, refs),
    "b_nonempty": lambda form, node, *refs: FormNode(Op.NONEMPTY, refs),
    "b_inclusion": _inclusion,
    "n_concept_distance": lambda form, node, *refs: FormNode(Op.DISTANCE, refs),
    "b_nullary": lambda form, node: FormNode(Op.NULLARY, symbol=_symbol(form, node)),
    "n_function": _function,
}

_DENOTATIONS: Mapping[str, Callable[..., Ref]] = {
    "c_top": lambda form, node: TOP,
    "c_bot": lambda form, node: BOTTOM,
    "c_primitive": _primitive,
    "c_one_of": lambda form, node: _one_of(form, node, 0),
    "c_not": lambda form, node, a: a.complement(),
    "c_and": lambda form, node, a, b: _and(form, a, b),
    "c_or": lambda form, node, a, b: _and(form, a.complement(), b.complement()).complement(),
    "c_diff": lambda form, node, a, b: _and(form, a, b.complement()),
    "c_some": lambda form, node, r, c: form.node(Op.C_SOME, r, c),
    "c_all": lambda form, node, r, c: form.node(Op.C_SOME, r, c.complement()).complement(),
    "c_equal": lambda form, node, r, s: form.node(Op.C_SOME, _roles(form, Op.R_XOR, r, s), TOP).complement(),
    "c_subset": lambda form, node, r, s: form.node(
        Op.C_SOME, _roles(form, Op.R_DIFF, r, s), TOP
    ).complement(),
    "c_projection": lambda form, node, r: form.node(Op.C_SOME, r.turned() if node.arguments[1] else r, TOP),
    "c_fills": lambda form, node, r: form.node(Op.C_SOME, r, _one_of(form, node, 1)),
    "r_top": lambda form, node: EVERY_PAIR,
    "r_primitive": _role_primitive,
    "r_inverse": lambda form, node, r: r.turned(),
    "r_not": lambda form, node, r: _roles(form, Op.R_DIFF, EVERY_PAIR, r),
    "r_and": lambda form, node, r, s: _roles(form, Op.R_AND, r, s),
    "r_or": lambda form, node, r, s: _roles(form, Op.R_OR, r, s),
    "r_diff": lambda form, node, r, s: _roles(form, Op.R_DIFF, r, s),
    "r_compose": lambda form, node, r, s: form.node(Op.R_COMPOSE, r, s),
    "r_restrict": lambda form, node, r, c: r if c == TOP else form.node(Op.R_RESTRICT, r, c),
    "r_identity": lambda form, node, c: form.node(Op.R_IDENTITY, c),
    "r_transitive_closure": lambda form, node, r: _closure(form, r),
    "r_transitive_reflexive_closure": lambda form, node, r: _roles(
        form, Op.R_OR, _closure(form, r), form.node(Op.R_IDENTITY, TOP)
    ),
}
"""What each constructor is of the parts' denotations."""
