"""PDDL domains and problems, read into the task model with every name checked.

Sections may come in any order a benchmark has them. What PDDL allows and we do not support is
named in the error.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Set
from dataclasses import replace
from itertools import chain, repeat

from trailmark.errors import PddlError, shorten, similar
from trailmark.task import formulas, sexpr
from trailmark.task import model as pddl
from trailmark.task.walks import strata

_log = logging.getLogger(__name__)

DOMAIN_SECTIONS = frozenset(
    (":requirements", ":types", ":constants", ":predicates", ":functions", ":derived", ":action")
)
PROBLEM_SECTIONS = frozenset((":domain", ":requirements", ":objects", ":init", ":goal", ":metric"))


def parse_domain(text: str, name: str) -> pddl.DomainModel:
    """The domain in this text; `name` stands for the file in errors."""
    source = sexpr.Source(text, name)
    title, sections = sexpr.definition(source, "domain", DOMAIN_SECTIONS)
    types = formulas.read_types(sexpr.one(sections, ":types", source), source)
    known = frozenset(kind.name for kind in types)
    constants = formulas.read_objects(sexpr.one(sections, ":constants", source), source, known)
    predicates = formulas.read_predicates(sexpr.one(sections, ":predicates", source), source, known)
    functions = formulas.read_functions(sexpr.one(sections, ":functions", source), source, known)
    scope = formulas.Scope(
        source,
        known,
        {predicate.name: predicate for predicate in predicates},
        {function.name: function for function in functions},
        {constant.name: constant.types for constant in constants},
    )
    axioms = tuple(_axiom(section, scope) for section in sections if section[0] == ":derived")
    try:
        strata(axioms)
    except PddlError as problem:
        source.fail(next(section for section in sections if section[0] == ":derived"), problem.message)
    acting = [section for section in sections if section[0] == ":action"]
    inner = replace(scope, derived=frozenset(axiom.head.predicate for axiom in axioms))
    actions = tuple(_action(section, inner) for section in acting)
    formulas.no_twins((section[1] for section in acting), source, "action")
    sexpr.check_requirements(sexpr.one(sections, ":requirements", source), source)
    return pddl.DomainModel(title, types, constants, predicates, functions, axioms, actions)


def parse_problem(text: str, name: str, domain: pddl.DomainModel) -> pddl.ProblemModel:
    """The problem in this text, for this domain.

    One that names another domain is read too, with a warning, if all it uses is in this domain: some
    writers, such as Unified Planning's, name the domain after each problem.
    """
    source = sexpr.Source(text, name)
    title, sections = sexpr.definition(source, "problem", PROBLEM_SECTIONS)
    declared = sexpr.one(sections, ":domain", source)
    if len(declared) not in (0, 2):
        source.fail(declared, "expected (:domain NAME)")
    domain_name = str(sexpr.word(declared[1], source, "the domain's name")) if declared else domain.name
    if domain_name == domain.name:
        return _problem(title, sections, source, domain)
    named = f"domain '{shorten(domain_name)}', the domain given is '{domain.name}'"
    try:
        found = _problem(title, sections, source, domain)
    except PddlError as reason:
        source.fail(
            declared[1], f"this problem belongs to {named}", f"which it does not fit: {reason.message}"
        )
    _log.warning("%s names %s; all it uses is there, so it is read with that", name, named)
    return found


def _problem(
    title: str, sections: list[sexpr.Form], source: sexpr.Source, domain: pddl.DomainModel
) -> pddl.ProblemModel:
    types = frozenset(kind.name for kind in domain.types)
    constants = {constant.name: constant for constant in domain.constants}
    objects = formulas.read_objects(sexpr.one(sections, ":objects", source), source, types)
    for entry in objects:
        if entry.name in constants and entry.types != constants[entry.name].types:
            source.fail(0, f"object '{entry.name}' is a constant of the domain with another type")
    objects = tuple(entry for entry in objects if entry.name not in constants)
    scope = formulas.Scope(
        source,
        types,
        {predicate.name: predicate for predicate in domain.predicates},
        {function.name: function for function in domain.functions},
        {entry.name: entry.types for entry in (*domain.constants, *objects)},
    )
    atoms, values = _initial(sexpr.one(sections, ":init", source), scope, domain)
    goal = sexpr.one(sections, ":goal", source)
    if not goal:
        source.fail(0, "the problem has no goal", "add (:goal ...)")
    if len(goal) != 2:
        source.fail(goal, "expected (:goal CONDITION)")
    sexpr.check_requirements(sexpr.one(sections, ":requirements", source), source)
    metric = _metric(sexpr.one(sections, ":metric", source), scope)
    return pddl.ProblemModel(title, objects, atoms, values, formulas.condition(goal[1], scope), metric)


def _axiom(section: sexpr.Form, scope: formulas.Scope) -> pddl.Axiom:
    if len(section) != 3:
        scope.source.fail(section, "expected (:derived (PREDICATE VARIABLES) CONDITION)")
    entry = sexpr.form(section[1], scope.source, "(PREDICATE VARIABLES)")
    name, variables = formulas.signature(entry, scope, "a predicate")
    predicate = scope.predicates.get(name)
    if predicate is None:
        scope.source.fail(entry, f"unknown predicate '{shorten(name)}'", similar(name, scope.predicates))
    if predicate.arity != len(variables):
        scope.source.fail(
            entry, f"predicate '{name}' takes {predicate.arity} arguments, {len(variables)} are given"
        )
    typed = tuple(
        mine if mine.types != (pddl.OBJECT_TYPE,) else pddl.Typed(mine.name, declared.types)
        for mine, declared in zip(variables, predicate.parameters, strict=True)
    )
    body = formulas.condition(section[2], scope.with_variables(typed))
    return pddl.Axiom(pddl.Atom(name, tuple(variable.name for variable in typed)), typed, body)


def _action(section: sexpr.Form, scope: formulas.Scope) -> pddl.ActionSchema:
    source = scope.source
    if len(section) < 2:
        source.fail(section, "expected (:action NAME ...)")
    name = sexpr.word(section[1], source, "the action's name")
    parts: dict[str, sexpr.Sexpr] = {}
    if len(section) % 2:
        source.fail(section, f"action '{shorten(name)}' has a keyword without a value")
    for keyword, value in zip(section[2::2], section[3::2], strict=True):
        key = sexpr.word(keyword, source, "':parameters', ':precondition' or ':effect'")
        if key not in (":parameters", ":precondition", ":effect"):
            source.fail(key, f"expected ':parameters', ':precondition' or ':effect', found '{shorten(key)}'")
        if key in parts:
            source.fail(key, f"'{key}' appears twice")
        parts[key] = value
    variables = formulas.parameters(parts[":parameters"], scope) if ":parameters" in parts else ()
    inner = scope.with_variables(variables)
    return pddl.ActionSchema(
        str(name),
        variables,
        formulas.condition(parts[":precondition"], inner) if ":precondition" in parts else pddl.TRUE,
        formulas.effects(parts[":effect"], inner) if ":effect" in parts else (),
    )


def _initial(
    section: sexpr.Form, scope: formulas.Scope, domain: pddl.DomainModel
) -> tuple[tuple[pddl.Atom, ...], tuple[tuple[pddl.FunctionTerm, float], ...]]:
    atoms: dict[pddl.Atom, None] = {}
    values: dict[pddl.FunctionTerm, float] = {}
    derived = {axiom.head.predicate for axiom in domain.axioms}
    plain = {
        predicate.name: predicate.arity for predicate in domain.predicates if predicate.name not in derived
    }
    for node in section[1:]:
        if isinstance(node, sexpr.Facts):
            # The common case, facts in order, without the calls that only find out what is wrong.
            found = node.words(scope.source)
            predicates = [words[0] if words else "" for words in found]
            terms = [words[1:] for words in found]
            if _in_order(predicates, terms, plain, scope.objects.keys()):
                atoms.update(zip(map(pddl.Atom, predicates, terms), repeat(None), strict=False))
                continue
        for part in node.read(scope.source) if isinstance(node, sexpr.Facts) else (node,):
            _read_initial(part, scope, derived, atoms, values)
    return tuple(atoms), tuple(values.items())


def _in_order(
    predicates: list[str], terms: list[tuple[str, ...]], arities: Mapping[str, int], objects: Set[str]
) -> bool:
    """Whether each predicate has as many objects as it takes, and there are such objects."""
    shapes = set(zip(predicates, map(len, terms), strict=True))
    if not all(arities.get(predicate) == arity for predicate, arity in shapes):
        return False
    return objects >= set(chain.from_iterable(terms))


def _read_initial(
    node: sexpr.Sexpr,
    scope: formulas.Scope,
    derived: set[str],
    atoms: dict[pddl.Atom, None],
    values: dict[pddl.FunctionTerm, float],
) -> None:
    entry = sexpr.form(node, scope.source, "a fact")
    head = entry[0] if entry else None
    if head == "=":
        if len(entry) != 3:
            scope.source.fail(entry, "expected (= FUNCTION NUMBER)")
        values[formulas.function_term(entry[1], scope)] = formulas.number(entry[2], scope.source)
    elif head == "not":
        if len(entry) != 2:
            scope.source.fail(entry, "expected (not ATOM)")
        atoms.pop(formulas.atom(entry[1], scope), None)
    else:
        fact = formulas.atom(entry, scope)
        if fact.predicate in derived:
            scope.source.fail(entry, f"'{fact.predicate}' is derived and cannot be a fact")
        atoms[fact] = None


def _metric(section: sexpr.Form, scope: formulas.Scope) -> pddl.NumericExpression | None:
    if not section:
        return None
    if len(section) != 3 or section[1] != "minimize":
        scope.source.fail(section, "only (:metric minimize EXPRESSION) is supported")
    if section[2] == "total-time" or section[2] == ["total-time"]:
        return None
    return formulas.numeric(section[2], scope)
