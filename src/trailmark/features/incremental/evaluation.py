"""Feature values of successors from what their parent knows: `bind`, then `start`, then `values_after` or
`after`; `moved` goes on for good and keeps nothing of the state before. And which atoms can change a feature
at all.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from trailmark.errors import FeatureError
from trailmark.features.incremental import scratch
from trailmark.features.incremental.kernel import write
from trailmark.features.incremental.normal_form import FormNode, NormalForm, Op, Ref, normal_form
from trailmark.features.incremental.tables import (
    AtomKeys,
    Atoms,
    Changes,
    Tables,
    Values,
    alter,
    applied,
    changed,
)
from trailmark.features.syntax import Expression, whole
from trailmark.relational import Interpretation, Structure


@dataclass(frozen=True, eq=False, repr=False)
class Evaluator:
    """An expression set bound to one instance."""

    structure: Structure
    _form: NormalForm
    _static: Tables
    _kept: tuple[int, ...]
    _functions: tuple[tuple[int, str], ...]
    _values_after: Callable[[Tables, Values, Atoms, Atoms], Values]
    _tables_after: Callable[[Tables, Values, Atoms, Atoms], tuple[Changes, Changes, Values]]

    def start(self, state: Interpretation) -> Evaluation:
        """The evaluation of a state from scratch."""
        tables = self._static.copy()
        form, atoms = self._form, self.structure.static_atoms | state.atoms
        scratch.evaluate(tables, form, self._kept, state.atoms - self.structure.static_atoms)
        values = tuple(scratch.value(form, tables, feature, atoms) for feature in form.features)
        return Evaluation(self, tables, self._with_functions(values, state.values))

    def _with_functions(self, values: Values, functions: Mapping[str, float] | None) -> Values:
        """The values with those of functions, which are as before where nothing is said of them."""
        if functions is None or not self._functions:
            return values
        result = list(values)
        for number, name in self._functions:
            if name not in functions:
                raise FeatureError(f"the state gives no value to the function {name}")
            result[number] = whole(functions[name])
        return tuple(result)


@dataclass(frozen=True, eq=False, repr=False)
class Evaluation:
    """The values of the features in one state, and the way to those of its successors.

    Changes are net: added atoms were absent, deleted ones present. No method alters what another one returns.
    """

    _evaluator: Evaluator
    _tables: Tables
    values: Values
    """In the order of the expressions; `INFINITE` for a distance without a path."""

    def values_after(
        self, added: Atoms, deleted: Atoms, functions: Mapping[str, float] | None = None
    ) -> Values:
        """The values in the state with these changes; `functions` where they changed too."""
        evaluator = self._evaluator
        values = evaluator._values_after(self._tables, self.values, added, deleted)
        return evaluator._with_functions(values, functions or None)

    def after(self, added: Atoms, deleted: Atoms, functions: Mapping[str, float] | None = None) -> Evaluation:
        """The evaluation of the state with these changes."""
        evaluator, tables = self._evaluator, self._tables
        changes, counts, values = evaluator._tables_after(tables, self.values, added, deleted)
        after = applied(tables, evaluator._form, changes, counts)
        return Evaluation(evaluator, after, evaluator._with_functions(values, functions or None))

    def members(self, number: int) -> tuple[bytearray, bool]:
        """Of the feature at this place, which counts a concept: by object whether it is in it, or, where the
        second answer is true, whether it is not. The next change may alter what is returned."""
        (ref,) = self._evaluator._form.features[number].refs
        return self._tables.members[ref.node], ref.negated


def bind(expressions: Sequence[Expression], structure: Structure) -> Evaluator:
    """Prepare Boolean and numerical expressions for the states of one instance."""
    form = normal_form(tuple(expressions), structure)
    source = write(form)
    static = Tables.blank(len(form.nodes))
    scratch.evaluate(static, form, [index for index, is_static in enumerate(form.static) if is_static])
    names: dict[str, Any] = {  # what the generated functions may use
        "__builtins__": {"int": int, "list": list, "sum": sum, "tuple": tuple},
        "E": {},
        "K": AtomKeys(source.slots, structure),
        "U": frozenset(range(len(structure.objects))),
        "changed": changed,
        "changed_successors": scratch.changed_successors,
        "closure_change": scratch.closure_change,
        "distance": scratch.distance,
    }
    exec(compile(source.functions(), "<incremental features>", "exec"), names)
    functions = structure.vocabulary.functions
    return Evaluator(
        structure,
        form,
        static,
        tuple(source.kept),
        tuple(
            (number, functions[feature.symbol])
            for number, feature in enumerate(form.features)
            if feature.op is Op.FUNCTION
        ),
        names["values_after"],
        names["tables_after"],
    )


def moved(evaluation: Evaluation, added: Atoms, deleted: Atoms) -> Evaluation:
    """The evaluation after these changes in the tables of the one before, which is of no use any more. That
    takes no longer where an instance is larger."""
    return moved_members(evaluation, (), added, deleted)[0]


def moved_members(
    evaluation: Evaluation, numbers: Sequence[int], added: Atoms, deleted: Atoms
) -> tuple[Evaluation, list[set[int]]]:
    """The same and, for features that count concepts, the objects that enter the concept or leave it."""
    evaluator, tables = evaluation._evaluator, evaluation._tables
    changes, counts, values = evaluator._tables_after(tables, evaluation.values, added, deleted)
    alter(tables, evaluator._form, changes, counts)
    nodes = [evaluator._form.features[number].refs[0].node for number in numbers]
    changed = {node: change for node, change in changes if node in nodes}
    members = [{x for x in changed.get(node, ()) if isinstance(x, int)} for node in nodes]
    return Evaluation(evaluator, tables, values), members


Element = tuple[int, ...]
"""An object of a concept, or a pair of a role."""
Check = Callable[[Element], bool]


def _always(element: Element) -> bool:
    return True


class Relevance:
    """Says of an atom whether adding or deleting it can change a value in some state.

    A feature often reads a predicate only where something that never changes holds too: of all places
    a package may be at, only its goal counts. Where an atom does not matter, a search need not evaluate.
    """

    def __init__(self, evaluator: Evaluator) -> None:
        self._static = evaluator._static
        self._form = form = evaluator._form
        self._measured = frozenset(ref.node for feature in form.features for ref in feature.refs)
        self._users: dict[int, list[tuple[int, int]]] = {}
        for index, node in enumerate(form.nodes):
            for place, ref in enumerate(node.refs):
                self._users.setdefault(ref.node, []).append((index, place))
        self._concepts: dict[Ref, frozenset[int] | None] = {}
        self._checks: dict[int, list[tuple[tuple[int, ...], Check]]] = {}
        for index, node in enumerate(form.nodes):
            if node.op in (Op.C_PRIMITIVE, Op.R_PRIMITIVE) and not form.static[index]:
                self._checks.setdefault(node.symbol, []).append((node.places, self._check(index)))
        for feature in form.features:
            if feature.op is Op.NULLARY:
                self._checks.setdefault(feature.symbol, []).append(((), _always))

    @property
    def symbols(self) -> frozenset[int]:
        """The predicates that features read."""
        return frozenset(self._checks)

    def matters(self, symbol: int, arguments: tuple[int, ...]) -> bool:
        """Whether the atom of this predicate with these objects can change a feature."""
        checks = self._checks.get(symbol, ())
        return any(check(tuple([arguments[place] for place in places])) for places, check in checks)

    def _check(self, index: int) -> Check:
        """Whether a feature can change when an element enters or leaves the node."""
        if index in self._measured:
            return _always
        ways = [self._way(user, place) for user, place in self._users.get(index, ())]
        if len(ways) == 1 or _always in ways:
            return _always if _always in ways else ways[0]
        return lambda element: any(way(element) for way in ways)

    def _way(self, user: int, place: int) -> Check:
        """Whether a change gets through this user of the node to a feature."""
        node, after = self._form.nodes[user], self._check(user)
        first: Check
        match node.op:
            case Op.C_AND | Op.R_AND:
                first = self._possible(node.refs[1 - place])
            case Op.R_DIFF if place == 1:
                first = self._possible(node.refs[0])
            case Op.R_DIFF if self._form.static[node.refs[1].node]:
                taken = self._possible(node.refs[1])
                first = lambda element: not taken(element)  # noqa: E731
            case Op.R_DIFF:
                first = _always
            case Op.R_RESTRICT | Op.C_SOME if place == 0:
                target = self._possible(node.refs[1])
                first = lambda element: target(element[1:])  # noqa: E731
            case _:
                return _always
        end = 1 if node.op is Op.C_SOME else None
        if node.refs[place].inverse:
            return lambda element: first(element[::-1]) and after(element[::-1][:end])
        return lambda element: first(element) and after(element[:end])

    def _possible(self, ref: Ref) -> Check:
        """Whether an element may be in the denotation in some state, as far as known."""
        if not self._form.nodes[ref.node].op.is_role:
            bound = self._concept(ref)
            return _always if bound is None else lambda element: element[0] in bound
        rows = self._rows(Ref(ref.node))
        if rows is None:
            return _always
        step = -1 if ref.inverse else 1
        return lambda element: element[::step][1] in rows[element[::step][0]]

    def _concept(self, ref: Ref) -> frozenset[int] | None:
        """A set that holds the concept in every state; None for all objects."""
        if ref not in self._concepts:
            bound: frozenset[int] | None = None
            if self._form.static[ref.node]:
                bound = self._static.concept(ref)
            elif not ref.negated:
                bound = self._fluent_concept(self._form.nodes[ref.node])
            self._concepts[ref] = bound
        return self._concepts[ref]

    def _fluent_concept(self, node: FormNode) -> frozenset[int] | None:
        if node.op is Op.C_AND:
            parts = [part for part in map(self._concept, node.refs) if part is not None]
            return frozenset.intersection(*parts) if parts else None
        if node.op is Op.C_SOME and not node.refs[0].inverse:
            rows, targets = self._rows(node.refs[0]), self._concept(node.refs[1])
            if rows is not None:
                return frozenset(
                    x
                    for x, row in enumerate(rows)
                    if row and (targets is None or not row.isdisjoint(targets))
                )
        return None

    def _rows(self, ref: Ref) -> scratch.Rows | None:
        """Successors that hold those of the role, not turned round, in every state; None for all."""
        if self._form.static[ref.node]:
            return self._static.successors(ref)
        node = self._form.nodes[ref.node]
        if node.op not in (Op.R_AND, Op.R_DIFF, Op.R_RESTRICT):
            return None
        parts = node.refs if node.op is Op.R_AND else node.refs[:1]
        bounds = [self._rows(part) for part in parts if not part.inverse]
        return next((bound for bound in bounds if bound is not None), None)
