"""Generated code that finds a successor's changes from a state's tables and the atoms that change.

Every node's change is a dictionary from the objects (or pairs) that enter to +1 and from those that
leave to -1, so that conjunctions, joins and witness counts are sums and products of changes, and
the work is that of the change.
"""

from __future__ import annotations

from collections.abc import Iterable

from trailmark.features.incremental.normal_form import TOP, FormNode, NormalForm, Op
from trailmark.features.incremental.source import Source, write_feature

COMBINED = {
    Op.C_AND: "({a} & {b})",
    Op.R_AND: "({a} & {b})",
    Op.R_DIFF: "({a} > {b})",
    Op.R_OR: "({a} | {b})",
    Op.R_XOR: "({a} ^ {b})",
}


def write(form: NormalForm) -> Source:
    """The source for a form."""
    source = Source(form)
    for index in _reachable(form):
        node = form.nodes[index]
        source.kept.append(index)
        source.change[index] = f"f{index}"
        if node.op in COMBINED:
            _write_combined(source, index, node)
        else:
            _WRITERS[node.op](source, index, node)
    for number, feature in enumerate(form.features):
        write_feature(source, number, feature)
    return source


def _reachable(form: NormalForm) -> list[int]:
    """The nodes that change and that some feature depends on, parts before wholes."""
    seen: set[int] = set()
    stack = [ref.node for feature in form.features for ref in feature.refs]
    while stack:
        index = stack.pop()
        if index not in seen and not form.static[index]:
            seen.add(index)
            stack += [ref.node for ref in form.nodes[index].refs]
    return sorted(seen)


def _add(counter: str, key: str, amount: str) -> str:
    return f"{counter}[{key}] = {counter}.get({key}, 0) + {amount}"


def _indent(lines: Iterable[str]) -> list[str]:
    return ["    " + line for line in lines]


def _write_primitive(source: Source, index: int, node: FormNode) -> None:
    slot = source.slot(node.symbol)
    arity = source.form.structure.vocabulary.symbols[node.symbol].arity
    if node.places == tuple(range(arity)):
        source.change[index] = slot
        return
    picked = ", ".join(f"o[{place}]" for place in node.places)
    key = f"({picked})" if node.op.is_role else picked
    lines = [f"for o, s in {slot}.items():", f"    t = {key}", "    " + _add(f"d{index}", "t", "s")]
    source.node_lines += [f"if {slot}:", *_indent(_witnessed(source, index, lines))]


def _witnessed(source: Source, index: int, counting: list[str]) -> list[str]:
    """The change of "has a witness" from the changes of the witness counts, which these lines make."""
    source.form.counted.append(index)
    pairs = source.form.nodes[index].op.is_role
    count = f"P[{index}][t[0]].get(t[1], 0)" if pairs else f"C[{index}][t]"
    return [
        f"d{index} = {{}}",
        *counting,
        f"f{index} = {{}}",
        f"for t, k in d{index}.items():",
        f"    c = {count}",
        "    if c:",
        f"        if c + k == 0: f{index}[t] = -1",
        f"    elif k: f{index}[t] = 1",
    ]


def _write_combined(source: Source, index: int, node: FormNode) -> None:
    """A Boolean combination of two concepts or two roles."""
    if all(source.fluent(ref) for ref in node.refs):
        _write_both_change(source, index, node)
        return
    a, b = node.refs
    changing, fixed = (a, b) if source.fluent(a) else (b, a)
    key, element = ("x, y", "(x, y)") if node.op.is_role else ("x", "x")
    taken_away = node.op is Op.R_DIFF and changing is b
    sign, kept = "-s" if changing.negated or taken_away else "s", source.before(fixed, key)
    condition = f" if {kept}"
    if node.op is Op.R_XOR:
        sign, condition = f"-s if {kept} else s", ""
    elif fixed.negated or node.op is Op.R_OR or (node.op is Op.R_DIFF and fixed is b):
        condition = f" if not {kept}"
    loop = source.changes(changing, key).rstrip(":")
    source.node_lines += source.guarded(node.refs, [f"f{index} = {{{element}: {sign} {loop}{condition}}}"])


