"""What a step costs where the engine does not say: the metric after it minus the metric before it.

Also whether it has a meaning at all: the engine lets a step assign a number twice.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from math import prod
from typing import TYPE_CHECKING

from trailmark.task.executor import Executor, Undefined
from trailmark.task.grounding import positive_atoms
from trailmark.task.model import TOTAL_COST, ActionSchema, Assign, FunctionTerm, Number
from trailmark.task.walks import subeffects, terms_in

if TYPE_CHECKING:
    from trailmark.task.task import GroundAction, State, Task

StepCost = Callable[["State", "GroundAction"], float | None]
"""None for a step without a meaning."""


def step_cost(task: Task) -> StepCost:
    """The cost of an action in a state, by our own executor; slow, and for numeric tasks only."""
    metric = task.model.minimize
    executor = Executor(task)

    def cost(state: State, action: GroundAction) -> float | None:
        step = action.step
        world = executor.world(state)
        world.numbers.setdefault((TOTAL_COST,), 0.0)
        schema = executor.schemas[step.action]
        binding = dict(zip((each.name for each in schema.parameters), step.arguments, strict=True))
        try:
            before = 0.0 if metric is None else executor.number(metric, {}, world)
            executor.apply(schema, binding, world)
            return 1.0 if metric is None else executor.number(metric, {}, world) - before
        except Undefined:
            return None

    return cost


def lacks_costs(task: Task) -> str | None:
    """An action whose cost may have no value, so that its precondition is not all it needs; None
    where there is none, or where no metric asks for the cost. The engine takes such a step for one
    that changes nothing."""
    minimize = task.model.minimize
    if minimize is None or all(term.function != TOTAL_COST for term in terms_in(minimize)):
        return None
    known = {(term.function, *term.terms) for term, _ in task.model.initial_values}
    for schema in task.domain.model.actions:
        for effect in subeffects(schema.effects):
            if isinstance(effect, Assign) and effect.target.function == TOTAL_COST:
                for term in terms_in(effect.value):
                    if not _all_known(task, schema, term, known):
                        return schema.name
    return None


def _all_known(task: Task, schema: ActionSchema, term: FunctionTerm, known: set[tuple[str, ...]]) -> bool:
    """Whether the term has a value for all objects that a static precondition, or else its types, admit."""
    variables = {each.name: each.types for each in schema.parameters}
    wanted = [each for each in term.terms if each in variables]
    for fact in positive_atoms(schema.precondition):
        if fact.predicate not in task.domain.changing_predicates and set(wanted) <= set(fact.terms):
            bindings = [
                dict(zip(fact.terms, each.terms, strict=True))
                for each in task.model.initial_atoms
                if each.predicate == fact.predicate
            ]
            if all(
                (term.function, *(each.get(name, name) for name in term.terms)) in known for each in bindings
            ):
                return True
    admitted = [
        [name for name, kinds in task.object_types.items() if not kinds.isdisjoint(variables[each])]
        for each in wanted
    ]
    if prod(map(len, admitted)) > len(known):
        return False
    return all(
        (term.function, *(dict(zip(wanted, objects, strict=True)).get(name, name) for name in term.terms))
        in known
        for objects in product(*admitted)
    )


def least_step_cost(task: Task) -> float:
    """What every step costs at least; 0 where the effects do not tell it."""
    if task.model.minimize is None:
        return 1.0
    if task.model.minimize != FunctionTerm(TOTAL_COST, ()):
        return 0.0
    return max(0.0, min((_least(task, schema) for schema in task.domain.model.actions), default=0.0))


def _least(task: Task, schema: ActionSchema) -> float:
    """Of what the action adds to the total cost whatever holds, the least for any objects."""
    least = 0.0
    for effect in schema.effects:
        if isinstance(effect, Assign) and effect.target.function == TOTAL_COST:
            if effect.operator != "increase":
                return 0.0
            if isinstance(effect.value, Number):
                least += effect.value.value
            elif isinstance(effect.value, FunctionTerm):
                name = effect.value.function
                known = [value for term, value in task.model.initial_values if term.function == name]
                least += min(known, default=0.0)
    return least
