"""A reader of PDDL problems for tests, independent of the library's own."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Sections:
    domain: str
    objects: list[str]
    init: list[tuple[str, ...]]
    goal: list[tuple[str, ...]]


def nested(text: str) -> Any:
    """PDDL text as nested lists; fails on unbalanced parentheses."""
    stack: list[list[Any]] = [[]]
    for token in re.findall(r"[()]|[^\s()]+", re.sub(r";.*", "", text)):
        if token == "(":
            stack.append([])
        elif token == ")":
            form = stack.pop()
            stack[-1].append(form)
        else:
            stack[-1].append(token)
    assert len(stack) == 1, "unbalanced parentheses"
    assert len(stack[0]) == 1, "more than one form"
    return stack[0][0]


def sections(text: str) -> Sections:
    parts = {form[0]: form[1:] for form in nested(text)[1:]}
    words = parts[":objects"]
    types = {place for place, word in enumerate(words) if word == "-"}
    objects = [word for place, word in enumerate(words) if place not in types and place - 1 not in types]
    (goal,) = parts[":goal"]
    assert goal[0] == "and"
    return Sections(
        domain=parts[":domain"][0],
        objects=objects,
        init=[tuple(atom) for atom in parts[":init"]],
        goal=[tuple(atom) for atom in goal[1:]],
    )
