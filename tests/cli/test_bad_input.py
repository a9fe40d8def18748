"""Whatever is wrong with the input: one line on stderr that says where, exit code 2, nothing else."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trailmark.cli.main import main
from trailmark.errors import InputError
from trailmark.task import Domain, Task, parse_plan

FOLDER = Path(__file__).parents[1] / "pddl" / "delivery"
DOMAIN = (FOLDER / "domain.pddl").read_text()
PROBLEM = (FOLDER / "problem.pddl").read_text()
PLAN = (FOLDER / "problem.plan").read_text()


class Files:
    """A domain, a problem and a plan, one of which is spoilt."""

    def __init__(self, folder: Path) -> None:
        self.domain, self.problem, self.plan = folder / "d.pddl", folder / "p.pddl", folder / "p.plan"
        self.domain.write_text(DOMAIN)
        self.problem.write_text(PROBLEM)
        self.plan.write_text(PLAN)

    @property
    def arguments(self) -> list[str]:
        return ["validate", str(self.domain), str(self.problem), str(self.plan)]


@pytest.fixture
def files(tmp_path: Path) -> Files:
    return Files(tmp_path)


def complaint(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    """The one line the command prints, after checking that it is all it does."""
    code = main(arguments)
    out, err = capsys.readouterr()
    assert code == 2, err
    assert out == ""
    assert err.startswith("trailmark: ")
    assert err.endswith("\n")
    assert err.count("\n") == 1
    assert "Traceback" not in err
    return err[len("trailmark: ") : -1]


def test_the_untouched_files_are_good(files: Files) -> None:
    assert main(files.arguments) == 0


@pytest.mark.parametrize("which", ["domain", "problem", "plan"])
def test_a_missing_file(files: Files, which: str, capsys: pytest.CaptureFixture[str]) -> None:
    path = getattr(files, which)
    path.unlink()
    assert complaint(files.arguments, capsys).startswith(f"{path}: there is no such ")


@pytest.mark.parametrize("which", ["domain", "problem", "plan"])
def test_a_folder_instead_of_a_file(files: Files, which: str, capsys: pytest.CaptureFixture[str]) -> None:
    path = getattr(files, which)
    path.unlink()
    path.mkdir()
    assert complaint(files.arguments, capsys).startswith(f"{path}: this is a folder")


@pytest.mark.parametrize("which", ["domain", "problem"])
@pytest.mark.parametrize("text", ["", "  \n\t\n"])
def test_an_empty_file(files: Files, which: str, text: str, capsys: pytest.CaptureFixture[str]) -> None:
    path = getattr(files, which)
    path.write_text(text)
    assert complaint(files.arguments, capsys) == f"{path}: the PDDL {which} is empty"


@pytest.mark.parametrize("which", ["domain", "problem", "plan"])
def test_a_binary_file(files: Files, which: str, capsys: pytest.CaptureFixture[str]) -> None:
    path = getattr(files, which)
    path.write_bytes(random.Random(0).randbytes(5000))
    assert complaint(files.arguments, capsys).startswith(f"{path}: this is a binary file")


@pytest.mark.parametrize("which", ["domain", "problem", "plan"])
def test_a_binary_file_without_zeros(files: Files, which: str, capsys: pytest.CaptureFixture[str]) -> None:
    path = getattr(files, which)
    path.write_bytes(bytes(random.Random(0).choices(range(1, 256), k=5000)))
    assert complaint(files.arguments, capsys).startswith(f"{path}:")


@pytest.mark.parametrize("which", ["domain", "problem", "plan"])
@pytest.mark.skipif(not os.path.exists("/proc/self/mem"), reason="needs Linux")
def test_an_unreadable_file(files: Files, which: str, capsys: pytest.CaptureFixture[str]) -> None:
    """A file that can be opened and not read, also by root."""
    setattr(files, which, Path("/proc/self/mem"))
    assert complaint(files.arguments, capsys).startswith("/proc/self/mem: the ")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_without_permission(files: Files, capsys: pytest.CaptureFixture[str]) -> None:
    files.domain.chmod(0)
    assert "Permission denied" in complaint(files.arguments, capsys)


def test_a_device_that_never_ends(files: Files, capsys: pytest.CaptureFixture[str]) -> None:
    files.domain = Path("/dev/zero")
    assert complaint(files.arguments, capsys).startswith("/dev/zero: the file is too large")


def test_a_path_with_a_zero_byte(files: Files, capsys: pytest.CaptureFixture[str]) -> None:
    files.domain = Path("a\0b")
    complaint(files.arguments, capsys)


def test_a_file_name_with_a_line_break(files: Files, capsys: pytest.CaptureFixture[str]) -> None:
    files.domain = files.domain.with_name("a\nb\x1b.pddl")
    complaint(files.arguments, capsys)


DOMAIN_MISTAKES = [
    ("(:action go", "(:action go (", "2:1: this parenthesis is never closed"),
    ("(free ?v))\n    :effect", "(free ?v)\n    :effect", ": this parenthesis is never closed"),
    ("(lies ?p ?s))))", "(lies ?p ?s)))))", ": there is text after the end"),
    ("(lies ?p ?s))))", "(lies ?p ?s)))) more", ": there is text after the end"),
    (
        ":effect (and (not (parked ?v ?a))",
        ":effect (and (not (parkt ?v ?a))",
        "10:24: unknown predicate 'parkt' (did",
    ),
    ("(road ?a ?b))\n", "(road ?a ?b) (= ?a))\n", ": expected (= TERM TERM)"),
    (
        "?v - van ?a ?b - spot)\n",
        "?v - vann ?a ?b - spot)\n",
        "8:23: unknown type 'vann' (did you mean 'van'?)",
    ),
    ("(parked ?v ?a) (road", "(parked ?w ?a) (road", "9:32: unknown variable '?w'"),
    ("(parked ?v ?a) (road", "(parked vx ?a) (road", "9:32: unknown object 'vx'"),
    ("(parked ?v ?a) (road", "(parked ?v) (road", "9:24: predicate 'parked' takes 2 arguments, 1 are given"),
    ("(parked ?v ?a) (road", "(parked ?v ?a ?b) (road", "9:24: predicate 'parked' takes 2 arguments, 3"),
    ("(parked ?v ?a) (road", "(> (fuel ?v) 1) (road", "9:28: unknown function 'fuel'"),
    (
        ":strips :typing",
        ":strips :durative-actions",
        "3:26: durative actions are not supported",
    ),
    (":strips :typing", ":strips :preferences", "preferences are not supported (':preferences')"),
    ("(:types", "(:typos", "4:4: ':typos' is not supported (did you mean ':types'?)"),
    ("(:types", "(types", "4:4: 'types' is not a section"),
    (
        "(:types spot parcel van)",
        "(:types spot parcel - van van - parcel)",
        ": type 'parcel' is its own supertype",
    ),
    ("(:types spot parcel van)", "(:types spot parcel van -)", ": expected a type after '-'"),
    (":parameters (?v - van ?a ?b - spot)", ":parameters (?v - van ?a ?a - spot)", "'?a' is declared twice"),
    (":parameters (?v - van ?a ?b - spot)", ":parameters (v - van)", "expected a variable such as ?x"),
    (":parameters (?v - van ?a ?b - spot)", ":parameters", "action 'go' has a keyword without a value"),
    (":effect (and (not (parked ?v ?a))", ":efect (and (not (parked ?v ?a))", "found ':efect'"),
    ("(:action take", "(:action go", "action 'go' is declared twice"),
    ("(free ?v - van))", "(free ?v - van) (free))", "predicate 'free' is declared twice"),
    (
        "(define (domain parcel-round)",
        "(define (problem parcel-round)",
        "expected a domain, this file is a problem",
    ),
    (
        "(define (domain parcel-round)",
        "(defin (domain parcel-round)",
        "2:1: expected '(define (domain NAME) ...)'",
    ),
    ("(define (domain parcel-round)", "(define (domain)", "2:9: expected '(domain NAME)'"),
    (
        "(define (domain parcel-round)",
        "define (domain parcel-round)",
        "2:1: expected '(define ...)', found 'define'",
    ),
    ("(and (parked ?v ?a) (road ?a ?b))", "(always (parked ?v ?a))", "'always' is not supported"),
    ("(and (parked ?v ?a) (road ?a ?b))", "((parked ?v ?a))", "expected a predicate"),
    ("(and (parked ?v ?a) (road ?a ?b))", "parked", "expected a condition in parentheses, found 'parked'"),
]


@pytest.mark.parametrize(("old", "new", "expected"), DOMAIN_MISTAKES)
def test_a_mistake_in_the_domain(
    files: Files, old: str, new: str, expected: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert old in DOMAIN
    files.domain.write_text(DOMAIN.replace(old, new, 1))
    line = complaint(files.arguments, capsys)
    assert line.startswith(f"{files.domain}:")
    assert expected in line
    assert line.split(":")[1].isdigit()
    assert line.split(":")[2].isdigit()


PROBLEM_MISTAKES = [
    ("(:domain parcel-round)", "(:domain)", "2:3: expected (:domain NAME)"),
    ("(problem round-1)", "(domain round-1)", "expected a problem, this file is a domain"),
    ("v1 - van)", "v1 - vehicle)", "unknown type 'vehicle'"),
    ("(parked v1 s1)", "(parked v2 s1)", "5:18: unknown object 'v2'"),
    ("(parked v1 s1)", "(parked ?v s1)", "5:18: unknown variable '?v'"),
    ("(parked v1 s1)", "(stands v1 s1)", "5:11: unknown predicate 'stands'"),
    ("(parked v1 s1)", "(parked v1)", "5:10: predicate 'parked' takes 2 arguments, 1 are given"),
    ("(parked v1 s1)", "(= (fuel v1) 3)", "unknown function 'fuel'"),
    ("(parked v1 s1)", "parked", "expected a fact in parentheses, found 'parked'"),
    ("(parked v1 s1)", "()", "expected an atom, found '()'"),
    ("(lies p1 s1) (lies p2 s1)", "(lies p1 s1) (lies p9 s1)", "6:34: unknown object 'p9'"),
    ("(lies p1 s1) (lies p2 s1)", "(lies p1 s1) (lays p2 s1)", "unknown predicate 'lays'"),
    ("(:goal (and (lies p1 s1) (lies p2 s1)))", "", "1:1: the problem has no goal"),
    ("(:goal (and", "(:goal (free v1)) (:goal (and", "section ':goal' appears twice"),
    ("(:goal (and", "(:goal (free v1) (and", "expected (:goal CONDITION)"),
    (
        "(:goal (and",
        "(:constraints (and) ) (:goal (and",
        "constraints on trajectories are not supported (':constraints')",
    ),
    ("(:goal (and", "(:metric maximize (total-cost)) (:goal (and", "only (:metric minimize EXPRESSION)"),
    ("(:goal (and", "(:metric minimize (total-cost)) (:goal (and", "unknown function 'total-cost'"),
    (
        "(:goal (and",
        "(:requirements :constraints) (:goal (and",
        "constraints on trajectories are not supported",
    ),
    ("p1 p2 - parcel", "p1 p2 - parcel p1 - spot", "object 'p1' is declared twice with different types"),
    ("p1 p2 - parcel", "?p1 p2 - parcel", "'?p1' is a variable, not an object"),
]


@pytest.mark.parametrize(("old", "new", "expected"), PROBLEM_MISTAKES)
def test_a_mistake_in_the_problem(
    files: Files, old: str, new: str, expected: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert old in PROBLEM
    files.problem.write_text(PROBLEM.replace(old, new, 1))
    line = complaint(files.arguments, capsys)
    assert line.startswith(f"{files.problem}:")
    assert expected in line
    assert line.split(":")[1].isdigit()
    assert line.split(":")[2].isdigit()


@pytest.mark.parametrize("number", ["nan", "inf", "1e999", "1_000", "0x10", "--1", "1.2.3"])
def test_a_number_that_is_none(files: Files, number: str, capsys: pytest.CaptureFixture[str]) -> None:
    files.domain.write_text(DOMAIN.replace("(:predicates", "(:functions (fuel)) (:predicates", 1))
    files.problem.write_text(PROBLEM.replace("(:init", f"(:init (= (fuel) {number})", 1))
    assert f"expected a number, found '{number}'" in complaint(files.arguments, capsys)


def test_derived_predicates_that_negate_each_other(files: Files, capsys: pytest.CaptureFixture[str]) -> None:
    axioms = "(:derived (yes) (not (no))) (:derived (no) (not (yes))) (:action go"
    text = DOMAIN.replace("(:predicates", "(:predicates (yes) (no)").replace("(:action go", axioms, 1)
    files.domain.write_text(text)
    line = complaint(files.arguments, capsys)
    assert line.startswith(f"{files.domain}:7:3: the derived predicates negate each other")


def test_a_problem_that_names_another_domain_is_read_where_it_fits(
    files: Files, capsys: pytest.CaptureFixture[str]
) -> None:
    files.problem.write_text(PROBLEM.replace("(:domain parcel-round)", "(:domain p1-domain)"))
    assert main(files.arguments) == 0
    said = "names domain 'p1-domain', the domain given is 'parcel-round'; all it uses is there"
    assert said in capsys.readouterr().err
    files.problem.write_text(files.problem.read_text().replace("(:goal (and", "(:goal (and (lies-here)"))
    line = complaint(files.arguments, capsys)
    assert line.startswith(f"{files.problem}:2:12: this problem belongs to domain 'p1-domain'")
    assert "(which it does not fit: " in line


def test_the_domain_given_as_problem(files: Files, capsys: pytest.CaptureFixture[str]) -> None:
    files.problem = files.domain
    assert "expected a problem, this file is a domain" in complaint(files.arguments, capsys)


def test_the_problem_given_as_domain(files: Files, capsys: pytest.CaptureFixture[str]) -> None:
    files.domain = files.problem
    assert "expected a domain, this file is a problem" in complaint(files.arguments, capsys)


PLAN_MISTAKES = [
    ("garbage\n", ":1:1: expected '(action object ...)', found 'garbage'"),
    ("(go v1 s1 s2)\n  (take v1 (p1) s2)\n", ":2:3: expected '(action object ...)'"),
    ("(go v1 s1 s2\n", ":1:1: expected '(action object ...)'"),
    ("()\n", ":1:1: expected '(action object ...)', found '()'"),
    ("(go v1 s1 s2) (go v1 s2 s1)\n", ":1:1: expected '(action object ...)'"),
    ("\x1b[31m\n", ":1:1: expected '(action object ...)', found '?[31m'"),
    ("x" * 100_000, ":1:1: expected '(action object ...)', found 'xxx"),
    ("; note\n\n(fly v1 s1 s2)\n", ":3: (fly v1 s1 s2): the domain has no action 'fly'"),
    ("(go v1 s1 s9)\n", ":1: (go v1 s1 s9): unknown object 's9'"),
    ("(go v1 s1 s2)\n(go v1 s1)\n", ":2: (go v1 s1): action 'go' takes 3 arguments, 2 are given"),
]


@pytest.mark.parametrize(("text", "expected"), PLAN_MISTAKES, ids=range(len(PLAN_MISTAKES)))
def test_a_mistake_in_the_plan(
    files: Files, text: str, expected: str, capsys: pytest.CaptureFixture[str]
) -> None:
    files.plan.write_text(text)
    assert complaint(files.arguments, capsys).startswith(f"{files.plan}{expected}")


@pytest.mark.parametrize(
    "arguments",
    [
        ["validate"],
        ["validate", "a", "b"],
        ["validate", "a", "b", "c", "d"],
        ["validate", "--nonsense", "a", "b", "c"],
        ["nonsense"],
        ["--nonsense"],
    ],
)
def test_bad_usage(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert "--help" in complaint(arguments, capsys)


def as_a_program(files: Files) -> str:
    """The same in a process of its own, as a user runs it."""
    command = [sys.executable, "-m", "trailmark", *files.arguments]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=100, check=False)
    assert ended.returncode == 2, ended.stderr
    assert ended.stdout == ""
    assert ended.stderr.count("\n") == 1
    return ended.stderr


def test_a_hundred_megabytes_of_garbage(files: Files, capsys: pytest.CaptureFixture[str]) -> None:
    garbage = files.domain.with_name("garbage")
    with open(garbage, "wb") as stream:
        block = bytes(random.Random(0).choices(range(1, 256), k=1_000_000))
        for _ in range(100):
            stream.write(block)
    for which in ("domain", "problem", "plan"):
        spoilt = Files(files.domain.parent)
        setattr(spoilt, which, garbage)
        assert complaint(spoilt.arguments, capsys).startswith(f"{garbage}: the file is too large")
    files.domain = garbage
    assert "the file is too large" in as_a_program(files)


DEEP = 100_000


@pytest.mark.parametrize("before", ["", "(define (domain d) (:action a :precondition "])
@pytest.mark.parametrize("repeated", ["(", "(and ", "(not ", "(forall (?x) "])
def test_a_hundred_thousand_nested_parentheses(
    files: Files, before: str, repeated: str, capsys: pytest.CaptureFixture[str]
) -> None:
    files.domain.write_text(before + repeated * DEEP + ")" * DEEP)
    line = complaint(files.arguments, capsys)
    assert line.startswith(f"{files.domain}:1:")
    assert "nest deeper" in line


def test_deep_nesting_does_not_crash_the_program(files: Files) -> None:
    files.problem.write_text(PROBLEM.replace("(lies p1 s1)", "(not " * DEEP + "(free v1)" + ")" * DEEP))
    assert "nest deeper" in as_a_program(files)


@pytest.mark.parametrize(
    "repeated", ["(and ", "(not ", "(or (free v1) ", "(imply (free v1) ", "(exists (?x) "]
)
def test_nesting_up_to_the_limit_is_read_and_runs(files: Files, repeated: str) -> None:
    depth = 140
    text = PROBLEM.replace(
        "(and (lies p1 s1)", repeated * depth + "(free v1)" + ")" * depth + " (and (lies p1 s1)"
    )
    text = text.replace("(:goal ", "(:goal (and ").replace("(lies p2 s1)))", "(lies p2 s1))))")
    task = Task.parse(Domain.parse(DOMAIN), text)
    task.is_goal(task.initial_state)


def problem_with(read: Callable[[str], object], text: str) -> InputError | None:
    """The input error that a reader answers with; any other exception goes on."""
    try:
        read(text)
    except InputError as problem:
        return problem
    return None


def read_problem(text: str) -> Task:
    return Task.parse(Domain.parse(DOMAIN), text)


@given(st.text(alphabet="()?:- \n;abcdefine1.", max_size=300))
@settings(max_examples=150)
def test_no_text_makes_the_readers_fail_otherwise(text: str) -> None:
    for read in (Domain.parse, read_problem, parse_plan):
        problem = problem_with(read, text)
        assert problem is None or problem.message


DAMAGE = st.tuples(
    st.integers(0, min(len(DOMAIN), len(PROBLEM))),
    st.integers(0, 40),
    st.sampled_from(["", ")", "(", " ?x ", " - ", " and ", " = "]),
)


@pytest.mark.parametrize(("read", "text"), [(Domain.parse, DOMAIN), (read_problem, PROBLEM)])
@given(damage=DAMAGE)
@settings(max_examples=200)
def test_no_damage_to_a_file_makes_its_reader_fail_otherwise(
    read: Callable[[str], object], text: str, damage: tuple[int, int, str]
) -> None:
    start, length, new = damage
    problem = problem_with(read, text[:start] + new + text[start + length :])
    assert problem is None or (problem.place is not None and problem.place.line is not None)
