"""Generalized landmarks: state functions, landmark graphs, their progression, and the model file."""

from trailmark.landmarks.functions import StateDescriptor, StateFunction, StateProgressor, StateValue
from trailmark.landmarks.graph import Landmark, LandmarkGraph, Loop, h_max, loop_count
from trailmark.landmarks.progression import Acceptance, Policy, Progression, Status, acceptances, lm_g
from trailmark.landmarks.satisfaction import Failure, Satisfaction, graph_values, satisfies

__all__ = [
    "Acceptance",
    "Failure",
    "Landmark",
    "LandmarkGraph",
    "Loop",
    "Policy",
    "Progression",
    "Satisfaction",
    "StateDescriptor",
    "StateFunction",
    "StateProgressor",
    "StateValue",
    "Status",
    "acceptances",
    "graph_values",
    "h_max",
    "lm_g",
    "loop_count",
    "satisfies",
]
