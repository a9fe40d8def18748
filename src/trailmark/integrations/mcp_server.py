"""Trailmark as tools over the Model Context Protocol (the `mcp` extra).

Each tool is one command of `trailmark` in a process of its own: the limits and the JSON are the command
line's, and a crash of the engine ends that process and not the server. It ends with the server.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from trailmark import __version__
from trailmark.errors import MissingExtraError
from trailmark.processes import Watchdog

if TYPE_CHECKING:
    from mcp.server import MCPServer

DEFAULT_SECONDS = 60.0
INSTRUCTIONS = (
    "Learns landmarks from a few small, solvable PDDL problems of a domain that differ in size, and plans "
    "far larger ones with them. Arguments are paths of files. Every answer has a `status`; an error has "
    "`message`, `place` and `hint`, and a problem without a plan has `failure` with the next steps. Where a "
    "problem fails, learn again with a small one like it among the problems."
)


def run_command(name: str, arguments: Sequence[str], options: Sequence[str] = ()) -> dict[str, Any]:
    """The JSON object that `trailmark NAME` prints."""
    command = [sys.executable, "-m", "trailmark", name, "--json", *options, "--", *arguments]
    with (
        Watchdog() as watchdog,
        subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            start_new_session=True,
        ) as process,
    ):
        watchdog.watch(process.pid)
        printed, _ = process.communicate()
    found: dict[str, Any] = json.loads(printed)
    return found


def learn(
    domain: str,
    problems: list[str],
    output: str,
    plans: list[str] | None = None,
    validation: list[str] | None = None,
    time_limit: float = DEFAULT_SECONDS,
) -> dict[str, Any]:
    """Learn a model from PDDL problems of a domain and write it to the file `output`.

    `plans` are plan files for the problems, in their order; without them plans are searched for. `validation`
    are further problems, without plans, to try models on. `notes` advise on the training problems.
    """
    options = ["-o", output, "--time-limit", str(time_limit)]
    options += [word for plan in plans or () for word in ("--plan", plan)]
    options += [word for problem in validation or () for word in ("--validation", problem)]
    return run_command("learn", [domain, *problems], options)


def show(model: str) -> dict[str, Any]:
    """Tell what a model has learned, in words and as formulas."""
    return run_command("show", [model])


def plan(
    model: str,
    domain: str,
    problem: str,
    output: str,
    time_limit: float = DEFAULT_SECONDS,
    memory_limit: float | None = None,
) -> dict[str, Any]:
    """Solve a PDDL problem and write the validated plan to the file `output`.

    `model` is a model file, or `none` for search without one. Limits are in seconds and megabytes. Without a
    plan `failure` says how far the search came and what to do next.
    """
    options = ["-o", output, "--time-limit", str(time_limit)]
    options += [] if memory_limit is None else ["--memory-limit", str(memory_limit)]
    return run_command("plan", [model, domain, problem], options)


def explain(model: str, domain: str, problem: str, plan: str) -> dict[str, Any]:
    """Tell a plan by the landmarks of a model: which steps achieve what, and where it leaves the model."""
    return run_command("explain", [model, domain, problem, plan])


def validate(domain: str, problem: str, plan: str) -> dict[str, Any]:
    """Execute a plan step by step: whether it reaches the goal, or which step fails and why."""
    return run_command("validate", [domain, problem, plan])


def server() -> MCPServer:
    """The server with these tools; `run()` serves them on stdin and stdout."""
    try:
        from mcp.server import MCPServer
    except ImportError:
        raise MissingExtraError(
            "the SDK of the Model Context Protocol is not installed", hint="pip install 'trailmark[mcp]'"
        ) from None
    made: MCPServer = MCPServer(
        "trailmark", instructions=INSTRUCTIONS, version=__version__, log_level="ERROR"
    )
    for tool in (learn, show, plan, explain, validate):
        made.add_tool(tool)
    return made
