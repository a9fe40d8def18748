"""PDDL text as nested lists of words, each with its place in the file.

PDDL is case-insensitive, so words are lower case. The reader is iterative and limits nesting, so
that no input can exhaust the stack, here, in the recursive readers of formulas or in the engine.
"""

from __future__ import annotations

import re
from typing import NoReturn

from trailmark.errors import PddlError, Place

MAX_DEPTH = 150
"""How deep parentheses may nest; real files stay below twenty."""

MAX_WORDS = 5_000_000
"""How many words and parentheses a file may have: a hundred times the largest public problem."""

_TOKEN = re.compile(r"[()]|[^\s();]+|;[^\n]*")


class Word(str):
    """A word of the file, lower case, with its offset in the text."""

    __slots__ = ("offset",)
    offset: int


class Form(list["Sexpr"]):
    """A parenthesised list, with the offset of its opening parenthesis."""

    __slots__ = ("offset",)
    offset: int


Sexpr = Word | Form


class Source:
    """A PDDL text and its name, to report places in it."""

    def __init__(self, text: str, name: str) -> None:
        self.text = text
        self.name = name

    def place(self, offset: int) -> Place:
        line = self.text.count("\n", 0, offset) + 1
        column = offset - (self.text.rfind("\n", 0, offset) + 1) + 1
        return Place(self.name, line, column)

    def fail(self, node: Sexpr | int, message: str, hint: str | None = None) -> NoReturn:
        """Raises the error that this node is wrong."""
        offset = node if isinstance(node, int) else node.offset
        raise PddlError(message, place=self.place(offset), hint=hint)


def read_form(source: Source) -> Form:
    """The one top-level list of a PDDL file."""
    stack: list[Form] = []
    top: Form | None = None
    for number, match in enumerate(_TOKEN.finditer(source.text)):
        token = match.group()
        if token[0] == ";":
            continue
        offset = match.start()
        if number > MAX_WORDS:
            source.fail(offset, f"the file has more than {MAX_WORDS} words")
        if top is not None and not stack:
            source.fail(offset, "there is text after the end of the definition")
        if token == "(":
            form = Form()
            form.offset = offset
            if stack:
                stack[-1].append(form)
            else:
                top = form
            stack.append(form)
            if len(stack) > MAX_DEPTH:
                source.fail(offset, f"parentheses nest deeper than {MAX_DEPTH}")
        elif not stack:
            source.fail(offset, f"expected '(define ...)', found '{shorten(token)}'")
        elif token == ")":
            stack.pop()
        else:
            if not token.isprintable():
                source.fail(offset, f"'{shorten(token)}' has a control character")
            word = Word(token.lower())
            word.offset = offset
            stack[-1].append(word)
    if top is None:
        source.fail(0, "expected '(define ...)', found nothing")
    if stack:
        source.fail(stack[-1].offset, "this parenthesis is never closed")
    return top


def shorten(text: str, limit: int = 40) -> str:
    """The text, cut where it would make an error unreadable."""
    printable = "".join(each if each.isprintable() else "?" for each in text[: limit + 1])
    return printable if len(text) <= limit else printable[:limit] + "..."
