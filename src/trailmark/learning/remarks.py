"""What is told of passes beside their steps: which of two related objects, and which kind of passes, comes
first in the training plans; and what their actions take away for good: states of things, and ways back.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import combinations

from trailmark.learning.nouns import Nouns
from trailmark.learning.passes import PlanPass, TrainingPlan
from trailmark.models.practice import Lost, OneWay, PassOrder
from trailmark.search.recipes.travel import Move, find_move
from trailmark.task.model import OBJECT_TYPE, ActionSchema, Add, Atom, Delete

FEWEST_PAIRS = 3
"""Fewer pairs of passes may have their order by chance."""
FEWEST_GOAL_PAIRS = 6
"""The same where the goals of the objects are related, and not they themselves."""
MOST_ORDERS = 2
FEWEST_PLANS = 2
"""So many show that one kind of pass comes after another."""


def pass_orders(passes: Sequence[PlanPass], plans: Sequence[TrainingPlan]) -> list[PassOrder]:
    """The orders that goals, static facts or facts of the beginning give and no plan contradicts."""
    seen: dict[tuple[bool, bool, str], list[bool]] = {}
    for plan in {plan_pass.plan for plan_pass in passes}:
        own = sorted((one for one in passes if one.plan == plan), key=lambda one: one.end.step)
        related = list(_related(plans[plan]))
        for one, two in combinations(own, 2):
            if one.end.subject is None or two.end.subject is None or one.end.subject == two.end.subject:
                continue
            ends = [[plan_pass.end.subject, *_wanted(plan_pass)] for plan_pass in (one, two)]
            for wanted, pair in enumerate(zip(*ends, strict=False)):
                for goal, name, objects in related:
                    if objects in (pair, pair[::-1]):
                        seen.setdefault((bool(wanted), goal, name), []).append(objects == pair)
    found = [
        PassOrder(predicate=name, goal=goal, forward=ways[0], times=len(ways), wanted=wanted)
        for (wanted, goal, name), ways in sorted(
            seen.items(), key=lambda item: (item[0][0], not item[0][1], -len(item[1]))
        )
        if len(ways) >= (FEWEST_GOAL_PAIRS if wanted else FEWEST_PAIRS) and len({*ways}) == 1
    ]
    return found[:MOST_ORDERS]


def _wanted(plan_pass: PlanPass) -> list[str]:
    """The other object of a pass's one goal."""
    objects = [name for goal in plan_pass.end.goals for name in goal.objects if name != plan_pass.end.subject]
    return objects if len(objects) == 1 else []


def _related(plan: TrainingPlan) -> Iterator[tuple[bool, str, tuple[str, ...]]]:
    """What relates two objects from the beginning: by a goal or not, the predicate and the objects."""
    structure = plan.path.structure
    for name, *objects in map(structure.named, (*structure.static_atoms, *plan.atoms(0))):
        if len(objects) == 2:
            goal = plan.vocabulary[name].goal_of
            yield goal is not None, goal or name, tuple(objects)


def serves(own: Sequence[PlanPass], other: Sequence[PlanPass], nouns: Nouns) -> bool:
    """Whether objects of the kind of these passes are used in more of the others than the other way round."""
    used = [0, 0]
    for place, (ones, using) in enumerate(((own, other), (other, own))):
        kinds = {nouns.kind((member.plan, member.end.subject)) for member in ones if member.end.subject}
        for plan_pass in using:
            names = {name for deed in plan_pass.deeds for name in plan_pass.arguments(deed)}
            others = names - {plan_pass.end.subject}
            used[place] += any(nouns.kind((plan_pass.plan, name)) in kinds for name in others)
    return used[0] > used[1]


def follows(own: Sequence[PlanPass], other: Sequence[PlanPass]) -> bool:
    """Whether more objects of both have the other pass first."""
    ends = [{(one.plan, one.end.subject): one.end.step for one in passes} for passes in (own, other)]
    later = [ends[0][key] - ends[1][key] for key in ends[0].keys() & ends[1].keys()]
    return sum(steps > 0 for steps in later) > sum(steps < 0 for steps in later)


def ended_before(own: Sequence[PlanPass], before: Sequence[Sequence[PlanPass]]) -> int:
    """How many of the kinds before have ended in all plans, two at least, when the first of these ends."""
    first = _ends(own, min)
    for count, kind in enumerate(before):
        last = _ends(kind, max)
        plans = first.keys() & last.keys()
        if len(plans) < FEWEST_PLANS or any(last[plan] >= first[plan] for plan in plans):
            return count
    return len(before)


def _ends(passes: Sequence[PlanPass], which: Callable[[Iterable[int]], int]) -> dict[int, int]:
    """The first or last end of these passes in each plan."""
    plans = {one.plan for one in passes}
    return {plan: which(one.end.step for one in passes if one.plan == plan) for plan in plans}


_Place = tuple[str, int]
"""A predicate or type, and the place of an object in it."""
OTHERS = -1
"""Stands for things that are not the subject of a pass, in place of the number of a kind of passes."""


