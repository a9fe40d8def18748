"""The command line: one module a command."""

from trailmark.cli.main import main

__all__ = ["main"]
