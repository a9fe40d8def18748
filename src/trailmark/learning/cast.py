"""The objects of passes made in one way: which arguments are the same one, how a reader finds it, what tells
passes with a step from those without it, which argument an action is mainly about, and which leave no choice.

An object is told by its goal, by a fact that relates it to another object of the pass, or as the only one
of its kind.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence

from trailmark.learning.conditions import Member, StepConditions, told_apart, wanted
from trailmark.learning.journeys import Deed
from trailmark.learning.nouns import Names, Nouns, Use, Uses, closest
from trailmark.learning.passes import PlanPass
from trailmark.models.practice import RARE, SUBJECT, Argument, Condition, Fact, KnownAction, Relation, Role
from trailmark.task.model import ActionSchema, Add, Atom, Delete, ForallEffect, When
from trailmark.task.walks import conjuncts, literal


class Cast:
    """The objects of a way, whose steps are given in order."""

    def __init__(self, passes: Sequence[PlanPass], steps: Sequence[Uses], nouns: Nouns) -> None:
        self._passes = passes
        self._steps = steps
        self._nouns = nouns
        self._members = [
            Member({plan_pass: plan_pass.end.subject or "" for plan_pass in passes}),
            *self._wanted(),
        ]
        self._numbers = [self._numbered(uses) for uses in steps]
        self.roles = self._roles()
        self.dues = StepConditions(passes, steps, self._numbers, self._members).dues

    def _wanted(self) -> Iterator[Member]:
        """The other objects of goals that all passes reach."""
        for goal in self._passes[0].end.goals:
            for place in range(len(goal.objects)):
                names = {plan_pass: wanted(plan_pass, goal, place) for plan_pass in self._passes}
                if all(names.values()):
                    yield Member(names, (goal, place))

    def _numbered(self, uses: Uses) -> list[int]:
        """For each argument which object it is."""
        found: list[int] = []
        for arguments in zip(*(plan_pass.arguments(deed) for plan_pass, deed in uses.items()), strict=True):
            own = [Use(*use, name) for use, name in zip(uses.items(), arguments, strict=True)]
            names = dict(zip(uses, arguments, strict=True))
            same = [at for at, known in enumerate(self._members) if _same(known.names, names)]
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
            plan_pass.source.steps[step].action: plan_pass.source
            for plan_pass in self._passes
            for step in plan_pass.steps
        }
        asked = {atom.predicate for name, source in actions.items() for atom in source.needs(name)}
        for is_last in (False, True):
            for number, member in enumerate(self._members):
                role = roles[number]
                if not number or role.relation is not None or role.only or role.name:
                    continue
                anchors = {
                    at: other.names
                    for at, other in enumerate(self._members)
                    if number not in (at, *_leading(roles, at))
                    and (at < number or is_last or (roles[at].only and self._meets(other, member)))
                }
                alike = self._nouns.mean(role.noun)
                relation = closest(member.uses, anchors, asked, alike)
                roles[number] = Role(noun=role.noun, relation=relation)
        return tuple(roles)

    def _meets(self, known: Member, member: Member) -> bool:
        """Whether actions take both objects, or move somebody to the second."""
        return all(
            known.names.get(use.plan_pass) in use.plan_pass.arguments(use.deed)
            or use.plan_pass.source.relocations.get(use.plan_pass.action(use.deed))
            for use in member.uses
        )

    def _role(self, member: Member) -> Role:
        names = {(plan_pass.plan, name) for plan_pass, name in member.names.items() if name}
        noun, distinct = self._nouns.of(names) if names else "", {name for _, name in names}
        if len(distinct) == 1 and distinct <= {*self._passes[0].source.vocabulary.constants}:
            return Role(noun=noun, name=distinct.pop())
        if member.wanted is None:
            return Role(noun=noun, only=self._nouns.is_single(noun))
        goal, place = member.wanted
        forward = self._passes[0].end.subject in goal.objects[:place]
        relation = Relation(predicate=goal.predicate, anchor=SUBJECT, forward=forward, goal=True)
        return Role(noun=noun, relation=relation)

    def told_apart(self, actions: Collection[str], others: Sequence[PlanPass]) -> tuple[Condition, ...]:
        """What tells the passes of the way from the others."""
        return told_apart(self._members, [*self._passes, *others], actions, self._passes, least=1)

    def arguments(self, step: int) -> tuple[Argument, ...]:
        """The arguments of a step."""
        often = Counter(number for numbers in self._numbers for number in set(numbers))
        earlier = {number for numbers in self._numbers[:step] for number in numbers}
        others = {number: other for number in self._numbers[step] for other in self._others(number, step)}
        return StepArguments(self._steps[step], self._numbers[step], self.roles, often).told(earlier, others)

    def _others(self, number: int, step: int) -> Iterator[int]:
        """Which object told before is the same one in all passes that lack the step that tells it first."""
        first = next(place for place, numbers in enumerate(self._numbers) if number in numbers)
        missing = self._steps[step].keys() - self._steps[first].keys()
        names = self._members[number].names
        for other in sorted({role for numbers in self._numbers[:first] for role in numbers} - {number}):
            if missing and all(self._members[other].names.get(key) == names[key] for key in missing):
                yield other
                return


def _leading(roles: Sequence[Role], number: int) -> Iterator[int]:
    """The objects that an object is found from."""
    relation = roles[number].relation
    while relation is not None:
        yield relation.anchor
        relation = roles[relation.anchor].relation


def _same(known: Names, names: Names) -> bool:
    """Whether both are the same object in every pass that has both, which are two where both have so many."""
    common = known.keys() & names.keys()
    return len(common) >= min(2, len(known), len(names)) > 0 and all(
        known[key] == names[key] for key in common
    )


class StepArguments:
    """The arguments of a step, each by the number of its role."""

    def __init__(
        self, uses: Uses, numbers: Sequence[int], roles: Sequence[Role], often: Counter[int]
    ) -> None:
        self._uses = uses
        self._roles = roles
        self._often = often
        first, deed = next(iter(uses.items()))
        action = first.action(deed)
        self._numbers = dict(zip(first.source.parameters(action), numbers, strict=True))
        effects = first.source.effects(action)
        self._changed = Counter(term for atom in effects for term in set(atom.terms))
        self._about = {atom.terms[0] for atom in effects if atom.terms}
        self._needs = first.source.needs(action)

    def told(self, earlier: set[int], others: Mapping[int, int]) -> tuple[Argument, ...]:
        """Those whose numbers are in `earlier` were told in steps before; `others` are those that some are
        in passes without these steps."""
        given, main = self._given(earlier), self._main()
        return tuple(
            Argument(role=number, given=term in given, main=term == main, otherwise=others.get(number))
            for term, number in self._numbers.items()
        )

    def _main(self) -> str | None:
        """What the action changes most and moves do not name already: the subject at the end of a pass and
        where the action says something of it and takes no other of its kind; else that or the one with the
        fewest actions, where several are."""
        numbers = self._numbers
        own = next((term for term, number in numbers.items() if number == SUBJECT), None)
        alike = [term for term in numbers if self._roles[numbers[term]].noun == self._roles[SUBJECT].noun]
        is_last = all(deed.step == plan_pass.end.step for plan_pass, deed in self._uses.items())
        moved = {
            term
            for plan_pass, deed in self._uses.items()
            for moves in deed.approaches
            for term, name in self._names(plan_pass, deed).items()
            if name in (moves.target, *moves.movers)
        }
        if own and (is_last or (own in self._about - moved and len(alike) == 1)):
            return own
        free = [term for term in numbers if term not in moved and self._changed[term] > 1]
        return max(
            free or numbers,
            key=lambda term: (self._changed[term], -self._often[numbers[term]]),
            default=None,
        )

    def _names(self, plan_pass: PlanPass, deed: Deed) -> dict[str, str]:
        """The objects of a pass by the parameters of the step."""
        return dict(zip(self._numbers, plan_pass.arguments(deed), strict=True))

    def _given(self, earlier: set[int]) -> set[str]:
        """What facts about the others determine; of those that determine each other the first that was told
        is told again."""
        given: set[str] = set()
        settled = {term for term, number in self._numbers.items() if self._is_known(number)}
        order = sorted(self._numbers, key=lambda term: self._numbers[term] not in earlier)
        while left := [term for term in order if term not in settled]:
            found = [term for term in left if self._is_determined(term, settled)][:1]
            given.update(found)
            settled.update(found or left[:1])
        return given

    def _is_known(self, number: int) -> bool:
        role = self._roles[number]
        return number == SUBJECT or role.only or bool(role.name)

    def _is_determined(self, term: str, settled: set[str]) -> bool:
        """Whether in every use something that the action needs holds for no other object in this place."""
        asked = [atom for atom in self._needs if term in atom.terms and len(atom.terms) > 1]
        fitting = [atom for atom in asked if self._numbers.keys() & {*atom.terms} <= settled | {term}]
        return all(any(self._is_single(*use, atom, term) for atom in fitting) for use in self._uses.items())

    def _is_single(self, plan_pass: PlanPass, deed: Deed, atom: Atom, term: str) -> bool:
        """Whether the atom, with the other objects of the pass, holds for one object in the term's place."""
        names = self._names(plan_pass, deed)
        asked = [None if other == term else names.get(other, other) for other in atom.terms]
        found = {
            fact[1 + asked.index(None)]
            for fact in plan_pass.source.facts(deed.step)
            if fact[0] == atom.predicate
            and all(name in (None, own) for name, own in zip(asked, fact[1:], strict=True))
        }
        return len(found) == 1


def known_action(action: ActionSchema) -> KnownAction:
    """An action as the domain declares it."""
    asked = [found for part in conjuncts(action.precondition) if (found := literal(part)) is not None]
    plain = [effect for effect in action.effects if isinstance(effect, Add | Delete)]
    needs = [Fact(predicate=atom.predicate, terms=atom.terms, holds=holds) for atom, holds in asked]
    effects = [
        Fact(predicate=effect.atom.predicate, terms=effect.atom.terms, holds=isinstance(effect, Add))
        for effect in plain
    ]
    return KnownAction(
        name=action.name,
        parameters=tuple(parameter.name for parameter in action.parameters),
        kinds=tuple("/".join(parameter.types) for parameter in action.parameters),
        needs=tuple(needs),
        effects=tuple(effects),
        conditional=len(asked) < len([*conjuncts(action.precondition)])
        or any(isinstance(effect, When | ForallEffect) for effect in action.effects),
    )
