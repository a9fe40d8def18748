"""The report as one HTML file that needs nothing else, and the pieces of HTML that notebooks show.

Everything is readable without the script, which adds choosing a landmark and moving through a plan; the
pieces for notebooks have none. A content policy lets only the page's own script and style run, and every
text is escaped.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterator, Mapping
from importlib.resources import files

from trailmark.landmarks.functions import StateDescriptor, StateValue
from trailmark.models.model import Model
from trailmark.report.explain import Explanation, step_text
from trailmark.report.outline import LandmarkOutline, Outline, outline
from trailmark.report.pictures import STYLE, escape, graph_svg
from trailmark.report.telling import ACTIONS_LEAD, LEGEND, ORDER_OF_PARTS, Telling, ToldCounter, ToldPass
from trailmark.report.timeline import ARROW, timeline
from trailmark.report.words import Part, Words


def provenance(told: Outline) -> Iterator[str]:
    """Learning statistics, training plans and what the model was made with."""
    model = told.model
    yield '<h2>Learning</h2><div class="card"><dl>'
    yield _entry("method", model.method)
    if model.training:
        satisfied = sum(record.satisfied for record in model.training)
        yield _entry("training plans", f"{len(model.training)}, {satisfied} follow the graph")
    yield _entry("features in the graph", str(len(model.guidance.features)))
    # The stages together take as long as the total, which is last.
    times = sorted(model.times.items(), key=lambda entry: entry[0] == "total_s")
    yield from (_entry(f"time: {_spaced(name)}", f"{value:.2f} s") for name, value in times)
    yield "</dl></div>"
    if model.training:
        yield from _training(told)
    yield '<h2>Provenance</h2><div class="card"><dl>'
    yield _entry("domain", model.domain)
    if model.signature:
        yield _entry("domain signature", model.signature)
    yield _entry("seed", str(model.seed))
    yield from _pairs(model.versions)
    yield from _pairs(model.options)
    yield "</dl></div>"


def _training(told: Outline) -> Iterator[str]:
    loops = told.loops
    yield '<h2>Training plans</h2><div class="card scroll"><table><thead><tr><th>problem</th>'
    yield '<th class="number">steps</th>'
    yield from (
        f'<th class="number">{"passes" if len(loops) == 1 else f"passes {loop.index + 1}"}</th>'
        for loop in loops
    )
    yield "<th>follows</th></tr></thead><tbody>"
    for record in told.model.training:
        passes = "".join(f'<td class="number">{number}</td>' for number in record.passes)
        answer = (
            '<td class="good">yes</td>'
            if record.satisfied
            else f'<td class="aside">{escape(record.reason)}</td>'
        )
        name = f'<td title="sha256 {escape(record.problem_sha256)}">{escape(record.problem)}</td>'
        yield f'<tr>{name}<td class="number">{record.length}</td>{passes}{answer}</tr>'
    yield "</tbody></table></div>"


def _pairs(entries: Mapping[str, object]) -> Iterator[str]:
    for name, value in sorted(entries.items()):
        if value is not None:
            yield _entry(_spaced(name), str(value))


def _entry(name: str, value: str) -> str:
    return f"<dt>{escape(name)}</dt><dd>{escape(value)}</dd>"


def _spaced(name: str) -> str:
    """`pool_s` as `pool`, in words."""
    return name.removesuffix("_s").replace("_", " ")


def page(told: Outline, explanation: Explanation | None = None) -> str:
    """The whole report: graph, formulas, the plan if one is explained, statistics and provenance."""
    style = _asset("page.css") + STYLE
    script = _asset("page.js")
    body = "\n".join(_body(told, explanation))
    policy = (
        f"default-src 'none'; script-src '{_digest(script)}'; style-src '{_digest(style)}'; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )
    title = f"{told.model.domain}: {told.title}"
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{escape(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="generator" content="Trailmark">
<link rel="icon" href="data:,">
<title>{escape(title)}</title>
<style>{style}</style>
</head>
<body>
{body}
<script>{script}</script>
</body>
</html>
"""


