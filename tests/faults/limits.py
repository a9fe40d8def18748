"""Do time and memory limits hold within 10 % over commands and large instances?"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from trailmark.bench.records import RESULTS, read_records
from trailmark.bench.suite import CPU, WALL
from trailmark.domains import domain_text, generate, train_problems
from trailmark.limits import MEGABYTE, proportional_megabytes, resident_megabytes
from trailmark.processes import children, descendants

SIZES: dict[str, dict[str, int]] = {
    "delivery": {"width": 40, "height": 40, "packages": 300},
    "logistics": {"cities": 60, "sites": 10, "packages": 300, "planes": 10},
    "blocksworld": {"blocks": 200},
    "grid": {"width": 30, "height": 30, "keys": 40, "shapes": 4, "goals": 20},
    "childsnack": {"children": 300, "allergic": 100, "trays": 20, "tables": 30},
}
BAR = 1.1
"""How much of its limit a command may take, the start of Python not counted."""

CAP_SECONDS = 20.0
"""The time given to runs under a memory limit."""

ENDINGS = (0, 2, 10, 11, 12, 13, 14)
"""Every documented way to end but an internal error."""

_SAMPLE_SECONDS = 0.005


@dataclass(frozen=True)
class Case:
    domain: str
    name: str
    words: tuple[str, ...]
    seconds: float
    megabytes: float | None = None


@dataclass(frozen=True)
class Measured:
    code: int
    start: float
    """From the start of the process until it starts its work in a process of its own."""
    seconds: float
    """From then to its end; the limit is counted from a moment before."""
    cpu: float
    """Seconds of processor time of the command and of all its descendants."""
    megabytes: float
    """The most that the processes under the limit held at one moment, shared pages counted once."""
    largest: float
    """The largest peak of one that was not the command's own: 0 where it started none."""


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--domains", nargs="+", choices=SIZES, default=list(SIZES))
    parser.add_argument("--seconds", nargs="+", type=float, default=[3.0, 10.0])
    parser.add_argument("--megabytes", nargs="+", type=float, default=[300.0, 500.0])
    parser.add_argument("--learn-seconds", type=float, default=15, help="for the model that plan uses")


def run(options: argparse.Namespace) -> int:
    wrong: list[str] = []
    header = "domain | command | limit | exit code | start s | s | of limit | CPU s | peak MB | of limit"
    print(f"| {header} | peak of a subprocess MB |")
    print("|---|---|---|---|---|---|---|---|---|---|---|")
    worst_time = worst_memory = 0.0
    with tempfile.TemporaryDirectory(prefix="faults-") as root:
        for domain in options.domains:
            folder = _inputs(Path(root) / domain, domain, options.learn_seconds)
            for case in _cases(folder, domain, options.seconds, options.megabytes):
                found = measure(list(case.words))
                share = found.seconds / case.seconds
                memory = found.megabytes / case.megabytes if case.megabytes else 0.0
                worst_time, worst_memory = max(worst_time, share), max(worst_memory, memory)
                limit = f"{case.megabytes:g} MB" if case.megabytes else f"{case.seconds:g} s"
                row = f"{domain} | {case.name} | {limit} | {found.code}"
                used = f"{found.start:.2f} | {found.seconds:.2f} | {share:.2f} | {found.cpu:.2f}"
                held = f"{found.megabytes:.0f} | {f'{memory:.2f}' if memory else ''} | {found.largest:.0f}"
                print(f"| {row} | {used} | {held} |", flush=True)
                if share > BAR or memory > BAR or found.code not in ENDINGS:
                    wrong.append(row)
            wrong += _bench(folder, domain, options.seconds[0], options.megabytes[0])
    print(f"worst: {worst_time:.3f} of a time limit, {worst_memory:.3f} of a memory limit (bar {BAR:g})")
    print("all hold" if not wrong else "beyond: " + "; ".join(wrong))
    return 1 if wrong else 0


