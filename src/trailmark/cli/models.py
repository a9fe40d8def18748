"""Reading the MODEL argument, and what a model expects of an instance."""

from __future__ import annotations

from trailmark.api import load
from trailmark.features.batch import evaluate
from trailmark.features.states import state_batch
from trailmark.landmarks import Expectation, Model, expect, graph_values
from trailmark.task import Domain, Task

NONE = "none"


def read_model(argument: str, domain: Domain | None = None) -> Model | None:
    """The model of a file or of a hand-written graph, checked against the domain; None for `none`."""
    return None if argument == NONE else load(argument, domain).model


def expectation(model: Model, task: Task) -> Expectation:
    """Passes and plan length that the loop counters promise in the initial state of a task."""
    initial = state_batch([(task.structure, [task.initial_interpretation])])
    ((values,),) = graph_values(model.graph, evaluate(model.graph.features, initial))
    return expect(model.graph, model.estimate, values)


def expectation_text(expected: Expectation) -> str:
    """The same in words, for a graph with loops."""
    passes = ", ".join(str(each) for each in expected.passes)
    length = f", about {expected.length} steps" if expected.length is not None else ""
    return f"passes of the loops: {passes}{length}"
