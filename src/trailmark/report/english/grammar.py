"""The small grammar of phrases: a noun with clauses, and sentences about whether there is such a thing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from trailmark.features.syntax import Expression, Kind
from trailmark.features.syntax import expression as make
from trailmark.relational import Vocabulary
from trailmark.report.english.parts import having, joined, quantified, words_for
from trailmark.report.english.words import (
    OBJECT,
    DomainWords,
    Forms,
    ParameterTypes,
    denied,
    forms,
    listed,
    plural,
    spaced,
    with_article,
)

DEEPEST = 3
"""So many relations may lead from one object to the next."""
LONGEST = 60
"""No phrase for a larger expression would be short."""


class UntoldError(Exception):
    """There is no short phrase for the expression."""


@dataclass(frozen=True)
class Things:
    """A noun, and what is said of the objects."""

    noun: str
    clauses: tuple[Forms, ...]

    def text(self, *, many: bool) -> str:
        """The noun phrase, without an article: `packages at a cell`."""
        said = [clause.many if many else clause.one for clause in self.clauses]
        noun = plural(self.noun) if many else self.noun
        if len(said) == 1:
            verb, _, rest = said[0].partition(" ")
            if verb in ("has", "have"):
                return f"{noun} with {rest}"
        return f"{noun} that {listed(said, 'and')}" if said else noun

    def amount(self, amount: str, *, many: bool) -> str:
        """`fewer trucks are empty`."""
        noun = plural(self.noun) if many else self.noun
        if not self.clauses:
            return f"there {'are' if many else 'is'} {amount} {noun}"
        return f"{amount} {noun} {listed([each.many if many else each.one for each in self.clauses], 'and')}"


@dataclass(frozen=True)
class Grammar:
    words: DomainWords

    @classmethod
    def of(
        cls, node: Expression, vocabulary: Vocabulary | None, parameter_types: ParameterTypes | None
    ) -> Grammar:
        if node.complexity > LONGEST:
            raise UntoldError
        return cls(words_for(node, vocabulary, parameter_types))

    def sentence(self, node: Expression, positive: bool) -> str:
        """Whether a feature is above zero, said as a sentence."""
        name, children = node.constructor.name, node.children
        if name == "b_nullary":
            return self._nullary(str(node.arguments[0]), positive)
        if name == "b_inclusion" and children[0].kind is Kind.CONCEPT:
            outside = make("c_and", children[0], make("c_not", children[1]))
            return self._existence(outside, not positive)
        if name in ("b_empty", "b_nonempty", "n_count"):
            return self._existence(having(children[0]), positive == (name != "b_empty"))
        if name == "n_concept_distance":
            # It is zero exactly where the two concepts share an object.
            return self._existence(make("c_and", children[0], children[2]), not positive)
        raise UntoldError

    def _nullary(self, name: str, positive: bool) -> str:
        base = spaced(self.words.base(name))
        if self.words.is_goal(name):
            return f"the goal {'asks' if positive else 'does not ask'} for {base}"
        return f"{base} {'holds' if positive else 'does not hold'}"

    def _existence(self, concept: Expression, exists: bool) -> str:
        """`some truck is empty`, `no truck is empty`, `every truck is empty`."""
        parts = list(joined(concept, True))
        denying = [each for each in parts if _denies(*each)]
        if not exists and denying and not self._still_to_be(parts):
            rest = self._described([each for each in parts if each not in denying], DEEPEST)
            said = [self._clause(part, not positive, DEEPEST)[0].one for part, positive in denying]
            return f"every {rest.text(many=False)} {listed(said, 'or')}"
        things = self._described(parts, DEEPEST, strict=True)
        if not things.clauses:
            return f"there is {with_article(things.noun) if exists else f'no {things.noun}'}"
        clauses = listed([clause.one for clause in things.clauses], "and")
        return f"{'some' if exists else 'no'} {things.noun} {clauses}"

    def counted(self, node: Expression) -> Things:
        """What a count counts: objects, or for a role those that have it, where each has it to one alone."""
        counted = node.children[0]
        if counted.kind is Kind.ROLE:
            pair = self._goal_pair(counted)
            if pair is None or self.words.place(pair[0], "") is None:
                raise UntoldError
        return self.things(having(counted))

    def things(self, concept: Expression, depth: int = DEEPEST) -> Things:
        return self._described(list(joined(concept, True)), depth)

    def _described(self, parts: list[tuple[Expression, bool]], depth: int, *, strict: bool = False) -> Things:
        """A conjunction of concepts, each with whether it holds. What an object is not tells its type only
        where others do not matter, as they never change."""
        noun, clauses, hints = "", list[Forms](), list[str | None]()
        missing = self._still_to_be(parts)
        for name in missing:
            clauses.append(forms(f"<is|are> still to be {self.words.property(name)}"))
            hints.append(self.words.type_noun(name, 0))
        for part, positive in parts:
            if part.constructor.name == ("c_top" if positive else "c_bot"):
                continue
            name = str(part.arguments[0]) if part.constructor.name == "c_primitive" else ""
            if self.words.base(name) in map(self.words.base, missing):
                continue
            if positive and not noun and name and self.words.is_noun(name):
                noun = self.words.noun(name)
            else:
                clause, hint = self._clause(part, positive, depth)
                clauses.append(clause)
                hints += [] if strict and _denies(part, positive) else [hint]
        return Things(noun or next(filter(None, hints), OBJECT), tuple(clauses))

    def _still_to_be(self, parts: list[tuple[Expression, bool]]) -> list[str]:
        """The goal versions of properties that an object lacks and is to have."""
        unary = {
            str(part.arguments[0]): positive
            for part, positive in parts
            if part.constructor.name == "c_primitive"
            and self.words.arities.get(str(part.arguments[0]), 1) == 1
        }
        return [
            name
            for name, positive in unary.items()
            if positive and self.words.is_goal(name) and unary.get(self.words.base(name)) is False
        ]

    def _clause(self, part: Expression, positive: bool, depth: int) -> tuple[Forms, str | None]:
        """What a part of a conjunction says of an object, and the type of the objects it can be said of."""
        name = part.constructor.name
        if name == "c_primitive":
            predicate, place = str(part.arguments[0]), int(str(part.arguments[1]))
            kind = self.words.type_noun(predicate, place)
            if self.words.is_noun(predicate):
                noun = self.words.noun(predicate)
                said = Forms(f"is {with_article(noun)}", f"are {plural(noun)}")
            else:
                said = self.words.said(predicate, place)
            return (said if positive else denied(said)), kind
        if name == "c_one_of":
            said = forms(f"<is|are> {part.arguments[0]}")
            return (said if positive else denied(said)), None
        if name in ("c_or", "c_and", "c_diff") or len(list(joined(part, positive, "or"))) > 1:
            return self._joined(part, positive, depth)
        if name in ("c_equal", "c_subset"):
            return self._compared(part, positive)
        if name in ("c_some", "c_all", "c_projection", "c_fills"):
            return self._linked(*quantified(part), positive, depth)
        raise UntoldError

    def _joined(self, part: Expression, positive: bool, depth: int) -> tuple[Forms, str | None]:
        word = "or" if len(list(joined(part, positive, "or"))) > 1 else "and"
        told = [self._clause(*each, depth) for each in joined(part, positive, word)]
        hints = {hint for _, hint in told}
        ones, many = ([getattr(said, number) for said, _ in told] for number in ("one", "many"))
        return Forms(listed(ones, word), listed(many, word)), hints.pop() if len(hints) == 1 else None

    def _compared(self, part: Expression, positive: bool) -> tuple[Forms, str | None]:
        """An object's place compared with its goal."""
        pair = self._goal_pair(part)
        if pair is None:
            raise UntoldError
        name, first, second = pair
        current_first = part.constructor.name == "c_subset" and str(part.children[0].arguments[0]) == name
        if current_first and not positive:
            kind = self.words.type_noun(name, second) or "place"
            said = forms(f"<has|have> a current {kind} that is not <its|their> goal {kind}")
        elif self.words.place(name, "") is not None and not current_first:
            said = forms("<is|are> where <its|their> goal says")
            said = said if positive else denied(said)
        else:
            raise UntoldError
        return said, self.words.type_noun(name if current_first else f"{name}_g", first)

    def _linked(
        self, every: bool, role: Expression, concept: Expression, positive: bool, depth: int
    ) -> tuple[Forms, str | None]:
        """That an object has a role to some object of a concept, or to those alone."""
        if not depth:
            raise UntoldError
        exists = every != positive
        pair = self._goal_pair(role)
        if pair is not None and concept.constructor.name == ("c_bot" if every else "c_top"):
            return self._reached(role, *pair, exists)
        if pair is not None and exists and not every and role.constructor.name == "r_and":
            said, hint = self._reached(role, *pair, True)
            where = listed([clause.one for clause in self.things(concept, depth - 1).clauses], "and")
            return Forms(f"{said.one}, which {where}", f"{said.many}, which {where}"), hint
        if role.constructor.name == "r_compose":
            inner = make("c_all" if every else "c_some", role.children[1], concept)
            return self._linked(every, role.children[0], inner, positive, depth)
        name, first, second = self._ends(role)
        kind = self.words.type_noun(name, second)
        # `only C` says that there is none of the others.
        parts = list(joined(concept, not every))
        things = self._described(parts, depth - 1)
        named = self.words.possession(name) if first < second else None
        if named and things.noun not in (OBJECT, kind):
            things = Things(OBJECT, (forms(f"is {with_article(things.noun)}"), *things.clauses))
        noun = named or (kind if things.noun == OBJECT and kind else things.noun)
        text = Things(noun, things.clauses).text(many=False)
        np = with_article(text) if exists else f"no {text}"
        if text == OBJECT:
            np = "something" if exists else "nothing"
        if every and not exists and (only := self._noun_of(parts)):
            np, named = f"nothing but {plural(only)}", None
        if concept.constructor.name == "c_one_of" and exists and not every:
            np, named = str(concept.arguments[0]), None
        if self.words.arities.get(name, 2) > 2:
            raise UntoldError
        said = forms(f"<has|have> {np}") if named else self.words.to(name, first, np)
        return said, self.words.type_noun(name, first)

    def _noun_of(self, parts: Sequence[tuple[Expression, bool]]) -> str:
        """The noun that is all that is denied."""
        (part, positive), *others = parts
        name = str(part.arguments[0]) if part.constructor.name == "c_primitive" else ""
        return self.words.noun(name) if not positive and not others and self.words.is_noun(name) else ""

    def _reached(
        self, role: Expression, name: str, first: int, second: int, positive: bool
    ) -> tuple[Forms, str | None]:
        """`is at its goal cell`, `is away from its goal cell`."""
        kind = self.words.type_noun(f"{name}_g", second) or self.words.type_noun(name, second) or "place"
        away = role.constructor.name == "r_diff"
        if first:
            raise UntoldError
        near = self.words.place(name, kind)
        if away and str(role.children[0].arguments[0]) == name:
            said = forms(f"<has|have> a current {kind} that is not <its|their> goal {kind}")
        elif near is not None:
            said = forms(f"<is|are> {'away from' if away else near} <its|their> goal {kind}")
        else:
            said = forms(f"<{'lacks|lack' if away else 'has|have'}> <its|their> goal {kind} ({spaced(name)})")
        return (said if positive else denied(said)), self.words.type_noun(f"{name}_g", first)

    def _goal_pair(self, node: Expression) -> tuple[str, int, int] | None:
        """The predicate and its places, where the node joins its goal and its current version."""
        if len(node.children) != 2 or not all(
            each.constructor.name == "r_primitive" for each in node.children
        ):
            return None
        (one, *places), (two, *others) = (each.arguments for each in node.children)
        names = {str(one), str(two)}
        base = self.words.base(str(one))
        same = places == others and len(names) == 2 and base == self.words.base(str(two)) and base in names
        return (base, int(str(places[0])), int(str(places[1]))) if same else None

    def _ends(self, role: Expression) -> tuple[str, int, int]:
        """The predicate of a role and the places of its two ends."""
        if role.constructor.name == "r_inverse":
            name, first, second = self._ends(role.children[0])
            return name, second, first
        if role.constructor.name != "r_primitive" or role.arguments[1] == role.arguments[2]:
            raise UntoldError
        predicate, one, two = role.arguments
        return str(predicate), int(str(one)), int(str(two))

    def way(self, node: Expression) -> str:
        """What a distance counts."""
        start, role, goal = node.children
        ends = [with_article(self.things(each).text(many=False)) for each in (start, goal)]
        return f"steps along {spaced(self.words.base(self._ends(role)[0]))} from {ends[0]} to {ends[1]}"


def _denies(part: Expression, positive: bool) -> bool:
    """Whether the part says what an object is not, or has only or not at all."""
    return part.constructor.name != "c_subset" and positive == (part.constructor.name == "c_all")
