"""Costs of cheapest plans: our A* with no estimate and with h_max against Fast Downward's."""

from __future__ import annotations

import math
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from random import Random

from tests.differential.comparison import Comparison
from tests.differential.random_strips import random_strips
from tests.differential.tasks import TaskText, random_rich_tasks, tiny_task
from trailmark.errors import SearchStatus
from trailmark.limits import Budget
from trailmark.search.fast_downward import driver, is_installed
from trailmark.search.planner import PlannerOptions, plan
from trailmark.task import Plan, validate

SECONDS = 60.0
MOST_STATES = 6000
"""Larger tasks are left out: expanding all of their states takes too long in Python."""
HEURISTICS = {"none": "blind()", "hmax": "hmax()"}
"""Our names and those of Fast Downward."""
RICH = "rich"
KINDS = ("tiny", "strips", "costs", "costs", RICH)
UNSOLVABLE = (10, 11, 12)
"""Exit codes of Fast Downward for a task whose states are all seen, or whose goal the translator refutes."""

Cost = float | None
"""Of a cheapest plan; None where there is none."""


class NoAnswer(Exception):
    """Why a program does not solve a task."""


def compare(seed: int, count: int, save: Path | None) -> list[Comparison]:
    """So many tasks: instances of the 21 domains, random STRIPS with and without costs, random ADL."""
    chance = Random(seed)
    found = [Comparison("optimal", f"FD {theirs}", save) for theirs in HEURISTICS.values()]
    if not is_installed():
        for comparison in found:
            comparison.skip("Fast Downward is not installed", count)
        return found
    rich = random_rich_tasks(chance, numeric=False)
    for number in range(count):
        kind = KINDS[number % len(KINDS)]
        if kind == "tiny":
            text = tiny_task(chance)
        else:
            text = next(rich) if kind == RICH else random_strips(chance, costs=kind == "costs")
        _compare_task(found, text, rich=kind == RICH)
    return found


def _compare_task(found: list[Comparison], text: TaskText, *, rich: bool) -> None:
    with tempfile.TemporaryDirectory(prefix="differential-") as name:
        folder = Path(name)
        try:
            solvable = _translated(text, folder)
            _require_few_states(text)
        except NoAnswer as problem:
            for comparison in found:
                comparison.skip(str(problem))
            return
        # Beyond STRIPS its h_max is no lower bound, so that ours is compared with its blind search.
        reference = "blind()" if rich else None
        for comparison, (ours, theirs) in zip(found, HEURISTICS.items(), strict=True):
            try:
                other = _fast_downward(folder, reference or theirs) if solvable else None
                own = own_cost(text, ours)
            except NoAnswer as problem:
                comparison.skip(str(problem))
                continue
            told = f"{text.name}: ours {own}, Fast Downward with {theirs} {other}\n"
            comparison.record(_same(own, other), {**text.files, "costs.txt": told})
            comparison.notes["unsolvable" if own is None else "solved"] += 1


def _same(own: Cost, other: Cost) -> bool:
    if own is None or other is None:
        return own is other
    return math.isclose(own, other)


def _require_few_states(text: TaskText) -> None:
    seen = {text.task.initial_state}
    waiting = [text.task.initial_state]
    while waiting:
        for _, reached, _ in text.task.successors(waiting.pop()):
            if reached not in seen:
                seen.add(reached)
                waiting.append(reached)
        if len(seen) > MOST_STATES:
            raise NoAnswer("too many states")


def own_cost(text: TaskText, heuristic: str) -> Cost:
    """By the planner as `trailmark plan none --search astar` uses it; its plan is validated here too."""
    options = PlannerOptions(search="astar", heuristic=heuristic)
    result = plan(text.task, None, options, Budget(SECONDS))
    if result.status is SearchStatus.UNSOLVABLE:
        return None
    if result.steps is None:
        raise NoAnswer(f"our A*: {result.status.value}")
    verdict = validate(text.task, Plan(result.steps))
    if not verdict or verdict.cost != result.cost:
        return math.nan
    return result.cost


def _translated(text: TaskText, folder: Path) -> bool:
    """Translates the task in the folder; false where the translator refutes its goal."""
    if ":metric" in text.problem and "(:metric minimize (total-cost))" not in text.problem:
        raise NoAnswer("Fast Downward minimizes total-cost alone")
    text.write(folder)
    done = _run(["--translate", "domain.pddl", "problem.pddl"], folder)
    if done.returncode in UNSOLVABLE:
        return False
    if done.returncode:
        raise NoAnswer("not read by Fast Downward")
    return True


def _fast_downward(folder: Path, heuristic: str) -> Cost:
    done = _run(["output.sas", "--search", f"astar({heuristic})"], folder)
    if done.returncode in UNSOLVABLE:
        return None
    cost = re.search(r"Plan cost: (\d+)", done.stdout)
    if done.returncode or cost is None:
        raise NoAnswer(f"Fast Downward: exit code {done.returncode}")
    return float(cost[1])


def _run(arguments: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, driver(), *arguments],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=SECONDS,
        check=False,
    )