def _write_both_change(source: Source, index: int, node: FormNode) -> None:
    """The elements where an operand changes are looked at before and after."""
    a, b = node.refs
    key = "x, y" if node.op.is_role else "x"
    first, second = source.change[a.node], source.change[b.node]
    if b.inverse:
        second = f"{{(y, x): s for (x, y), s in {second}.items()}}"
    before, after = {}, {}
    lines = [f"f{index} = {{}}", f"for t in {{**{first}, **{second}}}:"]
    lines.append("    x, y = t" if node.op.is_role else "    x = t")
    for name, ref in (("a", a), ("b", b)):
        lines.append(f"    {name} = {source.before(ref, key)}")
        lines.append(f"    {name}1 = {name} + {source.difference(ref, key)}")
        before[name] = f"(1 - {name})" if ref.negated else name
        after[name] = f"(1 - {name}1)" if ref.negated else f"{name}1"
    combined = COMBINED[node.op]
    lines.append(f"    k = {combined.format(**after)} - {combined.format(**before)}")
    lines.append(f"    if k: f{index}[t] = k")
    source.node_lines += source.guarded(node.refs, lines)


def _entering(source: Source, node: FormNode, of_role: str, of_concept: str) -> list[str]:
    """What to do for each pair `x, y` of the role's change with `y` in the concept after, and for each of the
    role before where `y` is in the concept's change."""
    role, concept = node.refs
    lines: list[str] = []
    if source.fluent(role):
        put = [of_role] if concept == TOP else [f"if {source.after(concept, 'y')}:", f"    {of_role}"]
        lines += [source.changes(role), *_indent(put)]
    if source.fluent(concept):
        lines += [
            source.changes(concept, "y"),
            f"    for x in {source.pred(role, 'y')}:",
            f"        {of_concept}",
        ]
    return lines


def _write_some(source: Source, index: int, node: FormNode) -> None:
    sign = "-s" if node.refs[1].negated else "s"
    lines = _entering(source, node, _add(f"d{index}", "x", "s"), _add(f"d{index}", "x", sign))
    source.node_lines += source.guarded(node.refs, _witnessed(source, index, lines))


def _write_restrict(source: Source, index: int, node: FormNode) -> None:
    change, sign = f"f{index}", "-s" if node.refs[1].negated else "s"
    lines = [f"{change} = {{}}"]
    lines += _entering(source, node, f"{change}[x, y] = s", _add(change, "(x, y)", sign))
    if all(map(source.fluent, node.refs)):
        lines.append(f"{change} = {{t: k for t, k in {change}.items() if k}}")
    source.node_lines += source.guarded(node.refs, lines)


def _write_identity(source: Source, index: int, node: FormNode) -> None:
    (concept,) = node.refs
    sign = "-s" if concept.negated else "s"
    pairs = f"f{index} = {{(x, x): {sign} for x, s in {source.change[concept.node]}.items()}}"
    source.node_lines += source.guarded(node.refs, [pairs])


def _write_compose(source: Source, index: int, node: FormNode) -> None:
    """Witness counts: change times before, before times change, change times change."""
    left, right = node.refs
    lines: list[str] = []
    if source.fluent(left):
        lines += [source.changes(left), f"    for z in {source.succ(right, 'y')}:"]
        lines.append("        " + _add(f"d{index}", "(x, z)", "s"))
    if source.fluent(right):
        lines += [source.changes(right, "y, z", "q"), f"    for x in {source.pred(left, 'y')}:"]
        lines.append("        " + _add(f"d{index}", "(x, z)", "q"))
    if source.fluent(left) and source.fluent(right):
        lines += [source.changes(left), "    " + source.changes(right, "w, z", "q")]
        lines.append("        if y == w: " + _add(f"d{index}", "(x, z)", "s * q"))
    source.node_lines += source.guarded(node.refs, _witnessed(source, index, lines))


def _write_closure(source: Source, index: int, node: FormNode) -> None:
    (role,) = node.refs
    source.form.columns.add(index)
    call = f"closure_change({source.change[role.node]}, {source.table(role)}, R[{index}], Q[{index}])"
    source.node_lines += source.guarded(node.refs, [f"f{index} = {call}"])


_WRITERS = {
    Op.C_PRIMITIVE: _write_primitive,
    Op.R_PRIMITIVE: _write_primitive,
    Op.C_SOME: _write_some,
    Op.R_RESTRICT: _write_restrict,
    Op.R_IDENTITY: _write_identity,
    Op.R_COMPOSE: _write_compose,
    Op.R_CLOSURE: _write_closure,
}
