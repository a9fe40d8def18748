"""Suites run whole or in pieces give the same table; every run keeps its limits."""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Executor, Future
from pathlib import Path
from typing import Any

import pytest

from tests.bench.steps import DOMAIN, problem, suite_text, write_benchmarks
from trailmark.bench.records import (
    RESULTS,
    STALLED,
    code_state,
    is_final,
    keep_records,
    read_records,
    take_kept_records,
)
from trailmark.bench.render import markdown
from trailmark.bench.runner import Threads, made_files, run_job, run_suite
from trailmark.bench.runs import LEARN, PLAN, PLANS, Expansion, expand
from trailmark.bench.suite import CEILING, CPU, WALL, Folder, Presets, Suite
from trailmark.bench.suitefile import parse_suite
from trailmark.bench.tables import coverage, expansions, instances, length, results_of
from trailmark.bench.worker import graph_hash
from trailmark.errors import InputError

needs_processor_times = pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="this platform does not tell a process's processor time"
)


class _Here(Executor):
    """Runs each job at once, in a worker process, and counts them."""

    def __init__(self) -> None:
        self.jobs: list[dict[str, Any]] = []

    def submit(self, work: Any, /, *arguments: Any, **keywords: Any) -> Future[Any]:
        self.jobs += arguments
        future: Future[Any] = Future()
        future.set_result(work(*arguments, **keywords))
        return future


class _LosesFirst(_Here):
    """An executor whose workers are all killed by the first job."""

    def submit(self, work: Any, /, *arguments: Any, **keywords: Any) -> Future[Any]:
        if self.jobs:
            return super().submit(work, *arguments, **keywords)
        self.jobs += arguments
        future: Future[Any] = Future()
        future.set_exception(BrokenExecutor("the workers were killed"))
        return future


@pytest.fixture
def prepared(tmp_path: Path) -> tuple[Suite, Folder, Expansion]:
    folder = Folder(write_benchmarks(tmp_path / "benchmarks"))
    suite = parse_suite(suite_text(tmp_path, tests=5).replace("[1, 2, 3, 4, 5]", "[1, 2, 5]"))
    return suite, folder, expand(suite, folder)


def _tables(suite: Suite, expansion: Expansion, out: Path) -> str:
    """All of the report that does not depend on the clock."""
    (results,) = results_of(suite, expansion, read_records(out / RESULTS))
    times = instances(results)
    kept = [index for index, name in enumerate(times.header) if name != "s"]
    untimed = [tuple(row[index] for index in kept) for row in times.rows]
    tables = (coverage(results), expansions(results), length(results))
    return "\n".join([*map(markdown, tables), *map(str, untimed)])


def test_a_run_whose_workers_are_all_killed_is_told_and_the_others_go_on(
    prepared: tuple[Suite, Folder, Expansion], tmp_path: Path
) -> None:
    _, _, expansion = prepared
    records = run_suite(expansion.runs, tmp_path / "out", _LosesFirst())
    lost = records[expansion.runs[0].key]
    assert (lost["status"], lost["reason"]) == ("error", "the workers were killed")
    assert set(records) == {run.key for run in expansion.runs}
    assert [record["status"] for record in records.values()].count("error") == 1


def test_a_plan_counts_as_solved_only_where_the_validator_accepts_it(
    prepared: tuple[Suite, Folder, Expansion], tmp_path: Path
) -> None:
    _, _, expansion = prepared
    with Threads(2) as executor:
        records = run_suite(expansion.runs, tmp_path / "out", executor)
    statuses = {(record["planner"], record["instance"]): record["status"] for record in records.values()}
    assert statuses == {
        ("walker", "p01"): "solved",
        ("walker", "p02"): "solved",
        ("walker", "p05"): "exit code 3",
        ("liar", "p01"): "invalid plan",
        ("liar", "p02"): "invalid plan",
        ("liar", "p05"): "exit code 3",
    }
    run = next(run for run in expansion.runs if (run.planner, run.instance) == ("walker", "p02"))
    record = records[run.key]
    assert {key: record[key] for key in ("plan_length", "expanded", "generated", "exit_code")} == {
        "plan_length": 4,
        "expanded": 12,
        "generated": 28,
        "exit_code": 0,
    }
    assert record["seconds"] > 0
    assert record["peak_memory_mb"] > 1
    assert made_files(tmp_path / "out", run)["plan"].count("(go") == 4
    assert (
        "step 1"
        in next(record for record in records.values() if record["status"] == "invalid plan")["reason"]
    )


