"""The model file: canonical, atomic, and safe to load whatever it contains."""

from __future__ import annotations

import copy
import dataclasses
import json
from contextlib import suppress
from importlib.resources import files
from pathlib import Path

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.landmarks import running_example as example
from tests.landmarks.graphs import choice_graphs, graphs
from trailmark.errors import InputError, ModelError
from trailmark.landmarks import Estimate, LandmarkGraph, Model, TrainingRecord, dumps, load, loads, save
from trailmark.landmarks.model import SCHEMA_VERSION
from trailmark.landmarks.modelreader import LARGEST_FILE
from trailmark.relational import Symbol, Vocabulary

SCHEMA = json.loads((files("trailmark.landmarks") / "model.schema.json").read_text())
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)
MODEL = Model(
    graph=example.PAPER_GRAPH,
    domain="delivery",
    signature="sha256:0123",
    method="chain",
    training=(
        TrainingRecord("t01.pddl", "ab" * 32, "t01.plan", "cd" * 32, 4, (1,), True),
        TrainingRecord("t02.pddl", "ef" * 32, None, None, 9, (2,), False, "landmark 3 is not accepted"),
    ),
    estimate=Estimate(0.5, (4.0,), 0.25, 2),
    options={"complexity": 9, "rules": "phi4", "time_limit": None, "split": False, "weight": 0.5},
    seed=7,
    versions={"trailmark": "0.1.0"},
    times={"pool_s": 0.25},
    vocabulary=Vocabulary(
        (
            Symbol("at", 2, static=False),
            Symbol("truck", 1, static=True, is_type=True),
            Symbol("at_g", 2, static=True, goal_of="at"),
        ),
        ("depot",),
        ("fuel",),
    ),
    parameter_types={"at": ("locatable", "cell"), "at_g": ("package", "cell")},
)
DOCUMENT = json.loads(dumps(MODEL))


def test_a_model_reads_back_as_it_was_written(tmp_path: Path) -> None:
    path = tmp_path / "delivery.json"
    save(MODEL, path)
    assert load(path) == MODEL
    assert [each.name for each in tmp_path.iterdir()] == ["delivery.json"]


@given(graphs() | choice_graphs())
def test_any_graph_survives_the_file_and_fits_the_schema(graph: LandmarkGraph) -> None:
    model = Model(graph, "d", "s", "chain")
    text = dumps(model)
    VALIDATOR.validate(json.loads(text))
    assert loads(text) == model
    assert dumps(loads(text)) == text


def test_the_schema_is_a_schema_and_describes_a_full_model() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    VALIDATOR.validate(DOCUMENT)
    assert SCHEMA["properties"]["schema_version"]["const"] == SCHEMA_VERSION


def test_the_order_of_options_and_the_times_change_nothing_else() -> None:
    other = dataclasses.replace(
        MODEL, options=dict(reversed(list(MODEL.options.items()))), times={"pool_s": 99.0}
    )
    ours, theirs = (json.loads(dumps(each)) for each in (MODEL, other))
    assert dumps(dataclasses.replace(other, times=MODEL.times)) == dumps(MODEL)
    assert {key for key in ours if ours[key] != theirs[key]} == {"times"}


def test_a_failed_write_leaves_the_old_file_and_no_litter(tmp_path: Path) -> None:
    path = tmp_path / "model.json"
    save(MODEL, path)
    with pytest.raises(InputError, match="cannot be written"):
        save(dataclasses.replace(MODEL, times={"x": float("nan")}), path)
    with pytest.raises(InputError, match="cannot be written"):
        save(MODEL, tmp_path / "missing" / "model.json")
    assert load(path) == MODEL
    assert len(list(tmp_path.iterdir())) == 1


def test_a_model_for_another_domain_is_refused() -> None:
    MODEL.check_domain("renamed", "sha256:0123")
    with pytest.raises(ModelError, match="for domain 'delivery', not 'ferry'"):
        MODEL.check_domain("ferry", "sha256:9")
    with pytest.raises(ModelError, match="another version"):
        MODEL.check_domain("delivery", "sha256:9")


