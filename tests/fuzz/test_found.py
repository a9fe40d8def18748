"""What fuzzing has found: each claim was once false. The inputs are in `fuzz/corpus` too."""

from __future__ import annotations

import warnings

import pytest

from tests.task.places import PDDL
from tests.task.replay import own_successors
from trailmark.api import learn
from trailmark.bench.suitefile import MOST_LEARNERS, parse_suite
from trailmark.discovery.functions import parse_functions
from trailmark.errors import InputError, PlanError
from trailmark.features.text import parse
from trailmark.landmarks.text import parse_graph
from trailmark.models.model import Model
from trailmark.report import model_text
from trailmark.report.words import Words
from trailmark.search.planner import plan
from trailmark.task import Domain, Plan, Step, Task, check_names, parse_plan, validate
from trailmark.task.executor import Executor
from trailmark.task.lifted import supports

LONG = "x" * 5000
PART = "\n[[parts]]\nname = 'a'\n"


@pytest.mark.parametrize(
    "text", [f"title = {'9' * 5000}", f"title = {'[' * 5000}", f"title = {'[' * 100_000}"]
)
def test_a_suite_that_pythons_own_reader_gives_up_on_is_an_input_error(text: str) -> None:
    with pytest.raises(InputError, match="too long, or brackets nest too deep"):
        parse_suite(text)


@pytest.mark.parametrize("limit", ["inf", "nan", "9" * 400, "1e10"])
def test_a_limit_that_is_none_is_an_input_error(limit: str) -> None:
    with pytest.raises(InputError, match=r"learn-seconds: (expected float|number out of range)"):
        parse_suite(f"[limits]\nlearn-seconds = {limit}{PART}")


def test_lists_of_options_do_not_multiply_without_end() -> None:
    numbers = list(range(100))
    keys = ("complexity", "seed", "feature-limit", "pool-time", "rules", "config")
    text = "[learners.a]\n" + "\n".join(f"{key} = {numbers}" for key in keys) + PART
    with pytest.raises(InputError, match=f"more than {MOST_LEARNERS} learners"):
        parse_suite(text)


