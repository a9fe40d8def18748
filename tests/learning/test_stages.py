"""What the clock cuts short is known afterwards, and a model comes out all the same."""

from __future__ import annotations

import pytest

from tests.learning.paper_set import DOMAIN, FD_PLANS, PROBLEMS
from trailmark.learning.counter import learn_counters
from trailmark.learning.learner import LandmarkLearner, LearnOptions
from trailmark.learning.training import load_training
from trailmark.limits import Budget, Stages
from trailmark.task import trajectory


def test_a_stage_is_told_while_it_works_and_noted_where_its_time_was_up() -> None:
    told: list[tuple[str, str]] = []
    stages = Stages(lambda stage, word: told.append((stage, word)))
    with stages.stage("outer"):
        with stages.stage("inner", Budget(1e-9)):
            stages.say("half")
        stages.say("end")
    assert told == [("outer", "started"), ("inner", "started"), ("inner", "half"), ("outer", "end")]
    assert stages.cut_short == ["inner"]


def test_without_a_limit_nothing_is_cut_short() -> None:
    instances = load_training(DOMAIN, PROBLEMS, "files", FD_PLANS).instances
    learner = LandmarkLearner(LearnOptions(method="counter", complexity=5)).fit(instances)
    assert learner.cut_short_ == ()
    assert learner.notes_ == []
    assert learner.model_.options["cut_short"] == ""


def test_a_graph_comes_out_where_every_stage_is_cut_short(monkeypatch: pytest.MonkeyPatch) -> None:
    for share in ("TRIAL_SHARE", "GUARD_SHARE"):
        monkeypatch.setattr(f"trailmark.learning.counter.{share}", 1e-9)
    instances = load_training(DOMAIN, PROBLEMS, "files", FD_PLANS).instances
    paths = [trajectory(each.task, each.plan) for each in instances]
    stages = Stages()
    learned = learn_counters([each.task for each in instances], paths, None, Budget(30.0), stages)
    assert learned.selection.best is not None
    assert {"trials", "guards"} <= set(stages.cut_short)
