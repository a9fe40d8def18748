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
        self._numbers = numbers
        self._roles = roles
        self._often = often
        first, deed = next(iter(uses.items()))
        action = first.source.actions[first.action(deed)]
        self._parameters = [parameter.name for parameter in action.parameters]
        effects = first.source.effects(action.name)
        self._changed = Counter(self._place(term) for atom in effects for term in set(atom.terms))
        self._about = {self._place(atom.terms[0]) for atom in effects if atom.terms}
        self._needs = first.source.needs(action.name)

    def _place(self, term: str) -> int:
        return self._parameters.index(term) if term in self._parameters else -1

    def told(self, earlier: set[int], others: Mapping[int, int]) -> tuple[Argument, ...]:
        """Those whose numbers are in `earlier` were told in steps before; `others` are those that some are
        in passes without these steps."""
        given, main = self._given(earlier), self._main()
        return tuple(
            Argument(
                role=number,
                given=place in given,
                main=place == main,
                otherwise=others.get(number),
            )
            for place, number in enumerate(self._numbers)
        )

    def _main(self) -> int:
        """What the action changes most and moves do not name already: the subject at the end of a pass and
        where the action says something of it and takes no other of its kind; else that or the one with the
        fewest actions, where several are."""
        numbers = self._numbers
        own = numbers.index(SUBJECT) if SUBJECT in numbers else -1
        alike = [number for number in numbers if self._roles[number].noun == self._roles[SUBJECT].noun]
        is_last = all(deed.step == plan_pass.end.step for plan_pass, deed in self._uses.items())
        moved = {
            place
            for plan_pass, deed in self._uses.items()
            for moves in deed.approaches
            for place, name in enumerate(plan_pass.arguments(deed))
            if name in (moves.target, *moves.movers)
        }
        if own >= 0 and (is_last or (own in self._about - moved and len(alike) == 1)):
            return own
        places = range(len(numbers))
        free = [place for place in places if place not in moved and self._changed[place] > 1]
        return max(
            free or places,
            key=lambda place: (self._changed[place], -self._often[numbers[place]]),
            default=0,
        )

    def _given(self, earlier: set[int]) -> set[int]:
        """The places that facts about the others determine; of those that determine each other the first that
        was told is told again."""
        given: set[int] = set()
        settled = {place for place, number in enumerate(self._numbers) if self._is_known(number)}
        order = sorted(range(len(self._numbers)), key=lambda place: self._numbers[place] not in earlier)
        while left := [place for place in order if place not in settled | given]:
            found = [place for place in left if self._is_determined(place, settled | given)]
            given |= set(found[:1])
            settled |= set() if found else {left[0]}
        return given

    def _is_known(self, number: int) -> bool:
        role = self._roles[number]
        return number == SUBJECT or role.only or bool(role.name)

    def _is_determined(self, place: int, settled: set[int]) -> bool:
        """Whether in every use something that the action needs holds for no other object in this place."""
        asked = [
            (atom, [self._place(term) for term in atom.terms])
            for atom in self._needs
            if self._parameters[place] in atom.terms and len(atom.terms) > 1
        ]
        fitting = [(atom, at) for atom, at in asked if {*at} - {place, -1} <= settled]
        return all(
            any(self._is_single(plan_pass, deed, atom, at, place) for atom, at in fitting)
            for plan_pass, deed in self._uses.items()
        )

    def _is_single(self, plan_pass: PlanPass, deed: Deed, atom: Atom, at: Sequence[int], place: int) -> bool:
        arguments = plan_pass.arguments(deed)
        asked = [
            None if here == place else term if here < 0 else arguments[here]
            for term, here in zip(atom.terms, at, strict=True)
        ]
        found = {
            fact[1 + asked.index(None)]
            for fact in plan_pass.source.facts(deed.step)
            if fact[0] == atom.predicate
            and all(term in (None, name) for term, name in zip(asked, fact[1:], strict=True))
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
