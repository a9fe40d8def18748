"""The model file: canonical, atomic, and safe to load whatever it contains."""

from __future__ import annotations

import copy
import dataclasses
import json
from contextlib import suppress
from importlib.resources import files
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.landmarks import running_example as example
from tests.landmarks.graphs import NUMBERS, graphs
from tests.programs.programs import programs_with_recipes
from trailmark.api import load
from trailmark.errors import InputError, ModelError
from trailmark.landmarks.functions import StateDescriptor
from trailmark.landmarks.graph import LandmarkGraph
from trailmark.models.document import SCHEMA_VERSION, dumps, save
from trailmark.models.model import Candidate, Estimate, Model, TrainingRecord
from trailmark.models.practice import (
    Approach,
    Argument,
    Condition,
    Fall,
    PassOrder,
    PassPractice,
    Practice,
    PracticeStep,
    Relation,
    Role,
    Share,
    Way,
)
from trailmark.models.reading import loads
from trailmark.programs.program import Counter, Program
from trailmark.relational import Symbol, Vocabulary

SCHEMA = json.loads((files("trailmark.models") / "model.schema.json").read_text())
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)
MODEL = Model(
    guidance=example.PAPER_GRAPH,
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
    candidates=(Candidate("fewer packages away from their goal", 1, 250.5, 40, chosen=True),),
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
A, B, C, _ = NUMBERS
DROPS = (Share(name="drop", times=2),)
FALLS = (Fall(actions=DROPS, noun="package"), Fall(actions=DROPS, noun="truck"))
ON = Condition(predicate="on", place=0, role=0, holds=False)
WAY = Way(
    steps=(
        PracticeStep(
            actions=DROPS,
            arguments=(Argument(role=0, main=True), Argument(role=1, given=True, otherwise=0)),
            passes=1,
            anew=1,
            approaches=(Approach(actions=DROPS, relation="at", times=1, mover=0, target=1),),
            when=(ON,),
        ),
    ),
    roles=(
        Role(noun="package"),
        Role(noun="cell", relation=Relation(predicate="at", anchor=0, forward=True)),
    ),
    passes=1,
    plans=1,
    when=(ON,),
)
PROGRAM = dataclasses.replace(
    MODEL,
    guidance=Program((Counter((A, B), 1),), (StateDescriptor(C),)),
    method="counter",
    practice=Practice(
        plans=2,
        passes=(
            PassPractice(
                subject="package",
                goals=(),
                passes=3,
                plans=2,
                steps=(3, 4, 5),
                ways=(WAY,),
                others=2,
                orders=(PassOrder(predicate="on", goal=True, forward=False, times=4),),
            ),
        ),
        counters=(FALLS,),
        unnoticed=DROPS,
        unused=("refuel",),
        lost=(),
    ),
)
DOCUMENT = json.loads(dumps(MODEL))
PROGRAM_DOCUMENT = json.loads(dumps(PROGRAM))


@pytest.mark.parametrize("model", [MODEL, PROGRAM])
def test_a_model_reads_back_as_it_was_written(model: Model, tmp_path: Path) -> None:
    path = tmp_path / "delivery.json"
    save(model, path)
    assert load(path).model == model
    assert [each.name for each in tmp_path.iterdir()] == ["delivery.json"]


def test_the_program_that_reads_back_has_every_field_of_a_model() -> None:
    """Otherwise a field could be left out where models are written or read, and no test would fail."""
    for field in dataclasses.fields(Model):
        assert getattr(PROGRAM, field.name), field.name


@given(graphs() | programs_with_recipes())
def test_any_guidance_survives_the_file_and_fits_the_schema(guidance: LandmarkGraph | Program) -> None:
    model = Model(guidance, "d", "s", "chain")
    text = dumps(model)
    VALIDATOR.validate(json.loads(text))
    assert loads(text) == model
    assert dumps(loads(text)) == text


def test_the_schema_is_a_schema_and_describes_a_full_model() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    VALIDATOR.validate(DOCUMENT)
    VALIDATOR.validate(PROGRAM_DOCUMENT)
    assert max(SCHEMA["properties"]["schema_version"]["enum"]) == SCHEMA_VERSION


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
    assert load(path).model == MODEL
    assert len(list(tmp_path.iterdir())) == 1


def test_a_model_for_another_domain_is_refused() -> None:
    MODEL.check_domain("renamed", "sha256:0123")
    with pytest.raises(ModelError, match="for domain 'delivery', not 'ferry'"):
        MODEL.check_domain("ferry", "sha256:9")
    with pytest.raises(ModelError, match="another version"):
        MODEL.check_domain("delivery", "sha256:9")


def changed(*path: str | int, to: object, document: dict[str, object] = DOCUMENT) -> str:
    document = copy.deepcopy(document)
    part: Any = document
    for key in path[:-1]:
        part = part[key]
    part[path[-1]] = to
    return json.dumps(document)


def changed_program(*path: str | int, to: object) -> str:
    return changed("guidance", *path, to=to, document=PROGRAM_DOCUMENT)


ACTION = {"schema": "move", "terms": [0], "repeated": False}
CONDITION = {"predicate": "at", "terms": [0], "is_open": True}
FILTER = {"counter": 0, "variable": 0, "concept": "c_top", "holds": True}
RECIPE = {
    "actions": [ACTION],
    "conditions": [CONDITION],
    "whole": True,
    "filters": [FILTER],
    "examples": 2,
    "used": 1,
}


def with_recipe(**parts: object) -> str:
    return changed_program("recipes", to=[{**RECIPE, **parts}])


def test_a_file_without_recipes_is_read_as_before() -> None:
    document = copy.deepcopy(PROGRAM_DOCUMENT)
    del document["guidance"]["recipes"]
    assert loads(json.dumps(document)) == PROGRAM
    (known,) = loads(with_recipe()).guidance.recipes  # type: ignore[union-attr]
    assert str(known) == "(move ?0) where (open at ?0), ?0 in c_top"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "not a valid JSON document"),
        ("[1]", "not a Trailmark model"),
        ('{"format": "other"}', "not a Trailmark model"),
        (changed("schema_version", to=5), "schema version 5, this program reads up to 4"),
        (changed("schema_version", to=True), "schema_version: expected int"),
        (changed("schema_version", to=0), "schema_version: expected int >= 1"),
        (changed("extra", to=1), "unknown field extra"),
        (
            changed("\n\x1b[31m" + 999 * "x", to=1),
            "^<text>: object contains unknown field ..\\[31mx{200,300}…$",
        ),
        (changed("seed", to=-1), "^<text>: seed: expected int >= 0$"),
        (changed("seed", to=1.0), "seed: expected int, got float"),
        (changed("seed", to=10**25), "seed: expected int <= 9007199254740992"),
        (changed("guidance", to=7), "guidance: expected object, got int"),
        (changed("guidance", "kind", to="plan"), "guidance.kind: invalid value 'plan'"),
        (changed("guidance", "landmarks", to=[]), "guidance: a landmark graph needs"),
        (
            changed("guidance", "landmarks", 1, "descriptors", 0, "feature", to=99),
            r"descriptors\[0\].feature: there is no",
        ),
        (
            changed("guidance", "landmarks", 1, "descriptors", 0, "operator", to="is"),
            r"\[1\].descriptors\[0\]: unknown comparison",
        ),
        (changed("guidance", "landmarks", 1, "descriptors", to=[]), r"landmarks\[1\]: a landmark needs"),
        (
            changed("guidance", "landmarks", 0, "progressors", to=[]),
            r"landmarks\[0\]: object contains unknown field",
        ),
        (changed("guidance", "loops", 0, "source", to=40), "guidance: a loop starts at landmark 41"),
        (
            changed("guidance", "loops", 0, "progression", to=[]),
            r"guidance.loops\[0\]: .* progression condition",
        ),
        (
            changed("guidance", "loops", 0, "counter", 0, "feature", to=4),
            r"loops\[0\].counter\[0\]: .*is not numerical",
        ),
        (changed_program("guards", to=[7]), r"guidance.guards\[0\]: expected object, got int"),
        (changed_program("counters", to=[]), "guidance: a program needs"),
        (changed_program("counters", 0, "features", to=[]), r"guidance.counters\[0\]: a counter needs"),
        (
            changed_program("counters", 0, "features", to=[0, 9]),
            r"guidance.counters\[0\].features\[1\]: there is no feature 9",
        ),
        (
            changed_program("counters", 0, "features", to=[1, 1]),
            r"guidance.counters\[0\]: a counter contains .* twice",
        ),
        (
            changed_program("counters", 0, "features", to=[0] * 17),
            r"features: expected array of length <= 16",
        ),
        (changed_program("counters", 0, "least", to=2**31), r"least: expected int <="),
        (changed("features", 0, to="n_count(c_nonsense)"), r"features\[0\]: not a feature"),
        (changed("features", 0, to="c_top"), "is a concept"),
        (changed("features", 0, to="n_count(" + "c_not(" * 3000), "features"),
        (changed("features", 0, to=DOCUMENT["features"][1]), "listed twice"),
        (changed("training", 0, "passes", to=[]), "for each of 1 loops"),
        (changed("estimate", "per_pass", to=[1, 2]), "per_pass: expected a number for each of 1 loops"),
        (
            changed("options", "complexity", to=[1]),
            r"options\[...\]: expected bool \| int \| float \| str \| null",
        ),
        (changed("domain", "name", to="\ud800"), "not a valid JSON document"),
        (
            changed("domain", "vocabulary", "symbols", 0, "arity", to=-1),
            r"domain.vocabulary.symbols\[0\].arity: expected int >= 0",
        ),
        (changed("domain", "vocabulary", "symbols", 0, "name", to="at_g"), "listed twice"),
        (changed("domain", "vocabulary", "constants", to=["\ud800"]), "not a valid JSON document"),
        (changed("domain", "parameter_types", to={"\ud800": ["cell"]}), "not a valid JSON document"),
        (
            dumps(MODEL).replace('"seed": 7', '"seed": NaN'),
            r"<text>:[0-9]+:[0-9]+: not a valid JSON document",
        ),
        (dumps(MODEL).replace('"seed": 7', '"seed": 1e999'), "out of range"),
        (dumps(MODEL).replace('"seed": 7', '"seed": ' + "9" * 5000), "out of range"),
        (with_recipe(actions=[]), r"recipes\[0\].actions: expected array of length >= 1"),
        (with_recipe(actions=[{**ACTION, "terms": [1]}]), r"recipes\[0\]: the variables .* without gaps"),
        (with_recipe(actions=[{**ACTION, "terms": [100]}]), r"actions\[0\].terms\[0\]: expected int <= 99"),
        (with_recipe(actions=[{**ACTION, "terms": [True]}]), r"actions\[0\].terms\[0\]: expected int | str"),
        (with_recipe(actions=[ACTION] * 101), r"recipes\[0\].actions: expected array of length <= 100"),
        (with_recipe(conditions=[CONDITION] * 1_001), r"conditions: expected array of length <= 1000"),
        (with_recipe(conditions=[{**CONDITION, "terms": [7]}]), r"recipes\[0\]: no action .* variable 7"),
        (with_recipe(filters=[{**FILTER, "concept": "n_count(c_top)"}]), r"filters\[0\]: .* not a concept"),
        (with_recipe(filters=[{**FILTER, "concept": "c_nothing"}]), r"filters\[0\].concept: not a feature"),
        (changed_program("recipes", to=[RECIPE] * 1_001), r"recipes: expected array of length <= 1000"),
        ("[" * 100_000, "nested too deeply"),
        ('{"format": ' * 100_000, "nested too deeply"),
    ],
)
def test_a_damaged_or_hostile_file_gets_a_clear_error(text: str, message: str) -> None:
    with pytest.raises(ModelError, match=message):
        loads(text)


