"""A small suite with made-up records, so that reports are tested without running anything."""

from __future__ import annotations

import json
from pathlib import Path

from trailmark.bench.records import ABOUT, Record
from trailmark.bench.runs import LEARN, Expansion, expand
from trailmark.bench.suite import Presets, Suite
from trailmark.bench.suitefile import parse_suite

TEXT = """
title = "Made up"
notes = "Nothing here was measured."
[limits]
plan-seconds = 7
[learners.chain]
method = "chain"
config = ["b1", "b3"]
[planners.lm-g]
search = "astar"
learners = ["chain-*"]
[planners.hadd]
kind = "baseline"
heuristic = "hadd"
[[parts]]
name = "main"
title = "Main & only"
question = "Do landmarks help?"
paper = "They do."
claims = [["lm-g b1", "solves at least as many as", "hadd"], ["lm-g b3", "expands fewer than", "hadd"],
          ["lm-g b1", "has shorter plans than", "hadd"]]
domains = ["delivery", "ferry"]
tests = [1, 2, 3, 4]
planners = ["lm-g", "hadd"]
baseline = "hadd"
tables = ["coverage", "time", "expansions", "length", "instances", "graphs", "discovery-time", "t-test",
          "scale", "differences"]
figures = ["coverage", "cactus", "scatter", "expansions", "length", "scale"]
"""


def made_results(text: str = TEXT) -> tuple[Suite, Expansion, dict[str, Record]]:
    """Ferry with b3 finds no graph; `lm-g` fails on every fourth instance and the baseline on every third."""
    suite = parse_suite(text, name="made")
    expansion = expand(suite, Presets())
    records: dict[str, Record] = {}
    for run in expansion.runs:
        names = {"key": run.key, "domain": run.domain, "instance": run.instance, "date": "2026-01-02"}
        if run.kind == LEARN:
            records[run.key] = {**names, **_learned(run.domain, run.learner)}
        elif run.needs is not None and records[run.needs.key]["status"] != "learned":
            records[run.key] = {**names, "status": "no model", "reason": "no graph"}
        else:
            number = int(run.instance[1:])
            followed = run.planner == "lm-g"
            lost = number % (4 if followed else 3) == 0
            effort = (20 + len(run.learner)) * number**2 if followed else 50 * number**2 + number
            found = {"status": "time limit", "seconds": 7.1}
            if not lost:
                found = {
                    "status": "solved",
                    "seconds": effort / 100,
                    "expanded": effort,
                    "plan_length": 9 + number,
                }
            records[run.key] = {**names, **found}
    return suite, expansion, records


def _learned(domain: str, learner: str) -> Record:
    if domain == "ferry" and learner == "chain-b3":
        return {"status": "no graph", "reason": "no landmark is in all trajectories"}
    return {
        "status": "learned",
        "nodes": 3,
        "loops": 1 if learner == "chain-b1" else 0,
        "loop_edges": [{"source": 3, "target": 2, "accepted": [1, 1, 2, 2, 3]}]
        if learner == "chain-b1"
        else [],
        "features": {"generated": 300, "after_rules": 20},
        "times": {"total_s": 0.5 if learner == "chain-b1" else 0.75},
        "trajectories": 5,
        "satisfied": 5,
    }


def write_made_about(folder: Path) -> None:
    about = {
        "machine": {"processor": "Abacus", "cores": "2", "memory": "1 GB", "system": "Linux"},
        "versions": {"trailmark": "0", "Python": "3"},
        "jobs": "2 on this machine",
    }
    (folder / ABOUT).write_text(json.dumps(about))
