"""Pool files: read, written, read again."""

from __future__ import annotations

import json
from random import Random

from fuzz.checks import as_file, outcome, same
from fuzz.targets import grammar
from fuzz.targets.examples import domain
from trailmark.features.pool import PoolEnd
from trailmark.features.poolfile import StoredPool, load_pool, save_pool
from trailmark.features.syntax import INFINITE

WORDS = (
    *grammar.WORDS, '"format"', '"trailmark-pool"', '"version"', '"end"', '"offsets"', '"values"', "null",
    "true",
    "NaN", "[", "]", "{", "}", *(f'"{each.value}"' for each in PoolEnd),
)  # fmt: skip


def one(data: bytes) -> str:
    path = as_file(data, ".json")
    outcome(lambda: load_pool(path, domain().vocabulary))
    return outcome(lambda: _read(load_pool(path)))


def _read(pool: StoredPool) -> None:
    if pool.valuations is None:
        return
    copy = as_file(b"", ".copy.json")
    save_pool(copy, pool.valuations, pool.end)
    again = load_pool(copy)
    same((again.features, again.end), (pool.features, pool.end), "pool to file and back")
    assert again.valuations is not None
    same(again.valuations.offsets, pool.valuations.offsets, "the pool's offsets")
    same(again.valuations.values.tolist(), pool.valuations.values.tolist(), "the pool's values")


def seeds() -> list[bytes]:
    chance = Random(0)
    return [make(chance) for _ in range(5)]


def make(chance: Random) -> bytes:
    features = sorted({grammar.feature(chance) for _ in range(chance.randint(0, 4))})
    offsets = [0]
    for _ in range(chance.randint(1, 3)):
        offsets.append(offsets[-1] + chance.randint(1, 3))
    highest = [1 if each.startswith("b_") else chance.choice([1, 3, INFINITE]) for each in features]
    document: dict[str, object] = {
        "format": "trailmark-pool",
        "version": 1,
        "end": chance.choice(list(PoolEnd)).value,
    }
    document["features"] = features
    if chance.random() < 0.8:
        document["offsets"] = offsets
        document["values"] = [[chance.choice([0, top]) for _ in range(offsets[-1])] for top in highest]
    return json.dumps(document).encode()
