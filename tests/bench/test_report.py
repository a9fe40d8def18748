"""Reports hold every table in every form, the paper's numbers beside ours, and are the same each time.

`python -m tests.bench.test_report` writes the report anew that one is compared with.
"""

from __future__ import annotations

import importlib.util
import xml.etree.ElementTree as ElementTree
from html.parser import HTMLParser
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.bench.made_results import TEXT, made_results, write_made_about
from trailmark.bench.answers import answer
from trailmark.bench.papertables import discovery_time, t_test
from trailmark.bench.records import STALLED, best_config, paper_row
from trailmark.bench.render import csv_text, draw, latex, markdown
from trailmark.bench.report import _TABLES, make_report, report_html, report_markdown, write_report
from trailmark.bench.runs import expand
from trailmark.bench.suite import FIGURES, TABLES, Presets
from trailmark.bench.suitefile import finished
from trailmark.bench.tables import Table, results_of
from trailmark.errors import InputError, MissingExtraError

SNAPSHOT = Path(__file__).parent / "snapshots" / "report.md"
HAS_MATPLOTLIB = importlib.util.find_spec("matplotlib") is not None

ODD = Table("odd", "A & B", ("na|me", "50 %"), (("x_1 | {y}", "1,000"), ("line\nbreak", "–")), "note")


def snapshot(folder: Path) -> str:
    """The report of made-up results, without figures and empty lines."""
    write_made_about(folder)
    suite, expansion, records = made_results()
    text = report_markdown(make_report(suite, expansion, records, Presets(), folder), "figures")
    return "".join(f"{line}\n" for line in text.splitlines() if line and not line.startswith("!["))


def test_the_markdown_report_is_as_recorded(tmp_path: Path) -> None:
    assert snapshot(tmp_path) == SNAPSHOT.read_text()


def test_every_table_that_a_suite_may_ask_for_can_be_made() -> None:
    assert set(_TABLES) == set(TABLES)


def test_all_files_of_a_report_are_written(tmp_path: Path) -> None:
    suite, expansion, records = made_results()
    report = make_report(suite, expansion, records, Presets(), tmp_path)
    write_report(report, tmp_path / "out", tmp_path / "docs" / "results.md")
    names = {path.name for path in (tmp_path / "out" / "tables").iterdir()}
    assert {"main-coverage.csv", "main-coverage.tex", "main-t-test.csv", "main-differences.tex"} <= names
    assert (tmp_path / "docs" / "results.md").read_text().startswith("# Results: Made up")
    page = (tmp_path / "out" / "report.html").read_text()
    assert "Main &amp; only" in page
    assert page.count("<table>") == len(suite.parts[0].tables)
    _Balanced().feed(page)


