"""The objects of passes made in one way: which arguments are the same one, how a reader finds it, and what
tells passes with a step from those without it.

An object is told by its goal, by a fact that relates it to another object of the pass, or as the only one
of its kind.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence

from trailmark.learning.arguments import StepArguments, Uses
from trailmark.learning.conditions import Member, StepConditions, When, told_apart, wanted
from trailmark.learning.nouns import Nouns
from trailmark.learning.passes import PlanPass
from trailmark.learning.relations import Use, closest
from trailmark.models.practice import RARE, SUBJECT, Argument, Relation, Role


class Cast:
    """The objects of a way, whose steps are given in order."""

    def __init__(self, passes: Sequence[PlanPass], steps: Sequence[Uses], nouns: Nouns) -> None:
        self._passes = passes
        self._steps = steps
        self._nouns = nouns
        self._members = [Member({id(each): each.end.subject or "" for each in passes}), *self._wanted()]
        self._numbers = [self._numbered(uses) for uses in steps]
        self.roles = self._roles()
        self.dues = StepConditions(passes, steps, self._numbers, self._members).dues

    def _wanted(self) -> Iterator[Member]:
        """The other objects of goals that all passes reach."""
        for goal in self._passes[0].end.goals:
            for place in range(len(goal.objects)):
                names = {id(each): wanted(each, goal, place) for each in self._passes}
                if all(names.values()):
                    yield Member(names, (goal, place))

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
                self._members.append(Member({}))
            member = self._members[same[0]]
            member.names |= names
            member.uses = own if RARE * len(member.uses) < len(self._passes) else member.uses
            found.append(same[0])
        return found

    def _roles(self) -> tuple[Role, ...]:
        """At first what is found from the subject and its goals, then twice what is found from those."""
        roles = [self._role(member) for member in self._members]
        actions = {
            each.source.steps[step].action: each.source for each in self._passes for step in each.steps
        }
        asked = {atom.predicate for name, source in actions.items() for atom in source.needs(name)}
        for wide in range(3):
            for number, member in enumerate(self._members):
                role = roles[number]
                if not number or role.relation is not None or role.only or role.name:
                    continue
                anchors = {
                    at: other.names
                    for at, other in enumerate(self._members)
                    if number not in (at, *_leading(roles, at))
                    and (not at or other.wanted or (wide and at < number) or wide > 1)
                }
                relation = closest(member.uses, anchors, asked, self._nouns.mean(role.noun))
                roles[number] = Role(noun=role.noun, relation=relation)
        return tuple(roles)

    def _role(self, member: Member) -> Role:
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

    def told_apart(self, actions: Collection[str], others: Sequence[PlanPass]) -> When:
        """What tells the passes of the way from the others."""
        own = [id(each) for each in self._passes]
        return told_apart(self._members, [*self._passes, *others], actions, own, least=1)

    def arguments(self, step: int) -> tuple[Argument, ...]:
        """The arguments of a step."""
        often = Counter(number for numbers in self._numbers for number in set(numbers))
        earlier = {number for numbers in self._numbers[:step] for number in numbers}
        others = {number: other for number in self._numbers[step] for other in self._others(number, step)}
        return StepArguments(self._steps[step], self._numbers[step], self.roles, often).told(earlier, others)

    def _others(self, number: int, step: int) -> Iterator[int]:
        """Which object told before is the same one in all passes that lack the step that tells it first."""
        first = next(place for place, numbers in enumerate(self._numbers) if number in numbers)
        known = {id(each) for each, _ in self._steps[first]}
        missing = {id(each) for each, _ in self._steps[step]} - known
        names = self._members[number].names
        for other in sorted({each for numbers in self._numbers[:first] for each in numbers} - {number}):
            if missing and all(self._members[other].names.get(key) == names[key] for key in missing):
                yield other
                return


def _leading(roles: Sequence[Role], number: int) -> Iterator[int]:
    """The objects that an object is found from."""
    relation = roles[number].relation
    while relation is not None:
        yield relation.anchor
        relation = roles[relation.anchor].relation


def _same(known: Mapping[int, str], names: Mapping[int, str], is_single: bool) -> bool:
    """Whether both are the same object in every pass that has both, which are half of one's and two at least;
    of an only one some pass says enough."""
    common = known.keys() & names.keys()
    fewer = min(len(known), len(names))
    enough = bool(common) if is_single else len(common) >= min(2, fewer) and 0 < fewer <= 2 * len(common)
    return enough and all(known[key] == names[key] for key in common)
