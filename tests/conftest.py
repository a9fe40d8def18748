"""Settings that all tests share."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

# A deadline an example would make tests fail on a busy machine and say nothing about the code.
settings.register_profile("trailmark", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("trailmark")