def test_a_report_of_unfinished_results_says_how_many_are_open(tmp_path: Path) -> None:
    suite, expansion, records = made_results()
    half = dict(list(records.items())[: len(records) // 2])
    report = make_report(suite, expansion, half, Presets(), tmp_path)
    text = report_markdown(report, "figures")
    assert f"{len(records) - len(half)} runs have no result yet" in text
    assert f"not answered yet, {len(records) - len(half)} of {len(records)} runs are open" in text
    assert "holds: " not in text
    assert make_report(suite, expansion, {}, Presets(), tmp_path)


def test_a_report_of_cpu_times_says_so_and_shows_them(tmp_path: Path) -> None:
    suite, expansion, records = made_results(
        TEXT.replace("plan-seconds = 7", 'plan-seconds = 7\nclock = "cpu"')
    )
    for record in records.values():
        record |= {"clock": "cpu"}
        if record["status"] == "learned":
            record["seconds"] = 1.25
    text = report_markdown(make_report(suite, expansion, records, Presets(), tmp_path), "figures")
    assert "planning 7 s of CPU time" in text
    assert "Times here are processor times" in text
    assert "learned, in 1.25 s on average" in text
    first = next(iter(results_of(suite, expansion, records)))
    assert [row[1] for row in discovery_time(first).rows] == ["1.25", "1.25"]


def test_a_report_of_what_is_finished_leaves_open_domains_and_parts_out_by_name() -> None:
    again = TEXT[TEXT.index("[[parts]]") :].replace('name = "main"', 'name = "other"')
    suite, expansion, records = made_results(TEXT + again.replace("[1, 2, 3, 4]", "[5]"))
    for run in expansion.runs:
        if run.instance == "p05" or (run.domain, run.instance) == ("ferry", "p01"):
            del records[run.key]
    kept = finished(suite, expansion, records)
    assert [(part.name, part.domains) for part in kept.parts] == [("main", ("delivery",))]
    assert kept.notes.endswith("Not measured yet, and left out: main (ferry), other.")
    assert not any(results.open() for results in results_of(kept, expand(kept, Presets()), records))
    with pytest.raises(InputError, match="no part has all its results"):
        finished(suite, expansion, {})


@pytest.mark.parametrize("plans", ["paper", "paper-plus24"])
def test_the_paper_s_t_test_beside_ours_is_of_the_same_domain_pool_and_plans(plans: str) -> None:
    text = TEXT.replace('config = ["b1", "b3"]', f'config = "best"\nset = "{plans}"').replace(
        "chain-*", "chain"
    )
    suite, expansion, records = made_results(text.replace('"ferry"', '"baking"'))
    (results,) = results_of(suite, expansion, records)
    shown = {row[0]: row[4] for row in t_test(results).rows}
    for domain in ("delivery", "baking"):
        row = paper_row("t_test", domain=domain)
        assert row is not None
        assert shown[domain] == (row[best_config(domain)] if plans == "paper" else "–")
    assert best_config("delivery") != best_config("baking")


def test_training_sizes_are_compared_only_where_their_graphs_are_planned_with() -> None:
    text = TEXT.replace('config = ["b1", "b3"]', 'config = ["b1", "b3"]\ntraining = [3, 5]')
    suite, expansion, records = made_results(text)
    planned = answer(*results_of(suite, expansion, records))
    assert "by training instances: 3: " in planned
    learned_only = text.replace('planners = ["lm-g", "hadd"]\nbaseline = "hadd"', 'learners = ["chain-*"]')
    suite, expansion, records = made_results(learned_only)
    assert "of 8 graphs were learned" in answer(*results_of(suite, expansion, records))
    assert "by training instances" not in answer(*results_of(suite, expansion, records))


def test_stalled_runs_are_open_in_a_report() -> None:
    suite, expansion, records = made_results()
    next(iter(records.values()))["status"] = STALLED
    assert [len(results.open()) for results in results_of(suite, expansion, records)] == [1]


def test_odd_cells_break_no_format() -> None:
    assert markdown(ODD).splitlines()[2] == r"| x_1 \| {y} | 1,000 |"
    assert len(markdown(ODD).splitlines()) == 4
    assert csv_text(ODD) == 'na|me,50 %\nx_1 | {y},"1,000"\n"line\nbreak",–\n'
    assert r"x\_1 | \{y\} & 1,000 \\" in latex(ODD)
    assert r"\caption{A \& B.}" in latex(ODD)


@pytest.mark.skipif(HAS_MATPLOTLIB, reason="matplotlib is installed")
def test_without_matplotlib_the_report_has_no_figures_and_says_so(tmp_path: Path) -> None:
    suite, expansion, records = made_results()
    report = make_report(suite, expansion, records, Presets(), tmp_path)
    assert not report.sections[0].pictures
    assert "trailmark[plots]" in report.warnings[0]
    with pytest.raises(MissingExtraError):
        draw("cactus", results_of(suite, expansion, records)[0])


@pytest.mark.skipif(not HAS_MATPLOTLIB, reason="needs matplotlib (extra plots)")
@pytest.mark.parametrize("name", FIGURES)
def test_a_figure_is_svg_and_the_same_each_time(name: str) -> None:
    suite, expansion, records = made_results()
    (results,) = results_of(suite, expansion, records)
    first = draw(name, results)
    assert ElementTree.fromstring(first).tag.endswith("svg")
    assert draw(name, results) == first


class _Balanced(HTMLParser):
    """Fails where a tag is closed that is not the one open."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag not in ("meta", "br"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_the_html_page_needs_nothing_from_elsewhere(tmp_path: Path) -> None:
    suite, expansion, records = made_results()
    page = report_html(make_report(suite, expansion, records, Presets(), tmp_path))
    assert "<script" not in page
    assert 'src="http' not in page
    assert "<link" not in page


def test_results_of_two_states_of_the_program_are_marked(tmp_path: Path) -> None:
    suite, expansion, records = made_results()
    for place, record in enumerate(records.values()):
        record["code"] = "aaaa" if place else "bbbb"
    facts = dict(make_report(suite, expansion, records, Presets(), tmp_path).facts)
    assert facts["source"].startswith("aaaa (")
    assert "; bbbb (" in facts["source"]
    assert facts["source"].endswith("come from several states and should not be compared")


def test_a_report_says_how_many_runs_were_taken_over(tmp_path: Path) -> None:
    suite, expansion, records = made_results()
    records[expansion.runs[-1].key]["same_as"] = expansion.runs[-2].key
    facts = dict(make_report(suite, expansion, records, Presets(), tmp_path).facts)
    assert facts["taken over"].startswith(f"1 of {len(records)} runs")


if __name__ == "__main__":
    with TemporaryDirectory() as folder:
        SNAPSHOT.write_text(snapshot(Path(folder)), encoding="utf-8")
