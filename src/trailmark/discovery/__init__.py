"""Discovery of landmark graphs from training trajectories: exact, and by an ASP solver."""

from trailmark.discovery.discover import (
    Discovery,
    DiscoveryOptions,
    SearchAfter,
    Solver,
    discover,
)
from trailmark.discovery.functions import (
    GivenFunctions,
    StateFunctions,
    UserFunctions,
    parse_functions,
    state_functions,
)
from trailmark.discovery.loops import LoopCondition

__all__ = [
    "Discovery",
    "DiscoveryOptions",
    "GivenFunctions",
    "LoopCondition",
    "SearchAfter",
    "Solver",
    "StateFunctions",
    "UserFunctions",
    "discover",
    "parse_functions",
    "state_functions",
]
