"""Model files of version 1, written by the last program that made them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.landmarks import running_example as example
from trailmark.api import load
from trailmark.errors import ModelError
from trailmark.models.document import dumps
from trailmark.models.model import Estimate
from trailmark.models.reading import loads
from trailmark.programs.program import parse_program

FILES = Path(__file__).parent / "version1"
WANTED, UNPACKED = "n_count(c_primitive(wantspaper,0))", "n_count(c_primitive(unpacked,0))"


def document(name: str) -> Any:
    return json.loads((FILES / f"{name}.json").read_text(encoding="utf-8"))


def test_a_chain_becomes_the_same_landmark_graph() -> None:
    model = load(FILES / "chain.json").model
    assert model.guidance == example.PAPER_GRAPH
    assert model.estimate == Estimate(0.5, (4.0,), 0.25, 1)
    assert loads(dumps(model)) == model


def test_counters_become_a_program() -> None:
    model = load(FILES / "counter.json").model
    assert model.guidance == parse_program(
        f"counter {WANTED} - 1\nthen {UNPACKED}\ncounter {UNPACKED}\nguard n_count(c_primitive(broken,0))"
    )
    assert model.training[0].passes == (1, 1)
    assert loads(dumps(model)) == model


def test_landmarks_inside_a_pass_are_left_out() -> None:
    assert load(FILES / "body.json").model.guidance == parse_program(f"counter {WANTED}")


def test_a_graph_that_is_neither_is_refused_with_what_to_do() -> None:
    with pytest.raises(ModelError, match=r"mixed.json: graph.landmarks\[1\]: not a counter.*learn it again"):
        load(FILES / "mixed.json")


def test_loops_with_lexicographic_progressors_are_refused() -> None:
    changed = document("chain")
    loop = changed["graph"]["loops"][0]
    loop["progression"][0] += loop["progression"][0]
    with pytest.raises(ModelError, match=r"graph.loops\[0\].progression: a progressor has one feature"):
        loads(json.dumps(changed))


@pytest.mark.parametrize(
    ("part", "value"),
    [
        (
            ("landmarks", 0, "descriptors"),
            [{"feature": 0, "positive": True, "operator": ">", "threshold": 0}],
        ),
        (("landmarks", 0, "progressors", 0, 0, "decreases"), False),
        (("loops", 0, "exit", 0, "operator"), "="),
        (("loops", 0, "counter", 0, "minus"), 7),
        (("loops", 0, "source"), 9),
        (("loops", 0, "progression"), [[{"feature": 0, "decreases": True}]]),
        (("loops",), []),
    ],
)
def test_what_no_counter_looked_like_is_refused(part: tuple[str | int, ...], value: object) -> None:
    changed = document("counter")
    inner = changed["graph"]
    for key in part[:-1]:
        inner = inner[key]
    inner[part[-1]] = value
    with pytest.raises(ModelError, match="not a counter's landmark"):
        loads(json.dumps(changed))


def test_an_old_file_is_checked_as_strictly() -> None:
    changed = document("counter")
    changed["graph"]["landmarks"][0]["progressors"] = [[]]
    with pytest.raises(
        ModelError, match=r"graph.landmarks\[0\].progressors\[0\]: expected array of length >= 1"
    ):
        loads(json.dumps(changed))
    changed = document("counter") | {"guidance": {}}
    with pytest.raises(ModelError, match="unknown field guidance"):
        loads(json.dumps(changed))
