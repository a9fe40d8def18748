"""PDDL domains and problems, read into the task model with every name checked.

Sections may come in any order a benchmark has them. What PDDL allows and we do not support is
named in the error.
"""

from __future__ import annotations

from collections.abc import Iterable

from trailmark.errors import PddlError
from trailmark.task.formulas import (
    Scope,
    atom,
    condition,
    effects,
    form,
    function_term,
    number,
    numeric,
    parameters,
    suggestion,
    typed_list,
    word,
)
from trailmark.task.model import (
    OBJECT_TYPE,
    TRUE,
    ActionSchema,
    Atom,
    Axiom,
    DomainModel,
    Function,
    FunctionTerm,
    NumericExpression,
    Predicate,
    ProblemModel,
    Typed,
)
from trailmark.task.sexpr import Form, Node, Source, Word, read_form, shorten
from trailmark.task.walks import strata

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
DOMAIN_SECTIONS = frozenset(
    (":requirements", ":types", ":constants", ":predicates", ":functions", ":derived", ":action")
)
PROBLEM_SECTIONS = frozenset((":domain", ":requirements", ":objects", ":init", ":goal", ":metric"))


def parse_domain(text: str, name: str) -> DomainModel:
    """The domain in this text; `name` stands for the file in errors."""
    source = Source(text, name)
    title, sections = _definition(source, "domain", DOMAIN_SECTIONS)
    types = _types(_one(sections, ":types", source), source)
    known = frozenset(each.name for each in types)
    constants = _objects(_one(sections, ":constants", source), source, known)
    predicates = _predicates(_one(sections, ":predicates", source), source, known)
    functions = _functions(_one(sections, ":functions", source), source, known)
    scope = Scope(
        source,
        known,
        {each.name: each for each in predicates},
        {each.name: each for each in functions},
        {each.name: each.types for each in constants},
    )
    axioms = tuple(_axiom(each, scope) for each in sections if each[0] == ":derived")
    _check_strata(axioms, sections, source)
    actions = tuple(_action(each, scope) for each in sections if each[0] == ":action")
    _no_twins((each[1] for each in sections if each[0] == ":action"), source, "action")
    derived = {axiom.head.predicate for axiom in axioms}
    for section in sections:
        if section[0] == ":action":
            _reject_derived_effects(section, derived, source)
    requirements = _requirements(_one(sections, ":requirements", source), source)
    return DomainModel(title, requirements, types, constants, predicates, functions, axioms, actions)


def parse_problem(text: str, name: str, domain: DomainModel) -> ProblemModel:
    """The problem in this text, for this domain."""
    source = Source(text, name)
    title, sections = _definition(source, "problem", PROBLEM_SECTIONS)
    types = frozenset(each.name for each in domain.types)
    declared = _one(sections, ":domain", source)
    if len(declared) not in (0, 2):
        source.fail(declared, "expected (:domain NAME)")
    domain_name = str(word(declared[1], source, "the domain's name")) if declared else domain.name
    if domain_name != domain.name:
        source.fail(
            declared[1],
            f"this problem belongs to domain '{shorten(domain_name)}', the domain given is '{domain.name}'",
        )
    constants = {each.name: each for each in domain.constants}
    objects = _objects(_one(sections, ":objects", source), source, types)
    for entry in objects:
        if entry.name in constants and entry.types != constants[entry.name].types:
            source.fail(0, f"object '{entry.name}' is a constant of the domain with another type")
    objects = tuple(entry for entry in objects if entry.name not in constants)
    scope = Scope(
        source,
        types,
        {each.name: each for each in domain.predicates},
        {each.name: each for each in domain.functions},
        {each.name: each.types for each in (*domain.constants, *objects)},
    )
    atoms, values = _initial(_one(sections, ":init", source), scope, domain)
    goal = _one(sections, ":goal", source)
    if not goal:
        source.fail(0, "the problem has no goal", "add (:goal ...)")
    if len(goal) != 2:
        source.fail(goal, "expected (:goal CONDITION)")
    return ProblemModel(
        title,
        domain_name,
        objects,
        atoms,
        values,
        condition(goal[1], scope),
        _metric(_one(sections, ":metric", source), scope),
        _requirements(_one(sections, ":requirements", source), source),
    )


