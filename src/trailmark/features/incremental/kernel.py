"""Python source that computes a successor's values from a state's tables and the atoms that change.

Every node's change is a dictionary from the objects (or pairs) that enter to +1 and from those that
leave to -1, so that conjunctions, joins and witness counts are sums and products of changes, and
the work is that of the change. The source contains nothing but names made here and integers.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from trailmark.features.incremental.normal_form import TOP, Feature, Measure, Node, Op, Program, Ref

PRELUDE = """
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
    out = list(V)
"""

COMBINED = {
    Op.C_AND: "({a} & {b})",
    Op.R_AND: "({a} & {b})",
    Op.R_DIFF: "({a} > {b})",
    Op.R_OR: "({a} | {b})",
    Op.R_XOR: "({a} ^ {b})",
}


@dataclass
class Source:
    """The source of both functions, and what they need besides the tables' default parts."""

    program: Program
    slots: dict[int, int] = field(default_factory=dict)
    """The number of each fluent predicate that is read."""
    sets: set[int] = field(default_factory=set)
    columns: set[int] = field(default_factory=set)
    static_distances: dict[str, Ref] = field(default_factory=dict)
    """Static roles along which distances are measured, by the name the source uses for them."""
    kept: list[int] = field(default_factory=list)
    """The nodes that change, parts before wholes."""
    counted: list[int] = field(default_factory=list)
    change: dict[int, str] = field(default_factory=dict)
    """The name of each kept node's change."""
    lines: list[str] = field(default_factory=list)

    def functions(self) -> str:
        """`values_after` for the values alone, `tables_after` also with every change."""
        changes = "".join(f"({node}, {self.change[node]}), " for node in self.kept)
        counts = "".join(f"({node}, d{node}), " for node in self.counted)
        body = "\n".join(f"    {line}" for line in [self._blanks(), *self.lines])
        inputs = [f"p{slot}" for slot in self.slots.values()]
        heads = [
            PRELUDE.format(
                name=name,
                inputs="; ".join([*(f"{each} = {{}}" for each in inputs), f"slots = [{', '.join(inputs)}]"]),
                any_input=" or ".join(inputs) or "False",
                unchanged=unchanged,
            )
            for name, unchanged in (("values_after", "V"), ("tables_after", "V, (), ()"))
        ]
        return (
            f"{heads[0]}{body}\n    return tuple(out)\n"
            f"{heads[1]}{body}\n    return tuple(out), ({changes}), ({counts})\n"
        )

    def _blanks(self) -> str:
        names = [f"f{node} = " for node in self.kept if self.change[node] == f"f{node}"]
        return "".join(names) + "".join(f"d{node} = " for node in self.counted) + "none = E"

    def slot(self, symbol: int) -> str:
        return f"p{self.slots.setdefault(symbol, len(self.slots))}"

    def fluent(self, ref: Ref) -> bool:
        return not self.program.static[ref.node]

    def block(self, refs: Iterable[Ref], lines: Iterable[str]) -> None:
        """Lines to run when one of the referenced nodes changes."""
        names = dict.fromkeys(self.change[ref.node] for ref in refs if self.fluent(ref))
        self.lines.append(f"if {' or '.join(names)}:")
        self.lines += [f"    {line}" for line in lines]

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

    def before(self, ref: Ref, key: str) -> str:
        """0 or 1: the membership of `key` (`x`, or `x, y`) before the change; complements apart."""
        if not self.program.nodes[ref.node].op.is_role:
            return f"M[{ref.node}][{key}]"
        x, y = key.split(", ")[:: -1 if ref.inverse else 1]
        return f"({y} in R[{ref.node}][{x}])"

    def difference(self, ref: Ref, key: str) -> str:
        """-1, 0 or 1: how the membership of `key` changes; complements apart."""
        if not self.fluent(ref):
            return "0"
        if self.program.nodes[ref.node].op.is_role:
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
        if self.program.nodes[ref.node].op.is_role:
            names = f"({', '.join(names.split(', ')[:: -1 if ref.inverse else 1])})"
        return f"for {names}, {sign} in {self.change[ref.node]}.items():"


def write(program: Program) -> Source:
    """The source for a program."""
    source = Source(program)
    for index in _reachable(program):
        node = program.nodes[index]
        source.kept.append(index)
        source.change[index] = f"f{index}"
        if node.op in COMBINED:
            _write_combined(source, index, node)
        else:
            _WRITERS[node.op](source, index, node)
    for number, feature in enumerate(program.features):
        _write_feature(source, number, feature)
    return source


def _reachable(program: Program) -> list[int]:
    """The nodes that change and that some feature depends on, parts before wholes."""
    seen: set[int] = set()
    stack = [ref.node for feature in program.features for ref in feature.refs]
    while stack:
        index = stack.pop()
        if index not in seen and not program.static[index]:
            seen.add(index)
            stack += [ref.node for ref in program.nodes[index].refs]
    return sorted(seen)


