"""Tables that set planners side by side with Fast Downward, and learned loops in words."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.report.models import counter_model
from trailmark.bench.papertables import loop_words
from trailmark.bench.records import RESULTS, Record
from trailmark.bench.report import _code_states, make_report, report_html, report_markdown
from trailmark.bench.runner import made_file, run_suite
from trailmark.bench.runs import LEARN, expand
from trailmark.bench.suite import Presets
from trailmark.bench.suitefile import parse_suite
from trailmark.bench.tables import Results, coverage, length_ratio, loop_edges, results_of
from trailmark.errors import InputError
from trailmark.models.document import dumps

TEXT = """
title = "Side by side"
[limits]
learn-seconds = 10
plan-seconds = 5
megabytes = 1000
[learners.auto]
method = "auto"
[planners.ours]
search = "auto"
learners = ["auto"]
[planners.lama]
kind = "fast-downward"
[[parts]]
name = "main"
title = "Main"
domains = ["delivery", "ferry"]
tests = [1, 2, 3]
planners = ["ours", "lama"]
tables = ["length-ratio", "loops"]
"""
LENGTHS = {"ours": {"p01": 10, "p02": 30, "p03": 8}, "lama": {"p01": 10, "p02": 10, "p03": None}}


def results(folder: Path = Path()) -> Results:
    suite = parse_suite(TEXT, name="made")
    expansion = expand(suite, Presets())
    records: dict[str, Record] = {}
    for run in expansion.runs:
        if run.kind == LEARN:
            records[run.key] = {"status": "learned", "seconds": 3.0}
        else:
            length = LENGTHS[run.planner][run.instance]
            solved = length is not None
            records[run.key] = {"status": "solved" if solved else "time limit", "plan_length": length}
    return results_of(suite, expansion, records, folder)[0]


def test_plan_lengths_are_compared_where_both_planners_have_a_plan() -> None:
    table = length_ratio(results())
    assert table.header == ("domain", "ours", "instances")
    assert table.rows == (("delivery", "2.00", "2"), ("ferry", "2.00", "2"), ("all", "2.00", "4"))
    assert "lama" in table.title


def test_loops_are_told_in_words_and_graphs_that_are_missing_stay_empty(tmp_path: Path) -> None:
    found = results(tmp_path)
    run = next(run for run in found.learn_runs if run.domain == "ferry")
    path = made_file(tmp_path, run)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"model.json": dumps(counter_model("ferry"))}))
    missing, told = loop_words(found).rows
    assert missing == ("delivery", "auto", "3.0", "–", "–", "–")
    assert told[0] == "ferry"
    assert "board" in told[3]
    assert told[5].startswith("the number of")


def test_what_was_found_out_stands_in_the_report(tmp_path: Path) -> None:
    suite = parse_suite(TEXT, name="made")
    report = make_report(suite, expand(suite, Presets()), {}, Presets(), tmp_path, "Barman is *hard* <b>.\n")
    assert "## What was found out\n\nBarman is *hard* <b>." in report_markdown(report, "figures")
    assert "<pre>Barman is *hard* &lt;b&gt;.</pre>" in report_html(report)


def test_results_of_two_states_of_the_program_are_mixed_only_on_request(tmp_path: Path) -> None:
    suite = parse_suite(TEXT, name="made")
    expansion = expand(suite, Presets())
    records = [{"key": run.key, "status": "time limit", "code": "other"} for run in expansion.runs]
    (tmp_path / RESULTS).write_text("".join(json.dumps(record) + "\n" for record in records))
    with ThreadPoolExecutor(1) as executor:
        with pytest.raises(InputError, match="another state"):
            run_suite(expansion.runs, tmp_path, executor, resume=True)
        found = run_suite(expansion.runs, tmp_path, executor, resume=True, mixed=True)
    assert len(found) == len(records)


@pytest.mark.parametrize(
    ("states", "expected"),
    [
        (("a", "a", "a"), "a"),
        (("a", "b", "b"), "a (baseline); b (lama, learner auto): every planner in one state"),
        (
            ("a", "b", "a"),
            "a (baseline, learner auto); b (lama): every planner in one state",
        ),
    ],
)
def test_the_report_says_of_which_state_of_the_source_results_are(
    states: tuple[str, str, str], expected: str
) -> None:
    users = (("baseline", ""), ("lama", ""), ("", "auto"))
    records: list[Record] = [
        {"planner": planner, "learner": learner, "code": code}
        for code, (planner, learner) in zip(states, users, strict=True)
    ]
    assert _code_states(records) == expected
    again: Record = {"planner": "baseline", "learner": "", "code": "c"}
    assert "some results of one planner come from several states" in _code_states([*records, again])


def test_of_many_learners_the_report_says_how_many() -> None:
    many: list[Record] = [{"learner": f"size-{number}", "code": "a"} for number in range(40)]
    other: Record = {"planner": "baseline", "code": "b"}
    assert _code_states([*many, other]) == "a (40 learners); b (baseline): every planner in one state"


class Twins(Presets):
    """Two domains that are one."""

    def domain(self, name: str) -> str:
        return super().domain("ferry")

    def test(self, name: str, number: int) -> str:
        return super().test("ferry", number)


def test_an_instance_of_two_domains_is_run_once_and_counts_in_both() -> None:
    suite = parse_suite(TEXT.replace('"ours", "lama"', '"lama"'), name="made")
    expansion = expand(suite, Twins())
    assert len(expansion.runs) == 3
    records: dict[str, Record] = {run.key: {"status": "solved"} for run in expansion.runs}
    found = results_of(suite, expansion, records)[0]
    assert coverage(found).rows == (("delivery", "3/3"), ("ferry", "3/3"), ("all", "6/6"))


def test_loops_of_many_plans_are_told_by_their_least_and_most_acceptances() -> None:
    edge = {"source": 4, "target": 3}
    assert loop_edges({"loop_edges": [{**edge, "accepted": [1, 2, 1, 2, 3]}]}) == "4 → 3: 1, 2, 1, 2, 3"
    assert loop_edges({"loop_edges": [{**edge, "accepted": [1, 2, 3, 4] * 3}]}) == "4 → 3: 1 to 4"
    assert loop_edges({"status": "no graph"}) == ""
