"""Settings that all tests share."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from trailmark.cli.common import tell_errors_as_json

# A deadline an example would make tests fail on a busy machine and say nothing about the code.
settings.register_profile("trailmark", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("trailmark")

BENCHMARKS = Path(__file__).parents[1] / ".." / "shared" / "benchmarks"


@pytest.fixture(scope="session")
def benchmarks() -> Path:
    """The folder of public benchmarks; tests that ask for it are skipped where it is missing."""
    if not BENCHMARKS.is_dir():
        pytest.skip("the public benchmarks (../shared/benchmarks) are not here")
    return BENCHMARKS


@pytest.fixture(autouse=True)
def errors_as_text() -> None:
    """A command that was run with `--json` says nothing of how the next test wants its errors told."""
    tell_errors_as_json(False)
