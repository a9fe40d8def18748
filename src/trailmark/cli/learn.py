"""`trailmark learn`: a landmark graph from a few solved instances."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from typer import Argument, Option, echo

from trailmark.cli.common import (
    DomainArgument,
    Json,
    Quiet,
    Verbose,
    print_json,
    run_supervised,
    set_up_logging,
)
from trailmark.cli.progress import ProgressLine, print_line
from trailmark.errors import NoGraphError
from trailmark.files import check_writable, read_text
from trailmark.limits import LEARN_SECONDS, Budget

if TYPE_CHECKING:
    from trailmark.api import LearnedModel
    from trailmark.learning.sources import SourcedPlan
    from trailmark.learning.training import TrainingInstance

LEARNING_SHARE = 0.9
"""The share of the time limit after which learning ends with what it has; the rest is for writing it
down, also on a busy machine."""


def command(
    domain: DomainArgument,
    problems: Annotated[list[Path], Argument(help="Training problems.")],
    output: Path = Option(..., "-o", "--output", help="The model file to write."),
    plan: list[Path] | None = Option(None, help="A plan file for each problem, in their order."),
    plans_from: str | None = Option(
        None,
        help="Where plans come from: auto, embedded, fast-downward (LAMA-first), fast-downward:SEARCH, "
        "files (beside the problems), up:ENGINE.  [default: auto, or files with --plan]",
    ),
    method: str = Option("auto", help="auto, paper, chain or counter."),
    solver: str = Option("exact", help="exact or asp."),
    config: str | None = Option(None, help="The paper's pool configuration, b1 to b5."),
    complexity: int | None = Option(None, min=1, help="The largest complexity of a feature."),
    feature_limit: int | None = Option(None, min=1, help="The largest number of features."),
    limit_counts: str | None = Option(
        None,
        help="That number is of features, or of elements: concepts, roles and features.  "
        "[default: features; elements with --method paper]",
    ),
    pool_time: float | None = Option(None, help="Seconds for generating features."),
    grammar: str = Option("paper", help="paper or rich."),
    rules: str = Option("phi4", help="The paper's preprocessing, phi1 to phi4, or phi3-by-number."),
    counters_from: str | None = Option(
        None,
        help="Progressors and counters come from the whole pool, or from the reduced one that the rules "
        "leave.  [default: pool; reduced with --method paper]",
    ),
    loop_condition: str | None = Option(
        None, help="minimal or all.  [default: minimal; all with --method paper]"
    ),
    search_after: str = Option(
        "first", help="Search the landmark after a loop from its first or last occurrence."
    ),
    satisfied_loops: bool | None = Option(
        None,
        "--satisfied-loops/--violated-loops",
        help="Keep only loops with which all training plans satisfy the graph, or also others.  "
        "[default: also others; not with --method paper]",
    ),
    functions: Path | None = Option(None, help="A file with your own state functions."),
    functions_only: bool = Option(False, "--functions-only", help="Use your state functions alone."),
    split: bool = Option(
        False, "--split", help="Learn one model for each class of goals in the training set."
    ),
    validation: list[Path] | None = Option(None, help="A further problem, without a plan, to try graphs on."),
    leave_one_out: bool = Option(
        False,
        "--leave-one-out",
        help="Learn again without each problem, and say whether that solves it. The time limit is then "
        "for each model that is learned.",
    ),
    jobs: int = Option(1, min=1, help="Plans sought, and graphs tried, at the same time."),
    cluster: str | None = Option(None, help="The address of a Dask scheduler to do so on, instead."),
    time_limit: float = Option(LEARN_SECONDS, help="Seconds for everything."),
    memory_limit: float | None = Option(None, help="Megabytes."),
    seed: int = Option(0, help="For what is random."),
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
        from trailmark.discovery.functions import parse_functions
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
    return run_supervised(work, time_limit * learned, memory_limit, line, LIMIT_HINT)


LIMIT_HINT = "give more time or memory, or smaller problems; --verbose tells what each stage takes"

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
            print_json(**document, **left_out, notes=self.notes)
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
    echo(
        f"{landmarks} and {loops} from {len(records)} trajectories "
        f"in {learned.model.times['total_s']:.2f} s; {satisfied} of {len(records)} satisfy the graph"
    )
    for loop in learned.learner.loops_ if learned.learner else ():
        times = ", ".join(map(str, loop.accepted))
        echo(f"  loop {loop.source} → {loop.target}: landmark {loop.source} accepted {times} times")
    for record in records:
        if not record.satisfied:
            echo(f"  {record.problem}: {record.reason}")
    echo(f"model: {target}")
