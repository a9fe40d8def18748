"""Learn and plan again and again in one process, and watch its memory, file handles and threads."""

from __future__ import annotations

import argparse
import ctypes
import gc
import os
import sys
import tempfile
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import trailmark
from trailmark.domains import domain_text, generate
from trailmark.errors import NoGraphError
from trailmark.limits import MEGABYTE, resident_megabytes
from trailmark.processes import children

INSTANCES: tuple[tuple[str, list[dict[str, int]], dict[str, int]], ...] = (
    ("gripper", [{"balls": 1}, {"balls": 2}, {"balls": 3}], {"balls": 6}),
    ("delivery", [{"width": 2, "height": 2, "packages": n} for n in (1, 2, 3)], {"packages": 3}),
    ("ferry", [{"locations": 3, "cars": n} for n in (1, 2, 3)], {"cars": 5}),
    ("miconic", [{"floors": 3, "passengers": n} for n in (1, 2, 3)], {"passengers": 5}),
    ("visitall", [{"width": 2, "height": n} for n in (2, 3, 4)], {"width": 4}),
    ("blocksworld", [{"blocks": 3}, {"blocks": 4}, {"blocks": 4}], {"blocks": 5}),
)
"""A domain, the sizes of its training instances, and the size of the one to plan."""

COUNTER_EVERY = 7
"""One cycle in so many learns counter-first, which takes longer; 7 so that all domains have their turn."""

SEARCHES = ("auto", "leap", "astar", "gbfs")

LEARN_SECONDS = 4.0
"""For a model by the server, whose tool has no other option to make it quick. Where it is not enough, plans
are made without one."""

BAR_BYTES = 1_000.0
BAR_BLOCKS = 1.0
"""The growth a cycle of what is given out that counts as flat: 1 MB by C's allocator in 1,000 cycles, and
1,000 pieces by Python's."""
BAR_SHARE = 1.05
"""The resident memory at the end against that after the first cycles. Python takes it by the megabyte,
and one that holds a single object is kept, so a line through it says little."""


BYTES, BLOCKS, GIVEN_OUT, HANDLES, THREADS, PROCESSES = range(6)
"""What is measured after each cycle: resident bytes, pieces of memory that Python's own objects hold, bytes
that C's allocator has given out, and what is open or running. The table is there from the start, so that
measuring adds nothing to it."""


class _MallInfo(ctypes.Structure):
    """What C's `mallinfo2` returns."""

    _fields_ = tuple(
        (name, ctypes.c_size_t)
        for name in (
            "arena", "ordblks", "smblks", "hblks", "hblkhd", "usmblks", "fsmblks", "uordblks", "fordblks",
            "keepcost",
        )
    )  # fmt: skip


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--cycles", type=int, default=1000)
    parser.add_argument("--warm-up", type=int, default=0, help="cycles not counted (default: a fifth)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--plans", type=int, default=1, help="with each model (default: 1)")
    parser.add_argument("--server", action="store_true", help="through the tools of `trailmark mcp`")
    parser.add_argument(
        "--distinct", type=int, help="cycles after which the same tasks come again (default: never)"
    )


