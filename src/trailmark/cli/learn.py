"""`trailmark learn`: a landmark graph from a few solved instances."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from trailmark.cli.common import (
    DomainArgument,
    Json,
    Quiet,
    Verbose,
    run_supervised,
    set_up_logging,
)
from trailmark.cli.learned import Run
from trailmark.cli.progress import ProgressLine
from trailmark.files import check_writable, read_text
from trailmark.limits import Budget

if TYPE_CHECKING:
    from trailmark.api import LearnedModel
    from trailmark.learning.sources import SourcedPlan
    from trailmark.learning.training import TrainingInstance

DEFAULT_SECONDS = 60.0
LEARNING_SHARE = 0.9
"""The share of the time limit after which learning ends with what it has; the rest is for writing it
down, also on a busy machine."""


def command(
    domain: DomainArgument,
    problems: Annotated[list[Path], typer.Argument(help="Training problems.", show_default=False)],
    output: Annotated[Path, typer.Option("-o", "--output", help="The model file to write.")],
    plan: Annotated[
        list[Path] | None, typer.Option("--plan", help="A plan file for each problem, in their order.")
    ] = None,
    plans_from: Annotated[
        str | None,
        typer.Option(
            help="Where plans come from: auto, embedded, fast-downward (LAMA-first), fast-downward:SEARCH, "
            "files (beside the problems), up:ENGINE.  [default: auto, or files with --plan]",
            show_default=False,
        ),
    ] = None,
    method: Annotated[str, typer.Option(help="auto, paper, chain or counter.")] = "auto",
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
    limit_counts: Annotated[
        str | None,
        typer.Option(
            help="That number is of features, or of elements: concepts, roles and features.  "
            "[default: features; elements with --method paper]",
            show_default=False,
        ),
    ] = None,
    pool_time: Annotated[
        float | None, typer.Option(help="Seconds for generating features.", show_default=False)
    ] = None,
    grammar: Annotated[str, typer.Option(help="paper or rich.")] = "paper",
    rules: Annotated[
        str, typer.Option(help="The paper's preprocessing, phi1 to phi4, or phi3-by-number.")
    ] = "phi4",
    counters_from: Annotated[
        str | None,
        typer.Option(
            help="Progressors and counters come from the whole pool, or from the reduced one that the rules "
            "leave.  [default: pool; reduced with --method paper]",
            show_default=False,
        ),
    ] = None,
    loop_condition: Annotated[
        str | None,
        typer.Option(help="minimal or all.  [default: minimal; all with --method paper]", show_default=False),
    ] = None,
    search_after: Annotated[
        str, typer.Option(help="Search the landmark after a loop from its first or last occurrence.")
    ] = "first",
    satisfied_loops: Annotated[
        bool | None,
        typer.Option(
            "--satisfied-loops/--violated-loops",
            help="Keep only loops with which all training plans satisfy the graph, or also others.  "
            "[default: also others; not with --method paper]",
            show_default=False,
        ),
    ] = None,
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
    leave_one_out: Annotated[
        bool,
        typer.Option(
            "--leave-one-out",
            help="Learn again without each problem, and say whether that solves it. The time limit is then "
            "for each model that is learned.",
        ),
    ] = False,
    jobs: Annotated[int, typer.Option(min=1, help="Plans sought, and graphs tried, at the same time.")] = 1,
    cluster: Annotated[
        str | None,
        typer.Option(help="The address of a Dask scheduler to do so on, instead.", show_default=False),
    ] = None,
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
    asked = dict(locals())
    set_up_logging(quiet, verbose)
    started = time.monotonic()
    check_writable(output)
    budget = Budget(time_limit * LEARNING_SHARE, started=started)

    line = ProgressLine(quiet=quiet)

    def work() -> int:
        from trailmark import api
        from trailmark.discovery import parse_functions
        from trailmark.executors import parallel
        from trailmark.learning.options import LearnOptions
        from trailmark.learning.training import advice, load_training

        given = None
        if functions is not None:
            given = parse_functions(read_text(functions, "file of state functions"), str(functions))
        fields = LearnOptions.__dataclass_fields__
        settings = api.learn_options(given, **{name: asked[name] for name in fields if name != "functions"})
        run = Run(output, quiet)
        with parallel(jobs, cluster) as executor, line:
            found: list[SourcedPlan] = []

            def told(plan: SourcedPlan) -> None:
                found.append(plan)
                line.say(f"{len(found)} of {len(problems)} training plans")

            line.say(f"0 of {len(problems)} training plans")
            training = load_training(
                domain,
                [str(problem) for problem in problems],
                plans_from or ("files" if plan else "auto"),
                [str(path) for path in plan or []],
                seconds=time_limit * api.PLAN_SHARE,
                executor=executor,
                progress=told,
            )
            for note in (*training.notes, *advice(training, time_limit * api.PLAN_SHARE)):
                run.note(note)

            def fit(instances: Sequence[TrainingInstance], share: Budget) -> LearnedModel:
                def say(stage: str, word: str) -> None:
                    line.say(f"{stage}: {word}")

                return api.fit(instances, settings, share, say, training.seconds, validation or (), executor)

            groups = training.by_class() if split else [training.instances]
            run.learn(groups, fit, budget)
            if leave_one_out:
                run.leave_one_out(groups, fit, time_limit * LEARNING_SHARE)
        run.tell(json)
        return 0

    learned = 1 + len(problems) if leave_one_out else 1
    return run_supervised(work, time_limit * learned, memory_limit, line)