def _definition(source: Source, kind: str, allowed: frozenset[str]) -> tuple[str, list[Form]]:
    """The name and the sections of `(define (kind name) sections…)`."""
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
            what = "is not supported" if section[0].startswith(":") else "is not a section"
            source.fail(section[0], f"'{shorten(section[0])}' {what}", suggestion(section[0], allowed))
        sections.append(section)
    return str(header[1]), sections


def _one(sections: list[Form], name: str, source: Source) -> Form:
    """The section of this name; an empty one where there is none."""
    found = [each for each in sections if each[0] == name]
    if len(found) > 1:
        source.fail(found[1], f"section '{name}' appears twice")
    return found[0] if found else Form()


def _requirements(section: Form, source: Source) -> tuple[str, ...]:
    for entry in section[1:]:
        name = word(entry, source, "a requirement")
        if name not in REQUIREMENTS:
            source.fail(name, f"requirement '{shorten(name)}' is not supported")
    return tuple(str(each) for each in section[1:])


def _types(section: Form, source: Source) -> tuple[Typed, ...]:
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


def _objects(section: Form, source: Source, types: frozenset[str]) -> tuple[Typed, ...]:
    entries = typed_list(section[1:], source, types, "an object")
    seen: dict[str, Typed] = {}
    for entry in entries:
        if entry.name.startswith("?"):
            source.fail(section, f"'{shorten(entry.name)}' is a variable, not an object")
        if seen.setdefault(entry.name, entry).types != entry.types:
            source.fail(section, f"object '{shorten(entry.name)}' is declared twice with different types")
    return tuple(seen.values())


def _predicates(section: Form, source: Source, types: frozenset[str]) -> tuple[Predicate, ...]:
    entries = [form(each, source, "a predicate") for each in section[1:]]
    # Some domains declare equality; it is there anyway.
    entries = [each for each in entries if not each or each[0] != "="]
    _no_twins((each[0] for each in entries if each), source, "predicate")
    scope = Scope(source, types, {}, {}, {})
    return tuple(Predicate(*_signature(each, scope, "a predicate")) for each in entries)


def _functions(section: Form, source: Source, types: frozenset[str]) -> tuple[Function, ...]:
    scope = Scope(source, types, {}, {}, {})
    functions: list[Function] = []
    position, nodes = 1, section
    while position < len(nodes):
        entry = form(nodes[position], source, "a function")
        functions.append(Function(*_signature(entry, scope, "a function")))
        position += 1
        if position < len(nodes) and nodes[position] == "-":
            result = nodes[position + 1] if position + 1 < len(nodes) else None
            if result != "number":
                source.fail(nodes[position], "only functions of type 'number' are supported")
            position += 2
    _no_twins(
        (form(each, source, "a function")[0] for each in nodes[1:] if isinstance(each, Form)),
        source,
        "function",
    )
    return tuple(functions)


def _signature(entry: Form, scope: Scope, what: str) -> tuple[str, tuple[Typed, ...]]:
    if not entry:
        scope.source.fail(entry, f"expected {what}, found '()'")
    name = word(entry[0], scope.source, f"{what}'s name")
    variables = Form(entry[1:])
    variables.offset = entry.offset
    return str(name), parameters(variables, scope)


def _no_twins(names: Iterable[Node], source: Source, what: str) -> None:
    seen: set[str] = set()
    for name in names:
        if isinstance(name, Word):
            if name in seen:
                source.fail(name, f"{what} '{shorten(name)}' is declared twice")
            seen.add(name)


