"""The paper's generalized landmarks: state functions, landmark graphs, their progression and satisfaction;
and the interface `Guidance`, which programs share."""

from trailmark.landmarks.functions import (
    Guidance,
    Policy,
    StateDescriptor,
    StateFunction,
    StateProgressor,
    StateValue,
    Status,
    Stepper,
    lm_g,
)  # fmt: skip
from trailmark.landmarks.graph import Landmark, LandmarkGraph, Loop, loop_count
from trailmark.landmarks.progression import (
    Acceptance,
    Failure,
    Progression,
    Satisfaction,
    acceptances,
    graph_values,
    satisfaction,
    satisfies,
    values_along,
)  # fmt: skip
from trailmark.landmarks.text import parse_graph, print_graph

__all__ = [
    "Acceptance", "Failure", "Guidance", "Landmark", "LandmarkGraph", "Loop", "Policy", "Progression",
    "Satisfaction", "StateDescriptor", "StateFunction", "StateProgressor", "StateValue", "Status", "Stepper",
    "acceptances", "graph_values", "lm_g", "loop_count", "parse_graph", "print_graph", "satisfaction",
    "satisfies", "values_along",
]  # fmt: skip
