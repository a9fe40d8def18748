"""Generated code that finds a successor's changes from a state's tables and the atoms that change.

Every node's change is a dictionary from the objects (or pairs) that enter to +1 and from those that
leave to -1, so that conjunctions, joins and witness counts are sums and products of changes, and
the work is that of the change.
"""

from __future__ import annotations

from collections.abc import Iterable

from trailmark.features.incremental.normal_form import TOP, FormNode, NormalForm, Op, Ref
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
    source.counted.append(index)
    picked = ", ".join(f"o[{place}]" for place in node.places)
    key = f"({picked})" if node.op.is_role else picked
    lines = [f"d{index} = {{}}", f"for o, s in {slot}.items():", f"    t = {key}"]
    lines.append("    " + _add(f"d{index}", "t", "s"))
    source.node_lines.append(f"if {slot}:")
    source.node_lines += _indent([*lines, *_where_witnessed(index, node.op.is_role)])


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


def _write_combined(source: Source, index: int, node: FormNode) -> None:
    """A Boolean combination of two concepts or two roles."""
    if all(source.fluent(ref) for ref in node.refs):
        _write_both_change(source, index, node)
        return
    a, b = node.refs
    changing, fixed = (a, b) if source.fluent(a) else (b, a)
    key, element = ("x, y", "(x, y)") if node.op.is_role else ("x", "x")
    opposed = changing.negated or (node.op is Op.R_DIFF and changing is b)
    sign, kept = "-s" if opposed else "s", source.before(fixed, key)
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


def _write_some(source: Source, index: int, node: FormNode) -> None:
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
    if node.op is Op.C_SOME_NOT:
        lines += _where_not_all(source, index, concept)
    else:
        lines += _where_witnessed(index, pairs=False)
    source.node_lines += source.guarded(node.refs, lines)


def _where_not_all(source: Source, index: int, concept: Ref) -> list[str]:
    """The change of "not every element of the concept is a successor"."""
    total = len(source.form.structure.objects)
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


def _write_restrict(source: Source, index: int, node: FormNode) -> None:
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
    source.node_lines += source.guarded(node.refs, lines)


def _write_identity(source: Source, index: int, node: FormNode) -> None:
    (concept,) = node.refs
    sign = "-s" if concept.negated else "s"
    pairs = f"f{index} = {{(x, x): {sign} for x, s in {source.change[concept.node]}.items()}}"
    source.node_lines += source.guarded(node.refs, [pairs])


def _write_compose(source: Source, index: int, node: FormNode) -> None:
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
    source.node_lines += source.guarded(node.refs, [*lines, *_where_witnessed(index, pairs=True)])


def _write_closure(source: Source, index: int, node: FormNode) -> None:
    (role,) = node.refs
    source.columns.add(index)
    steps = source.steps(role)
    sign = -1 if role.negated else 1
    call = f"closure_change({source.change[role.node]}, {sign}, {steps}, R[{index}], Q[{index}])"
    source.node_lines += source.guarded(node.refs, [f"f{index} = {call}"])


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
