"""`python -m tests.differential`: all parts, or those named, from one seed."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

from tests.differential.comparison import Comparison, table

PARTS = {
    "validators": 3000,
    "val": 10_000,
    "optimal": 300,
    "heuristics": 2000,
    "discovery": 2000,
    "features": 1000,
}
"""The parts, each a module of this package with a function `compare`, and how many cases each has."""


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.differential", description=__doc__)
    parser.add_argument("parts", metavar="PART", nargs="*", help=f"one of {', '.join(PARTS)}; default: all")
    parser.add_argument("--seed", type=int, default=0, help="for all that is random")
    parser.add_argument("--count", type=int, help="cases of each part; default: hundreds to thousands")
    parser.add_argument("--save", type=Path, help="a folder for the files of cases that disagree")
    options = parser.parse_args(arguments)
    unknown = sorted(set(options.parts) - set(PARTS))
    if unknown:
        parser.error(f"unknown part {unknown[0]!r}: use {', '.join(PARTS)}")
    found: list[Comparison] = []
    for part in options.parts or PARTS:
        started = time.monotonic()
        count = options.count if options.count is not None else PARTS[part]
        found += import_module(f"tests.differential.{part}").compare(options.seed, count, options.save)
        print(f"{part}: {time.monotonic() - started:.0f} s", file=sys.stderr)
    print(table(found))
    return 1 if any(each.disagreements for each in found) else 0


if __name__ == "__main__":
    sys.exit(main())
