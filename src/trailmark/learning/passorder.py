"""Which of two related objects has its pass first, where all training plans agree."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from trailmark.learning.passes import PlanPass, TrainingPlan
from trailmark.models.practice import PassOrder

FEWEST_PAIRS = 3
"""Fewer pairs of passes may have their order by chance."""
MOST_ORDERS = 2


def pass_orders(passes: Sequence[PlanPass], plans: Sequence[TrainingPlan]) -> list[PassOrder]:
    """The orders that goals, static facts or facts of the beginning give and no plan contradicts."""
    seen: dict[tuple[bool, str], list[tuple[int, bool]]] = {}
    for plan in {each.plan for each in passes}:
        own = sorted((each for each in passes if each.plan == plan), key=lambda each: each.end.step)
        related = list(_related(plans[plan]))
        index = plans[plan].path.structure.object_index
        for one, two in combinations(own, 2):
            if one.end.subject is None or two.end.subject is None or one.end.subject == two.end.subject:
                continue
            pair = index[one.end.subject], index[two.end.subject]
            for goal, name, *objects in related:
                if tuple(objects) in (pair, pair[::-1]):
                    seen.setdefault((goal, name), []).append((plan, tuple(objects) == pair))
    found = [
        PassOrder(predicate=name, goal=goal, forward=pairs[0][1], times=len(pairs))
        for (goal, name), pairs in sorted(seen.items(), key=lambda item: (not item[0][0], -len(item[1])))
        if len(pairs) >= FEWEST_PAIRS and len({forward for _, forward in pairs}) == 1
    ]
    return found[:MOST_ORDERS]


def _related(plan: TrainingPlan) -> Iterator[tuple[bool, str, int, int]]:
    """What relates two objects from the beginning: by a goal or not, the predicate and the objects."""
    structure = plan.path.structure
    symbols = structure.vocabulary.symbols
    for atom in (*structure.static_atoms, *plan.atoms(0)):
        symbol, objects = structure.decode(atom)
        if len(objects) == 2:
            goal = symbols[symbol].goal_of
            yield goal is not None, goal or symbols[symbol].name, objects[0], objects[1]
