"""PDDL text as nested lists of words, each with its place in the file; and the sections of a file.

PDDL is case-insensitive, so words are lower case. The reader is iterative and limits nesting, so
that no input can exhaust the stack, here, in the recursive readers of formulas or in the engine.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NoReturn

from trailmark.errors import PddlError, Place, shorten, similar

MAX_DEPTH = 150
"""How deep parentheses may nest; real files stay below twenty."""

MAX_WORDS = 5_000_000
"""How many words and parentheses a file may have: a hundred times the largest public problem."""

_TOKEN = re.compile(r"\([^();]*\)|[()]|[^\s();]+|;[^\n]*")
"""A list without lists inside comes as a whole: large files are little else."""
_FACTS = re.compile(r"(?:\([^();]*\)\s*)+")
"""Such lists one after the other, as an initial state has them."""
_WORD = re.compile(r"\S+")


class Word(str):
    """A word of the file, lower case, with its offset in the text."""

    __slots__ = ("offset",)
    offset: int


class Form(list["Sexpr"]):
    """A parenthesised list, with the offset of its opening parenthesis."""

    __slots__ = ("offset",)
    offset: int


Sexpr = Word | Form


class Facts(Form):
    """Lists of words of an initial state, one after the other; they are read one by one only where something
    is wrong with one of them."""

    __slots__ = ("end",)
    end: int

    def size(self, source: Source) -> int:
        """How many words and lists they have; for few an estimate that is too high will do."""
        size = sum(source.text.count(gap, self.offset, self.end) for gap in "( \n\t\r")
        return size if size < MAX_WORDS // 2 else sum(len(words) + 1 for words in self.words(source))

    def words(self, source: Source) -> list[tuple[str, ...]]:
        """The words of each list."""
        lists = source.text[self.offset : self.end].lower().replace(")", " ").split("(")
        return [tuple(words.split()) for words in lists[1:]]

    def read(self, source: Source) -> Iterator[Form]:
        """The lists with the place of every word."""
        for match in _TOKEN.finditer(source.text, self.offset, self.end):
            yield _flat(source, match.start(), match.group())


class Source:
    """A PDDL text and its name, to report places in it."""

    def __init__(self, text: str, name: str) -> None:
        self.text = text
        self.name = name

    def fail(self, node: Sexpr | int, message: str, hint: str | None = None) -> NoReturn:
        """Raises the error that this node is wrong."""
        offset = node if isinstance(node, int) else node.offset
        raise PddlError(message, place=Place.within(self.text, offset, self.name), hint=hint)


def read_form(source: Source) -> Form:
    """The one top-level list of a PDDL file."""
    stack: list[Form] = []
    top: Form | None = None
    count = end = 0
    while (match := _TOKEN.search(source.text, end)) is not None:
        token, offset, end = match.group(), match.start(), match.end()
        if token[0] == ";":
            continue
        count += 1
        if top is not None and not stack:
            source.fail(offset, "there is text after the end of the definition")
        if len(token) > 1 and token[0] == "(":
            if not stack:
                top = _flat(source, offset, token)
            elif stack[-1] and stack[-1][0] == ":init":
                facts = _facts(source, offset)
                end = facts.end
                stack[-1].append(facts)
                count += facts.size(source)
            else:
                stack[-1].append(_flat(source, offset, token))
                count += len(stack[-1][-1])
        elif token == "(":
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
            stack[-1].append(_word(source, offset, token))
        if count > MAX_WORDS:
            source.fail(offset, f"the file has more than {MAX_WORDS} words")
    if top is None:
        source.fail(0, "expected '(define ...)', found nothing")
    if stack:
        source.fail(stack[-1].offset, "this parenthesis is never closed")
    return top


def _facts(source: Source, offset: int) -> Facts:
    """The lists that begin there."""
    match = _FACTS.match(source.text, offset)
    assert match is not None  # one was found there
    facts = Facts()
    facts.offset, facts.end = offset, match.end()
    return facts


def _flat(source: Source, offset: int, text: str) -> Form:
    """The list of words that stands there in parentheses."""
    form = Form(
        [_word(source, offset + 1 + match.start(), match.group()) for match in _WORD.finditer(text[1:-1])]
    )
    form.offset = offset
    return form


def _word(source: Source, offset: int, token: str) -> Word:
    if not token.isprintable():
        source.fail(offset, f"'{shorten(token)}' has a control character")
    word = Word(token.lower())
    word.offset = offset
    return word


def word(node: Sexpr, source: Source, what: str) -> Word:
    if isinstance(node, Form):
        source.fail(node, f"expected {what}, found a parenthesis")
    return node


def form(node: Sexpr, source: Source, what: str) -> Form:
    if isinstance(node, Word):
        source.fail(node, f"expected {what} in parentheses, found '{shorten(node)}'")
    return node


UNSUPPORTED = {
    ":durative-action": "durative actions",
    ":duration-inequalitie": "durative actions",
    ":continuous-effect": "continuous effects",
    ":timed-initial-literal": "timed initial literals",
    ":timed-initial-fluent": "timed initial fluents",
    ":preference": "preferences",
    ":constraint": "constraints on trajectories",
    ":time": "processes and events",
    ":proces": "processes",
    ":event": "events",
    ":object-fluent": "object fluents",
}
"""Parts of PDDL that Trailmark does not plan with, by requirement or section, without a plural's s."""

