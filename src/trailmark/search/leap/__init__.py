"""Leap search: from landmark to landmark, committing to each one that is reached.

`search.py` stands above recipes, and recipes above the other modules here, so it is not imported from here.
"""

from trailmark.search.leap.options import LeapOptions, LeapResult, LeapStatistics, LeapStatus, Level

__all__ = ["LeapOptions", "LeapResult", "LeapStatistics", "LeapStatus", "Level"]