@pytest.mark.parametrize(
    "text",
    [f"{LONG} = 1", f"[limits]\nmegabytes = '{LONG}'{PART}", f"[[parts]]\nname = 'a'\ntables = ['{LONG}']"],
)
def test_a_suites_long_words_are_cut_in_messages(text: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_suite(text)
    assert len(str(caught.value)) < 1000


def test_a_graphs_long_words_are_cut_in_messages() -> None:
    with pytest.raises(InputError, match="expected exit, progress or counter") as caught:
        parse_graph(f"landmark\nn_count(c_top)\nloop 1 -> 1\n{LONG}")
    assert len(str(caught.value)) < 500


def test_a_functions_long_name_is_cut_in_messages() -> None:
    with pytest.raises(InputError, match="is already used") as caught:
        parse_functions(f"{LONG}: n_count(c_top)\n{LONG}: n_count(c_bot)")
    assert len(str(caught.value)) < 500


@pytest.mark.parametrize(
    "line", [f"c_one_of({LONG})", f"b_empty(c_one_of({LONG})), b_empty(c_one_of({LONG}))"]
)
def test_a_long_feature_is_cut_in_messages(line: str) -> None:
    with pytest.raises(InputError, match=r"not a feature|twice") as caught:
        parse_graph("landmark\n" + line.replace(", ", "\n"))
    assert len(str(caught.value)) < 500


def test_a_plans_long_step_is_cut_in_messages() -> None:
    task = Task.parse(Domain.parse(COSTS), PROBLEM)
    with pytest.raises(PlanError, match="the domain has no action 'fly'") as caught:
        check_names(task, parse_plan(f"(fly {LONG})"), "plan")
    assert len(str(caught.value)) < 500


def test_a_name_used_with_two_arities_can_be_told_in_words() -> None:
    """Without a domain arities are guessed, from each feature by itself."""
    graph = parse_graph("landmark\nn_count(c_primitive(a,2))\nn_count(r_primitive(a,0,1))")
    assert "a" in model_text(Model(graph, "d", "", "text"))


def test_a_place_that_a_predicate_does_not_have_can_be_told_in_words() -> None:
    """The words come before the check against a domain."""
    domain = Domain.parse("(define (domain d) (:types t) (:predicates (on ?x ?y - t)))")
    told = Words(domain.vocabulary, domain.parameter_types).value(parse("n_count(c_primitive(on,5))"))
    assert "on" in told


def test_a_pass_may_have_no_action_of_its_own() -> None:
    """Its goal was reached in passing. Telling how such passes go ended `learn` with an internal error."""
    folder = PDDL / "equality"
    files = str(folder / "domain.pddl"), [str(folder / "problem.pddl")]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert str(learn(*files, method="counter", complexity=4, feature_limit=60))


COSTS = """(define (domain d) (:requirements :strips :action-costs) (:predicates (at ?x))
  (:functions (length ?a ?b) - number (total-cost) - number)
  (:action go :parameters (?a ?b) :precondition (at ?a)
    :effect (and (not (at ?a)) (at ?b) (increase (total-cost) (length ?a ?b)))))"""
PROBLEM = "(define (problem p) (:domain d) (:objects a b) (:init (at a)) (:goal (at b)))"


def test_costs_that_no_metric_asks_for_need_no_value() -> None:
    """The engine found a plan here that the validator then refused."""
    task = Task.parse(Domain.parse(COSTS), PROBLEM)
    found = {action.step for action, _, _ in task.successors(task.initial_state)}
    executor = Executor(task)
    assert found == set(own_successors(task, executor, executor.initial()))
    assert validate(task, Plan((Step("go", ("a", "b")),)))


@pytest.mark.parametrize("values", ["", "(= (length a c) 1) (= (length c b) 1)"])
def test_costs_that_the_metric_asks_for_need_a_value(values: str) -> None:
    """The engine takes a step whose cost has no value for one that changes nothing."""
    problem = PROBLEM.replace("(:goal", "(:metric minimize (total-cost)) (:goal").replace("a b)", "a b c)")
    task = Task.parse(Domain.parse(COSTS), problem.replace("(at a)", f"(at a) {values}"))
    assert supports(task)
    assert not validate(task, Plan((Step("go", ("a", "b")),)))
    found = [str(action) for action, _, _ in task.successors(task.initial_state)]
    assert found == (["(go a c)"] if values else [])
    graph = parse_graph("landmark\nn_count(c_and(c_primitive(at,0),c_primitive(at_g,0)))")
    result = plan(task, graph)
    assert result.steps == ((Step("go", ("a", "c")), Step("go", ("c", "b"))) if values else None)


def test_costs_with_a_value_wherever_the_precondition_holds_are_no_obstacle() -> None:
    domain = COSTS.replace("(at ?x)", "(at ?x) (road ?a ?b)", 1).replace(
        "(at ?a)\n", "(and (at ?a) (road ?a ?b))\n"
    )
    problem = PROBLEM.replace("(:goal", "(:metric minimize (total-cost)) (:goal")
    task = Task.parse(
        Domain.parse(domain), problem.replace("(at a)", "(at a) (road a b) (= (length a b) 2)", 1)
    )
    assert supports(task)
    assert plan(task).cost == 2


def test_an_action_that_assigns_always_and_under_a_condition_is_not_missed() -> None:
    domain = """(define (domain d) (:requirements :adl :numeric-fluents) (:predicates (dot) (never))
      (:functions (pool))
      (:action first :effect (dot))
      (:action second :effect (and (assign (pool) 1) (when (never) (assign (pool) 7)) (dot))))"""
    task = Task.parse(
        Domain.parse(domain), "(define (problem p) (:domain d) (:init (= (pool) 2)) (:goal (= (pool) 1)))"
    )
    found = {action.step.action for action, _, _ in task.successors(task.initial_state)}
    assert found == {"first", "second"}
