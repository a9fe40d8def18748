"""A landmark graph as plain text that reads by itself."""

from __future__ import annotations

from collections.abc import Iterator

from trailmark.landmarks import Model
from trailmark.report.words import Words

SHOWN_PARTS = 4
"""So many parts of a landmark or condition are shown; `verbose` shows all."""


def model_text(model: Model, words: Words, *, verbose: bool = False) -> str:
    """The graph in words, each landmark with its formulas in verbose form."""
    return "\n".join(_lines(model, words, verbose)) + "\n"


def _lines(model: Model, words: Words, verbose: bool) -> Iterator[str]:
    graph = model.graph
    loops = "1 loop" if len(graph.loops) == 1 else f"{len(graph.loops)} loops"
    origin = f"from {len(model.training)} trajectories, " if model.training else ""
    yield f"{model.domain}: {len(graph.landmarks)} landmarks and {loops} ({origin}method {model.method})"
    yield ""
    for number, landmark in enumerate(graph.landmarks, start=1):
        yield from _parts(f"{number}. ", words.landmark(landmark), verbose)
        loop = graph.loop_at(number - 1)
        if loop is not None:
            yield f"   then back to {loop.target + 1}"
            described = words.loop(loop)
            yield from _parts("      until      ", described["exit"], verbose)
            if described["progress"]:
                yield from _parts("      each time  ", described["progress"], verbose)
            yield from _parts("      as often as ", described["counter"], verbose)
    if model.estimate is not None and graph.loops:
        terms = [
            f"{slope:.1f} for each pass of loop {place}"
            for place, slope in enumerate(model.estimate.per_pass, start=1)
        ]
        yield ""
        yield f"expected plan length: {model.estimate.base:.1f} steps plus {', '.join(terms)}"
    missed = [each for each in model.training if not each.satisfied]
    if missed:
        yield ""
        yield "training trajectories that do not satisfy the graph:"
        yield from (f"   {each.problem}: {each.reason}" for each in missed)


def _parts(lead: str, parts: list[tuple[str, str]], verbose: bool) -> Iterator[str]:
    shown = parts if verbose else parts[:SHOWN_PARTS]
    indent = " " * len(lead)
    for place, (phrase, formula) in enumerate(shown):
        yield f"{lead if place == 0 else indent}{'' if place == 0 else 'and '}{phrase}"
        if verbose:
            yield f"{indent}    {formula}"
    if len(shown) < len(parts):
        yield f"{indent}and {len(parts) - len(shown)} more"
