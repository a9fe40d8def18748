"""Counts and landmark graphs are read from what Fast Downward prints."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree

import pytest

from trailmark.bench.answers import lama_svg, parse_lama_graph
from trailmark.bench.worker import read_landmark_dump, read_search
from trailmark.errors import InputError

SEARCH = """\
Generated 18 rules.
translate exit code: 0
[t=0.005590s, 10544 KB] Actual search time: 0.001392s
[t=0.005607s, 10544 KB] Plan length: {length} step(s).
[t=0.005607s, 10544 KB] Plan cost: {length}
[t=0.005607s, 10544 KB] Expanded {expanded} state(s).
[t=0.005607s, 10544 KB] Reopened 0 state(s).
[t=0.005607s, 10544 KB] Evaluated 32 state(s).
[t=0.005607s, 10544 KB] Evaluations: 64
[t=0.005607s, 10544 KB] Generated 118 state(s).
[t=0.005607s, 10544 KB] Dead ends: 0 state(s).
"""
FAILED = """\
[t=2.164660s, 22524 KB] Actual search time: 2.153524s
[t=2.164660s, 22524 KB] Expanded 150658 state(s).
[t=2.164660s, 22524 KB] Evaluated 150658 state(s).
[t=2.164660s, 22524 KB] Generated 546267 state(s).
"""
CUMULATIVE = """\
[t=3.0s, 22524 KB] Cumulative statistics:
[t=3.0s, 22524 KB] Expanded 999999 state(s).
[t=3.0s, 22524 KB] Generated 999999 state(s).
"""
DUMP = """\
[t=0.002408s, 10412 KB] Dumping landmark graph:
digraph G {
  lm0 [label="Atom at(p1, c_1_0)", style=filled];
  lm1 [label="Atom carrying(t1, p1)"];
      lm1 -> lm0 [label="gn"];
  lm2 [label="Atom at(t1, c_0_1) | Atom at(t1, c_1_1)"];
      lm2 -> lm1 [label="n"];
      lm2 -> lm3 [label="r", style=dashed];
  lm3 [label="Atom empty(t1)", style=bold];
      lm3 -> lm1 [label="gn"];
}
[t=0.002428s, 10412 KB] Landmark graph end.
"""


def test_one_search_is_read() -> None:
    assert read_search(SEARCH.format(length=17, expanded=31)) == {
        "plan_length": 17,
        "expanded": 31,
        "evaluated": 32,
        "generated": 118,
        "search_time_s": 0.0014,
    }


def test_an_anytime_run_counts_all_searches_up_to_its_best_plan() -> None:
    output = SEARCH.format(length=20, expanded=10) + FAILED + SEARCH.format(length=15, expanded=7) + FAILED
    found = read_search(output + CUMULATIVE)
    assert (found["plan_length"], found["expanded"], found["generated"]) == (15, 10 + 150658 + 7, 546503)


def test_a_search_without_a_plan_still_has_counts() -> None:
    found = read_search(FAILED)
    assert found["expanded"] == 150658
    assert "plan_length" not in found
    assert read_search("search exit code: 23") == {}


def test_the_last_landmark_graph_is_taken() -> None:
    graph = parse_lama_graph(read_landmark_dump("digraph G {\n}\n" + DUMP) or "")
    assert [node.atoms for node in graph.nodes] == [
        "at(p1, c_1_0)",
        "carrying(t1, p1)",
        "at(t1, c_0_1) | at(t1, c_1_1)",
        "empty(t1)",
    ]
    assert [node.goal for node in graph.nodes] == [True, False, False, False]
    assert [node.initial for node in graph.nodes] == [False, False, False, True]
    assert [(edge.source, edge.target, edge.kind) for edge in graph.edges] == [
        ("lm1", "lm0", "greedy-necessary"),
        ("lm2", "lm1", "natural"),
        ("lm2", "lm3", "reasonable"),
        ("lm3", "lm1", "greedy-necessary"),
    ]
    assert read_landmark_dump("no graph") is None


def test_the_picture_holds_every_node_and_edge() -> None:
    graph = parse_lama_graph(read_landmark_dump(DUMP) or "")
    picture = ElementTree.fromstring(lama_svg(graph))
    space = "{http://www.w3.org/2000/svg}"
    assert [text.text for text in picture.iter(f"{space}text")] == [node.atoms for node in graph.nodes]
    assert len(list(picture.iter(f"{space}line"))) == len(graph.edges)


def test_a_graph_with_a_cycle_is_drawn_all_the_same() -> None:
    dot = DUMP.replace('lm2 -> lm1 [label="n"]', 'lm1 -> lm3 [label="n"]')
    assert "empty(t1)" in lama_svg(parse_lama_graph(read_landmark_dump(dot) or ""))


def test_an_unknown_line_of_the_dump_is_named() -> None:
    with pytest.raises(InputError, match="line 2"):
        parse_lama_graph("digraph G {\n  something else\n}")
