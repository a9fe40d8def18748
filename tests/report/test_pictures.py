"""Pictures and pages: well formed, self-contained, and safe whatever names they show."""

from __future__ import annotations

import re
import subprocess
from html.parser import HTMLParser
from itertools import pairwise
from shutil import which
from xml.etree import ElementTree

import pytest
from hypothesis import given

from tests.landmarks.graphs import graphs
from tests.programs.programs import programs
from tests.report.models import NAMES, chain_model, counter_model, formulas, instances
from trailmark.landmarks.graph import LandmarkGraph
from trailmark.landmarks.text import parse_graph
from trailmark.models.model import Model, TrainingRecord
from trailmark.programs.program import Program, parse_program
from trailmark.report import (
    dot,
    explain,
    explain_states,
    explanation_html,
    graph_svg,
    mermaid,
    model_html,
    outline,
    outline_json,
    page,
)

HOSTILE = """</script><script>alert`1`</script><img/src=x/onerror=alert`1`>"'&]]>--><!--"""
SVG = "{http://www.w3.org/2000/svg}"
VOID = {"meta", "link", "br", "input", "img"}


class Reader(HTMLParser):
    """Elements that are opened and closed in order, with the text outside scripts and styles."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attributes)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attributes)))

    def handle_endtag(self, tag: str) -> None:
        if tag == "li" and self.open[-1] != "li":
            raise AssertionError(f"li closed inside {self.open[-1]}")
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if not self.open or self.open[-1] not in ("script", "style"):
            self.text += data


def read(text: str) -> Reader:
    reader = Reader()
    reader.feed(text)
    reader.close()
    assert not reader.open
    return reader


def hostile_model() -> Model:
    name = HOSTILE.replace("(", "").replace(")", "").replace(" ", "").replace(",", "")
    program = parse_program(
        f"counter n_count(c_primitive({name},0))\ncounter n_count(c_primitive(b,0))\n"
        f"then n_count(c_primitive({name},0))\nguard n_count(c_primitive({name}2,0))"
    )
    record = TrainingRecord(HOSTILE, HOSTILE, HOSTILE, HOSTILE, 3, (1, 1), False, HOSTILE)
    return Model(
        program, HOSTILE, HOSTILE, HOSTILE, (record,), options={HOSTILE: HOSTILE}, versions={HOSTILE: HOSTILE}
    )


@given(graphs() | programs())
def test_every_guidance_has_well_formed_pictures(guidance: LandmarkGraph | Program) -> None:
    told = outline(Model(guidance, "d", "", "x"))
    picture = ElementTree.fromstring(graph_svg(told))
    loops = len(guidance.repeated)
    assert len(picture.findall(f"{SVG}g")) == len(guidance)
    assert len([path for path in picture.iter(f"{SVG}path") if path.get("class") == "tm-back"]) == loops
    assert dot(told).count(" -> l") == len(guidance) - 1 + loops
    assert mermaid(told).count(".->") == loops
    read(page(told))


@pytest.mark.parametrize("name", NAMES)
def test_text_stays_inside_its_box(name: str) -> None:
    for model in (chain_model(name), counter_model(name)):
        picture = ElementTree.fromstring(graph_svg(outline(model)))
        for group in picture.findall(f"{SVG}g"):
            box = group.find(f"{SVG}rect")
            assert box is not None
            top, height = float(box.get("y", 0)), float(box.get("height", 0))
            lines = [float(text.get("y", 0)) for text in group.findall(f"{SVG}text")]
            assert top < min(lines)
            assert max(lines) < top + height


@pytest.mark.parametrize(
    ("loops", "lanes"),
    [(("2 -> 1", "4 -> 3", "5 -> 1"), 2), (("3 -> 1", "5 -> 3"), 2), (("2 -> 1", "5 -> 3"), 1)],
)
def test_boxes_do_not_overlap_and_loops_that_meet_have_lanes_of_their_own(
    loops: tuple[str, ...], lanes: int
) -> None:
    text = "".join(f"landmark\n n_count(c_primitive(p{n},0))\n" for n in range(5))
    q = "n_count(c_primitive(q,0))"
    loop = f"\n exit {q} = 0\n progress decreases {q}\n counter {q}\n"
    text += "".join(f"loop {ends}{loop}" for ends in loops)
    told = outline(Model(parse_graph(text), "d", "", "x"))
    picture = ElementTree.fromstring(graph_svg(told))
    boxes = [
        (float(box.get("y", 0)), float(box.get("height", 0)))
        for box in picture.iter(f"{SVG}rect")
        if box.get("x")
    ]
    assert all(top + height < below for (top, height), (below, _) in pairwise(boxes))
    paths = [path.get("d", "") for path in picture.iter(f"{SVG}path") if path.get("class") == "tm-back"]
    columns = {path: re.search(r"Q(\d+)", path) for path in paths}
    assert len({match.group(1) for match in columns.values() if match}) == lanes


def test_hostile_names_stay_text_in_every_form() -> None:
    model = hostile_model()
    told = outline(model)
    states = [[1, 2, 0], [0, 1, 0], [0, 1, 1]]
    explanation = explain_states(model, states, [HOSTILE, HOSTILE], HOSTILE)
    ElementTree.fromstring(graph_svg(told))
    for text in (page(told), page(told, explanation), model_html(model), explanation_html(explanation)):
        reader = read(text)
        assert not [tag for tag, _ in reader.elements if tag == "img"]
        assert not [a for _, attributes in reader.elements for a in attributes if a.startswith("on")]
        assert HOSTILE in reader.text
    scripts = re.findall(r"<script[^>]*>", page(told, explanation))
    assert scripts == ['<script type="application/json" id="plan-data">', "<script>"]
    # A quote that would end the label is escaped in both languages.
    for line in dot(told).splitlines():
        assert re.sub(r'\\.|"(\\.|[^"\\])*"', "", line).count('"') == 0
    for line in mermaid(told).splitlines()[1:]:
        assert line.count('"') in (0, 2)


def test_control_characters_do_not_break_a_picture() -> None:
    told = outline(Model(parse_graph("landmark\n n_count(c_primitive(a\x01b\x1b,0))"), "d\x00", "", "x"))
    ElementTree.fromstring(graph_svg(told))


def test_the_page_asks_nothing_of_the_network() -> None:
    instance = instances("delivery")[1]
    model = chain_model("delivery")
    text = page(outline(model), explain(model, instance.task, instance.plan))
    assert not re.findall(r'(?:src|href)="(?!data:,")', text)
    assert "http" not in text.replace("http://www.w3.org/2000/svg", "").replace("http-equiv", "")
    assert "default-src &#x27;none&#x27;" in text
    assert "@import" not in text
    assert "url(" not in text
    assert not [a for _, attributes in read(text).elements for a in attributes if a == "style"]


@pytest.mark.parametrize("name", NAMES)
def test_the_page_has_every_formula_and_the_whole_plan(name: str) -> None:
    instance = instances(name)[-1]
    for model in (chain_model(name), counter_model(name)):
        reader = read(page(outline(model), explain(model, instance.task, instance.plan)))
        assert all(formula in reader.text for formula in formulas(model))
        assert all(str(step) in reader.text for step in instance.plan.steps)
        ids = [attributes["id"] for _, attributes in reader.elements if "id" in attributes]
        assert len(ids) == len(set(ids))
        controls = {attributes.get("aria-controls") for _, attributes in reader.elements} - {None}
        assert controls == {f"landmark-{n}" for n in range(1, len(model.guidance) + 1)}


def test_a_plan_without_steps_has_a_page() -> None:
    model = counter_model("ferry")
    states = [[0] * len(model.guidance.features)]
    read(page(outline(model), explain_states(model, states, [], "nothing to do")))


def test_the_document_has_each_landmark_in_words_and_logic() -> None:
    document = outline_json(outline(counter_model("miconic")))
    (landmark,) = document["landmarks"]
    assert landmark["summary"] == "passengers that are still to be served: depart"
    assert landmark["parts"][0]["formula"].startswith("decreases n_count(")
    assert landmark["parts"][0]["inside_a_pass"] == ["fewer passengers are not boarded"]
    assert landmark["loop"]["target"] == 1


@pytest.mark.skipif(which("dot") is None, reason="Graphviz is not installed")
def test_graphviz_reads_the_dot_text() -> None:
    for model in (hostile_model(), chain_model("delivery")):
        subprocess.run(
            ["dot", "-Tsvg"], input=dot(outline(model)), text=True, check=True, capture_output=True
        )
