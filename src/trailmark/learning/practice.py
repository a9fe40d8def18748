"""What training plans do to make the passes of a program, as reports tell it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from statistics import mean, median_low

from trailmark.features.batch import evaluate, left
from trailmark.features.states import state_batch
from trailmark.features.syntax import Expression
from trailmark.landmarks.progression import graph_values
from trailmark.learning.cast import known_action
from trailmark.learning.nouns import Nouns
from trailmark.learning.passes import PassEnd, PlanPass, TrainingPlan
from trailmark.learning.remarks import ended_before, follows, lost, one_way, pass_orders, serves
from trailmark.learning.training import TrainingInstance
from trailmark.learning.ways import shares, ways
from trailmark.models.practice import RARE, Fall, PassPractice, Practice, Shares, SubjectGoal
from trailmark.programs.program import Counter as ProgramCounter
from trailmark.programs.program import Program

Steps = Set[tuple[int, int]]
"""Steps of plans: the plan, and the place of the step."""

FEWEST_GOALS = 2
"""Where no plan reaches so many, the steps of counters end passes too."""


def learn_practice(program: Program, instances: Sequence[TrainingInstance], names: Sequence[str]) -> Practice:
    """How these plans reach their goals, and what the program's counters notice of it; the names are those
    of the plans' problems."""
    study = _Study(program, list(map(TrainingPlan, instances, names)))
    actions = study.plans[0].task.domain.model.actions
    used = {step.action for plan in study.plans for step in plan.steps}
    return Practice(
        plans=len(study.plans),
        passes=tuple(study.kind(own, study.groups[:place]) for place, own in enumerate(study.groups)),
        counters=tuple(study.falls(counter) for counter in program.counters),
        unnoticed=study.unnoticed(),
        unused=tuple(action.name for action in actions if action.name not in used),
        lost=tuple(lost(study.plans, study.groups)),
        one_way=tuple(one_way(study.plans)),
        actions=tuple(map(known_action, actions)),
    )


