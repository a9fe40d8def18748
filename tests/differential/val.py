"""Our validator against VAL's, the one of the planning competitions, where it is built.

The program is what the environment variable VAL names, or `Validate` (or `validate`) on the path.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path
from random import Random

from tests.differential.comparison import Comparison
from tests.differential.random_strips import random_strips
from tests.differential.tasks import TaskText, random_rich_tasks, rich_tasks, tiny_task, training_tasks
from tests.differential.validators import SECONDS, Answer, Unsupported, compare_plans, own
from tests.task.places import BENCHMARKS
from trailmark.task import parse_plan

WIDE = BENCHMARKS.with_name(f"{BENCHMARKS.name}-wide")
TRIES = 4
"""VAL's parser now and then fails on a file that it reads at the next try."""
RANDOM_ADL, RANDOM_STRIPS, TINY = 400, 150, 150
"""Tasks that are drawn, besides the files."""

INVALID = ("Plan invalid", "Plan failed to execute", "Goal not satisfied", "Bad operator in plan")
NOT_READ = "VAL does not read the task"
PLAN_NOT_READ = "VAL does not read the plan"
UNREAD = ("Problem in domain definition", "Parser failed to read file", "Error in type-checking")
_VALUE = re.compile(r"^Value: (\S+)", re.MULTILINE)


def compare(seed: int, count: int, save: Path | None) -> list[Comparison]:
    chance = Random(seed)
    found = Comparison("val", "VAL", save)
    if program() is None:
        found.skip("VAL is not built", count)
    else:
        compare_plans([(found, val)], list(_tasks(chance)), count, chance)
    return [found]


def _tasks(chance: Random) -> Iterator[TaskText]:
    yield from (*training_tasks(), *rich_tasks(), *_further())
    yield from islice(random_rich_tasks(chance), RANDOM_ADL)
    for number in range(RANDOM_STRIPS):
        yield random_strips(chance, costs=bool(number % 2))
    for _ in range(TINY):
        yield tiny_task(chance)


def _further() -> Iterator[TaskText]:
    """Training tasks of the further domains, where they are there."""
    for problem in sorted(WIDE.glob("*/train/*.pddl")):
        folder = problem.parents[1]
        domain = (folder / "domain.pddl").read_text(encoding="utf-8")
        yield TaskText(f"{folder.name} {problem.stem}", domain, problem.read_text(encoding="utf-8"))


def program() -> str | None:
    return os.environ.get("VAL") or shutil.which("Validate") or shutil.which("validate")


def val(text: TaskText, texts: list[str]) -> list[Answer | str]:
    known = program()
    if known is None:
        raise Unsupported("VAL is not built")
    with tempfile.TemporaryDirectory(prefix="differential-") as name:
        folder = Path(name)
        domain, problem = spelled_out(text).write(folder)
        answers: list[Answer | str] = []
        for plan in texts:
            if _miscounts(text, plan):
                answers.append("VAL does not count arguments")
                continue
            (folder / "plan").write_text(plan, encoding="utf-8")
            answers.append(_answer([known, str(domain), str(problem), str(folder / "plan")]))
            if answers == [NOT_READ]:
                raise Unsupported(NOT_READ)
    return _judged(text, texts, answers)


def _judged(text: TaskText, texts: list[str], answers: list[Answer | str]) -> list[Answer | str]:
    """VAL says one thing of a step that does not fit its action and of one that it cannot read. Where it
    reads all plans of the task that are valid, it means the first."""
    unread = [plan for plan, answer in zip(texts, answers, strict=True) if answer == PLAN_NOT_READ]
    if any(own(text, plan)[0] for plan in unread):
        return answers
    return [(False, None) if answer == PLAN_NOT_READ else answer for answer in answers]


def _miscounts(text: TaskText, plan: str) -> bool:
    """Whether a step has too few or too many arguments: VAL crashes on the first and overlooks the second."""
    arities = {each.name: len(each.parameters) for each in text.task.domain.model.actions}
    steps = parse_plan(plan).steps
    return any(arities.get(each.action, len(each.arguments)) != len(each.arguments) for each in steps)


_DECLARATIONS = re.compile(
    r"\(:(?:predicates|functions)\b.*?(?=\(:)|\((?:forall|exists)\s*\([^()]*\)|\(:derived\s*\([^()]*\)"
    r"|:parameters\s*\([^()]*\)",
    re.DOTALL,
)
_UNTYPED = re.compile(r"\(([^()]*?)((?:\s*\?[^\s()]+)+)\s*\)")
_NO_PARAMETERS = re.compile(r"(\(:action\s+[^\s()]+)(?=\s+:(?:precondition|effect))")


def spelled_out(text: TaskText) -> TaskText:
    """The same task as VAL reads it right: it wants a type at every variable of a domain with types, and
    `:parameters` in every action."""
    domain, problem = text.domain, text.problem
    if "(:types" in domain:
        domain, problem = (
            _DECLARATIONS.sub(lambda found: _UNTYPED.sub(r"(\1\2 - object)", found[0]), each)
            for each in (domain, problem)
        )
    domain = _NO_PARAMETERS.sub(r"\1 :parameters ()", domain)
    return replace(text, domain=_not_strict(domain), problem=_not_strict(problem))


def _not_strict(text: str) -> str:
    """Strict comparisons as the negation of the opposite: VAL takes 2 < 2 for true."""
    for strict, opposite in (("<", ">="), (">", "<=")):
        while found := re.search(rf"\({strict}\s", text):
            depth, end = 1, found.end()
            while depth:
                depth += {"(": 1, ")": -1}.get(text[end], 0)
                end += 1
            text = f"{text[: found.start()]}(not ({opposite} {text[found.end() : end]}){text[end:]}"
    return text


def _answer(command: list[str]) -> Answer | str:
    """Its verdict, with the value of the metric, or why there is none."""
    reason = ""
    for _ in range(TRIES):
        done = subprocess.run(
            command, capture_output=True, text=True, errors="replace", timeout=SECONDS, check=False
        )
        said = done.stdout + done.stderr
        if "Plan valid" in said:
            value = _VALUE.search(said)
            return True, float(value[1]) if value else None
        mistyped = "Checking plan" in said and "Error in type-checking" in said
        if mistyped or any(each in said for each in INVALID):
            return False, None
        if done.returncode < 0:
            return "VAL crashed"
        if any(each in said for each in UNREAD) and "Checking plan" not in said:
            reason = NOT_READ
        else:
            reason = PLAN_NOT_READ
    return reason
