"""Files from elsewhere execute nothing, open nothing, and cannot pose as markup or as commands."""

from __future__ import annotations

import ast
import builtins
import json
import re
import subprocess
import sys
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

import trailmark
from tests.bench.made_results import made_results
from trailmark.bench.report import make_report, report_html
from trailmark.bench.suite import Presets
from trailmark.bench.worker import _filled
from trailmark.cli.main import main
from trailmark.features.incremental.evaluation import bind
from trailmark.features.text import parse
from trailmark.landmarks.text import parse_graph
from trailmark.models.document import save
from trailmark.models.model import Model, TrainingRecord
from trailmark.task import Domain, Task
from trailmark.task.lifted import LiftedGenerator

ROOT = Path(trailmark.__file__).parent
MODULES = sorted(ROOT.rglob("*.py"))

FORBIDDEN_IMPORTS = {
    "pickle", "cPickle", "_pickle", "dill", "cloudpickle", "joblib", "marshal", "shelve", "dbm", "yaml",
    "ruamel", "zipfile", "tarfile", "gzip", "bz2", "lzma", "zlib", "zipimport", "code", "codeop", "pty",
    "urllib", "http", "socket", "ftplib", "requests",
}  # fmt: skip
FORBIDDEN_CALLS = {
    "eval",
    "__import__",
    "input",
    "os.system",
    "os.popen",
    "shutil.unpack_archive",
    "runpy.run_path",
}
GENERATES_CODE = {"task/lifted/generator.py", "features/incremental/evaluation.py"}
"""The two places that run code, which they write themselves; its text is tested below."""
STARTS_PROCESSES = {"search/fast_downward.py", "bench/runner.py", "integrations/mcp_server.py"}
BECOMES_A_COMMAND = {"bench/worker.py"}


def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def calls(path: Path) -> list[tuple[str, ast.Call]]:
    return [(ast.unparse(node.func), node) for node in ast.walk(tree(path)) if isinstance(node, ast.Call)]


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_module_unpacks_evaluates_or_fetches(path: Path) -> None:
    name = path.relative_to(ROOT).as_posix()
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Import):
            assert not {each.name.split(".")[0] for each in node.names} & FORBIDDEN_IMPORTS
        elif isinstance(node, ast.ImportFrom):
            assert (node.module or "").split(".")[0] not in FORBIDDEN_IMPORTS
    for function, call in calls(path):
        assert function not in FORBIDDEN_CALLS
        assert function not in ("exec", "compile") or name in GENERATES_CODE
        assert not function.startswith("os.exec") or name in BECOMES_A_COMMAND
        assert not function.startswith(("subprocess.Popen", "subprocess.run")) or name in STARTS_PROCESSES
        assert not function.startswith(("os.spawn", "subprocess.getoutput", "subprocess.check_output"))
        assert not [each for each in call.keywords if each.arg == "shell"]
        # NumPy's own reader of arrays can unpickle.
        assert function not in ("np.load", "numpy.load")


HOSTILE = '</script><script>alert`1`</script><img/src=x/onerror=alert`1`>"\'&]]>--><!--{{7*7}}${x}%0a\\"#`rm`'
CODE = '__import__["os"].system["x"]'
NAMES = [HOSTILE, CODE, "'''", "a\\", "0", "True", "import", "é\u0301", "javascript:alert`1`"]


def hostile_task(name: str) -> Task:
    """A task all of whose names are this one, told apart by a number."""
    domain = f"""(define (domain {name}0) (:types {name}1)
      (:predicates ({name}2 ?{name}3 - {name}1) ({name}4 ?x ?y))
      (:action {name}5 :parameters (?{name}6 ?y - {name}1)
        :precondition (and ({name}2 ?{name}6) ({name}4 ?y ?y))
        :effect (and (not ({name}2 ?{name}6)) ({name}4 ?{name}6 ?y))))"""
    problem = f"""(define (problem {name}7) (:domain {name}0) (:objects {name}8 {name}9 - {name}1)
      (:init ({name}2 {name}8) ({name}4 {name}9 {name}9)) (:goal ({name}4 {name}8 {name}9)))"""
    return Task.parse(Domain.parse(domain), problem)