def _body(told: Outline, explanation: Explanation | None) -> Iterator[str]:
    yield f"<header><h1>{escape(told.model.domain)}</h1>"
    yield f'<p class="soft">{escape(told.title)}, {escape(told.origin)}</p></header>'
    yield "<main>"
    if told.telling is not None:
        yield '<h2>What to do</h2><div class="card">'
        yield from _telling(told.telling)
        yield "</div>"
    yield f"<h2>{'The graph' if told.telling is None else 'What is counted'}</h2>"
    yield '<div class="columns"><div class="card graph">'
    yield graph_svg(told, standalone=False, focusable=True)
    yield '</div><div class="card side" aria-live="polite">'
    for landmark in told.landmarks:
        yield from _detail(told, landmark, explanation is not None)
    yield "</div></div>"
    if told.guards:
        yield '<h2>Never on the way to a goal</h2><div class="card">'
        yield from _parts(told, told.guards, explanation is not None)
        yield "</div>"
    if explanation is not None:
        yield from timeline(explanation)
    yield from provenance(told)
    yield "</main>"
    yield "<footer>Written by Trailmark.</footer>"


def _detail(told: Outline, landmark: LandmarkOutline, with_values: bool) -> Iterator[str]:
    number = landmark.number
    yield f'<section class="detail" id="landmark-{number}" data-landmark="{number}">'
    yield f"<h3>{'Landmark' if landmark.told is None else 'Counter'} {number}</h3>"
    if landmark.told is not None:
        yield from _counter(landmark.told)
        yield "<details><summary>Formulas</summary>"
    yield from _parts(told, landmark.parts, with_values)
    loop = landmark.loop
    if loop is not None:
        lead = "Repeat" if loop.lead == "repeat" else f"Then {loop.lead}"
        yield f"<h3>{lead}</h3>"
        for label, parts in loop.words.labelled:
            yield f'<p class="label">{label}</p>'
            yield from _parts(told, parts, with_values)
        passes = ", ".join(str(record.passes[loop.index]) for record in told.model.training)
        if passes:
            yield f'<p class="soft">Passes in training: {passes}</p>'
    if landmark.told is not None:
        yield "</details>"
    yield "</section>"


def _parts(told: Outline, parts: tuple[Part, ...], with_values: bool) -> Iterator[str]:
    yield '<ul class="parts">'
    for part in parts:
        inner = "".join(
            f'<br><span class="inner">inside a pass: {escape(phrase)}</span>' for phrase in part.inner
        )
        value = _value(told, part) if with_values else ""
        formula = f"<details><summary>formula</summary><code>{escape(part.formula)}</code></details>"
        yield f"<li>{escape(part.phrase)}{inner}{value}{formula}</li>"
    yield "</ul>"


def _value(told: Outline, part: Part) -> str:
    """A place for the values in the chosen state of the plan, and for whether the part holds there."""
    index = told.model.guidance.feature_index
    places = " ".join(str(index[feature]) for feature in part.features)
    test = ""
    if isinstance(part.function, StateDescriptor):
        descriptor = part.function
        test = (
            f' data-operator="{escape(descriptor.operator)}" data-threshold="{descriptor.threshold}"'
            f' data-positive="{str(descriptor.positive).lower()}"'
        )
    if isinstance(part.function, StateValue) and part.function.minus:
        test = f' data-minus="{part.function.minus}"'
    return f'<span class="value" data-features="{places}"{test}></span>'


def _asset(name: str) -> str:
    return (files("trailmark.report") / name).read_text(encoding="utf-8")


def _digest(text: str) -> str:
    """The name by which the content policy knows a script or style."""
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def model_html(model: Model, words: Words | None = None) -> str:
    """The graph as a picture, and below it every landmark with its formulas, to be opened."""
    told = outline(model, words)
    pieces = [
        "<div>",
        f"<p><b>{escape(model.domain)}</b>: {escape(told.title)}, {escape(told.origin)}</p>",
        *(_telling(told.telling) if told.telling is not None else ()),
        graph_svg(told),
    ]
    for landmark in told.landmarks:
        pieces.append(f"<details><summary>{landmark.number}. {escape(landmark.summary)}</summary>")
        pieces += [*_detail(told, landmark, False), "</details>"]
    return "\n".join([*pieces, "</div>"])


