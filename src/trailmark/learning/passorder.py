"""Which of two related objects, and which kind of passes, comes first in the training plans."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from trailmark.learning.nouns import Nouns
from trailmark.learning.passes import PlanPass, TrainingPlan
from trailmark.models.practice import PassOrder

FEWEST_PAIRS = 3
"""Fewer pairs of passes may have their order by chance."""
FEWEST_GOAL_PAIRS = 6
"""The same where the goals of the objects are related, and not they themselves."""
MOST_ORDERS = 2
FEWEST_PLANS = 2
"""So many show that one kind of pass comes after another."""


def pass_orders(passes: Sequence[PlanPass], plans: Sequence[TrainingPlan]) -> list[PassOrder]:
    """The orders that goals, static facts or facts of the beginning give and no plan contradicts."""
    seen: dict[tuple[bool, bool, str], list[tuple[int, bool]]] = {}
    for plan in {plan_pass.plan for plan_pass in passes}:
        own = sorted(
            (plan_pass for plan_pass in passes if plan_pass.plan == plan),
            key=lambda plan_pass: plan_pass.end.step,
        )
        related = list(_related(plans[plan]))
        index = plans[plan].path.structure.object_index
        for one, two in combinations(own, 2):
            if one.end.subject is None or two.end.subject is None or one.end.subject == two.end.subject:
                continue
            ends = [[plan_pass.end.subject, *_wanted(plan_pass)] for plan_pass in (one, two)]
            for wanted, pair in enumerate((index[a], index[b]) for a, b in zip(*ends, strict=False)):
                for goal, name, *objects in related:
                    if tuple(objects) in (pair, pair[::-1]):
                        known = seen.setdefault((bool(wanted), goal, name), [])
                        known.append((plan, tuple(objects) == pair))
    found = [
        PassOrder(predicate=name, goal=goal, forward=pairs[0][1], times=len(pairs), wanted=wanted)
        for (wanted, goal, name), pairs in sorted(
            seen.items(), key=lambda item: (item[0][0], not item[0][1], -len(item[1]))
        )
        if len(pairs) >= (FEWEST_GOAL_PAIRS if wanted else FEWEST_PAIRS)
        and len({forward for _, forward in pairs}) == 1
    ]
    return found[:MOST_ORDERS]


def _wanted(plan_pass: PlanPass) -> list[str]:
    """The other object of a pass's one goal."""
    objects = [name for goal in plan_pass.end.goals for name in goal.objects if name != plan_pass.end.subject]
    return objects if len(objects) == 1 else []


def _related(plan: TrainingPlan) -> Iterator[tuple[bool, str, int, int]]:
    """What relates two objects from the beginning: by a goal or not, the predicate and the objects."""
    structure = plan.path.structure
    symbols = structure.vocabulary.symbols
    for atom in (*structure.static_atoms, *plan.atoms(0)):
        symbol, objects = structure.decode(atom)
        if len(objects) == 2:
            goal = symbols[symbol].goal_of
            yield goal is not None, goal or symbols[symbol].name, objects[0], objects[1]


def serves(own: Sequence[PlanPass], other: Sequence[PlanPass], nouns: Nouns) -> bool:
    """Whether objects of the kind of these passes are used in more of the others than the other way round."""
    used = [0, 0]
    for place, (ones, others) in enumerate(((own, other), (other, own))):
        kinds = {nouns.kind((member.plan, member.end.subject)) for member in ones if member.end.subject}
        for plan_pass in others:
            names = {name for deed in plan_pass.deeds for name in plan_pass.arguments(deed)} - {
                plan_pass.end.subject
            }
            used[place] += any(nouns.kind((plan_pass.plan, name)) in kinds for name in names)
    return used[0] > used[1]


def follows(own: Sequence[PlanPass], other: Sequence[PlanPass]) -> bool:
    """Whether more objects of both have the other pass first."""
    ends = [
        {(plan_pass.plan, plan_pass.end.subject): plan_pass.end.step for plan_pass in passes}
        for passes in (own, other)
    ]
    later = [ends[0][key] - ends[1][key] for key in ends[0].keys() & ends[1].keys()]
    return sum(steps > 0 for steps in later) > sum(steps < 0 for steps in later)


def ended_before(own: Sequence[PlanPass], before: Sequence[Sequence[PlanPass]]) -> int:
    """How many of the kinds before have ended in all plans, two at least, when the first of these ends."""
    count = 0
    for kind in before:
        plans = {plan_pass.plan for plan_pass in own} & {plan_pass.plan for plan_pass in kind}
        done = all(
            max(plan_pass.end.step for plan_pass in kind if plan_pass.plan == plan)
            < min(plan_pass.end.step for plan_pass in own if plan_pass.plan == plan)
            for plan in plans
        )
        if not done or len(plans) < FEWEST_PLANS:
            break
        count += 1
    return count
