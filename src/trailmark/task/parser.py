"""PDDL domains and problems, read into the task model with every name checked.

Sections may come in any order a benchmark has them. What PDDL allows and we do not support is
named in the error.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Set
from itertools import chain, pairwise

from trailmark.errors import PddlError, shorten, similar
from trailmark.task import model as pddl
from trailmark.task.formulas import (
    Scope,
    atom,
    condition,
    effects,
    function_term,
    no_twins,
    number,
    numeric,
    parameters,
    read_functions,
    read_objects,
    read_predicates,
    read_types,
    signature,
)  # fmt: skip
from trailmark.task.sexpr import (
    Facts,
    Form,
    Sexpr,
    Source,
    Word,
    definition,
    form,
    one,
    read_requirements,
    word,
)  # fmt: skip
from trailmark.task.walks import strata

_log = logging.getLogger(__name__)

DOMAIN_SECTIONS = frozenset(
    (":requirements", ":types", ":constants", ":predicates", ":functions", ":derived", ":action")
)
PROBLEM_SECTIONS = frozenset((":domain", ":requirements", ":objects", ":init", ":goal", ":metric"))


def parse_domain(text: str, name: str) -> pddl.DomainModel:
    """The domain in this text; `name` stands for the file in errors."""
    source = Source(text, name)
    title, sections = definition(source, "domain", DOMAIN_SECTIONS)
    types = read_types(one(sections, ":types", source), source)
    known = frozenset(kind.name for kind in types)
    constants = read_objects(one(sections, ":constants", source), source, known)
    predicates = read_predicates(one(sections, ":predicates", source), source, known)
    functions = read_functions(one(sections, ":functions", source), source, known)
    scope = Scope(
        source,
        known,
        {predicate.name: predicate for predicate in predicates},
        {function.name: function for function in functions},
        {constant.name: constant.types for constant in constants},
    )
    axioms = tuple(_axiom(section, scope) for section in sections if section[0] == ":derived")
    _check_strata(axioms, sections, source)
    acting = [section for section in sections if section[0] == ":action"]
    actions = tuple(_action(section, scope) for section in acting)
    no_twins((section[1] for section in acting), source, "action")
    derived = {axiom.head.predicate for axiom in axioms}
    for section in acting:
        _reject_derived_effects(section, derived, source)
    requirements = read_requirements(one(sections, ":requirements", source), source)
    return pddl.DomainModel(title, requirements, types, constants, predicates, functions, axioms, actions)


def parse_problem(text: str, name: str, domain: pddl.DomainModel) -> pddl.ProblemModel:
    """The problem in this text, for this domain.

    One that names another domain is read too, with a warning, if all it uses is in this domain: some
    writers, such as Unified Planning's, name the domain after each problem.
    """
    source = Source(text, name)
    title, sections = definition(source, "problem", PROBLEM_SECTIONS)
    declared = one(sections, ":domain", source)
    if len(declared) not in (0, 2):
        source.fail(declared, "expected (:domain NAME)")
    domain_name = str(word(declared[1], source, "the domain's name")) if declared else domain.name
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


def _problem(title: str, sections: list[Form], source: Source, domain: pddl.DomainModel) -> pddl.ProblemModel:
    types = frozenset(kind.name for kind in domain.types)
    constants = {constant.name: constant for constant in domain.constants}
    objects = read_objects(one(sections, ":objects", source), source, types)
    for entry in objects:
        if entry.name in constants and entry.types != constants[entry.name].types:
            source.fail(0, f"object '{entry.name}' is a constant of the domain with another type")
    objects = tuple(entry for entry in objects if entry.name not in constants)
    scope = Scope(
        source,
        types,
        {predicate.name: predicate for predicate in domain.predicates},
        {function.name: function for function in domain.functions},
        {entry.name: entry.types for entry in (*domain.constants, *objects)},
    )
    atoms, values = _initial(one(sections, ":init", source), scope, domain)
    goal = one(sections, ":goal", source)
    if not goal:
        source.fail(0, "the problem has no goal", "add (:goal ...)")
    if len(goal) != 2:
        source.fail(goal, "expected (:goal CONDITION)")
    return pddl.ProblemModel(
        title,
        domain.name,
        objects,
        atoms,
        values,
        condition(goal[1], scope),
        _metric(one(sections, ":metric", source), scope),
        read_requirements(one(sections, ":requirements", source), source),
    )


def _axiom(section: Form, scope: Scope) -> pddl.Axiom:
    if len(section) != 3:
        scope.source.fail(section, "expected (:derived (PREDICATE VARIABLES) CONDITION)")
    entry = form(section[1], scope.source, "(PREDICATE VARIABLES)")
    name, variables = signature(entry, scope, "a predicate")
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
    body = condition(section[2], scope.with_variables(typed))
    return pddl.Axiom(pddl.Atom(name, tuple(variable.name for variable in typed)), typed, body)


def _check_strata(axioms: tuple[pddl.Axiom, ...], sections: list[Form], source: Source) -> None:
    try:
        strata(axioms)
    except PddlError as problem:
        source.fail(next(section for section in sections if section[0] == ":derived"), problem.message)


def _action(section: Form, scope: Scope) -> pddl.ActionSchema:
    source = scope.source
    if len(section) < 2:
        source.fail(section, "expected (:action NAME ...)")
    name = word(section[1], source, "the action's name")
    parts: dict[str, Sexpr] = {}
    if len(section) % 2:
        source.fail(section, f"action '{shorten(name)}' has a keyword without a value")
    for keyword, value in zip(section[2::2], section[3::2], strict=True):
        key = word(keyword, source, "':parameters', ':precondition' or ':effect'")
        if key not in (":parameters", ":precondition", ":effect"):
            source.fail(key, f"expected ':parameters', ':precondition' or ':effect', found '{shorten(key)}'")
        if key in parts:
            source.fail(key, f"'{key}' appears twice")
        parts[key] = value
    variables = parameters(parts[":parameters"], scope) if ":parameters" in parts else ()
    inner = scope.with_variables(variables)
    return pddl.ActionSchema(
        str(name),
        variables,
        condition(parts[":precondition"], inner) if ":precondition" in parts else pddl.TRUE,
        effects(parts[":effect"], inner) if ":effect" in parts else (),
    )


def _reject_derived_effects(section: Form, derived: set[str], source: Source) -> None:
    pairs = pairwise(section)
    stack: list[Form] = [part for key, part in pairs if key == ":effect" and isinstance(part, Form)]
    while stack:
        part = stack.pop()
        if part and isinstance(part[0], Word) and part[0] == "when":
            stack.extend(inner for inner in part[2:] if isinstance(inner, Form))
            continue
        if part and isinstance(part[0], Word) and part[0] in derived:
            source.fail(part, f"an effect changes the derived predicate '{part[0]}'")
        stack.extend(inner for inner in part if isinstance(inner, Form))


def _initial(
    section: Form, scope: Scope, domain: pddl.DomainModel
) -> tuple[tuple[pddl.Atom, ...], tuple[tuple[pddl.FunctionTerm, float], ...]]:
    atoms: dict[pddl.Atom, None] = {}
    values: dict[pddl.FunctionTerm, float] = {}
    derived = {axiom.head.predicate for axiom in domain.axioms}
    plain = {
        predicate.name: predicate.arity + 1
        for predicate in domain.predicates
        if predicate.name not in derived
    }
    for node in section[1:]:
        if isinstance(node, Facts):
            # The common case, facts in order, without the calls that only find out what is wrong.
            found = node.words(scope.source)
            if _in_order(found, plain, scope.objects.keys()):
                atoms.update(dict.fromkeys([pddl.Atom(words[0], words[1:]) for words in found]))
                continue
        for part in node.read(scope.source) if isinstance(node, Facts) else (node,):
            _read_initial(part, scope, derived, atoms, values)
    return tuple(atoms), tuple(values.items())


def _in_order(facts: list[tuple[str, ...]], arities: Mapping[str, int], objects: Set[str]) -> bool:
    """Whether each has a predicate with as many objects as it takes, and there are such objects."""
    if not all(words and arities.get(words[0]) == len(words) for words in facts):
        return False
    return objects >= set(chain.from_iterable([words[1:] for words in facts]))


def _read_initial(
    node: Sexpr,
    scope: Scope,
    derived: set[str],
    atoms: dict[pddl.Atom, None],
    values: dict[pddl.FunctionTerm, float],
) -> None:
    entry = form(node, scope.source, "a fact")
    head = entry[0] if entry else None
    if head == "=":
        if len(entry) != 3:
            scope.source.fail(entry, "expected (= FUNCTION NUMBER)")
        values[function_term(entry[1], scope)] = number(entry[2], scope.source)
    elif head == "not":
        if len(entry) != 2:
            scope.source.fail(entry, "expected (not ATOM)")
        atoms.pop(atom(entry[1], scope), None)
    else:
        fact = atom(entry, scope)
        if fact.predicate in derived:
            scope.source.fail(entry, f"'{fact.predicate}' is derived and cannot be a fact")
        atoms[fact] = None


def _metric(section: Form, scope: Scope) -> pddl.NumericExpression | None:
    if not section:
        return None
    if len(section) != 3 or section[1] != "minimize":
        scope.source.fail(section, "only (:metric minimize EXPRESSION) is supported")
    if section[2] == "total-time" or section[2] == ["total-time"]:
        return None
    return numeric(section[2], scope)
