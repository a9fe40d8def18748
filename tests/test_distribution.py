"""Wheel and source archive depend on the sources alone: equal sources give equal bytes."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

pytest.importorskip("hatchling")

ROOT = Path(__file__).parents[1]


def sources() -> list[str]:
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    try:
        listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("the sources are no git repository")
    return [name for name in listed.split("\0") if name and (ROOT / name).is_file()]


def copied(names: list[str], folder: Path, *, time: int, mode: int) -> Path:
    """The sources elsewhere, written in this order, with another age and other permissions."""
    for name in names:
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / name, target)
        target.chmod(mode | (0o100 if os.access(ROOT / name, os.X_OK) else 0))
        os.utime(target, (time, time))
    return folder


def built(folder: Path, to: Path, *kinds: str, **variables: str) -> dict[str, bytes]:
    targets = [word for kind in kinds for word in ("-t", kind)]
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-d", str(to), *targets],
        cwd=folder,
        env={**os.environ, "SOURCE_DATE_EPOCH": "1700000000", **variables},
        capture_output=True,
        check=True,
    )
    return {path.name: path.read_bytes() for path in sorted(to.iterdir())}


def test_wheel_and_source_are_byte_identical_when_built_twice(tmp_path: Path) -> None:
    names = sources()
    first = copied(names, tmp_path / "first", time=1_500_000_000, mode=0o644)
    second = copied(names[::-1], tmp_path / "a second place", time=1_600_000_000, mode=0o600)
    once = built(first, tmp_path / "1", "wheel", "sdist", PYTHONHASHSEED="1", TZ="UTC")
    again = built(second, tmp_path / "2", "wheel", "sdist", PYTHONHASHSEED="2", TZ="Asia/Tokyo", LC_ALL="C")
    assert [name.rpartition(".")[2] for name in once] == ["whl", "gz"]
    assert once == again


def test_the_source_archive_gives_the_same_wheel(tmp_path: Path) -> None:
    tree = copied(sources(), tmp_path / "tree", time=1_500_000_000, mode=0o644)
    files = built(tree, tmp_path / "dist", "wheel", "sdist")
    (archive,) = (tmp_path / "dist").glob("*.tar.gz")
    with tarfile.open(archive) as source:
        source.extractall(tmp_path / "unpacked", filter="data")
    (unpacked,) = (tmp_path / "unpacked").iterdir()
    ((name, wheel),) = built(unpacked, tmp_path / "again", "wheel").items()
    assert files[name] == wheel
