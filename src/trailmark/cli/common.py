"""What the commands share: their common options, output, and running under limits."""

from __future__ import annotations

import json
import logging
import os
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

from typer import Argument, Option, echo

from trailmark.cli.progress import CLEAR, Answer, KeptAnswer, ProgressLine, print_line
from trailmark.errors import (
    EngineError,
    ExitCode,
    InputError,
    MemoryLimitError,
    SearchStatus,
    TimeLimitError,
    TrailmarkError,
)
from trailmark.files import PLANNER_FOLDERS, remove_scratch_folders, write_text
from trailmark.supervision import Ending, supervise

if TYPE_CHECKING:
    from trailmark.api import LearnedModel
    from trailmark.models.model import Expectation
    from trailmark.task import Domain, Task

_log = logging.getLogger(__name__)
Result = TypeVar("Result")

ModelArgument = Annotated[str, Argument(help="A model file, or a landmark graph in text.")]
DomainArgument = Annotated[Path, Argument(help="PDDL domain.")]
ProblemArgument = Annotated[Path, Argument(help="PDDL problem.")]
PlanArgument = Annotated[Path, Argument(help="Plan in Fast Downward's format.")]
OutputOption = Annotated[Path | None, Option("-o", "--output", help="Write to this file instead of stdout.")]
Quiet = Annotated[bool, Option("--quiet", "-q", help="Print nothing but results and errors.")]
Verbose = Annotated[bool, Option("--verbose", "-v", help="Log what is being done on stderr.")]
Json = Annotated[bool, Option("--json", help="Print one JSON object on stdout.")]


def set_up_logging(quiet: bool, verbose: bool) -> None:
    level = logging.DEBUG if verbose else logging.ERROR if quiet else logging.WARNING
    clear = CLEAR if sys.stderr.isatty() else ""
    logging.basicConfig(level=level, stream=sys.stderr, format=f"{clear}trailmark: %(message)s", force=True)


def staged(name: str, work: Callable[[], Result], found: Callable[[Result], str]) -> Result:
    """The result of a stage of a command, logged with its time and what was found."""
    started = time.monotonic()
    result = work()
    _log.info("%s: %.2f s, %s", name, time.monotonic() - started, found(result))
    return result


def read_model(argument: str, domain: Domain | Path | None, purpose: str) -> LearnedModel:
    """The model of a file or of a hand-written graph, checked against the domain."""
    from trailmark.api import load

    if argument == "none":
        raise InputError(f"'none' is no model {purpose}", hint="`trailmark learn -o` writes one")
    return staged(f"reading {argument}", lambda: load(argument, domain), repr)


def read_domain(path: Path) -> Domain:
    from trailmark.task import Domain

    return staged(
        f"reading {path}", lambda: Domain.load(path), lambda domain: f"actions {len(domain.model.actions)}"
    )


def read_task(domain: Domain, path: Path) -> Task:
    from trailmark.task import Task

    def size(task: Task) -> str:
        goals = len(task.goal.positive) + len(task.goal.negative)
        return f"objects {len(task.structure.objects)}, goals {goals}"

    return staged(f"reading {path}", lambda: Task.load(domain, path), size)


def one_of(value: str, known: Sequence[str]) -> None:
    """Raises where the user asked for a format that there is not."""
    if value not in known:
        raise InputError(f"unknown format '{value}'", hint=f"use one of {', '.join(known)}")


def expectation_text(expected: Expectation) -> str:
    """What a graph with loops expects of a task, in words."""
    passes = ", ".join(map(str, expected.passes))
    length = f", about {expected.length} steps" if expected.length is not None else ""
    return f"passes of the loops: {passes}{length}"


def json_text(document: Mapping[str, Any]) -> str:
    """One object as the commands print it."""
    return json.dumps(document, indent=2, allow_nan=False) + "\n"


def print_json(**document: Any) -> None:
    """Exactly one object on stdout."""
    print(json_text(document), end="")


def write_output(text: str, output: Path | None) -> None:
    """A command's result on stdout, or whole in the file the user named."""
    if output is None:
        echo(printable(text), nl=False)
    else:
        write_text(output, text)


def limit_text(status: str, seconds: float | None, megabytes: float | None) -> str:
    """How the end of a search is put: a limit always in the same words."""
    if status == "time limit" and seconds is not None:
        return f"the time limit of {seconds:g} s was reached"
    if status == "memory limit" and megabytes is not None:
        return f"the memory limit of {megabytes:g} MB was reached"
    return status


