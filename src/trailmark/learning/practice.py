"""What training plans do to make the passes of a program, as reports tell it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from statistics import median_low

from trailmark.features.batch import evaluate, left
from trailmark.features.states import state_batch
from trailmark.features.syntax import Expression
from trailmark.landmarks.satisfaction import graph_values
from trailmark.learning.nouns import Nouns
from trailmark.learning.passes import PassEnd, PlanPass, TrainingPlan, pass_ends
from trailmark.learning.simpler import SimplerFeatures, Steps
from trailmark.learning.training import TrainingInstance
from trailmark.learning.ways import shares, ways
from trailmark.models.practice import Fall, Lost, OneWay, PassPractice, Practice, Shares, SubjectGoal
from trailmark.programs.program import Counter as ProgramCounter
from trailmark.programs.program import Program
from trailmark.search.recipes.travel import Move, find_move
from trailmark.task.model import ActionSchema, Add, Delete
from trailmark.task.walks import subeffects


def learn_practice(program: Program, instances: Sequence[TrainingInstance], names: Sequence[str]) -> Practice:
    """How these plans make the program's passes; the names are those of their problems."""
    study = _Study(program, [TrainingPlan(*each) for each in zip(instances, names, strict=True)])
    actions = study.plans[0].task.domain.model.actions
    used = {step.action for plan in study.plans for step in plan.steps}
    beginning, unnoticed, tail = study.beside()
    return Practice(
        plans=len(study.plans),
        passes=tuple(study.counter(place, each) for place, each in enumerate(program.counters)),
        beginning=beginning,
        tail=tail,
        unnoticed=unnoticed,
        unused=tuple(action.name for action in actions if action.name not in used),
        lost=tuple(_lost(actions)),
        one_way=tuple(_one_way(study.plans)),
    )


class _Study:
    """The training plans, replayed with a program."""

    def __init__(self, program: Program, plans: Sequence[TrainingPlan]) -> None:
        self.program = program
        self.plans = plans
        paths = [plan.path for plan in plans]
        self.batch = state_batch([(path.structure, path.states) for path in paths])
        self.values = graph_values(program, evaluate(program.features, self.batch))
        self._known: dict[tuple[int, int, Expression], list[str]] = {}
        self.nouns = Nouns(plans[0].task.domain, paths)
        self.passes = [
            each
            for place, (plan, values) in enumerate(zip(plans, self.values, strict=True))
            for each in plan.passes(place, [self._about(place, end) for end in pass_ends(program, values)])
        ]

    @cached_property
    def simpler(self) -> SimplerFeatures:
        return SimplerFeatures(self.batch, {(each.plan, each.end) for each in self.passes})

    def counter(self, place: int, counter: ProgramCounter) -> PassPractice:
        own = [each for each in self.passes if each.counter == place]
        told, members = ways(own, self.plans, self.nouns) if own else ((), [])
        known = [(each.plan, each.subject) for each in own if each.subject is not None]
        lengths = sorted(each.end - each.first + 1 for each in own) or [0]
        plans = {each.plan for each in own}
        several = [[each for each in own if each.plan == plan] for plan in sorted(plans)]
        several = [group for group in several if len(group) > 1]
        shown = (
            min(members[0], key=lambda each: (len(self.plans[each.plan].steps), each.end))
            if members
            else None
        )
        steps = [] if shown is None else [self.plans[shown.plan].steps[step] for step in shown.steps]
        return PassPractice(
            subject=self.nouns.of(known) if known else "",
            goals=self._goals(own),
            passes=len(own),
            plans=len(plans),
            steps=(lengths[0], median_low(lengths), lengths[-1]),
            ways=told,
            others=sum(map(len, members[len(told) :])),
            falls=tuple(self._fall(place, feature, own) for feature in counter.features),
            together=sum(_is_together(group) for group in several),
            several=len(several),
            example=tuple(" ".join((step.action, *step.arguments)) for step in steps),
            example_from="" if shown is None else self.plans[shown.plan].name,
        )

    def _about(self, plan: int, end: PassEnd) -> PassEnd:
        """The end with the object that the pass is about: the first one of a goal that is achieved for what
        leaves the count; else what leaves it, best one that the action names."""
        arguments = self.plans[plan].steps[end.step].arguments
        gone = self._left(plan, end.step, self.program.counters[end.counter].features[0])
        achieved = [objects for _, *objects in self._achieved(plan, end.step) if objects]
        wanted = [objects[0] for objects in achieved if not gone or set(gone) & set(objects)]
        named = [name for name in arguments if name in gone] or gone
        return replace(end, subject=next(iter([*wanted, *named, *arguments]), None))

    def _left(self, plan: int, step: int, feature: Expression) -> list[str]:
        """The objects that a step takes out of what the feature counts."""
        path = self.plans[plan].path
        known = self._known.get((plan, step, feature))
        if known is None:
            known = left(feature, path.structure, path.states[step], path.states[step + 1])
            self._known[plan, step, feature] = known
        return known

    def _achieved(self, plan: int, step: int) -> list[tuple[str, ...]]:
        """The goals that a step achieves."""
        known = self.plans[plan]
        made = known.atoms(step + 1) - known.atoms(step)
        return sorted(known.path.structure.named(atom) for atom in made & known.task.goal.positive)

    def _goals(self, passes: Sequence[PlanPass]) -> tuple[SubjectGoal, ...]:
        """The goals about the subject that every pass achieves with its last step; where these are different
        ones, all of them."""
        achieved = [
            {
                (name, objects.index(one.subject))
                for name, *objects in self._achieved(one.plan, one.end)
                if one.subject in objects
            }
            for one in passes
        ]
        common = set.intersection(*achieved) if achieved else set()
        if not common and all(achieved):
            common = set().union(*achieved)
        return tuple(SubjectGoal(predicate=name, place=place) for name, place in sorted(common))

    def _fall(self, counter: int, feature: Expression, passes: Sequence[PlanPass]) -> Fall:
        """By which actions a feature falls; a further one is looked at inside passes alone."""
        first = feature is self.program.counters[counter].features[0]
        steps = {(each.plan, each.end) for each in passes} if first else self._inner_falls(feature)
        actions = Counter(self.plans[plan].steps[step].action for plan, step in steps)
        gone = [(plan, name) for plan, step in steps for name in self._leaving(plan, step, feature)]
        simple = self.simpler.like(feature, steps, inside=not first)
        return Fall(
            actions=shares(actions),
            noun=self.nouns.of(gone) if gone else "",
            simple=str(simple[0]) if simple else "",
            gains=bool(simple and simple[1]),
        )

    def _leaving(self, plan: int, step: int, feature: Expression) -> list[str]:
        """The object that leaves the count, where the action names one; else all that do."""
        gone = self._left(plan, step, feature)
        return [each for each in self.plans[plan].steps[step].arguments if each in gone][:1] or gone[:1]

    def _inner_falls(self, feature: Expression) -> Steps:
        place, found = self.program.feature_index[feature], set[tuple[int, int]]()
        ends = {(each.plan, each.end) for each in self.passes}
        for plan, values in enumerate(self.values):
            least = values[0][place]
            for step in range(len(values) - 1):
                value = values[step + 1][place]
                if (plan, step) in ends:
                    least = value
                elif value < least:
                    least = value
                    found.add((plan, step))
        return found

    def beside(self) -> tuple[Shares, Shares, Shares]:
        """Actions that serve no pass, by the number of plans: before all that do, between, and after."""
        parts = Counter[str](), Counter[str](), Counter[str]()
        serving: set[str] = set()
        for place, plan in enumerate(self.plans):
            own = [each for each in self.passes if each.plan == place]
            served = {step for each in own for step in each.steps}
            serving |= {plan.steps[step].action for step in served}
            first, last = min(served, default=0), max((each.end for each in own), default=-1)
            found: list[set[str]] = [set(), set(), set()]
            for step, done in enumerate(plan.steps):
                if step not in served:
                    found[0 if step < first else 1 if step < last else 2].add(done.action)
            for part, names in zip(parts, found, strict=True):
                part.update(names)
        between = Counter({name: times for name, times in parts[1].items() if name not in serving})
        return shares(parts[0]), shares(between), shares(parts[2])


