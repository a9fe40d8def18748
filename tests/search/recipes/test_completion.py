"""Completing: objects for literals, as many as are asked for and no more than are affordable."""

from __future__ import annotations

from tests.search.recipes.worlds import world_of
from tests.search.tasks import domain
from trailmark.domains import generate
from trailmark.search.recipes.completion import MOST_CHOICES, ROWS, Completion
from trailmark.task import Task


def test_choosing_objects_ends_where_there_are_too_many_choices() -> None:
    world = world_of(Task.parse(domain("gripper"), generate("gripper", 1, balls=20)))
    structure = world.actions.structure
    at = structure.vocabulary.index["at"]
    pairs = 6
    literals = tuple((at, (2 * pair, 2 * pair + 1)) for pair in range(pairs))
    allowed = [frozenset(range(len(structure.objects)))] * (2 * pairs)
    completion = Completion(world.actions, world.execution())
    few = literals[:2]
    assert len(list(completion.completed(few, [None] * 4, allowed))) == ROWS**2
    assert ROWS**pairs > MOST_CHOICES
    first, second = (list(completion.completed(literals, [None] * 2 * pairs, allowed)) for _ in range(2))
    assert MOST_CHOICES / 2 < len(first) < MOST_CHOICES
    assert first == second
    for objects, missing, _ in first:
        assert missing == 0
        assert all(world.execution().holds(at, objects[2 * pair : 2 * pair + 2]) for pair in range(pairs))
