"""h_add, h_max and h_FF against pyperplan's, in the states of random walks."""

from __future__ import annotations

import importlib.util
import logging
import math
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from types import SimpleNamespace

from tests.differential.comparison import Comparison
from tests.differential.random_strips import random_strips
from tests.differential.tasks import TaskText, training_tasks
from trailmark.task.model import And, Atom, Condition
from trailmark.task.states import State, prepare

WALK = 15
STATES_OF_A_TASK = 10

Estimate = Callable[[State], float]


def compare(seed: int, count: int, save: Path | None) -> list[Comparison]:
    """So many states.

    h_FF depends on how ties are broken, so that its bounds are compared: a relaxed plan costs at least
    h_max and at least what LM-cut says, and exists where pyperplan's does.
    """
    equal = [Comparison("heuristics", f"pyperplan {name}", save) for name in ("hadd", "hmax")]
    bounds = Comparison("heuristics", "pyperplan bounds of hff", save)
    found = [*equal, bounds]
    if importlib.util.find_spec("pyperplan") is None:
        for comparison in found:
            comparison.skip("pyperplan is not installed", count)
        return found
    logging.disable(logging.INFO)
    chance = Random(seed)
    done = 0
    for text in _tasks(chance):
        if done >= count:
            break
        states = _walked(text, min(STATES_OF_A_TASK, count - done), chance)
        done += len(states)
        if not _is_plain(text):
            for comparison in found:
                comparison.skip("pyperplan has no negative preconditions", len(states))
            continue
        _compare_states(text, states, equal, bounds)
    return found


def _tasks(chance: Random) -> Iterator[TaskText]:
    """The training tasks of all domains in turn with as many random ones, again and again."""
    fixed = training_tasks()
    while True:
        chance.shuffle(fixed)
        for text in fixed:
            yield text
            yield random_strips(chance, costs=False, negative=False)


def _compare_states(text: TaskText, states: list[State], equal: list[Comparison], bounds: Comparison) -> None:
    theirs = _pyperplan(text)
    ours = {name: prepare(text.task, name) for name in ("hadd", "hmax", "ff")}
    for state in states:
        own = {name: estimate(state) for name, estimate in ours.items()}
        other = {name: estimate(state) for name, estimate in theirs.items()}
        files = {**text.files, "values.txt": f"{text.name}, {state}: ours {own}, pyperplan {other}\n"}
        for comparison, name in zip(equal, ("hadd", "hmax"), strict=True):
            comparison.record(own[name] == other[name], files)
        finite = math.isfinite(own["ff"])
        least = max(other["hmax"], other["lmcut"])
        bounds.record(finite == math.isfinite(other["ff"]) and own["ff"] >= least, files)
        for comparison in (*equal, bounds):
            comparison.notes["dead ends" if not finite else "with an estimate"] += 1


def _walked(text: TaskText, count: int, chance: Random) -> list[State]:
    task = text.task
    found = [task.initial_state]
    while len(found) < count:
        state = task.initial_state
        for _ in range(chance.randint(1, WALK)):
            successors = task.successors(state)
            if not successors:
                break
            state = chance.choice(successors)[1]
        found.append(state)
    return found


def _pyperplan(text: TaskText) -> dict[str, Estimate]:
    """Its heuristics on what its own parser and grounder make of the files."""
    from pyperplan import grounding
    from pyperplan.heuristics.lm_cut import LmCutHeuristic
    from pyperplan.heuristics.relaxation import hAddHeuristic, hFFHeuristic, hMaxHeuristic
    from pyperplan.pddl.parser import Parser

    with tempfile.TemporaryDirectory(prefix="differential-") as folder:
        domain, problem = text.write(Path(folder))
        parser = Parser(str(domain), str(problem))
        grounded = grounding.ground(parser.parse_problem(parser.parse_domain()))
    structure = text.task.structure
    names = {fact.replace(" )", ")"): fact for fact in grounded.facts}

    def on_states(heuristic: Callable[[SimpleNamespace], float]) -> Estimate:
        def estimate(state: State) -> float:
            facts = {structure.atom_text(each) for each in state.atoms | structure.static_atoms}
            # What can never matter is no fact of the grounded task.
            return heuristic(SimpleNamespace(state=frozenset(names[each] for each in facts & names.keys())))

        return estimate

    kinds = {"hadd": hAddHeuristic, "hmax": hMaxHeuristic, "ff": hFFHeuristic, "lmcut": LmCutHeuristic}
    return {name: on_states(kind(grounded)) for name, kind in kinds.items()}


def _is_plain(text: TaskText) -> bool:
    return all(_positive(each.precondition) for each in text.task.domain.model.actions)


def _positive(condition: Condition) -> bool:
    if isinstance(condition, And):
        return all(map(_positive, condition.parts))
    return isinstance(condition, Atom) and condition.predicate != "="
