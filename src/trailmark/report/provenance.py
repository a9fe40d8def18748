"""Where a model came from and what learning it took, as parts of the HTML page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from trailmark.report.outline import Outline
from trailmark.report.svg import escape


def provenance(told: Outline) -> Iterator[str]:
    """Learning statistics, training plans and what the model was made with."""
    model = told.model
    yield '<h2>Learning</h2><div class="card"><dl>'
    yield _entry("method", model.method)
    length = told.estimate()
    if length is not None:
        yield _entry("expected plan length", length)
    if model.training:
        satisfied = sum(each.satisfied for each in model.training)
        yield _entry("training plans", f"{len(model.training)}, {satisfied} follow the graph")
    yield _entry("features in the graph", str(len(model.guidance.features)))
    yield from (_entry(_spaced(name), f"{value:.3g} s") for name, value in sorted(model.times.items()))
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
        f'<th class="number">{"passes" if len(loops) == 1 else f"passes {each.index + 1}"}</th>'
        for each in loops
    )
    yield "<th>follows</th></tr></thead><tbody>"
    for each in told.model.training:
        passes = "".join(f'<td class="number">{number}</td>' for number in each.passes)
        answer = (
            '<td class="good">yes</td>' if each.satisfied else f'<td class="bad">{escape(each.reason)}</td>'
        )
        name = f'<td title="sha256 {escape(each.problem_sha256)}">{escape(each.problem)}</td>'
        yield f'<tr>{name}<td class="number">{each.length}</td>{passes}{answer}</tr>'
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