REQUIREMENTS = frozenset((
    ":strips", ":typing", ":negative-preconditions", ":disjunctive-preconditions", ":equality", ":adl",
    ":existential-preconditions", ":universal-preconditions", ":quantified-preconditions", ":fluents",
    ":conditional-effects", ":numeric-fluents", ":derived-predicates", ":action-costs",
))  # fmt: skip


def definition(source: Source, kind: str, allowed: frozenset[str]) -> tuple[str, list[Form]]:
    """The name and the sections of `(define (kind name) sections…)`."""
    if source.text.lstrip().startswith("{"):
        source.fail(
            0,
            f"expected a {kind}, this file is JSON, as a model is",
            "the model comes first, then the domain and the problem",
        )
    top = read_form(source)
    if len(top) < 2 or top[0] != "define":
        source.fail(top, f"expected '(define ({kind} NAME) ...)'")
    header = form(top[1], source, f"({kind} NAME)")
    if header and header[0] in ("domain", "problem") and header[0] != kind:
        source.fail(header, f"expected a {kind}, this file is a {header[0]}")
    if len(header) != 2 or header[0] != kind or isinstance(header[1], Form):
        source.fail(header, f"expected '({kind} NAME)'")
    sections = []
    for node in top[2:]:
        section = form(node, source, "a section such as (:init ...)")
        if not section or isinstance(section[0], Form):
            source.fail(section, "expected a section such as (:init ...)")
        if section[0] not in allowed:
            _refuse_unsupported(section[0], source)
            what = "is not supported" if section[0].startswith(":") else "is not a section"
            source.fail(section[0], f"'{shorten(section[0])}' {what}", similar(section[0], allowed))
        sections.append(section)
    return str(header[1]), sections


def _refuse_unsupported(name: Word, source: Source) -> None:
    """Names the part of PDDL that there is none of here, where one is known."""
    part = UNSUPPORTED.get(name.removesuffix("s"))
    if part is not None:
        source.fail(
            name,
            f"{part} are not supported ('{shorten(name)}')",
            "Trailmark plans without time, preferences and constraints on trajectories",
        )


def one(sections: list[Form], name: str, source: Source) -> Form:
    """The section of this name; an empty one where there is none."""
    found = [section for section in sections if section[0] == name]
    if len(found) > 1:
        source.fail(found[1], f"section '{name}' appears twice")
    return found[0] if found else Form()


def check_requirements(section: Form, source: Source) -> None:
    for entry in section[1:]:
        name = word(entry, source, "a requirement")
        if name not in REQUIREMENTS:
            _refuse_unsupported(name, source)
            source.fail(name, f"requirement '{shorten(name)}' is not supported")
