"""Applicable actions that the engine overlooks, found by our own executor.

The engine notes the change of a number by a conditional effect that does not fire, and then takes another
change of the number for a conflict with it. Applying such an action it does right.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from trailmark.task import model as pddl
from trailmark.task.executor import ADDITIVE, Executor

if TYPE_CHECKING:
    from trailmark.task.states import State
    from trailmark.task.task import Task


def may_be_overlooked(schema: pddl.ActionSchema) -> bool:
    """Whether a number is changed in several effects, some of them conditional and some that do not add."""
    changes: dict[str, list[tuple[str, bool, bool]]] = defaultdict(list)
    for effect, conditional, repeated in _changes(schema.effects, False, ()):
        changes[effect.target.function].append((effect.operator, conditional, repeated))
    return any(
        (len(group) > 1 or any(repeated for _, _, repeated in group))
        and any(conditional for _, conditional, _ in group)
        and any(operator not in ADDITIVE for operator, _, _ in group)
        for group in changes.values()
    )


def _changes(
    effects: Iterable[pddl.Effect], conditional: bool, variables: tuple[str, ...]
) -> Iterator[tuple[pddl.Assign, bool, bool]]:
    """Every change of a number, whether it is conditional, and whether a quantifier repeats it."""
    for effect in effects:
        if isinstance(effect, pddl.When):
            yield from _changes(effect.effects, True, variables)
        elif isinstance(effect, pddl.ForallEffect):
            names = (parameter.name for parameter in effect.parameters)
            yield from _changes(effect.effects, conditional, (*variables, *names))
        elif isinstance(effect, pddl.Assign):
            distinct = len(set(variables) & set(effect.target.terms)) == len(variables)
            yield effect, conditional, not distinct


class Overlooked:
    """The native actions of the schemas that the engine may overlook. Slow: every binding is tried."""

    def __init__(self, task: Task, schemas: Iterable[pddl.ActionSchema]) -> None:
        engine = task.engine
        positions = {schema.name: place for place, schema in enumerate(task.domain.model.actions)}
        natives = {action.get_name(): action for action in engine.problem.get_domain().get_actions()}
        self._schemas = [(schema, natives[f"a{positions[schema.name]}"]) for schema in schemas]
        self._objects = {
            name: engine.problem.get_problem_or_domain_object(f"o{place}")
            for place, name in enumerate(task.object_types)
        }
        self._executor = Executor(task)
        self._engine = engine

    def applicable(self, state: State) -> Iterator[Any]:
        """The applicable ones; steps that would change a number in two ways at once are among them."""
        world = self._executor.world(state)
        for schema, native in self._schemas:
            for binding in self._executor.bindings(schema.parameters, {}):
                if self._executor.holds(schema.precondition, binding, world):
                    arguments = [self._objects[binding[each.name]] for each in schema.parameters]
                    yield self._engine.ground_action(native, arguments)