def _add(counter: str, key: str, amount: str) -> str:
    return f"{counter}[{key}] = {counter}.get({key}, 0) + {amount}"


def _indent(lines: Iterable[str], depth: int = 1) -> list[str]:
    return ["    " * depth + line for line in lines]


def _write_primitive(source: Source, index: int, node: Node) -> None:
    slot = source.slot(node.symbol)
    arity = source.program.structure.vocabulary.symbols[node.symbol].arity
    if node.places == tuple(range(arity)):
        source.change[index] = slot
        return
    source.counted.append(index)
    picked = ", ".join(f"o[{place}]" for place in node.places)
    key = f"({picked})" if node.op.is_role else picked
    lines = [f"d{index} = {{}}", f"for o, s in {slot}.items():", f"    t = {key}"]
    lines.append("    " + _add(f"d{index}", "t", "s"))
    source.lines.append(f"if {slot}:")
    source.lines += _indent([*lines, *_where_witnessed(index, node.op.is_role)])


def _where_witnessed(index: int, pairs: bool) -> list[str]:
    """The change of "has a witness" from the changes of the witness counts."""
    count = f"P[{index}][t[0]].get(t[1], 0)" if pairs else f"C[{index}][t]"
    return [
        f"f{index} = {{}}",
        f"for t, k in d{index}.items():",
        f"    c = {count}",
        "    if c:",
        f"        if c + k == 0: f{index}[t] = -1",
        f"    elif k: f{index}[t] = 1",
    ]


def _write_combined(source: Source, index: int, node: Node) -> None:
    """A Boolean combination: elements where an operand changes are looked at before and after."""
    a, b = node.refs
    key = "x, y" if node.op.is_role else "x"
    changing = [source.change[ref.node] for ref in node.refs if source.fluent(ref)]
    lines = [f"f{index} = {{}}"]
    if len(changing) == 2:
        lines.append(f"for t in {{**{changing[0]}, **{_as(source, changing[1], a, b)}}}:")
    else:
        lines.append(f"for t in {changing[0]}:")
    lines.append("    x, y = t" if node.op.is_role else "    x = t")
    parts = {}
    for name, ref in (("a", a), ("b", b)):
        lines.append(f"    {name} = {source.before(ref, key)}")
        parts[name] = f"({name} + {source.difference(ref, key)})" if source.fluent(ref) else name
        if ref.negated:
            lines[-1] = f"    {name} = 1 - {source.before(ref, key)}"
            parts[name] = f"({name} - {source.difference(ref, key)})" if source.fluent(ref) else name
    combined = COMBINED[node.op]
    lines.append(f"    k = {combined.format(**parts)} - {combined.format(a='a', b='b')}")
    lines.append(f"    if k: f{index}[t] = k")
    source.block(node.refs, lines)


def _as(source: Source, change: str, a: Ref, b: Ref) -> str:
    """The second operand's change with its pairs turned to the first one's direction."""
    return f"{{(y, x): s for (x, y), s in {change}.items()}}" if a.inverse != b.inverse else change


def _write_some(source: Source, index: int, node: Node) -> None:
    """Witness counts: the role's change into the concept after, and the concept's change before."""
    role, concept = node.refs
    counter = f"d{index}"
    source.counted.append(index)
    lines = [f"{counter} = {{}}"]
    if source.fluent(role):
        lines.append(source.changes(role))
        lines += _indent(_if_after(source, concept, [_add(counter, "x", "s")]))
    if source.fluent(concept):
        lines.append(source.changes(concept, "y"))
        lines.append(f"    for x in {source.pred(role, 'y')}:")
        lines.append("        " + _add(counter, "x", "-s" if concept.negated else "s"))
    if node.op is Op.C_SOME:
        lines += _where_witnessed(index, pairs=False)
    else:
        lines += _where_not_all(source, index, concept)
    source.block(node.refs, lines)


def _where_not_all(source: Source, index: int, concept: Ref) -> list[str]:
    """The change of "not every element of the concept is a successor"."""
    total = len(source.program.structure.objects)
    size = f"{total} - Z[{concept.node}]" if concept.negated else f"Z[{concept.node}]"
    lines = [f"f{index} = {{}}", f"z = {size}"]
    touched = f"d{index}"
    if source.fluent(concept):
        sign = "-" if concept.negated else ""
        lines.append(f"w = z + {sign}sum({source.change[concept.node]}.values())")
        touched = f"(d{index} if w == z else range({total}))"
    else:
        lines.append("w = z")
    return [
        *lines,
        f"for x in {touched}:",
        f"    c = C[{index}][x]",
        f"    k = (c + d{index}.get(x, 0) != w) - (c != z)",
        f"    if k: f{index}[x] = k",
    ]


def _if_after(source: Source, concept: Ref, lines: list[str]) -> list[str]:
    """Lines under the condition that `y` is in the concept after the change."""
    return lines if concept == TOP else [f"if {source.after(concept, 'y')}:", *_indent(lines)]