def _lost(actions: Sequence[ActionSchema]) -> Iterator[Lost]:
    """What no action restores, with the actions that take it away."""
    added: set[str] = set()
    deleted: dict[str, dict[str, None]] = {}
    for action in actions:
        for effect in subeffects(action.effects):
            if isinstance(effect, Add):
                added.add(effect.atom.predicate)
            elif isinstance(effect, Delete):
                deleted.setdefault(effect.atom.predicate, {})[action.name] = None
    for name in sorted(deleted.keys() - added):
        yield Lost(predicate=name, actions=tuple(deleted[name]))


def _is_together(passes: Sequence[PlanPass]) -> bool:
    """Whether every pass begins before the first of them ends."""
    first = min(each.end for each in passes)
    return all(len(each.deeds) > 1 and each.deeds[0].step < first for each in passes)


def _one_way(plans: Sequence[TrainingPlan]) -> Iterator[OneWay]:
    """The moves of the plans that no move takes back everywhere, by the static relations they follow."""
    used = {step.action for plan in plans for step in plan.steps}
    found = [find_move(schema) for schema in plans[0].schemas.values()]
    moves = [move for move in found if move is not None]
    for move in moves:
        if move.schema.name not in used:
            continue
        back = [other for other in moves if other.leaves.symbol == move.leaves.symbol]
        steps = without = 0
        for plan in plans:
            pairs = _pairs(plan, move)
            returns = {(there, here) for other in back for here, there in _pairs(plan, other)}
            steps += len(pairs)
            without += len(pairs - returns)
        if without:
            yield OneWay(action=move.schema.name, steps=steps, without_return=without)


def _pairs(plan: TrainingPlan, move: Move) -> set[tuple[int, int]]:
    """From where to where the static relation of a move leads."""
    source, target = move.edge.terms.index(move.source), move.edge.terms.index(move.target)
    facts = plan.path.structure.static_tuples.get(move.edge.symbol, ())
    return {(each[source], each[target]) for each in facts}
