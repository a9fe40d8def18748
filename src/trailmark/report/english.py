"""Words for the names of a domain: nouns for types, verbs and nouns for predicates.

What a predicate's name means is guessed from the shape of the word alone (`at`, `carrying`,
`contains`, `painted`, `origin`), never from a list of known domains. Names are put as plain words.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property

from pluralizer import Pluralizer

from trailmark.relational import Symbol, Vocabulary

_AGREEING = re.compile(r"<([^|>]*)\|([^|>]*)>")


@dataclass(frozen=True)
class Forms:
    """A wording for one subject and for many."""

    one: str
    many: str


def forms(template: str) -> Forms:
    """A wording from a template: `<is|are>` agrees with the subject."""
    return Forms(*(_AGREEING.sub(rf"\{number}", template) for number in (1, 2)))


def denied(verbal: Forms) -> Forms:
    """`is not empty` for `is empty`."""
    for plain, negated in (("(is|are)", r"\1 not"), ("can", "cannot"), ("(has|have) an?", r"\1 no")):
        if re.match(f"{plain} ", verbal.one):
            return Forms(*(re.sub(f"^{plain} ", f"{negated} ", form) for form in (verbal.one, verbal.many)))
    return Forms(f"does not {verbal.many}", f"do not {verbal.many}")


_plurals = cache(Pluralizer)


def plural(noun: str) -> str:
    """The plural of an English noun."""
    return " or ".join(str(_plurals().pluralize(word)) for word in noun.split(" or "))


def spaced(name: str) -> str:
    """A name as plain words."""
    return re.sub(r"[-_]+", " ", name).replace("/", " or ").strip() or name


def listed(parts: Sequence[str], word: str) -> str:
    """`a`, `a and b`, `a, b and c`."""
    before = [", ".join(parts[:-1])] if parts[1:] else []
    return f" {word} ".join([*before, *parts[-1:]])


def possessive(noun: str) -> str:
    return noun + ("'" if noun.endswith("s") else "'s")


def with_article(noun: str) -> str:
    """`a truck`, `an oven`."""
    return f"{'an' if noun[:1].lower() in ('a', 'e', 'i', 'o', 'u') else 'a'} {noun}"


def quoted(name: str) -> str:
    return f"`{name}`"


ParameterTypes = Mapping[str, Sequence[str]]
"""For each predicate, and where they are closer for its goal version, the types of parameters, as `a/b`."""

GOAL_SUFFIX = "_g"
OBJECT = "object"
NAMES_WITH_IS = 3
"""So many unary predicates that start with `is` show that this is the domain's way to name them."""
LONG = 5
"""A noun phrase of so many words is told after `of`, and not as a possessive."""

_PREPOSITIONS = frozenset(
    {"at", "in", "on", "inside", "outside", "above", "below", "under", "over", "near", "by", "behind"}
    | {"beside", "with", "within", "upon", "aboard", "of", "from", "to", "for"}
)
_WITH_TO = frozenset({"adjacent", "connected", "linked", "attached", "close", "next"})
_RESTING = frozenset(
    {"lying", "standing", "sitting", "hanging", "waiting", "staying", "resting", "parking", "pointing"}
)
"""What somebody does at a place, and not to it."""
_VERBS = frozenset({"needs", "wants", "requires", "can", "has"})
"""What begins a property in two words: `needs-repair`."""