def test_resuming_repeats_nothing_and_starting_again_is_refused(
    prepared: tuple[Suite, Folder, Expansion], tmp_path: Path
) -> None:
    _, _, expansion = prepared
    executor = _Here()
    runs, out = expansion.runs[:2], tmp_path / "out"
    first = run_suite(runs, out, executor)
    assert len(executor.jobs) == 2
    before = (out / RESULTS).read_bytes()
    assert run_suite(runs, out, executor, resume=True) == first
    assert len(executor.jobs) == 2
    assert (out / RESULTS).read_bytes() == before
    with pytest.raises(InputError, match="--resume"):
        run_suite(runs, out, executor)


def test_a_suite_killed_and_resumed_gives_the_table_of_an_undisturbed_one(tmp_path: Path) -> None:
    folder = Folder(write_benchmarks(tmp_path / "benchmarks"))
    text = suite_text(tmp_path, tests=3, pause=0.05)
    (tmp_path / "steps.toml").write_text(text)
    suite = parse_suite(text)
    expansion = expand(suite, folder)

    def command(out: str, *more: str) -> list[str]:
        return [
            sys.executable, "-m", "trailmark", "bench", str(tmp_path / "steps.toml"), "--benchmarks",
            str(folder.root), "-o", str(tmp_path / out), "--quiet", "--json", *more,
        ]  # fmt: skip

    disturbed = tmp_path / "disturbed" / RESULTS
    with subprocess.Popen(command("disturbed", "--jobs", "2"), stdout=subprocess.DEVNULL) as process:
        _wait_until(lambda: disturbed.is_file() and disturbed.stat().st_size > 0)
        os.kill(process.pid, signal.SIGKILL)
    assert 1 <= len(read_records(disturbed)) < len(expansion.runs)
    with disturbed.open("ab") as file:
        file.write(b'{"key": "torn')
    kept = read_records(disturbed)
    done = subprocess.run(command("disturbed", "--resume"), capture_output=True, text=True, check=True)
    assert json.loads(done.stdout)["recorded"] == len(expansion.runs)
    with Threads(2) as executor:
        run_suite(expansion.runs, tmp_path / "whole", executor)
    assert _tables(suite, expansion, disturbed.parent) == _tables(suite, expansion, tmp_path / "whole")
    after = read_records(disturbed)
    assert {key: after[key] for key in kept} == kept
    assert len(disturbed.read_text().splitlines()) == len(expansion.runs)


def test_of_two_benches_in_one_folder_one_is_refused_and_the_other_is_whole(tmp_path: Path) -> None:
    root = write_benchmarks(tmp_path / "benchmarks", 2)
    (tmp_path / "steps.toml").write_text(suite_text(tmp_path, tests=2, pause=0.2))
    command = [
        sys.executable, "-m", "trailmark", "bench", str(tmp_path / "steps.toml"), "--benchmarks", str(root),
        "-o", str(tmp_path / "out"), "--quiet", "--json", "--resume",
    ]  # fmt: skip
    first = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _wait_until(lambda: (tmp_path / "out" / RESULTS).is_file())
    second = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (first.wait(), second.returncode) == (0, 2)
    assert "another run is writing these results" in json.loads(second.stdout)["message"]
    lines = (tmp_path / "out" / RESULTS).read_text().splitlines()
    assert len(lines) == len({json.loads(line)["key"] for line in lines}) == 4


def _job(command: str, seconds: float = 30.0, megabytes: float = 1000.0, clock: str = WALL) -> dict[str, Any]:
    return {
        "key": "k",
        "kind": "plan",
        "reader": "command",
        "command": ["{shell}", command],
        "seconds": seconds,
        "clock": clock,
        "megabytes": megabytes,
        "files": {},
    }


def test_a_run_past_its_time_limit_is_ended_with_its_children(tmp_path: Path) -> None:
    mark = tmp_path / "late"
    command = f"sh -c '(sleep 2; touch {mark}) & sleep 30'"
    record = run_job(_job(command, seconds=0.3))["record"]
    assert record["status"] == "time limit"
    assert record["seconds"] < 20
    time.sleep(2)
    assert not mark.exists()


SPIN = "import time\nwhile time.process_time() < {}: pass"


