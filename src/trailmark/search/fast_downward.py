"""Fast Downward from the `fd` extra as a search: a subprocess under the limits of ours.

It reads what the user wrote, as it would alone. Where it ends without a plan of that, and for tasks that were
not read from a text, it reads what the engine reads, in which everything has a name of our own: it then takes
whatever we take. A run ends, with its files, when it is closed, and also where this process is killed.
"""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
import time
from contextlib import ExitStack, suppress
from dataclasses import replace
from pathlib import Path

from trailmark.errors import InputError, MissingExtraError, SearchStatus
from trailmark.files import PLANNER_FOLDERS, scratch_folder
from trailmark.limits import UNLIMITED, Budget
from trailmark.processes import Watchdog, kill_tree
from trailmark.search.result import PlannerOptions, SearchResult, Statistics
from trailmark.task import Plan, Step, Task, parse_plan, validate
from trailmark.task.canonical import original_step
from trailmark.task.model import TOTAL_COST, Assign, Comparison, FunctionTerm
from trailmark.task.walks import parts_of

LAMA_FIRST = "lama-first"
"""The driver's name for the first, greedy search of LAMA."""
LAMA = "lama"
"""All its searches, which go on to cheaper plans."""

_PLAN_FOUND = (0, 1, 2, 3)
"""Exit codes with which the driver reports a plan, also where a limit stopped an anytime search."""

_ENDINGS = {
    10: SearchStatus.UNSOLVABLE,
    11: SearchStatus.UNSOLVABLE,
    20: SearchStatus.MEMORY_LIMIT,
    22: SearchStatus.MEMORY_LIMIT,
}
"""Other exit codes of the driver. What it cannot read, or gives up, is left to another search."""

_WITHOUT_PLAN = (10, 11, 12, 30, 31)
"""Exit codes where it might have misread what the user wrote: no plan exists or is found, bad input."""

TRANSLATION_SHARE = 0.6
"""The share of its time after which a run behind leaping makes way for that again, where it is still
translating the task: what is left would hardly be enough for the search."""

POLL_SECONDS = 0.01
"""How often a run that is waited for is looked at."""
BESIDE_AFTER_S = 0.5
"""So long leaping runs alone, which solves most tasks, where Fast Downward has a core of its own."""


def is_installed() -> bool:
    return importlib.util.find_spec("up_fast_downward") is not None


def driver() -> str:
    """The path of Fast Downward's driver script."""
    found = importlib.util.find_spec("up_fast_downward")
    if found is None or not found.submodule_search_locations:
        raise MissingExtraError(
            "Fast Downward is not installed", hint="install it with: pip install 'trailmark[fd]'"
        )
    return str(Path(found.submodule_search_locations[0], "downward", "fast-downward.py"))


def reads(task: Task) -> bool:
    """Whether Fast Downward can read the task: it has no numbers but the total cost."""
    cost = FunctionTerm(TOTAL_COST, ())
    return task.model.minimize in (None, cost) and not any(
        isinstance(part, Comparison) or (isinstance(part, Assign) and part.target != cost)
        for part in parts_of(task.domain.model, task.model)
    )


def fast_downward(task: Task, budget: Budget, search: str = LAMA_FIRST) -> SearchResult:
    """What Fast Downward finds within the budget, by an alias or a search like `astar(lmcut())`."""
    with FastDownwardRun(task, search, budget.megabytes) as run:
        return run.result(budget)