def lost(plans: Sequence[TrainingPlan], groups: Sequence[Sequence[PlanPass]]) -> Iterator[Lost]:
    """What some action needs of a thing and no action gives it back, with the actions that take it away. Left
    out is what an action takes from the things that passes of one kind are about where no other thing and no
    other kind of pass needs it, and a state in whose place an action gives the thing another one that lasts.
    """
    actions = plans[0].actions
    given, taken = ({name: plans[0].effects(name, kind) for name in actions} for kind in (Add, Delete))
    added, ended = (
        {atom.predicate for atoms in by_action.values() for atom in atoms} for by_action in (given, taken)
    )
    gone, own = _gone(plans), _own(groups)
    for predicate in sorted(ended):
        ending = [name for name, atoms in taken.items() if predicate in {atom.predicate for atom in atoms}]
        users = {name for name in actions for atom in plans[0].needs(name) if atom.predicate == predicate}
        names = [
            name
            for name in ending
            if (name, predicate) not in own and (predicate not in added or (name, predicate) in gone)
        ]
        is_asked = predicate not in added and any(
            len(atom.terms) > 1 or atom.terms not in _lasting(given[name], ended)
            for name in names
            for atom in taken[name]
            if atom.predicate == predicate
        )
        if (names and users - {*names}) or (users and is_asked):
            yield Lost(predicate=predicate, actions=tuple(names))


def _lasting(given: Sequence[Atom], ended: Collection[str]) -> list[tuple[str, ...]]:
    """Whom an action gives what no action ends."""
    return [atom.terms[:1] for atom in given if atom.predicate not in ended]


def _gone(plans: Sequence[TrainingPlan]) -> set[tuple[str, str]]:
    """The actions of the plans, each with a predicate that it makes false for a thing, and that no actions
    could give back to it, in whatever state other things are."""
    found: dict[tuple[str, str], bool] = {}
    for plan in plans:
        for step, done in enumerate(plan.steps):
            for name, *objects in plan.ended(step):
                key = done.action, name
                if objects and found.get(key, True):
                    found[key] = (name, 0) not in _reachable(plan, _places(plan, step + 1, objects[0]))
    return {key for key, is_gone in found.items() if is_gone}


def _places(plan: TrainingPlan, state: int, thing: str) -> set[_Place]:
    """What holds of a thing in a state, its types among it."""
    structure = plan.path.structure
    named = map(structure.named, (*structure.static_atoms, *plan.atoms(state)))
    return {
        (name, place)
        for name, *objects in named
        if plan.vocabulary[name].goal_of is None
        for place, known in enumerate(objects)
        if known == thing
    }


def _reachable(plan: TrainingPlan, places: set[_Place]) -> set[_Place]:
    """All that may come to hold of a thing with these places, by actions that find all else as needed."""
    uses = [use for action in plan.actions.values() for use in _uses(plan, action)]
    while True:
        fitting = [given for types, asked, given in uses if asked <= places and (types & places or not types)]
        new = set().union(*fitting)
        if new <= places:
            return places
        places = places | new


def _uses(plan: TrainingPlan, action: ActionSchema) -> Iterator[tuple[set[_Place], set[_Place], set[_Place]]]:
    """For each parameter of an action its types, what is needed of it and what it is given."""
    adds = plan.effects(action.name, Add)
    for parameter in action.parameters:
        given, asked = (
            {
                (atom.predicate, place)
                for atom in atoms
                for place, term in enumerate(atom.terms)
                if term == parameter.name
            }
            for atoms in (adds, plan.needs(action.name))
        )
        yield {(kind, 0) for kind in parameter.types if kind != OBJECT_TYPE}, asked, given


def _own(groups: Sequence[Sequence[PlanPass]]) -> set[tuple[str, str]]:
    """The actions of passes, each with a predicate that it makes false for their subjects alone, where only
    passes of that kind need it, and of their subjects."""
    ended: dict[tuple[str, str], set[int]] = {}
    needed: dict[str, set[int]] = {}
    for kind, passes in enumerate(groups):
        for plan_pass in passes:
            plan = plan_pass.source
            for step in plan_pass.steps:
                action, names = plan.steps[step].action, plan.objects(step)
                for name, *objects in plan.ended(step):
                    who = kind if plan_pass.end.subject in objects else OTHERS
                    ended.setdefault((action, name), set()).add(who)
                for atom in plan.needs(action):
                    who = kind if plan_pass.end.subject in map(names.get, atom.terms) else OTHERS
                    needed.setdefault(atom.predicate, set()).add(who)
    return {
        (action, name)
        for (action, name), kinds in ended.items()
        if len(kinds) == 1 and OTHERS not in kinds and needed.get(name, kinds) <= kinds
    }


def one_way(plans: Sequence[TrainingPlan]) -> Iterator[OneWay]:
    """The moves of the plans that no move takes back everywhere, by the static relations they follow."""
    used = {step.action for plan in plans for step in plan.steps}
    found = [find_move(schema) for schema in plans[0].schemas.values()]
    moves = [move for move in found if move is not None]
    for move in moves:
        if move.schema.name not in used:
            continue
        back = [other for other in moves if other.leaves.symbol == move.leaves.symbol]
        steps = without = 0
        for plan in plans:
            pairs = _pairs(plan, move)
            returns = {(there, here) for other in back for here, there in _pairs(plan, other)}
            steps += len(pairs)
            without += len(pairs - returns)
        if without:
            yield OneWay(action=move.schema.name, steps=steps, without_return=without)


def _pairs(plan: TrainingPlan, move: Move) -> set[tuple[int, int]]:
    """From where to where the static relation of a move leads."""
    source, target = move.edge.terms.index(move.source), move.edge.terms.index(move.target)
    facts = plan.path.structure.static_tuples.get(move.edge.symbol, ())
    return {(fact[source], fact[target]) for fact in facts}
