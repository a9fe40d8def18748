"""Leap search with hand-written programs of one counter, beside LAMA-first in the same run.

    python benchmarks/leap_search.py                       every size of every domain
    python benchmarks/leap_search.py delivery ferry        these domains
    python benchmarks/leap_search.py --lama-seconds 60     also LAMA-first on Delivery and the largest others

Each instance is solved in a process of its own. Times are the search alone, as processor time and as
wall-clock time; peak memory is the whole process. Every plan is validated. The exponent is that of
time against expansions over a domain's sizes (1 is linear). On Delivery the plan's length is compared
with the distances that its own order of deliveries needs.
"""

from __future__ import annotations

import argparse
import json
import math
import subprocess
import sys
import tempfile
import time
from importlib.util import find_spec
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tests.search.leap_programs import PROGRAMS

from trailmark.domains import domain_text, generate
from trailmark.limits import Budget, peak_megabytes
from trailmark.search.leap.search import leap
from trailmark.task import Domain, Plan, Task, validate

SIZES: dict[str, list[dict[str, int]]] = {
    "delivery": [
        {"width": 9, "height": 9, "packages": 40},
        {"width": 20, "height": 20, "packages": 50},
        {"width": 30, "height": 30, "packages": 200},
        {"width": 40, "height": 40, "packages": 300},
    ],
    "ferry": [
        {"cars": 100, "locations": 50},
        {"cars": 300, "locations": 50},
        {"cars": 1000, "locations": 50},
    ],
    "miconic": [
        {"passengers": 100, "floors": 300},
        {"passengers": 300, "floors": 300},
        {"passengers": 1000, "floors": 300},
    ],
    "gripper": [{"balls": 200, "rooms": 2}, {"balls": 700, "rooms": 2}, {"balls": 2000, "rooms": 2}],
    "visitall": [{"width": 20, "height": 20}, {"width": 40, "height": 40}, {"width": 80, "height": 80}],
}
SEED = 1


def solve(name: str, sizes: dict[str, int], seconds: float) -> dict[str, Any]:
    """One instance in this process."""
    task = Task.parse(Domain.parse(domain_text(name)), generate(name, SEED, **sizes))
    wall, start = time.perf_counter(), time.process_time()
    result = leap(task, PROGRAMS[name], budget=Budget(seconds))
    row: dict[str, Any] = {
        "time": time.process_time() - start,
        "wall": time.perf_counter() - wall,
        "megabytes": peak_megabytes(),
        "status": result.status.value,
        "expanded": result.statistics.expanded,
        "generated": result.statistics.generated,
        "length": len(result.steps),
        "levels": list(result.statistics.by_level.values()),
        "ratio": None,
    }
    if result.solved:
        verdict = validate(task, Plan(result.steps))
        if not verdict:
            raise AssertionError(f"an invalid plan: {verdict.reason}")
        if name == "delivery":
            row["ratio"] = len(result.steps) / delivery_distance(task, Plan(result.steps))
    return row


def delivery_distance(task: Task, plan: Plan) -> int:
    """The steps that the plan's own order of deliveries needs on an open grid with one truck."""
    places = {each.terms[0]: each.terms[1] for each in task.model.initial_atoms if each.predicate == "at"}
    goals = {}
    for atom in task.goal.positive:
        _, (package, cell) = task.structure.decode(atom)
        goals[task.structure.objects[package]] = task.structure.objects[cell]
    drops = [step.arguments for step in plan.steps if step.action == "drop-package"]
    order = list(dict.fromkeys(package for _, package, cell in drops if goals.get(package) == cell))
    (truck,) = {step.arguments[0] for step in plan.steps}
    here, total = places[truck], 0
    for package in order:
        total += _steps(here, places[package]) + _steps(places[package], goals[package]) + 2
        here = goals[package]
    return total


def _steps(cell: str, other: str) -> int:
    (_, x, y), (_, u, v) = cell.split("_"), other.split("_")
    return abs(int(x) - int(u)) + abs(int(y) - int(v))


def lama(name: str, sizes: dict[str, int], seconds: float, driver: Path) -> str:
    """What LAMA-first does on the instance within its limit."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "domain.pddl").write_text(domain_text(name))
        (Path(folder) / "problem.pddl").write_text(generate(name, SEED, **sizes))
        limits = ["--overall-time-limit", f"{seconds:g}s", "--overall-memory-limit", "3G"]
        start = time.perf_counter()
        subprocess.run(
            [sys.executable, str(driver), "--alias", "lama-first", *limits, "domain.pddl", "problem.pddl"],
            cwd=folder,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            check=False,
        )
        taken = time.perf_counter() - start
        plans = list(Path(folder).glob("sas_plan*"))
        if not plans:
            return f"none within {seconds:g} s"
        length = sum(line.startswith("(") for line in plans[0].read_text().splitlines())
        return f"{length} steps in {taken:.1f} s"


def exponent(rows: list[dict[str, Any]]) -> float:
    """The slope of log time over log expansions, by least squares."""
    points = [(math.log(row["expanded"]), math.log(row["time"])) for row in rows]
    x = sum(point[0] for point in points) / len(points)
    y = sum(point[1] for point in points) / len(points)
    spread = sum((point[0] - x) ** 2 for point in points)
    return sum((point[0] - x) * (point[1] - y) for point in points) / spread if spread else math.nan


def in_a_process(name: str, number: int, seconds: float) -> dict[str, Any]:
    command = [sys.executable, __file__, name, "--only", str(number), "--seconds", str(seconds)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    row: dict[str, Any] = json.loads(done.stdout)
    return row


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("domains", nargs="*", default=list(SIZES), help="domains to run")
    parser.add_argument("--seconds", type=float, default=120, help="limit for one instance")
    parser.add_argument("--lama-seconds", type=float, default=0, help="limit for LAMA-first; 0 leaves it out")
    parser.add_argument("--only", type=int, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.only is not None:
        (name,) = arguments.domains
        print(json.dumps(solve(name, SIZES[name][arguments.only], arguments.seconds)))
        return
    found = find_spec("up_fast_downward") if arguments.lama_seconds else None
    driver = Path(str(found.origin)).parent / "downward" / "fast-downward.py" if found else None
    head = ("instance", "CPU s", "wall s", "expanded", "generated", "steps", "MB", "leaps by level", "ratio")
    print("{:28}{:>8}{:>8}{:>10}{:>10}{:>8}{:>6}  {:18}{:>6}  LAMA-first".format(*head))
    for name in arguments.domains:
        rows = []
        for number, sizes in enumerate(SIZES[name]):
            row = in_a_process(name, number, arguments.seconds)
            rows.append(row)
            beside = "-"
            if driver and (name == "delivery" or number == len(SIZES[name]) - 1):
                beside = lama(name, sizes, arguments.lama_seconds, driver)
            title = f"{name} {'x'.join(map(str, sizes.values()))}"
            ratio = f"{row['ratio']:.2f}" if row["ratio"] else "-"
            print(
                f"{title:28}{row['time']:8.2f}{row['wall']:8.2f}{row['expanded']:10}{row['generated']:10}"
                f"{row['length']:8}{row['megabytes']:6.0f}  {row['levels']!s:18}{ratio:>6}  {beside}"
                f"{'' if row['status'] == 'solved' else '  ' + row['status']}",
                flush=True,
            )
        print(f"{'':28}time grows with expansions to the power of {exponent(rows):.2f}", flush=True)


if __name__ == "__main__":
    main()
