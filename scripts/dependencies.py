"""What the lock brings in: its licences, its known vulnerabilities from a folder of advisories, and the bill
of materials of a release.

    python scripts/dependencies.py licences                 a table; exit code 1 for one that is not allowed
    python scripts/dependencies.py audit ADVISORIES         exit code 1 for a package with an advisory
    python scripts/dependencies.py sbom                     CycloneDX 1.6 in JSON, on stdout

ADVISORIES is a folder of advisories in OSV's format, one JSON file each, such as the unpacked PyPI part of
the OSV database: the same question that pip-audit asks a service, where no service can be reached.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Any, NamedTuple
from uuid import NAMESPACE_URL, uuid5

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import InvalidVersion, Version

LOCK = Path(__file__).parents[1] / "requirements" / "dev.txt"
_PIN = re.compile(r"^([A-Za-z0-9_.-]+(?:\[\S+\])?==\S+(?: ;.*?)?) \\$")

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


def sbom() -> dict[str, Any]:
    """The lock as CycloneDX: versions, hashes, licences, and what needs what. It does not say when and where
    it was made, so that equal locks give equal text. What only development needs has the scope `excluded`."""
    lock = LOCK.read_text(encoding="utf-8")
    entries = [entry for entry in re.split(r"^(?=[A-Za-z0-9])", lock, flags=re.MULTILINE) if entry]
    packages = [_package(pin, entry) for pin, entry in zip(pins(), entries, strict=True)]
    needed = _needed(packages)
    components = [
        {
            "type": "library",
            "bom-ref": package.purl,
            "name": package.name,
            "version": package.version,
            "purl": package.purl,
            "scope": "required" if package.name in needed else "excluded",
            "licenses": [{"license": {"name": told}} for told in _told_licences().get(package.name, ())],
            "externalReferences": [{"type": "distribution", "url": package.page, "hashes": package.hashes}],
        }
        for package in packages
    ]
    root = f"pkg:pypi/trailmark@{_version()}"
    links = {root: [each.purl for each in packages if each.name in _direct()]}
    for package in packages:
        links[package.purl] = [each.purl for each in packages if package.name in each.via]
    document = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {
            "component": {
                "type": "library",
                "bom-ref": root,
                "name": "trailmark",
                "version": _version(),
                "purl": root,
                "licenses": [{"license": {"id": "GPL-3.0-or-later"}}],
            }
        },
        "components": components,
        "dependencies": [{"ref": ref, "dependsOn": needs} for ref, needs in links.items()],
    }
    number = uuid5(NAMESPACE_URL, json.dumps(document, sort_keys=True))
    return {**document, "serialNumber": f"urn:uuid:{number}"}


class _Package(NamedTuple):
    """One version of the lock."""

    name: str
    version: str
    hashes: list[dict[str, str]]
    """Of its files: an installation takes one of them."""
    via: frozenset[str]
    """The packages that need it."""

    @property
    def purl(self) -> str:
        return f"pkg:pypi/{self.name}@{self.version}"

    @property
    def page(self) -> str:
        return f"https://pypi.org/project/{self.name}/{self.version}/"


def _package(pin: Requirement, entry: str) -> _Package:
    hashes = re.findall(r"--hash=sha256:([0-9a-f]{64})", entry)
    via = re.findall(r"^    #(?: via)? +([A-Za-z0-9_.-]+)$", entry, re.MULTILINE)
    return _Package(
        canonicalize_name(pin.name),
        next(iter(pin.specifier)).version,
        [{"alg": "SHA-256", "content": each} for each in hashes],
        frozenset(map(canonicalize_name, via)),
    )


def _needed(packages: list[_Package]) -> set[str]:
    """The names of what a user's installation needs, directly or through others."""
    needed = _direct()
    while more := {each.name for each in packages if each.via & needed} - needed:
        needed |= more
    return needed


def _direct() -> set[str]:
    text = (LOCK.parents[1] / "pyproject.toml").read_text(encoding="utf-8")
    block = re.search(r"^dependencies = \[\n(.*?)^\]", text, re.MULTILINE | re.DOTALL)
    assert block is not None
    names = re.findall(r'^  "([^"]+)",$', block[1], re.MULTILINE)
    return {canonicalize_name(Requirement(each).name) for each in names}


def _version() -> str:
    text = (LOCK.parents[1] / "src" / "trailmark" / "__init__.py").read_text(encoding="utf-8")
    found = re.search(r'^__version__ = "(.+)"$', text, re.MULTILINE)
    assert found is not None
    return found[1]


@cache
def _told_licences() -> dict[str, list[str]]:
    """The table of docs/dependencies.md, which `licences` prints; packages of other systems are not in it."""
    text = (LOCK.parents[1] / "docs" / "dependencies.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `([^`]+)` \| [^|]+ \| ([^|]+) \|$", text, re.MULTILINE)
    return {canonicalize_name(name): [told] for name, told in rows}


def main(arguments: list[str]) -> int:
    if arguments == ["licences"]:
        return licences()
    if arguments == ["sbom"]:
        print(json.dumps(sbom(), indent=2))
        return 0
    if len(arguments) == 2 and arguments[0] == "audit":
        return audit(Path(arguments[1]))
    print(__doc__, file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
