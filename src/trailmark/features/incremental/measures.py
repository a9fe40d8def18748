"""Feature values: from the tables of a state, and as generated code from the changes of nodes."""

from __future__ import annotations

from trailmark.features.incremental.distance import distance
from trailmark.features.incremental.normal_form import Feature, Measure, Ref
from trailmark.features.incremental.source import Source
from trailmark.features.incremental.tables import Layout, Tables


def value(layout: Layout, tables: Tables, feature: Feature, atoms: frozenset[int]) -> int:
    """A feature's value from the tables; functions apart."""
    if feature.measure is Measure.FUNCTION:
        return 0
    if feature.measure is Measure.NULLARY:
        return int(layout.program.structure.bases[feature.symbol] in atoms)
    if feature.measure is Measure.DISTANCE:
        start, role, goal = feature.refs
        sources, targets = layout.concept(tables, start), layout.concept(tables, goal)
        return distance(sources, layout.successors(tables, role), targets)
    (ref,) = feature.refs
    size = tables.sizes[ref.node]
    if ref.negated:
        objects = len(layout.universe)
        size = (objects**2 if layout.program.nodes[ref.node].op.is_role else objects) - size
    if feature.measure is Measure.COUNT:
        return size
    return int((size == 0) == (feature.measure is Measure.EMPTY))


def write_feature(source: Source, number: int, feature: Feature) -> None:
    if feature.measure is Measure.NULLARY:
        if not source.program.structure.vocabulary.symbols[feature.symbol].static:
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
        objects = len(source.program.structure.objects)
        universe = objects**2 if source.program.nodes[ref.node].op.is_role else objects
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
        sides += [members, _signed(source, ref) if source.fluent(ref) else "E"]
    if source.fluent(role):
        steps = f"{source.steps(role)}, {_signed(source, role)}, {role.inverse}"
        value = (
            f"distance(changed({sides[0]}, {sides[1]}), changed_successors({steps}), "
            f"changed({sides[2]}, {sides[3]}))"
        )
    else:
        name = f"g{role.node}{'n' if role.negated else ''}{'i' if role.inverse else ''}"
        source.static_distances[name] = role
        value = f"{name}.after(V[{number}], {', '.join(sides)})"
    source.feature_lines += source.guarded(feature.refs, [f"out[{number}] = {value}"])


def _signed(source: Source, ref: Ref) -> str:
    change = source.change[ref.node]
    return f"{{t: -s for t, s in {change}.items()}}" if ref.negated else change
