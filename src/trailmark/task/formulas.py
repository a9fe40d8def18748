"""Declarations, conditions, effects and numeric expressions of PDDL, read into the task model."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from math import isinf

from trailmark.errors import shorten, similar
from trailmark.task import model as pddl
from trailmark.task.sexpr import Form, Sexpr, Source, Word, form, word

_NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?")
COMPARATORS = frozenset(("<", "<=", "=", ">=", ">"))
OPERATORS = frozenset(("+", "-", "*", "/"))
ASSIGNMENTS = frozenset(("assign", "increase", "decrease", "scale-up", "scale-down"))
UNSUPPORTED_CONDITIONS = frozenset(
    ("preference", "at-start", "at-end", "over", "always", "sometime", "within", "at-most-once")
)


@dataclass(frozen=True)
class Scope:
    """What names stand for while a formula is read."""

    source: Source
    types: frozenset[str]
    predicates: Mapping[str, pddl.Signature]
    functions: Mapping[str, pddl.Signature]
    objects: Mapping[str, tuple[str, ...]]
    variables: frozenset[str] = frozenset()
    derived: frozenset[str] = frozenset()
    """The predicates that no action may change."""

    def with_variables(self, parameters: tuple[pddl.Typed, ...]) -> Scope:
        return replace(self, variables=self.variables | {parameter.name for parameter in parameters})


def number(node: Sexpr, source: Source, what: str = "a number") -> float:
    name = word(node, source, what)
    if not _NUMBER.fullmatch(name) or isinf(float(name)):
        source.fail(name, f"expected {what}, found '{shorten(name)}'")
    return float(name)


def typed_list(
    nodes: list[Sexpr], source: Source, types: frozenset[str] | None, what: str
) -> tuple[pddl.Typed, ...]:
    """Names with types, as in `a b - t c - (either u v)`; None for `types` accepts every type."""
    entries: list[pddl.Typed] = []
    waiting: list[Word] = []
    following = iter(nodes)
    for node in following:
        if isinstance(node, Word) and node == "-":
            kind = next(following, None)
            if kind is None:
                source.fail(node, "expected a type after '-'")
            if not waiting:
                source.fail(node, f"expected {what} before '-'")
            names = _type_names(kind, source, types)
            entries.extend(pddl.Typed(str(name), names) for name in waiting)
            waiting = []
        else:
            waiting.append(word(node, source, what))
    entries.extend(pddl.Typed(str(name)) for name in waiting)
    return tuple(entries)


def _type_names(node: Sexpr, source: Source, types: frozenset[str] | None) -> tuple[str, ...]:
    if isinstance(node, Form):
        if len(node) < 2 or node[0] != "either":
            source.fail(node, "expected a type or '(either ...)'")
        names = [word(child, source, "a type") for child in node[1:]]
    else:
        names = [node]
    for name in names:
        if types is not None and name not in types and name != pddl.OBJECT_TYPE:
            source.fail(name, f"unknown type '{shorten(name)}'", similar(name, types))
    return tuple(map(str, names))


def parameters(node: Sexpr, scope: Scope) -> tuple[pddl.Typed, ...]:
    """A list of typed variables."""
    entries = form(node, scope.source, "a list of variables")
    found = typed_list(list(entries), scope.source, scope.types, "a variable")
    for place, entry in enumerate(found):
        if not entry.name.startswith("?") or entry.name == "?":
            scope.source.fail(entries, f"expected a variable such as ?x, found '{shorten(entry.name)}'")
        if any(entry.name == earlier.name for earlier in found[:place]):
            scope.source.fail(entries, f"variable '{entry.name}' is declared twice")
    return found


def term(node: Sexpr, scope: Scope) -> str:
    name = word(node, scope.source, "a variable or an object")
    if name.startswith("?"):
        if name not in scope.variables:
            scope.source.fail(name, f"unknown variable '{shorten(name)}'", similar(name, scope.variables))
    elif name not in scope.objects:
        scope.source.fail(name, f"unknown object '{shorten(name)}'", similar(name, scope.objects))
    return str(name)


def atom(node: Sexpr, scope: Scope) -> pddl.Atom:
    """A predicate with terms, checked for name and arity."""
    return pddl.Atom(
        *_applied(form(node, scope.source, "an atom"), "an atom", "predicate", scope.predicates, scope)
    )


def _applied(
    entries: Form, what: str, kind: str, known: Mapping[str, pddl.Signature], scope: Scope
) -> tuple[str, tuple[str, ...]]:
    """A predicate or function by its name, and its terms."""
    if not entries:
        scope.source.fail(entries, f"expected {what}, found '()'")
    name = word(entries[0], scope.source, f"a {kind}")
    if name not in known:
        scope.source.fail(name, f"unknown {kind} '{shorten(name)}'", similar(name, known))
    arity, given = known[name].arity, len(entries) - 1
    if given != arity:
        scope.source.fail(entries, f"{kind} '{name}' takes {arity} arguments, {given} are given")
    return str(name), tuple(term(entry, scope) for entry in entries[1:])


def condition(node: Sexpr, scope: Scope) -> pddl.Condition:
    """A precondition, goal, effect condition or axiom body."""
    entries = form(node, scope.source, "a condition")
    if not entries:
        return pddl.And(())
    if isinstance(entries[0], Form):
        scope.source.fail(entries[0], "expected a predicate or 'and', 'or', 'not', ..., found '('")
    head = entries[0]
    if head in ("and", "or"):
        parts = tuple(condition(entry, scope) for entry in entries[1:])
        return pddl.And(parts) if head == "and" else pddl.Or(parts)
    if head == "not":
        _expect(entries, 1, "(not CONDITION)", scope)
        return pddl.Not(condition(entries[1], scope))
    if head == "imply":
        _expect(entries, 2, "(imply CONDITION CONDITION)", scope)
        return pddl.Or((pddl.Not(condition(entries[1], scope)), condition(entries[2], scope)))
    if head in ("exists", "forall"):
        _expect(entries, 2, f"({head} (VARIABLES) CONDITION)", scope)
        bound = parameters(entries[1], scope)
        part = condition(entries[2], scope.with_variables(bound))
        return pddl.Exists(bound, part) if head == "exists" else pddl.Forall(bound, part)
    if head == "=" and all(
        isinstance(node, Word) and (node.startswith("?") or node in scope.objects) for node in entries[1:]
    ):
        _expect(entries, 2, "(= TERM TERM)", scope)
        return pddl.Atom("=", tuple(term(entry, scope) for entry in entries[1:]))
    if head in COMPARATORS:
        _expect(entries, 2, f"({head} NUMBER NUMBER)", scope)
        return pddl.Comparison(str(head), numeric(entries[1], scope), numeric(entries[2], scope))
    if head in UNSUPPORTED_CONDITIONS and head not in scope.predicates:
        scope.source.fail(head, f"'{head}' is not supported")
    return atom(entries, scope)


def _expect(entries: Form, count: int, shape: str, scope: Scope) -> None:
    if len(entries) - 1 != count:
        scope.source.fail(entries, f"expected {shape}")


def numeric(node: Sexpr, scope: Scope) -> pddl.NumericExpression:
    """A number, a function or an arithmetic expression."""
    if isinstance(node, Word):
        if node in scope.functions:
            return function_term(node, scope)
        return pddl.Number(number(node, scope.source, "a number or a function"))
    if not node:
        scope.source.fail(node, "expected a number or a function, found '()'")
    head = word(node[0], scope.source, "a function or '+', '-', '*', '/'")
    if head in OPERATORS:
        if len(node) < 2 or (len(node) == 2 and head != "-"):
            scope.source.fail(node, f"expected ({head} NUMBER NUMBER)")
        return pddl.Arithmetic(str(head), tuple(numeric(child, scope) for child in node[1:]))
    return function_term(node, scope)


def function_term(node: Sexpr, scope: Scope) -> pddl.FunctionTerm:
    if isinstance(node, Word) and node in scope.functions and not scope.functions[node].parameters:
        return pddl.FunctionTerm(str(node), ())
    entries = form(node, scope.source, "a function")
    return pddl.FunctionTerm(*_applied(entries, "a function", "function", scope.functions, scope))


def effects(node: Sexpr, scope: Scope) -> tuple[pddl.Effect, ...]:
    """An action's effect as a flat list."""
    entries = form(node, scope.source, "an effect")
    if not entries:
        return ()
    head = word(entries[0], scope.source, "an effect")
    if head == "and":
        return tuple(effect for part in entries[1:] for effect in effects(part, scope))
    if head == "not":
        _expect(entries, 1, "(not ATOM)", scope)
        return (pddl.Delete(_changed(entries[1], scope)),)
    if head == "when":
        _expect(entries, 2, "(when CONDITION EFFECT)", scope)
        return (pddl.When(condition(entries[1], scope), effects(entries[2], scope)),)
    if head == "forall":
        _expect(entries, 2, "(forall (VARIABLES) EFFECT)", scope)
        bound = parameters(entries[1], scope)
        return (pddl.ForallEffect(bound, effects(entries[2], scope.with_variables(bound))),)
    if head in ASSIGNMENTS:
        _expect(entries, 2, f"({head} FUNCTION NUMBER)", scope)
        return (pddl.Assign(str(head), function_term(entries[1], scope), numeric(entries[2], scope)),)
    return (pddl.Add(_changed(entries, scope)),)


