"""`trailmark show` and `trailmark explain`: every form, and one clear line for every wrong input."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.landmarks.written import print_graph
from tests.report.models import chain_model, instances
from trailmark.cli.main import main
from trailmark.domains import domain_text, train_problems
from trailmark.models.document import save
from trailmark.report import model_text
from trailmark.task import plan_text


@pytest.fixture(scope="module")
def work(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model of Ferry with a problem and its plan."""
    folder = tmp_path_factory.mktemp("ferry")
    save(chain_model("ferry"), folder / "model.json")
    (folder / "graph.txt").write_text(print_graph(chain_model("ferry").guidance))
    (folder / "domain.pddl").write_text(domain_text("ferry"))
    (folder / "other.pddl").write_text(domain_text("gripper"))
    (folder / "problem.pddl").write_text(train_problems("ferry")[3])
    (folder / "problem.plan").write_text(plan_text(instances("ferry")[3].plan.steps))
    (folder / "wrong.plan").write_text(plan_text(instances("ferry")[3].plan.steps[:2]))
    newer = json.loads((folder / "model.json").read_text())
    newer["schema_version"] += 1
    (folder / "newer.json").write_text(json.dumps(newer))
    return folder


def explained(work: Path, **changed: str) -> list[str]:
    names = {
        "model": "model.json",
        "domain": "domain.pddl",
        "problem": "problem.pddl",
        "plan": "problem.plan",
    }
    return ["explain", *(str(work / name) for name in (names | changed).values())]


def test_show_prints_the_graph_in_words(work: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", str(work / "model.json")]) == 0
    assert capsys.readouterr().out == model_text(chain_model("ferry"))
    assert main(["show", str(work / "model.json"), "--verbose"]) == 0
    assert "n_count(" in capsys.readouterr().out


def test_a_graph_in_text_is_shown_with_and_without_its_domain(
    work: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["show", str(work / "graph.txt")]) == 0
    assert "hand-written" in capsys.readouterr().out
    assert main(["show", str(work / "graph.txt"), "--domain", str(work / "domain.pddl")]) == 0
    assert "ferry: 3 landmarks and 1 loop" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("form", "start"),
    [
        ("json", "{"),
        ("dot", "digraph"),
        ("mermaid", "flowchart"),
        ("svg", "<svg"),
        ("html", "<!DOCTYPE html>"),
    ],
)
def test_show_writes_every_form(
    work: Path, tmp_path: Path, form: str, start: str, capsys: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "out"
    assert main(["show", str(work / "model.json"), "--format", form, "-o", str(target)]) == 0
    assert capsys.readouterr().out == ""
    assert target.read_text(encoding="utf-8").startswith(start)
    if form == "svg":
        ElementTree.parse(target)


def test_json_is_one_object_on_stdout(work: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", str(work / "model.json"), "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)["landmarks"]) == 3
    assert main([*explained(work), "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["status"] in ("follows", "leaves")
    assert sum(len(each["actions"]) for each in document["stretches"]) == document["plan_length"]


def test_explain_tells_the_plan_in_text_and_as_a_page(
    work: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(explained(work)) == 0
    assert "landmark 1 (pass 1 of 3): some car is on" in capsys.readouterr().out
    target = tmp_path / "page.html"
    assert main([*explained(work), "--format", "html", "-o", str(target)]) == 0
    assert 'id="plan-data"' in target.read_text(encoding="utf-8")
    assert main(explained(work, model="graph.txt")) == 0


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"model": "missing.json"}, "there is no such model file"),
        ({"model": "newer.json"}, "schema version 5"),
        ({"model": "domain.pddl"}, "expected a model, this file is a PDDL domain"),
        ({"domain": "missing.pddl"}, "there is no such PDDL domain"),
        ({"domain": "other.pddl"}, "the model is for domain 'ferry'"),
        ({"problem": "missing.pddl"}, "there is no such PDDL problem"),
        ({"plan": "missing.plan"}, "there is no such plan"),
        ({"plan": "wrong.plan"}, "the plan is not one for"),
        ({"plan": "domain.pddl"}, "expected '(action object ...)'"),
    ],
)
def test_wrong_input_to_explain_is_one_line_and_exit_code_2(
    work: Path, tmp_path: Path, changed: dict[str, str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "out.html"
    assert main([*explained(work, **changed), "--format", "html", "-o", str(target)]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    assert message in captured.err
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["show", "none"], "nothing to show"),
        (["show", "MODEL", "--format", "pdf"], "unknown format 'pdf' (use one of text, json, dot"),
        (["show", "MODEL", "--domain", "OTHER"], "the model is for domain 'ferry'"),
        (["show", "MODEL", "-o", "/nonexistent/out.svg"], "cannot be written"),
        (["show", "MODEL", "-o", "/dev/full"], "cannot be written"),
        (["explain", "none", "DOMAIN", "PROBLEM", "PLAN"], "no model to explain"),
        (["explain", "MODEL", "DOMAIN", "PROBLEM", "PLAN", "--format", "svg"], "unknown format 'svg'"),
        (["explain", "MODEL", "DOMAIN"], "Missing argument"),
    ],
)
def test_wrong_use_is_one_line_and_exit_code_2(
    work: Path, arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    places = {"MODEL": "model.json", "DOMAIN": "domain.pddl", "OTHER": "other.pddl"}
    places |= {"PROBLEM": "problem.pddl", "PLAN": "problem.plan"}
    given = [str(work / places[each]) if each in places else each for each in arguments]
    assert main(given) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    assert message in captured.err


@pytest.mark.skipif(os.geteuid() == 0, reason="the administrator may write in every folder")
def test_a_folder_that_cannot_be_written_is_one_line(work: Path, tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    assert main(["show", str(work / "model.json"), "-o", str(tmp_path / "out")]) == 2
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("command", ["show", "explain"])
def test_a_reader_that_has_gone_and_a_full_disk_are_no_traceback(work: Path, command: str) -> None:
    arguments = explained(work) if command == "explain" else ["show", str(work / "model.json")]
    program = [
        sys.executable,
        "-m",
        "trailmark",
        *arguments,
        "--format",
        "html" if command == "show" else "json",
    ]
    read_end, write_end = os.pipe()
    os.close(read_end)
    gone = subprocess.run(program, stdout=write_end, stderr=subprocess.PIPE, text=True, check=False)
    os.close(write_end)
    assert (gone.returncode, gone.stderr) == (0, "")
    with open("/dev/full", "w") as full:
        done = subprocess.run(program, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "cannot be written" in done.stderr
