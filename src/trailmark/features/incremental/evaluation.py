"""Feature values of successors from what their parent knows: `bind`, then `start`, then `values_after` or
`after`; `moved` goes on for good and keeps nothing of the state before.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from trailmark.errors import FeatureError
from trailmark.features.incremental.kernel import write
from trailmark.features.incremental.normal_form import Measure, normal_form
from trailmark.features.incremental.scratch import (
    changed_successors,
    closure_change,
    distance,
    evaluate,
    value,
)
from trailmark.features.incremental.tables import (
    Atoms,
    Changes,
    Layout,
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

    expressions: tuple[Expression, ...]
    structure: Structure
    _layout: Layout
    _static: Tables
    _kept: tuple[int, ...]
    _functions: tuple[tuple[int, str], ...]
    _values_after: Callable[[Tables, Values, Atoms, Atoms], Values]
    _tables_after: Callable[[Tables, Values, Atoms, Atoms], tuple[Changes, Changes]]

    def start(self, state: Interpretation) -> Evaluation:
        """The evaluation of a state from scratch."""
        tables = self._static.copy()
        evaluate(tables, self._layout, self._kept, state.atoms - self.structure.static_atoms)
        features = self._layout.form.features
        atoms = self.structure.static_atoms | state.atoms
        values = tuple(value(self._layout, tables, feature, atoms) for feature in features)
        return Evaluation(self, tables, self._with_functions(values, state.values))

    def _with_functions(self, values: Values, functions: Mapping[str, float] | None) -> Values:
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
        if evaluator._functions:
            return evaluator._with_functions(values, functions or self._numbers())
        return values

    def after(self, added: Atoms, deleted: Atoms, functions: Mapping[str, float] | None = None) -> Evaluation:
        """The evaluation of the state with these changes."""
        evaluator, tables = self._evaluator, self._tables
        after = applied(tables, evaluator._layout, *evaluator._tables_after(tables, (), added, deleted))
        return Evaluation(evaluator, after, self.values_after(added, deleted, functions))

    def members(self, number: int) -> tuple[bytearray, bool]:
        """Of the feature at this place, which counts a concept: by object whether it is in it, or, where the
        second answer is true, whether it is not. The next change may alter what is returned."""
        (ref,) = self._evaluator._layout.form.features[number].refs
        return self._tables.members[ref.node], ref.negated

    def changed_members(self, numbers: Sequence[int], added: Atoms, deleted: Atoms) -> list[set[int]]:
        """For features that count concepts: the objects that these changes bring into the concept or out."""
        changes, _ = self._evaluator._tables_after(self._tables, (), added, deleted)
        by_node = {node: {each for each in change if isinstance(each, int)} for node, change in changes}
        features = self._evaluator._layout.form.features
        return [by_node.get(features[number].refs[0].node, set()) for number in numbers]

    def _numbers(self) -> dict[str, float]:
        return {name: self.values[number] for number, name in self._evaluator._functions}


def bind(expressions: Sequence[Expression], structure: Structure) -> Evaluator:
    """Prepare Boolean and numerical expressions for the states of one instance."""
    form = normal_form(tuple(expressions), structure)
    source = write(form)
    layout = Layout(form, frozenset(source.sets), frozenset(source.columns), frozenset(source.counted))
    static = Tables.blank(len(form.nodes))
    fixed = [index for index, is_static in enumerate(form.static) if is_static]
    evaluate(static, layout, fixed)
    keys = AtomKeys(source.slots, structure)
    names = _names(layout, keys)
    exec(compile(source.functions(), "<incremental features>", "exec"), names)
    return Evaluator(
        tuple(expressions),
        structure,
        layout,
        static,
        tuple(source.kept),
        tuple(
            (number, feature.function)
            for number, feature in enumerate(form.features)
            if feature.measure is Measure.FUNCTION
        ),
        names["values_after"],  # type: ignore[arg-type]
        names["tables_after"],  # type: ignore[arg-type]
    )


def _names(layout: Layout, keys: AtomKeys) -> dict[str, object]:
    """What the generated functions may use."""
    return {
        "__builtins__": {"int": int, "list": list, "range": range, "sum": sum, "tuple": tuple},
        "E": {},
        "K": keys,
        "U": layout.universe,
        "changed": changed,
        "changed_successors": changed_successors,
        "closure_change": closure_change,
        "complement": _complement,
        "distance": distance,
    }


class AtomKeys(dict[int, "tuple[int, object] | None"]):
    """By atom: its predicate's slot and its key there, None where no feature reads the predicate."""

    def __init__(self, slots: Mapping[int, int], structure: Structure) -> None:
        super().__init__()
        self.slots = slots
        self.structure = structure

    def __missing__(self, atom: int) -> tuple[int, object] | None:
        symbol, arguments = self.structure.decode(atom)
        slot = self.slots.get(symbol)
        key = arguments[0] if len(arguments) == 1 else arguments
        entry = self[atom] = None if slot is None else (slot, key)
        return entry


def _complement(rows: Sequence[frozenset[int]], universe: frozenset[int]) -> Callable[[int], frozenset[int]]:
    return lambda x: universe - rows[x]


def moved(evaluation: Evaluation, added: Atoms, deleted: Atoms) -> Evaluation:
    """The evaluation after these changes in the tables of the one before, which is of no use any more. That
    takes no longer where an instance is larger."""
    evaluator, tables = evaluation._evaluator, evaluation._tables
    values = evaluation.values_after(added, deleted)
    alter(tables, evaluator._layout, *evaluator._tables_after(tables, (), added, deleted))
    return Evaluation(evaluator, tables, values)
