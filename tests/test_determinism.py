"""Equal inputs, seeds and versions give equal graphs, plans and counts, whatever order hashes and folders
have, and however many processes work."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import pytest

from trailmark import domains

ROOT = Path(__file__).parents[1]

REVERSED_FOLDERS = """
import os

listed, scanned = os.listdir, os.scandir


class Scanned:
    def __init__(self, entries):
        self.entries = iter(entries)

    def __iter__(self):
        return self

    def __next__(self):
        return next(self.entries)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        pass


def scandir(*arguments):
    with scanned(*arguments[-1:]) as entries:  # Python 3.10 calls it as a method
        return Scanned(sorted(entries, key=lambda entry: entry.name, reverse=True))


os.listdir = lambda *arguments: sorted(listed(*arguments), reverse=True)
os.scandir = scandir
"""
"""Makes folders list their files backwards in a whole process."""

VARIATIONS: tuple[tuple[str, bool], ...] = (("0", False), ("1", True), ("2", False), ("random", True))
"""PYTHONHASHSEED, and whether folders are listed backwards, in another locale and time zone."""

RELAXED = ("hadd", "hmax", "ff")
TIMES = ("times", "seconds", "cpu_seconds", "wall_seconds", "peak_memory_mb", "date", "code")


def run(arguments: Sequence[str], hash_seed: str, backwards: bool, folder: Path) -> str:
    """Python's standard output with these arguments."""
    shim = folder / "shim"
    shim.mkdir(exist_ok=True)
    (shim / "sitecustomize.py").write_text(REVERSED_FOLDERS if backwards else "")
    paths = [str(shim), str(ROOT), *filter(None, sys.path)]
    place = {"LC_ALL": "C", "TZ": "Asia/Tokyo"} if backwards else {"LC_ALL": "C.UTF-8", "TZ": "UTC"}
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        env={**os.environ, **place, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": os.pathsep.join(paths)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout


def untimed(value: Any) -> Any:
    """A JSON document without what a clock or the memory of a process says."""
    if isinstance(value, dict):
        kept = {key: each for key, each in value.items() if key not in TIMES and not key.endswith("_s")}
        return {key: untimed(each) for key, each in kept.items()}
    return [untimed(each) for each in value] if isinstance(value, list) else value


def written(folder: Path, name: str) -> Path:
    """A folder with a domain, its training problems and a larger problem."""
    place = folder / name
    place.mkdir()
    (place / "domain.pddl").write_text(domains.domain_text(name))
    for number, text in enumerate(domains.train_problems(name), start=1):
        (place / f"t{number}.pddl").write_text(text)
    (place / "p.pddl").write_text(domains.test_problem(name, 4))
    return place


def assert_same(outcomes: Iterable[object]) -> None:
    """All outcomes are the same; what differs is told in short."""
    texts = [each if isinstance(each, str) else json.dumps(each, sort_keys=True) for each in outcomes]
    for number, text in enumerate(texts):
        place = next((i for i, (a, b) in enumerate(zip(texts[0], text, strict=False)) if a != b), 0)
        shown = slice(max(0, place - 80), place + 80)
        assert text == texts[0], f"outcome {number} differs: {texts[0][shown]} / {text[shown]}"


SMALL_PROGRAM = """
import hashlib
from tests.learning.test_counter import learned
from tests.search.leap_programs import PROGRAMS
from trailmark import domains
from trailmark.models.document import dumps
from trailmark.learning.learner import LandmarkLearner
from trailmark.learning.options import LearnOptions
from trailmark.learning.training import load_training
from trailmark.search.planner import PlannerOptions, plan
from trailmark.task import Domain, Task

texts = "".join(text for name in domains.names() for text in domains.train_problems(name))
print(hashlib.sha256(texts.encode()).hexdigest())
for name in ("gripper", "miconic"):
    training = load_training(f"{name}/domain.pddl", [f"{name}/t{number}.pddl" for number in range(1, 6)])
    for each in training.instances:
        print(*map(str, each.plan.steps))
    model = LandmarkLearner(LearnOptions(method="chain", complexity=5)).fit(training.instances).model_
    print(dumps(model).split('"times"')[0])
_, found = learned("gripper")
for each in found.selection.tried:
    print(each.program, each.score)
for name in ("delivery", "miconic"):
    task = Task.parse(Domain.parse(domains.domain_text(name)), domains.train_problems(name)[4])
    for graph in (None, PROGRAMS[name]):
        for search in ("auto", "astar", "gbfs", "leap"):
            if graph is not None or search != "leap":
                result = plan(task, graph, PlannerOptions(search=search, complete="lazy"))
                print(name, search, result.cost, result.strategy, result.statistics, *map(str, result.steps))
"""


def test_small_runs_do_not_depend_on_hashes_or_the_order_of_folders(tmp_path: Path) -> None:
    for name in ("gripper", "miconic"):
        written(tmp_path, name)
    assert_same(run(["-c", SMALL_PROGRAM], *variation, tmp_path) for variation in VARIATIONS[:2])


@pytest.mark.slow
@pytest.mark.parametrize("method", ["chain", "counter", "auto"])
@pytest.mark.parametrize("name", ["gripper", "visitall", "miconic"])
def test_learning_gives_one_model(name: str, method: str, tmp_path: Path) -> None:
    """With a time limit that ends nothing; one that does makes a model depend on the machine."""
    place = written(tmp_path, name)
    problems = [f"{name}/t{number}.pddl" for number in range(1, 6)]
    outcomes = []
    for (hash_seed, backwards), jobs in zip(VARIATIONS, (1, 2, 2, 1), strict=True):
        arguments = ["-m", "trailmark", "learn", f"{name}/domain.pddl", *problems, "-o", f"{name}/model.json"]
        options = ["--method", method, "--time-limit", "3600", "--jobs", str(jobs), "--json", "--quiet"]
        answer = run([*arguments, *options], hash_seed, backwards, tmp_path)
        model = (place / "model.json").read_text()
        outcomes.append([untimed(json.loads(answer)), untimed(json.loads(model))])
    assert_same(outcomes)


STRATEGIES = [
    *(["none", "--search", search, "--heuristic", each] for search in ("astar", "gbfs") for each in RELAXED),
    ["none", "--search", "auto", "--heuristic", "goalcount"],
    ["none", "--search", "auto"],
    *(["model.json", "--search", search] for search in ("auto", "astar", "gbfs", "leap")),
]

COMMANDS = """
import json, sys
from trailmark.cli import main
for arguments in json.loads(sys.argv[1]):
    assert main(arguments) == 0, arguments
"""
"""Runs several commands of the program one after the other, without starting Python anew."""


@pytest.mark.slow
@pytest.mark.parametrize("name", ["gripper", "miconic", "delivery"])
def test_planning_gives_one_plan_with_the_same_counts(name: str, tmp_path: Path) -> None:
    place = written(tmp_path, name)
    learning = ["learn", "domain.pddl", *(f"t{number}.pddl" for number in range(1, 6))]
    run(["-m", "trailmark", *learning, "-o", "model.json", "--method", "chain"], "0", False, place)
    commands = [
        ["plan", model, "domain.pddl", "t3.pddl", "-o", f"{number}.plan", "--json", *options]
        for number, (model, *options) in enumerate(STRATEGIES)
    ]
    outcomes = []
    for variation in VARIATIONS:
        answers = run(["-c", COMMANDS, json.dumps(commands)], *variation, place)
        documents = [json.loads(each + "}") for each in answers.split("\n}\n")[:-1]]
        plans = [(place / f"{number}.plan").read_text() for number in range(len(STRATEGIES))]
        assert len(documents) == len(STRATEGIES)
        outcomes.append([untimed(documents), plans])
    assert_same(outcomes)


@pytest.mark.slow
def test_generated_instances_are_the_same(tmp_path: Path) -> None:
    commands = [["generate", name, "--seed", "5"] for name in domains.names()]
    arguments = ["-c", COMMANDS, json.dumps(commands)]
    assert_same(run(arguments, *variation, tmp_path) for variation in VARIATIONS)


SUITE = """
title = "Small"
[limits]
plan-seconds = 300
learn-seconds = 600
[learners.chain]
method = "chain"
config = "b1"
[planners.lm-g]
search = "astar"
learners = ["chain"]
[planners.leap]
search = "leap"
learners = ["chain"]
[planners.hadd]
kind = "baseline"
heuristic = "hadd"
[[parts]]
name = "main"
domains = ["gripper", "miconic"]
tests = [1, 2]
planners = ["lm-g", "leap", "hadd"]
tables = ["coverage", "expansions", "length"]
"""


@pytest.mark.slow
def test_a_suite_gives_the_same_results_and_tables_however_many_runs_go_at_once(tmp_path: Path) -> None:
    (tmp_path / "small.toml").write_text(SUITE)
    for name in ("miconic", "gripper"):
        place = tmp_path / "benchmarks" / name
        for part in ("train", "test"):
            (place / part).mkdir(parents=True)
        (place / "domain.pddl").write_text(domains.domain_text(name))
        for number, text in enumerate(domains.train_problems(name), start=1):
            (place / "train" / f"t{number:02}.pddl").write_text(text)
        for number in (1, 2):
            (place / "test" / f"p{number:02}.pddl").write_text(domains.test_problem(name, number))
    outcomes = []
    for (hash_seed, backwards), jobs in zip(VARIATIONS, (1, 2, 2, 1), strict=True):
        out = f"out-{hash_seed}"
        arguments = ["-m", "trailmark", "bench", "small.toml", "--benchmarks", "benchmarks", "-o", out]
        run([*arguments, "--jobs", str(jobs), "--quiet"], hash_seed, backwards, tmp_path)
        lines = (tmp_path / out / "results.jsonl").read_text().splitlines()
        records = sorted((untimed(json.loads(line)) for line in lines), key=lambda each: each["key"])
        assert {each["status"] for each in records} == {"learned", "solved"}
        made = {
            path.name: untimed(_parsed(json.loads(path.read_text())))
            for path in sorted((tmp_path / out / "made").iterdir())
        }
        outcomes.append([records, made, *sorted(path.name for path in (tmp_path / out).iterdir())])
    assert_same(outcomes)


def _parsed(files: dict[str, str]) -> dict[str, Any]:
    """The files a run has made, models as documents."""
    return {name: json.loads(text) if name.endswith(".json") else text for name, text in files.items()}
