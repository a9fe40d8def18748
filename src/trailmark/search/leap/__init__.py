"""Leap search: from landmark to landmark, committing to each one that is reached."""

from trailmark.search.leap.options import LeapOptions, LeapResult, LeapStatistics, LeapStatus, Level
from trailmark.search.leap.search import leap

__all__ = ["LeapOptions", "LeapResult", "LeapStatistics", "LeapStatus", "Level", "leap"]
