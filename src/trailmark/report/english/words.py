"""Words for the names of a domain: nouns for types, verbs and nouns for predicates.

What a predicate's name means is guessed from the shape of the word alone (`at`, `carrying`,
`contains`, `painted`, `origin`), never from a list of known domains. Names are put as plain words.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import inflection

from trailmark.features.syntax import Expression, Slot, subexpressions
from trailmark.relational import Symbol, Vocabulary

ParameterTypes = Mapping[str, Sequence[str]]
"""For each predicate the type of every parameter; `a/b` is either type. A goal version may have closer
types of its own."""

GOAL_SUFFIX = "_g"
OBJECT = "object"

NAMES_WITH_IS = 3
"""So many unary predicates that start with `is` show that this is the domain's way to name them."""
SHORTEST_VERB = 4
"""Letters of a verb that is found at the start of a name."""

_PREPOSITIONS = frozenset(
    {"at", "in", "on", "inside", "outside", "above", "below", "under", "over", "near", "by", "behind"}
    | {"beside", "with", "within", "upon", "aboard"}
)
_WITH_TO = frozenset({"adjacent", "connected", "linked", "attached", "close", "next"})
_WORD = re.compile(r"[a-z]+")


@dataclass(frozen=True)
class Forms:
    """A wording for one subject and for many."""

    one: str
    many: str


_AGREEING = re.compile(r"<([^|>]*)\|([^|>]*)>")


def forms(template: str, **parts: str | Forms) -> Forms:
    """A wording from a template: `<is|are>` agrees with the subject, `{name}` is filled from `parts`."""
    one = {name: part.one if isinstance(part, Forms) else part for name, part in parts.items()}
    many = {name: part.many if isinstance(part, Forms) else part for name, part in parts.items()}
    return Forms(
        _AGREEING.sub(lambda match: match.group(1), template).format(**one),
        _AGREEING.sub(lambda match: match.group(2), template).format(**many),
    )


def plural(noun: str) -> str:
    """The plural of an English noun; names that are no words stay as they are."""
    if " or " in noun:
        return " or ".join(plural(each) for each in noun.split(" or "))
    return noun if noun.endswith("`") else str(inflection.pluralize(noun))


def spaced(name: str) -> str:
    """A name of the domain as plain words."""
    return re.sub(r"[-_]+", " ", name).strip() or name


def preposition(name: str) -> str | None:
    """The place word that a name is or ends with: `at`, and `in` for `item-in`."""
    last = spaced(name).split(" ")[-1]
    return last if last in _PREPOSITIONS else None


def with_article(noun: str) -> str:
    """`a truck`, `an oven`."""
    first = noun.lstrip("`")[:1].lower()
    return f"{'an' if first and first in 'aeiou' else 'a'} {noun}"


def quoted(name: str) -> str:
    return f"`{name}`"


@dataclass(frozen=True)
class Link:
    """How a binary relation reads: `does` from its first end to its second, `done` the other way.

    Both hold the place `{np}` of the other object.
    """

    does: Forms
    done: Forms
    nearness: bool = False
    """Whether the relation is a place, so that one can be away from its goal."""
    short: bool = False
    """Whether `that is` can be dropped after a noun: `trucks carrying a package`."""
    noun: bool = False
    """Whether the predicate names what the object has, as in `origin`."""


