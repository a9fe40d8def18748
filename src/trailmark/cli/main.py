"""The entry point: which commands there are, and how an error becomes one line and an exit code."""

from __future__ import annotations

import atexit
import os
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import NoReturn

import typer
from typer import Option

from trailmark import __version__
from trailmark.cli import bench, inspect, learn, plan, trying
from trailmark.cli.common import (
    Json,
    Quiet,
    Verbose,
    close_stdout,
    report,
    set_up_logging,
    tell,
    tell_errors_as_json,
)
from trailmark.errors import ExitCode

# The root of usage errors is click's; typer carries its own copy of click and exports one child of it.
_UsageProblem: type[Exception] = next(
    kind for kind in typer.BadParameter.__mro__ if kind.__name__ == "ClickException"
)

app = typer.Typer(
    name="trailmark",
    help="Learn generalized landmarks from a few solved instances and plan far larger ones with them.",
    invoke_without_command=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("learn")(learn.command)
app.command("plan")(plan.command)
app.command("try")(trying.command)
app.command("show")(inspect.show)
app.command("explain")(inspect.explain)
app.command("check")(inspect.check)
app.command("validate")(inspect.validate)
app.command("generate")(bench.generate)
app.command("domains")(bench.list_domains)
app.command("bench")(bench.command)


@app.command("mcp")
def mcp(json: Json = False, quiet: Quiet = False, verbose: Verbose = False) -> int:
    """Serve learn, show, plan, explain and validate as tools of the Model Context Protocol (extra `mcp`).

    It speaks on stdin and stdout until these are closed; a client starts it. Exit code 0: closed; 2: the
    extra is not installed.

    Example: trailmark mcp
    """
    from trailmark.integrations.mcp_server import server

    set_up_logging(quiet, verbose)
    server().run()
    return 0


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"trailmark {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    context: typer.Context,
    version: bool = Option(
        False, "--version", help="Print the version and exit.", is_eager=True, callback=_print_version
    ),
) -> None:
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs a command and returns its exit code; without arguments, as the process's whole work, it ends
    the process."""
    if arguments is not None:
        return _run(list(arguments))
    if sys.stdout is None:
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115 -- for as long as the process lives
    try:
        code = _run(None)
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    except KeyboardInterrupt:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        code = _interrupted()
    return _end(code)


def _end(code: int) -> NoReturn:
    """Ends this process without taking Python down first: that takes time, which a limit does not leave,
    and would answer Ctrl-C with a traceback."""
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError, AttributeError):
            stream.flush()
    os._exit(code)


def _run(arguments: list[str] | None) -> int:
    tell_errors_as_json("--json" in (sys.argv[1:] if arguments is None else arguments))
    if any("\0" in argument for argument in arguments or ()):
        return tell(ExitCode.BAD_INPUT, message := "an argument has a zero byte", message)
    try:
        code = app(args=arguments, standalone_mode=False)
        sys.stdout.flush()
        return int(code or 0)
    except _UsageProblem as problem:
        message, hint = _usage_message(problem), "see 'trailmark --help'"
        return tell(ExitCode.BAD_INPUT, message, f"{message} ({hint})", hint=hint)
    except typer.Exit as ending:
        return int(ending.exit_code)
    except (KeyboardInterrupt, typer.Abort):
        return _interrupted()
    except SystemExit:
        # So typer answers a reader that has gone, and ends after shell completion.
        close_stdout()
        return int(ExitCode.DONE)
    except Exception as problem:
        return report(problem)


def _interrupted() -> int:
    return tell(ExitCode.INTERRUPTED, "interrupted")


def _usage_message(problem: Exception) -> str:
    """What is wrong with the arguments; a missing one has its message only when asked to format it."""
    message: str = problem.format_message() if hasattr(problem, "format_message") else str(problem)
    return message.rstrip(".")
