"""The text of generated functions: their frame, and how references to nodes are written in them.

Names in the text: M, S, R, Q, C, P and Z are the lists of `Tables`, V the values before, U the set of
all objects, E an empty dictionary, p0, p1, … the changes of fluent predicates, f7 the change of
node 7 and d7 that of its witness counts. Nothing but these and integers is ever written.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from trailmark.features.incremental.normal_form import Feature, Measure, NormalForm, Ref

FRAME = """
def {name}(tables, V, added, deleted):
    {inputs}
    for a in added:
        e = K[a]
        if e:
            slots[e[0]][e[1]] = 1
    for a in deleted:
        e = K[a]
        if e:
            slots[e[0]][e[1]] = -1
    if not ({any_input}):
        return {unchanged}
    M = tables.members; S = tables.sets; R = tables.rows; Q = tables.columns
    C = tables.counts; P = tables.pair_counts; Z = tables.sizes
    {body}
    return {result}
"""


@dataclass
class Source:
    """The source of both functions, and what they need besides the tables' default parts."""

    form: NormalForm
    slots: dict[int, int] = field(default_factory=dict)
    """The number of each fluent predicate that is read."""
    sets: set[int] = field(default_factory=set)
    columns: set[int] = field(default_factory=set)
    kept: list[int] = field(default_factory=list)
    """The nodes that change, parts before wholes."""
    counted: list[int] = field(default_factory=list)
    change: dict[int, str] = field(default_factory=dict)
    """The name of each kept node's change."""
    node_lines: list[str] = field(default_factory=list)
    feature_lines: list[str] = field(default_factory=list)

    def functions(self) -> str:
        """`values_after` finds the values after a change, `tables_after` the changes of all nodes too."""
        changes = "".join(f"({node}, {self.change[node]}), " for node in self.kept)
        counts = "".join(f"({node}, d{node}), " for node in self.counted)
        body = [self._blanks(), *self.node_lines, "out = list(V)", *self.feature_lines]
        return self._function("values_after", body, "tuple(out)", "V") + self._function(
            "tables_after", body, f"({changes}), ({counts}), tuple(out)", "(), (), V"
        )

    def _function(self, name: str, body: Iterable[str], result: str, unchanged: str) -> str:
        inputs = [f"p{slot}" for slot in self.slots.values()]
        return FRAME.format(
            name=name,
            inputs="; ".join([*(f"{name} = {{}}" for name in inputs), f"slots = [{', '.join(inputs)}]"]),
            any_input=" or ".join(inputs) or "False",
            unchanged=unchanged,
            body="\n    ".join(body),
            result=result,
        )

    def _blanks(self) -> str:
        """Nothing has changed until it is found."""
        names = [f"f{node} = " for node in self.kept if self.change[node] == f"f{node}"]
        return "".join(names) + "".join(f"d{node} = " for node in self.counted) + "none = E"

    def slot(self, symbol: int) -> str:
        return f"p{self.slots.setdefault(symbol, len(self.slots))}"

    def fluent(self, ref: Ref) -> bool:
        return not self.form.static[ref.node]

    def guarded(self, refs: Iterable[Ref], lines: Iterable[str]) -> list[str]:
        """Lines to run when one of the referenced nodes changes."""
        names = dict.fromkeys(self.change[ref.node] for ref in refs if self.fluent(ref))
        return [f"if {' or '.join(names)}:", *(f"    {line}" for line in lines)]

    def pred(self, role: Ref, y: str) -> str:
        """The objects that have `y` as successor, before the change."""
        return self.succ(role.turned(), y)

    def succ(self, role: Ref, x: str) -> str:
        text = f"{self.table(role)}[{x}]"
        return f"(U - {text})" if role.negated else text

    def table(self, role: Ref) -> str:
        if role.inverse:
            self.columns.add(role.node)
        return f"{'Q' if role.inverse else 'R'}[{role.node}]"

    def steps(self, role: Ref) -> str:
        """The function from an object to its successors before the change."""
        table = self.table(role)
        return f"complement({table}, U)" if role.negated else f"{table}.__getitem__"

    def before(self, ref: Ref, key: str) -> str:
        """0 or 1: the membership of `key` (`x`, or `x, y`) before the change; complements apart."""
        if not self.form.nodes[ref.node].op.is_role:
            return f"M[{ref.node}][{key}]"
        x, y = key.split(", ")[:: -1 if ref.inverse else 1]
        return f"({y} in R[{ref.node}][{x}])"

    def difference(self, ref: Ref, key: str) -> str:
        """-1, 0 or 1: how the membership of `key` changes; complements apart."""
        if not self.fluent(ref):
            return "0"
        if self.form.nodes[ref.node].op.is_role:
            key = f"({', '.join(key.split(', ')[:: -1 if ref.inverse else 1])})"
        return f"{self.change[ref.node]}.get({key}, 0)"

    def after(self, ref: Ref, key: str) -> str:
        """0 or 1: the membership after the change, complemented where the reference is."""
        text = self.before(ref, key)
        if self.fluent(ref):
            text = f"{text} + {self.difference(ref, key)}"
        return f"1 - ({text})" if ref.negated else text

    def changes(self, ref: Ref, names: str = "x, y", sign: str = "s") -> str:
        """The head of a loop over the change of a role or concept."""
        if self.form.nodes[ref.node].op.is_role:
            names = f"({', '.join(names.split(', ')[:: -1 if ref.inverse else 1])})"
        return f"for {names}, {sign} in {self.change[ref.node]}.items():"


def write_feature(source: Source, number: int, feature: Feature) -> None:
    if feature.measure is Measure.NULLARY:
        if not source.form.structure.vocabulary.symbols[feature.symbol].static:
            slot = source.slot(feature.symbol)
            source.feature_lines += [f"if {slot}:", f"    out[{number}] = int({slot}[()] > 0)"]
    elif feature.measure is Measure.DISTANCE:
        _write_distance(source, number, feature)
    elif feature.measure is not Measure.FUNCTION and source.fluent(feature.refs[0]):
        _write_size(source, number, feature)


def _write_size(source: Source, number: int, feature: Feature) -> None:
    (ref,) = feature.refs
    total = f"sum({source.change[ref.node]}.values())"
    if feature.measure is Measure.COUNT:
        lines = [f"out[{number}] {'-=' if ref.negated else '+='} {total}"]
    else:
        objects = len(source.form.structure.objects)
        universe = objects**2 if source.form.nodes[ref.node].op.is_role else objects
        none = universe if ref.negated else 0
        test = "==" if feature.measure is Measure.EMPTY else "!="
        lines = [f"out[{number}] = int(Z[{ref.node}] + {total} {test} {none})"]
    source.feature_lines += source.guarded(feature.refs, lines)


def _write_distance(source: Source, number: int, feature: Feature) -> None:
    start, role, goal = feature.refs
    if not any(source.fluent(ref) for ref in feature.refs):
        return
    sides: list[str] = []
    for ref in (start, goal):
        source.sets.add(ref.node)
        members = f"U - S[{ref.node}]" if ref.negated else f"S[{ref.node}]"
        change = source.change[ref.node] if source.fluent(ref) else "E"
        sides.append(f"changed({members}, {change}, {-1 if ref.negated else 1})")
    steps = source.steps(role)
    if source.fluent(role):
        sign = -1 if role.negated else 1
        steps = f"changed_successors({steps}, {source.change[role.node]}, {sign}, {role.inverse})"
    value = f"distance({sides[0]}, {steps}, {sides[1]})"
    source.feature_lines += source.guarded(feature.refs, [f"out[{number}] = {value}"])
