"""Ways to make a pass: actions in the order of all passes that are made like that, and their objects.

Passes whose actions are a part of another pass's are one way, with steps that may be left out; the order
of a way contradicts no pass that it was made from.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from statistics import median_low

from trailmark.learning.cast import Cast
from trailmark.learning.conditions import FEWEST_PASSES
from trailmark.learning.journeys import Deed, Moves
from trailmark.learning.nouns import Nouns
from trailmark.learning.passes import PlanPass
from trailmark.models.practice import Approach, PracticeStep, Share, Way

MOST_WAYS = 3
LONGEST_GROUP = 4
"""Actions that are repeated together."""
ALIKE = 0.6
"""Passes are told as one way where so much of the shorter one is in the other, in the same order."""
LONGER = 1.5
"""Passes so much longer than usual come last."""

Key = tuple[object, ...]
"""Actions that change the same predicates stand for each other where what they change is of the same kinds,
they are declared for the same types, and they change the subject in the same places."""


@dataclass
class _Step:
    key: Key
    seen: dict[PlanPass, Deed] = field(default_factory=dict)
    roams: bool = False
    """Whether some passes have it in another place."""


@dataclass
class _Way:
    steps: list[_Step]
    passes: list[PlanPass]


def ways(passes: Sequence[PlanPass], nouns: Nouns) -> tuple[tuple[Way, ...], list[list[PlanPass]]]:
    """The most common ways of these passes; and the passes of every way, those of less common ones too."""
    passes = [_direct(member, nouns) for member in passes]
    by_keys: dict[tuple[Key, ...], list[tuple[PlanPass, list[Deed]]]] = {}
    for plan_pass in passes:
        deeds = _folded(plan_pass, nouns)
        keys = tuple(_key(plan_pass, deed, nouns) for deed in deeds)
        by_keys.setdefault(keys, []).append((plan_pass, deeds))
    found: list[_Way] = []
    usual = median_low(len(member.deeds) for member in passes)
    ranked = sorted(
        by_keys.items(), key=lambda item: (len(item[0]) > LONGER * usual, -len(item[0]), -len(item[1]))
    )
    for keys, members in ranked:
        way = next((way for way in found if _fits(way, keys)), None)
        if way is None:
            way = _Way([], [])
            found.append(way)
        places = _merge(way, keys)
        for plan_pass, deeds in members:
            way.passes.append(plan_pass)
            for place, deed in zip(places, deeds, strict=True):
                place.seen[plan_pass] = deed
    for way in found:
        _gather(way)
        uses = [use for step in way.steps for use in step.seen.items()]
        done = {member.action(deed) for member, deed in uses if not deed.is_earlier}
        way.steps = [step for step in way.steps if any(_is_told(*use, done) for use in step.seen.items())]
    found.sort(key=lambda way: -len(way.passes))
    told = [
        _told(way, nouns, [member for other in found if other is not way for member in other.passes])
        for way in found[:MOST_WAYS]
    ]
    is_few = len(passes) < FEWEST_PASSES
    kept = tuple(way for way in told if way is told[0] or way.passes > 1 or way.when or is_few)
    return kept, [way.passes for way in found]


def _direct(plan_pass: PlanPass, nouns: Nouns) -> PlanPass:
    """The pass without detours: actions about the subject that the next one takes back, and then again."""
    own = [deed for deed in plan_pass.deeds if plan_pass.source.changes(deed.step, plan_pass.end)]
    keys = [_key(plan_pass, deed, nouns) for deed in own]
    for place in range(len(own) - 2):
        if keys[place] == keys[place + 2] != keys[place + 1]:
            kept = tuple(deed for deed in plan_pass.deeds if deed not in own[place : place + 2])
            return _direct(replace(plan_pass, deeds=kept), nouns)
    return plan_pass


def _key(plan_pass: PlanPass, deed: Deed, nouns: Nouns) -> Key:
    plan, done = plan_pass.source, plan_pass.source.steps[deed.step]
    own = {place for place, name in enumerate(done.arguments) if name == plan_pass.end.subject}
    schema = plan.schemas.get(done.action)
    if schema is None:
        return done.action, *sorted(own)
    known = plan.vocabulary
    added, deleted = (
        frozenset(known.symbols[literal.symbol].name for literal in literals)
        for literals in (schema.adds, schema.deletes)
    )
    changed = (*schema.adds, *schema.deletes)
    about = {literal.terms[0] for literal in changed if literal.terms}
    needs = [atom for atom in plan.needs(done.action) if atom.predicate in known]
    parameters = plan.parameters(done.action)
    fixed = {symbol.name for symbol in known.symbols if symbol.static} | plan.places
    passing = {term for atom in needs if atom.predicate not in fixed for term in atom.terms}
    own = own & {t for atom in changed for t in atom.terms} or {at for at in own if parameters[at] in passing}
    kinds = tuple(
        (
            nouns.kind((plan_pass.plan, name)) if place in about and not own else "",
            plan.actions[done.action].parameters[place].types,
        )
        for place, name in enumerate(done.arguments)
    )
    asked = frozenset(atom.predicate for atom in needs if len(atom.terms) == 1 and atom.predicate in fixed)
    return added, deleted, asked, kinds, *sorted(own)


def _folded(plan_pass: PlanPass, nouns: Nouns) -> list[Deed]:
    """The deeds with each run of equal groups as one group, the last of them."""
    kept = list(plan_pass.deeds)
    for length in range(1, LONGEST_GROUP + 1):
        place = 0
        while place + 2 * length <= len(kept):
            keys = [_key(plan_pass, deed, nouns) for deed in kept[place : place + 2 * length]]
            if keys[:length] == keys[length:]:
                following = kept[place + length : place + 2 * length]
                kept[place : place + 2 * length] = [replace(deed, repeats=True) for deed in following]
            else:
                place += 1
    return kept


def _fits(way: _Way, keys: Sequence[Key]) -> bool:
    """Whether passes with these actions are told together with the others."""
    known = [step.key for step in way.steps]
    if known[-1:] != list(keys[-1:]):
        return False
    return len(_pairs(known, keys)) >= ALIKE * min(len(known), len(keys))


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


def _gather(way: _Way) -> None:
    """Tells an action that passes have in one of two places where more of them have it."""
    for step in list(way.steps):
        for other in way.steps:
            alike = other is not step and other.key == step.key and len(other.seen) >= len(step.seen)
            if alike and other.seen.keys().isdisjoint(step.seen):
                other.seen |= step.seen
                other.roams = True
                way.steps.remove(step)
                break


def _is_told(plan_pass: PlanPass, deed: Deed, done: Collection[str]) -> bool:
    """Whether the pass has the deed, or needs what an earlier one has done: something about its subject, or
    something new by an action that its own deeds, which are done, do not have."""
    is_needed = plan_pass.source.changes(deed.step, plan_pass.end) or not (
        plan_pass.action(deed) in done or plan_pass.mends(deed)
    )
    return is_needed or not deed.is_earlier


def _pairs(known: Sequence[Key], keys: Sequence[Key]) -> list[tuple[int, int]]:
    """The places of a longest common subsequence whose last pair are the last actions of both."""
    rows, columns = len(known) - 1, len(keys) - 1
    if rows < 0:
        return []
    best: list[tuple[tuple[int, int], ...]] = [()] * (columns + 1)
    for a in reversed(range(rows)):
        below, best = best, [()] * (columns + 1)
        for b in reversed(range(columns)):
            is_same = known[a] == keys[b]
            best[b] = ((a, b), *below[b + 1]) if is_same else max(below[b], best[b + 1], key=len)
    return [*best[0], (rows, columns)]


def _told(way: _Way, nouns: Nouns, others: Sequence[PlanPass]) -> Way:
    cast = Cast(way.passes, [step.seen for step in way.steps], nouns)
    steps: list[PracticeStep] = []
    group, repeats = 0, False
    for place, step in enumerate(way.steps):
        before, repeats = repeats, any(deed.repeats for deed in step.seen.values())
        group += repeats and not before
        steps.append(_step(step, group if repeats else 0, cast, place))
    named = {name for step in steps for name in step.names}
    return Way(
        steps=tuple(steps),
        roles=cast.roles,
        passes=len(way.passes),
        plans=len({plan_pass.plan for plan_pass in way.passes}),
        when=cast.told_apart(named, others),
    )


def _step(step: _Step, group: int, cast: Cast, place: int) -> PracticeStep:
    moved: dict[str, list[tuple[PlanPass, Deed, Moves]]] = {}
    for plan_pass, deed in step.seen.items():
        for moves in deed.approaches:
            moved.setdefault(moves.relation, []).append((plan_pass, deed, moves))
    actions = Counter(member.action(deed) for member, deed in step.seen.items())
    source = next(iter(step.seen)).source
    own = next(iter(source.relocations.get(next(iter(actions)), ())), None)
    return PracticeStep(
        actions=shares(actions),
        arguments=cast.arguments(place),
        passes=len(step.seen),
        anew=sum(not deed.is_earlier for deed in step.seen.values()),
        approaches=tuple(_approach(relation, known) for relation, known in sorted(moved.items())),
        goes=None
        if own is None
        else Approach(
            actions=(),
            relation=source.vocabulary.symbols[own.reaches.symbol].name,
            times=len(step.seen),
            mover=min(own.movers, default=None),
            target=own.target,
            source=own.source,
        ),
        group=group,
        roams=step.roams,
        **cast.dues[place]._asdict(),
    )


def _approach(relation: str, known: Sequence[tuple[PlanPass, Deed, Moves]]) -> Approach:
    actions = Counter(
        name
        for plan_pass, _, moves in known
        for name in {plan_pass.source.steps[step].action for step in moves.steps}
    )
    used = [(plan_pass.arguments(deed), moves) for plan_pass, deed, moves in known]
    constants = known[0][0].source.vocabulary.constants
    targets = {moves.target for _, moves in used}
    return Approach(
        actions=shares(actions),
        relation=relation,
        times=len({plan_pass for plan_pass, _, _ in known}),
        mover=_common([(names, moves.movers) for names, moves in used]),
        target=_common([(names, (moves.target,)) for names, moves in used]),
        destination="".join(targets) if len(targets) == 1 and targets <= {*constants} else "",
    )


def _common(uses: Sequence[tuple[Sequence[str], Sequence[str]]]) -> int | None:
    """The first place that has one of the objects meant in all uses."""
    places = [{at for at, name in enumerate(names) if name in meant} for names, meant in uses]
    return min(set.intersection(*places), default=None)


def shares(counted: Counter[str]) -> tuple[Share, ...]:
    """The most common first, then by name."""
    ranked = sorted(counted.items(), key=lambda item: (-item[1], item[0]))
    return tuple(Share(name=name, times=times) for name, times in ranked)
