"""What each mechanism of leap search buys: the tests that are lost when it is switched off.

    python benchmarks/search_ablation.py MODELS FOLDER... [--tests 12 21 27] [--results FILE]

Each FOLDER is a domain with domain.pddl and test/p*.pddl, and MODELS has a model NAME.json for it, learned
once. A test is planned as `trailmark plan --search leap` does: along the model's recipes, and where that is
stuck once more without them; nothing complete is behind it. Limits count generated states and seconds of
this process, so the load of the machine does not matter. A test is planned without a mechanism only where the
whole search solves it and has used the mechanism: elsewhere nothing can be lost.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from unittest.mock import patch

import trailmark
from trailmark.landmarks.functions import Guidance
from trailmark.search.leap import LeapOptions, LeapResult, Level
from trailmark.search.leap.base import Base
from trailmark.search.leap.search import LiftedExplorer, _Levels, leap
from trailmark.search.leap.views import Guards
from trailmark.search.leaping import LEAP
from trailmark.search.recipes import achieve
from trailmark.search.recipes.achieve import Achiever
from trailmark.search.recipes.book import Entry, RecipeBook
from trailmark.search.recipes.completion import ROWS, Completing
from trailmark.search.recipes.filters import Filter, Relations
from trailmark.search.recipes.trying import Attempts
from trailmark.task import Domain, Task

WHOLE = LEAP


@dataclass(frozen=True)
class Run:
    solved: bool
    steps: int
    generated: int
    seconds: float
    used: frozenset[str]
    """The mechanisms that had a part in it."""


@dataclass(frozen=True)
class Variant:
    name: str
    options: LeapOptions = WHOLE
    patched: Callable[[], AbstractContextManager[object]] = nullcontext
    """What is replaced where no option switches the mechanism off."""
    used: str = "search"


def without(*levels: Level) -> LeapOptions:
    return replace(WHOLE, levels=tuple(level for level in WHOLE.levels if level not in levels))


def no_guards() -> AbstractContextManager[object]:
    return patch.object(Guards, "restore", Guards.lift)


def guards_stay() -> AbstractContextManager[object]:
    return patch.object(LiftedExplorer, "lift_guards", lambda _: False)


def replaced(owner: object, name: str, by: object) -> Callable[[], AbstractContextManager[object]]:
    return lambda: patch.object(owner, name, by)


def nothing(*_: object) -> None:
    return None


def never(*_: object) -> bool:
    return False


def no_filter(*_: object) -> Filter:
    return Filter()


def hope(_: Achiever, goal: achieve.Goal) -> tuple[bool, int]:
    return not goal.is_bound, goal.missing


ONE_ACTION = (1, False, ROWS, True)
RECIPES = (
    Variant("nothing is taken back", patched=replaced(_Levels, "may_take_back", False)),
    Variant("no goal by itself", patched=replaced(Achiever, "_goal_closed", nothing), used="achieving"),
    Variant("failed goals not last", patched=replaced(Achiever, "_hope", hope), used="achieving"),
    Variant("one turn", patched=replaced(achieve, "TURNS", 1), used="achieving"),
    Variant(
        "one action", patched=replaced(Completing.__init__, "__defaults__", ONE_ACTION), used="achieving"
    ),
    Variant("no filters of the model", patched=replaced(Entry, "known_filter", no_filter), used="achieving"),
    Variant("no filters", patched=replaced(Filter, "rejected", nothing), used="recipes"),
    Variant("no relations", patched=replaced(Relations, "between", lambda *_: ()), used="recipes"),
    Variant("failed objects again", patched=replaced(Attempts, "_was_rejected", never), used="recipes"),
)
VARIANTS = (
    *(Variant(f"no {level.value}", without(level), used=level.value) for level in WHOLE.levels),
    Variant("guards stay", patched=guards_stay, used="guards"),
    Variant("no guards", patched=no_guards, used="guards"),
    Variant("all changes together", patched=lambda: patch.object(Base, "objects_changed", lambda *_: None)),
    *RECIPES,
)


class Limit:
    """Seconds of this process, whatever else runs on the machine."""

    def __init__(self, seconds: float) -> None:
        self.end = time.process_time() + seconds

    def expired(self) -> bool:
        return time.process_time() > self.end


def run(task: Task, guidance: Guidance, variant: Variant, states: int, seconds: float) -> Run:
    options, begun = replace(variant.options, max_generated=states), time.process_time()
    entered: set[str] = set()
    explore = LiftedExplorer.explore

    def noting(explorer: LiftedExplorer, level: Level) -> object:
        entered.add(level.value)
        return explore(explorer, level)

    recipes = getattr(guidance, "recipes", ())
    with patch.object(LiftedExplorer, "explore", noting), variant.patched():
        result = leap(task, guidance, options, Limit(seconds), book=RecipeBook(recipes) if recipes else None)
        used = _used(result) | entered
        generated = result.statistics.generated
        if recipes and not result.solved:
            result = leap(task, guidance, options, Limit(seconds))
            used |= _used(result) | entered | {"second run"}
            generated += result.statistics.generated
    if entered - {Level.RECIPES.value}:
        used.add("search")
        if recipes:
            used.add("achieving")
    if recipes:
        used.add("recipes")
    return Run(result.solved, len(result.steps), generated, time.process_time() - begun, frozenset(used))


def _used(result: LeapResult) -> set[str]:
    return {"guards"} if result.statistics.guarded else set()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("models", type=Path)
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--tests", nargs="+", type=int, default=(12, 21, 27))
    parser.add_argument("--states", type=int, default=100_000, help="generated states of one run")
    parser.add_argument("--seconds", type=float, default=20, help="processor time of one run")
    parser.add_argument("--variants", nargs="+", help="only those whose name has one of these words")
    parser.add_argument("--results", type=Path, default=Path("search-ablation.jsonl"))
    arguments = parser.parse_args()
    variants = [
        variant
        for variant in VARIANTS
        if not arguments.variants or any(word in variant.name for word in arguments.variants)
    ]
    known = read(arguments.results)
    for folder in arguments.folders:
        domain = Domain.load(folder / "domain.pddl")
        guidance = trailmark.load(arguments.models / f"{folder.name}.json").model.guidance
        for test in arguments.tests:
            problem = folder / "test" / f"p{test:02}.pddl"
            if not problem.exists():
                continue
            task = Task.load(domain, problem)
            place = f"{folder.name} {problem.stem}"
            whole = Variant("the whole search")
            for variant in (whole, *variants):
                if (place, variant.name) in known:
                    continue
                base = known.get((place, whole.name))
                if base is not None and not (base.solved and variant.used in base.used):
                    continue
                found = run(task, guidance, variant, arguments.states, arguments.seconds)
                known[place, variant.name] = found
                with arguments.results.open("a") as file:
                    row = {**vars(found), "used": sorted(found.used)}
                    print(json.dumps([place, variant.name, row]), file=file)
    print(table(known))


def read(path: Path) -> dict[tuple[str, str], Run]:
    """What an earlier call found, so that this one goes on."""
    rows = map(json.loads, path.read_text().splitlines()) if path.exists() else ()
    return {(place, name): Run(**{**row, "used": frozenset(row["used"])}) for place, name, row in rows}


def table(known: dict[tuple[str, str], Run]) -> str:
    whole = {place: found for (place, name), found in known.items() if name == "the whole search"}
    solved = {place for place, found in whole.items() if found.solved}
    lines = [
        f"{len(whole)} tests, of which the whole search solves {len(solved)}.",
        "",
        "| variant | tests it is used in | lost | steps of the others | states | seconds |",
        "|---|---|---|---|---|---|",
    ]
    for variant in dict.fromkeys(name for _, name in known):
        tried = {place: found for (place, name), found in known.items() if name == variant}
        lost = sorted(place for place, found in tried.items() if place in solved and not found.solved)
        both = [place for place, found in tried.items() if place in solved and found.solved]
        ratios = []
        for what in ("steps", "generated", "seconds"):
            own, usual = (sum(getattr(runs[place], what) for place in both) for runs in (tried, whole))
            ratios.append(f"{own / usual:.2f}x" if usual else "")
        names = f"{len(lost)}" + (f": {', '.join(lost)}" if lost else "")
        lines.append(f"| {variant} | {len(tried)} | {names} | {' | '.join(ratios)} |")
    return "\n".join(lines)


if __name__ == "__main__":
    main()
