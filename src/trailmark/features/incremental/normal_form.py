"""Expressions in the few forms that incremental evaluation knows.

Complements and inverses are no nodes of their own but marks on a reference, disjunctions and
universal quantifiers turn into conjunctions and existential ones, and role-value maps into "some
pair differs". What never changes in a task is a static node. Equal nodes exist once.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import Enum

from trailmark.errors import FeatureError
from trailmark.features.syntax import Expression, Kind, subexpressions
from trailmark.features.text import check
from trailmark.relational import Structure


class Op(Enum):
    """What a node computes from the nodes it refers to."""

    C_EMPTY = "no object"
    C_ONE_OF = "one object"
    C_PRIMITIVE = "the objects at one place of a predicate"
    C_AND = "objects in both concepts"
    C_SOME = "objects with a successor in the concept"
    C_SOME_NOT = "objects with a non-successor in the concept"
    R_EMPTY = "no pair"
    R_PRIMITIVE = "the pairs at two places of a predicate"
    R_AND = "pairs in both roles"
    R_DIFF = "pairs in the first role only"
    R_OR = "pairs in one of the roles"
    R_XOR = "pairs in exactly one of the roles"
    R_RESTRICT = "pairs whose second object is in the concept"
    R_IDENTITY = "each object of the concept with itself"
    R_COMPOSE = "pairs joined by an object between them"
    R_CLOSURE = "pairs joined by one or more steps"

    @property
    def is_role(self) -> bool:
        return self.name.startswith("R")


class Measure(Enum):
    """How a feature's value comes from denotations."""

    COUNT = "number of elements"
    EMPTY = "1 if there is no element"
    NONEMPTY = "1 if there is an element"
    DISTANCE = "steps from one concept to another"
    NULLARY = "1 if the nullary predicate holds"
    FUNCTION = "value of a nullary function"


@dataclass(frozen=True)
class Ref:
    """A use of a node: its denotation, complemented or (a role) turned round where marked."""

    node: int
    negated: bool = False
    inverse: bool = False

    def complement(self) -> Ref:
        return replace(self, negated=not self.negated)

    def turned(self) -> Ref:
        return replace(self, inverse=not self.inverse)

    @property
    def positive(self) -> Ref:
        return replace(self, negated=False)


@dataclass(frozen=True)
class FormNode:
    """One denotation that is kept up to date."""

    op: Op
    refs: tuple[Ref, ...] = ()
    symbol: int = -1
    places: tuple[int, ...] = ()
    """Argument places of a primitive; the object of a one-of."""


@dataclass(frozen=True)
class Feature:
    """One value that is kept up to date."""

    measure: Measure
    refs: tuple[Ref, ...] = ()
    symbol: int = -1
    function: str = ""


BOTTOM = Ref(0)
TOP = Ref(0, negated=True)
EVERY_PAIR = Ref(1, negated=True)


@dataclass
class NormalForm:
    """The nodes of an expression set, parts before wholes, and its features in order."""

    structure: Structure
    nodes: list[FormNode] = field(default_factory=list)
    static: list[bool] = field(default_factory=list)
    features: list[Feature] = field(default_factory=list)
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
    form.node(Op.R_EMPTY)
    made: dict[Expression, Ref] = {}
    for expression in expressions:
        if expression.kind not in (Kind.BOOLEAN, Kind.NUMERICAL):
            raise FeatureError(
                f"{expression} is a {expression.kind.value}, which has no value", hint="count it"
            )
        check(expression, structure.vocabulary)
    for part in subexpressions(expressions):
        if part.kind in (Kind.CONCEPT, Kind.ROLE):
            made[part] = _denotation(form, part, [made[child] for child in part.children])
    form.features = [
        _feature(form, feature, [made[child] for child in feature.children]) for feature in expressions
    ]
    return form


def _feature(form: NormalForm, expression: Expression, refs: list[Ref]) -> Feature:
    match expression.constructor.name:
        case "n_count":
            return Feature(Measure.COUNT, tuple(refs))
        case "b_empty":
            return Feature(Measure.EMPTY, tuple(refs))
        case "b_nonempty":
            return Feature(Measure.NONEMPTY, tuple(refs))
        case "b_inclusion":
            meet = _role_and if form.nodes[refs[0].node].op.is_role else _and
            return Feature(Measure.EMPTY, (meet(form, refs[0], refs[1].complement()),))
        case "n_concept_distance":
            return Feature(Measure.DISTANCE, tuple(refs))
        case "b_nullary":
            return Feature(Measure.NULLARY, symbol=_symbol(form, expression))
        case "n_function":
            return Feature(Measure.FUNCTION, function=str(expression.arguments[0]))
    raise FeatureError(f"the constructor of {expression} has no incremental evaluation")