def changed(*path: str | int, to: object) -> str:
    document = copy.deepcopy(DOCUMENT)
    part = document
    for key in path[:-1]:
        part = part[key]
    part[path[-1]] = to
    return json.dumps(document)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "not a valid JSON document"),
        ("[1]", "not a Trailmark model"),
        ('{"format": "other"}', "not a Trailmark model"),
        (changed("schema_version", to=2), "schema version 2, this program reads up to 1"),
        (changed("schema_version", to=True), "schema_version: expected an integer"),
        (changed("extra", to=1), 'unknown field "extra"'),
        (changed("seed", to=-1), "seed: expected an integer"),
        (changed("seed", to=1.0), "seed: expected an integer"),
        (changed("seed", to=10**25), "seed: expected an integer"),
        (changed("graph", "landmarks", to=[]), "graph: a landmark graph needs"),
        (changed("graph", "landmarks", 1, "descriptors", 0, "feature", to=99), r"descriptors\[0\].feature"),
        (changed("graph", "landmarks", 1, "descriptors", 0, "operator", to="is"), "unknown comparison"),
        (changed("graph", "landmarks", 1, "descriptors", to=[]), r"landmarks\[1\]: a landmark needs"),
        (changed("graph", "landmarks", 0, "progressors", to=[[]]), "a progressor needs a feature"),
        (changed("graph", "guards", to=[7]), r"graph.guards\[0\]: expected an object"),
        (changed("graph", "loops", 0, "source", to=40), "graph: a loop starts at landmark 41"),
        (changed("graph", "loops", 0, "counter", 0, "feature", to=4), "is not numerical"),
        (changed("features", 0, to="n_count(c_nonsense)"), r"features\[0\]: not a feature"),
        (changed("features", 0, to="c_top"), "is a concept"),
        (changed("features", 0, to="n_count(" + "c_not(" * 3000), "features"),
        (changed("features", 0, to=DOCUMENT["features"][1]), "listed twice"),
        (changed("training", 0, "passes", to=[]), "for each of 1 loops"),
        (changed("estimate", "per_pass", to=[1, 2]), "more than 1 entries"),
        (changed("options", "complexity", to=[1]), "options.complexity: expected a number"),
        (changed("domain", "name", to="\ud800"), "half of a character"),
        (changed("domain", "vocabulary", "symbols", 0, "arity", to=-1), r"symbols\[0\].arity: expected"),
        (changed("domain", "vocabulary", "symbols", 0, "name", to="at_g"), "listed twice"),
        (changed("domain", "vocabulary", "constants", to=["\ud800"]), "half of a character"),
        (changed("domain", "parameter_types", to={"\ud800": ["cell"]}), "half of a character"),
        (dumps(MODEL).replace('"seed": 7', '"seed": NaN'), "NaN is not a number"),
        (dumps(MODEL).replace('"seed": 7', '"seed": 1e999'), "out of range"),
        (dumps(MODEL).replace('"seed": 7', '"seed": ' + "9" * 5000), "a number of 5000 characters"),
        (dumps(MODEL).replace('"seed": 7', '"seed": 7, "seed": 8'), "given twice"),
        ("[" * 100_000, "nested too deeply"),
        ('{"format": ' * 100_000, "nested too deeply"),
    ],
)
def test_a_damaged_or_hostile_file_gets_a_clear_error(text: str, message: str) -> None:
    with pytest.raises(ModelError, match=message):
        loads(text)


def test_a_file_that_is_no_text_is_too_large_or_missing_gets_a_clear_error(tmp_path: Path) -> None:
    path = tmp_path / "model.json"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ModelError, match="not UTF-8"):
        load(path)
    with path.open("wb") as file:
        file.truncate(LARGEST_FILE + 1)
    with pytest.raises(ModelError, match="larger than"):
        load(path)
    with pytest.raises(ModelError, match="cannot read"):
        load(tmp_path / "none.json")
    with pytest.raises(ModelError, match="cannot read"):
        load(tmp_path)


def paths(document: object, path: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    """The path of every part of a document."""
    found = [path] if path else []
    if isinstance(document, dict):
        for key, value in document.items():
            found += paths(value, (*path, key))
    elif isinstance(document, list):
        for place, value in enumerate(document):
            found += paths(value, (*path, place))
    return found


scalars = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False), st.text(max_size=20))
anything = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
)


@given(st.sampled_from(paths(DOCUMENT)), anything)
def test_a_changed_document_loads_or_is_refused_and_what_loads_fits_the_schema(
    path: tuple[str | int, ...], value: object
) -> None:
    text = changed(*path, to=value)
    try:
        model = loads(text)
    except ModelError:
        return
    VALIDATOR.validate(json.loads(text))
    assert loads(dumps(model)) == model


@given(st.integers(0, len(dumps(MODEL))), st.integers(0, 20), st.text(max_size=8))
def test_a_file_with_bytes_cut_or_added_loads_or_is_refused(place: int, cut: int, added: str) -> None:
    text = dumps(MODEL)
    with suppress(ModelError):
        loads(text[:place] + added + text[place + cut :])
