"""The page for people who pick the project up names what there is, in the order of its imports."""

from __future__ import annotations

import re

from tests.docs.blocks import ROOT, blocks
from tests.test_imports import ALLOWED, modules, package

PAGE = ROOT / "docs" / "architecture.md"
SOURCE = ROOT / "src" / "trailmark"
SPOKEN = set(re.findall(r"`([^`\n]+)`", re.sub(r"```.*?```", "", PAGE.read_text(), flags=re.DOTALL)))


def picture() -> list[list[str]]:
    """The packages, line by line from the top."""
    return [line.split() for line in blocks(PAGE)[0].text.splitlines()]


def test_every_path_on_the_page_exists() -> None:
    paths = {name for name in SPOKEN if "/" in name or re.fullmatch(r"\w+\.(py|json)", name)}
    assert len(paths) > 100
    for path in paths:
        assert (SOURCE / path).exists() or (ROOT / path).exists(), path


def test_every_package_is_in_the_picture_once_and_in_the_table() -> None:
    packages = {package(path) for path in modules()} - {"__init__", "__main__"}
    drawn = [name for line in picture() for name in line]
    assert sorted(drawn) == sorted(packages)
    for name in packages - set(picture()[-1]):
        assert SPOKEN & {f"{name}/", f"{name}.py"}, name


def test_in_the_picture_imports_go_down() -> None:
    lines = picture()
    for place, line in enumerate(lines[:-1]):
        below = {name for lower in lines[place + 1 :] for name in lower}
        for name in line:
            assert ALLOWED.get(name, set()) - {""} <= below, name
    for name in lines[-1]:
        assert ALLOWED[name] <= set(lines[-1]), name


def test_every_name_on_the_page_is_one_of_the_source() -> None:
    words: set[str] = set()
    for path in modules():
        words |= set(re.findall(r"\w+", path.read_text(encoding="utf-8")))
    names = {name for name in SPOKEN if re.fullmatch(r"[A-Za-z_][\w.]*", name) and not name.endswith(".py")}
    assert len(names) > 40
    for name in names:
        for part in name.split("."):
            assert part in words, name
