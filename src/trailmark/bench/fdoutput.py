"""What Fast Downward prints: how much was searched, and LAMA's landmark graph."""

from __future__ import annotations

import re
from typing import Any

_COUNT = re.compile(r"(?:^|\] )(Plan length|Expanded|Evaluated|Generated)[: ]+(\d+) (?:step|state)\(s\)\.", re.M)
_TIME = re.compile(r"\] Search time: ([\d.]+)s")
_DUMP = re.compile(r"^digraph G \{\n.*?^\}", re.M | re.S)


def read_search(output: str) -> dict[str, Any]:
    """The counts of a run. An anytime run has several searches: those up to the best plan are added up."""
    total = {"expanded": 0, "evaluated": 0, "generated": 0}
    search_time = 0.0
    plans: list[dict[str, Any]] = []
    length: int | None = None
    for line in output.splitlines():
        count, time = _COUNT.search(line), _TIME.search(line)
        if count and count[1] == "Plan length":
            length = int(count[2])
        elif count:
            total[count[1].lower()] += int(count[2])
        elif time:
            search_time += float(time[1])
            if length is not None:
                plans.append({**total, "search_time_s": round(search_time, 4), "plan_length": length})
                length = None
    if plans:
        return plans[-1]
    return {**total, "search_time_s": round(search_time, 4)} if total["expanded"] else {}


def read_landmark_dump(output: str) -> str | None:
    """The last landmark graph in the output, in DOT; None where there is none."""
    found = _DUMP.findall(output)
    return found[-1] + "\n" if found else None
