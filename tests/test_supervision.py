"""Limits from outside, interruptions, and files that are whole or not there.

What kills or is killed runs in processes of its own. Waiting times are bounds on behaviour, not timings.
"""

from __future__ import annotations

import faulthandler
import io
import os
import resource
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from trailmark.cli.common import run_supervised
from trailmark.errors import EngineError, ExitCode, InputError, MemoryLimitError, TimeLimitError
from trailmark.files import read_text, write_text
from trailmark.limits import resident_megabytes
from trailmark.processes import children, kill_tree
from trailmark.supervision import Ending, Outcome, supervise

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="processes as on Linux")


def busy() -> int:
    """A native call that never returns to Python: no handler of a signal can run in it."""
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM, signal.SIGINT})
    while True:
        time.sleep(1000)


def ended_within(bound: float, work: Callable[[], int], **limits: int | float) -> Outcome:
    started = time.monotonic()
    outcome = supervise(work, **limits)
    assert time.monotonic() - started < bound
    return outcome


def alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state not in "ZX"


def gone(pid: int, within: float = 3.0) -> bool:
    deadline = time.monotonic() + within
    while alive(pid) and time.monotonic() < deadline:
        time.sleep(0.02)
    return not alive(pid)


def test_the_works_answer_is_the_outcome() -> None:
    assert supervise(lambda: 7) == Outcome(Ending.EXITED, 7)
    assert supervise(lambda: 0, seconds=60, megabytes=10_000) == Outcome(Ending.EXITED, 0)


def test_an_exception_is_an_internal_error() -> None:
    def fail() -> int:
        raise RuntimeError("not caught by the work")

    assert supervise(fail) == Outcome(Ending.EXITED, ExitCode.INTERNAL)


def test_the_time_limit_ends_work_that_never_returns() -> None:
    assert ended_within(0.3 + 1.0, busy, seconds=0.3).ending is Ending.TIME_LIMIT


def test_work_that_is_done_in_time_says_so_though_the_limit_passes_meanwhile() -> None:
    """Its answer would be there twice: its own, and that of the limit."""

    class Slow(io.StringIO):
        def flush(self) -> None:
            time.sleep(0.5)

    def work() -> int:
        sys.stdout = Slow()
        return 7

    assert supervise(work, seconds=0.2) == Outcome(Ending.EXITED, 7)


def test_the_memory_limit_ends_work_that_takes_too_much() -> None:
    def take() -> int:
        held = []
        while True:
            held.append(b"x" * 10_000_000)

    assert ended_within(20, take, megabytes=400).ending is Ending.MEMORY_LIMIT


def test_the_memory_of_descendants_counts() -> None:
    def take() -> int:
        script = "import time; held = b'x' * 500_000_000; time.sleep(100)"
        return subprocess.run([sys.executable, "-c", script], check=False).returncode

    assert ended_within(20, take, megabytes=400).ending is Ending.MEMORY_LIMIT


def test_memory_that_a_fork_shares_counts_once() -> None:
    own = resident_megabytes(os.getpid())
    assert own is not None

    def share() -> int:
        held = b"x" * 150_000_000
        children = []
        for _ in range(3):
            child = os.fork()
            if child == 0:
                time.sleep(0.3)
                os._exit(held[0] - ord("x"))
            children.append(child)
        return sum(os.waitpid(child, 0)[1] for child in children)

    assert supervise(share, megabytes=own + 300) == Outcome(Ending.EXITED, 0)


def test_the_processor_time_of_descendants_counts_after_they_were_killed() -> None:
    def spent() -> float:
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        return used.ru_utime + used.ru_stime

    before = spent()

    def work() -> int:
        while True:
            driver = subprocess.Popen(["sh", "-c", "while :; do :; done & wait"], start_new_session=True)
            time.sleep(0.2)
            kill_tree(driver.pid)
            driver.wait()

    assert supervise(work, seconds=20, cpu_limit=1.0).ending is Ending.TIME_LIMIT
    assert 1.0 <= spent() - before < 2.0


def test_the_memory_of_descendants_counts_after_their_parents_have_ended() -> None:
    def work() -> int:
        script = "import time; held = b'x' * 500_000_000; time.sleep(100)"
        subprocess.run(["sh", "-c", f'{sys.executable} -c "{script}" &'], check=True)
        time.sleep(100)
        return 0

    assert ended_within(20, work, megabytes=400).ending is Ending.MEMORY_LIMIT


def test_a_crash_is_an_answer() -> None:
    def crash() -> int:
        faulthandler.disable()
        os.kill(os.getpid(), signal.SIGSEGV)
        return 0

    assert supervise(crash) == Outcome(Ending.CRASHED, signal.SIGSEGV)