def _axiom(section: Form, scope: Scope) -> Axiom:
    if len(section) != 3:
        scope.source.fail(section, "expected (:derived (PREDICATE VARIABLES) CONDITION)")
    entry = form(section[1], scope.source, "(PREDICATE VARIABLES)")
    name, variables = _signature(entry, scope, "a predicate")
    predicate = scope.predicates.get(name)
    if predicate is None:
        scope.source.fail(entry, f"unknown predicate '{shorten(name)}'", suggestion(name, scope.predicates))
    if predicate.arity != len(variables):
        scope.source.fail(
            entry, f"predicate '{name}' takes {predicate.arity} arguments, {len(variables)} are given"
        )
    typed = tuple(
        mine if mine.types != (OBJECT_TYPE,) else Typed(mine.name, declared.types)
        for mine, declared in zip(variables, predicate.parameters, strict=True)
    )
    body = condition(section[2], scope.with_variables(typed))
    return Axiom(Atom(name, tuple(each.name for each in typed)), typed, body)


def _check_strata(axioms: tuple[Axiom, ...], sections: list[Form], source: Source) -> None:
    try:
        strata(axioms)
    except PddlError as problem:
        source.fail(next(each for each in sections if each[0] == ":derived"), problem.message)


def _action(section: Form, scope: Scope) -> ActionSchema:
    source = scope.source
    if len(section) < 2:
        source.fail(section, "expected (:action NAME ...)")
    name = word(section[1], source, "the action's name")
    parts: dict[str, Node] = {}
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
    return ActionSchema(
        str(name),
        variables,
        condition(parts[":precondition"], inner) if ":precondition" in parts else TRUE,
        effects(parts[":effect"], inner) if ":effect" in parts else (),
    )


def _reject_derived_effects(section: Form, derived: set[str], source: Source) -> None:
    stack: list[Form] = [
        each
        for each, key in zip(section[1:], section, strict=False)
        if key == ":effect" and isinstance(each, Form)
    ]
    while stack:
        part = stack.pop()
        if part and isinstance(part[0], Word) and part[0] == "when":
            stack.extend(each for each in part[2:] if isinstance(each, Form))
            continue
        if part and isinstance(part[0], Word) and part[0] in derived:
            source.fail(part, f"an effect changes the derived predicate '{part[0]}'")
        stack.extend(each for each in part if isinstance(each, Form))


def _initial(
    section: Form, scope: Scope, domain: DomainModel
) -> tuple[tuple[Atom, ...], tuple[tuple[FunctionTerm, float], ...]]:
    atoms: dict[Atom, None] = {}
    values: dict[FunctionTerm, float] = {}
    derived = {axiom.head.predicate for axiom in domain.axioms}
    arities = {predicate.name: predicate.arity for predicate in domain.predicates}
    objects = scope.objects
    for node in section[1:]:
        entry = form(node, scope.source, "a fact")
        head = entry[0] if entry else None
        # The common case, a fact in order, without the calls that only find out what is wrong.
        if (
            isinstance(head, Word)
            and arities.get(head) == len(entry) - 1
            and head not in derived
            and all(isinstance(each, Word) and each in objects for each in entry[1:])
        ):
            atoms[Atom(str(head), tuple(map(str, entry[1:])))] = None
        elif head == "=":
            if len(entry) != 3:
                scope.source.fail(entry, "expected (= FUNCTION NUMBER)")
            values[function_term(entry[1], scope)] = number(entry[2], scope.source)
        elif head == "not":
            if len(entry) != 2:
                scope.source.fail(entry, "expected (not ATOM)")
            atoms.pop(atom(entry[1], scope), None)
        else:
            fact = atom(entry, scope)
            scope.source.fail(entry, f"'{fact.predicate}' is derived and cannot be a fact")
    return tuple(atoms), tuple(values.items())


def _metric(section: Form, scope: Scope) -> NumericExpression | None:
    if not section:
        return None
    if len(section) != 3 or section[1] != "minimize":
        scope.source.fail(section, "only (:metric minimize EXPRESSION) is supported")
    if section[2] == "total-time" or section[2] == ["total-time"]:
        return None
    return numeric(section[2], scope)