def run_supervised(
    work: Callable[[], int],
    seconds: float | None = None,
    megabytes: float | None = None,
    line: ProgressLine | None = None,
    hint: str | None = None,
) -> int:
    """Runs a command's work in a watched child process; its error lines come from the child. The line is
    drawn meanwhile; where a limit is reached it tells what the work was at, and the hint what to do."""
    shown = line or ProgressLine(quiet=True)
    try:
        outcome = supervise(
            lambda: _reported(work, seconds, megabytes, shown, hint),
            seconds,
            megabytes,
            meanwhile=shown.draw,
        )
    finally:
        shown.clear()
    if outcome.ending is Ending.EXITED:
        return outcome.exit_code
    remove_scratch_folders(PLANNER_FOLDERS)
    if reached := {Ending.TIME_LIMIT: TimeLimitError, Ending.MEMORY_LIMIT: MemoryLimitError}.get(
        outcome.ending
    ):
        raise reached(_reached(outcome.ending.value, seconds, megabytes, shown.said), hint=hint)
    if outcome.ending is Ending.INTERRUPTED:
        return tell(outcome.exit_code, "interrupted")
    raise EngineError(
        f"the planning engine crashed (signal {outcome.exit_code})",
        hint="the input may be one it cannot handle; please report it",
    )


LIMITS = {int(end.exit_code): end.value for end in (SearchStatus.TIME_LIMIT, SearchStatus.MEMORY_LIMIT)}
"""The status of work that a limit ended, by its exit code."""


def run_kept(
    work: Callable[[KeptAnswer], int], seconds: float | None, megabytes: float | None, line: ProgressLine
) -> tuple[int, Answer | None]:
    """The exit code of work that is run as above, and the last answer that it kept; reaching a limit is no
    error here."""
    with tempfile.TemporaryFile() as file:
        kept = KeptAnswer(file)
        try:
            code = run_supervised(lambda: work(kept), seconds, megabytes, line)
        except (TimeLimitError, MemoryLimitError) as reached:
            code = int(reached.exit_code)
        return code, kept.latest()


def _reported(
    work: Callable[[], int],
    seconds: float | None,
    megabytes: float | None,
    line: ProgressLine,
    hint: str | None,
) -> int:
    """The exit code of the work, with its error told; a limit in the same words as from outside."""
    try:
        code = work()
        sys.stdout.flush()
    except (TimeLimitError, MemoryLimitError) as reached:
        told = _reached(LIMITS[reached.exit_code], seconds, megabytes, line.take())
        return report(type(reached)(told, hint=reached.hint or hint))
    except Exception as problem:
        line.take()
        return report(problem)
    return code


def _reached(limit: str, seconds: float | None, megabytes: float | None, said: str) -> str:
    """Which limit, and what the work was at."""
    told = limit_text(limit, seconds, megabytes)
    return f"{told} at: {said}" if said else told


_as_json = False
"""Whether stdout gets errors too. Usage errors come before options are read, so this is no parameter."""


def tell_errors_as_json(wanted: bool) -> None:
    """Whether from now on an error is also one JSON object on stdout."""
    global _as_json
    _as_json = wanted


def report(problem: Exception) -> int:
    """Tells an error and returns its exit code."""
    if isinstance(problem, TrailmarkError):
        place = problem.place
        where = None if place is None else {"file": place.source, "line": place.line, "column": place.column}
        return tell(problem.exit_code, problem.message, str(problem), where, problem.hint)
    if isinstance(problem, MemoryError):
        return tell(ExitCode.MEMORY_LIMIT, "out of memory")
    if isinstance(problem, BrokenPipeError):
        # The reader of our output has gone: nobody is to tell.
        close_stdout()
        return int(ExitCode.DONE)
    if isinstance(problem, OSError):
        target = f" to {problem.filename}" if problem.filename else ""
        code = tell(
            ExitCode.BAD_INPUT, f"the output cannot be written{target}: {problem.strerror or problem}"
        )
        close_stdout()
        return code
    _log.debug("traceback", exc_info=problem)
    message, hint = f"internal error: {type(problem).__name__}: {problem}", "--verbose shows more"
    return tell(ExitCode.INTERNAL, message, f"{message} ({hint})", hint=hint)


def tell(
    code: int,
    message: str,
    line: str | None = None,
    place: Mapping[str, Any] | None = None,
    hint: str | None = None,
) -> int:
    """Prints an error as one line on stderr, as one object on stdout where that is wanted, and returns its
    exit code."""
    print_error(line or message)
    if _as_json:
        with suppress(OSError):
            print_json(status="error", code=int(code), message=message, place=place, hint=hint)
            sys.stdout.flush()
    return int(code)


def close_stdout() -> None:
    """Leaves Python nothing to complain about when it closes stdout at its end."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def print_error(message: str) -> None:
    """One line on stderr, also where a file's name or the input has control characters."""
    print_line(f"trailmark: {printable(' '.join(message.split()))}")


def printable(text: str) -> str:
    """The text without the characters that command a terminal: names come from files."""
    return "".join(letter if letter.isprintable() or letter == "\n" else "?" for letter in text)
