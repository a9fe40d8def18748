"""What the results were measured on: without names of hosts or users."""

from __future__ import annotations

import hashlib
import json
import os
import platform
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Any

import trailmark
from trailmark import __version__
from trailmark.files import write_text

ABOUT = "about.json"

_CODE = (".py", ".lp")
_PACKAGES = ("pymimir", "numpy", "clingo", "fast-downward.translate", "up-fast-downward")


def write_about(folder: Path, jobs: str) -> None:
    """Notes beside the results what they are measured on."""
    folder.mkdir(parents=True, exist_ok=True)
    about = {"machine": machine(), "versions": versions(), "jobs": jobs}
    write_text(folder / ABOUT, json.dumps(about, indent=1) + "\n")


def read_about(folder: Path) -> dict[str, Any]:
    """What the results in this folder were measured on; this machine where it was not noted."""
    path = folder / ABOUT
    if path.is_file():
        return dict(json.loads(path.read_text(encoding="utf-8")))
    return {"machine": machine(), "versions": versions(), "jobs": "unknown"}


@cache
def code_state() -> str:
    """A short hash of this program's source without its benchmarks: results of two states do not mix."""
    package = Path(trailmark.__file__).parent
    digest = hashlib.sha256()
    for path in sorted(each for each in package.rglob("*") if each.suffix in _CODE):
        if "bench" not in path.relative_to(package).parts:
            digest.update(path.name.encode() + path.read_bytes())
    return digest.hexdigest()[:8]


def machine() -> dict[str, str]:
    """Processor, cores and memory."""
    return {
        "processor": _processor(),
        "cores": str(os.cpu_count() or "?"),
        "memory": _memory(),
        "system": f"{platform.system()} {platform.release()}",
    }


def versions() -> dict[str, str]:
    """Of this program, Python and what the measurements depend on."""
    found = {"trailmark": __version__, "Python": platform.python_version()}
    for name in _PACKAGES:
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return found


def _processor() -> str:
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return " ".join(line.split(":", 1)[1].split())
    except OSError:
        pass
    return platform.machine()


def _memory() -> str:
    try:
        return f"{os.sysconf('SC_PAGE_SIZE') * os.sysconf('SC_PHYS_PAGES') / 1e9:.0f} GB"
    except (ValueError, OSError, AttributeError):
        return "?"
