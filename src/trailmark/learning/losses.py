"""What actions of the training plans take away for good: states of things, and ways back."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from trailmark.learning.passes import PlanPass, TrainingPlan
from trailmark.models.practice import Lost, OneWay
from trailmark.search.recipes.travel import Move, find_move
from trailmark.task.model import OBJECT_TYPE, ActionSchema, Add, Atom, Delete
from trailmark.task.walks import subeffects

_Place = tuple[str, int]
"""A predicate or type, and the place of an object in it."""
OTHERS = -1
"""Stands for things that are not the subject of a pass, in place of the number of a kind of passes."""


def lost(plans: Sequence[TrainingPlan], groups: Sequence[Sequence[PlanPass]]) -> Iterator[Lost]:
    """What some action needs of a thing and no action gives it back, with the actions that take it away. Left
    out is what an action takes from the things that passes of one kind are about where no other thing and no
    other kind of pass needs it, and a state in whose place an action gives the thing another one that lasts.
    """
    effects = {
        name: [effect for effect in subeffects(action.effects) if isinstance(effect, Add | Delete)]
        for name, action in plans[0].actions.items()
    }
    given, taken = (
        {
            name: [effect.atom for effect in known if isinstance(effect, kind)]
            for name, known in effects.items()
        }
        for kind in (Add, Delete)
    )
    added, ended = (
        {atom.predicate for atoms in by_action.values() for atom in atoms} for by_action in (given, taken)
    )
    gone, own = _gone(plans), _own(groups)
    for predicate in sorted(ended):
        ending = [name for name, atoms in taken.items() if predicate in {atom.predicate for atom in atoms}]
        users = {name for name in effects for atom in plans[0].needs(name) if atom.predicate == predicate}
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
            for name, *objects in map(plan.path.structure.named, plan.atoms(step) - plan.atoms(step + 1)):
                key = done.action, name
                if objects and found.get(key, True):
                    found[key] = (name, 0) not in _reachable(plan, _places(plan, step + 1, objects[0]))
    return {key for key, is_gone in found.items() if is_gone}


def _places(plan: TrainingPlan, state: int, thing: str) -> set[_Place]:
    """What holds of a thing in a state, its types among it."""
    structure = plan.path.structure
    named = map(structure.named, (*structure.static_atoms, *plan.atoms(state)))
    symbols = structure.vocabulary
    return {
        (name, place)
        for name, *objects in named
        if symbols[name].goal_of is None
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
    adds = [effect.atom for effect in subeffects(action.effects) if isinstance(effect, Add)]
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
                action = plan.steps[step].action
                for name, *objects in map(plan.path.structure.named, plan.atoms(step) - plan.atoms(step + 1)):
                    who = kind if plan_pass.end.subject in objects else OTHERS
                    ended.setdefault((action, name), set()).add(who)
                names = dict(zip(plan.parameters(action), plan.steps[step].arguments, strict=True))
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
