"""Our validator against Unified Planning's and pymimir's replay."""

from __future__ import annotations

import importlib.util
import json
import math
import os
import re
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from random import Random

from tests.differential.comparison import Comparison
from tests.differential.mutations import Steps
from tests.differential.plans import plans
from tests.differential.tasks import TaskText, random_rich_tasks, rich_tasks, training_tasks
from trailmark.task import parse_plan, plan_text, validate
from trailmark.task.model import TOTAL_COST, FunctionTerm

Answer = tuple[bool, float | None]
"""Whether a plan is valid and, where the program tells it, its cost."""
Judge = Callable[[TaskText, list[str]], Sequence[Answer | str]]
"""The answers to several plans of one task, or why there is none to a plan; raises `Unsupported` where it
cannot handle the task."""

SECONDS = 120
UNARY_MINUS = re.compile(r"\(-\s+(\([^()]*\)|[^\s()]+)\s*\)")
LEAST_A_TASK = 10
"""So many plans of a task, or reading it takes longer than all comparisons."""
RANDOM_SHARE = 2
"""A random task beyond STRIPS for every so many others."""


class Unsupported(Exception):
    """Why a program has nothing to say on a task."""


def compare(seed: int, count: int, save: Path | None) -> list[Comparison]:
    chance = Random(seed)
    judges: dict[str, Judge] = {"Unified Planning": unified_planning, "pymimir": pymimir}
    found = [Comparison("validators", name, save) for name in judges]
    compare_plans(list(zip(found, judges.values(), strict=True)), list(_tasks(chance)), count, chance)
    return found


def compare_plans(
    judges: Sequence[tuple[Comparison, Judge]], tasks: list[TaskText], count: int, chance: Random
) -> None:
    """About `count` plans, spread over all tasks."""
    each_task = max(LEAST_A_TASK, math.ceil(count / len(tasks)))
    done = 0
    chance.shuffle(tasks)
    for text in tasks:
        cases = plans(text, min(each_task, count - done), chance)
        texts = [plan_text(steps) for _, steps in cases]
        ours = [own(text, plan) for plan in texts]
        done += len(cases)
        for comparison, judge in judges:
            _compare_task(comparison, judge, text, cases, texts, ours)
        if done >= count:
            break


def _tasks(chance: Random) -> Iterator[TaskText]:
    fixed = [*training_tasks(), *rich_tasks()]
    yield from fixed
    yield from islice(random_rich_tasks(chance), len(fixed) // RANDOM_SHARE)


def _compare_task(
    comparison: Comparison,
    judge: Judge,
    text: TaskText,
    cases: list[tuple[str, Steps]],
    texts: list[str],
    ours: list[Answer],
) -> None:
    try:
        theirs = judge(text, texts)
    except Unsupported as reason:
        comparison.skip(str(reason), len(cases))
        return
    for (kind, _), plan, own_answer, answer in zip(cases, texts, ours, theirs, strict=True):
        if isinstance(answer, str):
            comparison.skip(answer)
            continue
        files = {
            **text.files,
            "plan": plan,
            "verdicts.txt": f"{text.name}, {kind}: ours {own_answer}, {comparison.against} {answer}\n",
        }
        comparison.record(_same(own_answer, answer), files)
        comparison.notes["valid" if own_answer[0] else "broken"] += 1


def _same(ours: Answer, theirs: Answer) -> bool:
    if ours[0] != theirs[0]:
        return False
    told = ours[0] and theirs[1] is not None and ours[1] is not None
    return not told or math.isclose(ours[1] or 0.0, theirs[1] or 0.0, abs_tol=1e-6)


def own(text: TaskText, plan: str) -> Answer:
    verdict = validate(text.task, parse_plan(plan))
    return bool(verdict), verdict.cost


def unified_planning(text: TaskText, texts: list[str]) -> list[Answer]:
    """Unified Planning's sequential validator on what its own reader reads."""
    if importlib.util.find_spec("unified_planning") is None:
        raise Unsupported("Unified Planning is not installed")
    from unified_planning.engines import SequentialPlanValidator, ValidationResultStatus
    from unified_planning.exceptions import UPException
    from unified_planning.io import PDDLReader
    from unified_planning.shortcuts import get_environment

    environment = get_environment()
    environment.credits_stream = None
    # PDDL allows an object and a predicate of one name.
    environment.error_used_name = False
    reader, validator = PDDLReader(), SequentialPlanValidator()
    # It asks for numbers that no action reads to be there, which does not change its answers.
    validator.skip_checks = True

    # Its reader takes an object for a predicate of the same name; a predicate follows a parenthesis.
    predicates = {each.name for each in text.task.domain.model.predicates}
    clashes = "|".join(map(re.escape, sorted(predicates & text.task.object_types.keys())))

    def renamed(pddl: str) -> str:
        return re.sub(rf"(?<=\s)({clashes})(?=[\s)])", r"\1-object", pddl) if clashes else pddl

    def judge(plan: str) -> Answer:
        try:
            steps = reader.parse_plan_string(problem, plan)
        except (UPException, AssertionError):
            return False, None
        result = validator.validate(problem, steps)
        cost = (
            None if not result.metric_evaluations else float(next(iter(result.metric_evaluations.values())))
        )
        return result.status is ValidationResultStatus.VALID, cost

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            problem = reader.parse_problem_string(text.domain, renamed(text.problem))
        except Exception:
            # Its reader has errors of many kinds for what it does not know.
            raise Unsupported("not read by Unified Planning") from None
        try:
            return [judge(renamed(plan)) for plan in texts]
        except (UPException, NotImplementedError, AssertionError) as reason:
            raise Unsupported(f"Unified Planning: {type(reason).__name__}") from None


def pymimir(text: TaskText, texts: list[str]) -> list[Answer]:
    """pymimir's states and actions, from the files as they are."""
    if UNARY_MINUS.search(text.domain + text.problem):
        raise Unsupported("pymimir misreads a minus of one number")
    steps = [[[each.action, *each.arguments] for each in parse_plan(plan).steps] for plan in texts]
    with tempfile.TemporaryDirectory(prefix="differential-") as folder:
        files = text.write(Path(folder))
        done = subprocess.run(
            [sys.executable, "-m", "tests.differential.replay", *map(str, files)],
            input=json.dumps(steps),
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=False,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        )
    if done.returncode:
        raise Unsupported("not read by pymimir" if done.returncode > 0 else "pymimir crashed on it")
    # It starts every other metric at 0, whatever the initial state says.
    summed = text.task.model.minimize == FunctionTerm(TOTAL_COST, ())
    return [(valid, cost if summed else None) for valid, cost in json.loads(done.stdout)]