def measure(arguments: list[str]) -> Measured:
    """A command, with the memory of what it supervises: the watchdog and the watching process are small."""
    began, cpu = time.monotonic(), _children_cpu()
    work: float | None
    process = subprocess.Popen(
        [sys.executable, "-m", "trailmark", *arguments], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    most, largest, work = 0.0, 0.0, None
    while process.poll() is None:
        for child in children(process.pid):
            if _group(child) == child and os.getsid(0) == _session(child):
                work = work or time.monotonic()
                under = descendants(child)
                largest = max(largest, *map(_peak, under), 0.0)
                most = max(most, _peak(child), _held([child, *under], most))
        time.sleep(_SAMPLE_SECONDS)
    ended = time.monotonic()
    spent = _children_cpu() - cpu
    return Measured(
        process.returncode, (work or ended) - began, ended - (work or ended), spent, most, largest
    )


def _children_cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _held(pids: list[int], above: float) -> float:
    """What processes hold now, looked at closely only where it may be more than this."""
    if sum(resident_megabytes(pid) or 0.0 for pid in pids) <= above:
        return 0.0
    return sum(proportional_megabytes(pid) or 0.0 for pid in pids)


def _group(pid: int) -> int:
    with suppress(OSError):
        return os.getpgid(pid)
    return 0


def _session(pid: int) -> int:
    """A watchdog has a session of its own."""
    with suppress(OSError):
        return os.getsid(pid)
    return 0


def _peak(pid: int) -> float:
    with suppress(OSError):
        for line in Path(f"/proc/{pid}/status").read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024 / MEGABYTE
    return 0.0


def _inputs(folder: Path, domain: str, seconds: float) -> Path:
    """A folder with a domain, training and large problems, and a model where one is learned."""
    folder.mkdir()
    (folder / "domain.pddl").write_text(domain_text(domain))
    for number, text in enumerate(train_problems(domain), start=1):
        (folder / f"t{number}.pddl").write_text(text)
    for seed in (1, 2):
        (folder / f"large{seed}.pddl").write_text(generate(domain, seed, **SIZES[domain]))
    training = [str(each) for each in sorted(folder.glob("t*.pddl"))]
    words = ["learn", str(folder / "domain.pddl"), *training, "-o", str(folder / "model.json")]
    measure([*words, "--time-limit", f"{seconds:g}", "-q"])
    return folder


def _cases(folder: Path, domain: str, seconds: list[float], megabytes: list[float]) -> Iterator[Case]:
    files = {name: str(folder / name) for name in ("domain.pddl", "large1.pddl", "large2.pddl", "model.json")}
    task = (files["domain.pddl"], files["large1.pddl"], "-q")
    models = {"none": "none", "model": files["model.json"]}
    if not Path(files["model.json"]).is_file():
        del models["model"]
    commands = {
        f"plan {name} {search}": ("plan", model, *task, "--search", search)
        for name, model in models.items()
        for search in ("auto", "leap", "astar")
        if (name, search) != ("none", "leap")
    }
    commands |= {
        f"plan {name} anytime": ("plan", model, *task, "--anytime") for name, model in models.items()
    }
    large = (files["domain.pddl"], files["large1.pddl"], files["large2.pddl"])
    commands["learn"] = ("learn", *large, "-o", str(folder / "large.json"), "-q")
    for name, words in commands.items():
        for limit in seconds:
            yield Case(domain, name, (*words, "--time-limit", f"{limit:g}"), limit)
        for limit in megabytes:
            limits = ("--memory-limit", f"{limit:g}", "--time-limit", f"{CAP_SECONDS:g}")
            yield Case(domain, name, (*words, *limits), CAP_SECONDS, limit)


def _bench(folder: Path, domain: str, seconds: float, megabytes: float) -> list[str]:
    """What a suite's records say of the limits it set for the largest test instance, by either clock."""
    out = folder / "out"
    for clock in (WALL, CPU):
        suite = folder / f"{clock}.toml"
        suite.write_text(
            f'[limits]\nclock = "{clock}"\n[planners.{clock}]\nkind = "baseline"\nsearch = "auto"\n'
            f'[[parts]]\nname = "main"\ndomains = ["{domain}"]\ntests = [30]\nplanners = ["{clock}"]\n'
        )
        limits = ["--time-limit", f"{seconds:g}", "--memory-limit", f"{megabytes:g}"]
        measure(["bench", str(suite), "-o", str(out / clock), "-q", *limits])
    wrong = []
    for record in (each for clock in (WALL, CPU) for each in read_records(out / clock / RESULTS).values()):
        share, memory = record["seconds"] / seconds, record["peak_memory_mb"] / megabytes
        row = f"{domain} | bench run, {record['clock']}, {record['status']} | {seconds:g} s, {megabytes:g} MB"
        print(f"| {row} | {record['exit_code']} | within | {record['wall_seconds']:.2f} | {share:.2f} | "
              f"{record['cpu_seconds']:.2f} | | | {record['peak_memory_mb']:.0f} |", flush=True)  # fmt: skip
        if memory > BAR or (record["clock"] == CPU and share > BAR):
            wrong.append(row)
    return wrong
