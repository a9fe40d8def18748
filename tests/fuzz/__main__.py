"""`python -m tests.fuzz [TARGET...] --seconds N --seed S`: fuzz targets one after the other and report."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

from tests.fuzz.runner import Crash, fuzz, save
from tests.fuzz.targets import NAMES, Target, target


def main() -> int:
    options = _options()
    wanted = [target(name) for name in options.targets or NAMES]
    if options.replay:
        return _replay(wanted, options.replay)
    found = 0
    for each in wanted:
        report = fuzz(each, options.seconds, options.seed, _keeper(each, options.crashes))
        print(report, flush=True)
        if options.outcomes:
            for name, count in report.outcomes.most_common():
                print(f"  {count:8} {name}")
        found += len(report.crashes)
    return 1 if found else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("targets", nargs="*", metavar="TARGET", help=f"of {', '.join(NAMES)}; all by default")
    parser.add_argument("--seconds", type=float, default=60, help="for each target (default: 60)")
    parser.add_argument("--seed", type=int, default=0, help="of the random choices (default: 0)")
    parser.add_argument(
        "--crashes", type=Path, default=Path("artefacts/crashes"), help="folder for inputs that go wrong"
    )
    parser.add_argument("--outcomes", action="store_true", help="list the distinct outcomes")
    parser.add_argument("--replay", type=Path, nargs="+", help="run these files once, and nothing else")
    options = parser.parse_args()
    unknown = set(options.targets) - set(NAMES)
    if unknown:
        parser.error(f"unknown target {min(unknown)!r}, known are {', '.join(NAMES)}")
    return options


def _keeper(each: Target, folder: Path) -> Callable[[Crash], None]:
    def keep(crash: Crash) -> None:
        print(f"{each.name}: {crash.kind}: {save(crash, folder, each.name)}", flush=True)

    return keep


def _replay(wanted: list[Target], paths: list[Path]) -> int:
    for each in wanted:
        for path in paths:
            print(f"{each.name} {path}: {each.one(path.read_bytes())}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