@dataclass(frozen=True)
class Words:
    """What is known about the names in an expression."""

    vocabulary: Vocabulary | None = None
    parameter_types: ParameterTypes = field(default_factory=dict)
    arities: Mapping[str, int] = field(default_factory=dict)

    def symbol(self, name: str) -> Symbol | None:
        return self.vocabulary[name] if self.vocabulary is not None and name in self.vocabulary else None

    def base(self, name: str) -> str:
        """The predicate itself, where the name is that of its goal version."""
        symbol = self.symbol(name)
        if symbol is not None:
            return symbol.goal_of or name
        return name[: -len(GOAL_SUFFIX)] if name.endswith(GOAL_SUFFIX) else name

    def is_goal(self, name: str) -> bool:
        return self.base(name) != name

    def is_noun(self, name: str) -> bool:
        """Whether the unary predicate is a type, or stands for one in a domain without types."""
        symbol = self.symbol(name)
        if symbol is None or symbol.goal_of is not None or symbol.arity != 1:
            return False
        assert self.vocabulary is not None
        if symbol.is_type or not symbol.static:
            return symbol.is_type
        used = any(name in types for types in self.parameter_types.values())
        return used or not any(each.is_type for each in self.vocabulary.symbols)

    def noun(self, name: str) -> str:
        """A type as a noun: `bread portion`; `truck/package` is either."""
        return re.sub(r"[-_]+", " ", name).replace("/", " or ").strip() or spaced(name)

    def type_noun(self, predicate: str, position: int) -> str | None:
        """The noun for what stands at this argument of the predicate, where it says more than `object`."""
        types = self.parameter_types.get(predicate) or self.parameter_types.get(self.base(predicate), ())
        if position >= len(types) or types[position] == OBJECT:
            return None
        return self.noun(types[position])

    def is_kind_of(self, noun: str, other: str) -> bool:
        """Whether the one noun is that of a type below the other's."""
        return other in self._kinds_above.get(noun, ())

    @cached_property
    def _kinds_above(self) -> Mapping[str, Sequence[str]]:
        """By the noun of a type those of the types above it, which its entry among the types names."""
        symbols = self.vocabulary.symbols if self.vocabulary is not None else ()
        parents = {each.name: self.parameter_types.get(each.name, ()) for each in symbols if each.is_type}
        found: dict[str, list[str]] = {}
        for name in parents:
            reached, frontier = {name}, list(parents[name])
            above = found.setdefault(self.noun(name), [])
            while frontier:
                parent = frontier.pop()
                if parent not in reached:
                    reached.add(parent)
                    above.append(self.noun(parent))
                    frontier += parents.get(parent, ())
        return found

    @cached_property
    def _few_say_is(self) -> bool:
        """Whether too few names start with `is` to take that for the verb: one may be `isolated`."""
        symbols = self.vocabulary.symbols if self.vocabulary is not None else ()
        names = {self.base(each.name) for each in symbols if each.arity == 1 and not each.is_type}
        return sum(name.startswith("is") for name in names) < NAMES_WITH_IS

    def saying(self, name: str) -> Forms | None:
        """The unary predicate as a verb phrase, where its name is one run together: `panhasegg`.

        The name starts with the type it is said of, or ends with a type that is the verb's object.
        """
        base = self.base(name)
        kinds = [each.name for each in self.vocabulary.symbols if each.is_type] if self.vocabulary else []
        own = self.type_noun(name, 0)
        if own is not None and base.startswith(own) and len(base) > len(own):
            return _verb_phrase(base[len(own) :].lstrip("-_"), kinds)
        for kind in sorted(kinds, key=len, reverse=True):
            verb = base[: -len(kind)].rstrip("-_") if base.endswith(kind) else ""
            if len(verb) >= SHORTEST_VERB and re.search(r"[^siu]s$", verb) and _WORD.fullmatch(verb):
                return Forms(f"{verb} {self.noun(kind)}", f"{_infinitive(verb)} {self.noun(kind)}")
        return None

    def role_noun(self, predicate: str, position: int, source: int) -> str:
        """What an object has at the other end of a binary relation: `cell`, or `at` where that is unclear."""
        name, kind = self.base(predicate), self.type_noun(predicate, position)
        if kind is None:
            return spaced(name)
        owner = self.type_noun(predicate, source)
        rivals = [
            other
            for other, types in self.parameter_types.items()
            if self.base(other) != name
            and len(types) > 1
            and {kind, owner} <= {self.noun(each) for each in types}
        ]
        if rivals or owner == kind or self.arities.get(predicate, 2) > 2:
            return f"{spaced(name)} {kind}"
        return kind

    def adjective(self, name: str) -> str | None:
        """The unary predicate as a word to put before a noun, where its name is one."""
        if self.is_goal(name) or not _WORD.fullmatch(name) or name in _PREPOSITIONS:
            return None
        return self.state(name)

    def state(self, name: str) -> str:
        """The unary predicate after `is`: bare where the name is an adjective, else as it is.

        What is `holding` is as often held as it holds, and a static predicate is often a noun.
        """
        base, symbol = self.base(name), self.symbol(name)
        stripped = re.sub(r"^is[-_]" if self._few_say_is else r"^is[-_]?(?=...)", "", base)
        is_word = _WORD.fullmatch(stripped) and stripped not in _PREPOSITIONS and not stripped.endswith("ing")
        fluent = symbol is None or not symbol.static or symbol.goal_of is not None
        return stripped if is_word and fluent else spaced(base)

    def link(self, name: str) -> Link:
        """The binary predicate as a verb, by the shape of its name."""
        base = self.base(name)
        np = "{np}"
        is_word = _WORD.fullmatch(base) is not None
        if base in _PREPOSITIONS or base in _WITH_TO or (is_word and base.endswith("ing")):
            word = f"{base} to" if base in _WITH_TO else base
            does = forms("<is|are> {w} {np}", w=word, np=np)
            done = forms("<has|have> {np} {w} <it|them>", w=word, np=np)
            return Link(does, done, nearness=base in _PREPOSITIONS, short=True)
        if is_word and base.endswith("ed"):
            does = forms("<is|are> {w} {np}", w=base, np=np)
            return Link(does, forms("<is|are> what {np} is {w}", w=base, np=np))
        if is_word and re.search(r"[^siu]s$", base):
            does = forms("{w} {np}", w=Forms(base, _infinitive(base)), np=np)
            return Link(does, forms("<is|are> what {np} {w}", w=base, np=np))
        does = forms("<has|have> {np} as {w}", w=spaced(base), np=np)
        return Link(does, forms("<is|are> the {w} of {np}", w=spaced(base), np=np), noun=True)


