"""Several different plans for each training instance: `python -m trailmark.bench.trainplans`.

The paper's experiment on the training size makes plans by A* with h_max and noise in the estimates;
here the seed of the noise tells the plans of an instance apart. Whoever starts it limits its time.
"""

from __future__ import annotations

import sys
from math import inf

from trailmark.errors import ExitCode
from trailmark.learning.sources import EmbeddedSearch, collect_plans
from trailmark.task import Task, write_plan


def main(arguments: list[str]) -> int:
    domain, plans, *problems = arguments
    for problem in problems:
        task = Task.load(domain, problem)
        for number in range(1, int(plans) + 1):
            source = EmbeddedSearch("hmax", seed=number)
            (found,) = collect_plans(source, [task], seconds=inf)
            if found.plan is None:
                print(f"trailmark: {problem}: {found.reason}", file=sys.stderr)
                return int(ExitCode.NO_PLAN_FOUND)
            write_plan(f"{problem.removesuffix('.pddl')}-{number}.plan", found.plan.steps)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
