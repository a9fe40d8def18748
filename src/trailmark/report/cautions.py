"""What to beware of when passes are made, and what need not be minded."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from trailmark.models.practice import KnownAction, PassPractice, Practice
from trailmark.report.english import DomainWords, listed, possessive, quoted, spaced, with_article

NOTHING_LOST = "Nothing that later passes need is lost for good."
FEW_PLANS = 3
"""What fewer plans show may be chance."""


def reassurances(words: DomainWords, practice: Practice) -> Iterator[str]:
    """What need not be minded."""
    subjects = [words.noun(known.subject) for known in practice.passes if known.several and not known.orders]
    if subjects:
        any_of = listed([f"any {subject}" for subject in dict.fromkeys(subjects)], "and")
        yield f"{any_of[0].upper()}{any_of[1:]} may come first: the plans show no order among them."
    if not practice.lost and not practice.one_way:
        yield NOTHING_LOST


def cautions(words: DomainWords, practice: Practice) -> Iterator[str]:
    """What is lost, used up or undone, leads one way, or is shown by few plans."""
    yield from _losses(words, practice)
    yield from _spent(words, practice)
    yield from _undone(words, practice)
    steps = [step for known in practice.passes for way in known.ways for step in way.steps]
    moves = {share.name for step in steps for move in step.approaches for share in move.actions}
    moves |= {share.name for step in steps if step.goes is not None for share in step.actions}
    for way in practice.one_way:
        if way.action in moves:
            where = "" if way.without_return == way.steps else " in some places"
            yield f"{quoted(way.action)} goes one way{where}: nothing leads back"
    if practice.unnoticed:
        names = listed([quoted(share.name) for share in practice.unnoticed], "and")
        yield f"plans also do {names}, which no pass needs"
    for place, known in enumerate(practice.passes, start=1):
        if known.plans < min(FEW_PLANS, practice.plans):
            which = f"part {place}" if len(practice.passes) > 1 else "it"
            yield f"only {known.plans} of {practice.plans} training plans show {which}"
    if practice.unused:
        yield f"no plan shows when to use {listed([quoted(name) for name in practice.unused], 'and')}"


def _losses(words: DomainWords, practice: Practice) -> Iterator[str]:
    """What is used up for good, and which other actions need it."""
    for names in dict.fromkeys(loss.actions for loss in practice.lost):
        gone = [loss.predicate for loss in practice.lost if loss.actions == names]
        users = [
            quoted(action.name)
            for action in practice.actions
            if action.name not in names and {*gone} & {fact.predicate for fact in action.needs if fact.holds}
        ]
        by, ended = listed(list(map(quoted, names)), "or"), [_never(words, name) for name in gone]
        needing = f", which {listed(users, 'and')} need{'s' * (len(users) == 1)}" if users else ""
        yield f"after {by}, {listed(ended, 'and')} again{needing}"


def _never(words: DomainWords, predicate: str) -> str:
    if not words.arity(predicate):
        return f'"{spaced(predicate)}" never holds'
    said = words.said(predicate, 0).one
    never = f"is never {said[3:]}" if said.startswith("is ") else f"never {said}"
    return f"the {words.type_noun(predicate, 0) or 'thing'} {never}"


def _spent(words: DomainWords, practice: Practice) -> Iterator[str]:
    """What actions take to the next value along a relation, none takes back and others fill up, as fuel."""
    known = {action.name: set(_value_steps(action)) for action in practice.actions}
    found = set().union(*known.values())
    for name, steps in known.items():
        for value, relation, forward in sorted(steps):
            filling = [quoted(other) for other in known if (value, "", True) in known[other]]
            if relation and filling and (value, relation, not forward) not in found:
                owner = possessive(f"the {words.type_noun(value, 0) or 'thing'}")
                said = words.possession(value) or words.type_noun(value, 1) or "value"
                back = f"only {listed(filling, 'and')} can fill it up"
                yield f"each {quoted(name)} uses up one step of {owner} {said}; {back}"


def _value_steps(action: KnownAction) -> Iterator[tuple[str, str, bool]]:
    """The predicates whose second object an action changes, each with the relation it follows, and whether
    forward; without a relation where it leads anywhere."""
    for old, new in product(action.effects, action.effects):
        is_change = new.holds and not old.holds and old.predicate == new.predicate
        if is_change and len(old.terms) == 2 and old.terms[0] == new.terms[0]:
            pair = (old.terms[1], new.terms[1])
            along = [need for need in action.needs if need.terms in (pair, pair[::-1])]
            yield from ((old.predicate, need.predicate, need.terms == pair) for need in along)
            if not along:
                yield old.predicate, "", True


def _undone(words: DomainWords, practice: Practice) -> Iterator[str]:
    """Actions of a part that may undo what an earlier part has reached for other things."""
    actions = {action.name: action for action in practice.actions}
    for (at, earlier), (place, known) in product(enumerate(practice.passes, start=1), repeat=2):
        names = dict.fromkeys(name for way in known.ways for step in way.steps for name in step.names)
        undoing = [quoted(name) for name in names if _may_undo(actions[name], earlier)]
        if at < place and earlier.subject != known.subject and undoing:
            what = f"what part {at} has reached for {with_article(words.noun(earlier.subject))}"
            yield f"in part {place}, {listed(undoing, 'and')} may undo {what}: then make that pass again"


def _may_undo(action: KnownAction, known: PassPractice) -> bool:
    kinds = dict(zip(action.parameters, action.kinds, strict=True))
    return any(
        not fact.holds
        and fact.predicate == goal.predicate
        and kinds.get(fact.terms[goal.place]) == known.subject
        for fact in action.effects
        for goal in known.goals
        if goal.holds
    )
