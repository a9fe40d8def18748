"""What the lock brings in: its licences, and its known vulnerabilities from a folder of advisories.

    python scripts/dependencies.py licences                 a table; exit code 1 for one that is not allowed
    python scripts/dependencies.py audit ADVISORIES         exit code 1 for a package with an advisory

ADVISORIES is a folder of advisories in OSV's format, one JSON file each, such as the unpacked PyPI part of
the OSV database: the same question that pip-audit asks a service, where no service can be reached.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import InvalidVersion, Version

LOCK = Path(__file__).parents[1] / "requirements" / "dev.txt"
_PIN = re.compile(r"^([A-Za-z0-9_.-]+==\S+(?: ;.*?)?) \\$")

ALLOWED = re.compile(
    r"MIT|BSD|Apache|PSF|Python|ISC|MPL-?2|Mozilla|GPL-?3|GNU General Public License (v|Version )3|HPND|Zlib"
    r"|Unlicense|CC0|Public Domain",
    re.IGNORECASE,
)
"""Licences whose programs may be used together with one under the GPL, version 3 or later."""


def pins() -> list[Requirement]:
    """The lock's packages, each with its one version and for which Pythons it is."""
    lines = LOCK.read_text(encoding="utf-8").splitlines()
    return [Requirement(match[1]) for line in lines if (match := _PIN.match(line))]


def licence(name: str) -> str:
    """What a package says of itself: the expression, else its classifiers, else the field of old."""
    about = metadata.metadata(name)
    if about.get("License-Expression"):
        return str(about["License-Expression"])
    found = [
        each.rpartition(" :: ")[2]
        for each in about.get_all("Classifier") or ()
        if each.startswith("License ::")
    ]
    if any(each != "OSI Approved" for each in found):
        return ", ".join(found)
    lines = str(about.get("License") or "").strip().splitlines()
    return lines[0][:60] if lines else _from_file(name)


def _from_file(name: str) -> str:
    """The first words of the licence file, for a package whose description has no licence."""
    for path in metadata.files(name) or ():
        if path.name.upper().startswith(("LICEN", "COPYING")) and ".dist-info" in str(path):
            return " ".join(" ".join(path.read_text(encoding="utf-8").split()[:6]).split())
    return "not told"


def licences() -> int:
    wrong = 0
    print("| package | version | licence |\n|---|---|---|")
    for pin in pins():
        if pin.marker is not None and not pin.marker.evaluate():
            continue
        found = licence(pin.name)
        print(f"| `{pin.name}` | {metadata.version(pin.name)} | {found} |")
        if not ALLOWED.search(found):
            print(f"{pin.name}: {found} is not among the licences that are allowed", file=sys.stderr)
            wrong += 1
    return 1 if wrong else 0


def audit(folder: Path) -> int:
    found = 0
    versions = [(canonicalize_name(pin.name), next(iter(pin.specifier)).version) for pin in pins()]
    read = 0
    for path in sorted(folder.rglob("*.json")):
        read += 1
        advisory = json.loads(path.read_text(encoding="utf-8"))
        for name, version in versions:
            if "withdrawn" not in advisory and any(
                concerns(each, name, version) for each in advisory.get("affected", ())
            ):
                print(f"{name} {version}: {advisory['id']} {advisory.get('summary', '')}".rstrip())
                found += 1
    print(f"{found} findings for {len(versions)} pinned versions in {read} advisories", file=sys.stderr)
    return 1 if found or not read else 0


def concerns(affected: dict[str, Any], name: str, version: str) -> bool:
    """Whether one `affected` part of an advisory is about this version of this package."""
    package = affected.get("package", {})
    if package.get("ecosystem") != "PyPI" or canonicalize_name(package.get("name", "")) != name:
        return False
    if version in affected.get("versions", ()):
        return True
    ranges = (each for each in affected.get("ranges", ()) if each.get("type") == "ECOSYSTEM")
    return any(_inside(each.get("events", ()), Version(version)) for each in ranges)


def _inside(events: list[dict[str, str]], version: Version) -> bool:
    inside = False
    for kind, bound in sorted(_bounds(events), key=lambda each: each[1]):
        if kind == "introduced" and version >= bound:
            inside = True
        elif (kind == "fixed" and version >= bound) or (kind == "last_affected" and version > bound):
            inside = False
    return inside


def _bounds(events: list[dict[str, str]]) -> Iterator[tuple[str, Version]]:
    for event in events:
        for kind, text in event.items():
            try:
                yield kind, Version(text)
            except InvalidVersion:
                continue


def main(arguments: list[str]) -> int:
    if arguments == ["licences"]:
        return licences()
    if len(arguments) == 2 and arguments[0] == "audit":
        return audit(Path(arguments[1]))
    print(__doc__, file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