def _denotation(form: NormalForm, expression: Expression, refs: list[Ref]) -> Ref:
    match expression.constructor.name, refs:
        case "c_top", []:
            return TOP
        case "c_bot", []:
            return BOTTOM
        case "c_primitive", []:
            return form.node(Op.C_PRIMITIVE, symbol=_symbol(form, expression), places=_places(expression))
        case "c_one_of", []:
            return _one_of(form, expression, 0)
        case "c_not" | "r_not", [a]:
            return a.complement()
        case "c_and", [a, b]:
            return _and(form, a, b)
        case "c_or", [a, b]:
            return _and(form, a.complement(), b.complement()).complement()
        case "c_diff", [a, b]:
            return _and(form, a, b.complement())
        case "c_some", [r, c]:
            return _some(form, r, c)
        case "c_all", [r, c]:
            return _some(form, r, c.complement()).complement()
        case "c_equal", [r, s]:
            return _some(form, _xor(form, r, s), TOP).complement()
        case "c_subset", [r, s]:
            return _some(form, _role_and(form, r, s.complement()), TOP).complement()
        case "c_projection", [r]:
            return _some(form, r if expression.arguments[1] == 0 else r.turned(), TOP)
        case "c_fills", [r]:
            return _some(form, r, _one_of(form, expression, 1))
        case "r_top", []:
            return EVERY_PAIR
        case "r_primitive", []:
            return _role_primitive(form, expression)
        case "r_inverse", [r]:
            return r.turned()
        case "r_and", [r, s]:
            return _role_and(form, r, s)
        case "r_or", [r, s]:
            return _role_or(form, r, s)
        case "r_diff", [r, s]:
            return _role_and(form, r, s.complement())
        case "r_compose", [r, s]:
            return form.node(Op.R_COMPOSE, r, s)
        case "r_restrict", [r, c]:
            return r if c == TOP else form.node(Op.R_RESTRICT, r, c)
        case "r_identity", [c]:
            return form.node(Op.R_IDENTITY, c)
        case "r_transitive_closure", [r]:
            return _closure(form, r)
        case "r_transitive_reflexive_closure", [r]:
            return _role_or(form, _closure(form, r), form.node(Op.R_IDENTITY, TOP))
    raise FeatureError(f"the constructor of {expression} has no incremental evaluation")


def _and(form: NormalForm, a: Ref, b: Ref) -> Ref:
    a, b = form.dynamic_first(a, b)
    if b == TOP or a == b:
        return a
    if a == TOP:
        return b
    if BOTTOM in (a, b) or a == b.complement():
        return BOTTOM
    return form.node(Op.C_AND, a, b)


def _some(form: NormalForm, role: Ref, concept: Ref) -> Ref:
    if role.negated:
        return form.node(Op.C_SOME_NOT, role.positive, concept)
    return form.node(Op.C_SOME, role, concept)


def _role_and(form: NormalForm, a: Ref, b: Ref) -> Ref:
    """Both; the node's own operands are never complements, so that it denotes few pairs."""
    if a.negated and b.negated:
        return _role_pair(form, Op.R_OR, a.positive, b.positive).complement()
    if a.negated or b.negated:
        kept, dropped = (b, a) if a.negated else (a, b)
        return _role_pair(form, Op.R_DIFF, kept, dropped.positive)
    return _role_pair(form, Op.R_AND, a, b)


def _role_or(form: NormalForm, a: Ref, b: Ref) -> Ref:
    return _role_and(form, a.complement(), b.complement()).complement()


def _xor(form: NormalForm, a: Ref, b: Ref) -> Ref:
    differ = _role_pair(form, Op.R_XOR, a.positive, b.positive)
    return differ.complement() if a.negated != b.negated else differ


def _role_pair(form: NormalForm, op: Op, a: Ref, b: Ref) -> Ref:
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
