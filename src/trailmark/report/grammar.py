"""The small grammar of phrases: a noun with clauses, and sentences about whether there is such a thing.

What takes more than a noun with a few clauses is shown as its formula.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from trailmark.features.syntax import Expression, Kind
from trailmark.features.syntax import expression as make
from trailmark.report.english import (
    OBJECT,
    DomainWords,
    Forms,
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

Parts = Sequence[tuple[Expression, bool]]
"""Concepts that are joined by a word, each with whether it holds."""
Clause = tuple[Forms, str | None]
"""What a part says of an object, and the type of the objects it can be said of."""


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
        if len(said) == 1 and said[0].startswith(("has ", "have ")):
            return f"{noun} with {said[0].partition(' ')[2]}"
        return f"{noun} that {listed(said, 'and')}" if said else noun

    def amount(self, amount: str, *, many: bool) -> str:
        """`fewer trucks are empty`."""
        noun = plural(self.noun) if many else self.noun
        said = [clause.many if many else clause.one for clause in self.clauses or (forms("<is|are> there"),)]
        return f"{amount} {noun} {listed(said, 'and')}"


@dataclass(frozen=True)
class Grammar:
    words: DomainWords

    def counted(self, node: Expression) -> Things:
        """What a count counts: objects, or for a role those that have it, where each has it to one alone."""
        if node.constructor.name != "n_count" or node.complexity > LONGEST:
            raise UntoldError
        counted = node.children[0]
        pair = None if counted.kind is Kind.CONCEPT else self._goal_pair(counted)
        if counted.kind is not Kind.CONCEPT and (pair is None or self.words.place(pair[0], "") is None):
            raise UntoldError
        return self._described(list(joined(_having(counted), True)), DEEPEST)

    def sentence(self, node: Expression, positive: bool) -> str:
        """Whether a feature is above zero: `some truck is empty`, `no truck is empty`, `every truck is
        empty`."""
        name = node.constructor.name
        if name == "b_nullary":
            return f"{spaced(str(node.arguments[0]))} {'holds' if positive else 'does not hold'}"
        if name not in ("b_empty", "b_nonempty", "n_count") or node.complexity > LONGEST:
            raise UntoldError
        parts, exists = list(joined(_having(node.children[0]), True)), positive == (name != "b_empty")
        denying = [part for part in parts if _denies(*part)]
        if not exists and denying and not self._lacking(parts):
            rest = self._described([part for part in parts if part not in denying], DEEPEST)
            said = [self._clause(part, not positive, DEEPEST)[0].one for part, positive in denying]
            return f"every {rest.text(many=False)} {listed(said, 'or')}"
        return self._described(parts, DEEPEST, strict=True).amount("some" if exists else "no", many=False)

    def _described(self, parts: Parts, depth: int, *, strict: bool = False) -> Things:
        """A conjunction of concepts. What an object is not tells its type only where others do not matter,
        as they never change."""
        noun, clauses, hints = "", list[Forms](), list[str | None]()
        lacking = self._lacking(parts)
        for part, positive in parts:
            name = str(part.arguments[0]) if part.constructor.name == "c_primitive" else ""
            if part.constructor.name == ("c_top" if positive else "c_bot"):
                continue
            if self.words.base(name) in lacking:
                if positive:
                    clauses.append(forms(f"<is|are> still to be {self.words.property(name)}"))
                    hints.append(self.words.type_noun(name, 0))
            elif positive and not noun and name and self.words.is_noun(name):
                noun = self.words.noun(name)
            else:
                clause, hint = self._clause(part, positive, depth)
                clauses.append(clause)
                hints += [] if strict and _denies(part, positive) else [hint]
        return Things(noun or next(filter(None, hints), OBJECT), tuple(clauses))

    def _lacking(self, parts: Parts) -> set[str]:
        """Properties that an object lacks and is to have."""
        names = [
            (str(part.arguments[0]), positive)
            for part, positive in parts
            if part.constructor.name == "c_primitive" and self.words.arity(str(part.arguments[0])) == 1
        ]
        wanted = {self.words.base(name) for name, positive in names if positive and self.words.is_goal(name)}
        return wanted & {name for name, positive in names if not positive}

    def _clause(self, part: Expression, positive: bool, depth: int) -> Clause:
        """What a part of a conjunction says of an object."""
        name = part.constructor.name
        for word in ("or", "and"):
            if len(parts := list(joined(part, positive, word))) > 1:
                return self._joined(parts, word, depth)
        kind = None
        if name in ("c_equal", "c_subset"):
            return self._compared(part, positive)
        if name in ("c_some", "c_all"):
            role, concept = part.children
            return self._linked(name == "c_all", role, concept, positive, depth)
        if name == "c_one_of":
            said = forms(f"<is|are> {part.arguments[0]}")
        elif name == "c_primitive":
            predicate, place = str(part.arguments[0]), int(str(part.arguments[1]))
            kind, noun = self.words.type_noun(predicate, place), self.words.noun(predicate)
            is_noun = self.words.is_noun(predicate)
            is_kind = forms(f"<is {with_article(noun)}|are {plural(noun)}>")
            said = is_kind if is_noun else self.words.said(predicate, place)
        else:
            raise UntoldError
        return (said if positive else denied(said)), kind

    def _joined(self, parts: Parts, word: str, depth: int) -> Clause:
        told = [self._clause(*part, depth) for part in parts]
        hints = {hint for _, hint in told}
        ones, many = ([getattr(said, number) for said, _ in told] for number in ("one", "many"))
        return Forms(listed(ones, word), listed(many, word)), hints.pop() if len(hints) == 1 else None

    def _compared(self, part: Expression, positive: bool) -> Clause:
        """An object's place compared with its goal, as what is in one and not in the other."""
        pair, (first, second) = self._goal_pair(part), part.children
        if pair is None:
            raise UntoldError
        if part.constructor.name == "c_equal" and str(first.arguments[0]) == pair[0]:
            first, second = second, first
        return self._reached(make("r_diff", first, second), *pair, not positive)

    def _linked(
        self, every: bool, role: Expression, concept: Expression, positive: bool, depth: int
    ) -> Clause:
        """That an object has a role to some object of a concept, or to those alone."""
        if not depth:
            raise UntoldError
        exists = every != positive
        pair = self._goal_pair(role)
        if pair is not None and concept.constructor.name == ("c_bot" if every else "c_top"):
            return self._reached(role, *pair, exists)
        if pair is not None and exists and not every and role.constructor.name == "r_and":
            said, hint = self._reached(role, *pair, True)
            clauses = self._described(list(joined(concept, True)), depth - 1).clauses
            where = listed([clause.one for clause in clauses], "and")
            return Forms(f"{said.one}, which {where}", f"{said.many}, which {where}"), hint
        name, first, second = self._ends(role)
        kind = self.words.type_noun(name, second)
        # `only C` says that there is none of the others.
        parts = list(joined(concept, not every))
        things = self._described(parts, depth - 1)
        named = self.words.possession(name) if first < second and things.noun in (OBJECT, kind) else None
        noun = named or (kind if things.noun == OBJECT and kind else things.noun)
        text = Things(noun, things.clauses).text(many=False)
        np = with_article(text) if exists else f"no {text}"
        if every and not exists and (only := self._noun_of(parts)):
            np, named = f"nothing but {plural(only)}", None
        if self.words.arity(name) > 2:
            raise UntoldError
        said = forms(f"<has|have> {np}") if named else self.words.to(name, first, np)
        return said, self.words.type_noun(name, first)

    def _noun_of(self, parts: Parts) -> str:
        """The noun that is all that is denied."""
        (part, positive), *others = parts
        name = str(part.arguments[0]) if part.constructor.name == "c_primitive" else ""
        return self.words.noun(name) if not positive and not others and self.words.is_noun(name) else ""

    def _reached(self, role: Expression, name: str, first: int, second: int, positive: bool) -> Clause:
        """`is at its goal cell`, `is away from its goal cell`."""
        goal = f"{name}_g"
        kind = self.words.type_noun(goal, second) or self.words.type_noun(name, second) or "place"
        if first:
            raise UntoldError
        near = self.words.place(name, kind)
        away = (role.constructor.name == "r_diff") == positive
        if role.constructor.name == "r_diff" and str(role.children[0].arguments[0]) == name:
            said = forms(f"<has|have> a current {kind} that is not <its|their> goal {kind}")
            return said if positive else denied(said), self.words.type_noun(name, first)
        if near is not None:
            said = forms(f"<is|are> {'away from' if away else near} <its|their> goal {kind}")
        else:
            said = forms(f"<{'lacks|lack' if away else 'has|have'}> <its|their> goal {kind} ({spaced(name)})")
        return said, self.words.type_noun(goal, first)

    def _goal_pair(self, node: Expression) -> tuple[str, int, int] | None:
        """The predicate and its places, where the node joins its goal and its current version."""
        if [child.constructor.name for child in node.children] != ["r_primitive"] * 2:
            return None
        (one, *places), (two, *others) = (child.arguments for child in node.children)
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


def joined(node: Expression, positive: bool, word: str = "and") -> Iterator[tuple[Expression, bool]]:
    """The parts that are joined by the word, negations moved to them."""
    name, signs = node.constructor.name, (positive, positive)
    parts = node.children
    if name in ("c_some", "c_all") and parts[0].constructor.name == "r_identity":
        signs = (positive == (name == "c_some"), positive)
        name, parts = "c_and" if name == "c_some" else "c_or", (parts[0].children[0], parts[1])
    if name == "c_not":
        yield from joined(parts[0], not positive, word)
    elif name in ("c_and", "c_or") and ((name == "c_and") == positive) == (word == "and"):
        for part, sign in zip(parts, signs, strict=True):
            yield from joined(part, sign, word)
    else:
        yield node, positive


def _having(counted: Expression) -> Expression:
    """The objects of a concept, or those that have a role."""
    return counted if counted.kind is Kind.CONCEPT else make("c_some", counted, make("c_top"))


def _denies(part: Expression, positive: bool) -> bool:
    """Whether the part says what an object is not, or has only or not at all."""
    return part.constructor.name != "c_subset" and positive == (part.constructor.name == "c_all")
