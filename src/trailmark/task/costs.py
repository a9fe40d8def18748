"""What a step costs where the engine does not say: the metric after it minus the metric before it.

Also whether it has a meaning at all: the engine lets a step assign a number twice.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product
from math import prod
from typing import TYPE_CHECKING

from trailmark.errors import PddlError, Place
from trailmark.task import model as pddl
from trailmark.task import walks
from trailmark.task.executor import Executor, Undefined, World, number_text

if TYPE_CHECKING:
    from trailmark.task.states import GroundAction, State
    from trailmark.task.task import Task

StepCost = Callable[["State", "GroundAction"], float | None]
"""None for a step without a meaning."""


def step_cost(task: Task) -> StepCost | None:
    """The cost of an action in a state by our own executor, which is slow; None where the engine is right
    about costs and about the steps that have a meaning."""
    metric = task.model.minimize
    plain = metric is None or (
        walks.has_engine_costs(task.domain.model, task.model) and not _lacks_costs(task)
    )
    plain = plain and walks.changed_numbers(task.domain.model) <= {pddl.TOTAL_COST}
    if plain and not any(map(walks.may_be_overlooked, task.domain.model.actions)):
        return None
    executor = Executor(task)

    def cost(state: State, action: GroundAction) -> float | None:
        step = action.step
        world = executor.world(state)
        schema = executor.schemas[step.action]
        before = _value(executor, metric, world)
        try:
            executor.apply(schema, schema.binding(step.arguments), world)
        except Undefined:
            return None
        # Where the metric has no value yet it counts as 0; only the last state needs one.
        return 1.0 if metric is None else (_value(executor, metric, world) or 0.0) - (before or 0.0)

    return cost


def metric_test(task: Task) -> Callable[[State], bool] | None:
    """Whether the metric has a value in a state, as the last one of a plan must; None where it always has."""
    metric = task.model.minimize
    if metric is None or not (any(_without_value(task.model)) or _divides(metric)):
        return None
    executor = Executor(task)
    return lambda state: _value(executor, metric, executor.world(state)) is not None


def check_metric(domain: pddl.DomainModel, problem: pddl.ProblemModel, source: str) -> None:
    """Raises where the metric can never have a value."""
    changes = (effect for effect in walks.changes_in(domain) if isinstance(effect, pddl.Assign))
    given = {effect.target.function for effect in changes if effect.operator == "assign"}
    for term in _without_value(problem):
        if term.function not in given:
            raise PddlError(
                f"the metric reads {number_text(term, {})}, which has no value and gets none",
                place=Place(source),
                hint="give it one in :init",
            )


def _without_value(problem: pddl.ProblemModel) -> Iterator[pddl.FunctionTerm]:
    """What the metric reads that has no value at first; the total cost starts at 0."""
    known = {term for term, _ in problem.initial_values}
    for term in walks.terms_in(problem.minimize):
        if term.function != pddl.TOTAL_COST and term not in known:
            yield term


def _divides(value: pddl.NumericExpression) -> bool:
    return any(isinstance(part, pddl.Arithmetic) and part.operator == "/" for part in walks.walk(value))


def _value(executor: Executor, metric: pddl.NumericExpression | None, world: World) -> float | None:
    try:
        return None if metric is None else executor.number(metric, {}, world)
    except Undefined:
        return None


def with_defined_costs(task: Task) -> tuple[pddl.DomainModel, pddl.ProblemModel]:
    """The task as searches read it: an action also needs a static predicate that holds of the objects for
    which its cost has a value. The engine takes a step without a cost for one that changes nothing.

    Predicates are added behind all others, under names that no PDDL has, and none where every cost has
    a value.
    """
    domain, problem = task.domain.model, task.model
    needed = {schema.name: list(_doubtful(task, schema, schema.effects)) for schema in domain.actions}
    names = {term.function for terms in needed.values() for term in terms}
    predicates = [
        pddl.Signature(_has_value(function.name), function.parameters)
        for function in domain.functions
        if function.name in names
    ]
    actions = [
        replace(schema, precondition=pddl.And((schema.precondition, *map(_defined, needed[schema.name]))))
        if needed[schema.name]
        else schema
        for schema in domain.actions
    ]
    facts = [_defined(term) for term, _ in problem.initial_values if term.function in names]
    return (
        replace(domain, predicates=(*domain.predicates, *predicates), actions=tuple(actions)),
        replace(problem, initial_atoms=(*problem.initial_atoms, *facts)),
    )


def _lacks_costs(task: Task) -> bool:
    """Whether an action may have a cost without a value under some condition only, so that no static
    precondition can say so."""
    return any(
        any(_doubtful(task, schema, walks.walk(part)))
        for schema in task.domain.model.actions
        for part in schema.effects
        if isinstance(part, pddl.When | pddl.ForallEffect)
    )


def _minimizes_cost(task: Task) -> bool:
    return any(term.function == pddl.TOTAL_COST for term in walks.terms_in(task.model.minimize))


def _doubtful(
    task: Task, schema: pddl.ActionSchema, effects: Iterable[walks.Part]
) -> Iterator[pddl.FunctionTerm]:
    """The terms in costs that may have no value, of those that no action changes; none where cost does not
    count."""
    if not _minimizes_cost(task):
        return
    known = {(term.function, *term.terms) for term, _ in task.model.initial_values}
    changing = walks.changed_numbers(task.domain.model)
    for term in walks.terms_in(*(change.value for change in _cost_changes(effects))):
        if term.function not in changing and not _all_known(task, schema, term, known):
            yield term


def _cost_changes(effects: Iterable[walks.Part]) -> list[pddl.Assign]:
    changes = (effect for effect in effects if isinstance(effect, pddl.Assign))
    return [change for change in changes if change.target.function == pddl.TOTAL_COST]


def _has_value(function: str) -> str:
    return f"{function} has a value"


def _defined(term: pddl.FunctionTerm) -> pddl.Atom:
    return pddl.Atom(_has_value(term.function), term.terms)


def _all_known(
    task: Task, schema: pddl.ActionSchema, term: pddl.FunctionTerm, known: set[tuple[str, ...]]
) -> bool:
    """Whether the term has a value for all objects that a static precondition, or else its types, admit."""
    variables = {parameter.name: parameter.types for parameter in schema.parameters}
    wanted = [name for name in term.terms if name in variables]

    def is_known(binding: Mapping[str, str]) -> bool:
        return (term.function, *(binding.get(name, name) for name in term.terms)) in known

    for needed in walks.positive_atoms(schema.precondition):
        if needed.predicate not in task.domain.changing_predicates and set(wanted) <= set(needed.terms):
            facts = [fact for fact in task.model.initial_atoms if fact.predicate == needed.predicate]
            if all(is_known(dict(zip(needed.terms, fact.terms, strict=True))) for fact in facts):
                return True
    admitted = [task.objects_of(variables[variable]) for variable in wanted]
    return prod(map(len, admitted)) <= len(known) and all(
        is_known(dict(zip(wanted, objects, strict=True))) for objects in product(*admitted)
    )


def least_step_cost(task: Task) -> float:
    """What every step costs at least; 0 where the effects do not tell it."""
    if task.model.minimize is None:
        return 1.0
    if task.model.minimize != pddl.FunctionTerm(pddl.TOTAL_COST, ()):
        return 0.0
    return max(0.0, min((_least(task, schema) for schema in task.domain.model.actions), default=0.0))


def _least(task: Task, schema: pddl.ActionSchema) -> float:
    """Of what the action adds to the total cost whatever holds, the least for any objects."""
    least = 0.0
    for change in _cost_changes(schema.effects):
        if change.operator != "increase":
            return 0.0
        if isinstance(change.value, pddl.Number):
            least += change.value.value
        elif isinstance(change.value, pddl.FunctionTerm):
            name = change.value.function
            known = [value for term, value in task.model.initial_values if term.function == name]
            least += min(known, default=0.0)
    return least


def table_costs(task: Task) -> list[Callable[[Sequence[int]], float] | None]:
    """For each action schema what a step with these objects costs, where a table says it; None where all its
    steps cost the same, or where more than a table decides."""
    if not _minimizes_cost(task):
        return [None] * len(task.domain.model.actions)
    return [_table_cost(task, schema) for schema in task.domain.model.actions]


def _table_cost(task: Task, schema: pddl.ActionSchema) -> Callable[[Sequence[int]], float] | None:
    changes = _cost_changes(schema.effects)
    term = changes[0].value if len(changes) == 1 else None
    if not isinstance(term, pddl.FunctionTerm):
        return None
    parameters = [parameter.name for parameter in schema.parameters]
    if not term.terms or not set(term.terms) <= set(parameters):
        return None
    index = task.structure.object_index
    known = {
        tuple(index[name] for name in fact.terms): value
        for fact, value in task.model.initial_values
        if fact.function == term.function
    }
    places = [parameters.index(name) for name in term.terms]
    return lambda objects: known.get(tuple(objects[place] for place in places), math.inf)
