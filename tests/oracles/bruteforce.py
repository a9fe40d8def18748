"""Description-logic denotations straight from their definitions: the oracle of every evaluator.

Nothing here is clever: sets, comprehensions and one function per constructor. The semantics are
DLPlan's; the universe is every object of the structure.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from trailmark.features.syntax import INFINITE, Expression
from trailmark.relational import Interpretation, Structure

Concept = set[int]
Role = set[tuple[int, int]]
Denotation = set[int] | set[tuple[int, int]] | bool | int


@dataclass(frozen=True)
class World:
    """One state of one instance, with everything that holds in it."""

    structure: Structure
    interpretation: Interpretation

    @property
    def universe(self) -> Concept:
        return set(range(len(self.structure.objects)))

    @property
    def pairs(self) -> Role:
        return {(a, b) for a in self.universe for b in self.universe}

    def tuples(self, predicate: str) -> set[tuple[int, ...]]:
        """Every argument tuple with which the predicate holds, static or fluent."""
        position = self.structure.vocabulary.index[predicate]
        held = self.structure.static_atoms | self.interpretation.atoms
        return {objects for symbol, objects in map(self.structure.decode, held) if symbol == position}

    def object(self, name: str) -> int:
        return self.structure.objects.index(name)


def evaluate(expression: Expression, structure: Structure, interpretation: Interpretation) -> Denotation:
    """The denotation of the expression in this state."""
    return _value(expression, World(structure, interpretation))


def _value(node: Expression, world: World) -> Denotation:
    arguments = [_value(each, world) if isinstance(each, Expression) else each for each in node.arguments]
    return _MEANING[node.constructor.name](world, *arguments)


def successors(role: Role, a: int) -> Concept:
    """R(a): the objects that `a` is related to."""
    return {y for x, y in role if x == a}


def compose(left: Role, right: Role) -> Role:
    return {(a, c) for a, b in left for b2, c in right if b == b2}


def closure(role: Role) -> Role:
    """The least transitive role that contains this one."""
    closed = set(role)
    while not compose(closed, role) <= closed:
        closed |= compose(closed, role)
    return closed


def distance(start: Concept, role: Role, goal: Concept) -> int:
    """The least number of steps along the role from `start` into `goal`."""
    reached, steps = set(start), 0
    while not reached & goal:
        wider = reached | {b for a, b in role if a in reached}
        if wider == reached:
            return INFINITE
        reached, steps = wider, steps + 1
    return steps


_MEANING: dict[str, Callable[..., Denotation]] = {
    "c_top": lambda w: w.universe,
    "c_bot": lambda w: set(),
    "c_primitive": lambda w, p, i: {row[i] for row in w.tuples(p)},
    "c_one_of": lambda w, o: {w.object(o)},
    "c_not": lambda w, c: {a for a in w.universe if a not in c},
    "c_and": lambda w, c, d: {a for a in w.universe if a in c and a in d},
    "c_or": lambda w, c, d: {a for a in w.universe if a in c or a in d},
    "c_diff": lambda w, c, d: {a for a in w.universe if a in c and a not in d},
    "c_some": lambda w, r, c: {a for a in w.universe if any(b in c for b in successors(r, a))},
    "c_all": lambda w, r, c: {a for a in w.universe if all(b in c for b in successors(r, a))},
    "c_equal": lambda w, r, s: {a for a in w.universe if successors(r, a) == successors(s, a)},
    "c_subset": lambda w, r, s: {a for a in w.universe if successors(r, a) <= successors(s, a)},
    "c_projection": lambda w, r, i: {pair[i] for pair in r},
    "c_fills": lambda w, r, o: {a for a in w.universe if (a, w.object(o)) in r},
    "r_top": lambda w: w.pairs,
    "r_primitive": lambda w, p, i, j: {(row[i], row[j]) for row in w.tuples(p)},
    "r_inverse": lambda w, r: {(b, a) for a, b in r},
    "r_not": lambda w, r: {pair for pair in w.pairs if pair not in r},
    "r_and": lambda w, r, s: {pair for pair in w.pairs if pair in r and pair in s},
    "r_or": lambda w, r, s: {pair for pair in w.pairs if pair in r or pair in s},
    "r_diff": lambda w, r, s: {pair for pair in w.pairs if pair in r and pair not in s},
    "r_compose": lambda w, r, s: compose(r, s),
    "r_restrict": lambda w, r, c: {(a, b) for a, b in r if b in c},
    "r_identity": lambda w, c: {(a, a) for a in c},
    "r_transitive_closure": lambda w, r: closure(r),
    "r_transitive_reflexive_closure": lambda w, r: closure(r) | {(a, a) for a in w.universe},
    "b_nullary": lambda w, p: () in w.tuples(p),
    "b_empty": lambda w, x: len(x) == 0,
    "b_nonempty": lambda w, x: len(x) > 0,
    "b_inclusion": lambda w, x, y: all(each in y for each in x),
    "n_count": lambda w, x: len(x),
    "n_concept_distance": lambda w, c, r, d: distance(c, r, d),
    "n_function": lambda w, f: int(w.interpretation.values[f]),
}
