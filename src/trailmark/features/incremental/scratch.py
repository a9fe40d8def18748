"""Evaluation from nothing: the tables of a state from its atoms, and feature values from the tables; and
reaching along a role: transitive closures by strongly connected components, and distances between concepts.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

from trailmark.features.incremental.normal_form import Feature, Measure, Op, Ref
from trailmark.features.incremental.tables import NOTHING, Layout, Tables, transposed
from trailmark.features.syntax import INFINITE


def evaluate(tables: Tables, layout: Layout, nodes: Iterable[int], atoms: Iterable[int] = ()) -> None:
    """Fill in the tables of these nodes, parts before wholes, where these atoms hold and the static ones."""
    form = layout.form
    static = form.structure.static_tuples
    by_symbol: dict[int, list[tuple[int, ...]]] = {}
    for atom in atoms:
        symbol, arguments = form.structure.decode(atom)
        by_symbol.setdefault(symbol, []).append(arguments)
    for index in nodes:
        node = form.nodes[index]
        tuples = [*static.get(node.symbol, ()), *by_symbol.get(node.symbol, ())]
        if node.op.is_role:
            _evaluate_role(tables, index, layout, tuples)
        else:
            _evaluate_concept(tables, index, layout, tuples)


def _evaluate_concept(tables: Tables, index: int, layout: Layout, tuples: list[tuple[int, ...]]) -> None:
    node, size = layout.form.nodes[index], len(layout.universe)
    members = bytearray(size)
    counts = [0] * size
    match node.op:
        case Op.C_ONE_OF:
            members[node.places[0]] = 1
        case Op.C_PRIMITIVE:
            for arguments in tuples:
                counts[arguments[node.places[0]]] += 1
            members = bytearray(count > 0 for count in counts)
        case Op.C_AND:
            left, right = (layout.concept(tables, ref) for ref in node.refs)
            for x in left & right:
                members[x] = 1
        case Op.C_SOME | Op.C_SOME_NOT:
            role, concept = node.refs
            inside = layout.concept(tables, concept)
            successors = layout.successors(tables, role)
            counts = [len(successors(x) & inside) for x in range(size)]
            none = 0 if node.op is Op.C_SOME else len(inside)
            members = bytearray(count != none for count in counts)
    tables.members[index] = members
    if index in layout.counted:
        tables.counts[index] = counts
    if index in layout.sets:
        tables.sets[index] = layout.concept(tables, Ref(index))
    tables.sizes[index] = sum(members)


def _evaluate_role(tables: Tables, index: int, layout: Layout, tuples: list[tuple[int, ...]]) -> None:
    node, size = layout.form.nodes[index], len(layout.universe)
    rows = [NOTHING] * size
    joined: list[tuple[int, int]] = []
    match node.op:
        case Op.R_PRIMITIVE:
            first, second = node.places
            joined = [(row[first], row[second]) for row in tuples]
            rows = _rows(size, joined)
        case Op.R_AND | Op.R_DIFF | Op.R_OR | Op.R_XOR:
            left, right = (layout.successors(tables, ref) for ref in node.refs)
            combine = _COMBINE[node.op]
            rows = [combine(left(x), right(x)) for x in range(size)]
        case Op.R_RESTRICT:
            successors = layout.successors(tables, node.refs[0])
            inside = layout.concept(tables, node.refs[1])
            rows = [successors(x) & inside for x in range(size)]
        case Op.R_IDENTITY:
            for x in layout.concept(tables, node.refs[0]):
                rows[x] = frozenset((x,))
        case Op.R_COMPOSE:
            left, right = (layout.successors(tables, ref) for ref in node.refs)
            if index in layout.counted:
                joined = [(x, z) for x in range(size) for y in left(x) for z in right(y)]
            rows = [NOTHING.union(*(right(y) for y in left(x))) for x in range(size)]
        case Op.R_CLOSURE:
            closed = closure(range(size), layout.successors(tables, node.refs[0]), [])
            rows = [closed[x] for x in range(size)]
    tables.rows[index] = rows
    if index in layout.columns:
        tables.columns[index] = transposed(rows)
    if index in layout.counted:
        tables.pair_counts[index] = _counted(size, joined)
    tables.sizes[index] = sum(map(len, rows))


_COMBINE: dict[Op, Callable[[frozenset[int], frozenset[int]], frozenset[int]]] = {
    Op.R_AND: lambda a, b: a if a <= b else a & b,
    Op.R_DIFF: lambda a, b: a if a.isdisjoint(b) else a - b,
    Op.R_OR: lambda a, b: a if b <= a else a | b,
    Op.R_XOR: frozenset.__xor__,
}
"""Where the result is the first operand it is that very set: closures share one among many objects."""


def _rows(size: int, pairs: Iterable[tuple[int, int]]) -> list[frozenset[int]]:
    rows: dict[int, set[int]] = {}
    for x, y in pairs:
        rows.setdefault(x, set()).add(y)
    return [frozenset(rows[x]) if x in rows else NOTHING for x in range(size)]


def _counted(size: int, pairs: Iterable[tuple[int, int]]) -> list[dict[int, int]]:
    counts: list[dict[int, int]] = [{} for _ in range(size)]
    for x, y in pairs:
        counts[x][y] = counts[x].get(y, 0) + 1
    return counts


def value(layout: Layout, tables: Tables, feature: Feature, atoms: frozenset[int]) -> int:
    """A feature's value from the tables; functions apart."""
    if feature.measure is Measure.FUNCTION:
        return 0
    if feature.measure is Measure.NULLARY:
        return int(layout.form.structure.bases[feature.symbol] in atoms)
    if feature.measure is Measure.DISTANCE:
        start, role, goal = feature.refs
        sources, targets = layout.concept(tables, start), layout.concept(tables, goal)
        return distance(sources, layout.successors(tables, role), targets)
    (ref,) = feature.refs
    size = tables.sizes[ref.node]
    if ref.negated:
        objects = len(layout.universe)
        size = (objects**2 if layout.form.nodes[ref.node].op.is_role else objects) - size
    if feature.measure is Measure.COUNT:
        return size
    return int((size == 0) == (feature.measure is Measure.EMPTY))


