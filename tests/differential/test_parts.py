"""The comparisons with other programs: small runs of each part, and that a mistake would be seen."""

from __future__ import annotations

import stat
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from tests.differential.__main__ import PARTS, main
from tests.differential.comparison import Comparison, table
from tests.differential.discovery import compare as compare_discovery
from tests.differential.mutations import MUTATIONS, Vocabulary, mutated
from tests.differential.plans import plans
from tests.differential.random_strips import random_strips
from tests.differential.tasks import TaskText, rich_tasks, training_tasks
from tests.differential.val import program, spelled_out, val
from tests.differential.validators import Unsupported, own, pymimir, unified_planning
from trailmark.task import Step, plan_text, validate
from trailmark.task.plans import Plan

SLOW_COUNTS = {
    "validators": 200,
    "val": 300,
    "optimal": 15,
    "heuristics": 300,
    "discovery": 60,
    "features": 100,
}


@pytest.fixture(scope="module")
def gripper() -> TaskText:
    return next(each for each in training_tasks() if each.name == "gripper 1")


def rich_task(name: str) -> TaskText:
    return next(each for each in rich_tasks() if each.name == name)


@pytest.mark.slow
@pytest.mark.parametrize("part", PARTS)
def test_a_part_agrees_with_the_other_programs(
    part: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code = main([part, "--seed", "1", "--count", str(SLOW_COUNTS[part]), "--save", str(tmp_path)])
    assert code == 0, capsys.readouterr().out
    assert not list(tmp_path.iterdir())


@pytest.mark.slow
def test_a_seed_stands_for_one_table(capsys: pytest.CaptureFixture[str]) -> None:
    tables = set()
    for _ in range(2):
        main(["heuristics", "discovery", "--seed", "7", "--count", "20"])
        tables.add(capsys.readouterr().out)
    assert len(tables) == 1


def test_a_disagreement_is_counted_saved_and_fails_the_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def wrong(*_: object) -> int:
        raise AssertionError("clingo found a better landmark")

    monkeypatch.setattr("tests.differential.discovery.check_chain", wrong)
    code = main(["discovery", "--count", "2", "--save", str(tmp_path)])
    assert code == 1
    assert capsys.readouterr().out.splitlines()[1].split()[:6] == [
        "discovery",
        "clingo",
        "chains",
        "1",
        "0",
        "1",
    ]
    (saved,) = tmp_path.glob("discovery-clingo-chains-001/problem.txt")
    assert "better landmark" in saved.read_text()


def test_discovery_agrees_with_clingo_on_a_few_cases() -> None:
    chains, loops = compare_discovery(3, 6, None)
    assert (chains.cases, chains.disagreements, loops.disagreements) == (3, 0, 0)


def test_an_unknown_part_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["nothing"])
    assert "unknown part 'nothing'" in capsys.readouterr().err


def test_the_table_tells_what_was_skipped_and_why() -> None:
    comparison = Comparison("validators", "VAL")
    comparison.skip("VAL is not built", 5)
    assert table([comparison]).splitlines()[1].split(None, 6)[-1] == "5 VAL is not built"


def test_a_seed_stands_for_the_same_plans_and_all_mutations_are_met(gripper: TaskText) -> None:
    made = [plans(gripper, 400, Random(5)) for _ in range(2)]
    assert made[0] == made[1]
    kinds = {part for kind, _ in made[0] for part in kind.split(" and ")}
    assert kinds >= set(MUTATIONS)
    verdicts = {own(gripper, plan_text(steps))[0] for _, steps in made[0]}
    assert verdicts == {True, False}


@pytest.mark.parametrize("name", ["unknown action", "unknown object", "wrong arity"])
def test_steps_that_name_nothing_are_never_valid(name: str, gripper: TaskText) -> None:
    chance = Random(0)
    ((_, steps),) = plans(gripper, 1, chance)
    words = Vocabulary([("move", 2)], ["rooma", "roomb"])
    for _ in range(20):
        assert not validate(gripper.task, Plan(MUTATIONS[name](steps, words, chance)))


