"""What a state costs in memory, by search and domain.

    python benchmarks/memory.py [--domains ...] [--fewer N] [--more N]

Each search runs twice in a process of its own, ended after a smaller and after a larger number of states
that it keeps. The difference of the two peaks of resident memory, divided by the difference of the
numbers, is the cost of a state, with the engine's share of it. No heuristic guides the searches, so that
none ends early; one would cost the same in every state. A* keeps what it has reached. The lazy search is
counted by the states it has evaluated. Leap search is
given a landmark that is never reached, so that one leap keeps everything it generates; in ordinary use every
commit forgets that.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Callable

from trailmark.domains import domain_text, generate
from trailmark.landmarks.text import parse_graph
from trailmark.limits import MEGABYTE, peak_megabytes
from trailmark.search.best_first import BestFirstOptions, best_first
from trailmark.search.guide import LandmarkGuide
from trailmark.search.lazy import lazy_greedy
from trailmark.search.leap import LeapOptions, Level
from trailmark.search.leap.search import leap
from trailmark.task import Domain, Task

SIZES: dict[str, dict[str, int]] = {
    "gripper": {"balls": 30},
    "delivery": {"width": 9, "height": 9, "packages": 9},
    "blocksworld": {"blocks": 20},
    "logistics": {"cities": 6, "sites": 3, "packages": 12, "planes": 2},
    "visitall": {"width": 12, "height": 12},
}
SEED = 1
NEVER = "landmark\n n_count(c_top) > 1000000\n"
OUT_OF_REACH = parse_graph(NEVER)


def astar(task: Task, states: int) -> int:
    options = BestFirstOptions(max_states=states)
    return best_first(task, lambda _: 0.0, None, options).statistics.evaluated


def guided(task: Task, states: int) -> int:
    """A* that keeps the landmark status of every state too."""
    options = BestFirstOptions(max_states=states)
    return best_first(task, lambda _: 0.0, LandmarkGuide(task, OUT_OF_REACH), options).statistics.evaluated


def lazy(task: Task, states: int) -> int:
    return lazy_greedy(task, lambda _: (0.0, []), max_states=states).statistics.evaluated


def leaping(level: Level) -> Callable[[Task, int], int]:
    def search(task: Task, states: int) -> int:
        options = LeapOptions(levels=(level,), novelty_two_limit=10 * states, max_generated=states)
        return leap(task, OUT_OF_REACH, options).statistics.generated

    return search


SEARCHES: dict[str, Callable[[Task, int], int]] = {
    "A*": astar,
    "A* + landmarks": guided,
    "lazy": lazy,
    "leap, novelty 2": leaping(Level.NOVELTY_TWO),
}


def one(search: str, domain: str, states: int) -> dict[str, float]:
    """The measurement of this process."""
    task = Task.parse(Domain.parse(domain_text(domain)), generate(domain, SEED, **SIZES[domain]))
    kept = SEARCHES[search](task, states)
    return {"states": kept, "megabytes": peak_megabytes()}


def bytes_a_state(search: str, domain: str, sizes: tuple[int, int]) -> float | None:
    found = []
    for states in sizes:
        words = [sys.executable, __file__, "--one", search, domain, str(states)]
        done = subprocess.run(words, capture_output=True, text=True, check=True)
        found.append(json.loads(done.stdout))
    fewer, more = found
    if more["states"] - fewer["states"] < (sizes[1] - sizes[0]) / 2:
        return None
    return (more["megabytes"] - fewer["megabytes"]) * MEGABYTE / (more["states"] - fewer["states"])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--domains", nargs="+", choices=SIZES, default=list(SIZES))
    parser.add_argument("--fewer", type=int, default=10_000)
    parser.add_argument("--more", type=int, default=40_000)
    parser.add_argument("--one", nargs=3, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        search, domain, states = options.one
        print(json.dumps(one(search, domain, int(states))))
        return
    print(f"bytes a state, between {options.fewer} and {options.more} states")
    print("| domain | " + " | ".join(SEARCHES) + " |")
    print("|---|" + "---|" * len(SEARCHES))
    for domain in options.domains:
        cells = [bytes_a_state(search, domain, (options.fewer, options.more)) for search in SEARCHES]
        print(f"| {domain} | " + " | ".join("-" if each is None else f"{each:.0f}" for each in cells) + " |",
              flush=True)  # fmt: skip


if __name__ == "__main__":
    main()
