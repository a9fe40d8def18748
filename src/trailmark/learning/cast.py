"""The objects of passes made in one way: which arguments are the same one, how a reader finds it, and what
tells passes with a step from those without it.

An object is told by its goal, by a fact that relates it to another object of the pass, or as the only one
of its kind.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

from trailmark.learning.arguments import StepArguments, Uses
from trailmark.learning.nouns import Nouns
from trailmark.learning.passes import GoalReached, PlanPass
from trailmark.learning.relations import Use, closest
from trailmark.models.practice import SUBJECT, Argument, Condition, Relation, Role
from trailmark.task.model import Add, Delete
from trailmark.task.walks import literals, subeffects

FEWEST_PASSES = 4
"""What tells passes from others may be chance where there are fewer."""
FEWEST_OF_TWO = 3
"""The same where two things tell so many from so many others."""


@dataclass
class _Member:
    """An object by its name in each pass, and where it is first used."""

    names: dict[int, str]
    wanted: tuple[GoalReached, int] | None = None
    """A goal of its kind, and its place there."""
    uses: list[Use] = field(default_factory=list)


class Cast:
    """The objects of a way, whose steps are given in order."""

    def __init__(self, passes: Sequence[PlanPass], steps: Sequence[Uses], nouns: Nouns) -> None:
        self._passes = passes
        self._steps = steps
        self._nouns = nouns
        self._members = [_Member({id(each): each.end.subject or "" for each in passes}), *self._wanted()]
        self._numbers = [self._numbered(uses) for uses in steps]
        self.roles = self._roles()

    def _wanted(self) -> Iterator[_Member]:
        """The other objects of goals that all passes reach."""
        for goal in self._passes[0].end.goals:
            for place in range(len(goal.objects)):
                names = {id(each): _wanted(each, goal, place) for each in self._passes}
                if all(names.values()):
                    yield _Member(names, (goal, place))

    def _numbered(self, uses: Uses) -> list[int]:
        """For each argument which object it is."""
        found: list[int] = []
        for place in range(len(uses[0][0].arguments(uses[0][1]))):
            own = [Use(each, deed, each.arguments(deed)[place]) for each, deed in uses]
            names = {id(use.each): use.name for use in own}
            is_single = self._nouns.is_single(self._nouns.of((use.each.plan, use.name) for use in own))
            same = [at for at, known in enumerate(self._members) if _same(known.names, names, is_single)]
            if not same:
                same = [len(self._members)]
                self._members.append(_Member({}))
            member = self._members[same[0]]
            member.names |= names
            member.uses = member.uses or own
            found.append(same[0])
        return found

    def _roles(self) -> tuple[Role, ...]:
        """At first what is found from the subject and its goals, then what is found from those."""
        roles = [self._role(member) for member in self._members]
        asked = {
            atom.predicate
            for each in self._passes
            for deed in each.deeds
            for atom in each.source.needs(each.action(deed))
        }
        for wide in (False, True):
            for number, member in enumerate(self._members):
                role = roles[number]
                if not number or role.relation is not None or role.only or role.name:
                    continue
                anchors = {
                    at: other.names
                    for at, other in enumerate(self._members)
                    if at != number and (not at or other.wanted or (wide and _is_near(at, number, roles[at])))
                }
                relation = closest(member.uses, anchors, asked, self._nouns.mean(role.noun))
                roles[number] = Role(noun=role.noun, relation=relation)
        return tuple(roles)

    def _role(self, member: _Member) -> Role:
        plans = {id(each): each.plan for each in self._passes}
        names = {(plans[key], name) for key, name in member.names.items() if name}
        noun, distinct = self._nouns.of(names) if names else "", {name for _, name in names}
        if len(distinct) == 1 and distinct <= {*self._passes[0].source.task.domain.vocabulary.constants}:
            return Role(noun=noun, name=distinct.pop())
        if member.wanted is None:
            return Role(noun=noun, only=self._nouns.is_single(noun))
        goal, place = member.wanted
        forward = self._passes[0].end.subject in goal.objects[:place]
        relation = Relation(predicate=goal.predicate, anchor=SUBJECT, forward=forward, goal=True)
        return Role(noun=noun, relation=relation)

    def arguments(self, step: int) -> tuple[Argument, ...]:
        """The arguments of a step."""
        often = Counter(number for numbers in self._numbers for number in set(numbers))
        earlier = {number for numbers in self._numbers[:step] for number in numbers}
        return StepArguments(self._steps[step], self._numbers[step], self.roles, often).told(earlier)

    def conditions(
        self, actions: set[str], inside: set[int], others: Sequence[PlanPass]
    ) -> tuple[Condition, ...]:
        """What tells the passes with these ids from all others when they begin, about their subject or goal,
        or an object that all of them use: one or two things that the actions are about; empty where nothing
        does."""
        passes = {id(each): each for each in (*self._passes, *others)}
        if not inside or len(inside) == len(passes) or len(passes) < FEWEST_PASSES:
            return ()
        known: dict[frozenset[int], Condition] = {}
        clear = not others and min(len(inside), len(passes) - len(inside)) > 1
        for number, member in enumerate(self._members):
            told = self._mentioned(actions)
            if number and not member.wanted:
                used = clear and passes.keys() <= member.names.keys()
                told = [(name, arity) for name, arity in told if arity == 1 and used]
            for name, place in ((name, place) for name, arity in told for place in range(arity)):
                holding = {key for key, each in passes.items() if _holds(each, member, name, place)}
                known |= _both(holding, passes, known, predicate=name, place=place, role=number)
            for name, via in self._shared(told) if member.wanted else ():
                holding = {key for key, each in passes.items() if _shares(each, member, name, via)}
                known |= _both(holding, passes, known, predicate=name, place=0, role=number, via=via)
        if frozenset(inside) in known:
            return (known[frozenset(inside)],)
        if min(len(inside), len(passes) - len(inside)) < FEWEST_OF_TWO:
            return ()
        wider = [keys for keys in known if inside < keys]
        pairs = ((known[a], known[b]) for a, b in combinations(wider, 2) if a & b == inside)
        return next(pairs, ())

    def _shared(self, mentioned: Sequence[tuple[str, int]]) -> Iterator[tuple[str, str]]:
        """Static binary predicates, each with a changing one that relates the subject to another object."""
        known = self._passes[0].source.path.structure.vocabulary
        binary = [name for name, arity in mentioned if arity == 2]
        yield from ((one, two) for one in binary for two in binary if known[one].static > known[two].static)

    def _mentioned(self, actions: set[str]) -> list[tuple[str, int]]:
        """The predicates that the actions ask for or change, those of few objects first."""
        source = self._passes[0].source
        known = source.path.structure.vocabulary
        names: set[str] = set()
        for action in (source.actions[name] for name in actions):
            effects = [each for each in subeffects(action.effects) if isinstance(each, Add | Delete)]
            names |= {each.atom.predicate for each in effects}
            names |= {atom.predicate for atom, _ in literals(action.precondition) or ()}
        ranked = sorted((known[name].arity, name) for name in names if name in known)
        return [(name, arity) for arity, name in ranked]


def _is_near(at: int, number: int, role: Role) -> bool:
    """Whether an object is known when another one is told: it comes first, or is found from the subject."""
    return at < number or role.only or (role.relation is not None and role.relation.anchor == SUBJECT)


def _wanted(each: PlanPass, goal: GoalReached, place: int) -> str:
    """The object that the pass has in this place of a goal of the kind; empty where that is its subject."""
    own = [known.objects[place] for known in each.end.goals if known.predicate == goal.predicate]
    return own[0] if own and own[0] != each.end.subject else ""


def _holds(each: PlanPass, member: _Member, predicate: str, place: int) -> bool:
    """Whether the object has it when the pass begins."""
    name = member.names.get(id(each), each.end.subject)
    name = name if member.wanted is None else _wanted(each, *member.wanted)
    return any(fact[0] == predicate and fact[place + 1] == name for fact in each.source.facts(each.begin))


def _shares(each: PlanPass, member: _Member, predicate: str, via: str) -> bool:
    """Whether what the subject is related to and the object have the same there when the pass begins."""
    facts = each.source.facts(each.begin)
    near = {fact[2] for fact in facts if fact[0] == via and fact[1] == each.end.subject}
    wanted = _wanted(each, *member.wanted) if member.wanted is not None else ""
    ends = [
        {fact[2] for fact in facts if fact[0] == predicate and fact[1] in ones} for ones in (near, {wanted})
    ]
    return bool(ends[0] & ends[1])


def _both(
    holding: set[int], passes: Collection[int], known: Mapping[frozenset[int], Condition], **said: Any
) -> dict[frozenset[int], Condition]:
    """The condition and its opposite by the passes that they tell, where nothing did."""
    told = {True: frozenset(holding), False: frozenset(passes) - holding}
    return {keys: Condition(holds=holds, **said) for holds, keys in told.items() if keys not in known}


def _same(known: Mapping[int, str], names: Mapping[int, str], is_single: bool) -> bool:
    """Whether both are the same object in every pass that has both, which are half of these at least; of an
    only one some pass says enough."""
    common = known.keys() & names.keys()
    enough = bool(common) if is_single else 0 < len(names) <= 2 * len(common)
    return enough and all(known[key] == names[key] for key in common)
