"""A program told by its actions, as parts of the HTML page and of notebooks."""

from __future__ import annotations

import re
from collections.abc import Iterator

from trailmark.report.pictures import escape
from trailmark.report.telling import Telling, ToldPass


def pass_html(told: ToldPass) -> Iterator[str]:
    """The passes of one counter; each way unfolds to its steps."""
    yield f"<p>Each pass is about {escape(told.heading)}.</p>"
    for number, way in enumerate(told.ways):
        names = ", ".join(dict.fromkeys(name for step in way.steps for name in step.actions))
        opened, share = "" if number else " open", f"({way.passes} of {way.of} passes)"
        yield f'<details class="way"{opened}><summary>{escape(names)} {share}</summary><ol>'
        yield from (
            f'<li>{_marked(step.line)} <span class="soft">({escape(step.share)})</span></li>'
            for step in way.steps
        )
        yield "</ol>"
        if way.rare:
            yield f'<p class="soft">Rarely also {escape(", ".join(way.rare))}.</p>'
        yield "</details>"
    overlap = f" {told.together}." if told.together else ""
    yield f"<p>Repeat {escape(told.until)}. A pass takes {escape(told.length)}.{escape(overlap)}</p>"
    yield '<ul class="counts">'
    for place, count in enumerate(told.counts):
        lead = "Inside a pass" if place else "Counted"
        change = "one more" if count.gains else "one less"
        mark = " (simplified)" if count.simplified else ""
        about = f", about the {count.subject}" if count.subject and place else ""
        yield f"<li>{_marked(f'{lead}: {count.phrase}{mark}; {change} by {count.by}{about}.')}</li>"
    yield "</ul>"
    if told.example:
        steps = "".join(f"<li>{escape(step)}</li>" for step in told.example)
        yield f"<details><summary>One pass of {escape(told.example_from)}</summary><ol>{steps}</ol></details>"


def remarks_html(told: Telling) -> Iterator[str]:
    """The beginning, the tail, and what to beware of."""
    said = [f"Before the first pass: {told.beginning}."] if told.beginning else []
    said.append(f"After the last pass: {told.tail or 'nothing more, the goal is reached'}.")
    said += [f"Careful: {warning}." for warning in told.warnings]
    said.append(f"Not told: {'; '.join(told.not_told)}.")
    yield '<ul class="remarks">'
    yield from (f"<li>{_marked(line)}</li>" for line in said)
    yield "</ul>"


def _marked(text: str) -> str:
    """The text with names of actions as code."""
    return re.sub(r"`([^`]*)`", r'<code class="action">\1</code>', escape(text))
