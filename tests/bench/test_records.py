"""Results survive a kill: whole lines or none, one writer, each key once."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.bench.made_results import made_results, write_made_about
from trailmark.bench.records import RESULTS, RecordWriter, keep_records, read_records, take_kept_records
from trailmark.bench.report import make_report, report_html
from trailmark.bench.suite import Presets
from trailmark.errors import InputError


@given(cut=st.integers(min_value=0, max_value=400))
def test_a_file_cut_anywhere_loses_at_most_its_last_line(
    cut: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("records") / "results.jsonl"
    with RecordWriter(path) as writer:
        for number in range(8):
            writer.add({"key": f"k{number}", "status": "solved", "text": "ä" * number})
    whole = path.read_bytes()
    path.write_bytes(whole[:cut])
    with RecordWriter(path) as writer:
        kept = list(writer.records)
        assert kept == [f"k{number}" for number in range(whole[:cut].count(b"\n"))]
        writer.add({"key": "new", "status": "solved"})
    assert list(read_records(path)) == [*kept, "new"]


def test_a_known_key_is_not_written_twice(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    with RecordWriter(path) as writer:
        writer.add({"key": "a", "status": "solved"})
        writer.add({"key": "a", "status": "time limit"})
    assert path.read_text().count("\n") == 1
    assert read_records(path)["a"]["status"] == "solved"


def test_a_second_writer_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    with RecordWriter(path), pytest.raises(InputError, match="another run is writing"), RecordWriter(path):
        pass


def test_a_damaged_line_in_the_middle_is_named(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    path.write_text('{"key": "a"}\nnonsense\n{"key": "b"}\n')
    with pytest.raises(InputError, match=r"results\.jsonl:2"):
        read_records(path)


def test_a_run_that_failed_for_no_fault_of_its_own_can_be_run_again(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    with RecordWriter(path) as writer:
        writer.add({"key": "a", "status": "error"})
        writer.add({"key": "b", "status": "time limit"})
    with RecordWriter(path) as writer:
        assert set(writer.records) == {"a", "b"}
        writer.forget({"a"})
        assert set(writer.records) == {"b"}
        writer.add({"key": "a", "status": "solved"})
        writer.add({"key": "a", "status": "error"})
    assert {key: record["status"] for key, record in read_records(path).items()} == {
        "a": "solved",
        "b": "time limit",
    }


def test_a_report_from_kept_records_is_that_of_all(tmp_path: Path) -> None:
    suite, expansion, records = made_results()
    whole, kept, copy = tmp_path / "whole", tmp_path / "kept.json", tmp_path / "copy"
    whole.mkdir()
    write_made_about(whole)
    with RecordWriter(whole / RESULTS) as writer:
        for record in records.values():
            writer.add({**record, "peak_memory_mb": 50.5})
    keep_records(whole, kept)
    assert "50.5" not in kept.read_text()
    take_kept_records(kept, copy)
    pages = [
        report_html(make_report(suite, expansion, read_records(folder / RESULTS), Presets(), folder))
        for folder in (whole, copy)
    ]
    assert pages[0] == pages[1]
    before = kept.read_bytes()
    take_kept_records(kept, copy)
    keep_records(copy, kept)
    assert kept.read_bytes() == before


def test_a_file_that_holds_no_records_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "kept.json"
    for text in ("nonsense", "[]", '{"about": {}, "fields": ["key"], "records": [[]]}'):
        file.write_text(text)
        with pytest.raises(InputError, match=r"kept\.json: this is not a file of kept records"):
            take_kept_records(file, tmp_path / "out")
