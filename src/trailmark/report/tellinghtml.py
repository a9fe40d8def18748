"""A program told by actions, as parts of the HTML page and of notebooks."""

from __future__ import annotations

import re
from collections.abc import Iterator

from trailmark.report.counts import ToldCounter
from trailmark.report.pictures import escape
from trailmark.report.telling import ACTIONS_LEAD, LEGEND, ORDER_OF_PARTS, Telling, ToldPass


def telling_html(told: Telling) -> Iterator[str]:
    """What to do, part by part, and what to beware of."""
    more = f" {ORDER_OF_PARTS}" if len(told.passes) > 1 else ""
    yield f'<p class="soft">{escape(LEGEND + more)}</p>'
    for place, each in enumerate(told.passes, start=1):
        part = "" if len(told.passes) == 1 else f"<b>Part {place}.</b> "
        yield f"<p>{part}Do this for {escape(each.heading)}:</p>"
        yield from _pass(each)
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


def counter_html(told: ToldCounter) -> Iterator[str]:
    """What a counter counts, and by which actions it falls."""
    yield '<ul class="counts">'
    for place, count in enumerate(told.counts):
        yield f"<li>{_marked(('Inside a pass: ' if place else '') + count.text)}.</li>"
    yield "</ul>"


def _marked(text: str) -> str:
    """The text with names of actions as code."""
    return re.sub(r"`([^`]*)`", r'<code class="action">\1</code>', escape(text))
