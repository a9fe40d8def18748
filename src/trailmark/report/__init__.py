"""Landmark graphs and plans for people: text, pictures and pages.

outline(model)                         the graph in words; all else draws from it
model_text(model)                      as `trailmark show` prints it
graph_svg, dot, mermaid, page          pictures, and the HTML report
explain(model, task, plan)             a plan as the abstract plan
explanation_text, page(told, explanation)
model_html, explanation_html           for notebooks
"""

from trailmark.report.explain import Explanation, explain, explain_states
from trailmark.report.html import explanation_html, model_html, page
from trailmark.report.outline import Outline, outline
from trailmark.report.pictures import dot, graph_svg, mermaid
from trailmark.report.text import explanation_json, explanation_text, model_text, outline_json
from trailmark.report.words import Words

__all__ = [
    "Explanation",
    "Outline",
    "Words",
    "dot",
    "explain",
    "explain_states",
    "explanation_html",
    "explanation_json",
    "explanation_text",
    "graph_svg",
    "mermaid",
    "model_html",
    "model_text",
    "outline",
    "outline_json",
    "page",
]
