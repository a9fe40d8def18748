"""The arguments of an action that passes have: which one it is mainly about, and which leave no choice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from trailmark.learning.passes import Deed, PlanPass
from trailmark.models.practice import SUBJECT, Argument, Fact, KnownAction, Role
from trailmark.task.model import ActionSchema, Add, Atom, Delete, ForallEffect, When
from trailmark.task.walks import conjuncts, literal, subeffects

Uses = Sequence[tuple[PlanPass, Deed]]
"""A step of a way in the passes that have it."""


class StepArguments:
    """The arguments of a step, each by the number of its role."""

    def __init__(
        self, uses: Uses, numbers: Sequence[int], roles: Sequence[Role], often: Counter[int]
    ) -> None:
        self._uses = uses
        self._numbers = numbers
        self._roles = roles
        self._often = often
        first, deed = uses[0]
        action = first.source.actions[first.action(deed)]
        self._parameters = [each.name for each in action.parameters]
        effects = [each for each in subeffects(action.effects) if isinstance(each, Add | Delete)]
        self._changed = Counter(self._place(term) for each in effects for term in set(each.atom.terms))
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
        """What the action changes most and moves do not name already: at the end of a pass the subject, and
        else that or the one with the fewest actions, where several are."""
        numbers = self._numbers
        if SUBJECT in numbers and all(deed.step in each.end.steps for each, deed in self._uses):
            return numbers.index(SUBJECT)
        moved = {
            place
            for each, deed in self._uses
            for moves in deed.approaches
            for place, name in enumerate(each.arguments(deed))
            if name in (moves.target, *moves.movers)
        }
        places = range(len(numbers))
        free = [place for place in places if place not in moved and self._changed[place] > 1]
        return max(
            free or places,
            key=lambda place: (
                self._changed[place],
                numbers[place] == SUBJECT,
                -self._often[numbers[place]],
                not self._roles[numbers[place]].only,
                -place,
            ),
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
        wanted = role.relation is not None and role.relation.goal
        return number == SUBJECT or role.only or bool(role.name) or wanted

    def _is_determined(self, place: int, settled: set[int]) -> bool:
        """Whether in every use something that the action needs holds for no other object in this place."""
        asked = [
            (atom, [self._place(term) for term in atom.terms])
            for atom in self._needs
            if self._parameters[place] in atom.terms and len(atom.terms) > 1
        ]
        fitting = [(atom, at) for atom, at in asked if {*at} - {place, -1} <= settled]
        return all(
            any(self._is_single(each, deed, atom, at, place) for atom, at in fitting)
            for each, deed in self._uses
        )

    def _is_single(self, each: PlanPass, deed: Deed, atom: Atom, at: Sequence[int], place: int) -> bool:
        arguments = each.arguments(deed)
        asked = [
            None if here == place else term if here < 0 else arguments[here]
            for term, here in zip(atom.terms, at, strict=True)
        ]
        found = {
            fact[1 + asked.index(None)]
            for fact in each.source.facts(deed.step)
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
        Fact(predicate=each.atom.predicate, terms=each.atom.terms, holds=isinstance(each, Add))
        for each in plain
    ]
    return KnownAction(
        name=action.name,
        parameters=tuple(each.name for each in action.parameters),
        kinds=tuple("/".join(each.types) for each in action.parameters),
        needs=tuple(needs),
        effects=tuple(effects),
        conditional=len(asked) < len([*conjuncts(action.precondition)])
        or any(isinstance(effect, When | ForallEffect) for effect in action.effects),
    )
