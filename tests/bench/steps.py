"""A tiny benchmark folder and a planner for it, so that runs of a suite take no time.

The domain is a walk along a chain; the planner reads the chain off the problem, writes the plan and
prints counts as `trailmark plan --json` does. It writes a line to a log each time it runs.
"""

from __future__ import annotations

import sys
from itertools import pairwise
from pathlib import Path

DOMAIN = """(define (domain steps)
  (:requirements :strips)
  (:predicates (at ?x) (next ?x ?y))
  (:action go :parameters (?x ?y)
    :precondition (and (at ?x) (next ?x ?y))
    :effect (and (at ?y) (not (at ?x)))))
"""

PLANNER = """
import json, re, sys, time
domain, problem, plan, log, pause, broken = sys.argv[1:7]
time.sleep(float(pause))
names = re.findall(r"\\(next ([^ )]+) ([^ )]+)\\)", open(problem).read())
steps = names if broken != "yes" else names[1:]
if len(steps) > 8:
    sys.exit(3)
with open(plan, "w") as file:
    file.writelines(f"(go {a} {b})\\n" for a, b in steps)
with open(log, "a") as file:
    file.write(f"{len(names)}\\n")
print(json.dumps({"expanded": 3 * len(names), "generated": 7 * len(names)}))
"""


def problem(steps: int) -> str:
    names = [f"s{number}" for number in range(steps + 1)]
    facts = " ".join(f"(next {a} {b})" for a, b in pairwise(names))
    return (
        f"(define (problem steps-{steps}) (:domain steps) (:objects {' '.join(names)})\n"
        f"  (:init (at s0) {facts})\n  (:goal (at s{steps})))\n"
    )


def write_benchmarks(root: Path, tests: int = 6) -> Path:
    """A folder with the domain `steps`; test k needs 2k steps."""
    for part in ("train", "test"):
        (root / "steps" / part).mkdir(parents=True)
    (root / "steps" / "domain.pddl").write_text(DOMAIN)
    for number in range(1, tests + 1):
        (root / "steps" / "test" / f"p{number:02}.pddl").write_text(problem(2 * number))
    sizes = [f"test/p{number:02}.pddl | {2 * number} steps | made" for number in range(1, tests + 1)]
    (root / "steps" / "SOURCE.txt").write_text("\n".join(sizes))
    return root


def suite_text(folder: Path, *, tests: int = 6, pause: float = 0.0, seconds: float = 10.0) -> str:
    """Two planners for `steps`: one that is right and one whose plans are not."""
    script, log = folder / "planner.py", folder / "log.txt"
    script.write_text(PLANNER)
    command = f"{sys.executable} -S -E {script} {{domain}} {{problem}} {{plan}} {log} {pause}"
    return f"""
title = "Steps"
[limits]
plan-seconds = {seconds}
[planners.walker]
kind = "command"
command = '{command} no'
[planners.liar]
kind = "command"
command = '{command} yes'
[[parts]]
name = "main"
domains = ["steps"]
tests = {list(range(1, tests + 1))}
planners = ["walker", "liar"]
tables = ["coverage", "expansions", "length", "instances"]
"""
