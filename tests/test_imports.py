"""Which package may import which: nothing flows backwards."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

import trailmark

ROOT = Path(trailmark.__file__).parent
BOTTOM = {"errors", "relational", "limits", "files", "processes", "supervision", "executors"}
LEARNED = {"landmarks", "programs", "models"}

ALLOWED: dict[str, set[str]] = {
    "errors": set(),
    "relational": set(),
    "limits": {"errors"},
    "files": {"errors"},
    "processes": set(),
    "supervision": {"errors", "limits", "processes"},
    "executors": {"errors", "processes"},
    "task": BOTTOM,
    "features": BOTTOM - {"processes", "supervision", "executors"},
    "landmarks": BOTTOM | {"features"},
    "programs": BOTTOM | {"features", "landmarks"},
    "models": BOTTOM | {"features", "landmarks", "programs"},
    "discovery": BOTTOM | {"features", "landmarks", "programs"},
    "search": BOTTOM | {"task", "features", "landmarks", "programs"},
    "learning": BOTTOM | {"task", "features", *LEARNED, "discovery", "search", ""},
    "domains": BOTTOM | {"task"},
    "report": BOTTOM | {"task", "features", *LEARNED},
    "bench": BOTTOM
    | {"task", "features", *LEARNED, "discovery", "search", "learning", "domains", "report", ""},
    "solution": BOTTOM | {"task", "search", "report"},
    "api": BOTTOM | {"task", "features", *LEARNED, "discovery", "search", "learning", "report", "solution"},
    "integrations": BOTTOM | {"task", "learning", "search", "domains", "report", "solution", "api", ""},
}
"""The empty name is the package itself, for its version."""

FOREIGN = {"pymimir": {"task"}, "clingo": {"discovery"}, "msgspec": {"models", "bench"}, "typer": {"cli"}}
"""Who may import a dependency that is to stay in one place."""


def modules() -> list[Path]:
    return sorted(path for path in ROOT.rglob("*.py") if "__pycache__" not in path.parts)


def package(path: Path) -> str:
    """The package of a module, or its own name where it lies at the top."""
    first = path.relative_to(ROOT).parts[0]
    return first.removesuffix(".py")


def imported(path: Path, *, at_top_only: bool = False) -> Iterator[tuple[str, int]]:
    """Every module a file imports, with the line; those for the type checker alone do not count."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    waiting: list[ast.stmt | ast.AST] = list(tree.body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Import):
            yield from ((alias.name, node.lineno) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno}: imports are absolute"
            assert node.module is not None
            if node.module == "trailmark":
                yield from ((_of_package(alias.name), node.lineno) for alias in node.names)
            else:
                yield node.module, node.lineno
        elif isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            waiting.extend(node.orelse)
        elif at_top_only and isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        else:
            waiting.extend(ast.iter_child_nodes(node))


def _of_package(name: str) -> str:
    """What `from trailmark import name` imports: a module, or something of the package itself."""
    is_module = (ROOT / name).is_dir() or (ROOT / f"{name}.py").is_file()
    return f"trailmark.{name}" if is_module else "trailmark"


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(ROOT)))
def test_imports_go_down_only(path: Path) -> None:
    mine = package(path)
    for name, line in imported(path):
        top, _, rest = name.partition(".")
        if top in FOREIGN:
            assert mine in FOREIGN[top], f"{path}:{line}: {top} belongs to {FOREIGN[top]}"
        if top != "trailmark" or mine not in ALLOWED:
            continue
        target = rest.partition(".")[0]
        assert target == mine or target in ALLOWED[mine], f"{path}:{line}: {mine} may not import {name}"


def test_every_package_has_its_place_in_the_order() -> None:
    known = set(ALLOWED) | {"cli", "__init__", "__main__"}
    assert {package(path) for path in modules()} <= known


def test_the_order_has_no_cycle() -> None:
    placed: set[str] = {""}
    while len(placed) <= len(ALLOWED):
        ready = {name for name, below in ALLOWED.items() if name not in placed and below <= placed}
        assert ready, f"a cycle among {set(ALLOWED) - placed}"
        placed |= ready


def test_any_module_may_be_the_first_to_be_imported() -> None:
    """No cycle of imports at the top of modules. A module brings the packages it lies in, too."""
    names = {
        ".".join(("trailmark", *path.relative_to(ROOT).with_suffix("").parts)): path for path in modules()
    }
    names = {name.removesuffix(".__init__"): path for name, path in names.items()}
    needed: dict[str, set[str]] = {}
    for module, path in names.items():
        needed[module] = set()
        for name, _ in imported(path, at_top_only=True):
            parts = name.split(".")
            brought = {".".join(parts[:length]) for length in range(1, len(parts) + 1)}
            needed[module] |= {
                part for part in brought if part in names and not f"{module}.".startswith(f"{part}.")
            }
    TopologicalSorter(needed).prepare()


def test_the_checker_sees_imports_in_functions_and_not_those_for_types(tmp_path: Path) -> None:
    path = tmp_path / "module.py"
    path.write_text(
        "from typing import TYPE_CHECKING\n"
        "if TYPE_CHECKING:\n    from trailmark.search import x\n"
        "def f():\n    from trailmark.task import y\n"
        "try:\n    import pymimir.advanced\nexcept ImportError:\n    pass\n"
    )
    assert {name for name, _ in imported(path)} == {"typing", "trailmark.task", "pymimir.advanced"}
    assert {name for name, _ in imported(path, at_top_only=True)} == {"typing", "pymimir.advanced"}


def test_the_command_line_starts_without_anything_heavy() -> None:
    script = (
        "import sys, trailmark.cli.main; print(*sorted({name.partition('.')[0] for name in sys.modules}))"
    )
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    loaded = set(ended.stdout.split())
    assert "typer" in loaded
    assert loaded.isdisjoint({"numpy", "pymimir", "clingo", "matplotlib", "unified_planning", "distributed"})


def test_planning_is_loaded_without_the_engine() -> None:
    """The engine is loaded where states are asked for: leaps by recipes go without."""
    script = "import sys, trailmark.cli.planning; print(*{name.partition('.')[0] for name in sys.modules})"
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    loaded = set(ended.stdout.split())
    assert "trailmark" in loaded
    assert loaded.isdisjoint({"numpy", "pymimir", "pydantic"})


def test_modules_stay_readable() -> None:
    """A module has 300 lines at most."""
    long = {str(path.relative_to(ROOT)): count for path in modules() if (count := _lines(path)) > 300}
    assert long == {}


def _lines(path: Path) -> int:
    return path.read_text(encoding="utf-8").count("\n")
