"""Action schemas as integers: what the join functions are generated from, and steps of a plan as sets of
atoms, for quick replaying.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from trailmark.relational import Structure, Symbol, Vocabulary
from trailmark.task.model import TOTAL_COST, ActionSchema, Add, Assign, Atom, Delete
from trailmark.task.plans import Step
from trailmark.task.walks import literals

if TYPE_CHECKING:
    from trailmark.task.task import Task


MOST_PARAMETERS = 20
"""Python allows no more loops inside one another than this."""

Term = int
"""A variable by its place among the parameters, or `~object` for an object."""


@dataclass(frozen=True)
class Literal:
    """A predicate by its place in the vocabulary, applied to terms."""

    symbol: int
    terms: tuple[Term, ...]
    fluent: bool


@dataclass(frozen=True)
class Schema:
    """An action schema: a conjunction of literals and plain effects."""

    index: int
    name: str
    allowed: tuple[frozenset[int], ...]
    """For each parameter the objects that have its type, and what static predicates say of it alone."""
    positive: tuple[Literal, ...]
    negative: tuple[Literal, ...]
    equal: tuple[tuple[Term, Term], ...]
    different: tuple[tuple[Term, Term], ...]
    adds: tuple[Literal, ...]
    deletes: tuple[Literal, ...]

    @property
    def arity(self) -> int:
        return len(self.allowed)


def only_difference(one: Sequence[Term], other: Sequence[Term]) -> tuple[Term, Term] | None:
    """The terms in which two atoms of a predicate differ, where that is in one place alone."""
    differ = [pair for pair in zip(one, other, strict=True) if pair[0] != pair[1]]
    return differ[0] if len(differ) == 1 else None


def supports(task: Task) -> bool:
    """Whether the lifted generator covers the task."""
    return unsupported(task) is None


def unsupported(task: Task) -> str | None:
    """What of the task the lifted generator does not cover, or None."""
    if task.domain.model.axioms:
        return "the domain has derived predicates"
    if not task.goal.conjunctive:
        return "the goal is more than a conjunction of literals"
    for action in task.domain.model.actions:
        if len(action.parameters) > MOST_PARAMETERS:
            return f"action '{action.name}' has more than {MOST_PARAMETERS} parameters"
        if literals(action.precondition) is None:
            return f"the precondition of action '{action.name}' is more than a conjunction of literals"
        for effect in action.effects:
            if isinstance(effect, Assign):
                if effect.target.function != TOTAL_COST:
                    return f"action '{action.name}' changes numbers"
            elif not isinstance(effect, Add | Delete):
                return f"action '{action.name}' has conditional or quantified effects"
    return None


def searched_structure(task: Task) -> Structure:
    """The task's structure, and behind it the static predicates that only searches read."""
    structure, (domain, problem) = task.structure, task.searched
    known = structure.vocabulary
    added = [
        Symbol(predicate.name, predicate.arity, static=True)
        for predicate in domain.predicates
        if predicate.name not in known
    ]
    if not added:
        return structure
    wider = Structure(replace(known, symbols=(*known.symbols, *added)), structure.objects)
    names = {atom.name for atom in added}
    atoms = {
        wider.atom(fact.predicate, *fact.terms) for fact in problem.initial_atoms if fact.predicate in names
    }
    return replace(wider, static_atoms=structure.static_atoms | atoms)


def compile_schemas(task: Task, structure: Structure, relaxed: bool = False) -> tuple[Schema, ...]:
    """The task's action schemas in the order of the domain; the task must be supported. Where `relaxed`,
    without what must not hold now and may hold later."""
    actions = task.searched[0].actions
    schemas = tuple(_compile(task, structure, index, action) for index, action in enumerate(actions))
    if not relaxed:
        return schemas
    return tuple(
        replace(schema, negative=tuple(literal for literal in schema.negative if not literal.fluent))
        for schema in schemas
    )


def _compile(task: Task, structure: Structure, index: int, action: ActionSchema) -> Schema:
    places = {parameter.name: place for place, parameter in enumerate(action.parameters)}
    objects, vocabulary = structure.object_index, structure.vocabulary
    needed = dict.fromkeys(
        (sign, atom.predicate, _terms(atom, places, objects))
        for atom, sign in literals(action.precondition) or ()
    )
    kinds = [{objects[name] for name in task.objects_of(variable.types)} for variable in action.parameters]
    # What a static predicate says of one variable is a type by another name.
    for literal in list(needed):
        sign, name, terms = literal
        if sign and len(terms) == 1 and terms[0] >= 0 and vocabulary[name].static:
            kinds[terms[0]] &= {thing for (thing,) in structure.static_tuples.get(vocabulary.index[name], ())}
            del needed[literal]
    adds, deletes = (
        dict.fromkeys(
            _literal(vocabulary, effect.atom.predicate, _terms(effect.atom, places, objects))
            for effect in action.effects
            if isinstance(effect, kind)
        )
        for kind in (Add, Delete)
    )
    return Schema(
        index,
        action.name,
        tuple(map(frozenset, kinds)),
        tuple(_literal(vocabulary, name, terms) for sign, name, terms in needed if sign and name != "="),
        tuple(_literal(vocabulary, name, terms) for sign, name, terms in needed if not sign and name != "="),
        tuple((terms[0], terms[1]) for sign, name, terms in needed if sign and name == "="),
        tuple((terms[0], terms[1]) for sign, name, terms in needed if not sign and name == "="),
        tuple(adds),
        tuple(deletes),
    )


def _terms(atom: Atom, places: Mapping[str, int], objects: Mapping[str, int]) -> tuple[Term, ...]:
    return tuple(places[term] if term in places else ~objects[term] for term in atom.terms)


def _literal(vocabulary: Vocabulary, name: str, terms: tuple[Term, ...]) -> Literal:
    return Literal(vocabulary.index[name], terms, not vocabulary[name].static)


@dataclass(frozen=True)
class StripsStep:
    """A ground action: what must hold, what must not, what it adds and deletes; fluent atoms only."""

    step: Step
    needs: frozenset[int]
    forbids: frozenset[int]
    adds: frozenset[int]
    deletes: frozenset[int]

    def applicable(self, atoms: set[int] | frozenset[int]) -> bool:
        return self.needs <= atoms and self.forbids.isdisjoint(atoms)


def strips_steps(task: Task, steps: tuple[Step, ...]) -> list[StripsStep] | None:
    """The steps of a plan for the task; None where an action or the goal is more than STRIPS."""
    if not supports(task):
        return None
    structure = searched_structure(task)
    encode, places = structure.encode, structure.object_index
    schemas = {schema.name: schema for schema in compile_schemas(task, structure)}

    def ground(step: Step) -> StripsStep:
        objects, schema = [places[name] for name in step.arguments], schemas[step.action]

        def atoms(literals: Iterable[Literal]) -> frozenset[int]:
            return frozenset(
                [
                    encode(part.symbol, [objects[term] if term >= 0 else ~term for term in part.terms])
                    for part in literals
                    if part.fluent
                ]
            )

        adds = atoms(schema.adds)
        return StripsStep(
            step, atoms(schema.positive), atoms(schema.negative), adds, atoms(schema.deletes) - adds
        )

    known = {step: ground(step) for step in dict.fromkeys(steps)}
    return [known[step] for step in steps]