def generated(name: str, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The code that is made for the hostile task: joins of its actions, and a feature's changes."""
    task = hostile_task(name)
    real = builtins.compile
    texts: list[str] = []

    def spy(source: Any, *rest: Any, **more: Any) -> Any:
        if isinstance(source, str) and "def " in source:
            texts.append(source)
        return real(source, *rest, **more)

    with monkeypatch.context() as patch:
        patch.setattr(builtins, "compile", spy)
        LiftedGenerator(task)
        low = name.lower()
        feature = parse(f"n_count(c_some(r_primitive({low}4,0,1),c_primitive({low}2,0)))")
        bind([feature], task.structure)
    return texts


@pytest.mark.parametrize("name", NAMES)
def test_generated_code_is_the_same_whatever_the_names_are(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = generated(name, monkeypatch)
    assert len(texts) == 2
    assert texts == generated("plain", monkeypatch)
    for text in texts:
        for node in ast.walk(ast.parse(text)):
            assert not isinstance(node, ast.Import | ast.ImportFrom | ast.Lambda | ast.JoinedStr)
            assert not isinstance(node, ast.Constant) or node.value is None or type(node.value) in (int, bool)


# Model files


def hostile_model() -> Model:
    paths = ["/etc/passwd", "../../secret.plan", "file:///etc/shadow", "\\\\host\\share", HOSTILE]
    records = tuple(TrainingRecord(each, "0" * 64, each, "1" * 64, 3, (), False, each) for each in paths)
    graph = parse_graph(f"landmark\n n_count(c_primitive({HOSTILE.replace(',', '')},0))")
    return Model(graph, HOSTILE, "s", "/bin/sh", records, options={"plan": "/etc/passwd", "run": "rm -rf /"})


WATCHED = """
import json, sys
from trailmark.api import load
from trailmark.report import dot, graph_svg, mermaid, model_html, model_text, outline, outline_json, page
def show():
    model = load(sys.argv[1]).model
    told = outline(model)
    for make in (dot, mermaid, graph_svg, page, outline_json):
        make(told)
    model_text(model), model_html(model)
show()  # whatever is imported late is imported now
seen = []
watched = (
    "open os.listdir os.scandir os.remove os.rename os.system os.exec os.fork os.posix_spawn exec compile "
    "import socket.connect subprocess.Popen ctypes.dlopen pickle.find_class"
).split()
def watch(event, arguments):
    if event in watched:
        seen.append([event, str(arguments[0]) if arguments else ""])
sys.addaudithook(watch)
show()
print(json.dumps(seen))
"""


def test_a_model_file_is_shown_without_opening_or_running_anything_it_names(tmp_path: Path) -> None:
    path = tmp_path / "model.json"
    save(hostile_model(), path)
    ended = subprocess.run(
        [sys.executable, "-c", WATCHED, str(path)], capture_output=True, text=True, check=True, timeout=300
    )
    seen = json.loads(ended.stdout)
    opened = {what for event, what in seen if event == "open"}
    assert str(path) in opened
    own = (str(ROOT / "report"), str(path))
    assert not [each for each in opened if not each.startswith(own)]
    assert not [each for each in seen if each[0] not in ("open", "import")]
    assert not [what for event, what in seen if event == "import" and what in FORBIDDEN_IMPORTS]


# Names in pages and pictures


class Page(HTMLParser):
    """Every element and attribute of a page, and its text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attributes)))

    def handle_data(self, data: str) -> None:
        self.text += data


def check_harmless(text: str) -> Page:
    page = Page(text)
    assert "img" not in {tag for tag, _ in page.elements}
    assert not [name for _, found in page.elements for name in found if name.startswith("on")]
    links = [found.get(name) or "" for _, found in page.elements for name in ("href", "src", "action")]
    assert not [link for link in links if link not in ("", "data:,") and not link.startswith("#")]
    assert not [each for each in page.text if not (each.isprintable() or each in "\n\t")]
    return page


@pytest.fixture
def hostile_files(tmp_path: Path) -> dict[str, str]:
    """A domain, a problem, a plan and a graph of hostile names, in files of hostile names."""
    task = hostile_task(HOSTILE)
    name = HOSTILE
    low = HOSTILE.lower()
    folder = tmp_path / "<b>&'\"\u202e"
    folder.mkdir()
    texts = {
        "domain": f"""(define (domain {name}0) (:types {name}1)
          (:predicates ({name}2 ?x - {name}1) ({name}4 ?x ?y))
          (:action {name}5 :parameters (?x ?y - {name}1) :precondition (and ({name}2 ?x) ({name}4 ?y ?y))
            :effect (and (not ({name}2 ?x)) ({name}4 ?x ?y))))""",
        "problem": f"""(define (problem {name}7) (:domain {name}0) (:objects {name}8 {name}9 - {name}1)
          (:init ({name}2 {name}8) ({name}4 {name}9 {name}9)) (:goal ({name}4 {name}8 {name}9)))""",
        "plan": f"({name}5 {name}8 {name}9)\n",
        "graph": f"landmark\n not n_count(c_primitive({low}2,0))\n n_count(r_primitive({low}4,0,1))\n",
    }
    assert task.name == f"{low}7"
    paths = {}
    for kind, text in texts.items():
        path = folder / f"{kind}<script>"
        path.write_text(text, encoding="utf-8")
        paths[kind] = str(path)
    return paths


def output(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    assert main(arguments) == 0
    return capsys.readouterr().out


def test_names_from_pddl_stay_text_in_every_form_of_a_graph(
    hostile_files: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    show = ["show", hostile_files["graph"], "--domain", hostile_files["domain"], "--format"]
    page = check_harmless(output([*show, "html"], capsys))
    assert [tag for tag, _ in page.elements].count("script") == 1
    assert HOSTILE.lower() in page.text
    picture = ElementTree.fromstring(output([*show, "svg"], capsys))
    tags = {each.tag.rpartition("}")[2] for each in picture.iter()}
    assert tags <= {"svg", "title", "style", "rect", "path", "g", "text"}
    for line in output([*show, "dot"], capsys).splitlines():
        assert re.sub(r'"(?:\\.|[^"\\])*"', "", line).count('"') == 0
    for line in output([*show, "mermaid"], capsys).splitlines()[1:]:
        assert line.count('"') in (0, 2)
        assert "<script" not in line
    assert json.loads(output([*show, "json"], capsys))


def test_names_from_pddl_stay_text_in_an_explained_plan(
    hostile_files: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    files = [hostile_files[each] for each in ("graph", "domain", "problem", "plan")]
    text = output(["explain", *files, "--format", "html"], capsys)
    page = check_harmless(text)
    assert [tag for tag, _ in page.elements].count("script") == 2
    data = re.findall(r'<script type="application/json" id="plan-data">(.*?)</script>', text, re.S)
    assert json.loads(data[0])["steps"] == [f"({HOSTILE.lower()}5 {HOSTILE.lower()}8 {HOSTILE.lower()}9)"]
    assert "default-src &#x27;none&#x27;" in text


def test_names_of_suites_and_results_stay_text_in_the_benchmarks_page(tmp_path: Path) -> None:
    suite, expansion, records = made_results()
    part = replace(suite.parts[0], title=HOSTILE, notes=HOSTILE)
    suite = replace(suite, title=HOSTILE, notes=HOSTILE, parts=(part,))
    for record in records.values():
        record["code"] = record["reason"] = record["date"] = HOSTILE
    text = report_html(make_report(suite, replace(expansion), records, Presets(), tmp_path))
    page = Page(text)
    assert not {"script", "img", "iframe", "object", "embed"} & {tag for tag, _ in page.elements}
    assert not [name for _, found in page.elements for name in found if name.startswith("on")]
    assert HOSTILE in page.text
    assert "default-src 'none'" in text


@pytest.mark.parametrize("letter", ["\x1b", "\u202e", "\u2066", "\x07", "\x9b"])
def test_a_name_that_commands_a_terminal_is_refused_in_pddl_and_shown_as_a_mark(
    letter: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    domain = tmp_path / "domain.pddl"
    domain.write_text(f"(define (domain a{letter}b))", encoding="utf-8")
    assert main(["validate", str(domain), str(domain), str(domain)]) == 2
    assert "'a?b' has a control character" in capsys.readouterr().err
    graph = tmp_path / "graph"
    graph.write_text(f"landmark\n n_count(c_primitive(a{letter}b,0))", encoding="utf-8")
    for form in ("text", "json", "dot", "mermaid", "svg", "html"):
        assert letter not in output(["show", str(graph), "--format", form], capsys)


# External planners of a suite


def test_a_suites_command_is_run_without_a_shell(tmp_path: Path) -> None:
    command = "planner --out={plan} {domain} {problem}; touch x && $(touch y) `touch z` | tee w > v"
    words = _filled(["{shell}", command], tmp_path / "a b;c")
    assert words[:3] == [
        "planner",
        f"--out={tmp_path}/a b;c/plan",
        f"{tmp_path}/a b;c/domain.pddl",
    ]
    assert words[3] == f"{tmp_path}/a b;c/problem.pddl;"
    assert words[4:] == ["touch", "x", "&&", "$(touch", "y)", "`touch", "z`", "|", "tee", "w", ">", "v"]
