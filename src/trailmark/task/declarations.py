"""The sections of a PDDL file that declare names: requirements, types, objects, predicates, functions."""

from __future__ import annotations

from collections.abc import Iterable

from trailmark.errors import shorten
from trailmark.task.formulas import (
    Scope,
    form,
    parameters,
    suggestion,
    typed_list,
    word,
)
from trailmark.task.model import (
    OBJECT_TYPE,
    Function,
    Predicate,
    Typed,
)
from trailmark.task.sexpr import Form, Sexpr, Source, Word, read_form

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

REQUIREMENTS = frozenset(
    (
        ":strips",
        ":typing",
        ":negative-preconditions",
        ":disjunctive-preconditions",
        ":equality",
        ":existential-preconditions",
        ":universal-preconditions",
        ":quantified-preconditions",
        ":conditional-effects",
        ":fluents",
        ":numeric-fluents",
        ":adl",
        ":derived-predicates",
        ":action-costs",
    )
)


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
            source.fail(section[0], f"'{shorten(section[0])}' {what}", suggestion(section[0], allowed))
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


def read_requirements(section: Form, source: Source) -> tuple[str, ...]:
    for entry in section[1:]:
        name = word(entry, source, "a requirement")
        if name not in REQUIREMENTS:
            _refuse_unsupported(name, source)
            source.fail(name, f"requirement '{shorten(name)}' is not supported")
    return tuple(str(each) for each in section[1:])


def read_types(section: Form, source: Source) -> tuple[Typed, ...]:
    entries = typed_list(section[1:], source, None, "a type")
    parents: dict[str, tuple[str, ...]] = {}
    for entry in entries:
        if entry.name != OBJECT_TYPE:
            parents[entry.name] = tuple(dict.fromkeys((*parents.get(entry.name, ()), *entry.types)))
    for entry in entries:
        for parent in entry.types:
            if parent != OBJECT_TYPE:
                parents.setdefault(parent, (OBJECT_TYPE,))
    for name in parents:
        reached, frontier = set[str](), [name]
        while frontier:
            for parent in parents.get(frontier.pop(), ()):
                if parent == name:
                    source.fail(section, f"type '{shorten(name)}' is its own supertype")
                if parent not in reached:
                    reached.add(parent)
                    frontier.append(parent)
    return tuple(Typed(name, above) for name, above in parents.items())


def read_objects(section: Form, source: Source, types: frozenset[str]) -> tuple[Typed, ...]:
    entries = typed_list(section[1:], source, types, "an object")
    seen: dict[str, Typed] = {}
    for entry in entries:
        if entry.name.startswith("?"):
            source.fail(section, f"'{shorten(entry.name)}' is a variable, not an object")
        if seen.setdefault(entry.name, entry).types != entry.types:
            source.fail(section, f"object '{shorten(entry.name)}' is declared twice with different types")
    return tuple(seen.values())


def read_predicates(section: Form, source: Source, types: frozenset[str]) -> tuple[Predicate, ...]:
    entries = [form(entry, source, "a predicate") for entry in section[1:]]
    # Some domains declare equality; it is there anyway.
    entries = [each for each in entries if not each or each[0] != "="]
    no_twins((each[0] for each in entries if each), source, "predicate")
    scope = Scope(source, types, {}, {}, {})
    return tuple(Predicate(*signature(each, scope, "a predicate")) for each in entries)


def read_functions(section: Form, source: Source, types: frozenset[str]) -> tuple[Function, ...]:
    scope = Scope(source, types, {}, {}, {})
    functions: list[Function] = []
    position, nodes = 1, section
    while position < len(nodes):
        entry = form(nodes[position], source, "a function")
        functions.append(Function(*signature(entry, scope, "a function")))
        position += 1
        if position < len(nodes) and nodes[position] == "-":
            result = nodes[position + 1] if position + 1 < len(nodes) else None
            if result != "number":
                source.fail(nodes[position], "only functions of type 'number' are supported")
            position += 2
    no_twins(
        (form(node, source, "a function")[0] for node in nodes[1:] if isinstance(node, Form)),
        source,
        "function",
    )
    return tuple(functions)


def signature(entry: Form, scope: Scope, what: str) -> tuple[str, tuple[Typed, ...]]:
    if not entry:
        scope.source.fail(entry, f"expected {what}, found '()'")
    name = word(entry[0], scope.source, f"{what}'s name")
    variables = Form(entry[1:])
    variables.offset = entry.offset
    return str(name), parameters(variables, scope)


def no_twins(names: Iterable[Sexpr], source: Source, what: str) -> None:
    seen: set[str] = set()
    for name in names:
        if isinstance(name, Word):
            if name in seen:
                source.fail(name, f"{what} '{shorten(name)}' is declared twice")
            seen.add(name)
