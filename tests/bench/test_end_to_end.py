"""Real planners in real suites: ours on small Delivery instances, and Fast Downward's LAMA."""

from __future__ import annotations

from pathlib import Path

import pytest

from trailmark.bench.answers import parse_lama_graph
from trailmark.bench.papertables import preprocessing, training_size
from trailmark.bench.records import Record
from trailmark.bench.report import make_report
from trailmark.bench.runner import Threads, made_files, run_suite
from trailmark.bench.runs import LANDMARKS, Expansion, expand
from trailmark.bench.suite import Presets, Suite
from trailmark.bench.suitefile import parse_suite
from trailmark.bench.tables import results_of
from trailmark.search.fast_downward import is_installed

pytestmark = pytest.mark.slow

LEARNING = """
[learners.size]
method = "chain"
config = "b1"
training = [2, 6]
plans = 2
[learners.quality]
method = "chain"
config = "b1"
set = ["paper-fd", "paper-plus50"]
[planners.lm-g]
search = "astar"
heuristic = "hadd"
learners = ["*"]
[planners.sketch]
search = "astar"
graph = "sketch"
[planners.hadd]
kind = "baseline"
heuristic = "hadd"
[[parts]]
name = "main"
domains = ["delivery"]
tests = [1]
planners = ["lm-g", "sketch", "hadd"]
baseline = "hadd"
"""

LAMA = """
[learners.chain]
method = "chain"
config = "b1"
[planners.lama-first]
kind = "fast-downward"
[planners.lama]
kind = "fast-downward"
alias = "lama"
[[parts]]
name = "main"
domains = ["delivery"]
tests = [1]
planners = ["lama-first", "lama"]
learners = ["chain"]
lama-graph = 1
plan-seconds = 10
"""


def _run(text: str, folder: Path) -> tuple[Suite, Expansion, dict[str, Record]]:
    suite = parse_suite(text)
    expansion = expand(suite, Presets())
    with Threads(2) as executor:
        return suite, expansion, run_suite(expansion.runs, folder, executor)


def test_plans_are_made_graphs_learned_and_instances_solved(tmp_path: Path) -> None:
    suite, expansion, records = _run(LEARNING, tmp_path)
    assert not [record["reason"] for record in records.values() if "reason" in record]
    assert {record["status"] for record in records.values()} == {"made", "learned", "solved"}
    (results,) = results_of(suite, expansion, records)
    assert [row[2:4] for row in training_size(results).rows[:2]] == [("2", "2"), ("6", "2")]
    assert len(preprocessing(results).rows) == 4
    trajectories = {
        record["learner"]: record["trajectories"] for record in records.values() if record["kind"] == "learn"
    }
    assert trajectories == {"size-2": 4, "size-6": 12, "quality-paper-fd": 5, "quality-paper-plus50": 5}


@pytest.mark.skipif(not is_installed(), reason="needs Fast Downward (extra fd)")
def test_lama_is_run_counted_and_its_landmarks_drawn(tmp_path: Path) -> None:
    suite, expansion, records = _run(LAMA, tmp_path)
    first, anytime = (record for record in records.values() if record["kind"] == "plan")
    assert first["status"] == anytime["status"] == "solved"
    assert anytime["plan_length"] <= first["plan_length"]
    assert first["expanded"] > 0
    (dump,) = (run for run in expansion.runs if run.kind == LANDMARKS)
    graph = parse_lama_graph(made_files(tmp_path, dump)["lama.dot"])
    assert graph.nodes
    assert graph.edges
    assert any(node.goal for node in graph.nodes)
    report = make_report(suite, expansion, records, Presets(), tmp_path)
    assert [picture.name for picture in report.sections[0].pictures] == [
        "generalized-delivery-chain",
        "lama-delivery-p01",
    ]
