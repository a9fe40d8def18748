"""Whatever the README and the docs tell a reader to type works."""

from __future__ import annotations

import importlib.util
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import typer

from tests.docs.blocks import PAGES, ROOT, blocks, run_page
from trailmark.cli.main import app

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

DOCS = ROOT / "docs"
QUICK = {"README.md"}
"""Pages whose blocks run in the fast tier; the others repeat the same commands with longer runs."""


def names() -> list[object]:
    """The pages with blocks to run."""
    return [
        pytest.param(page, id=page.name, marks=[] if page.name in QUICK else [pytest.mark.slow])
        for page in PAGES
        if any(block.runs for block in blocks(page)) and page.name != "tutorial.md"
    ]


@pytest.mark.parametrize("page", names())
def test_every_block_of_a_page_runs(page: Path, tmp_path: Path) -> None:
    run_page(page, tmp_path, slow=False)


def test_the_tutorial_shows_a_failure_and_its_repair(tmp_path: Path) -> None:
    run_page(DOCS / "tutorial.md", tmp_path, slow=False)
    assert not (tmp_path / "work" / "first.plan").exists()
    assert (tmp_path / "work" / "large.plan").exists()


@pytest.mark.slow
@pytest.mark.parametrize(
    "page",
    [page for page in PAGES if any(block.mark == "slow" for block in blocks(page))],
    ids=lambda page: page.name,
)
def test_every_slow_block_of_a_page_runs(page: Path, tmp_path: Path) -> None:
    for block in blocks(page):
        needed = block.reason.removeprefix("needs ") if block.reason.startswith("needs ") else None
        if block.mark == "slow" and needed and importlib.util.find_spec(needed) is None:
            pytest.skip(f"{page.name}:{block.line} needs {needed}")
    run_page(page, tmp_path, slow=True)


def test_blocks_that_are_not_run_say_why() -> None:
    for page in PAGES:
        for block in blocks(page):
            assert block.kind in ("sh", "console", "python", "text"), f"{page.name}:{block.line}"
            assert block.mark in (None, "slow", "skip"), f"{page.name}:{block.line}"
            assert block.mark != "skip" or block.reason, f"{page.name}:{block.line}"


def test_the_readme_names_the_two_commands() -> None:
    text = (ROOT / "README.md").read_text()
    assert "make demo" in text
    assert "make test" in text


def section(name: str) -> str:
    """The part of the page of commands on one command."""
    return re.split(
        r"^## ", (DOCS / "commands.md").read_text().partition(f"\n## {name}\n")[2], maxsplit=1, flags=re.M
    )[0]


@pytest.mark.parametrize("name", sorted(each.name or "" for each in app.registered_commands))
def test_every_command_and_option_is_documented(name: str) -> None:
    text = section(name)
    common = {"--json", "--quiet", "-q", "--verbose", "-v", "--help", "-h"}
    command = typer.main.get_command(app).commands[name]  # type: ignore[attr-defined]
    assert f"trailmark {name}" in text
    for parameter in command.params:
        for option in (*parameter.opts, *parameter.secondary_opts):
            if option.startswith("-") and option not in common:
                assert f"`{option}`" in text, option


def test_every_exit_code_is_documented() -> None:
    from trailmark.errors import ExitCode

    text = section("Exit codes")
    for code in ExitCode:
        assert f"| {int(code)} |" in text


def test_every_public_name_is_documented() -> None:
    import trailmark

    text = (DOCS / "api.md").read_text()
    for name in trailmark.__all__:
        assert name == "__version__" or name in text, name


def test_every_dependency_has_its_reason() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    text = (DOCS / "dependencies.md").read_text()
    for requirement in project["dependencies"]:
        assert f"`{package(requirement)}`" in text
    for extra, requirements in project["optional-dependencies"].items():
        assert f"| `{extra}` |" in text
        for requirement in requirements:
            assert f"`{package(requirement)}`" in text


def package(requirement: str) -> str:
    return re.split(r"[^\w-]", requirement, maxsplit=1)[0]


@pytest.mark.parametrize("name", ["README.md", "CONTRIBUTING.md"])
def test_links_pictures_and_files_of_the_first_pages_exist(name: str) -> None:
    text = (ROOT / name).read_text()
    links = re.findall(r"\]\((?!http)([^)#]+)(?:#([^)]*))?\)", text)
    assert ("docs/architecture.md", "") in links
    for path, anchor in [*links, *((path, "") for path in re.findall(r"`((?:tests|docs)/[\w./-]+)`", text))]:
        assert (ROOT / path).exists(), path
        assert not anchor or anchor in headings(ROOT / path), anchor


def test_the_citation_and_the_changelog_know_this_version() -> None:
    import trailmark

    assert f"version: {trailmark.__version__}\n" in (ROOT / "CITATION.cff").read_text()
    assert f"## {trailmark.__version__}\n" in (ROOT / "CHANGELOG.md").read_text()


def test_links_between_pages_lead_to_a_page_and_a_heading() -> None:
    for page in DOCS.glob("*.md"):
        for target, anchor in re.findall(r"\]\((?!http)([^)#]*)(?:#([^)]*))?\)", page.read_text()):
            other = page.parent / target if target else page
            assert other.exists(), f"{page.name}: {target}"
            if anchor:
                assert anchor in headings(other), f"{page.name}: {target}#{anchor}"


def headings(page: Path) -> set[str]:
    found = re.findall(r"^#+ (.*)$", page.read_text(), re.MULTILINE)
    return {re.sub(r"[\s]+", "-", re.sub(r"[^\w\s-]", "", each.lower()).strip()) for each in found}


@pytest.mark.slow
def test_the_site_builds_with_every_link_checked(tmp_path: Path) -> None:
    pytest.importorskip("zensical", reason="needs the extra `docs`")
    shutil.copytree(DOCS, tmp_path / "docs")
    shutil.copy(ROOT / "mkdocs.yml", tmp_path)
    command = [sys.executable, "-m", "zensical", "build", "--strict"]
    ended = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr
    assert (tmp_path / "artefacts" / "site" / "commands" / "index.html").exists()
