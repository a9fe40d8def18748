"""What the commands share: their common options, output, and running under limits."""

from __future__ import annotations

import json
import logging
import sys
from collections.abc import Callable, Mapping
from typing import Annotated, Any

import typer

from trailmark.errors import EngineError, ExitCode, MemoryLimitError, TimeLimitError, TrailmarkError
from trailmark.supervision import Ending, supervise

Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Print nothing but results and errors.")]
Verbose = Annotated[bool, typer.Option("--verbose", "-v", help="Log what is being done on stderr.")]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object on stdout.")]


def set_up_logging(quiet: bool, verbose: bool) -> None:
    level = logging.DEBUG if verbose else logging.ERROR if quiet else logging.WARNING
    logging.basicConfig(level=level, stream=sys.stderr, format="trailmark: %(message)s", force=True)


def print_json(document: Mapping[str, Any]) -> None:
    """Exactly one object on stdout."""
    print(json.dumps(document, indent=2, allow_nan=False))


def run_supervised(
    work: Callable[[], int], seconds: float | None = None, megabytes: float | None = None
) -> int:
    """Runs a command's work in a watched child process; its error lines come from the child."""
    outcome = supervise(lambda: _reported(work), seconds, megabytes)
    if outcome.ending is Ending.EXITED:
        return outcome.exit_code
    if outcome.ending is Ending.TIME_LIMIT:
        raise TimeLimitError(f"the time limit of {seconds:g} s was reached")
    if outcome.ending is Ending.MEMORY_LIMIT:
        raise MemoryLimitError(f"the memory limit of {megabytes:g} MB was reached")
    if outcome.ending is Ending.INTERRUPTED:
        print("trailmark: interrupted", file=sys.stderr)
        return outcome.exit_code
    raise EngineError(
        f"the planning engine crashed (signal {outcome.exit_code})",
        hint="the input may be one it cannot handle; please report it",
    )


def _reported(work: Callable[[], int]) -> int:
    """The exit code of the work, with its error printed as one line."""
    try:
        return work()
    except TrailmarkError as problem:
        print(f"trailmark: {problem}", file=sys.stderr)
        return int(problem.exit_code)
    except MemoryError:
        print("trailmark: out of memory", file=sys.stderr)
        return int(ExitCode.MEMORY_LIMIT)
    except Exception as problem:
        logging.getLogger(__name__).debug("traceback", exc_info=True)
        what = f"{type(problem).__name__}: {problem}"
        print(f"trailmark: internal error: {what} (--verbose shows more)", file=sys.stderr)
        return int(ExitCode.INTERNAL)