def run(options: argparse.Namespace) -> int:
    warnings.simplefilter("ignore", UserWarning)
    warm_up = options.warm_up or options.cycles // 5
    samples = np.zeros((options.cycles, 6), dtype=np.int64)
    solved = without = 0
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="faults-soak-") as root, ExitStack() as stack:
        tempfile.tempdir = root
        use = stack.enter_context(_served()) if options.server else _used
        for cycle in range(options.cycles):
            number = cycle % (options.distinct or options.cycles)
            ended = _cycle(number, options.seed, Path(root) / "files", options.plans, use)
            solved += ended or 0
            without += ended is None
            _tidy()
            samples[cycle] = _sample()
            if (cycle + 1) % max(1, options.cycles // 20) == 0:
                print(f"{cycle + 1:6} cycles {samples[cycle, BYTES] / MEGABYTE:8.2f} MB", flush=True)
        left = sorted(each.name for each in Path(root).iterdir() if each.name != "files")
    seconds = time.monotonic() - began
    return _report(samples, warm_up, solved, without, seconds, left)


Use = Callable[[Path, list[Path], Path, str, str, int], int | None]
"""Learns from problems and plans another one so many times: how often it was solved, None without a graph."""


def _cycle(cycle: int, seed: int, folder: Path, plans: int, use: Use) -> int | None:
    name, training, test = INSTANCES[cycle % len(INSTANCES)]
    method = "chain" if cycle % COUNTER_EVERY else "counter"
    search = SEARCHES[cycle // len(INSTANCES) % len(SEARCHES)]
    folder.mkdir(exist_ok=True)
    domain = folder / "domain.pddl"
    domain.write_text(domain_text(name))
    problems = [folder / f"t{number}.pddl" for number in range(len(training))]
    first = seed + cycle * len(problems)
    for number, (path, sizes) in enumerate(zip(problems, training, strict=True)):
        path.write_text(generate(name, first + number, **sizes))
    problem = folder / "test.pddl"
    problem.write_text(generate(name, seed + cycle, **test))
    return use(domain, problems, problem, method, search, plans)


def _used(
    domain: Path, problems: list[Path], problem: Path, method: str, search: str, plans: int
) -> int | None:
    """In this process."""
    path = domain.parent / "model.json"
    try:
        trailmark.learn(domain, problems, method=method, complexity=5, feature_limit=300).save(path)
    except NoGraphError:
        return None
    model = trailmark.load(path, domain)
    solved = 0
    for _ in range(plans):
        solution = model.plan(problem, search=search, time_limit=5)
        if solution.result.steps is not None:
            model.explain(solution)
            solved += 1
    return solved


@contextmanager
def _served() -> Iterator[Use]:
    """By a client of the server, which is in this process, too."""
    from anyio.from_thread import start_blocking_portal
    from mcp import Client

    from trailmark.integrations.mcp_server import server

    with start_blocking_portal() as portal, portal.wrap_async_context_manager(Client(server())) as client:

        def call(tool: str, **arguments: object) -> str:
            return str(portal.call(client.call_tool, tool, arguments).structured_content["status"])

        def use(
            domain: Path, problems: list[Path], problem: Path, method: str, search: str, plans: int
        ) -> int | None:
            path, files = str(domain.parent / "model.json"), [str(each) for each in problems]
            learned = call("learn", domain=str(domain), problems=files, output=path, time_limit=LEARN_SECONDS)
            model = path if learned == "learned" else "none"
            task = {"model": model, "domain": str(domain), "problem": str(problem)}
            output = str(domain.parent / "plan")
            return sum(call("plan", output=output, **task) == "solved" for _ in range(plans))

        yield use


def _tidy() -> None:
    """Has Python and C give back what is free, so that what is measured is held."""
    gc.collect()
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)


def _given_out() -> int:
    """The bytes that C's allocator has given out, mapped ones too; 0 where it does not tell."""
    try:
        ask = ctypes.CDLL(None).mallinfo2
    except AttributeError:
        return 0
    ask.restype = _MallInfo
    told = ask()
    return int(told.uordblks + told.hblkhd)


def _sample() -> tuple[int, ...]:
    return (
        int((resident_megabytes() or 0.0) * MEGABYTE),
        sys.getallocatedblocks(),
        _given_out(),
        len(os.listdir("/proc/self/fd")),
        threading.active_count(),
        len(children(os.getpid())),
    )


def _report(
    samples: NDArray[np.int64], warm_up: int, solved: int, without: int, seconds: float, left: list[str]
) -> int:
    counted = samples[warm_up:]
    memory = counted[:, BYTES] / MEGABYTE
    slopes = np.polyfit(np.arange(len(counted)), counted, 1)[0]
    handles = sorted(set(counted[:, HANDLES].tolist()))
    threads = sorted(set(counted[:, THREADS].tolist()))
    processes = samples[-1, PROCESSES]
    print(f"{len(samples)} cycles in {seconds:.0f} s: {solved} solved, {without} without a graph")
    print(f"memory after {warm_up} cycles: {memory[0]:.1f} MB, at the end {memory[-1]:.1f}, "
          f"least {memory.min():.1f}, most {memory.max():.1f}")  # fmt: skip
    held = ((GIVEN_OUT, "bytes by C's allocator", BAR_BYTES), (BLOCKS, "pieces by Python's", BAR_BLOCKS))
    for column, what, bar in held:
        print(f"given out: {counted[0, column]} {what}, at the end {counted[-1, column]}, "
              f"by a line through them {slopes[column]:.2f} a cycle (bar {bar:g})")  # fmt: skip
    print(f"open file handles: {handles}; threads {threads}, children {processes}, left {left}")
    fine = (
        slopes[GIVEN_OUT] <= BAR_BYTES
        and slopes[BLOCKS] <= BAR_BLOCKS
        and memory[-1] <= BAR_SHARE * memory[0]
        and len(handles) == len(threads) == 1
        and (processes, left) == (0, [])
    )
    print("flat" if fine else "not flat")
    return 0 if fine else 1
