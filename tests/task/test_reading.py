"""What is read from PDDL and plan files, and how it is written back."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.enginesearch import embedded_search
from tests.task.places import SMALL, small_task
from trailmark.errors import PddlError, PlanError
from trailmark.task import (
    Domain,
    Plan,
    Step,
    Task,
    check_names,
    parse_plan,
    plan_text,
    read_plan,
    trajectory,
    validate,
    write_plan,
)
from trailmark.task import sexpr as reader
from trailmark.task.lifted.schema import strips_steps


def test_names_are_lower_case() -> None:
    task = small_task("upper-case")
    assert task.name == "hanoi-2"
    assert task.domain.name == "hanoi-small"
    assert set(task.structure.objects) == {"peg1", "peg2", "peg3", "d1", "d2"}
    assert [each.name for each in task.domain.model.actions] == ["move"]


def test_static_predicates_are_those_that_nothing_changes() -> None:
    vocabulary = small_task("delivery").domain.vocabulary
    static = {symbol.name for symbol in vocabulary.symbols if symbol.static and not symbol.goal_of}
    assert static == {"road", "spot", "parcel", "van"}


def test_derived_predicates_are_not_static() -> None:
    vocabulary = small_task("derived").domain.vocabulary
    assert not vocabulary["watered"].static
    assert vocabulary["source"].static


def test_either_some_type_or_object_is_any_object() -> None:
    text = """(define (domain d) (:requirements :typing) (:types t) (:predicates (p ?x))
      (:action a :parameters (?x - (either t object)) :precondition (and) :effect (p ?x)))"""
    problem = "(define (problem q) (:domain d) (:objects k - t m - object) (:init) (:goal (p k)))"
    task = Task.parse(Domain.parse(text), problem)
    found = {str(action.step) for action, _, _ in task.successors(task.initial_state)}
    assert found == {"(a k)", "(a m)"}


def test_every_predicate_has_a_goal_version() -> None:
    """Definition 1."""
    task = small_task("delivery")
    vocabulary, structure = task.domain.vocabulary, task.structure
    assert vocabulary["lies_g"].goal_of == "lies"
    assert vocabulary["lies_g"].static
    assert task.goal_predicates == {"lies"}
    goals = {
        structure.atom_text(atom) for atom in structure.static_atoms if "_g" in structure.atom_text(atom)
    }
    assert goals == {"(lies_g p1 s1)", "(lies_g p2 s1)"}


def test_a_goal_version_never_takes_the_name_of_a_predicate() -> None:
    domain = Domain.parse("(define (domain d) (:predicates (on ?x) (on_g ?x)))")
    names = [symbol.name for symbol in domain.vocabulary.symbols]
    assert len(names) == len(set(names)) == 4
    assert domain.vocabulary["on_g"].goal_of is None


def test_objects_have_their_types_and_those_above() -> None:
    task = small_task("either")
    assert task.object_types["t"] == {"tug", "boat", "vehicle", "object"}
    assert task.object_types["c2"] == {"barrel", "cargo", "object"}


def test_constants_come_first_among_the_objects() -> None:
    task = small_task("constants")
    assert task.structure.objects[0] == "hall"
    assert task.domain.vocabulary.constants == ("hall",)


def test_negative_goals_are_told_apart() -> None:
    task = small_task("negative")
    text = task.structure.atom_text
    assert {text(atom) for atom in task.goal.positive} == {"(ringing b3)"}
    assert {text(atom) for atom in task.goal.negative} == {"(ringing b1)", "(tied b2)", "(next b3 b1)"}
    assert task.goal.conjunctive
    assert not small_task("adl").goal.conjunctive


def test_declared_equality_is_no_predicate() -> None:
    domain = Domain.parse("(define (domain d) (:predicates (= ?x ?y) (p)))")
    assert [each.name for each in domain.model.predicates] == ["p"]


def test_sections_may_come_in_any_order() -> None:
    text = """(define (domain d) (:action a :parameters (?x - t) :effect (p ?x) :precondition (not (p ?x)))
      (:predicates (p ?x - t)) (:types t) (:requirements :typing))"""
    assert [each.name for each in Domain.parse(text).model.actions] == ["a"]


def test_facts_with_objects_of_other_types_are_accepted_and_useless() -> None:
    """As by other planners: public files have them."""
    domain = Domain.parse("""(define (domain d) (:types t u) (:predicates (p ?x - t) (done))
      (:action a :parameters (?x - t) :precondition (p ?x) :effect (done)))""")
    problem = "(define (problem x) (:domain d) (:objects b - u c - t) (:init (p b)) (:goal (done)))"
    task = Task.parse(domain, problem)
    assert task.successors(task.initial_state) == []


def test_a_file_with_too_many_words_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reader, "MAX_WORDS", 100)
    with pytest.raises(PddlError, match="more than 100 words"):
        Domain.parse("(define (domain d) (:predicates " + "(p) " * 100 + "))")


def test_parentheses_nest_as_deep_as_the_limit_and_no_deeper() -> None:
    def domain(depth: int) -> str:
        inner = "(and " * (depth - 2) + "(p)" + ")" * (depth - 2)
        return f"(define (domain d) (:predicates (p)) (:action a :precondition {inner} :effect (p)))"

    assert len(Domain.parse(domain(reader.MAX_DEPTH)).model.actions) == 1
    with pytest.raises(PddlError, match=f"nest deeper than {reader.MAX_DEPTH}"):
        Domain.parse(domain(reader.MAX_DEPTH + 1))


def test_facts_are_counted_by_their_words_and_not_by_the_space_around_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def size(facts: int) -> int:
        source = reader.Source("(define (:init" + "\n\t\t    (at  truck   home)" * facts + "))", "p")
        return len(reader.read_form(source))

    # Four for each fact, one for all of them, and two lists with a word each.
    monkeypatch.setattr(reader, "MAX_WORDS", 4 * 20 + 1 + 2 * 3)
    assert size(20) == 2
    with pytest.raises(PddlError, match="more than 87 words"):
        size(22)


def test_the_signature_depends_on_names_and_not_on_actions() -> None:
    domain = "(define (domain d) (:types t) (:predicates (p ?x - {})) (:action {} :parameters ()))"
    one, two = Domain.parse(domain.format("t", "a")), Domain.parse(domain.format("t", "b"))
    other = Domain.parse(domain.format("object", "a"))
    assert one.signature == two.signature
    assert one.signature != other.signature


@pytest.mark.parametrize("name", SMALL)
def test_trajectories_hold_the_engines_states_and_numbers(name: str) -> None:
    task = small_task(name)
    plan = embedded_search(task).plan
    assert plan is not None
    states = trajectory(task, plan).states
    state = task.initial_state
    assert states[0] == task.interpretation(state)
    for step, expected in zip(plan.steps, states[1:], strict=True):
        (state,) = [reached for action, reached, _ in task.successors(state) if action.step == step]
        assert expected == task.interpretation(state)


def test_a_trajectory_of_an_invalid_plan_is_an_error() -> None:
    task = small_task("delivery")
    with pytest.raises(PlanError, match="the goal is open"):
        trajectory(task, Plan(()))


def test_an_undefined_number_makes_a_step_fail() -> None:
    domain = """(define (domain d) (:requirements :action-costs) (:predicates (done))
      (:functions (price) (total-cost))
      (:action a :parameters () :effect (and (done) (increase (total-cost) (price)))))"""
    problem = "(define (problem x) (:domain d) (:init) (:goal (done)) (:metric minimize (total-cost)))"
    verdict = validate(Task.parse(Domain.parse(domain), problem), parse_plan("(a)"))
    assert not verdict
    assert (verdict.step, verdict.reason) == (1, "step 1, (a): (price) has no value")


def test_a_metric_without_a_value_is_no_crash() -> None:
    domain = """(define (domain d) (:requirements :numeric-fluents) (:predicates (done)) (:functions (fuel))
      (:action a :parameters () :effect (done)) (:action b :parameters () :effect (assign (fuel) 1)))"""
    problem = "(define (problem x) (:domain d) (:init) (:goal (done)) (:metric minimize (fuel)))"
    verdict = validate(Task.parse(Domain.parse(domain), problem), parse_plan("(a)"))
    assert not verdict
    assert "the metric has no value" in verdict.reason


RICH = """(define (domain d) (:requirements :derived-predicates :numeric-fluents)
  (:types t) (:constants k - t) (:predicates (p ?x - t) (q) (above ?x - t)) (:functions (f ?x - t) (g))
  (:derived (above ?x - t) (p ?x))
  (:action a :parameters (?x - t) :precondition (> (g) 0) :effect (and (p ?x) (increase (g) 1))))"""
START = "(define (problem x) (:domain d) (:objects b - t) (:init (q) (= (g) 1)) (:goal (q)))"


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("(f ?x - t) (g)", "(f ?x - t) - color (g)", "only functions of type 'number'"),
        ("(f ?x - t) (g)", "()", r"expected a function, found '\(\)'"),
        ("(f ?x - t) (g)", "(g) (g)", "function 'g' is declared twice"),
        ("(p ?x - t) (q)", "(p ?x - t) () (q)", r"expected a predicate, found '\(\)'"),
        ("(p ?x - t) (q)", "(p ?x - (or t)) (q)", r"expected a type or '\(either ...\)'"),
        ("(:derived (above ?x - t) (p ?x))", "(:derived (above ?x - t))", "expected "),
        ("(:derived (above ?x - t)", "(:derived (below ?x - t)", "unknown predicate 'below'"),
        ("(:derived (above ?x - t)", "(:derived (above)", "'above' takes 1 arguments, 0 are given"),
        (":effect (and (p ?x)", ":effect (and (above ?x)", "changes the derived predicate 'above'"),
        (
            ":effect (and (p ?x)",
            ":effect (and (when (q) (above ?x))",
            "changes the derived predicate 'above'",
        ),
        (":precondition (> (g) 0)", ":precondition (q) :precondition (q)", "':precondition' appears twice"),
        ("(:action a :parameters", "(:action) (:action a :parameters", r"expected \(:action NAME"),
        ("(> (g) 0)", "(> () 0)", r"expected a number or a function, found '\(\)'"),
        ("(> (g) 0)", "(> (+ (g)) 0)", r"expected \(\+ NUMBER NUMBER\)"),
        ("(> (g) 0)", "(> (f) 0)", "function 'f' takes 1 arguments, 0 are given"),
        ("(> (g) 0)", "(> (g ?x) 0)", "function 'g' takes 0 arguments, 1 are given"),
        (":effect (and (p ?x)", ":effect (and (p ?x ?x)", "predicate 'p' takes 1 arguments, 2 are given"),
        ("(increase (g) 1)", "(increase () 1)", r"expected a function, found '\(\)'"),
        ("(increase (g) 1)", "(increase (g))", r"expected \(increase FUNCTION NUMBER\)"),
    ],
)
def test_mistakes_in_richer_domains_are_named(old: str, new: str, expected: str) -> None:
    assert old in RICH
    with pytest.raises(PddlError, match=expected):
        Domain.parse(RICH.replace(old, new, 1))


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (
            "(:objects b - t)",
            "(:objects k - object b - t)",
            "'k' is a constant of the domain with another type",
        ),
        ("(:init (q)", "(:init (above b)", "'above' is derived and cannot be a fact"),
        ("(:init (q)", "(:init (not)", r"expected \(not ATOM\)"),
        ("(:init (q)", "(:init (= (g))", r"expected \(= FUNCTION NUMBER\)"),
        ("(:goal (q))", "(:goal (q)) ()", "expected a section"),
    ],
)
def test_mistakes_in_richer_problems_are_named(old: str, new: str, expected: str) -> None:
    domain = Domain.parse(RICH)
    Task.parse(domain, START)
    with pytest.raises(PddlError, match=expected):
        Task.parse(domain, START.replace(old, new, 1))


def test_what_is_said_plainly_or_not_at_all_is_read() -> None:
    text = RICH.replace("(> (g) 0)", "(> g 0)").replace("(increase (g) 1)", "(increase g 1)")
    domain = Domain.parse(text)
    assert domain.model == Domain.parse(RICH).model
    problem = START.replace("(:init (q)", "(:init (q) (p b) (not (p b))").replace("(:goal (q))", "(:goal ())")
    task = Task.parse(domain, problem.replace("(:goal ())", "(:goal ()) (:metric minimize (total-time))"))
    assert task.model.initial_atoms == Task.parse(domain, START).model.initial_atoms
    assert task.model.minimize is None
    assert task.is_goal(task.initial_state)
    assert repr(domain) == "<domain d>"
    assert repr(task) == "<task x of d>"
    again = Domain.parse("(define (domain d) (:predicates (q)) (:action a :parameters () :effect ()))")
    assert again.model.actions[0].effects == ()


def test_replaying_by_numbers_visits_the_same_states() -> None:
    task = small_task("delivery")
    plan = embedded_search(task).plan
    assert plan is not None
    steps = strips_steps(task, plan.steps)
    assert steps is not None
    atoms = task.initial_atoms
    for step, state in zip(steps, trajectory(task, plan).states[1:], strict=True):
        assert step.applicable(atoms)
        atoms = (atoms - step.deletes) | step.adds
        assert atoms == state.atoms
    assert not steps[-1].applicable(atoms)


@pytest.mark.parametrize("name", ["adl", "derived", "numeric"])
def test_replaying_by_numbers_is_for_strips_alone(name: str) -> None:
    task = small_task(name)
    plan = embedded_search(task).plan
    assert plan is not None
    assert strips_steps(task, plan.steps) is None


# Plans

WORDS = st.from_regex(r"[a-z0-9][a-z0-9_.-]{0,8}", fullmatch=True)
STEPS = st.lists(st.builds(Step, WORDS, st.lists(WORDS, max_size=4).map(tuple)), max_size=8)


@given(STEPS)
def test_a_written_plan_is_read_back(steps: list[Step]) -> None:
    assert parse_plan(plan_text(steps)) == Plan(tuple(steps))


def test_a_plan_file_is_as_fast_downward_writes_it(tmp_path: Path) -> None:
    path = tmp_path / "plan"
    write_plan(path, [Step("go", ("a", "b")), Step("rest", ())], 7.0, unit_cost=False)
    assert path.read_text() == "(go a b)\n(rest)\n; cost = 7 (general cost)\n"
    assert read_plan(path).steps == (Step("go", ("a", "b")), Step("rest", ()))
    assert plan_text([Step("rest", ())]) == "(rest)\n; cost = 1 (unit cost)\n"


def test_steps_know_their_lines() -> None:
    plan = parse_plan("; first\n(a)\n\n(b c)\n")
    assert plan.lines == (2, 4)
    assert plan == Plan((Step("a", ()), Step("b", ("c",))))


def test_unknown_names_are_told_with_their_place() -> None:
    task = small_task("delivery")
    check_names(task, parse_plan("(go v1 s1 s3)"), "x.plan")
    with pytest.raises(PlanError, match=r"x\.plan:2: \(go v1 s1 moon\): unknown object 'moon'"):
        check_names(task, parse_plan("(go v1 s1 s2)\n(go v1 s1 moon)"), "x.plan")


def test_a_task_can_start_from_any_of_its_states() -> None:
    for name in ("delivery", "derived"):
        task = small_task(name)
        _, reached, _ = task.successors(task.initial_state)[0]
        again = task.starting_from(reached.atoms, "later")
        assert again.name == "later"
        assert again.initial_state.atoms == reached.atoms
        assert {str(a) for a, _, _ in again.successors(again.initial_state)} == {
            str(a) for a, _, _ in task.successors(reached)
        }
