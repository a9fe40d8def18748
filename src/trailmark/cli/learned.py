"""What `trailmark learn` made: saved, and told with what a user should know."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from trailmark.cli.common import print_json
from trailmark.cli.progress import print_line
from trailmark.errors import NoGraphError
from trailmark.limits import Budget

if TYPE_CHECKING:
    from trailmark.api import LearnedModel
    from trailmark.learning.training import TrainingInstance

Fit = Callable[["Sequence[TrainingInstance]", Budget], "LearnedModel"]
"""Learns from instances within a budget."""


class Run:
    """The models of one command, one for each class of goals where these are learned apart, and what a
    user should know."""

    def __init__(self, output: Path, quiet: bool) -> None:
        self.output, self.quiet = output, quiet
        self.notes: list[str] = []
        self.learned: list[tuple[LearnedModel, Path]] = []
        self.left_out: list[dict[str, Any]] = []
        self.classes = 1

    def learn(self, groups: Sequence[Sequence[TrainingInstance]], fit: Fit, budget: Budget) -> None:
        """Saves each model as soon as there is one; a class without a graph is noted, if others have one."""
        from trailmark.learning.training import model_advice

        self.classes = len(groups)
        for number, instances in enumerate(groups, start=1):
            try:
                model = fit(instances, budget.part(budget.remaining() / (len(groups) - number + 1)))
            except NoGraphError as reason:
                if number == len(groups) and not self.learned:
                    raise
                self.note(f"class {number}, {class_name(instances)}, has no landmark graph: {reason}")
                continue
            assert model.learner is not None
            for note in (*model.learner.notes_, *model_advice(model.model, model.words.descriptor)):
                self.note(note)
            target = self.output
            if len(groups) > 1:
                target = target.with_suffix(f".{number}{target.suffix}")
            model.save(target)
            self.learned.append((model, target))

    def leave_one_out(self, groups: Sequence[Sequence[TrainingInstance]], fit: Fit, seconds: float) -> None:
        """Says of each problem whether what is learned from the others, in as much time, solves it."""
        from trailmark.learning.training import leave_one_out

        for instances in groups:
            if len(instances) > 1:
                found = leave_one_out(instances, lambda others: fit(others, Budget(seconds)).guidance)
                self.left_out.append(asdict(found))
                self.note(str(found))

    def note(self, note: str) -> None:
        """Keeps what a user should know for the JSON, and says it now: learning may yet fail."""
        self.notes.append(note)
        if not self.quiet:
            print_line(f"trailmark: {note}")

    def tell(self, json: bool) -> None:
        """What was learned, on stdout."""
        if json:
            models = [_document(model, target) for model, target in self.learned]
            document = models[0] if self.classes == 1 else {"status": "learned", "models": models}
            left_out = {"leave_one_out": self.left_out} if self.left_out else {}
            print_json({**document, **left_out, "notes": self.notes})
        elif not self.quiet:
            for model, target in self.learned:
                _summarise(model, target)


def class_name(instances: Sequence[TrainingInstance]) -> str:
    """What the goals of these instances, all of one class, are about."""
    from trailmark.learning.training import problem_classes

    return str(problem_classes([instance.task for instance in instances])[0])


def _document(learned: LearnedModel, target: Path) -> dict[str, Any]:
    model = learned.model
    assert learned.learner is not None
    return {
        "status": "learned",
        "nodes": len(model.guidance),
        "loops": len(model.guidance.repeated),
        "loop_edges": [loop._asdict() for loop in learned.learner.loops_],
        "features": learned.learner.features_,
        "times": {name: round(value, 4) for name, value in learned.learner.times_.items()},
        "method": model.method,
        "config": learned.learner.options.config,
        "trajectories": len(model.training),
        "satisfied": sum(record.satisfied for record in model.training),
        "model": str(target),
    }


def _summarise(learned: LearnedModel, target: Path) -> None:
    guidance, records = learned.guidance, learned.model.training
    satisfied = sum(record.satisfied for record in records)
    landmarks = "1 landmark" if len(guidance) == 1 else f"{len(guidance)} landmarks"
    loops = "1 loop" if len(guidance.repeated) == 1 else f"{len(guidance.repeated)} loops"
    typer.echo(
        f"{landmarks} and {loops} from {len(records)} trajectories "
        f"in {learned.model.times['total_s']:.2f} s; {satisfied} of {len(records)} satisfy the graph"
    )
    for loop in learned.learner.loops_ if learned.learner else ():
        times = ", ".join(map(str, loop.accepted))
        typer.echo(f"  loop {loop.source} → {loop.target}: landmark {loop.source} accepted {times} times")
    for record in records:
        if not record.satisfied:
            typer.echo(f"  {record.problem}: {record.reason}")
    typer.echo(f"model: {target}")
