"""Reading the MODEL argument: a model file, a hand-written graph, or `none`."""

from __future__ import annotations

from pathlib import Path

from trailmark.features.check import check
from trailmark.files import read_text
from trailmark.landmarks import Model, load, parse_graph
from trailmark.task import Domain

NONE = "none"


def read_model(argument: str, domain: Domain | None = None) -> Model | None:
    """The model of a file, checked against the domain; None for the word `none`.

    A file that does not start with `{` is read as a landmark graph in text, which fits every domain
    that has its predicates.
    """
    if argument == NONE:
        return None
    text = read_text(argument, "model file")
    if text.lstrip().startswith("{"):
        model = load(Path(argument))
        if domain is not None:
            model.check_domain(domain.name, domain.signature)
        return model
    graph = parse_graph(text, argument)
    if domain is not None:
        for feature in graph.features:
            check(feature, domain.vocabulary)
    name, signature = (domain.name, domain.signature) if domain else ("any", "")
    return Model(graph=graph, domain=name, signature=signature, method="hand-written")
