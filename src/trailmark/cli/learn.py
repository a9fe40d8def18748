"""`trailmark learn`: a landmark graph from a few solved instances."""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from trailmark.cli.common import Json, Quiet, Verbose, print_json, run_supervised, set_up_logging
from trailmark.files import check_writable

DEFAULT_SECONDS = 60.0
PLAN_SHARE = 0.5
"""The share of the time limit that one training plan may take."""
LEARNING_SHARE = 0.9
"""The share of the time limit after which learning ends with what it has; the rest is for writing it
down, also on a busy machine."""


def command(
    domain: Annotated[Path, typer.Argument(help="PDDL domain.", show_default=False)],
    problems: Annotated[list[Path], typer.Argument(help="Training problems.", show_default=False)],
    output: Annotated[Path, typer.Option("-o", "--output", help="The model file to write.")],
    plan: Annotated[
        list[Path] | None, typer.Option("--plan", help="A plan file for each problem, in their order.")
    ] = None,
    plans_from: Annotated[
        str | None,
        typer.Option(
            help="Where plans come from: embedded, fast-downward, files (beside the problems), up:ENGINE.  "
            "[default: embedded, or files with --plan]",
            show_default=False,
        ),
    ] = None,
    method: Annotated[str, typer.Option(help="auto, chain or counter.")] = "auto",
    solver: Annotated[str, typer.Option(help="exact or asp.")] = "exact",
    config: Annotated[
        str | None, typer.Option(help="The paper's pool configuration, b1 to b5.", show_default=False)
    ] = None,
    complexity: Annotated[
        int | None, typer.Option(min=1, help="The largest complexity of a feature.", show_default=False)
    ] = None,
    feature_limit: Annotated[
        int | None, typer.Option(min=1, help="The largest number of features.", show_default=False)
    ] = None,
    pool_time: Annotated[
        float | None, typer.Option(help="Seconds for generating features.", show_default=False)
    ] = None,
    grammar: Annotated[str, typer.Option(help="paper or rich.")] = "paper",
    rules: Annotated[str, typer.Option(help="The paper's preprocessing, phi1 to phi4.")] = "phi4",
    loop_condition: Annotated[str, typer.Option(help="minimal or all.")] = "minimal",
    search_after: Annotated[
        str, typer.Option(help="Search the landmark after a loop from its first or last occurrence.")
    ] = "first",
    satisfied_loops: Annotated[
        bool,
        typer.Option(
            "--satisfied-loops", help="Keep only loops with which all training plans satisfy the graph."
        ),
    ] = False,
    possible: Annotated[
        int,
        typer.Option(
            min=1, max=100, help="The chain also gets landmarks that so many per cent of the plans achieve."
        ),
    ] = 100,
    branches: Annotated[
        bool, typer.Option(help="The chain also gets alternative chains between two landmarks.")
    ] = False,
    functions: Annotated[
        Path | None, typer.Option(help="A file with your own state functions.", show_default=False)
    ] = None,
    functions_only: Annotated[
        bool, typer.Option("--functions-only", help="Use your state functions alone.")
    ] = False,
    split: Annotated[
        bool, typer.Option("--split", help="Learn one model for each class of goals in the training set.")
    ] = False,
    validation: Annotated[
        list[Path] | None,
        typer.Option("--validation", help="A further problem, without a plan, to try graphs on."),
    ] = None,
    jobs: Annotated[int, typer.Option(min=1, help="Plans sought, and graphs tried, at the same time.")] = 1,
    time_limit: Annotated[float, typer.Option(help="Seconds for everything.")] = DEFAULT_SECONDS,
    memory_limit: Annotated[float | None, typer.Option(help="Megabytes.", show_default=False)] = None,
    seed: Annotated[int, typer.Option(help="For what is random.")] = 0,
    json: Json = False,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> int:
    """Learn a landmark graph from solved instances of a domain and save it as a model.

    Exit code 0: learned; 2: bad input; 12: time limit; 13: memory limit; 14: no graph found.

    Example: trailmark learn domain.pddl t1.pddl t2.pddl t3.pddl t4.pddl t5.pddl -o model.json
    """
    options = {
        "method": method,
        "solver": solver,
        "config": config,
        "complexity": complexity,
        "feature_limit": feature_limit,
        "pool_time": pool_time,
        "grammar": grammar,
        "rules": rules,
        "loop_condition": loop_condition,
        "search_after": search_after,
        "satisfied_loops": satisfied_loops,
        "possible": possible,
        "branches": branches,
        "functions_only": functions_only,
        "seed": seed,
    }
    set_up_logging(quiet, verbose)
    source = plans_from or ("files" if plan else "embedded")
    plans = [str(each) for each in plan or []]
    names = [str(each) for each in problems]

    request = _Request(
        str(domain),
        names,
        plans,
        source,
        output,
        options,
        functions,
        split,
        [str(each) for each in validation or []],
        jobs,
        time_limit,
        json,
        quiet,
        time.monotonic(),
    )
    check_writable(output)
    return run_supervised(lambda: _learn(request), time_limit, memory_limit)


@dataclass(frozen=True)
class _Request:
    """The command's arguments, as the child process takes them."""

    domain: str
    problems: list[str]
    plans: list[str]
    source: str
    output: Path
    options: dict[str, Any]
    functions: Path | None
    split: bool
    validation: list[str]
    jobs: int
    time_limit: float
    json: bool
    quiet: bool
    started: float
    """When the time limit began, on the clock that all processes share."""


def _learn(request: _Request) -> int:
    from trailmark.cli.progress import ProgressLine
    from trailmark.discovery import parse_functions
    from trailmark.errors import NoGraphError
    from trailmark.files import read_text
    from trailmark.landmarks import save
    from trailmark.learning.learner import LandmarkLearner, LearnOptions
    from trailmark.learning.training import load_training
    from trailmark.limits import Budget
    from trailmark.task import Task

    budget = Budget(request.time_limit * LEARNING_SHARE, started=request.started)
    given = None
    if request.functions is not None:
        text = read_text(request.functions, "file of state functions")
        given = parse_functions(text, str(request.functions))
    settings = LearnOptions(functions=given, **request.options)
    with ProgressLine(quiet=request.quiet) as line:
        training = load_training(
            request.domain,
            request.problems,
            request.source,
            request.plans,
            seconds=request.time_limit * PLAN_SHARE,
            jobs=request.jobs,
            progress=lambda found: line.say(f"plan for {found.problem}: {found.seconds:.1f} s"),
        )
        groups = training.by_class() if request.split else [training.instances]
        domain = training.instances[0].task.domain
        validation = [Task.load(domain, each) for each in request.validation]
        notes: list[str] = []
        for note in training.notes:
            _note(note, notes, request)
        learned: list[tuple[LandmarkLearner, Path]] = []
        for number, instances in enumerate(groups, start=1):
            share = budget.part(budget.remaining() / (len(groups) - number + 1))
            learner = LandmarkLearner(settings)
            try:
                learner.fit(
                    instances,
                    share,
                    lambda stage, word: line.say(f"{stage}: {word}"),
                    training.seconds,
                    validation,
                    request.jobs,
                )
            except NoGraphError as reason:
                if number == len(groups) and not learned:
                    raise
                which = f"class {number}, {learner.classes_[0]}, has no landmark graph"
                _note(f"{which}: {reason}", notes, request)
                continue
            target = request.output if len(groups) == 1 else _numbered(request.output, number)
            save(learner.model_, target)
            learned.append((learner, target))
    if request.json:
        models = [_document(learner, target, request.options) for learner, target in learned]
        document = models[0] if len(groups) == 1 else {"status": "learned", "models": models}
        print_json({**document, "notes": notes})
    elif not request.quiet:
        for learner, target in learned:
            _summarise(learner, target)
    return 0


def _note(note: str, notes: list[str], request: _Request) -> None:
    """Keeps what a user should know for the JSON, and says it now: learning may yet fail."""
    notes.append(note)
    if not request.quiet:
        print(f"trailmark: {note}", file=sys.stderr)


def _numbered(output: Path, number: int) -> Path:
    """The file of one class's model: `model.json` becomes `model.1.json`."""
    return output.with_suffix(f".{number}{output.suffix}")


def _document(learner: Any, target: Path, options: dict[str, Any]) -> dict[str, Any]:
    graph = learner.graph_
    return {
        "status": "learned",
        "nodes": len(graph.landmarks),
        "loops": len(graph.loops),
        "features": learner.features_,
        "times": {name: round(value, 4) for name, value in learner.times_.items()},
        "method": learner.model_.method,
        "config": options["config"],
        "trajectories": len(learner.model_.training),
        "satisfied": sum(each.satisfied for each in learner.model_.training),
        "model": str(target),
    }


def _summarise(learner: Any, target: Path) -> None:
    graph, records = learner.graph_, learner.model_.training
    satisfied = sum(each.satisfied for each in records)
    landmarks = "1 landmark" if len(graph.landmarks) == 1 else f"{len(graph.landmarks)} landmarks"
    loops = "1 loop" if len(graph.loops) == 1 else f"{len(graph.loops)} loops"
    typer.echo(
        f"{landmarks} and {loops} from {len(records)} trajectories "
        f"in {learner.times_['total_s']:.2f} s; {satisfied} of {len(records)} satisfy the graph"
    )
    for each in records:
        if not each.satisfied:
            typer.echo(f"  {each.problem}: {each.reason}")
    typer.echo(f"model: {target}")
