"""A suite expands to each run once; a key stands for all a run depends on."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.bench.steps import problem, suite_text, write_benchmarks
from trailmark.bench.runner import job
from trailmark.bench.runs import LEARN, PLAN, PLANS, expand
from trailmark.bench.suite import Folder, Presets, training_set
from trailmark.bench.suitefile import load_suite, parse_suite, select, without_fast_downward
from trailmark.errors import InputError


def test_parts_share_their_runs() -> None:
    suite = select(load_suite("paper"), Presets(), parts=["q1*", "q2"], domains=["newspapers"], tests=[1])
    expansion = expand(suite, Presets())
    assert len({run.key for run in expansion.runs}) == len(expansion.runs)
    keys = {name: {run.key for run in runs} for name, runs in expansion.parts.items()}
    assert len(keys["q2"]) == 10
    assert len(keys["q2"] & keys["q1-loops"]) == 5
    assert keys["q1"] <= keys["q1-loops"]


def test_every_domain_is_learned_with_the_paper_s_best_pool() -> None:
    suite = select(load_suite("paper"), Presets(), parts=["q1"], tests=[1])
    learning = {
        run.domain: run.settings["config"] for run in expand(suite, Presets()).runs if run.kind == LEARN
    }
    assert len(learning) == 16
    assert (learning["newspapers"], learning["ferry"], learning["baking"]) == ("b1", "b1", "b2")


def test_delivery_is_learned_from_the_paper_s_own_instances() -> None:
    suite = select(load_suite("paper"), Presets(), parts=["q1"], domains=["delivery", "ferry"], tests=[1])
    jobs = {run.domain: job(run, {})["files"] for run in expand(suite, Presets()).runs if run.kind == LEARN}
    own = training_set(Presets(), "delivery", "paper-fd")
    assert jobs["delivery"]["t05.pddl"] == own[4].problem
    assert jobs["delivery"]["t05.plan"] == own[4].plan
    assert "t05.plan" not in jobs["ferry"]


def test_what_is_needed_comes_first() -> None:
    suite = select(load_suite("paper"), Presets(), parts=["q3"], domains=["delivery"], tests=[3])
    seen: set[str] = set()
    kinds = set()
    for run in expand(suite, Presets()).runs:
        assert run.needs is None or run.needs.key in seen
        seen.add(run.key)
        kinds.add(run.kind)
    assert kinds == {PLANS, LEARN, PLAN}


def test_a_key_changes_with_the_instance_the_limits_and_the_options(tmp_path: Path) -> None:
    folder = Folder(write_benchmarks(tmp_path / "benchmarks"))
    text = suite_text(tmp_path, tests=2)

    def keys(text: str) -> set[str]:
        return {run.key for run in expand(parse_suite(text), folder).runs}

    first = keys(text)
    assert len(first) == 4
    assert keys(text) == first
    assert not first & keys(text.replace("plan-seconds = 10.0", "plan-seconds = 11.0"))
    assert not first & keys(text.replace("plan-seconds = 10.0", 'plan-seconds = 10.0\nclock = "cpu"'))
    path = folder.root / "steps" / "test" / "p01.pddl"
    path.write_text(path.read_text() + "\n")
    assert len(first & keys(text)) == 2


def test_a_key_changes_with_what_the_run_it_needs_depends_on(tmp_path: Path) -> None:
    folder = Folder(write_benchmarks(tmp_path / "benchmarks"))
    training = folder.root / "steps" / "train" / "t01.pddl"
    suite = parse_suite(
        '[learners.one]\ntraining = 1\n[planners.lm]\nlearners = ["one"]\n'
        '[[parts]]\nname = "main"\ndomains = ["steps"]\ntests = [1]\nplanners = ["lm"]\n'
    )
    training.write_text(problem(1))
    learning, planning = expand(suite, folder).runs
    training.write_text(problem(3))
    assert {learning.key, planning.key}.isdisjoint(run.key for run in expand(suite, folder).runs)


def test_a_job_carries_all_texts_it_needs() -> None:
    suite = select(load_suite("quick"), Presets(), domains=["gripper"], tests=[6])
    for run in expand(suite, Presets()).runs:
        texts = job(run, {"model.json": "{}"})["files"]
        words = [word for word in run.command if word.endswith((".pddl", ".json"))]
        assert words
        assert {word for word in words if run.kind == PLAN or word != "model.json"} <= set(texts)


def test_more_training_instances_than_the_preset_has_are_further_seeds() -> None:
    more = training_set(Presets(), "delivery", count=12)
    assert [own.problem for own in more[:5]] == [own.problem for own in Presets().training("delivery", 5)]
    assert len({own.problem for own in more}) == 12


def test_a_folder_with_too_few_training_instances_says_so(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="0 training instances, 3 are asked for"):
        Folder(write_benchmarks(tmp_path)).training("steps", 3)


def test_the_paper_s_training_sets_differ_in_their_plans_alone() -> None:
    sets = [
        training_set(Presets(), "delivery", name) for name in ("paper-fd", "paper-plus24", "paper-plus50")
    ]
    for triple in zip(*sets, strict=True):
        assert len({own.problem for own in triple}) == 1
        lengths = [len((own.plan or "").split("\n")) for own in triple]
        assert lengths == sorted(lengths)


def test_without_fast_downward_its_planners_are_left_out_by_name() -> None:
    suite, gone = without_fast_downward(load_suite("quick"))
    assert gone == ["lama-first"]
    assert "lama-first" not in suite.parts[0].planners


def test_an_unknown_domain_or_planner_is_refused() -> None:
    for choice in ({"domains": ["moon"]}, {"planners": ["moon"]}, {"parts": ["moon"]}):
        with pytest.raises(InputError, match="'moon'"):
            select(load_suite("quick"), Presets(), **choice)
