"""Workshop: parts pass through sequences of jobs on machines whose tools are changed and ground.

Solvable: for every job there is a tool, and every tool fits some machine. One part after the other is
clamped in the machine of the next job's tool, which is ground and mounted for it, and unmounted afterwards.
"""

from __future__ import annotations

from itertools import pairwise
from random import Random

from trailmark.domains.layout import numbered
from trailmark.domains.spec import Atom, DomainSpec, Parameter, Problem, ramp


def build(rng: Random, *, parts: int, machines: int, jobs: int, steps: int, spare_tools: int) -> Problem:
    """Every part has 1 to `steps` random jobs to pass; the tools are in the rack, some of them sharp."""
    part_names = numbered("part", parts, start=1)
    machine_names = numbered("machine", machines, start=1)
    job_names = numbered("job", jobs, start=1)
    tools = numbered("tool", jobs + spare_tools, start=1)
    stages = numbered("stage", steps + 1)
    init: list[Atom] = [("followed-by", stage, following) for stage, following in pairwise(stages)]
    for place, tool in enumerate(tools):
        job = job_names[place] if place < jobs else job_names[rng.randrange(jobs)]
        init += [("does", tool, job), ("in-rack", tool)]
        init += [("fits", tool, each) for each in rng.sample(machine_names, 1 + rng.randrange(machines))]
        if rng.randrange(2):
            init.append(("sharp", tool))
    for machine in machine_names:
        init += [("vacant", machine), ("bare", machine)]
    for part in part_names:
        length = 1 + rng.randrange(steps)
        init += [("asks", part, stage, job_names[rng.randrange(jobs)]) for stage in stages[:length]]
        init += [("final", part, stages[length]), ("reached", part, stages[0]), ("in-stock", part)]
    goal: list[Atom] = [("shipped", part) for part in part_names]
    objects = [
        (part_names, "part"),
        (machine_names, "machine"),
        (tools, "tool"),
        (job_names, "job"),
        (stages, "stage"),
    ]
    return Problem(objects, init, goal)


def _sizes(parts: int, machines: int, jobs: int, steps: int, spare_tools: int) -> dict[str, int]:
    return {"parts": parts, "machines": machines, "jobs": jobs, "steps": steps, "spare_tools": spare_tools}


WORKSHOP = DomainSpec(
    name="workshop",
    description="Parts pass through sequences of jobs on machines with tools to change and to grind.",
    pddl_name="workshop",
    parameters=(
        Parameter("parts", 3, 1, 2000, "parts to make"),
        Parameter("machines", 2, 1, 100, "machines"),
        Parameter("jobs", 2, 1, 100, "kinds of job, each with a tool"),
        Parameter("steps", 2, 1, 100, "the most jobs a part passes through"),
        Parameter("spare_tools", 0, 0, 100, "tools beyond one for each kind of job"),
    ),
    build=build,
    train=(
        _sizes(1, 1, 1, 1, 0),
        _sizes(1, 2, 2, 3, 0),
        _sizes(2, 1, 2, 2, 0),
        _sizes(2, 2, 2, 3, 1),
        _sizes(3, 2, 2, 2, 0),
    ),
    test=ramp(_sizes(3, 2, 3, 3, 0), _sizes(120, 12, 16, 10, 8), steps=10),
)