@pytest.mark.parametrize("detached", [False, True])
def test_descendants_are_killed_too(tmp_path: Path, detached: bool) -> None:
    note = tmp_path / "pid"

    def work() -> int:
        child = subprocess.Popen(["sleep", "100"], start_new_session=detached)
        write_text(note, str(child.pid))
        return busy()

    assert supervise(work, seconds=0.5).ending is Ending.TIME_LIMIT
    assert gone(int(note.read_text()))


def test_descendants_do_not_outlive_work_that_ends(tmp_path: Path) -> None:
    note = tmp_path / "pid"

    def work() -> int:
        write_text(note, str(subprocess.Popen(["sleep", "100"]).pid))
        return 3

    assert supervise(work) == Outcome(Ending.EXITED, 3)
    assert gone(int(note.read_text()))


PARENT = """
import os, signal, subprocess, sys, time
from trailmark.supervision import supervise
def work():
    if {stubborn}:
        signal.pthread_sigmask(signal.SIG_BLOCK, {{signal.SIGTERM, signal.SIGINT}})
    grandchild = subprocess.Popen(["sleep", "100"], start_new_session={detached})
    try:
        print(os.getpid(), grandchild.pid, flush=True)
        time.sleep(100)
    finally:
        print("tidied", flush=True)
    return 0
outcome = supervise(work)
print(outcome.ending.value, outcome.exit_code, flush=True)
"""


@pytest.fixture
def parent() -> Iterator[Callable[..., tuple[subprocess.Popen[str], list[int]]]]:
    """Starts a supervising process; gives it with the ids of its child and grandchild."""
    started: list[subprocess.Popen[str]] = []

    def start(stubborn: bool, detached: bool = False) -> tuple[subprocess.Popen[str], list[int]]:
        script = PARENT.format(stubborn=stubborn, detached=detached)
        process = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
        started.append(process)
        assert process.stdout is not None
        return process, [int(each) for each in process.stdout.readline().split()]

    yield start
    for process in started:
        process.kill()
        process.wait()
        assert process.stdout is not None
        process.stdout.close()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("stubborn", [False, True])
def test_an_interruption_ends_everything_within_two_seconds(
    parent: Callable[..., tuple[subprocess.Popen[str], list[int]]], number: signal.Signals, stubborn: bool
) -> None:
    process, descendants = parent(stubborn)
    process.send_signal(number)
    out, _ = process.communicate(timeout=2)
    assert process.returncode == 0
    assert out.endswith(f"interrupted {128 + number}\n")
    assert ("tidied" in out) == (not stubborn)
    assert all(gone(pid, 0.5) for pid in descendants)


@pytest.mark.parametrize("stubborn", [False, True])
@pytest.mark.parametrize("detached", [False, True])
def test_all_descendants_end_with_a_parent_that_is_killed(
    parent: Callable[..., tuple[subprocess.Popen[str], list[int]]], stubborn: bool, detached: bool
) -> None:
    process, descendants = parent(stubborn, detached)
    keepers = set(children(process.pid)) - set(descendants)
    process.kill()
    process.wait()
    assert keepers
    assert all(gone(pid, 20) for pid in (*descendants, *keepers))


def test_what_left_a_child_that_crashed_is_killed_too(tmp_path: Path) -> None:
    """Detached, and without its parent: it is found because orphans come to the supervising process."""
    note = tmp_path / "pid"

    def work() -> int:
        child = subprocess.Popen(["sleep", "100"], start_new_session=True)
        write_text(note, str(child.pid))
        os.kill(os.getpid(), signal.SIGKILL)
        return 0

    assert supervise(work) == Outcome(Ending.CRASHED, signal.SIGKILL)
    assert gone(int(note.read_text()))


def test_work_ends_where_the_process_it_is_for_has_ended() -> None:
    """As a worker's does that is orphaned before the kernel could be asked to signal it."""
    assert ended_within(20, busy, only_under=1).ending is Ending.INTERRUPTED


# As the commands run their work


def test_a_commands_limits_become_their_errors() -> None:
    with pytest.raises(TimeLimitError, match=r"the time limit of 0\.2 s was reached"):
        run_supervised(busy, seconds=0.2)
    with pytest.raises(MemoryLimitError, match="the memory limit of 1 MB was reached"):
        run_supervised(busy, megabytes=1)


def test_a_commands_crash_is_the_engines_error() -> None:
    def crash() -> int:
        faulthandler.disable()
        os.kill(os.getpid(), signal.SIGABRT)
        return 0

    with pytest.raises(EngineError, match=r"the planning engine crashed \(signal 6\)"):
        run_supervised(crash)


