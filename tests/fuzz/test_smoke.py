"""A short run of every fuzzer: the corpus always, and those of a fixed row of inputs there is time for."""

from __future__ import annotations

import sys

import pytest

from tests.fuzz.runner import fuzz
from tests.fuzz.targets import CORPUS, NAMES, target

SECONDS = 2.0
"""For each target; how many inputs that makes decides nothing."""
INPUTS = 250
"""At most, so that a faster machine runs no input that a slower one has not."""
SEED = 20261115

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="processes as on Linux")


@pytest.mark.parametrize("name", NAMES)
def test_no_input_is_answered_by_anything_but_a_result_or_our_own_error(name: str) -> None:
    report = fuzz(target(name), SECONDS, SEED, most=INPUTS)
    assert report.replayed == len(list((CORPUS / name).iterdir())) > 0
    assert not report.crashes, "\n".join(crash.trace for crash in report.crashes.values())


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_a_longer_run_with_another_seed_finds_nothing_either(name: str) -> None:
    report = fuzz(target(name), 60.0, SEED + 1)
    assert not report.crashes, "\n".join(crash.trace for crash in report.crashes.values())
