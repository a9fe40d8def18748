"""Generalized landmarks: state functions, landmark graphs, their progression, and the model file."""

from trailmark.landmarks.estimate import Estimate, Expectation, expect, fit_estimate, passes
from trailmark.landmarks.functions import StateDescriptor, StateFunction, StateProgressor, StateValue
from trailmark.landmarks.graph import Landmark, LandmarkGraph, Loop, h_max, loop_count
from trailmark.landmarks.graphtext import parse_graph, print_graph
from trailmark.landmarks.model import Candidate, Model, TrainingRecord, dumps, save
from trailmark.landmarks.modelreader import load, loads
from trailmark.landmarks.progression import Acceptance, Policy, Progression, Status, acceptances, lm_g
from trailmark.landmarks.satisfaction import (
    Failure,
    Satisfaction,
    graph_values,
    satisfaction,
    satisfies,
    values_along,
)

__all__ = [
    "Acceptance",
    "Candidate",
    "Estimate",
    "Expectation",
    "Failure",
    "Landmark",
    "LandmarkGraph",
    "Loop",
    "Model",
    "Policy",
    "Progression",
    "Satisfaction",
    "StateDescriptor",
    "StateFunction",
    "StateProgressor",
    "StateValue",
    "Status",
    "TrainingRecord",
    "acceptances",
    "dumps",
    "expect",
    "fit_estimate",
    "graph_values",
    "h_max",
    "lm_g",
    "load",
    "loads",
    "loop_count",
    "parse_graph",
    "passes",
    "print_graph",
    "satisfaction",
    "satisfies",
    "save",
    "values_along",
]
