"""`python -m tests.faults kill|cluster|interrupt|limits|soak`: see each command's `--help`."""

from __future__ import annotations

import argparse
import sys

from tests.faults import cluster, interrupt, kill, limits, soak

COMMANDS = {"kill": kill, "cluster": cluster, "interrupt": interrupt, "limits": limits, "soak": soak}


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.faults", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    for name, module in COMMANDS.items():
        module.add_options(commands.add_parser(name, help=module.__doc__, description=module.__doc__))
    options = parser.parse_args()
    return COMMANDS[options.command].run(options)


if __name__ == "__main__":
    sys.exit(main())
