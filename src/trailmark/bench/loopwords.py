"""The loops that were learned, domain by domain, in words."""

from __future__ import annotations

from pathlib import Path

from trailmark.bench.runner import made_files
from trailmark.bench.tables import NOTHING, Results, Table
from trailmark.landmarks import loads
from trailmark.report.outline import outline, short


def loop_words(results: Results, folder: Path) -> Table:
    """For every learned graph its loops: what is repeated, what comes inside a pass, and how often."""
    rows = []
    for run in results.learn_runs:
        record = results.record(run)
        seconds = NOTHING if record is None else f"{record['seconds']:.1f}"
        made = made_files(folder, run)
        if "model.json" not in made:
            rows.append((run.domain, run.learner, seconds, NOTHING, NOTHING, NOTHING))
            continue
        told = outline(loads(made["model.json"]))
        repeated = [each for each in told.landmarks if each.loop is not None]
        if not repeated:
            rows.append((run.domain, run.learner, seconds, "no loop", NOTHING, NOTHING))
        for landmark in repeated:
            assert landmark.loop is not None
            inside = list(landmark.inner)
            inside += [
                each.summary for each in told.landmarks[landmark.loop.loop.target : landmark.number - 1]
            ]
            passes = short(landmark.loop.words.counter)
            rows.append(
                (
                    run.domain,
                    run.learner,
                    seconds,
                    landmark.summary,
                    "; then ".join(inside) or NOTHING,
                    passes,
                )
            )
    header = ("domain", "learner", "s", "repeated", "inside a pass", "passes")
    note = "Seconds are those of the whole learning, from the start of its process."
    return Table("loops", "The loops in words", header, tuple(rows), note)
