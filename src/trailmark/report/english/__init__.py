"""Features and names of a domain in English. Here is what knows no domain: numbers, lists, articles."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from pluralizer import Pluralizer

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
    if verbal.one.startswith("is "):
        return Forms(f"is not {verbal.one[3:]}", f"are not {verbal.many[4:]}")
    if verbal.one.startswith("can "):
        return Forms(*(f"cannot {form[4:]}" for form in (verbal.one, verbal.many)))
    none = [re.sub("^(has|have) an? ", r"\1 no ", form) for form in (verbal.one, verbal.many)]
    if none[0] != verbal.one:
        return Forms(*none)
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
    if len(parts) <= 2:
        return f" {word} ".join(parts)
    return f"{', '.join(parts[:-1])} {word} {parts[-1]}"


def possessive(noun: str) -> str:
    return noun + ("'" if noun.endswith("s") else "'s")


def with_article(noun: str) -> str:
    """`a truck`, `an oven`."""
    return f"{'an' if noun[:1].lower() in ('a', 'e', 'i', 'o', 'u') else 'a'} {noun}"


def quoted(name: str) -> str:
    return f"`{name}`"
