"""One run in a process of its own: `python -m trailmark.bench.worker PARENT` with a job on stdin.

The worker writes the job's files into a folder of its own, runs the command there under the limits,
reads what it printed, validates its plan by the independent executor, and prints the record.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import resource
import shlex
import signal
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from trailmark.bench.records import STALLED, Record, code_state
from trailmark.bench.suite import CEILING, CPU
from trailmark.errors import ExitCode, TrailmarkError
from trailmark.files import scratch_folder
from trailmark.limits import MEGABYTE
from trailmark.processes import end_with
from trailmark.supervision import Ending, Outcome, supervise

SOLVED, INVALID, UNAVAILABLE, LEARNED, MADE = "solved", "invalid plan", "unavailable", "learned", "made"
_Files = dict[str, str]
"""Texts by the names of their files."""
Answer = dict[str, Any]
"""The record of a run, and the files that it made."""
LOG_TAIL = 300
"""How many characters of its error output the record of a run keeps that has made nothing."""

_ENDED = ("UNSOLVABLE", "NO_PLAN_FOUND", "TIME_LIMIT", "MEMORY_LIMIT", "NO_GRAPH", "BAD_INPUT")
_OUR_ENDINGS = {int(ExitCode[name]): name.lower().replace("_", " ") for name in _ENDED}
_OUR_ENDINGS[ExitCode.INTERNAL] = "error"
_THEIR_ENDINGS = {
    11: "unsolvable", 12: "no plan found", 21: "time limit", 22: "memory limit", 23: "time limit",
    24: "memory limit",
}  # fmt: skip
_ENDINGS: dict[str, Mapping[int, str]] = {
    "command": {ExitCode.DONE: "no plan found"},
    "fast-downward": _THEIR_ENDINGS,
    "landmarks": _THEIR_ENDINGS,
}
"""What exit codes mean, by who reads the run; those of this program where nothing else is said."""
_PLAN_KEYS = (
    "plan_length", "cost", "expanded", "generated", "evaluated", "search_time_s", "strategy", "landmarks",
)  # fmt: skip
_LEARN_KEYS = ("nodes", "loops", "loop_edges", "features", "times", "method", "trajectories", "satisfied")


def main() -> int:
    # SIGTERM, unlike SIGKILL, lets the supervision end the run's own children too.
    parent = int(sys.argv[1])
    if not end_with(parent, signal.SIGTERM):
        return int(ExitCode.INTERRUPTED)
    job = json.load(sys.stdin)
    with scratch_folder("trailmark-run-") as folder:
        answer = execute(job, folder, parent)
    if answer is None:
        return int(ExitCode.INTERRUPTED)
    json.dump(answer, sys.stdout, allow_nan=False)
    return 0


def execute(job: dict[str, Any], folder: Path, parent: int | None = None) -> Answer | None:
    """The record of a job and the files it made; None where it was interrupted."""
    for name, text in job["files"].items():
        (folder / name).write_text(text, encoding="utf-8")
    try:
        command = _filled(job["command"], folder)
    except TrailmarkError as problem:
        return {"record": {"status": UNAVAILABLE, "reason": str(problem)}, "files": {}}
    code, by_cpu, started = code_state(), job["clock"] == CPU, time.monotonic()
    outcome = supervise(
        lambda: _become(command, folder),
        wall_limit(job),
        job["megabytes"],
        cpu_limit=job["seconds"] if by_cpu else None,
        only_under=parent,
    )
    wall_seconds = round(time.monotonic() - started, 3)
    if outcome.ending is Ending.INTERRUPTED:
        return None
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu_seconds = round(used.ru_utime + used.ru_stime, 3)
    record: Record = {
        "clock": job["clock"],
        "seconds": cpu_seconds if by_cpu else wall_seconds,
        "cpu_seconds": cpu_seconds,
        "wall_seconds": wall_seconds,
        "peak_memory_mb": round(used.ru_maxrss * 1024 / MEGABYTE, 1),
        "exit_code": outcome.exit_code,
    }
    if "trailmark" in job["command"]:
        record["code"] = code
    known = _ENDINGS.get(job["reader"], _OUR_ENDINGS)
    told = known.get(outcome.exit_code, f"exit code {outcome.exit_code}")
    record["status"] = told if outcome.ending is Ending.EXITED else outcome.ending.value
    made = _READERS[job["reader"]](record, outcome, folder)
    if not made and (log := " ".join(_text(folder / "stderr.txt").split())):
        record.setdefault("reason", log[-LOG_TAIL:].replace(str(folder), ""))
    if outcome.ending is Ending.TIME_LIMIT and record["seconds"] < job["seconds"]:
        record["status"] = STALLED
    return {"record": record, "files": made}


def wall_limit(job: dict[str, Any]) -> float:
    return float(job["seconds"] * (CEILING if job["clock"] == CPU else 1))


def _filled(words: list[str], folder: Path) -> list[str]:
    if words[0] == "{shell}":
        places = {name: str(folder / f"{name}.pddl") for name in ("domain", "problem")}
        places["plan"] = str(folder / "plan")
        command = words[1]
        for name, path in places.items():
            command = command.replace("{" + name + "}", shlex.quote(path))
        return shlex.split(command)
    filled = {"{python}": sys.executable}
    if "{fast-downward}" in words:
        from trailmark.search.fast_downward import driver

        filled["{fast-downward}"] = driver()
    return [filled.get(word, word) for word in words]


def _become(command: list[str], folder: Path) -> int:
    """The supervised child becomes the command, so that it dies with this process."""
    os.chdir(folder)
    for number, name in ((1, "stdout.txt"), (2, "stderr.txt")):
        handle = os.open(name, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o666)
        os.dup2(handle, number)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)
    try:
        os.execvp(command[0], command)
    except OSError as problem:
        os.write(2, f"{command[0]}: {problem.strerror}\n".encode())
        return 127


def _read_plan(record: Record, outcome: Outcome, folder: Path) -> _Files:
    """An external planner may print the same JSON as `trailmark plan`; its plan file is what counts."""
    record |= _counts(folder, _PLAN_KEYS)
    return _judged(record, outcome, folder)


def _read_fast_downward(record: Record, outcome: Outcome, folder: Path) -> _Files:
    record |= read_search(_text(folder / "stdout.txt"))
    return _judged(record, outcome, folder)


_COUNT = re.compile(
    r"(?:^|\] )(Plan length|Expanded|Evaluated|Generated)[: ]+(\d+) (?:step|state)\(s\)\.", re.M
)
_TIME = re.compile(r"\] Actual search time: ([\d.]+)s")
_DUMP = re.compile(r"^digraph G \{\n.*?^\}", re.M | re.S)


def read_search(output: str) -> dict[str, Any]:
    """The counts of a run. An anytime run has several searches: those up to the best plan are added up."""
    counts = {"expanded": 0, "evaluated": 0, "generated": 0}
    search_time = 0.0
    found: dict[str, Any] = {}
    length: int | None = None
    for line in output.split("Cumulative statistics:", 1)[0].splitlines():
        count, time = _COUNT.search(line), _TIME.search(line)
        if time:
            search_time += float(time[1])
        elif count and count[1] == "Plan length":
            length = int(count[2])
        elif count:
            counts[count[1].lower()] += int(count[2])
        # A search's counts end with the generated states.
        if count and count[1] == "Generated" and (length is not None or "plan_length" not in found):
            found = {**counts, "search_time_s": round(search_time, 4)}
            if length is not None:
                found["plan_length"] = length
            length = None
    return found


def read_landmark_dump(output: str) -> str | None:
    """The last landmark graph in the output, in DOT; None where there is none."""
    found = _DUMP.findall(output)
    return found[-1] + "\n" if found else None


def _judged(record: Record, outcome: Outcome, folder: Path) -> _Files:
    """Solved is what has a plan that our own executor accepts; the last plan written is the best."""
    from trailmark.search.fast_downward import written_plans
    from trailmark.task import Task, read_plan, validate

    # An anytime planner that is ended while it writes leaves a last plan that is not whole.
    for path in reversed(written_plans(folder)):
        try:
            plan = read_plan(path)
            verdict = validate(Task.load(folder / "domain.pddl", folder / "problem.pddl"), plan)
        except TrailmarkError as problem:
            reason = str(problem).replace(str(folder), "")
        else:
            if verdict:
                record.pop("reason", None)
                record |= {"status": SOLVED, "plan_length": len(plan), "cost": verdict.cost}
                return {"plan": path.read_text()}
            reason = verdict.reason
        record["reason"] = reason
        if outcome.ending is Ending.EXITED:
            record["status"] = INVALID
    return {}


def _read_learn(record: Record, outcome: Outcome, folder: Path) -> _Files:
    record |= _counts(folder, _LEARN_KEYS)
    model = _text(folder / "model.json")
    if not (_is_done(outcome) and model):
        return {}
    record |= {"status": LEARNED, "graph": graph_hash(model)}
    return {"model.json": model}


def graph_hash(model: str) -> str:
    """Equal for models with the same guidance, whatever it was learned from."""
    document = json.loads(model)
    guidance = json.dumps([document["features"], document["guidance"]], sort_keys=True)
    return hashlib.sha256(guidance.encode()).hexdigest()[:32]


def _read_plans(record: Record, outcome: Outcome, folder: Path) -> _Files:
    """Makes of each training instance one copy for each plan: equal problems, different plans."""
    if not _is_done(outcome):
        return {}
    record["status"] = MADE
    made = {}
    for path in sorted(folder.glob("t*-*.plan")):
        made[path.name] = path.read_text()
        made[f"{path.stem}.pddl"] = _text(folder / f"{path.stem.rsplit('-', 1)[0]}.pddl")
    return made


def _read_landmarks(record: Record, outcome: Outcome, folder: Path) -> _Files:
    dot = read_landmark_dump(_text(folder / "stdout.txt"))
    if not dot:
        return {}
    record["status"] = MADE
    return {"lama.dot": dot}


def _is_done(outcome: Outcome) -> bool:
    return outcome.ending is Ending.EXITED and outcome.exit_code == 0


def _counts(folder: Path, keys: Sequence[str]) -> Record:
    """What a run printed as JSON under these keys."""
    try:
        found = json.loads(_text(folder / "stdout.txt"))
    except ValueError:
        return {}
    return {key: found[key] for key in keys if key in found} if isinstance(found, dict) else {}


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8", errors="replace") if path.is_file() else ""


_READERS = {
    "plan": _read_plan,
    "command": _read_plan,
    "fast-downward": _read_fast_downward,
    "learn": _read_learn,
    "plans": _read_plans,
    "landmarks": _read_landmarks,
}

if __name__ == "__main__":
    sys.exit(main())