@pytest.mark.parametrize(
    ("problem", "code", "line"),
    [
        (InputError("no good", hint="try another"), ExitCode.BAD_INPUT, "no good (try another)"),
        (MemoryError(), ExitCode.MEMORY_LIMIT, "out of memory"),
        (
            KeyError("lost\nkey"),
            ExitCode.INTERNAL,
            "internal error: KeyError: 'lost\\nkey' (--verbose shows more)",
        ),
    ],
)
def test_a_commands_failure_is_one_line(
    problem: Exception, code: ExitCode, line: str, capfd: pytest.CaptureFixture[str]
) -> None:
    def fail() -> int:
        raise problem

    assert run_supervised(fail) == code
    assert capfd.readouterr() == ("", f"trailmark: {line}\n")


# Files


def test_a_file_is_written_and_read_back(tmp_path: Path) -> None:
    path = tmp_path / "plan"
    write_text(path, "(gehe ä ö)\n")
    assert read_text(path, "plan") == "(gehe ä ö)\n"
    assert [each.name for each in tmp_path.iterdir()] == ["plan"]


def test_a_new_file_has_the_usual_permissions_and_an_old_one_keeps_its_own(tmp_path: Path) -> None:
    previous = os.umask(0o027)
    try:
        write_text(tmp_path / "new", "x")
        old = tmp_path / "old"
        old.write_text("before")
        old.chmod(0o604)
        write_text(old, "after")
    finally:
        os.umask(previous)
    assert stat.S_IMODE((tmp_path / "new").stat().st_mode) == 0o640
    assert stat.S_IMODE(old.stat().st_mode) == 0o604
    assert old.read_text() == "after"


def test_a_link_keeps_pointing_at_its_file(tmp_path: Path) -> None:
    real, link = tmp_path / "real", tmp_path / "link"
    real.write_text("before")
    link.symlink_to(real)
    write_text(link, "after")
    assert link.is_symlink()
    assert real.read_text() == "after"


def test_a_device_is_written_and_not_replaced() -> None:
    write_text("/dev/null", "x")
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)


def test_a_pipe_is_written_and_not_replaced(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with subprocess.Popen(["cat", str(pipe)], stdout=subprocess.PIPE, text=True) as reader:
        write_text(pipe, "through the pipe\n")
        assert reader.communicate(timeout=10)[0] == "through the pipe\n"


@pytest.mark.parametrize("name", ["missing/plan", "x" * 300, "a\0b", "."])
def test_a_place_that_cannot_be_written_is_an_input_error(tmp_path: Path, name: str) -> None:
    with pytest.raises(InputError, match="cannot be written"):
        write_text(f"{tmp_path}/{name}", "x")
    assert list(tmp_path.iterdir()) == []


def test_a_long_name_can_be_written(tmp_path: Path) -> None:
    write_text(tmp_path / ("x" * 250), "x")
    assert len(list(tmp_path.iterdir())) == 1


def test_a_folder_that_cannot_be_written_is_an_input_error() -> None:
    """A folder of the kernel, where root cannot make files either."""
    with pytest.raises(InputError, match="cannot be written"):
        write_text("/proc/self/plan", "x")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="this platform has no /dev/full")
def test_a_full_disk_is_an_input_error() -> None:
    with pytest.raises(InputError, match="/dev/full: cannot be written: No space left on device"):
        write_text("/dev/full", "x")


def test_a_disk_that_fills_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "plan"
    path.write_text("before")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(InputError, match="No space left"):
        write_text(path, "after")
    assert [each.name for each in tmp_path.iterdir()] == ["plan"]
    assert path.read_text() == "before"


def test_an_interruption_while_writing_leaves_no_temporary_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(_: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", interrupt)
    with pytest.raises(KeyboardInterrupt):
        write_text(tmp_path / "plan", "after")
    assert list(tmp_path.iterdir()) == []


def test_a_kill_while_writing_never_leaves_half_a_file(tmp_path: Path) -> None:
    path = tmp_path / "plan"
    script = f"""
from trailmark.files import write_text
print("ready", flush=True)
texts = [letter * 3_000_000 for letter in "ab"]
while True:
    for text in texts:
        write_text({str(path)!r}, text)
"""
    for delay in (0.02, 0.05, 0.11):
        with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE) as process:
            assert process.stdout is not None
            process.stdout.readline()
            while not path.exists():
                time.sleep(0.005)
            time.sleep(delay)
            process.kill()
        text = path.read_text()
        assert len(text) == 3_000_000
        assert len(set(text)) == 1