@needs_processor_times
@pytest.mark.parametrize(("used", "status"), [(0.6, "no plan found"), (60.0, "time limit")])
def test_a_cpu_limit_gives_the_same_beside_busy_processes(used: float, status: str) -> None:
    """All of them on one core, so that each has a part of it."""
    core = {min(os.sched_getaffinity(0))}
    beside = [subprocess.Popen([sys.executable, "-S", "-c", SPIN.format(60)]) for _ in range(3)]
    try:
        for process in beside:
            os.sched_setaffinity(process.pid, core)
        spin = f"import os; os.sched_setaffinity(0, {core})\n{SPIN.format(used)}"
        record = run_job(_job(shlex.join([sys.executable, "-S", "-c", spin]), 1.5, clock=CPU))["record"]
    finally:
        for process in beside:
            process.kill()
            process.wait()
    assert record["status"] == status
    assert record["wall_seconds"] > 1.5 * record["cpu_seconds"]
    assert record["seconds"] == record["cpu_seconds"] == pytest.approx(min(used, 1.5), abs=0.5)


@needs_processor_times
def test_the_cpu_time_of_children_counts() -> None:
    spin = shlex.join([sys.executable, "-S", "-c", SPIN.format(60)])
    command = shlex.join(["sh", "-c", f"{spin} & {spin} & wait"])
    assert run_job(_job(command, 1.0, clock=CPU))["record"]["status"] == "time limit"


def test_a_run_that_sleeps_is_ended_and_counts_as_not_run() -> None:
    record = run_job(_job("sleep 60", seconds=1.0 / CEILING, clock=CPU))["record"]
    assert record["status"] == STALLED
    assert not is_final(record)
    assert record["wall_seconds"] == pytest.approx(1.0, abs=0.9)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs the parent-death signal of Linux")
def test_a_run_ends_with_the_program_that_started_it(tmp_path: Path) -> None:
    mark = tmp_path / "pid"
    job = _job(f"sh -c 'sleep 60 & echo $! > {mark}; wait'", seconds=60)
    code = f"from trailmark.bench.runner import run_job; run_job({job!r})"
    with subprocess.Popen([sys.executable, "-c", code]) as process:
        _wait_until(lambda: mark.is_file() and mark.read_text().strip() != "")
        os.kill(process.pid, signal.SIGKILL)
    grandchild = Path(f"/proc/{mark.read_text().strip()}/cmdline")
    _wait_until(lambda: not grandchild.is_file() or "sleep" not in grandchild.read_text())


def _wait_until(condition: Callable[[], bool], seconds: float = 60) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def test_the_last_plan_that_is_whole_counts() -> None:
    files = {"domain.pddl": DOMAIN, "problem.pddl": problem(2)}
    whole = "(go s0 s1)\\n(go s1 s2)\\n"
    better = whole.replace("\\n", " \\n")
    command = f'sh -c \'printf "{whole}" > plan.1; printf "{better}" > plan.2; printf "(go s0" > plan.3\''
    answer = run_job(_job(command) | {"files": files})
    assert answer["record"]["status"] == "solved"
    assert answer["files"] == {"plan": better.replace("\\n", "\n")}


def test_a_run_past_its_memory_limit_is_ended() -> None:
    command = f'{sys.executable} -S -E -c "x = bytearray(400_000_000); import time; time.sleep(30)"'
    assert run_job(_job(command, megabytes=200))["record"]["status"] == "memory limit"


def test_a_command_that_is_not_there_is_told() -> None:
    record = run_job(_job("no-such-planner"))["record"]
    assert record["status"] == "exit code 127"
    assert "no-such-planner" in record["reason"]


def test_runs_that_need_a_failed_one_are_recorded_without_running(tmp_path: Path) -> None:
    folder = Folder(write_benchmarks(tmp_path / "benchmarks"))
    (folder.root / "steps" / "train" / "t01.pddl").write_text("(define (problem broken)")
    suite = parse_suite(
        '[learners.one]\ntraining = 1\n[planners.lm]\nlearners = ["one"]\n[[parts]]\nname = "main"\n'
        'domains = ["steps"]\ntests = [1, 2]\nplanners = ["lm"]\n'
    )
    executor = _Here()
    records = run_suite(expand(suite, folder).runs, tmp_path / "out", executor)
    assert [record["status"] for record in records.values()] == ["bad input", "no model", "no model"]
    assert len(executor.jobs) == 1