def explanation_html(explanation: Explanation) -> str:
    """The plan as a table: steps, what they achieve, and the actions, to be opened."""
    rows = []
    for stretch in explanation.stretches:
        changes = "".join(f"<br>{escape(change.text(ARROW))}" for change in stretch.changes)
        actions = "<br>".join(escape(action) for action in stretch.actions)
        opened = f"<details><summary>{len(stretch.actions)}</summary>{actions}</details>"
        rows.append(
            f"<tr><td>{stretch.steps}</td><td>{escape(stretch.heading)}{changes}</td><td>{opened}</td></tr>"
        )
    left = "".join(
        f"<li>{step_text(departure.step)}: {escape(departure.reason)}</li>"
        for departure in explanation.departures
    )
    return (
        f"<div><p><b>{escape(explanation.task)}</b>: {escape(explanation.verdict)}</p>"
        "<table><thead><tr><th>steps</th><th>achieve</th><th>actions</th></tr></thead>"
        f"<tbody>{''.join(rows)}</tbody></table>" + (f"<ul>{left}</ul>" if left else "") + "</div>"
    )


def _telling(told: Telling) -> Iterator[str]:
    """What to do, part by part, and what to beware of."""
    more = f" {ORDER_OF_PARTS}" if len(told.passes) > 1 else ""
    yield f'<p class="soft">{escape(LEGEND + more)}</p>'
    for place, told_pass in enumerate(told.passes, start=1):
        part = "" if len(told.passes) == 1 else f"<b>Part {place}.</b> "
        yield f"<p>{part}Do this for {escape(told_pass.heading)}:</p>"
        yield from _pass(told_pass)
    said = [*told.remarks, *(f"Careful: {warning}." for warning in told.warnings)]
    if said:
        yield '<ul class="remarks">'
        yield from (f"<li>{_marked(line)}</li>" for line in said)
        yield "</ul>"
    if told.actions:
        lines = "".join(f"<li>{_marked(line)}</li>" for line in told.actions)
        yield f"<details><summary>{ACTIONS_LEAD}</summary><ul>{lines}</ul></details>"


def _pass(told: ToldPass) -> Iterator[str]:
    """Each way unfolds to its steps."""
    for number, way in enumerate(told.ways):
        names = ", ".join(dict.fromkeys(name for step in way.steps for name in step.actions))
        opened, lead = "" if number else " open", f"{way.lead}: " if len(told.ways) > 1 else ""
        yield f'<details class="way"{opened}><summary>{_marked(lead)}{escape(names)}</summary><ol>'
        yield from (
            f'<li>{_marked(step.text)} <span class="soft">({escape(step.share)})</span></li>'
            for step in way.steps
        )
        yield "</ol>"
        if way.rare:
            yield f'<p class="soft">Rarely also {_marked("; ".join(way.rare))}.</p>'
        yield "</details>"
    yield f"<p>{_marked(' '.join(told.remarks))}</p>"
    steps = "".join(f"<li>{escape(step)}</li>" for step in told.example)
    yield f"<details><summary>One pass of {escape(told.example_from)}</summary><ol>{steps}</ol></details>"


def _counter(told: ToldCounter) -> Iterator[str]:
    """What a counter counts, and by which actions it falls."""
    yield '<ul class="counts">'
    for place, count in enumerate(told.counts):
        yield f"<li>{_marked(('Inside a pass: ' if place else '') + count.text)}.</li>"
    yield "</ul>"


def _marked(text: str) -> str:
    """The text with names of actions as code."""
    return re.sub(r"`([^`]*)`", r'<code class="action">\1</code>', escape(text))