def _changed(node: Sexpr, scope: Scope) -> pddl.Atom:
    changed = atom(node, scope)
    if changed.predicate in scope.derived:
        scope.source.fail(node, f"an effect changes the derived predicate '{changed.predicate}'")
    return changed


def read_types(section: Form, source: Source) -> tuple[pddl.Typed, ...]:
    entries = typed_list(section[1:], source, None, "a type")
    parents: dict[str, tuple[str, ...]] = {}
    for entry in entries:
        if entry.name != pddl.OBJECT_TYPE:
            parents[entry.name] = tuple(dict.fromkeys((*parents.get(entry.name, ()), *entry.types)))
    for entry in entries:
        for parent in entry.types:
            if parent != pddl.OBJECT_TYPE:
                parents.setdefault(parent, (pddl.OBJECT_TYPE,))
    for name in parents:
        if name in pddl.above(name, parents):
            source.fail(section, f"type '{shorten(name)}' is its own supertype")
    return tuple(pddl.Typed(name, above) for name, above in parents.items())


def read_objects(section: Form, source: Source, types: frozenset[str]) -> tuple[pddl.Typed, ...]:
    entries = typed_list(section[1:], source, types, "an object")
    seen: dict[str, pddl.Typed] = {}
    for entry in entries:
        if entry.name.startswith("?"):
            source.fail(section, f"'{shorten(entry.name)}' is a variable, not an object")
        if seen.setdefault(entry.name, entry).types != entry.types:
            source.fail(section, f"object '{shorten(entry.name)}' is declared twice with different types")
    return tuple(seen.values())


def read_predicates(section: Form, source: Source, types: frozenset[str]) -> tuple[pddl.Signature, ...]:
    entries = [form(entry, source, "a predicate") for entry in section[1:]]
    # Some domains declare equality; it is there anyway.
    entries = [entry for entry in entries if not entry or entry[0] != "="]
    no_twins((entry[0] for entry in entries if entry), source, "predicate")
    scope = Scope(source, types, {}, {}, {})
    return tuple(pddl.Signature(*signature(entry, scope, "a predicate")) for entry in entries)


def read_functions(section: Form, source: Source, types: frozenset[str]) -> tuple[pddl.Signature, ...]:
    scope = Scope(source, types, {}, {}, {})
    functions: list[pddl.Signature] = []
    nodes = iter(section[1:])
    for node in nodes:
        if functions and node == "-":
            if next(nodes, None) != "number":
                source.fail(node, "only functions of type 'number' are supported")
        else:
            functions.append(
                pddl.Signature(*signature(form(node, source, "a function"), scope, "a function"))
            )
    no_twins((node[0] for node in section[1:] if isinstance(node, Form)), source, "function")
    return tuple(functions)


def signature(entry: Form, scope: Scope, what: str) -> tuple[str, tuple[pddl.Typed, ...]]:
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
