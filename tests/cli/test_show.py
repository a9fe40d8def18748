"""`trailmark show` as text and JSON."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.learning.paper_set import DOMAIN, FD_PLANS, PROBLEMS
from trailmark.cli.main import main

Capture = pytest.CaptureFixture[str]


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("model") / "model.json"
    plans = [word for plan in FD_PLANS for word in ("--plan", plan)]
    assert main(["learn", DOMAIN, *PROBLEMS, "-o", str(target), "--method", "chain", "--quiet", *plans]) == 0
    return target


def test_text_names_every_landmark_and_the_loop(model: Path, capfd: Capture) -> None:
    assert main(["show", str(model)]) == 0
    out, err = capfd.readouterr()
    assert err == ""
    assert "4 landmarks and 1 loop" in out
    assert all(f"{number}. " in out for number in (1, 2, 3, 4))
    assert "back to 3" in out


@pytest.mark.parametrize("option", [["--format", "json"], ["--json"]])
def test_json_is_one_object_with_words_and_formulas(option: list[str], model: Path, capfd: Capture) -> None:
    assert main(["show", str(model), *option]) == 0
    document = json.loads(capfd.readouterr().out)
    assert (document["domain"], document["method"]) == ("delivery", "chain")
    assert [each["number"] for each in document["landmarks"]] == [1, 2, 3, 4]
    assert [each["loop"] is not None for each in document["landmarks"]] == [False, False, False, True]
    formulas = {part["formula"] for each in document["landmarks"] for part in each["parts"]}
    features = json.loads(model.read_text())["features"]
    assert all(any(feature in formula for feature in features) for formula in formulas)


def test_the_output_can_go_to_a_file(model: Path, tmp_path: Path, capfd: Capture) -> None:
    target = tmp_path / "graph.txt"
    assert main(["show", str(model), "-o", str(target)]) == 0
    assert capfd.readouterr().out == ""
    assert "4 landmarks and 1 loop" in target.read_text()


def test_what_cannot_be_shown_is_bad_input(model: Path, tmp_path: Path, capfd: Capture) -> None:
    damaged = tmp_path / "damaged.json"
    damaged.write_text(model.read_text()[:-40])
    for arguments in ([str(model), "--format", "morse"], ["none"], [str(damaged)]):
        assert main(["show", *arguments]) == 2
        out, err = capfd.readouterr()
        assert (out, err.count("\n")) == ("", 1)
