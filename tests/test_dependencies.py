"""The lock satisfies what the project asks for on every Python it supports, with a hash for everything."""

from __future__ import annotations

import importlib.util
import json
import re
import sys
from pathlib import Path
from types import ModuleType

import pytest
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).parents[1]
LOCK = (ROOT / "requirements" / "dev.txt").read_text()
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
PYTHONS = ("3.10", "3.11", "3.12", "3.13")


@pytest.fixture(scope="module")
def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("dependencies", ROOT / "scripts" / "dependencies.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def environment(python: str) -> dict[str, str]:
    return {
        "python_version": python,
        "python_full_version": f"{python}.1",
        "sys_platform": "linux",
        "platform_system": "Linux",
        "platform_machine": "x86_64",
        "os_name": "posix",
        "implementation_name": "cpython",
        "platform_python_implementation": "CPython",
    }


def applies(requirement: Requirement, python: str) -> bool:
    return requirement.marker is None or requirement.marker.evaluate(environment(python))


@pytest.mark.parametrize("python", PYTHONS)
def test_the_lock_has_a_version_that_fits_every_requirement(python: str, script: ModuleType) -> None:
    pinned: dict[str, str] = {}
    for pin in script.pins():
        if applies(pin, python):
            name = canonicalize_name(pin.name)
            assert name not in pinned, f"{name} is pinned twice"
            (only,) = pin.specifier
            assert only.operator == "=="
            pinned[name] = only.version
    wanted = [
        *PROJECT["project"]["dependencies"],
        *PROJECT["project"]["optional-dependencies"]["dev"],
        *PROJECT["build-system"]["requires"],
    ]
    for text in wanted:
        requirement = Requirement(text)
        if applies(requirement, python):
            assert pinned[canonicalize_name(requirement.name)] in requirement.specifier, text


def test_the_lock_is_for_every_python_of_the_project() -> None:
    supported = SpecifierSet(PROJECT["project"]["requires-python"])
    assert [each for each in (f"3.{minor}" for minor in range(8, 20)) if each in supported] == list(PYTHONS)


def test_every_pin_of_the_lock_has_a_hash_and_names_no_place(script: ModuleType) -> None:
    entries = re.split(r"^(?=[A-Za-z0-9])", LOCK, flags=re.MULTILINE)[1:]
    assert len(entries) == len(script.pins()) > 30
    assert all(re.search(r"--hash=sha256:[0-9a-f]{64}", entry) for entry in entries)
    assert not re.search(r"https?:|file:|--(?:extra-)?index-url|--find-links|git\+|@ ", LOCK)


def test_the_installation_takes_everything_from_the_lock() -> None:
    makefile = (ROOT / "Makefile").read_text()
    rule = re.search(r"^\$\(INSTALLED\):.*\n((?:\t.*\n)+)", makefile, re.MULTILINE)
    assert rule is not None
    installs = [line for line in rule[1].splitlines() if " install " in line]
    assert len(installs) == 2
    assert "--require-hashes -r requirements/dev.txt" in installs[0]
    assert "--only-binary :all:" in installs[0]
    assert "--no-deps --no-build-isolation" in installs[1]


def test_the_offline_audit_finds_an_affected_version(
    script: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (pin,) = (each for each in script.pins() if each.name == "typer")
    version = next(iter(pin.specifier)).version

    def advise(**affected: object) -> int:
        package = {"ecosystem": "PyPI", "name": "Typer"}
        advisory = {"id": "TEST-1", "affected": [{"package": package, **affected}]}
        (tmp_path / "TEST-1.json").write_text(json.dumps(advisory))
        return int(script.audit(tmp_path))

    def events(**bounds: str) -> list[object]:
        return [{"type": "ECOSYSTEM", "events": [{kind: bound} for kind, bound in bounds.items()]}]

    assert script.audit(tmp_path) == 1, "no advisories are no answer"
    assert advise(versions=[version]) == 1
    assert f"typer {version}: TEST-1" in capsys.readouterr().out
    assert advise(versions=["0.0.1"]) == 0
    assert advise(ranges=events(introduced="0", fixed="9999")) == 1
    assert advise(ranges=events(introduced="0", fixed=version)) == 0
    assert advise(ranges=events(introduced="0", last_affected=version)) == 1
    assert advise(ranges=events(introduced="9999")) == 0


def test_every_licence_in_use_is_allowed(script: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    try:
        code = script.licences()
    except script.metadata.PackageNotFoundError as missing:
        pytest.skip(f"{missing} of the lock is not installed")
    assert code == 0, capsys.readouterr().err
    table = (ROOT / "docs" / "dependencies.md").read_text()
    for pin in script.pins():
        assert f"`{pin.name}`" in table


def test_the_bill_of_materials_has_every_pin_with_its_hashes_and_who_needs_it(script: ModuleType) -> None:
    bill = script.sbom()
    assert bill == script.sbom()
    components = {each["bom-ref"]: each for each in bill["components"]}
    assert len(components) == len(script.pins())
    hashes = {
        each["content"]
        for component in components.values()
        for reference in component["externalReferences"]
        for each in reference["hashes"]
    }
    assert hashes == set(re.findall(r"--hash=sha256:([0-9a-f]{64})", LOCK))
    links = {each["ref"]: each["dependsOn"] for each in bill["dependencies"]}
    assert set(links) == {*components, bill["metadata"]["component"]["purl"]}
    assert set().union(*links.values()) <= set(components)
    scopes = {component["name"]: component["scope"] for component in components.values()}
    assert (scopes["pymimir"], scopes["cffi"], scopes["pytest"]) == ("required", "required", "excluded")
    assert {component["name"] for component in components.values() if not component["licenses"]} < {
        pin.name for pin in script.pins() if pin.marker is not None
    }
