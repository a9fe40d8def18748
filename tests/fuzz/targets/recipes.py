"""Recipes of model files, planned with on small tasks: they may cost time, never a wrong plan or a crash."""

from __future__ import annotations

import json
import time
from dataclasses import replace
from functools import cache
from random import Random
from typing import Any

from tests.fuzz.checks import Wrong, as_file, outcome
from tests.search.recipes.worlds import learned, training_task
from trailmark.errors import InputError
from trailmark.features.text import parse
from trailmark.files import read_text
from trailmark.limits import Budget
from trailmark.models.document import dumps
from trailmark.models.model import Model
from trailmark.models.reading import loads
from trailmark.programs.program import Program
from trailmark.programs.recipe import RecipeFilter
from trailmark.search.leap import LeapOptions, LeapStatus, Level
from trailmark.search.leap.search import leap
from trailmark.search.recipes.book import RecipeBook
from trailmark.task import Plan, Task, validate

DOMAINS = ("blocksworld", "delivery", "driverlog", "ferry", "gripper", "visitall")
SECONDS = 20.0
"""An input that takes longer is called slow, not wrong."""
STATES = 300
"""What the searches beside the recipes may generate."""
WORDS = (
    "true", "false", '"recipes"', '"actions"', '"schema"', '"terms"', '"repeated"', '"conditions"',
    '"predicate"', '"is_open"', '"whole"', '"filters"', '"counter"', '"variable"', '"concept"', '"holds"',
    '"examples"', '"used"', *(json.dumps(name) for name in DOMAINS), '"c_top"', '"c_bot"',
    '"c_primitive(at,0)"', '"c_primitive(on,1)"', '"c_not(c_primitive(clear,0))"', "[", "]", "{", "}", ",",
)  # fmt: skip


def one(data: bytes) -> str:
    path, began = as_file(data, ".json"), time.monotonic()
    name = outcome(lambda: _plan(read_text(path, "recipes")))
    return name if time.monotonic() - began < SECONDS else "slow"


def _plan(text: str) -> None:
    try:
        content = json.loads(text, parse_constant=_refused, parse_int=_number)
    except (ValueError, RecursionError):
        raise InputError("no JSON") from None
    if not isinstance(content, dict) or content.get("domain") not in DOMAINS:
        raise InputError("no domain")
    name = content["domain"]
    document = _document(name)
    document["guidance"]["recipes"] = content.get("recipes")
    guidance = loads(json.dumps(document)).guidance
    assert isinstance(guidance, Program)
    for whole in (False, True):
        _leap(training_task(name), guidance, whole)


def _leap(task: Task, program: Program, whole: bool) -> None:
    options = LeapOptions(
        levels=(Level.NOVELTY_ONE,),
        max_generated=STATES,
        whole_passes=(Level.NOVELTY_ONE,) if whole else (),
    )
    result = leap(task, program, options, Budget(SECONDS), book=RecipeBook(program.recipes))
    verdict = validate(task, Plan(result.steps))
    if not (verdict if result.status is LeapStatus.SOLVED else verdict or verdict.step is None):
        raise Wrong(f"a wrong plan: {verdict.reason}")


def _refused(word: str) -> None:
    raise ValueError(word)


def _number(digits: str) -> int:
    return int(digits[:30])


@cache
def program() -> Program:
    """One with a recipe of every part there is."""
    known = learned(DOMAINS[1])
    first, *others = known.recipes
    kept = RecipeFilter(0, 1, parse("c_not(c_primitive(empty,0))"), True)
    return replace(known, recipes=(replace(first, filters=(kept,)), *others))


@cache
def _model(name: str) -> str:
    return dumps(Model(learned(name), name, "", "counter"))


def _document(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(_model(name))
    return found


def seeds() -> list[bytes]:
    return [_text(name, _document(name)["guidance"]["recipes"]) for name in DOMAINS]


def make(chance: Random) -> bytes:
    """Recipes with parts of the domain at random places, beside the learned ones."""
    name = chance.choice(DOMAINS)
    known = _document(name)["guidance"]["recipes"]
    made = [_made(name, chance) for _ in range(chance.randint(1, 4))]
    return _text(name, [*made, *known] if chance.random() < 0.5 else made)


def _text(name: str, recipes: list[Any]) -> bytes:
    return json.dumps({"domain": name, "recipes": recipes}).encode()


def _made(name: str, chance: Random) -> dict[str, Any]:
    task = training_task(name)
    variables = chance.randint(1, 6)
    objects = list(task.structure.objects)

    def terms(arity: int) -> list[int | str]:
        number = arity if chance.random() < 0.95 else chance.randint(0, 5)
        return [
            chance.randrange(variables) if chance.random() < 0.9 else chance.choice(objects)
            for _ in range(number)
        ]

    schemas = task.domain.model.actions
    symbols = task.domain.vocabulary.symbols
    actions = []
    for _ in range(chance.randint(1, 6)):
        schema = chance.choice(schemas)
        repeated = chance.random() < 0.3
        actions.append({"schema": schema.name, "terms": terms(len(schema.parameters)), "repeated": repeated})
    used = {term for action in actions for term in action["terms"] if isinstance(term, int)}  # type: ignore[attr-defined]
    numbers = {term: place for place, term in enumerate(sorted(used))}

    def renumbered(found: list[int | str]) -> list[int | str]:
        return [
            numbers.get(term, chance.choice(objects)) if isinstance(term, int) else term for term in found
        ]

    conditions = []
    for _ in range(int(chance.paretovariate(0.5)) % 900):
        symbol = chance.choice(symbols)
        conditions.append(
            {
                "predicate": symbol.name,
                "terms": renumbered(terms(symbol.arity)),
                "is_open": chance.random() < 0.2,
            }
        )
    for action in actions:
        action["terms"] = renumbered(action["terms"])  # type: ignore[arg-type]
    filters = [
        {
            "counter": chance.randint(0, 1),
            "variable": chance.choice(sorted(numbers.values())),
            "concept": f"c_primitive({chance.choice(symbols).name},0)",
            "holds": chance.random() < 0.5,
        }
        for _ in range(chance.choice([0, 0, 1, 2]) if numbers else 0)
    ]
    return {
        "actions": actions,
        "conditions": conditions,
        "whole": chance.random() < 0.5,
        "filters": filters,
        "examples": chance.randint(0, 3),
        "used": 1,
    }