def _verb_phrase(rest: str, kinds: Sequence[str]) -> Forms | None:
    """What follows the subject in a name run together: `isclean`, `hasegg`, `inoven`, `consumed`."""
    for verb, many in (("is", "are"), ("has", "have")):
        said = rest[len(verb) :].lstrip("-_")
        if rest.startswith(verb) and _WORD.fullmatch(said):
            return Forms(f"{verb} {said}", f"{many} {said}")
    for word in sorted(_PREPOSITIONS, key=len, reverse=True):
        place = rest[len(word) :].lstrip("-_")
        if rest.startswith(word) and place in kinds:
            return forms("<is|are> {w} {np}", w=word, np=with_article(place))
    return forms("<is|are> {w}", w=rest) if _WORD.fullmatch(rest) and rest.endswith("ed") else None


def _infinitive(verb: str) -> str:
    """`contains` to `contain`."""
    if verb == "has":
        return "have"
    return verb[:-3] + "y" if verb.endswith("ies") else verb[:-1]


def words_for(
    node: Expression, vocabulary: Vocabulary | None, parameter_types: ParameterTypes | None
) -> Words:
    """What is known about the names in this expression; without a vocabulary, what its use of them shows."""
    arities: dict[str, int] = {}
    if vocabulary is not None:
        arities = {symbol.name: symbol.arity for symbol in vocabulary.symbols}
    known = dict(parameter_types or {})
    for part in subexpressions([node]):
        if part.constructor.takes[:1] == (Slot.PREDICATE,):
            name = str(part.arguments[0])
            base = name[: -len(GOAL_SUFFIX)] if name.endswith(GOAL_SUFFIX) else name
            least = 1 + max((each for each in part.arguments[1:] if isinstance(each, int)), default=-1)
            if name not in arities or vocabulary is None:
                for each in (name, base, base + GOAL_SUFFIX):
                    arities[each] = max(arities.get(each, 0), least)
    for name, types in known.items():
        for each in (name, name + GOAL_SUFFIX):
            arities.setdefault(each, len(types))
    return Words(vocabulary, known, arities)
