"""The text of generated functions: their frame, and how references to nodes are written in them.

Names in the text: M, S, R, Q, C, P and Z are the lists of `Tables`, V the values before, U the set of
all objects, E an empty dictionary, p0, p1, … the changes of fluent predicates, f7 the change of
node 7 and d7 that of its witness counts. Nothing but these and integers is ever written.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from trailmark.features.incremental.normal_form import FormNode, NormalForm, Op, Ref

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
    """The source of both functions; what they read besides members and rows is noted in the form."""

    form: NormalForm
    slots: dict[int, int] = field(default_factory=dict)
    """The number of each fluent predicate that is read."""
    kept: list[int] = field(default_factory=list)
    """The nodes that change, parts before wholes."""
    change: dict[int, str] = field(default_factory=dict)
    """The name of each kept node's change."""
    node_lines: list[str] = field(default_factory=list)
    feature_lines: list[str] = field(default_factory=list)

    def functions(self) -> str:
        """`values_after` finds the values after a change, `tables_after` the changes of all nodes too."""
        changes = "".join(f"({node}, {self.change[node]}), " for node in self.kept)
        counts = "".join(f"({node}, d{node}), " for node in self.form.counted)
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
        return "".join(names) + "".join(f"d{node} = " for node in self.form.counted) + "none = E"

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
        return f"{self.table(role)}[{x}]"

    def table(self, role: Ref) -> str:
        if role.inverse:
            self.form.columns.add(role.node)
        return f"{'Q' if role.inverse else 'R'}[{role.node}]"

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


def write_feature(source: Source, number: int, feature: FormNode) -> None:
    if feature.op is Op.NULLARY:
        if not source.form.structure.vocabulary.symbols[feature.symbol].static:
            slot = source.slot(feature.symbol)
            source.feature_lines += [f"if {slot}:", f"    out[{number}] = int({slot}[()] > 0)"]
    elif any(map(source.fluent, feature.refs)):
        change = _distance(source, feature) if feature.op is Op.DISTANCE else _size(source, feature)
        source.feature_lines += source.guarded(feature.refs, [f"out[{number}] {change}"])


def _size(source: Source, feature: FormNode) -> str:
    (ref,) = feature.refs
    total = f"sum({source.change[ref.node]}.values())"
    if feature.op is Op.COUNT:
        return f"{'-=' if ref.negated else '+='} {total}"
    none = len(source.form.structure.objects) if ref.negated else 0
    return f"= int(Z[{ref.node}] + {total} {'==' if feature.op is Op.EMPTY else '!='} {none})"


def _distance(source: Source, feature: FormNode) -> str:
    start, role, goal = feature.refs
    sides: list[str] = []
    for ref in (start, goal):
        source.form.sets.add(ref.node)
        members = f"U - S[{ref.node}]" if ref.negated else f"S[{ref.node}]"
        change = source.change[ref.node] if source.fluent(ref) else "E"
        sides.append(f"changed({members}, {change}, {-1 if ref.negated else 1})")
    steps = f"{source.table(role)}.__getitem__"
    if source.fluent(role):
        steps = f"changed_successors({source.table(role)}, {source.change[role.node]}, {role.inverse})"
    return f"= distance({sides[0]}, {steps}, {sides[1]})"
