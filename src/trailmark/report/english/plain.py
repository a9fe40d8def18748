"""Expressions rewritten so that they read easily, with the same meaning.

Negation moves inward until it stands before a name, inverses move onto predicates, and what needs
no construction of its own (difference, projection, composition, restriction, …) is expressed by
those that read as a clause. `plain(e)` has the denotation of `e` in every state.
"""

from __future__ import annotations

from collections.abc import Mapping

from trailmark.features.syntax import Expression, Kind
from trailmark.features.syntax import expression as make

TOP, BOTTOM = make("c_top"), make("c_bot")
ANY_PAIR, NO_PAIR = make("r_top"), make("r_identity", BOTTOM)
"""DLPlan has no name for the empty role."""


def plain(node: Expression, arities: Mapping[str, int] | None = None) -> Expression:
    """The expression in a form that is easy to read aloud.

    With the arities of predicates, the arguments of a binary predicate become roles.
    """
    return _Rewriter(arities or {}).any(node)


def conjuncts(node: Expression) -> list[Expression]:
    """The parts of a conjunction, left to right."""
    return _flat(node, "c_and")


def disjuncts(node: Expression) -> list[Expression]:
    """The parts of a disjunction, left to right."""
    return _flat(node, "c_or")


def negation(node: Expression) -> Expression:
    """The complement of a plain concept, plain."""
    return _Rewriter({}).concept(node, positive=False)


def both(left: Expression, right: Expression) -> Expression:
    """The intersection of two plain concepts, without the obvious."""
    parts = list(dict.fromkeys([*conjuncts(left), *conjuncts(right)]))
    parts = [part for part in parts if part is not TOP]
    # `some R` says nothing beside `some R in C`.
    roles = {part.arguments[0] for part in parts if part.constructor.name == "c_some" and not _bare(part)}
    parts = [part for part in parts if not (_bare(part) and part.arguments[0] in roles)]
    return BOTTOM if BOTTOM in parts else _joined("c_and", parts, TOP)


def either(left: Expression, right: Expression) -> Expression:
    """The union of two plain concepts, without the obvious."""
    parts = list(dict.fromkeys([*disjuncts(left), *disjuncts(right)]))
    parts = [part for part in parts if part is not BOTTOM]
    return TOP if TOP in parts else _joined("c_or", parts, BOTTOM)


def _bare(node: Expression) -> bool:
    return node.constructor.name == "c_some" and node.arguments[1] is TOP


def _flat(node: Expression, name: str) -> list[Expression]:
    if node.constructor.name != name:
        return [node]
    return [part for child in node.children for part in _flat(child, name)]


def _joined(name: str, parts: list[Expression], nothing: Expression) -> Expression:
    if not parts:
        return nothing
    whole = parts[-1]
    for part in reversed(parts[:-1]):
        whole = make(name, part, whole)
    return whole