def test_an_empty_plan_can_be_mutated() -> None:
    words = Vocabulary([("move", 1)], ["a"])
    for seed in range(60):
        kind, steps = mutated((), words, Random(seed))
        assert isinstance(kind, str)
        assert all(isinstance(step, Step) for step in steps)


def test_random_tasks_repeat_and_most_have_a_walk_to_their_goal() -> None:
    made = [[random_strips(Random(seed), costs=bool(seed % 2)) for seed in range(6)] for _ in range(2)]
    assert made[0] == made[1]


@pytest.mark.parametrize("name", [each.name for each in rich_tasks()])
def test_every_file_beyond_strips_has_valid_and_broken_plans(name: str) -> None:
    text = rich_task(name)
    verdicts = {own(text, plan_text(steps))[0] for _, steps in plans(text, 15, Random(2))}
    assert verdicts == {True, False}


def test_pymimir_replays_the_files_themselves(gripper: TaskText) -> None:
    texts = [plan_text(steps) for _, steps in plans(gripper, 12, Random(4))]
    answers = [valid for valid, _ in pymimir(gripper, texts)]
    assert answers == [own(gripper, each)[0] for each in texts]
    assert set(answers) == {True, False}


def test_a_file_pymimir_cannot_read_is_skipped_with_the_reason(gripper: TaskText) -> None:
    with pytest.raises(Unsupported, match="pymimir"):
        pymimir(replace(gripper, domain="(define (domain x.y))"), [""])


def test_what_pymimir_is_known_to_misread_is_skipped(gripper: TaskText) -> None:
    minus = gripper.domain.replace(":precondition", ":precondition (< (- (cost)) 1) :ignored", 1)
    with pytest.raises(Unsupported, match="minus of one number"):
        pymimir(replace(gripper, domain=minus), [""])


def test_val_is_asked_where_it_is_on_the_path(
    gripper: TaskText, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By a stand-in that accepts plans which have a step."""
    stand_in = tmp_path / "Validate"
    stand_in.write_text(
        '#!/bin/sh\ngrep -q "^(move" "$3" && echo "Plan valid" && echo "Value: 4" && exit\n'
        'grep -q "^(" "$3" && echo "Goal not satisfied" && exit 1\nkill -SEGV $$\n'
    )
    stand_in.chmod(stand_in.stat().st_mode | stat.S_IXUSR)
    monkeypatch.delenv("VAL", raising=False)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    answers = val(gripper, ["(move a b)\n", "(stay)\n", "; nothing\n"])
    assert answers == [(True, 4.0), (False, None), "VAL crashed"]
    stand_in.unlink()
    with pytest.raises(Unsupported, match="VAL is not built"):
        val(gripper, [])


def test_a_task_is_spelled_out_for_val() -> None:
    domain = (
        "(define (domain d) (:types t) (:predicates (p ?x)) "
        "(:action a :effect (when (< (f) (* 2 (g))) (p k))))"
    )
    assert spelled_out(TaskText("", domain, "(:goal (>= (f) 1))")) == TaskText(
        "",
        "(define (domain d) (:types t) (:predicates (p ?x - object)) "
        "(:action a :parameters () :effect (when (not (>= (f) (* 2 (g)))) (p k))))",
        "(:goal (>= (f) 1))",
    )


@pytest.mark.skipif(program() is None, reason="VAL is not built: name its program in VAL")
def test_val_agrees_on_the_rich_files() -> None:
    judged = 0
    for text in rich_tasks():
        texts = [plan_text(steps) for _, steps in plans(text, 8, Random(1))]
        with suppress(Unsupported):
            for plan, answer in zip(texts, val(text, texts), strict=True):
                judged += not isinstance(answer, str)
                assert isinstance(answer, str) or answer[0] == own(text, plan)[0], (text.name, plan)
    assert judged > 60


@pytest.mark.slow
def test_unified_planning_is_asked_about_costs_too() -> None:
    pytest.importorskip("unified_planning")
    text = rich_task("couriers problem-1")
    ((_, steps),) = plans(text, 1, Random(0))
    plan = plan_text(steps)
    assert unified_planning(text, [plan]) == [own(text, plan)]
