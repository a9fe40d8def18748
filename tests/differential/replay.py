"""Plans replayed by pymimir from the PDDL files themselves, in a process of its own.

    python -m tests.differential.replay DOMAIN PROBLEM < plans.json

The engine reads the files with its own parser, not through Trailmark; a file it cannot read may end
the process, which is why it is one.
"""

from __future__ import annotations

import json
import os
import sys
from typing import Any

from tests.domains.reading import nested


def main(arguments: list[str]) -> int:
    domain, problem = arguments
    answers = os.fdopen(os.dup(1), "w")
    # The engine prints on C's standard output.
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    try:
        world = _World(domain, problem)
        verdicts = [world.judge(plan) for plan in json.load(sys.stdin)]
    except (RuntimeError, ValueError) as error:
        print(" ".join(str(error).split())[:200], file=sys.stderr)
        return 1
    with answers:
        json.dump(verdicts, answers)
    return 0


class _World:
    def __init__(self, domain: str, problem: str) -> None:
        from pymimir.advanced import formalism
        from pymimir.advanced import search as native

        options = formalism.ParserOptions()
        self.parser = formalism.Parser(domain, options)
        self.problem = self.parser.parse_problem(problem, options)
        lifted = native.LiftedOptions(native.LiftedKPKCOptions(native.SymmetryPruning.OFF))
        self.context = native.SearchContext.create(self.problem, native.SearchContextOptions(lifted))
        self.repository = self.context.get_state_repository()
        self.generator = self.context.get_applicable_action_generator()
        self.goal = native.ProblemGoalStrategy.create(self.problem)
        with open(domain, encoding="utf-8") as file:
            self.arities = _arities(file.read())

    def judge(self, plan: list[list[str]]) -> tuple[bool, float]:
        """Whether the plan can be executed and ends in a goal state, and its cost."""
        state, cost = self.repository.get_or_create_initial_state()
        for action, *objects in plan:
            if self.arities.get(action) != len(objects):
                return False, cost
            found = self._applicable(state, action, objects)
            if found is None:
                return False, cost
            state, cost = self.repository.get_or_create_successor_state(state, found, cost)
        return bool(self.goal.test_static_goal() and self.goal.test_dynamic_goal(state)), cost

    def _applicable(self, state: Any, name: str, objects: list[str]) -> Any:
        """Existential conditions give the engine's actions further objects after the plan's own."""
        for action in self.generator.generate_applicable_actions(state):
            if action.get_action().get_name() == name:
                named = [each.get_name() for each in action.get_objects()]
                if named[: len(objects)] == objects:
                    return action
        return None


def _arities(text: str) -> dict[str, int]:
    """How many parameters each action has, read without either program."""
    found = {}
    for form in nested(text.lower())[1:]:
        if form[0] == ":action":
            rest = dict(zip(form[2::2], form[3::2], strict=False))
            found[form[1]] = sum(word.startswith("?") for word in rest.get(":parameters", []))
    return found


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