class FastDownwardRun:
    """A run that begins when it is opened, and is over when it is closed, with all it has left."""

    def __init__(self, task: Task, search: str = LAMA_FIRST, megabytes: float | None = None) -> None:
        self._task = task
        self._search = search
        self._megabytes = megabytes
        self._own_names = task.text is None or task.domain.text is None
        """Whether it reads the task in names of our own, and not as the user wrote it."""
        self._open = ExitStack()

    def __enter__(self) -> FastDownwardRun:
        self._begin()
        return self

    def _begin(self) -> None:
        script = driver()
        with ExitStack() as opening:
            self._folder = opening.enter_context(scratch_folder(PLANNER_FOLDERS))
            for name, text in zip(("domain.pddl", "problem.pddl"), self._texts(), strict=True):
                (self._folder / name).write_text(text, encoding="utf-8")
            watchdog = opening.enter_context(Watchdog(self._folder))
            command = [sys.executable, script, "--plan-file", "plan"]
            if self._megabytes is not None:
                command += ["--overall-memory-limit", f"{int(self._megabytes)}M"]
            files = ["domain.pddl", "problem.pddl"]
            is_alias = "(" not in self._search
            command += ["--alias", self._search, *files] if is_alias else [*files, "--search", self._search]
            output = opening.enter_context((self._folder / "output").open("wb"))
            self._process = subprocess.Popen(
                command,
                cwd=self._folder,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
            opening.callback(self._end)
            watchdog.watch(self._process.pid)
            self._open = opening.pop_all()

    def _texts(self) -> tuple[str, str]:
        domain, problem = self._task.domain.text, self._task.text
        if self._own_names or domain is None or problem is None:
            return self._task.engine_texts
        return domain, problem

    def __exit__(self, *_: object) -> None:
        self._open.close()

    def _end(self) -> None:
        kill_tree(self._process.pid)
        self._process.wait()

    def finished(self) -> bool:
        """Whether it has ended. It begins anew, with names of our own, where the user's gave no plan."""
        code = self._process.poll()
        if code in _WITHOUT_PLAN and not self._own_names:
            self._open.close()
            self._own_names = True
            self._begin()
            return False
        return code is not None

    def result(self, budget: Budget, translation: Budget = UNLIMITED) -> SearchResult:
        """What came of it, waited for as long as the budget lasts, and only as long as the one for
        translating where the search has not begun by then."""
        while not self.finished() and not budget.expired():
            if translation.expired() and not (self._folder / "output.sas").exists():
                break
            time.sleep(min(POLL_SECONDS, max(budget.remaining(), 0.0)))
        code = self._process.poll()
        if code is None:
            self._end()
        statistics = _counts((self._folder / "output").read_text(errors="replace"))
        steps = self._steps() if code is None or code in _PLAN_FOUND else None
        if steps is not None and validate(self._task, Plan(steps)):
            return SearchResult(SearchStatus.SOLVED, steps, None, statistics)
        if code is None:
            return SearchResult(SearchStatus.TIME_LIMIT, statistics=statistics)
        return SearchResult(_ENDINGS.get(code, SearchStatus.NO_PLAN_FOUND), statistics=statistics)

    def _steps(self) -> tuple[Step, ...] | None:
        """The last, best plan, in the task's own names."""
        for path in reversed(written_plans(self._folder)):
            with suppress(InputError):
                steps = parse_plan(path.read_text(), str(path)).steps
                if not self._own_names:
                    return tuple(steps)
                domain, problem = self._task.searched
                return tuple(original_step(domain, problem, step) for step in steps)
        return None


def written_plans(folder: Path) -> list[Path]:
    """The plan files of a run, the last and best at the end; files of one moment by their numbers."""

    def order(path: Path) -> tuple[int, int, str]:
        return path.stat().st_mtime_ns, len(path.name), path.name

    return sorted(folder.glob("plan*"), key=order)


def _counts(output: str) -> Statistics:
    found = dict(re.findall(r"(Expanded|Generated|Evaluated) (\d+) state", output))
    return Statistics(
        expanded=int(found.get("Expanded", 0)),
        generated=int(found.get("Generated", 0)),
        evaluated=int(found.get("Evaluated", 0)),
    )


def companion(task: Task, graph: object | None, options: PlannerOptions, budget: Budget) -> Companion | None:
    """Fast Downward as the complete search of `auto`, where it is asked for or installed."""
    if options.search != "auto" or options.heuristic is not None or options.complete == "lazy":
        return None
    if not (options.fallback or graph is None) or not reads(task):
        return None
    if options.complete == "auto" and not is_installed():
        return None
    driver()
    return Companion(task, budget, leaping=graph is not None, beside=options.jobs > 1, delay=BESIDE_AFTER_S)


class Companion:
    """Fast Downward behind another search: beside it, once that has taken a while, where there is a core
    for it, and else after it."""

    def __init__(self, task: Task, budget: Budget, *, leaping: bool, beside: bool, delay: float) -> None:
        self._task = task
        self._megabytes = budget.megabytes
        self.beside = beside
        self.leads_back = leaping and not beside
        """Whether leaping goes on where this one ends without a plan, or comes to no search."""
        self._begin = time.monotonic() + delay if beside else float("inf")
        self._open = ExitStack()
        self._run: FastDownwardRun | None = None

    def __enter__(self) -> Companion:
        return self

    def __exit__(self, *_: object) -> None:
        self._open.close()

    def ready(self) -> bool:
        """Whether it has ended, with a plan or without. Begins where it is time to."""
        if self._run is None and time.monotonic() >= self._begin:
            self._start()
        return self._run is not None and self._run.finished()

    def search(self, budget: Budget) -> SearchResult:
        """What it finds, waited for as long as the budget lasts. The next search may do with less memory."""
        share = TRANSLATION_SHARE if self.leads_back else 1.0
        run = self._run or self._start()
        result = run.result(budget, budget.part(budget.remaining() * share))
        if result.status is SearchStatus.MEMORY_LIMIT:
            return replace(result, status=SearchStatus.NO_PLAN_FOUND)
        return result

    def _start(self) -> FastDownwardRun:
        self._run = self._open.enter_context(FastDownwardRun(self._task, megabytes=self._megabytes))
        return self._run
