"""Showing a model in every form there is: none may fail, and markup stays well formed."""

from __future__ import annotations

import json
from html.parser import HTMLParser
from xml.etree import ElementTree

from tests.fuzz.checks import Wrong
from trailmark.errors import TrailmarkError
from trailmark.models.model import Model
from trailmark.report import dot, graph_svg, mermaid, model_html, model_text, outline, outline_json, page
from trailmark.report.words import Words

_OURS = {
    "html", "head", "meta", "link", "title", "style", "body", "header", "h1", "h2", "h3", "p",
    "main", "div", "svg", "path", "g", "rect", "text", "section", "ul", "li", "br", "span", "code",
    "script", "footer", "table", "thead", "tbody", "tr", "th", "td", "dl", "dt", "dd", "details",
    "summary", "b", "ol", "button", "input", "label", "output", "line",
}  # fmt: skip
"""The elements of our own templates."""


def show(model: Model) -> None:
    """Whatever was read can be shown: here even our own errors are wrong."""
    try:
        _show(model)
    except TrailmarkError as error:
        raise Wrong(f"cannot be shown: {error}") from error


def _show(model: Model) -> None:
    told = outline(model, Words.of(model))
    model_text(model, Words.of(model), verbose=True)
    json.dumps(outline_json(told), allow_nan=False)
    dot(told)
    mermaid(told)
    ElementTree.fromstring(graph_svg(told))
    for text in (page(told), model_html(model)):
        _Reader().feed(text)


class _Reader(HTMLParser):
    """Refuses an element or an attribute that no template of ours has."""

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        if tag not in _OURS or any(name.startswith("on") for name, _ in attributes):
            raise Wrong(f"the page has <{tag} {attributes}>")