class _Answers(_Here):
    """Answers each job without running it; all graphs are equal but that of b1."""

    planned = "solved"

    def submit(self, work: Any, /, *arguments: Any, **keywords: Any) -> Future[Any]:
        return super().submit(self._answer, *arguments)

    def _answer(self, job: dict[str, Any]) -> dict[str, Any]:
        record, files = {
            PLANS: ({"status": "made"}, {"t01-1.plan": ""}),
            LEARN: ({"status": "learned", "graph": str("b1" in job["command"])}, {"model.json": "{}"}),
            PLAN: ({"status": self.planned, "expanded": len(self.jobs)}, {}),
        }[job["kind"]]
        return {"record": {"key": job["key"], "code": code_state(), **record}, "files": files}


EQUAL_GRAPHS = """
[learners.pool]
method = "paper"
config = ["b1", "b2", "b3"]
[planners.lm-g]
kind = "paper"
learners = ["pool-*"]
[planners.unpruned]
kind = "paper"
prune = false
learners = ["pool-*"]
[planners.own]
learners = ["pool-*"]
[[parts]]
name = "main"
domains = ["delivery"]
tests = [1, 2]
planners = ["lm-g", "unpruned", "own"]
"""


def test_the_same_search_along_an_equal_graph_is_run_once(tmp_path: Path) -> None:
    executor = _Answers()
    runs = expand(parse_suite(EQUAL_GRAPHS), Presets()).runs
    records = run_suite(runs, tmp_path, executor)
    assert len(executor.jobs) == 3 + 2 * (2 + 2 + 3)
    source = {run.key: run for run in runs}
    for run in runs:
        record = records[run.key]
        assert (record["learner"], record["planner"], record["instance"]) == (
            run.learner,
            run.planner,
            run.instance,
        )
        assert ("same_as" in record) == (run.learner == "pool-b3" and run.planner in ("lm-g", "unpruned"))
        if "same_as" in record:
            other = source[record["same_as"]]
            assert (other.learner, other.planner, other.instance) == ("pool-b2", run.planner, run.instance)
            assert record["expanded"] == records[other.key]["expanded"]


def test_a_record_that_says_nothing_of_the_planner_is_not_taken_over(tmp_path: Path) -> None:
    executor = _Answers()
    executor.planned = STALLED
    runs = expand(parse_suite(EQUAL_GRAPHS), Presets()).runs
    records = run_suite(runs, tmp_path, executor)
    assert len(executor.jobs) == len(runs)
    assert not any("same_as" in record for record in records.values())


def test_a_resumed_suite_takes_over_records_of_the_same_program_alone(tmp_path: Path) -> None:
    runs = expand(parse_suite(EQUAL_GRAPHS), Presets()).runs
    early = tuple(run for run in runs if run.learner != "pool-b3" or run.kind == LEARN)
    for code, fewer in ((code_state(), 4), ("another", 0)):
        executor = _Answers()
        run_suite(early, tmp_path / code, executor)
        results = tmp_path / code / RESULTS
        results.write_text(results.read_text().replace(f'"{code_state()}"', f'"{code}"'))
        run_suite(runs, tmp_path / code, executor, resume=True, mixed=True)
        assert len(executor.jobs) == len(runs) - fewer


def test_graphs_are_equal_whatever_they_were_learned_from() -> None:
    model = {"features": ["a"], "guidance": {"landmarks": [0]}, "options": {"config": "b2"}}
    assert graph_hash(json.dumps(model)) == graph_hash(json.dumps({**model, "options": {"config": "b3"}}))
    assert graph_hash(json.dumps(model)) != graph_hash(json.dumps({**model, "features": ["b"]}))


def test_from_kept_records_alone_only_what_makes_files_is_run_again(tmp_path: Path) -> None:
    several_plans = EQUAL_GRAPHS.replace('method = "paper"', 'method = "paper"\nplans = 2')
    runs = expand(parse_suite(several_plans), Presets()).runs
    executor = _Answers()
    run_suite(runs[:-1], tmp_path / "out", executor)
    keep_records(tmp_path / "out", tmp_path / "kept.json")
    take_kept_records(tmp_path / "kept.json", tmp_path / "copy")
    executor.jobs.clear()
    records = run_suite(runs, tmp_path / "copy", executor, resume=True)
    assert {job["key"] for job in executor.jobs} == {
        run.key for run in runs if run.kind in (PLANS, LEARN) or run == runs[-1]
    }
    assert records.keys() == {run.key for run in runs}
