"""What notebooks show of models and explained plans: pieces of HTML without a script.

_repr_svg_   = model_svg(model)
_repr_html_  = model_html(model), explanation_html(explanation)
"""

from __future__ import annotations

from collections.abc import Iterator

from trailmark.models.model import Model
from trailmark.report.explain import Explanation
from trailmark.report.explaintext import change_text, heading, step_text, steps_text, verdict
from trailmark.report.outline import LandmarkOutline, outline
from trailmark.report.svg import escape, graph_svg
from trailmark.report.timeline import ARROW
from trailmark.report.words import Part, Words


def model_svg(model: Model, words: Words | None = None) -> str:
    """The graph as a picture."""
    return graph_svg(outline(model, words))


def model_html(model: Model, words: Words | None = None) -> str:
    """The graph as a picture, and below it every landmark with its formulas, to be opened."""
    told = outline(model, words)
    pieces = [
        "<div>",
        f"<p><b>{escape(model.domain)}</b>: {escape(told.title)}, {escape(told.origin)}</p>",
        graph_svg(told),
        *(piece for landmark in told.landmarks for piece in _landmark(landmark)),
        "</div>",
    ]
    return "\n".join(pieces)


def explanation_html(explanation: Explanation) -> str:
    """The plan as a table: steps, what they achieve, and the actions, to be opened."""
    rows = []
    for each in explanation.stretches:
        changes = "".join(f"<br>{escape(change_text(change, ARROW))}" for change in each.changes)
        actions = "<br>".join(escape(action) for action in each.actions)
        opened = f"<details><summary>{len(each.actions)}</summary>{actions}</details>"
        rows.append(
            f"<tr><td>{steps_text(each)}</td><td>{escape(heading(each))}{changes}</td><td>{opened}</td></tr>"
        )
    left = "".join(
        f"<li>{step_text(each.step)}: {escape(each.reason)}</li>" for each in explanation.departures
    )
    return (
        f"<div><p><b>{escape(explanation.task)}</b>: {escape(verdict(explanation))}</p>"
        "<table><thead><tr><th>steps</th><th>achieve</th><th>actions</th></tr></thead>"
        f"<tbody>{''.join(rows)}</tbody></table>" + (f"<ul>{left}</ul>" if left else "") + "</div>"
    )


def _landmark(landmark: LandmarkOutline) -> Iterator[str]:
    yield f"<details><summary>{landmark.number}. {escape(landmark.summary)}</summary>"
    yield _parts("", landmark.parts)
    if landmark.loop is not None:
        words = landmark.loop.words
        yield f"<p>{escape(landmark.loop.lead)}</p>"
        yield (
            _parts("until", words.exit)
            + _parts("each time", words.progress)
            + _parts("passes", words.counter)
        )
    yield "</details>"


def _parts(label: str, parts: tuple[Part, ...]) -> str:
    if not parts:
        return ""
    items = "".join(
        f"<li>{escape(part.phrase)}{''.join(f'; inside a pass: {escape(each)}' for each in part.inner)}"
        f"<br><code>{escape(part.formula)}</code></li>"
        for part in parts
    )
    return f"{label}<ul>{items}</ul>"
