"""Pool files: the way there and back, and what is wrong with bad ones."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.features.test_batch import batches
from tests.features.test_pool import towers
from trailmark.errors import FeatureError, InputError
from trailmark.features.grammar import PoolOptions
from trailmark.features.pool import PoolEnd, generate_pool
from trailmark.features.poolfile import load_pool, save_pool
from trailmark.features.states import StateBatch


@given(batches(), st.booleans())
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_pool_comes_back_as_it_was(tmp_path: Path, batch: StateBatch, values: bool) -> None:
    pool = generate_pool(batch, PoolOptions(complexity=4, features=50))
    save_pool(tmp_path / "pool.json", pool.valuations, pool.end, values=values)
    stored = load_pool(tmp_path / "pool.json", batch.vocabulary)
    assert stored.features == pool.features
    assert stored.end is pool.end
    if values:
        assert stored.valuations is not None
        assert np.array_equal(stored.valuations.values, pool.valuations.values)
        assert stored.valuations.values.dtype == np.int32
        assert stored.valuations.offsets == pool.valuations.offsets
    else:
        assert stored.valuations is None


@pytest.fixture
def content(tmp_path: Path) -> dict[str, object]:
    save_pool(tmp_path / "good.json", generate_pool(towers(3, 4), PoolOptions(complexity=3)).valuations)
    loaded: dict[str, object] = json.loads((tmp_path / "good.json").read_text())
    return loaded


def test_nothing_else_is_left_in_the_folder(content: dict[str, object], tmp_path: Path) -> None:
    assert [each.name for each in tmp_path.iterdir()] == ["good.json"]


BAD = {
    "no format": ({"format": None}, 'does not say "format"'),
    "a later version": ({"version": 2}, "version is 2"),
    "features that are no list": ({"features": "n_count(c_top)"}, "no list of features"),
    "a feature that is no text": ({"features": [1]}, "feature 1 is not a text"),
    "a cut-off feature": ({"features": ["n_count(c_top"]}, "feature 1:1:14"),
    "a concept": ({"features": ["c_top"]}, "a concept is not a feature"),
    "a feature twice": ({"features": ["n_count(c_top)", "n_count( c_top )"]}, "feature 2 is there twice"),
    "an unknown predicate": ({"features": ["n_count(c_primitive(off,0))"]}, "off"),
    "an unknown end": ({"end": "boredom"}, "boredom"),
    "an unhashable end": ({"end": []}, "cannot have ended"),
    "no offsets": ({"offsets": None}, "offsets must be"),
    "falling offsets": ({"offsets": [0, 4, 2]}, "offsets must be"),
    "a row too few": ({"values": []}, "values must be a list of"),
    "a short row": ({"features": ["n_count(c_top)"], "values": [[1]]}, "row 1 of the values must have"),
    "a fraction": ({"features": ["n_count(c_top)"], "values": [[0.5] * 7]}, "integer of 32 bits"),
    "a truth value": ({"features": ["n_count(c_top)"], "values": [[True] * 7]}, "integer of 32 bits"),
    "a huge value": ({"features": ["n_count(c_top)"], "values": [[2**31] * 7]}, "integer of 32 bits"),
    "a Boolean of 2": ({"features": ["b_nullary(held)"], "values": [[2] * 7]}, "must be of 0 and 1"),
}


@pytest.mark.parametrize(("change", "message"), BAD.values(), ids=BAD)
def test_a_bad_file_is_refused_with_its_name(
    content: dict[str, object], tmp_path: Path, change: dict[str, object], message: str
) -> None:
    bad = tmp_path / "bad.json"
    bad.write_text(json.dumps({**content, **change}))
    with pytest.raises(InputError) as caught:
        load_pool(bad, towers(3, 4).vocabulary)
    assert message in str(caught.value)
    assert "bad.json" in str(caught.value)


@pytest.mark.parametrize("text", ["", "[", "[]", "3", '{"format": NaN}', "[" * 100_000, "\0"])
def test_what_is_no_pool_at_all_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "bad.json").write_text(text)
    with pytest.raises(InputError, match=r"bad\.json"):
        load_pool(tmp_path / "bad.json")


@given(st.data())
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_damaged_file_never_fails_in_another_way(
    tmp_path: Path, content: dict[str, object], data: st.DataObject
) -> None:
    text = json.dumps(content)
    place = data.draw(st.integers(0, len(text)))
    length = data.draw(st.integers(0, 40))
    damaged = text[:place] + data.draw(st.text(max_size=5)) + text[place + length :]
    (tmp_path / "bad.json").write_text(damaged, encoding="utf-8", errors="replace")
    with suppress(InputError):
        load_pool(tmp_path / "bad.json", towers(3, 4).vocabulary)


def test_a_feature_of_another_domain_is_named_with_its_place(
    content: dict[str, object], tmp_path: Path
) -> None:
    bad = tmp_path / "bad.json"
    bad.write_text(json.dumps({**content, "features": ["n_count(c_top)", "n_count(r_primitive(on,0,7))"]}))
    with pytest.raises(FeatureError, match=r"bad\.json, feature 2:1:"):
        load_pool(bad, towers(3, 4).vocabulary)


def test_the_end_is_kept(tmp_path: Path) -> None:
    pool = generate_pool(towers(3, 4), PoolOptions(features=5))
    save_pool(tmp_path / "pool.json", pool.valuations, pool.end, values=False)
    assert load_pool(tmp_path / "pool.json").end is PoolEnd.FEATURES
