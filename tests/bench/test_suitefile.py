"""Suites are read as written, and an error names the line that is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.bench.steps import write_benchmarks
from trailmark.bench.suite import Folder, Limits, Presets
from trailmark.bench.suitefile import load_suite, parse_suite, select, suite_names
from trailmark.domains import names
from trailmark.errors import InputError

GOOD = """
title = "Small"
[limits]
plan-seconds = 3
[learners.pool]
method = "chain"
config = ["b1", "b2"]
training = [3, 5]
[planners.lm-g]
search = "astar"
prune = false
learners = ["pool-b1-*"]
[planners.plain]
kind = "baseline"
[[parts]]
name = "one"
domains = ["delivery", "ferry"]
tests = [1, 2]
planners = ["lm-g", "plain"]
megabytes = 100
[[parts]]
name = "two"
learners = ["pool-*-5"]
"""


def test_lists_of_a_learner_are_crossed() -> None:
    suite = parse_suite(GOOD)
    assert [learner.name for learner in suite.learners] == [
        "pool-b1-3",
        "pool-b1-5",
        "pool-b2-3",
        "pool-b2-5",
    ]
    assert suite.learners[1].training == 5
    assert dict(suite.learners[1].options)["config"] == "b1"
    assert suite.planner("lm-g").learners == ("pool-b1-3", "pool-b1-5")


def test_parts_take_the_suite_s_limits_and_may_have_their_own() -> None:
    one, two = parse_suite(GOOD).parts
    assert one.limits == Limits(plan_seconds=3, megabytes=100)
    assert two.limits == Limits(plan_seconds=3)
    assert two.learners == ("pool-b1-5", "pool-b2-5")
    assert two.domains == tuple(names())


def test_the_paper_s_suite_has_the_size_of_its_experiments() -> None:
    suite = load_suite("paper")
    parts = {part.name: part for part in suite.parts}
    for name in ("q1", "q1-loops", "q4", "pruning"):
        assert parts[name].tests == tuple(range(1, 31))
        assert (parts[name].limits.plan_seconds, parts[name].limits.megabytes) == (20, 4000)
    assert {part.limits.clock for part in suite.parts} == {"cpu"}
    assert len(parts["q1"].domains) == 16
    assert set(parts["q3"].domains) == {"delivery", "baking"}
    for name in ("q5-q6", "q7-q8"):
        followed = [
            learner for planner in parts[name].planners for learner in suite.planner(planner).learners
        ]
        assert {suite.learner(learner).set for learner in followed} == {"paper-fd"}
    asked = " ".join(part.title for part in suite.parts if part.question)
    assert all(f"Q{number}" in asked for number in range(1, 9))


@pytest.mark.parametrize("name", suite_names())
def test_a_suite_of_the_package_is_read_and_its_domains_exist(name: str) -> None:
    suite = load_suite(name)
    assert suite.parts
    assert {domain for part in suite.parts for domain in part.domains} <= set(Presets().domains())


def test_the_four_suites_are_there() -> None:
    assert {"quick", "standard", "paper", "scale"} <= set(suite_names())


def test_quick_covers_all_domains_with_two_instances_and_four_planners() -> None:
    (part,) = load_suite("quick").parts
    assert len(part.domains) == 21
    assert len(part.tests) == 2
    assert part.planners == ("trailmark", "paper-astar", "baseline", "lama-first")
    assert part.limits == Limits(10, 5, 4000)


def test_standard_runs_every_third_instance_at_twenty_seconds() -> None:
    (part,) = load_suite("standard").parts
    assert part.tests == tuple(range(3, 31, 3))
    assert part.limits.plan_seconds == 20


@pytest.mark.parametrize(
    ("old", "new", "line", "words"),
    [
        ('title = "Small"', "title = ", 2, "Invalid value"),
        ("plan-seconds = 3", "plan-seconds = -3", 4, "plan-seconds: expected float > 0"),
        ("plan-seconds = 3", "seconds = 3", 4, "unknown key 'seconds'"),
        ("plan-seconds = 3", 'clock = "sun"', 4, "clock: invalid enum value 'sun' (known are wall, cpu)"),
        ('method = "chain"', "method = {}", 6, "method: expected bool | int | float | str, got object"),
        ("training = [3, 5]", "training = [0]", 8, "training: expected int >= 1"),
        ('learners = ["pool-b1-*"]', 'learners = ["b1"]', 12, "there is no 'b1'"),
        ('learners = ["pool-b1-*"]', "", 9, "follows no landmark graph"),
        (
            'kind = "baseline"',
            'kind = "magic"',
            14,
            "kind: invalid enum value 'magic' (known are trail",
        ),
        ('kind = "baseline"', 'kind = "command"\ncommand = "solve {domain}"', 15, "{problem}"),
        ('name = "one"', 'name = "o n e"', 16, "name: expected str matching"),
        ("tests = [1, 2]", "tests = [0]", 18, "tests: expected int >= 1"),
        ('planners = ["lm-g", "plain"]', 'planners = ["lama"]', 19, "there is no 'lama'"),
        (
            'name = "two"',
            'name = "two"\ntables = ["cake"]',
            23,
            "invalid enum value 'cake' (known are cov",
        ),
    ],
)
def test_an_error_names_the_line(old: str, new: str, line: int, words: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_suite(GOOD.replace(old, new), "mine.toml")
    assert words in str(caught.value)
    assert str(caught.value).startswith(f"mine.toml:{line}")


def test_two_parts_of_one_name_are_refused() -> None:
    with pytest.raises(InputError, match="two parts are named 'one'"):
        parse_suite(GOOD.replace('"two"', '"one"'))


def test_an_unknown_suite_is_refused_with_those_there_are() -> None:
    with pytest.raises(InputError, match="quick"):
        load_suite("quik")


def test_instances_must_be_there_for_the_domains_that_are_chosen(tmp_path: Path) -> None:
    folder = Folder(write_benchmarks(tmp_path))
    part = '[[parts]]\nname = "main"\ndomains = ["steps", "delivery"]\ntests = [1]\nplanners = ["plain"]\n'
    suite = parse_suite(f'[planners.plain]\nkind = "baseline"\n{part}')
    with pytest.raises(InputError, match="no instances of delivery"):
        select(suite, folder)
    assert select(suite, folder, domains=["st*"]).parts[0].domains == ("steps",)


def test_a_part_with_instances_of_its_own_asks_for_no_others(tmp_path: Path) -> None:
    part = '[[parts]]\nname = "main"\nown = true\ndomains = ["delivery"]\ntests = [1]\nplanners = ["plain"]\n'
    suite = parse_suite(f'[planners.plain]\nkind = "baseline"\n{part}')
    assert select(suite, Folder(write_benchmarks(tmp_path))) == suite
