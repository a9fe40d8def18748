"""Passes as a stranger is to act on them: what is told, in which order, and what is left out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tests.report.models import counter_model
from trailmark.learning.practice import learn_practice
from trailmark.learning.training import TrainingInstance
from trailmark.models.model import Model
from trailmark.programs.program import parse_program
from trailmark.report import model_text, outline, outline_json
from trailmark.task import Domain, Task, parse_plan


def model(domain: str, problems: Sequence[tuple[str, str, str]], counter: str = "n_count(c_top)") -> Model:
    """What plans show: problems as objects and facts, goals, and steps."""
    known = Domain.parse(domain)
    training = [
        TrainingInstance(
            Task.parse(known, f"(define (problem p) (:domain d) {made} (:goal (and {goal})))"),
            parse_plan("\n".join(f"({step})" for step in plan.split("|"))),
        )
        for made, goal, plan in problems
    ]
    program = parse_program(f"counter {counter}")
    return replace(
        counter_model("delivery"),
        guidance=program,
        vocabulary=known.vocabulary,
        parameter_types=known.parameter_types,
        practice=learn_practice(program, training, [f"p{number}" for number in range(len(training))]),
    )


def told(shown: Model) -> str:
    return " ".join(model_text(shown).partition("The actions")[0].split())


SHELF = """(define (domain d) (:requirements :strips :typing) (:types book table slot arm)
  (:predicates (atop ?a ?b - book) (lies ?b - book ?t - table) (open ?b - book) (bare ?t - table)
    (idle ?m - arm) (grips ?m - arm ?b - book) (before ?s ?t - slot)
    (free ?s - slot) (in ?b - book ?s - slot))
  (:action draw :parameters (?m - arm ?a ?b - book)
    :precondition (and (idle ?m) (open ?a) (atop ?a ?b))
    :effect (and (not (idle ?m)) (not (open ?a)) (not (atop ?a ?b)) (open ?b) (grips ?m ?a)))
  (:action lift :parameters (?m - arm ?a - book ?t - table)
    :precondition (and (idle ?m) (open ?a) (lies ?a ?t))
    :effect (and (not (idle ?m)) (not (open ?a)) (not (lies ?a ?t)) (bare ?t) (grips ?m ?a)))
  (:action lay :parameters (?m - arm ?a - book ?t - table)
    :precondition (and (grips ?m ?a) (bare ?t))
    :effect (and (not (grips ?m ?a)) (not (bare ?t)) (idle ?m) (open ?a) (lies ?a ?t)))
  (:action put :parameters (?m - arm ?a - book ?s - slot)
    :precondition (and (grips ?m ?a) (free ?s))
    :effect (and (not (grips ?m ?a)) (not (free ?s)) (idle ?m) (in ?a ?s))))"""

FREE = "(free s1) (free s2) (free s3) (before s1 s2) (before s1 s3) (before s2 s3)"
PILE = f"""(:objects x y z - book t u - table s1 s2 s3 - slot m - arm)
  (:init (lies x t) (atop y x) (open y) (bare u) (in z s3) (idle m) {FREE})"""
ROW = f"""(:objects x y z - book t u v - table s1 s2 s3 - slot m - arm)
  (:init (lies x t) (lies y u) (lies z v) (open x) (open y) (open z) (idle m) {FREE})"""
UNDER = "draw m y x|lay m y u|lift m x t|put m x s1|lift m y u|put m y s2"
ALL = "lift m x t|put m x s1|lift m y u|put m y s2|lift m z v|put m z s3"
SHELVES = model(
    SHELF,
    [(PILE, "(in x s1) (in y s2)", UNDER)] * 2 + [(ROW, "(in x s1) (in y s2) (in z s3)", ALL)] * 2,
)


def test_a_hand_that_a_step_of_the_pass_has_filled_is_freed_in_it() -> None:
    assert "`draw` the other book (open)" in told(SHELVES)
    assert "`lay` that book with" in told(SHELVES)


def test_an_order_that_lies_in_the_goals_of_two_objects_is_told() -> None:
    first = (
        "where the goal slot of a book has the goal slot of another book as before, that book comes before"
    )
    assert first in told(SHELVES)
    assert "may come first" not in told(SHELVES)


CARS = """(define (domain d) (:requirements :strips :typing) (:types box car driver site)
  (:predicates (box-at ?b - box ?s - site) (car-at ?c - car ?s - site) (man-at ?d - driver ?s - site)
    (inside ?b - box ?c - car) (drives ?d - driver ?c - car) (unmanned ?c - car))
  (:action board :parameters (?d - driver ?c - car ?s - site)
    :precondition (and (man-at ?d ?s) (car-at ?c ?s) (unmanned ?c))
    :effect (and (not (man-at ?d ?s)) (not (unmanned ?c)) (drives ?d ?c)))
  (:action drive :parameters (?c - car ?d - driver ?a ?b - site)
    :precondition (and (car-at ?c ?a) (drives ?d ?c)) :effect (and (not (car-at ?c ?a)) (car-at ?c ?b)))
  (:action walk :parameters (?d - driver ?a ?b - site)
    :precondition (man-at ?d ?a) :effect (and (not (man-at ?d ?a)) (man-at ?d ?b)))
  (:action load :parameters (?b - box ?c - car ?s - site)
    :precondition (and (box-at ?b ?s) (car-at ?c ?s)) :effect (and (not (box-at ?b ?s)) (inside ?b ?c)))
  (:action unload :parameters (?b - box ?c - car ?s - site)
    :precondition (and (inside ?b ?c) (car-at ?c ?s)) :effect (and (not (inside ?b ?c)) (box-at ?b ?s))))"""
ROUND = """(:objects b - box c - car d e - driver s1 s2 s3 - site)
  (:init (box-at b s2) (car-at c s1) (man-at d s1) (man-at e s3) (unmanned c))"""
TRIP = "walk e s3 s2|board d c s1|drive c d s1 s2|load b c s2|drive c d s2 s3|unload b c s3|drive c d s3 s1"
GOALS = "(box-at b s3) (car-at c s1) (man-at e s2)"


def test_who_serves_other_passes_comes_last() -> None:
    text = told(model(CARS, [(ROUND, GOALS, TRIP)] * 4))
    parts = [text.index(f"Do this for every {kind}") for kind in ("box", "car", "driver")]
    assert parts == sorted(parts)


def test_a_step_that_an_earlier_pass_has_done_is_told_with_what_is_missing_without_it() -> None:
    text = told(model(CARS, [(ROUND, GOALS, TRIP)] * 4))
    assert "does not drive the car (0 of 4)" in text


TWO_CARS = """(:objects b - box c k - car d e - driver s1 s2 s3 - site)
  (:init (box-at b s2) (car-at c s1) (man-at d s1) (unmanned c) (car-at k s3) (man-at e s3) (unmanned k))"""
THERE = "board d c s1|drive c d s1 s2|load b c s2"
DIRECT = f"{THERE}|drive c d s2 s1|unload b c s1"
DETOUR = f"{THERE}|drive c d s2 s3|unload b c s3|board e k s3|load b k s3|drive k e s3 s1|unload b k s1"


def test_a_detour_of_some_passes_is_not_told() -> None:
    problems = [(TWO_CARS, "(box-at b s1)", plan) for plan in (DIRECT, DIRECT, DETOUR)]
    text = told(model(CARS, problems))
    assert text.count("`load` the box") == text.count("`unload` the box") == 1
    assert text.count("(3 of 3)") >= 2


def test_that_planning_goes_goal_by_goal_is_said() -> None:
    shown = counter_model("delivery")
    program = replace(shown.guidance, goal_by_goal=True)  # type: ignore[type-var]
    for known, expected in ((shown, False), (replace(shown, guidance=program), True)):
        assert ("goes goal by goal" in told(known)) is expected
        assert outline_json(outline(known))["goal_by_goal"] is expected
        assert ("goes goal by goal" in model_text(replace(known, practice=None))) is expected


BREAD = """(define (domain d) (:requirements :strips :typing) (:types child loaf)
  (:predicates (raw ?l - loaf) (fine ?l - loaf) (fed ?c - child))
  (:action bake :parameters (?c - child ?l - loaf) :precondition (raw ?l)
    :effect (and (not (raw ?l)) (fed ?c)))
  (:action bake-fine :parameters (?c - child ?l - loaf) :precondition (raw ?l)
    :effect (and (not (raw ?l)) (fine ?l) (fed ?c))))"""


def test_what_is_used_up_is_told_with_all_actions_that_end_it() -> None:
    made = "(:objects c d - child l m - loaf) (:init (raw l) (raw m))"
    text = told(model(BREAD, [(made, "(fed c) (fed d)", "bake c l|bake-fine d m")]))
    assert "after `bake` or `bake-fine`, the loaf is never raw again" in text


LAUNDRY = """(define (domain d) (:requirements :strips :typing) (:types bag cart room)
  (:predicates (lying ?b - bag ?r - room) (cart-at ?c - cart ?r - room) (on ?b - bag ?c - cart)
    (vacant ?c - cart) (hygienic ?c - cart) (stained ?c - cart) (washed ?b - bag) (sealed ?b - bag))
  (:action push :parameters (?c - cart ?a ?b - room) :precondition (cart-at ?c ?a)
    :effect (and (not (cart-at ?c ?a)) (cart-at ?c ?b)))
  (:action load :parameters (?b - bag ?c - cart ?r - room)
    :precondition (and (lying ?b ?r) (cart-at ?c ?r) (vacant ?c))
    :effect (and (not (lying ?b ?r)) (not (vacant ?c)) (not (hygienic ?c)) (stained ?c) (on ?b ?c)))
  (:action unload :parameters (?b - bag ?c - cart ?r - room)
    :precondition (and (on ?b ?c) (cart-at ?c ?r))
    :effect (and (not (on ?b ?c)) (vacant ?c) (lying ?b ?r)))
  (:action wash :parameters (?b - bag ?r - room) :precondition (lying ?b ?r) :effect (washed ?b))
  (:action seal :parameters (?b - bag ?r - room) :precondition (lying ?b ?r)
    :effect (and (not (lying ?b ?r)) (sealed ?b)))
  (:action wipe :parameters (?c - cart) :precondition (and (stained ?c) (vacant ?c))
    :effect (and (not (stained ?c)) (hygienic ?c))))"""
WARD = """(:objects a b - bag c - cart r s t - room)
  (:init (lying a r) (lying b t) (cart-at c s) (vacant c) (hygienic c))"""
ROUNDS = (
    "push c s r|load a c r|push c r s|unload a c s|wash a s|wipe c"
    "|push c s t|load b c t|push c t s|unload b c s|wash b s|wipe c"
)


def laundry() -> str:
    wash = "(lying a s) (lying b s) (washed a) (washed b) (hygienic c)"
    return told(model(LAUNDRY, [(WARD, wash, ROUNDS)] * 4))


def test_what_dirties_a_tool_is_no_part_of_the_pass_that_cleans_it() -> None:
    part = laundry().partition("for every cart")[2]
    assert "1. `wipe` the cart (4 of 4)" in part
    assert "`load`" not in part.partition("Careful")[0]


def test_somebody_lies_at_a_place() -> None:
    assert "to the room the bag is lying at, then `load` the bag" in laundry()


def test_what_no_actions_bring_back_is_lost_though_some_action_gives_it() -> None:
    goals = "(washed a) (washed b) (sealed a) (sealed b)"
    plan = ROUNDS.replace("wipe c", "seal a s", 1).replace("wipe c", "seal b s")
    text = told(model(LAUNDRY, [(WARD, goals, plan)] * 4))
    assert "after `seal`, the bag is never lying at a room again, which `load` and `wash` need" in text
    assert "lost for good" not in text


SORTING = """(define (domain d) (:requirements :strips :typing) (:types item stuff lamp)
  (:predicates (bagged ?i - item) (sorted ?i - item) (made-of ?i - item ?s - stuff) (iron ?s - stuff)
    (paper ?s - stuff) (seen ?i - item) (lens-clean ?l - lamp) (smeared ?l - lamp))
  (:action wipe :parameters (?l - lamp) :precondition (smeared ?l)
    :effect (and (not (smeared ?l)) (lens-clean ?l)))
  (:action scan :parameters (?l - lamp ?i - item) :precondition (and (bagged ?i) (lens-clean ?l))
    :effect (and (not (lens-clean ?l)) (smeared ?l) (seen ?i)))
  (:action pull :parameters (?i - item ?s - stuff)
    :precondition (and (bagged ?i) (seen ?i) (made-of ?i ?s) (iron ?s))
    :effect (and (not (bagged ?i)) (sorted ?i)))
  (:action blow :parameters (?i - item ?s - stuff)
    :precondition (and (bagged ?i) (seen ?i) (made-of ?i ?s) (paper ?s))
    :effect (and (not (bagged ?i)) (sorted ?i))))"""


def test_ways_are_told_apart_by_what_the_subject_leads_to_and_the_subject_is_what_is_done() -> None:
    made = """(:objects i j - item s t - stuff l k - lamp) (:init (bagged i) (bagged j) (made-of i s)
      (made-of j t) (iron s) (paper t) (smeared l) (smeared k))"""
    plan = "wipe l|scan l i|pull i s|wipe k|scan k j|blow j t"
    text = told(model(SORTING, [(made, "(sorted i) (sorted j)", plan)] * 2))
    assert "If the stuff the item is made of is iron (2 of 4 passes)" in text
    assert "`scan` the item with that lamp" in text


FUEL = """(define (domain d) (:requirements :strips :typing) (:types bot site level)
  (:predicates (at ?b - bot ?s - site) (charge ?b - bot ?l - level) (less ?h ?l - level) (top ?l - level)
    (seen ?s - site))
  (:action roll :parameters (?b - bot ?r ?s - site ?h ?l - level)
    :precondition (and (at ?b ?r) (charge ?b ?h) (less ?h ?l))
    :effect (and (not (at ?b ?r)) (at ?b ?s) (not (charge ?b ?h)) (charge ?b ?l)))
  (:action look :parameters (?b - bot ?s - site) :precondition (at ?b ?s) :effect (seen ?s))
  (:action recharge :parameters (?b - bot ?l ?h - level) :precondition (and (charge ?b ?l) (top ?h))
    :effect (and (not (charge ?b ?l)) (charge ?b ?h))))"""


def test_what_moves_use_up_and_an_action_fills_up_is_told() -> None:
    made = """(:objects b - bot r s t - site l m n - level)
      (:init (at b r) (charge b l) (top n) (less n m) (less m l))"""
    plan = "recharge b l n|roll b r s n m|look b s|roll b s t m l|look b t"
    text = told(model(FUEL, [(made, "(seen s) (seen t)", plan)] * 3))
    assert "each `roll` uses up one step of the bot's charge level; only `recharge` can fill it up" in text


LEAVE = """(:action leave :parameters (?d - driver ?c - car ?s - site)
    :precondition (and (drives ?d ?c) (car-at ?c ?s))
    :effect (and (not (drives ?d ?c)) (unmanned ?c) (man-at ?d ?s))))"""


def test_a_part_that_may_undo_an_earlier_one_says_so() -> None:
    plan = f"{DIRECT}|board e k s3|drive k e s3 s2|leave e k s2"
    goals = "(box-at b s1) (car-at c s1) (man-at e s2)"
    text = told(model(CARS[:-1] + LEAVE, [(TWO_CARS, goals, plan)] * 3))
    assert "in part 3, `drive` may undo what part 2 has reached for a car" in text


PADS = """(define (domain d) (:requirements :strips :typing) (:types plane pad coating)
  (:predicates (at ?p - plane ?x - pad) (free ?x - pad) (coated ?p - plane ?c - coating))
  (:action taxi :parameters (?p - plane ?x ?y - pad) :precondition (and (at ?p ?x) (free ?y))
    :effect (and (not (at ?p ?x)) (at ?p ?y) (not (free ?y)) (free ?x)))
  (:action coat :parameters (?p - plane ?x - pad ?c - coating) :precondition (at ?p ?x)
    :effect (coated ?p ?c)))"""


def coated() -> str:
    made = "(:objects p q - plane w x y z - pad c e - coating) (:init (at p x) (at q y) (free z) (free w))"
    goals = "(coated p c) (coated p e) (coated q c)"
    return told(model(PADS, [(made, goals, "taxi p x z|coat p z c|coat p z e|taxi q y w|coat q w c")] * 3))


def test_what_a_move_needs_of_its_target_is_told_of_it() -> None:
    assert "`taxi` the plane to a pad (free), then `coat`" in coated()


def test_an_object_with_several_goals_has_a_pass_for_each() -> None:
    assert "coated with its goal coating, one pass for each of its goal coatings" in coated()


YARD = """(define (domain d) (:requirements :strips :typing)
  (:types movable spot - object cart crate - movable)
  (:predicates (at ?x - movable ?s - spot))
  (:action push :parameters (?x - cart ?s ?t - spot) :precondition (at ?x ?s)
    :effect (and (not (at ?x ?s)) (at ?x ?t)))
  (:action drag :parameters (?x - crate ?s ?t - spot) :precondition (at ?x ?s)
    :effect (and (not (at ?x ?s)) (at ?x ?t))))"""


def test_things_of_several_types_are_not_told_by_the_name_of_a_type_of_types() -> None:
    made = "(:objects c - cart k - crate a b - spot) (:init (at c a) (at k a))"
    away = "n_count(c_some(r_diff(r_primitive(at_g,0,1),r_primitive(at,0,1)),c_top))"
    shown = model(YARD, [(made, "(at c b) (at k b)", "push c a b|drag k a b")] * 2, away)
    kinds = {"at": ("movable", "spot"), "cart": ("movable",), "crate": ("movable",)}
    text = model_text(replace(shown, parameter_types=kinds))
    assert "things that are away from their goal spot" in " ".join(text.split())
    assert "movables" not in text


def test_an_action_may_give_what_has_no_objects_and_end_what_has_two() -> None:
    domain = """(define (domain d) (:requirements :strips :typing) (:types crate shelf)
      (:predicates (on ?c - crate ?s - shelf) (holding ?c - crate) (hand-full) (stored ?c - crate))
      (:action take :parameters (?c - crate ?s - shelf) :precondition (and (on ?c ?s) (not (hand-full)))
        :effect (and (not (on ?c ?s)) (holding ?c) (hand-full)))
      (:action store :parameters (?c - crate) :precondition (holding ?c)
        :effect (and (not (holding ?c)) (not (hand-full)) (stored ?c))))"""
    made = "(:objects a b - crate s - shelf) (:init (on a s) (on b s))"
    shown = model(domain, [(made, "(stored a) (stored b)", "take a s|store a|take b s|store b")] * 2)
    assert "Do this for every crate" in told(shown)