@dataclass(frozen=True)
class DomainWords:
    """What is known about the names of a domain."""

    vocabulary: Vocabulary | None = None
    parameter_types: ParameterTypes = field(default_factory=dict)

    @cached_property
    def _symbols(self) -> Sequence[Symbol]:
        return self.vocabulary.symbols if self.vocabulary is not None else ()

    def symbol(self, name: str) -> Symbol | None:
        return self.vocabulary[name] if self.vocabulary is not None and name in self.vocabulary else None

    def arity(self, name: str) -> int:
        """How many arguments a predicate has; 1 where nothing tells it."""
        symbol, types = self.symbol(name), self.parameter_types.get(self.base(name))
        return symbol.arity if symbol is not None else 1 if types is None else len(types)

    def base(self, name: str) -> str:
        """The predicate itself, where the name is that of its goal version."""
        symbol = self.symbol(name)
        return (symbol.goal_of if symbol is not None else name.removesuffix(GOAL_SUFFIX)) or name

    def is_goal(self, name: str) -> bool:
        return self.base(name) != name

    def is_noun(self, name: str) -> bool:
        """Whether the unary predicate is a type, or stands for one in a domain without types."""
        symbol = self.symbol(name)
        if symbol is None or symbol.goal_of is not None or symbol.arity != 1:
            return False
        is_named = self.is_kind(name) or any(name in types for types in self.parameter_types.values())
        return symbol.is_type or (symbol.static and is_named)

    def is_kind(self, name: str) -> bool:
        """Whether the unary predicate stands for a type in a domain without types."""
        symbol = self.symbol(name)
        is_fixed = symbol is not None and symbol.static and symbol.arity == 1 and symbol.goal_of is None
        return is_fixed and not any(known.is_type for known in self._symbols)

    def noun(self, name: str) -> str:
        """A type, or a property that stands for one, as a noun; without a name it is any thing."""
        symbol = self.symbol(name)
        return spaced(name if symbol is None or symbol.is_type else self._bare(name)) or "thing"

    def type_noun(self, predicate: str, position: int) -> str | None:
        """The noun for what stands at this argument of the predicate, where it says more than `object`."""
        types = self.parameter_types.get(predicate) or self.parameter_types.get(self.base(predicate), ())
        if not 0 <= position < len(types) or types[position] == OBJECT:
            return None
        return self.noun(types[position])

    @cached_property
    def _says_is(self) -> bool:
        """Whether enough names start with `is` to take that for the verb: one alone may be `isolated`."""
        names = {self.base(known.name) for known in self._symbols if known.arity == 1 and not known.is_type}
        return sum(name.startswith("is") for name in names) >= NAMES_WITH_IS

    def _bare(self, name: str) -> str:
        """The name of a property without `is`."""
        return re.sub("^is[-_]?(?=...)" if self._says_is else "^is[-_]", "", self.base(name))

    def property(self, name: str) -> str:
        """What a unary predicate says, after `is`: `clean` for `panisclean` and `is-clean`."""
        return re.sub("^(is|has) ", "", self._unary(name).one)

    def _unary(self, name: str) -> Forms:
        """A unary predicate as a verb phrase. Its name may be one run together, as `panhasegg`: it starts
        with the type it is said of, or ends with a type that is the verb's object."""
        own = self.type_noun(name, 0) or OBJECT
        kinds = "|".join(sorted((symbol.name for symbol in self._symbols if symbol.is_type), key=len)[::-1])
        for pattern, template in _RUN_TOGETHER:
            found = re.fullmatch(pattern.format(own=own, kinds=kinds or OBJECT), self.base(name))
            if found:
                return forms(template(*found.groups()))
        said = spaced(self._bare(name))
        if self.is_kind(name):
            return forms(f"<is {with_article(said)}|are {plural(said)}>")
        verb, _, rest = said.partition(" ")
        if rest and verb in _VERBS:
            return forms(f"<{verb}|{verb if verb == 'can' else _infinitive(verb)}> {rest}")
        if rest:
            return forms(f'<{"has|have" if said.split()[0] in _PREPOSITIONS else "is|are"}> "{said}"')
        return forms(f"<is|are> {said}")

    def said(self, name: str, place: int) -> Forms:
        """That an object stands at this place of a predicate, for something or another."""
        arity = max(self.arity(name), place + 1)
        if arity > 2:
            return forms(f"<is|are> argument {place + 1} of {spaced(self.base(name))}")
        if arity == 2:
            named, kind = self.possession(name), self.type_noun(name, 1 - place)
            if named and not place:
                return forms(f"<has|have> {with_article(named)}")
            return self.to(name, place, with_article(kind) if kind else "something")
        if self.is_goal(name):
            return forms(f"<has|have> the goal to {re.sub('^are ', 'be ', self._unary(name).many)}")
        # What is `holding` is as often held as it holds.
        held = self.base(name).endswith("ing")
        return forms(f'<has|have> "{spaced(self.base(name))}"') if held else self._unary(name)

    def to(self, name: str, place: int, np: str) -> Forms:
        """That an object has a binary relation to another one: `is at the cell`, `has a truck at it`."""
        word, verb, noun = self._shape(name, self.type_noun(name, 1) or "")
        if word:
            return forms(f"<has|have> {np} {word} <it|them>" if place else f"<is|are> {word} {np}")
        if verb:
            return forms(f"<is|are> what {np} {forms(verb).one}" if place else f"{verb} {np}")
        return forms(f"<is|are> the {noun} of {np}" if place else f"<has|have> {np} as {noun}")

    def possession(self, name: str) -> str | None:
        """What an object has by a binary relation, where its name is a noun or it is a goal: `goal cell`."""
        kind = self.type_noun(name, 1)
        word, verb, noun = self._shape(name, kind or "")
        if word or verb:
            return None
        return f"{noun} {kind}" if kind and not noun.endswith(kind) else noun

    def _shape(self, name: str, kind: str) -> tuple[str, str, str]:
        """A binary predicate by the shape of its name: the word after `is` where it is a place or ends with
        `ing`, or else the verb in both numbers, where it is one, and its name as a noun."""
        base = spaced(self._verb(name))
        first, *rest = base.split(" ")
        if self.is_goal(name):
            return "", "", f"goal {kind}" if kind else f"goal for {base}"
        going_on = base + " at" * (base in _RESTING) if first.endswith("ing") else ""
        if word := self.place(name, kind) or going_on:
            return word, "", base
        rest = [] if " ".join(rest) == self.type_noun(name, 1) else rest
        more = " ".join(["", *rest, *(["for"] if rest and rest[-1] not in _PREPOSITIONS else [])])
        if first in ("has", "have") and rest:
            return "", f"<has|have>{more}", base
        if first == "can" and rest:
            return "", f"can {' '.join(rest)}", base
        if re.fullmatch("[a-z]+ed", first):
            return "", f"<is|are> {first}{more or ' with'}", base
        is_verb = re.fullmatch("[a-z]*[^siu]s", first)
        return "", f"<{first}|{_infinitive(first)}>{more}" if is_verb else "", base

    def _verb(self, name: str) -> str:
        """A name without the type it is said of: `has` for `robot-has`."""
        base = self.base(name)
        own = (self.parameter_types.get(base) or ("",))[0]
        return base[len(own) + 1 :] if own and re.match(f"{re.escape(own)}[-_].", base) else base

    def place(self, name: str, kind: str) -> str | None:
        """The place word of a binary predicate: `at`, `in` for `item-in`, `on board` and `visible from`."""
        base = spaced(self.base(name))
        first, *rest = base.split(" ")
        kinds = {kind, *(spaced(type_name) for type_name in self.parameter_types.get(self.base(name), ()))}
        if first in _PREPOSITIONS:
            return first if not rest or " ".join(rest) in kinds else base
        if rest and rest[-1] in _PREPOSITIONS:
            if " ".join([first, *rest[:-1]]) in kinds:
                return rest[-1]
            return None if re.fullmatch("[a-z]*[^siu]s", first) else base
        word = first.removesuffix(kind) if kind and not rest else ""
        return word if word in _PREPOSITIONS else f"{base} to" if base in _WITH_TO else None

    def sharing(self, name: str) -> str:
        """What two objects have in common by a binary relation: `in the same city`, `with the same shape`."""
        kind = self.type_noun(name, 1) or "thing"
        word, _, noun = self._shape(name, kind)
        return f"{word} the same {kind}" if word else f"with the same {noun}"

    def related(self, name: str, forward: bool, kind: str, anchor: str, rival: str = "") -> str:
        """An object by a relation to another: `the cell the package is at`, `the tool that does the job`."""
        word, verb, noun = self._shape(name, kind if forward else self.type_noun(name, 1) or "")
        if word:
            that = " that is" if " " in word else ""
            return f"the {kind} {anchor} is {word}" if forward else f"the {kind}{that} {word} {anchor}"
        if verb:
            said = forms(verb).one
            return f"the {kind} {anchor} {said}" if forward else f"the {kind} that {said} {anchor}"
        noun += f" or {spaced(self._verb(rival))}" if rival else ""
        if self.type_noun(name, 0) == self.type_noun(name, 1):
            ends = f"from {anchor} to it" if forward else f"from it to {anchor}"
            return f'the {kind} with "{noun}" {ends}'
        if not forward:
            return f"the {kind} whose {noun} is {anchor}"
        named = noun if noun.endswith(kind) else f"{noun} {kind}"
        return f"{possessive(anchor)} {named}" if len(anchor.split()) < LONG else f"the {named} of {anchor}"


def _infinitive(verb: str) -> str:
    """`contains` to `contain`."""
    return "have" if verb == "has" else re.sub("(?<=..)ie$", "y", re.sub("(sh|ch|ss|x)e$", r"\1", verb[:-1]))


_RUN_TOGETHER: Sequence[tuple[str, Callable[..., str]]] = (
    ("{own}[-_]?is[-_]?([a-z]+)", lambda said: f"<is|are> {said}"),
    ("{own}[-_]?has[-_]?([a-z]+)", lambda said: f"<has|have> {said}"),
    (
        f"{{own}}[-_]?({'|'.join(sorted(_PREPOSITIONS, key=len)[::-1])})[-_]?({{kinds}})",
        lambda word, kind: f"<is|are> {word} {with_article(kind)}",
    ),
    ("{own}[-_]?([a-z]+ed)", lambda said: f"<is|are> {said}"),
    (
        "([a-z]{{2,}}[^-_siu]s)[-_]?({kinds})",
        lambda verb, kind: f"<{verb}|{_infinitive(verb)}> {spaced(kind)}",
    ),
)
"""Names without blanks, and how they read."""
