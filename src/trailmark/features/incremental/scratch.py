"""Evaluation from nothing: the tables of a state from its atoms, and feature values from the tables; and
reaching along a role: transitive closures by strongly connected components, and distances between concepts.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

from trailmark.features.incremental.normal_form import FormNode, NormalForm, Op, Ref
from trailmark.features.incremental.tables import NOTHING, Tables, transposed
from trailmark.features.syntax import INFINITE


def evaluate(tables: Tables, form: NormalForm, nodes: Iterable[int], atoms: Iterable[int] = ()) -> None:
    """Fill in the tables of these nodes, parts before wholes, where these atoms hold and the static ones."""
    static = form.structure.static_tuples
    by_symbol: dict[int, list[tuple[int, ...]]] = {}
    for atom in atoms:
        symbol, arguments = form.structure.decode(atom)
        by_symbol.setdefault(symbol, []).append(arguments)
    for index in nodes:
        node = form.nodes[index]
        tuples = [*static.get(node.symbol, ()), *by_symbol.get(node.symbol, ())]
        if node.op.is_role:
            _evaluate_role(tables, index, form, tuples)
        else:
            _evaluate_concept(tables, index, form, tuples)


def _evaluate_concept(tables: Tables, index: int, form: NormalForm, tuples: list[tuple[int, ...]]) -> None:
    node, counts = form.nodes[index], [0] * len(form.structure.objects)
    match node.op:
        case Op.C_ONE_OF:
            counts[node.places[0]] = 1
        case Op.C_PRIMITIVE:
            for arguments in tuples:
                counts[arguments[node.places[0]]] += 1
        case Op.C_AND:
            left, right = map(tables.concept, node.refs)
            for x in left & right:
                counts[x] = 1
        case Op.C_SOME:
            inside = tables.concept(node.refs[1])
            counts = [len(successors & inside) for successors in tables.successors(node.refs[0])]
    tables.members[index] = bytearray(count > 0 for count in counts)
    if index in form.counted:
        tables.counts[index] = counts
    if index in form.sets:
        tables.sets[index] = tables.concept(Ref(index))
    tables.sizes[index] = sum(tables.members[index])


def _evaluate_role(tables: Tables, index: int, form: NormalForm, tuples: list[tuple[int, ...]]) -> None:
    node, size = form.nodes[index], len(form.structure.objects)
    rows = [NOTHING] * size
    joined: list[tuple[int, int]] = []
    match node.op:
        case Op.R_TOP:
            rows = [frozenset(range(size))] * size
        case Op.R_PRIMITIVE:
            first, second = node.places
            joined = [(row[first], row[second]) for row in tuples]
            rows = _rows(size, joined)
        case Op.R_AND | Op.R_DIFF | Op.R_OR | Op.R_XOR:
            left, right = map(tables.successors, node.refs)
            rows = list(map(_COMBINE[node.op], left, right))
        case Op.R_RESTRICT:
            inside = tables.concept(node.refs[1])
            rows = [successors & inside for successors in tables.successors(node.refs[0])]
        case Op.R_IDENTITY:
            for x in tables.concept(node.refs[0]):
                rows[x] = frozenset((x,))
        case Op.R_COMPOSE:
            left, right = map(tables.successors, node.refs)
            if index in form.counted:
                joined = [(x, z) for x in range(size) for y in left[x] for z in right[y]]
            rows = [NOTHING.union(*(right[y] for y in row)) for row in left]
        case Op.R_CLOSURE:
            closed = closure(range(size), tables.successors(node.refs[0]).__getitem__, [])
            rows = [closed[x] for x in range(size)]
    tables.rows[index] = rows
    if index in form.columns:
        tables.columns[index] = transposed(rows)
    if index in form.counted:
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


def value(form: NormalForm, tables: Tables, feature: FormNode, atoms: frozenset[int]) -> int:
    """A feature's value from the tables; functions apart."""
    match feature.op:
        case Op.FUNCTION:
            return 0
        case Op.NULLARY:
            return int(form.structure.bases[feature.symbol] in atoms)
        case Op.DISTANCE:
            start, role, goal = feature.refs
            return distance(tables.concept(start), tables.successors(role).__getitem__, tables.concept(goal))
    (ref,) = feature.refs
    size = tables.sizes[ref.node]
    if ref.negated:
        size = len(form.structure.objects) - size
    return size if feature.op is Op.COUNT else int((size == 0) == (feature.op is Op.EMPTY))


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
    change: dict[tuple[int, int], int], rows: Rows, closed: Rows, closed_inverse: Rows
) -> dict[tuple[int, int], int]:
    """The pairs that enter (+1) and leave (-1) the closure when the role under it changes.

    `change` is the role's own; the rest describes the state before. A path over a changed pair reaches the
    first such pair by old steps, so only the objects that reached the start of a changed pair are looked at
    again.
    """
    starts = {x for x, _ in change}
    affected = starts.union(*(closed_inverse[x] for x in starts))
    result: dict[tuple[int, int], int] = {}
    for x, after in closure(sorted(affected), changed_successors(rows, change), closed).items():
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
    rows: Rows, change: Mapping[tuple[int, int], int], inverse: bool = False
) -> Successors:
    """The successors after a change; its pairs are turned round where `inverse`."""
    new: dict[int, set[int]] = {}
    for pair, s in change.items():
        x, y = reversed(pair) if inverse else pair
        row = new[x] if x in new else new.setdefault(x, set(rows[x]))
        if s > 0:
            row.add(y)
        else:
            row.discard(y)
    return lambda x: new[x] if x in new else rows[x]