class _Rewriter:
    def __init__(self, arities: Mapping[str, int]) -> None:
        self.arities = arities

    def any(self, node: Expression) -> Expression:
        if node.kind is Kind.CONCEPT:
            return self.concept(node)
        if node.kind is Kind.ROLE:
            return self.role(node)
        name, children = node.constructor.name, [self.any(child) for child in node.children]
        if name in ("b_empty", "b_nonempty") and children[0].kind is Kind.ROLE:
            children = [self.some(children[0], TOP)]
        if name == "b_inclusion" and children[0].kind is Kind.ROLE:
            children = [TOP, self.concept(make("c_subset", *children))]
        if name == "n_count" and children[0].constructor.name == "r_identity":
            children = [children[0].children[0]]
        return make(name, *children) if children else node

    def concept(self, node: Expression, positive: bool = True) -> Expression:
        name, children = node.constructor.name, node.children
        if name in ("c_top", "c_bot"):
            return TOP if (name == "c_top") == positive else BOTTOM
        if name == "c_not":
            return self.concept(children[0], not positive)
        if name in ("c_and", "c_or"):
            join = both if (name == "c_and") == positive else either
            return join(self.concept(children[0], positive), self.concept(children[1], positive))
        if name == "c_diff":
            join = both if positive else either
            return join(self.concept(children[0], positive), self.concept(children[1], not positive))
        if name in ("c_some", "c_all"):
            quantify = self.some if (name == "c_some") == positive else self.all
            return quantify(self.role(children[0]), self.concept(children[1], positive))
        if name in ("c_projection", "c_fills") or self.is_binary(node):
            role, filler = self.as_filled_role(node)
            return self.some(role, filler) if positive else self.all(role, negation(filler))
        if name in ("c_equal", "c_subset"):
            left, right = (self.role(child) for child in children)
            if left is right:
                return TOP if positive else BOTTOM
            node = make(name, left, right)
        return node if positive else make("c_not", node)

    def is_binary(self, node: Expression) -> bool:
        if node.constructor.name != "c_primitive":
            return False
        predicate, position = node.arguments
        # The arity may be a guess from another feature's use of the name.
        return self.arities.get(str(predicate)) == 2 and position in (0, 1)

    def as_filled_role(self, node: Expression) -> tuple[Expression, Expression]:
        """The role and the concept for which this is `some role in concept`."""
        first, second = node.arguments
        if node.constructor.name == "c_fills":
            return self.role(node.children[0]), make("c_one_of", second)
        if node.constructor.name == "c_projection":
            return self.role(node.children[0], inverted=second == 1), TOP
        return make("r_primitive", first, second, 1 - int(str(second))), TOP

    def some(self, role: Expression, concept: Expression) -> Expression:
        name, parts = role.constructor.name, role.children
        if concept is BOTTOM:
            return BOTTOM
        if name == "r_compose":
            return self.some(parts[0], self.some(parts[1], concept))
        if name == "r_restrict":
            return self.some(parts[0], both(parts[1], concept))
        if name == "r_or":
            return either(self.some(parts[0], concept), self.some(parts[1], concept))
        if name == "r_identity":
            return both(parts[0], concept)
        if name == "r_transitive_reflexive_closure":
            return either(concept, make("c_some", make("r_transitive_closure", parts[0]), concept))
        return make("c_some", role, concept)

    def all(self, role: Expression, concept: Expression) -> Expression:
        name, parts = role.constructor.name, role.children
        if concept is TOP:
            return TOP
        if name == "r_compose":
            return self.all(parts[0], self.all(parts[1], concept))
        if name == "r_restrict":
            return self.all(parts[0], either(negation(parts[1]), concept))
        if name == "r_or":
            return both(self.all(parts[0], concept), self.all(parts[1], concept))
        if name == "r_identity":
            return either(negation(parts[0]), concept)
        if name == "r_transitive_reflexive_closure":
            return both(concept, make("c_all", make("r_transitive_closure", parts[0]), concept))
        return make("c_all", role, concept)

    def role(self, node: Expression, inverted: bool = False) -> Expression:
        name, children = node.constructor.name, node.children
        if node is ANY_PAIR:
            return node
        if name == "r_primitive":
            predicate, first, second = node.arguments
            if first == second:
                return make("r_identity", self.concept(make("c_primitive", predicate, first)))
            return make("r_primitive", predicate, second, first) if inverted else node
        if name == "r_inverse":
            return self.role(children[0], not inverted)
        if name == "r_identity":
            return make("r_identity", self.concept(children[0]))
        if name == "r_restrict":
            role, same = self.role(children[0], inverted), make("r_identity", self.concept(children[1]))
            return composed(same, role) if inverted else composed(role, same)
        parts = [self.role(child, inverted) for child in children]
        if name == "r_compose":
            return composed(*reversed(parts)) if inverted else composed(*parts)
        if name.endswith("_closure"):
            return closed(name, parts[0])
        if name == "r_not":
            return without(ANY_PAIR, parts[0])
        if name == "r_diff":
            return without(*parts)
        if name == "r_and" and parts[1].constructor.name == "r_not":
            return without(parts[0], parts[1].children[0])
        return joined_roles(name, *parts)


def composed(left: Expression, right: Expression) -> Expression:
    """The composition of two plain roles; one with the identity is a restriction."""
    if NO_PAIR in (left, right):
        return NO_PAIR
    if right.constructor.name != "r_identity":
        return make("r_compose", left, right)
    concept = right.children[0]
    if concept is TOP:
        return left
    if left.constructor.name == "r_identity":
        return make("r_identity", both(left.children[0], concept))
    if left.constructor.name == "r_restrict":
        return make("r_restrict", left.children[0], both(left.children[1], concept))
    return make("r_restrict", left, concept)


def closed(name: str, role: Expression) -> Expression:
    """The closure of a plain role, where it is not closed already."""
    if role is ANY_PAIR or role.constructor.name == "r_transitive_reflexive_closure":
        return role
    if role.constructor.name == "r_identity":
        return role if name == "r_transitive_closure" else make("r_identity", TOP)
    return make(name, role.children[0] if role.constructor.name == "r_transitive_closure" else role)


def without(left: Expression, right: Expression) -> Expression:
    """The difference of two plain roles."""
    if left is right or left is NO_PAIR or right is ANY_PAIR:
        return NO_PAIR
    if right is NO_PAIR:
        return left
    if left is not ANY_PAIR:
        return make("r_diff", left, right)
    return right.children[0] if right.constructor.name == "r_not" else make("r_not", right)


def joined_roles(name: str, left: Expression, right: Expression) -> Expression:
    """The intersection or union of two plain roles, without the obvious."""
    neutral, absorbing = (ANY_PAIR, NO_PAIR) if name == "r_and" else (NO_PAIR, ANY_PAIR)
    if absorbing in (left, right):
        return absorbing
    if left is right or right is neutral:
        return left
    return right if left is neutral else make(name, left, right)