def _write_restrict(source: Source, index: int, node: Node) -> None:
    role, concept = node.refs
    change = f"f{index}"
    lines = [f"{change} = {{}}"]
    if source.fluent(role):
        lines.append(source.changes(role))
        put = f"{change}[x, y] = {'-s' if role.negated else 's'}"
        lines += _indent(_if_after(source, concept, [put]))
    if source.fluent(concept):
        lines.append(source.changes(concept, "y"))
        lines.append(f"    for x in {source.pred(role, 'y')}:")
        lines.append("        " + _add(change, "(x, y)", "-s" if concept.negated else "s"))
        if source.fluent(role):
            lines.append(f"{change} = {{t: k for t, k in {change}.items() if k}}")
    source.block(node.refs, lines)


def _write_identity(source: Source, index: int, node: Node) -> None:
    (concept,) = node.refs
    sign = "-s" if concept.negated else "s"
    pairs = f"f{index} = {{(x, x): {sign} for x, s in {source.change[concept.node]}.items()}}"
    source.block(node.refs, [pairs])


def _write_compose(source: Source, index: int, node: Node) -> None:
    """Witness counts: change times before, before times change, change times change."""
    left, right = node.refs
    counter = f"d{index}"
    source.counted.append(index)
    first, second = "-s" if left.negated else "s", "-q" if right.negated else "q"
    lines = [f"{counter} = {{}}"]
    if source.fluent(left):
        lines.append(source.changes(left))
        lines.append(f"    for z in {source.succ(right, 'y')}:")
        lines.append("        " + _add(counter, "(x, z)", first))
    if source.fluent(right):
        lines.append(source.changes(right, "y, z", "q"))
        lines.append(f"    for x in {source.pred(left, 'y')}:")
        lines.append("        " + _add(counter, "(x, z)", second))
    if source.fluent(left) and source.fluent(right):
        lines.append(source.changes(left))
        lines.append("    " + source.changes(right, "w, z", "q"))
        lines.append("        if y == w: " + _add(counter, "(x, z)", f"({first}) * ({second})"))
    source.block(node.refs, [*lines, *_where_witnessed(index, pairs=True)])


def _write_closure(source: Source, index: int, node: Node) -> None:
    (role,) = node.refs
    source.columns.add(index)
    steps = _successors(source, role)
    sign = -1 if role.negated else 1
    call = f"closure_change({source.change[role.node]}, {sign}, {steps}, R[{index}], Q[{index}])"
    source.block(node.refs, [f"f{index} = {call}"])


def _successors(source: Source, role: Ref) -> str:
    table = source.table(role)
    return f"complement({table}, U)" if role.negated else f"{table}.__getitem__"


_WRITERS = {
    Op.C_PRIMITIVE: _write_primitive,
    Op.R_PRIMITIVE: _write_primitive,
    Op.C_SOME: _write_some,
    Op.C_SOME_NOT: _write_some,
    Op.R_RESTRICT: _write_restrict,
    Op.R_IDENTITY: _write_identity,
    Op.R_COMPOSE: _write_compose,
    Op.R_CLOSURE: _write_closure,
}


def _write_feature(source: Source, number: int, feature: Feature) -> None:
    if feature.measure is Measure.NULLARY:
        if not source.program.structure.vocabulary.symbols[feature.symbol].static:
            slot = source.slot(feature.symbol)
            source.lines += [f"if {slot}:", f"    out[{number}] = int({slot}[()] > 0)"]
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
        objects = len(source.program.structure.objects)
        universe = objects**2 if source.program.nodes[ref.node].op.is_role else objects
        none = universe if ref.negated else 0
        test = "==" if feature.measure is Measure.EMPTY else "!="
        lines = [f"out[{number}] = int(Z[{ref.node}] + {total} {test} {none})"]
    source.block(feature.refs, lines)


def _write_distance(source: Source, number: int, feature: Feature) -> None:
    start, role, goal = feature.refs
    if not any(source.fluent(ref) for ref in feature.refs):
        return
    sides: list[str] = []
    for ref in (start, goal):
        source.sets.add(ref.node)
        members = f"U - S[{ref.node}]" if ref.negated else f"S[{ref.node}]"
        sides += [members, _signed(source, ref) if source.fluent(ref) else "E"]
    if source.fluent(role):
        steps = f"{_successors(source, role)}, {_signed(source, role)}, {role.inverse}"
        value = (
            f"distance(changed({sides[0]}, {sides[1]}), changed_successors({steps}), "
            f"changed({sides[2]}, {sides[3]}))"
        )
    else:
        name = f"g{role.node}{'n' if role.negated else ''}{'i' if role.inverse else ''}"
        source.static_distances[name] = role
        value = f"{name}.after(V[{number}], {', '.join(sides)})"
    source.block(feature.refs, [f"out[{number}] = {value}"])


def _signed(source: Source, ref: Ref) -> str:
    change = source.change[ref.node]
    return f"{{t: -s for t, s in {change}.items()}}" if ref.negated else change
