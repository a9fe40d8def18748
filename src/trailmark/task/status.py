"""How a search ended, and the exit code that says so."""

from __future__ import annotations

from enum import Enum

from trailmark.errors import ExitCode


class SearchStatus(str, Enum):
    SOLVED = "solved"
    UNSOLVABLE = "unsolvable"
    """Proved: the whole state space was searched without pruning or commitment."""
    NO_PLAN_FOUND = "no plan found"
    TIME_LIMIT = "time limit"
    MEMORY_LIMIT = "memory limit"

    @property
    def exit_code(self) -> ExitCode:
        return {
            SearchStatus.SOLVED: ExitCode.DONE,
            SearchStatus.UNSOLVABLE: ExitCode.UNSOLVABLE,
            SearchStatus.NO_PLAN_FOUND: ExitCode.NO_PLAN_FOUND,
            SearchStatus.TIME_LIMIT: ExitCode.TIME_LIMIT,
            SearchStatus.MEMORY_LIMIT: ExitCode.MEMORY_LIMIT,
        }[self]
