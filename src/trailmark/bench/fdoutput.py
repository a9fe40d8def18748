"""What Fast Downward prints: how much was searched, and LAMA's landmark graph."""

from __future__ import annotations

import re
from typing import Any

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
