"""`trailmark mcp`: the commands as tools for agents and editors."""

from __future__ import annotations

from trailmark.cli.common import Json, Quiet, Verbose, set_up_logging


def command(json: Json = False, quiet: Quiet = False, verbose: Verbose = False) -> int:
    """Serve learn, show, plan, explain and validate as tools of the Model Context Protocol (extra `mcp`).

    It speaks on stdin and stdout until these are closed; a client starts it. Exit code 0: closed; 2: the
    extra is not installed.

    Example: trailmark mcp
    """
    from trailmark.integrations.mcp_server import server

    set_up_logging(quiet, verbose)
    server().run()
    return 0
