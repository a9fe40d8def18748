"""What training plans do to make passes, found without knowing the domains."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from tests.report.models import NAMES, counter_model, instances
from trailmark.domains import domain_text, further_names, names, train_problems
from trailmark.landmarks.satisfaction import values_along
from trailmark.learning.learner import LandmarkLearner
from trailmark.learning.options import LearnOptions
from trailmark.learning.passes import TrainingPlan, pass_ends
from trailmark.learning.practice import learn_practice
from trailmark.learning.sources import EmbeddedSearch, collect_plans
from trailmark.learning.training import TrainingInstance
from trailmark.limits import Budget
from trailmark.models import Model, dumps, loads
from trailmark.models.practice import Way
from trailmark.programs import Program, parse_program
from trailmark.report import model_text, outline
from trailmark.task import Domain, Task


def in_order(way: Way, actions: Sequence[str]) -> bool:
    """Whether a pass with these actions is told by the way, and in its order."""
    named = [{share.name for share in step.actions} for step in way.steps]
    if not set(actions) <= set().union(*named) or actions[-1] not in named[-1]:
        return False
    alone = [
        (place, step)
        for place, step in enumerate(named)
        if not way.steps[place].group and sum(bool(step & other) for other in named) == 1
    ]
    places = [(place, at) for place, step in alone for at, name in enumerate(actions) if name in step]
    return all(at < other for place, at in places for later, other in places if place < later)


def assert_every_pass_is_told(model: Model, training: Sequence[TrainingInstance]) -> None:
    """Each pass has its actions, in an order that no plan contradicts, and each counter its subject."""
    assert isinstance(model.guidance, Program)
    assert model.practice is not None
    plans = [TrainingPlan(instance, "") for instance in training]
    found: list[list[list[str]]] = [[] for _ in model.guidance.counters]
    for plan in plans:
        values = values_along(model.guidance, plan.path.structure, plan.path.states)
        for one in plan.passes(0, pass_ends(model.guidance, values)):
            found[one.counter].append([plan.steps[deed.step].action for deed in one.deeds])
    told = outline(model).telling
    assert told is not None
    for known, passes, words in zip(model.practice.passes, found, told.passes, strict=True):
        assert known.passes == len(passes)
        if not passes:
            continue
        assert known.subject
        assert {share.name for share in known.falls[0].actions} == {actions[-1] for actions in passes}
        assert sum(way.passes for way in known.ways) + known.others == len(passes)
        assert words.actions
        assert known.example
        for way, line in zip(known.ways, words.ways, strict=True):
            assert all(step.actions and 0 < step.passes <= way.passes for step in way.steps)
            assert all(step.text.count("`") >= 2 for step in line.steps)


@pytest.mark.parametrize("name", NAMES)
def test_every_pass_is_told_by_its_actions(name: str) -> None:
    assert_every_pass_is_told(counter_model(name), instances(name))


@pytest.mark.parametrize("name", ["delivery", "ferry", "miconic", "newspapers"])
def test_the_order_of_a_way_contradicts_no_plan(name: str) -> None:
    model = counter_model(name)
    assert isinstance(model.guidance, Program)
    assert model.practice is not None
    for instance in instances(name):
        plan = TrainingPlan(instance, "")
        values = values_along(model.guidance, plan.path.structure, plan.path.states)
        for one in plan.passes(0, pass_ends(model.guidance, values)):
            actions = [plan.steps[deed.step].action for deed in one.deeds]
            assert any(in_order(way, actions) for way in model.practice.passes[one.counter].ways)


def test_delivery_is_told_as_a_person_would() -> None:
    program = parse_program("counter n_count(r_diff(r_primitive(at_g,0,1),r_primitive(at,0,1)))")
    practice = learn_practice(program, instances("delivery"), ["t01", "t02", "t03", "t04", "t05"])
    text = model_text(replace(counter_model("delivery"), guidance=program, practice=practice))
    assert "Each pass is about one package not yet at its goal cell:" in text
    steps = [text.index(action) for action in ("`move`", "`pick-package`", "`drop-package`")]
    assert steps == sorted(steps)


def test_a_pass_is_told_by_itself_where_a_plan_makes_several_at_once() -> None:
    known = counter_model("miconic").practice
    assert known is not None
    (way,) = known.passes[0].ways
    assert known.passes[0].together > 0
    assert [step.actions[0].name for step in way.steps] == ["board", "depart"]
    assert all(step.passes == way.passes for step in way.steps)


def test_the_model_file_keeps_it_and_older_files_say_what_they_lack() -> None:
    model = counter_model("ferry")
    assert loads(dumps(model)).practice == model.practice
    older = loads(dumps(replace(model, practice=None)))
    assert older.practice is None
    assert "does not say by which actions passes are made" in model_text(older)


@pytest.mark.slow
@pytest.mark.parametrize("name", [*names(), *further_names()])
def test_every_pass_of_every_domain_is_told(name: str) -> None:
    known = Domain.parse(domain_text(name))
    tasks = [Task.parse(known, text) for text in train_problems(name)]
    found = collect_plans([EmbeddedSearch()] * len(tasks), tasks, seconds=60.0)
    pairs = zip(tasks, found, strict=True)
    training = [TrainingInstance(task, each.plan) for task, each in pairs if each.plan is not None]
    model = LandmarkLearner(LearnOptions(method="counter")).fit(training, Budget(120.0)).model_
    assert_every_pass_is_told(model, training)