@pytest.mark.parametrize(
    ("path", "to", "message"),
    [
        (("roles", 1, "relation", "anchor"), 2, "an object is missing"),
        (("when", 0, "role"), 2, "an object is missing"),
        (("when", 0, "other"), 2, "an object is missing"),
        (("steps", 0, "when", 0, "role"), 2, "an object is missing"),
        (("steps", 0, "when", 0, "other"), 2, "an object is missing"),
        (("steps", 0, "arguments", 0, "role"), 2, "an object is missing"),
        (("steps", 0, "arguments", 1, "otherwise"), 2, "an object is missing"),
        (("steps", 0, "head"), 1, "a step is missing"),
        (("steps", 0, "serves"), 1, "a step is missing"),
        (("steps", 0, "approaches", 0, "mover"), 2, "a step lacks its action or an argument"),
        (("steps", 0, "actions"), [], "a step lacks its action or an argument"),
    ],
)
def test_a_practice_that_does_not_fit_itself_is_refused(
    path: tuple[str | int, ...], to: object, message: str
) -> None:
    way = "practice", "passes", 0, "ways", 0
    with pytest.raises(ModelError, match=rf"practice.passes\[0\].ways: {message}"):
        loads(changed(*way, *path, to=to, document=PROGRAM_DOCUMENT))


@pytest.mark.parametrize(
    ("content", "message"),
    [(b"\xff\xfe\x00", "binary file, not a model"), (b"\xff", "expected"), (b"", "empty")],
)
def test_a_file_that_is_no_model_gets_a_clear_error(content: bytes, message: str, tmp_path: Path) -> None:
    path = tmp_path / "model.json"
    path.write_bytes(content)
    with pytest.raises(InputError, match=message):
        load(path)


def test_a_file_that_is_missing_or_a_folder_gets_a_clear_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such model file"):
        load(tmp_path / "none.json")
    with pytest.raises(InputError, match="a folder, not a model file"):
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


@given(st.data(), st.sampled_from([DOCUMENT, PROGRAM_DOCUMENT]), anything)
def test_a_changed_document_loads_or_is_refused_and_what_loads_fits_the_schema(
    data: st.DataObject, document: dict[str, object], value: object
) -> None:
    text = changed(*data.draw(st.sampled_from(paths(document))), to=value, document=document)
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
