"""How graphs read. `python -m tests.report.test_text` writes the snapshots anew."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.report.models import NAMES, chain_model, counter_model, formulas
from trailmark.features.text import parse
from trailmark.landmarks.functions import StateDescriptor
from trailmark.landmarks.text import parse_graph
from trailmark.models.model import Model
from trailmark.programs.program import Counter, Program
from trailmark.report import model_text
from trailmark.report.outline import outline

SNAPSHOTS = Path(__file__).parent / "snapshots"
LOGIC = ("n_count", "c_and", "r_primitive", "c_some", "_g")


def snapshots() -> dict[str, str]:
    found = {}
    for name in NAMES:
        found[f"{name}.chain.txt"] = model_text(chain_model(name))
        found[f"{name}.counter.txt"] = model_text(counter_model(name))
    return found


@pytest.mark.parametrize("name", NAMES)
def test_a_learned_graph_reads_as_in_the_snapshot(name: str) -> None:
    assert model_text(chain_model(name)) == (SNAPSHOTS / f"{name}.chain.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", NAMES)
def test_a_graph_of_counters_reads_as_in_the_snapshot(name: str) -> None:
    assert model_text(counter_model(name)) == (SNAPSHOTS / f"{name}.counter.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", NAMES)
def test_no_word_of_the_logic_is_in_the_text(name: str) -> None:
    for model in (chain_model(name), counter_model(name)):
        assert not any(word in model_text(model) for word in LOGIC)


@pytest.mark.parametrize("name", NAMES)
def test_the_verbose_text_has_every_formula(name: str) -> None:
    for model in (chain_model(name), counter_model(name)):
        text = model_text(model, verbose=True)
        assert all(formula in text for formula in formulas(model))


def model_of(text: str) -> Model:
    return Model(parse_graph(text), "d", "", "hand-written")


def test_two_descriptors_that_say_the_same_leave_one() -> None:
    told = outline(model_of("landmark\n n_count(c_primitive(free,0))\n b_nonempty(c_primitive(free,0))"))
    assert len(told.landmarks[0].shown) == 1


def test_what_holds_is_shown_before_what_does_not() -> None:
    told = outline(model_of("landmark\n not n_count(c_primitive(a,0))\n n_count(c_primitive(b,0))"))
    assert [part.phrase for part in told.landmarks[0].shown] == ["some object is b", "no object is a"]


@pytest.mark.parametrize(
    ("condition", "phrase"),
    [
        ("<= 0", "no object is a"),
        ("= 0", "no object is a"),
        (">= 1", "some object is a"),
        ("<= 2", "at most 2 objects are a"),
        ("!= 3", "not exactly 3 objects are a"),
    ],
)
def test_comparisons_are_said_in_words(condition: str, phrase: str) -> None:
    told = outline(model_of(f"landmark\n n_count(c_primitive(a,0)) {condition}"))
    assert told.landmarks[0].summary == phrase
    denied = outline(model_of(f"landmark\n not n_count(c_primitive(a,0)) {condition}"))
    assert denied.landmarks[0].summary != phrase


def test_guards_and_plans_that_do_not_follow_are_told() -> None:
    feature = parse("n_count(c_primitive(broken,0))")
    program = Program((Counter((feature,)),), (StateDescriptor(feature),))
    assert "never on the way to a goal:\n   - some object is broken" in model_text(
        Model(program, "d", "", "x")
    )
    missed = next(each for name in NAMES for each in chain_model(name).training if not each.satisfied)
    texts = [model_text(chain_model(name)) for name in NAMES]
    assert any(f"{missed.problem}: {missed.reason}" in text for text in texts)


if __name__ == "__main__":
    for file, content in snapshots().items():
        (SNAPSHOTS / file).write_text(content, encoding="utf-8")