class _Study:
    """The training plans, replayed with a program."""

    def __init__(self, program: Program, plans: Sequence[TrainingPlan]) -> None:
        self.program = program
        self.plans = plans
        paths = [plan.path for plan in plans]
        batch = state_batch([(path.structure, path.states) for path in paths])
        self.values = graph_values(program, evaluate(program.features, batch))
        self.nouns = Nouns(plans[0].task.domain, paths)
        ends = [plan.goal_ends() for plan in plans]
        if max(map(len, ends)) < FEWEST_GOALS:
            ends = [self._with_counters(place, known) for place, known in enumerate(ends)]
        self.groups = self._grouped(ends)
        self.passes = [plan_pass for group in self.groups for plan_pass in group]

    def _with_counters(self, plan: int, ends: Sequence[PassEnd]) -> list[PassEnd]:
        """These ends, and the steps with which the first feature of a counter reaches a new least value."""
        found = {end.step: end for end in ends}
        for counter in self.program.counters:
            for step in self._new_lows(plan, counter.features[0]):
                gone = self._leaving(plan, step, counter.features[0])
                found.setdefault(step, PassEnd(step, next(iter(gone), None)))
        return [found[step] for step in sorted(found)]

    def _new_lows(self, plan: int, feature: Expression, ends: Steps = frozenset()) -> Iterator[int]:
        """The steps of a plan that bring a value below all before, since the last of the given ends."""
        values = [state[self.program.feature_index[feature]] for state in self.values[plan]]
        least = values[0]
        for step, value in enumerate(values[1:]):
            if value < least and (plan, step) not in ends:
                yield step
            least = value if (plan, step) in ends else min(least, value)

    def _grouped(self, ends: Sequence[Sequence[PassEnd]]) -> list[list[PlanPass]]:
        """The passes by the kind of their object and what they reach, in the order of time."""
        groups: dict[tuple[str, frozenset[str]], list[PlanPass]] = {}
        for place, plan in enumerate(self.plans):
            for plan_pass in plan.passes(place, ends[place]):
                kind = self.nouns.kind((place, plan_pass.end.subject)) if plan_pass.end.subject else ""
                goals = frozenset(goal.predicate for goal in plan_pass.end.goals)
                groups.setdefault((kind, goals), []).append(plan_pass)

        def rank(item: tuple[tuple[str, frozenset[str]], list[PlanPass]]) -> tuple[int, float]:
            (kind, _), own = item
            others = [
                follows(own, other) if at == kind else serves(own, other, self.nouns)
                for (at, _), other in groups.items()
            ]
            return sum(others), mean(member.end.step / len(member.source.steps) for member in own)

        return [own for _, own in sorted(groups.items(), key=rank)]

    def kind(self, own: Sequence[PlanPass], before: Sequence[Sequence[PlanPass]]) -> PassPractice:
        told, members = ways(own, self.nouns)
        known = [(one.plan, one.end.subject) for one in own if one.end.subject is not None]
        lengths = sorted(len(plan_pass.steps) for plan_pass in own)
        plans = {plan_pass.plan for plan_pass in own}
        by_plan = [[plan_pass for plan_pass in own if plan_pass.plan == plan] for plan in plans]
        several = [group for group in by_plan if len(group) > 1]
        often = [step for step in told[0].steps if RARE * step.passes >= told[0].passes]
        usual = {name for step in often for name in step.names}
        shown = min(
            members[0],
            key=lambda plan_pass: (
                not plan_pass.is_whole,
                -len(usual & {plan_pass.source.steps[step].action for step in plan_pass.steps}),
                len(plan_pass.source.steps),
                plan_pass.end.step,
            ),
        )
        steps = [shown.source.steps[step] for step in shown.steps]
        return PassPractice(
            subject=self.nouns.of(known) if known else "",
            goals=tuple(_goals(own)),
            passes=len(own),
            plans=len(plans),
            steps=(lengths[0], median_low(lengths), lengths[-1]),
            ways=told,
            others=len(own) - sum(way.passes for way in told),
            together=sum(_is_mixed(group, all) for group in several),
            mixed=sum(_is_mixed(group, any) for group in several),
            several=len(several),
            after=ended_before(own, before),
            orders=tuple(pass_orders(own, self.plans)),
            repeated=len(known) > len(set(known)),
            example=tuple(" ".join((step.action, *step.arguments)) for step in steps),
            example_from=shown.source.name + ", without the steps of other passes" * (not shown.is_whole),
        )

    def falls(self, counter: ProgramCounter) -> tuple[Fall, ...]:
        """How each feature of a counter falls; a further one is looked at inside passes alone."""
        first, *further = counter.features
        plans = range(len(self.plans))
        ends = {(plan, step) for plan in plans for step in self._new_lows(plan, first)}
        inner = [
            {(plan, step) for plan in plans for step in self._new_lows(plan, feature, ends)}
            for feature in further
        ]
        return tuple(map(self._fall, counter.features, [ends, *inner]))

    def _fall(self, feature: Expression, steps: Steps) -> Fall:
        """How a feature falls in these steps."""
        actions = Counter(self.plans[plan].steps[step].action for plan, step in steps)
        gone = [(plan, name) for plan, step in steps for name in self._leaving(plan, step, feature)]
        return Fall(actions=shares(actions), noun=self.nouns.of(gone) if gone else "")

    def _leaving(self, plan: int, step: int, feature: Expression) -> list[str]:
        """The object that leaves the count, best one that the action names."""
        path = self.plans[plan].path
        gone = left(feature, path.structure, path.states[step], path.states[step + 1])
        return [name for name in self.plans[plan].steps[step].arguments if name in gone][:1] or gone[:1]

    def unnoticed(self) -> Shares:
        """Actions that serve no pass, by the number of plans."""
        serving = {one.source.steps[step].action for one in self.passes for step in one.steps}
        used = [{done.action for done in plan.steps} for plan in self.plans]
        return shares(Counter(name for names in used for name in names - serving))


def _goals(passes: Sequence[PlanPass]) -> Iterator[SubjectGoal]:
    """What the passes reach for their subject, and how many of them."""
    found = Counter(
        (goal.predicate, goal.objects.index(plan_pass.end.subject), goal.holds)
        for plan_pass in passes
        for goal in plan_pass.end.goals
        if plan_pass.end.subject in goal.objects
    )
    for (name, place, holds), times in sorted(found.items()):
        yield SubjectGoal(predicate=name, place=place, holds=holds, times=times)


def _is_mixed(passes: Sequence[PlanPass], which: Callable[[Iterable[bool]], bool]) -> bool:
    """Whether all or any of the later passes begin with an action of their own before the first one ends."""
    first, *later = sorted(passes, key=lambda plan_pass: plan_pass.end.step)
    shared = Counter(deed.step for plan_pass in passes for deed in plan_pass.deeds)
    begins = [[deed.step for deed in plan_pass.deeds if shared[deed.step] == 1] for plan_pass in later]
    return which(len(own) > 1 and own[0] < first.end.step for own in begins)