Rows = Sequence[frozenset[int]]
"""The successors of every object."""


def closure(
    sources: Collection[int], successors: Callable[[int], Collection[int]], known: Rows
) -> dict[int, frozenset[int]]:
    """What each source reaches in one or more steps.

    `known` says it for every object that is not a source. Members of one strongly connected
    component reach the same objects and share one set.
    """
    reached: dict[int, frozenset[int]] = {}
    for component in _components(sources, successors):
        members = frozenset(component)
        targets: set[int] = set()
        cyclic = len(component) > 1
        for x in component:
            for y in successors(x):
                if y in members:
                    cyclic = True
                elif y not in targets:
                    targets.add(y)
                    targets |= reached[y] if y in reached else known[y]
        if cyclic:
            targets |= members
        shared = frozenset(targets)
        for x in component:
            reached[x] = shared
    return reached


def closure_change(
    change: dict[tuple[int, int], int],
    sign: int,
    successors: Callable[[int], frozenset[int]],
    closed: Rows,
    closed_inverse: Rows,
) -> dict[tuple[int, int], int]:
    """The pairs that enter (+1) and leave (-1) the closure when the role under it changes.

    `change` holds the role's own pairs with their signs times `sign`; the rest describes the state
    before. A path over a changed pair reaches the first such pair by old steps, so only the objects
    that reached the start of a changed pair are looked at again.
    """
    starts = {x for x, _ in change}
    affected = starts.union(*(closed_inverse[x] for x in starts))
    now = changed_successors(successors, change, sign)
    result: dict[tuple[int, int], int] = {}
    for x, after in closure(sorted(affected), now, closed).items():
        before = closed[x]
        if after != before:
            for y in after - before:
                result[x, y] = 1
            for y in before - after:
                result[x, y] = -1
    return result


def _components(sources: Collection[int], successors: Callable[[int], Collection[int]]) -> list[list[int]]:
    """The strongly connected components of the graph on `sources`, successors first (Tarjan)."""
    inside = set(sources)
    order: dict[int, int] = {}
    low: dict[int, int] = {}
    stack: list[int] = []
    on_stack: set[int] = set()
    components: list[list[int]] = []
    for source in sources:
        if source in order:
            continue
        order[source] = low[source] = len(order)
        stack.append(source)
        on_stack.add(source)
        work = [(source, iter(successors(source)))]
        while work:
            x, rest = work[-1]
            for y in rest:
                if y not in inside:
                    continue
                if y not in order:
                    order[y] = low[y] = len(order)
                    stack.append(y)
                    on_stack.add(y)
                    work.append((y, iter(successors(y))))
                    break
                if y in on_stack:
                    low[x] = min(low[x], order[y])
            else:
                work.pop()
                if work:
                    parent = work[-1][0]
                    low[parent] = min(low[parent], low[x])
                if low[x] == order[x]:
                    component: list[int] = []
                    while not component or component[-1] != x:
                        component.append(stack.pop())
                        on_stack.discard(component[-1])
                    components.append(component)
    return components


Successors = Callable[[int], Collection[int]]


def distance(sources: Collection[int], successors: Successors, targets: Collection[int]) -> int:
    """The least number of steps from a source to a target, 0 where they meet, else INFINITE."""
    if not sources or not targets:
        return INFINITE
    goal = set(targets)
    reached = set(sources)
    frontier: Collection[int] = reached
    steps = 0
    while frontier:
        if not goal.isdisjoint(frontier):
            return steps
        following: set[int] = set()
        for x in frontier:
            following.update(successors(x))
        following -= reached
        reached |= following
        frontier = following
        steps += 1
    return INFINITE


def changed_successors(
    successors: Callable[[int], frozenset[int]],
    change: Mapping[tuple[int, int], int],
    sign: int,
    inverse: bool = False,
) -> Successors:
    """The successors after a change: pairs with this sign enter; all are turned round where `inverse`."""
    rows: dict[int, set[int]] = {}
    for pair, s in change.items():
        x, y = reversed(pair) if inverse else pair
        if x not in rows:
            rows[x] = set(successors(x))
        if s == sign:
            rows[x].add(y)
        else:
            rows[x].discard(y)

    def after(x: int) -> Collection[int]:
        return rows[x] if x in rows else successors(x)

    return after
