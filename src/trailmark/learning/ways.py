"""Ways to make a pass: actions in the order of all passes that are made like that, and their objects.

Passes whose actions are a part of another pass's are one way, with steps that may be left out; the order
of a way contradicts no pass that it was made from.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from trailmark.learning.nouns import Nouns
from trailmark.learning.passes import Deed, Moves, PlanPass, TrainingPlan
from trailmark.models.practice import Approach, PracticeObject, PracticeStep, Share, Way
from trailmark.task.walks import literals

MOST_WAYS = 3
LONGEST_GROUP = 4
"""Actions that are repeated together."""
ALIKE = 0.6
"""Passes are told as one way where so much of the shorter one is in the other, in the same order."""
LONGER = 1.5
"""And where that way is at most so much longer than the longer one."""

Key = tuple[frozenset[str], frozenset[str], int]
"""Actions that change the same predicates and take as many objects stand for each other."""


@dataclass
class _Step:
    key: Key
    seen: list[tuple[PlanPass, Deed]] = field(default_factory=list)


@dataclass
class _Way:
    steps: list[_Step]
    passes: list[PlanPass]


def ways(
    passes: Sequence[PlanPass], plans: Sequence[TrainingPlan], nouns: Nouns
) -> tuple[tuple[Way, ...], list[list[PlanPass]]]:
    """The most common ways of these passes; and the passes of every way, those of less common ones too."""
    by_keys: dict[tuple[Key, ...], list[tuple[PlanPass, list[Deed]]]] = {}
    for each in passes:
        deeds = _folded(each.deeds, plans[each.plan])
        by_keys.setdefault(tuple(_key(plans[each.plan], deed) for deed in deeds), []).append((each, deeds))
    found: list[_Way] = []
    for keys, members in sorted(by_keys.items(), key=lambda item: (-len(item[1]), len(item[0]))):
        way = next((way for way in found if _fits(way, keys)), None)
        if way is None:
            way = _Way([], [])
            found.append(way)
        places = _merge(way, keys)
        for each, deeds in members:
            way.passes.append(each)
            for place, deed in zip(places, deeds, strict=True):
                place.seen.append((each, deed))
    found.sort(key=lambda way: -len(way.passes))
    told = tuple(_told(way, plans, nouns) for way in found[:MOST_WAYS])
    return told, [way.passes for way in found]


def _key(plan: TrainingPlan, deed: Deed) -> Key:
    schema = plan.schemas.get(plan.steps[deed.step].action)
    if schema is None:
        return frozenset({plan.steps[deed.step].action}), frozenset(), 0
    symbols = plan.path.structure.vocabulary.symbols
    added, deleted = (
        frozenset(symbols[literal.symbol].name for literal in literals)
        for literals in (schema.adds, schema.deletes)
    )
    return added, deleted, schema.arity


def _folded(deeds: Sequence[Deed], plan: TrainingPlan) -> list[Deed]:
    """The deeds with each run of equal groups as one group, the last of them."""
    kept = list(deeds)
    for length in range(1, LONGEST_GROUP + 1):
        place = 0
        while place + 2 * length <= len(kept):
            group, following = kept[place : place + length], kept[place + length : place + 2 * length]
            if [_key(plan, deed) for deed in group] == [_key(plan, deed) for deed in following]:
                again = [replace(deed, repeats=True) for deed in following]
                kept[place : place + 2 * length] = again
            else:
                place += 1
    return kept


def _fits(way: _Way, keys: Sequence[Key]) -> bool:
    """Whether passes with these actions are told together with the others."""
    known = [step.key for step in way.steps]
    if known[-1] != keys[-1]:
        return False
    common = len(_pairs(known, keys))
    shorter, longer = sorted((len(known), len(keys)))
    merged = len(known) + len(keys) - common
    return common == shorter or (common >= ALIKE * shorter and merged <= LONGER * longer)


def _merge(way: _Way, keys: Sequence[Key]) -> list[_Step]:
    """Brings the actions into the way, which ends with the same one or is empty; the step of each."""
    merged: list[_Step] = []
    own: list[_Step] = []
    at = 0
    for a, b in [*_pairs([step.key for step in way.steps], keys), (len(way.steps), len(keys))]:
        new = [_Step(key) for key in keys[len(own) : b]]
        same = way.steps[a : a + 1]
        merged += [*way.steps[at:a], *new, *same]
        own += [*new, *same]
        at = a + 1
    way.steps = merged
    return own


def _pairs(known: Sequence[Key], keys: Sequence[Key]) -> list[tuple[int, int]]:
    """The places of a longest common subsequence whose last pair are the last actions of both."""
    rows, columns = len(known) - 1, len(keys) - 1
    if rows < 0:
        return []
    best = [[0] * (columns + 1) for _ in range(rows + 1)]
    for a in range(rows - 1, -1, -1):
        for b in range(columns - 1, -1, -1):
            equal = known[a] == keys[b]
            best[a][b] = best[a + 1][b + 1] + 1 if equal else max(best[a + 1][b], best[a][b + 1])
    found: list[tuple[int, int]] = []
    a = b = 0
    while a < rows and b < columns:
        if known[a] == keys[b]:
            found.append((a, b))
            a, b = a + 1, b + 1
        elif best[a + 1][b] >= best[a][b + 1]:
            a += 1
        else:
            b += 1
    return [*found, (rows, columns)]


def _told(way: _Way, plans: Sequence[TrainingPlan], nouns: Nouns) -> Way:
    steps: list[PracticeStep] = []
    earlier: dict[int, set[str]] = {id(each): set() for each in way.passes}
    group = 0
    for place, step in enumerate(way.steps):
        repeats = any(deed.repeats for _, deed in step.seen)
        before = place > 0 and any(deed.repeats for _, deed in way.steps[place - 1].seen)
        group += repeats and not before
        steps.append(_step(step, group if repeats else 0, earlier, plans, nouns))
        for each, deed in step.seen:
            earlier[id(each)] |= set(plans[each.plan].steps[deed.step].arguments)
    plans_seen = len({each.plan for each in way.passes})
    return Way(steps=tuple(steps), passes=len(way.passes), plans=plans_seen)


def _step(
    step: _Step, group: int, earlier: dict[int, set[str]], plans: Sequence[TrainingPlan], nouns: Nouns
) -> PracticeStep:
    taken = [(each, deed, plans[each.plan].steps[deed.step]) for each, deed in step.seen]
    arity = len(taken[0][2].arguments)
    objects = tuple(
        _object(
            [(each, deed, done.arguments[place]) for each, deed, done in taken], place, earlier, plans, nouns
        )
        for place in range(arity)
    )
    moved: dict[str, list[tuple[PlanPass, Deed, Moves]]] = {}
    for each, deed, _ in taken:
        for moves in deed.approaches:
            moved.setdefault(moves.relation, []).append((each, deed, moves))
    own = plans[taken[0][0].plan].relocations.get(taken[0][2].action)
    return PracticeStep(
        actions=shares(Counter(done.action for _, _, done in taken)),
        objects=objects,
        passes=len(step.seen),
        anew=len({(each.plan, deed.step) for each, deed in step.seen}),
        approaches=tuple(_approach(relation, known, plans) for relation, known in sorted(moved.items())),
        goes=None
        if own is None
        else Approach(
            actions=(),
            relation=plans[0].path.structure.vocabulary.symbols[own.reaches.symbol].name,
            times=len(step.seen),
            mover=min(own.movers, default=None),
            target=own.target,
            source=own.source,
        ),
        group=group,
    )


def _approach(
    relation: str, known: Sequence[tuple[PlanPass, Deed, Moves]], plans: Sequence[TrainingPlan]
) -> Approach:
    actions = Counter(
        name
        for each, _, moves in known
        for name in {plans[each.plan].steps[step].action for step in moves.steps}
    )
    arguments = [plans[each.plan].steps[deed.step].arguments for each, deed, _ in known]
    arity = len(arguments[0])
    moves = [moves for _, _, moves in known]
    movers = [
        {place for place, name in enumerate(names) if name in each.movers}
        for names, each in zip(arguments, moves, strict=True)
    ]
    targets = [
        {place for place, name in enumerate(names) if name == each.target}
        for names, each in zip(arguments, moves, strict=True)
    ]
    return Approach(
        actions=shares(actions),
        relation=relation,
        times=len({id(each) for each, _, _ in known}),
        mover=_common(arity, movers),
        target=_common(arity, targets),
        destination=_destination(moves, plans[0].task.domain.vocabulary.constants),
    )


def _destination(moves: Sequence[Moves], constants: Sequence[str]) -> str:
    """Where all moves lead, where that is an object of the domain."""
    targets = {each.target for each in moves}
    return targets.pop() if len(targets) == 1 and targets <= set(constants) else ""


def _common(arity: int, places: Sequence[set[int]]) -> int | None:
    """The first place that all have."""
    shared = set(range(arity)).intersection(*places) if places else set()
    return min(shared, default=None)


def shares(counted: Counter[str]) -> tuple[Share, ...]:
    """The most common first, then by name."""
    ranked = sorted(counted.items(), key=lambda item: (-item[1], item[0]))
    return tuple(Share(name=name, times=times) for name, times in ranked)


def _object(
    uses: Sequence[tuple[PlanPass, Deed, str]],
    place: int,
    earlier: dict[int, set[str]],
    plans: Sequence[TrainingPlan],
    nouns: Nouns,
) -> PracticeObject:
    """What all uses of an argument have in common."""
    kind = nouns.of((each.plan, name) for each, _, name in uses)
    constants = plans[0].task.domain.vocabulary.constants
    if len({name for _, _, name in uses}) == 1 and uses[0][2] in constants:
        return PracticeObject(noun=kind, known="constant", predicate=uses[0][2])
    actions = {plans[each.plan].steps[deed.step].action for each, deed, _ in uses}
    states = _needed(plans[0], actions, place)
    if all(name == each.subject for each, _, name in uses):
        return PracticeObject(noun=kind, known="subject", states=states)
    if nouns.is_single(kind):
        return PracticeObject(noun=kind, known="only", states=states)
    related: set[tuple[str, str, bool]] | None = None
    for each, deed, name in uses:
        here = _relations(plans[each.plan], deed.first, name, each.subject)
        related = here if related is None else related & here
    for known in ("goal", "fact"):
        fitting = [(forward, name) for how, name, forward in related or () if how == known]
        if fitting:
            forward, name = max(fitting)
            return PracticeObject(noun=kind, known=known, predicate=name, forward=forward, states=states)
    if all(name in earlier[id(each)] for each, _, name in uses):
        return PracticeObject(noun=kind, known="same", states=states)
    return PracticeObject(noun=kind, states=states)


def _relations(plan: TrainingPlan, step: int, name: str, subject: str | None) -> set[tuple[str, str, bool]]:
    """How an object is related to the subject before a step: by goals, and by facts."""
    if subject is None or name == subject:
        return set()
    structure = plan.path.structure
    symbols = structure.vocabulary.symbols
    one, other = structure.object_index[subject], structure.object_index[name]
    found: set[tuple[str, str, bool]] = set()
    for atom in (*plan.atoms(step), *structure.static_atoms):
        symbol, arguments = structure.decode(atom)
        if len(arguments) > 1 and one in arguments and other in arguments:
            goal = symbols[symbol].goal_of
            forward = arguments.index(one) < arguments.index(other)
            found.add(("goal" if goal else "fact", goal or symbols[symbol].name, forward))
    return found


def _needed(plan: TrainingPlan, actions: set[str], place: int) -> tuple[str, ...]:
    """The unary predicates that all these actions ask of the argument."""
    asked: list[set[str]] = []
    for schema in plan.task.domain.model.actions:
        if schema.name in actions:
            known = literals(schema.precondition) or []
            name = schema.parameters[place].name
            asked.append({atom.predicate for atom, sign in known if sign and atom.terms == (name,)})
    return tuple(sorted(set.intersection(*asked))) if asked else ()
