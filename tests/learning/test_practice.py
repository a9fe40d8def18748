"""What training plans do to make passes, found without knowing the domains."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from types import SimpleNamespace
from typing import Any

import pytest
from msgspec.structs import replace as replaced

from tests.report.models import NAMES, counter_model, instances
from trailmark.domains import domain_text, further_names, names, train_problems
from trailmark.learning.journeys import Deed
from trailmark.learning.learner import LandmarkLearner
from trailmark.learning.options import LearnOptions
from trailmark.learning.passes import TrainingPlan
from trailmark.learning.practice import _Study, learn_practice
from trailmark.learning.sources import EmbeddedSearch, collect_plans
from trailmark.learning.training import TrainingInstance
from trailmark.learning.ways import _gather, _Step, _Way
from trailmark.limits import Budget
from trailmark.models.document import dumps
from trailmark.models.model import Model
from trailmark.models.practice import Practice, Way
from trailmark.models.reading import loads
from trailmark.programs.program import Program, parse_program
from trailmark.report import model_text, outline
from trailmark.task import Domain, Task, parse_plan


def in_order(way: Way, actions: Sequence[str]) -> bool:
    """Whether a pass with these actions is told by the way, and in its order."""
    named = [{share.name for share in step.actions} for step in way.steps]
    if not set(actions) <= set().union(*named) or actions[-1] not in named[-1]:
        return False
    alone = [
        (place, step)
        for place, step in enumerate(named)
        if not way.steps[place].group
        and not way.steps[place].roams
        and sum(bool(step & other) for other in named) == 1
    ]
    places = [(place, at) for place, step in alone for at, name in enumerate(actions) if name in step]
    return all(at < other for place, at in places for later, other in places if place < later)


def _without_detours(actions: list[str]) -> list[str]:
    """The actions without what is done, taken back and done again."""
    for place in range(len(actions) - 2):
        if actions[place] == actions[place + 2] != actions[place + 1]:
            return _without_detours(actions[:place] + actions[place + 2 :])
    return actions


def contradictions(practice: Practice, training: Sequence[TrainingInstance]) -> list[str]:
    """Where what is told of passes has no action, or another order than a plan."""
    found: list[str] = []
    passes = [
        [one.action(deed) for deed in one.deeds if not (deed.is_earlier and one.mends(deed))]
        for plan in (TrainingPlan(instance, "") for instance in training)
        for one in plan.passes(0, plan.goal_ends())
    ]
    passes = [_without_detours(actions) for actions in passes]
    ways = [way for known in practice.passes for way in known.ways]
    found += ["a step without an action" for way in ways for step in way.steps if not step.actions]
    found += [f"a kind of pass without a way: {known.subject}" for known in practice.passes if not known.ways]
    left = [actions for actions in passes if not any(in_order(way, actions) for way in ways)]
    if len(left) > sum(known.others for known in practice.passes):
        found += [f"no way has this order: {' '.join(actions)}" for actions in left]
    return found


def assert_every_pass_is_told(model: Model, training: Sequence[TrainingInstance]) -> None:
    """Each pass has its actions in an order that no plan contradicts, and each counter what leaves it."""
    assert isinstance(model.guidance, Program)
    practice, told = model.practice, outline(model).telling
    assert practice is not None
    assert told is not None
    ends = [TrainingPlan(instance, "").goal_ends() for instance in training]
    if max(map(len, ends)) > 1:
        assert sum(known.passes for known in practice.passes) == sum(map(len, ends))
        assert contradictions(practice, training) == []
    for known, words in zip(practice.passes, told.passes, strict=True):
        assert known.subject
        assert sum(way.passes for way in known.ways) + known.others == known.passes
        assert words.actions
        assert known.example[-1].split()[0] in words.actions
        assert all(step.text.count("`") >= 2 for way in words.ways for step in way.steps)
    for counter, falls in zip(model.guidance.counters, practice.counters, strict=True):
        for feature, fall in zip(counter.features, falls, strict=True):
            assert fall.noun or not fall.actions or feature.constructor.name != "n_count"
    lines = [count.text for counter in told.counters for count in counter.counts]
    assert all("about the" in line or "no training plan" in line or "one " in line for line in lines)


@pytest.mark.parametrize("name", NAMES)
def test_every_pass_is_told_by_its_actions(name: str) -> None:
    assert_every_pass_is_told(counter_model(name), instances(name))


@pytest.mark.parametrize("name", ["delivery", "ferry", "miconic", "newspapers"])
def test_steps_in_another_order_or_without_actions_are_found(name: str) -> None:
    practice = counter_model(name).practice
    assert practice is not None
    (known,) = practice.passes
    way = known.ways[0]
    for steps in (way.steps[::-1], way.steps[:-1], (replaced(way.steps[0], actions=()), *way.steps[1:])):
        told = replaced(known, ways=(replaced(way, steps=steps),))
        assert contradictions(replaced(practice, passes=(told,)), instances(name))


def test_delivery_is_told_as_a_person_would() -> None:
    text = model_text(counter_model("delivery"))
    assert "Do this for every package that is not yet at its goal cell" in text
    assert "`move` the truck to the cell the package is at, then `pick-package` the package" in text
    assert "`move` the truck to the package's goal cell, then `drop-package` the package" in text
    assert "A pass is over when the package is at its goal cell" in text


def test_a_pass_is_told_by_itself_where_a_plan_makes_several_at_once() -> None:
    known = counter_model("miconic").practice
    assert known is not None
    (way,) = known.passes[0].ways
    assert known.passes[0].together > 0
    assert [step.actions[0].name for step in way.steps] == ["board", "depart"]
    assert all(step.passes == way.passes for step in way.steps)


TOWERS = """(define (domain towers) (:requirements :strips :typing) (:types block - object)
  (:predicates (on ?a ?b - block) (clear ?a - block) (low ?a - block) (held ?a - block) (free))
  (:action lift :parameters (?a - block) :precondition (and (low ?a) (clear ?a) (free))
    :effect (and (held ?a) (not (low ?a)) (not (clear ?a)) (not (free))))
  (:action take :parameters (?a ?b - block) :precondition (and (on ?a ?b) (clear ?a) (free))
    :effect (and (held ?a) (clear ?b) (not (on ?a ?b)) (not (clear ?a)) (not (free))))
  (:action lay :parameters (?a - block) :precondition (held ?a)
    :effect (and (low ?a) (clear ?a) (free) (not (held ?a))))
  (:action set :parameters (?a ?b - block) :precondition (and (held ?a) (clear ?b))
    :effect (and (on ?a ?b) (clear ?a) (free) (not (held ?a)) (not (clear ?b)))))"""


def test_what_falls_inside_a_pass_falls_anew_in_the_next_one() -> None:
    (feature,) = parse_program("counter n_count(c_primitive(low,0))").features
    program = SimpleNamespace(feature_index={feature: 0})
    study: Any = SimpleNamespace(program=program, values=[[[2], [1], [2], [1], [1], [0]]])
    assert list(_Study._new_lows(study, 0, feature)) == [0, 4]
    assert list(_Study._new_lows(study, 0, feature, {(0, 1)})) == [0, 2, 4]
    assert list(_Study._new_lows(study, 0, feature, {(0, 1), (0, 4)})) == [0, 2]


def test_an_action_in_one_of_two_places_is_told_where_more_passes_have_it() -> None:
    passes: list[Any] = ["one", "two", "three"]
    for often in (0, 1):
        steps = [_Step(("lay",)), _Step(("lay",))]
        for number, plan_pass in enumerate(passes):
            steps[often if number else 1 - often].seen[plan_pass] = Deed(number)
        way = _Way(list(steps), passes)
        _gather(way)
        assert way.steps == [steps[often]]
        assert steps[often].seen.keys() == {*passes}


def towers() -> Practice:
    """Towers of four, of which one block lies on two others in one of the tasks."""
    known = Domain.parse(TOWERS)
    tower = "lift c|set c d|lift b|set b c|lift a|set a b"
    starts = {
        "(low a) (low b) (low c) (low d) (clear a) (clear b) (clear c) (clear d)": tower,
        "(on d c) (low c) (low a) (low b) (clear d) (clear a) (clear b)": f"take d c|lay d|{tower}",
    }
    training = [
        TrainingInstance(
            Task.parse(
                known,
                f"(define (problem p) (:domain towers) (:objects a b c d - block) (:init (free) {start})"
                " (:goal (and (on a b) (on b c) (on c d))))",
            ),
            parse_plan("\n".join(f"({step})" for step in plan.split("|"))),
        )
        for start, plan in starts.items()
    ]
    program = parse_program("counter n_count(r_diff(r_primitive(on_g,0,1),r_primitive(on,0,1)))")
    return learn_practice(program, training, ["p1", "p2"])


def test_what_passes_with_a_step_have_is_told_with_it() -> None:
    (known,) = towers().passes
    (way,) = known.ways
    take = way.steps[0]
    assert [share.name for share in take.actions] == ["take"]
    (when,) = take.when
    assert (when.predicate, when.role, when.holds) == ("clear", 0, False)


def test_the_order_of_passes_is_told_where_goals_give_it() -> None:
    (known,) = towers().passes
    (order,) = known.orders
    assert (order.predicate, order.goal, order.forward, order.times) == ("on", True, False, 4)


def test_the_model_file_keeps_it_and_older_files_say_what_they_lack() -> None:
    model = counter_model("ferry")
    assert loads(dumps(model)).practice == model.practice
    written = dumps(model).replace('"schema_version": 4', '"schema_version": 3')
    older = loads(written)
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


LIBRARY = """(define (domain library) (:requirements :strips :typing) (:types book room cart clerk - object)
  (:predicates (clerk-in ?c - clerk ?r - room) (cart-in ?t - cart ?r - room) (lies-in ?b - book ?r - room)
    (on-cart ?b - book ?t - cart) (torn ?b - book) (intact ?b - book) (shelved ?b - book) (shelf ?r - room))
  (:action walk :parameters (?c - clerk ?a ?b - room) :precondition (clerk-in ?c ?a)
    :effect (and (not (clerk-in ?c ?a)) (clerk-in ?c ?b)))
  (:action push :parameters (?c - clerk ?t - cart ?a ?b - room)
    :precondition (and (clerk-in ?c ?a) (cart-in ?t ?a))
    :effect (and (not (clerk-in ?c ?a)) (clerk-in ?c ?b) (not (cart-in ?t ?a)) (cart-in ?t ?b)))
  (:action load :parameters (?c - clerk ?b - book ?t - cart ?r - room)
    :precondition (and (clerk-in ?c ?r) (cart-in ?t ?r) (lies-in ?b ?r))
    :effect (and (not (lies-in ?b ?r)) (on-cart ?b ?t)))
  (:action mend :parameters (?b - book ?t - cart) :precondition (and (on-cart ?b ?t) (torn ?b))
    :effect (and (not (torn ?b)) (intact ?b)))
  (:action shelve :parameters (?c - clerk ?b - book ?t - cart ?r - room)
    :precondition (and (clerk-in ?c ?r) (cart-in ?t ?r) (on-cart ?b ?t) (intact ?b) (shelf ?r))
    :effect (and (not (on-cart ?b ?t)) (shelved ?b))))"""


SHELVED = parse_program("counter n_count(c_and(c_primitive(shelved_g,0),c_not(c_primitive(shelved,0))))")


@cache
def library() -> Practice:
    """Two books are brought together; in each task one of them is torn."""
    known = Domain.parse(LIBRARY)
    steps = "walk c hall desk|push c t desk hall|load c a t hall|load c b t hall|mend {0} t"
    steps += "|push c t hall attic|shelve c a t attic|shelve c b t attic"
    training = [
        TrainingInstance(
            Task.parse(
                known,
                "(define (problem p) (:domain library) (:objects a b - book hall desk attic - room t - cart"
                " c - clerk) (:init (clerk-in c hall) (cart-in t desk) (lies-in a hall) (lies-in b hall)"
                f" (torn {torn}) (intact {whole}) (shelf attic)) (:goal (and (shelved a) (shelved b))))",
            ),
            parse_plan("\n".join(f"({step})" for step in steps.format(torn).split("|"))),
        )
        for torn, whole in ("ab", "ba", "ab")
    ]
    return learn_practice(SHELVED, training, ["p1", "p2", "p3"])


def test_what_a_step_makes_true_tells_when_it_is_needed() -> None:
    (way,) = library().passes[0].ways
    (mend,) = [step for step in way.steps if step.actions[0].name == "mend"]
    (when,) = mend.when
    assert (when.predicate, when.role, when.holds) == ("intact", 0, False)
    assert mend.passes == way.passes // 2


def test_a_move_that_takes_something_along_is_told_by_what_it_takes() -> None:
    (way,) = library().passes[0].ways
    shelve = way.steps[-1]
    assert [(each.relation, [share.name for share in each.actions]) for each in shelve.approaches] == [
        ("cart-in", ["push"])
    ]


def test_what_is_done_to_one_subject_is_not_told_of_another() -> None:
    (way,) = library().passes[0].ways
    assert [step.actions[0].name for step in way.steps].count("load") == 1
    assert all(step.arguments[1].role == 0 for step in way.steps if step.actions[0].name == "load")


def test_a_step_is_told_with_its_condition_and_a_state_that_it_is_to_end_is_no_loss() -> None:
    known = Domain.parse(LIBRARY)
    model = replace(
        counter_model("delivery"), guidance=SHELVED, practice=library(), vocabulary=known.vocabulary
    )
    text = model_text(model)
    assert "if the book is not intact: `mend` the book" in text
    assert "torn" not in text.partition("Careful")[2]


POST = """(define (domain post) (:requirements :strips :typing)
  (:types parcel van plane site city - object port - site)
  (:predicates (at ?p - parcel ?s - site) (van-at ?v - van ?s - site) (plane-at ?f - plane ?s - port)
    (in-van ?p - parcel ?v - van) (in-plane ?p - parcel ?f - plane) (in-city ?s - site ?c - city))
  (:action drive :parameters (?v - van ?a ?b - site ?c - city)
    :precondition (and (van-at ?v ?a) (in-city ?a ?c) (in-city ?b ?c))
    :effect (and (not (van-at ?v ?a)) (van-at ?v ?b)))
  (:action fly :parameters (?f - plane ?a ?b - port) :precondition (plane-at ?f ?a)
    :effect (and (not (plane-at ?f ?a)) (plane-at ?f ?b)))
  (:action load :parameters (?p - parcel ?v - van ?s - site) :precondition (and (van-at ?v ?s) (at ?p ?s))
    :effect (and (not (at ?p ?s)) (in-van ?p ?v)))
  (:action unload :parameters (?p - parcel ?v - van ?s - site)
    :precondition (and (van-at ?v ?s) (in-van ?p ?v)) :effect (and (not (in-van ?p ?v)) (at ?p ?s)))
  (:action board :parameters (?p - parcel ?f - plane ?s - port)
    :precondition (and (plane-at ?f ?s) (at ?p ?s)) :effect (and (not (at ?p ?s)) (in-plane ?p ?f)))
  (:action leave :parameters (?p - parcel ?f - plane ?s - port)
    :precondition (and (plane-at ?f ?s) (in-plane ?p ?f))
    :effect (and (not (in-plane ?p ?f)) (at ?p ?s))))"""

NEAR = "drive v1 h1 a1 c1|load p v1 a1|drive v1 a1 b1 c1|unload p v1 b1"
FAR = (
    "drive v1 h1 a1 c1|load p v1 a1|drive v1 a1 h1 c1|unload p v1 h1|board p f h1|fly f h1 h2|leave p f h2"
    "|drive v2 b2 h2 c2|load p v2 h2|drive v2 h2 b2 c2|unload p v2 b2"
)


def post() -> Model:
    """One parcel each, to another site of its city or to the other city."""
    known = Domain.parse(POST)
    training = [
        TrainingInstance(
            Task.parse(
                known,
                "(define (problem p) (:domain post) (:objects p - parcel v1 v2 - van f - plane c1 c2 - city"
                " a1 b1 b2 - site h1 h2 - port) (:init (at p a1) (van-at v1 h1) (van-at v2 b2)"
                " (plane-at f h1) (in-city a1 c1) (in-city b1 c1) (in-city h1 c1) (in-city b2 c2)"
                f" (in-city h2 c2)) (:goal (at p {plan.split()[-1]})))",
            ),
            parse_plan("\n".join(f"({step})" for step in plan.split("|"))),
        )
        for plan in (NEAR, FAR, NEAR, FAR)
    ]
    program = parse_program("counter n_count(r_diff(r_primitive(at_g,0,1),r_primitive(at,0,1)))")
    return replace(
        counter_model("delivery"),
        guidance=program,
        vocabulary=known.vocabulary,
        parameter_types=known.parameter_types,
        practice=learn_practice(program, training, ["p1", "p2", "p3", "p4"]),
    )


def test_steps_that_belong_together_have_one_condition_and_helpers_are_told_by_what_they_share() -> None:
    text = " ".join(model_text(post()).split())
    assert (
        "2. if the site the parcel is at and the parcel's goal site are not in the same city when the pass"
        in text
    )
    assert "`drive` van A to a port in the same city as that site, then `unload` the parcel" in text
    assert text.count("if step 2 was done: ") == 3
    assert "to a port in the same city as the parcel's goal site" in text
    assert "`drive` the van the parcel is in to the parcel's goal site" in text


def test_the_actions_are_told_with_what_they_need_and_change() -> None:
    lines = outline(counter_model("delivery")).telling
    assert lines is not None
    assert (
        "`pick-package` (truck, package, cell): needs truck is at cell, package is at cell, truck is empty; "
        "then truck is carrying package; no longer truck is empty, package is at cell" in lines.actions
    )


def test_what_is_lost_for_good_is_said_of_its_object_or_that_nothing_is() -> None:
    assert "the ingredient is never egg again" in " ".join(model_text(counter_model("baking")).split())
    assert "Nothing that later passes need is lost for good." in model_text(counter_model("ferry"))
