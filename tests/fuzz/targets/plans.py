"""The plan reader, and plans against a task."""

from __future__ import annotations

from random import Random

from tests.fuzz.checks import as_file, outcome, same
from tests.fuzz.targets.examples import task
from trailmark.task import Plan, check_names, parse_plan, plan_text, read_plan, validate

WORDS = (
    "(", ")", ";", "; cost = 4 (unit cost)", "0: ", "0.001: ", "(move t1 c1 c2)", "move", "pick", "drop",
    "\n",
    "[1]", "1e3:",
)  # fmt: skip


def one(data: bytes) -> str:
    path = as_file(data)
    return outcome(lambda: _read(read_plan(path)))


def _read(plan: Plan) -> None:
    same(parse_plan(plan_text(plan.steps)), plan, "plan to text and back")
    check_names(task(), plan, "input")
    validate(task(), plan)


def seeds() -> list[bytes]:
    chance = Random(0)
    return [make(chance) for _ in range(5)]


def make(chance: Random) -> bytes:
    """Steps of the task's own actions and objects, applicable or not."""
    objects = list(task().object_types)
    lines = []
    for _ in range(chance.randint(0, 6)):
        schema = chance.choice(task().domain.model.actions)
        lines.append(f"({' '.join([schema.name, *chance.choices(objects, k=len(schema.parameters))])})")
    return "\n".join([*lines, f"; cost = {len(lines)} (unit cost)", ""]).encode()
