"""What goes wrong outside: killed writers and workers, full and read-only disks, clocks that jump.

Waiting times are bounds on behaviour, not timings.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.learning.paper_set import DOMAIN, PROBLEMS
from trailmark.api import load
from trailmark.bench.runner import run_job
from trailmark.cli.main import main
from trailmark.errors import InputError, MissingExtraError, PlanError
from trailmark.executors import parallel
from trailmark.files import check_writable, scratch_folder, write_text
from trailmark.learning.sources import EmbeddedSearch, collect_plans
from trailmark.limits import Budget
from trailmark.task import Plan, Task, parse_plan, read_plan, validate
from trailmark.task.plans import MAX_PLAN_BYTES

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="processes as on Linux")

Capture = pytest.CaptureFixture[str]


def _script(text: str, *arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen([sys.executable, "-c", text, *arguments], stdout=subprocess.PIPE, text=True)


def _killed(text: str, *arguments: str) -> None:
    """Runs a script until it prints a line, and kills it."""
    with _script(text, *arguments) as process:
        assert process.stdout is not None
        process.stdout.readline()
        process.kill()


# Writers that are killed


WRITER = """
import os, sys, time
from trailmark.files import write_text
def stop(_):
    print("writing", flush=True)
    time.sleep(100)
os.fsync = stop
write_text(sys.argv[1], "half")
"""
SCRATCH = """
import sys, time
from trailmark.files import scratch_folder
with scratch_folder("trailmark-test-") as folder:
    (folder / "inside").mkdir()
    print("working", flush=True)
    time.sleep(100)
"""


def test_the_next_writer_removes_what_a_killed_one_left(tmp_path: Path) -> None:
    path = tmp_path / "model.json"
    path.write_text("old")
    _killed(WRITER, str(path))
    assert len(list(tmp_path.iterdir())) == 2
    assert path.read_text() == "old"
    write_text(path, "new")
    assert [each.name for each in tmp_path.iterdir()] == ["model.json"]
    assert path.read_text() == "new"


def test_what_a_living_writer_writes_is_left_alone(tmp_path: Path) -> None:
    with _script(WRITER, str(tmp_path / "one")) as process:
        assert process.stdout is not None
        process.stdout.readline()
        write_text(tmp_path / "two", "2")
        names = sorted(each.name for each in tmp_path.iterdir())
        process.kill()
    assert len(names) == 2
    assert names[0].endswith(".tmp")


def test_a_users_own_file_is_never_taken_for_an_abandoned_one(tmp_path: Path) -> None:
    (tmp_path / "notes.tmp").write_text("mine")
    (tmp_path / ".trailmark-notes").write_text("mine")
    write_text(tmp_path / "plan", "x")
    assert len(list(tmp_path.iterdir())) == 3


def test_the_next_scratch_folder_removes_those_of_killed_processes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    _killed(SCRATCH)
    (left,) = tmp_path.iterdir()
    with _script(SCRATCH) as process:
        assert process.stdout is not None
        process.stdout.readline()
        assert not left.exists()
        with scratch_folder("trailmark-test-"):
            assert len(list(tmp_path.iterdir())) == 2
        process.kill()


def test_of_two_writers_of_one_model_one_wins_whole(tmp_path: Path) -> None:
    path = tmp_path / "model.json"
    script = """
import sys
from trailmark.files import write_text
for _ in range(40):
    write_text(sys.argv[1], sys.argv[2] * 400_000)
"""
    writers = [_script(script, str(path), letter) for letter in "ab"]
    seen = set()
    while any(each.poll() is None for each in writers):
        if path.exists():
            text = path.read_text()
            assert len(text) == 400_000
            seen |= {text[0]}
            assert set(text) == {text[0]}
    assert [each.returncode for each in writers] == [0, 0]
    assert seen <= {"a", "b"}
    assert [each.name for each in tmp_path.iterdir()] == ["model.json"]
    for each in writers:
        assert each.stdout is not None
        each.stdout.close()


@pytest.mark.slow
def test_two_learners_with_one_output_leave_one_whole_model(tmp_path: Path) -> None:
    path = tmp_path / "model.json"
    command = [sys.executable, "-m", "trailmark", "learn", DOMAIN, *PROBLEMS, "-o", str(path), "-q"]
    learners = [subprocess.Popen([*command, "--method", "chain"]) for _ in range(2)]
    assert [each.wait() for each in learners] == [0, 0]
    assert len(load(path).model.guidance)
    assert [each.name for each in tmp_path.iterdir()] == ["model.json"]


# Disks


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of 64 kB of its own, where this user may mount one."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(folder)], capture_output=True, check=False
    )
    if mounted.returncode:
        pytest.skip("no file system can be mounted here")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


def test_a_disk_that_is_full_leaves_the_old_model_and_no_other_file(small_disk: Path) -> None:
    path = small_disk / "model.json"
    write_text(path, "old")
    with pytest.raises(InputError, match="No space left on device"):
        write_text(path, "x" * 200_000)
    assert [each.name for each in small_disk.iterdir()] == ["model.json"]
    assert path.read_text() == "old"


def test_a_read_only_disk_is_told_before_learning_starts(
    small_disk: Path, capfd: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    subprocess.run(["mount", "-o", "remount,ro", str(small_disk)], check=True)
    _is_told_at_the_start(small_disk / "model.json", "Read-only file system", capfd, monkeypatch)


@pytest.mark.parametrize("place", ["/proc/self/model.json", "missing/model.json", "."])
def test_a_place_that_cannot_be_written_is_told_before_learning_starts(
    place: str, tmp_path: Path, capfd: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    _is_told_at_the_start(tmp_path / place, "cannot be written", capfd, monkeypatch)


def _is_told_at_the_start(path: Path, reason: str, capfd: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*_: object) -> int:
        raise AssertionError("work was begun")

    for command, place in (("learn", "learn.run_supervised"), ("plan", "plan.run_kept")):
        monkeypatch.setattr(f"trailmark.cli.{place}", never)
        words = {"learn": [DOMAIN, *PROBLEMS], "plan": ["none", DOMAIN, PROBLEMS[0]]}[command]
        assert main([command, *words, "-o", str(path)]) == 2
        out, err = capfd.readouterr()
        assert (out, err.count("\n")) == ("", 1)
        assert reason in err


def test_asking_whether_a_place_can_be_written_changes_nothing(tmp_path: Path) -> None:
    old = tmp_path / "model.json"
    old.write_text("old")
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for path in (old, tmp_path / "new.json", pipe, Path("/dev/null")):
        check_writable(path)
    assert sorted(each.name for each in tmp_path.iterdir()) == ["model.json", "pipe"]
    assert old.read_text() == "old"


# Clocks


def test_budgets_do_not_follow_a_clock_that_jumps(monkeypatch: pytest.MonkeyPatch) -> None:
    budget = Budget(1000)
    for jump in (-1e6, 1e6):
        real = time.time
        monkeypatch.setattr(time, "time", lambda real=real, jump=jump: real() + jump)
        assert not budget.expired()
        assert 0 <= budget.elapsed() < 1000


def test_nothing_in_the_package_measures_by_the_clock_on_the_wall() -> None:
    """The one use of the date is the day written into a record."""
    import trailmark

    root = Path(trailmark.__file__).parent
    used = [
        f"{path.relative_to(root)}: {line.strip()}"
        for path in root.rglob("*.py")
        for line in path.read_text().splitlines()
        if "time.time(" in line or "datetime.now(" in line
    ]
    assert all("datetime.now" in each for each in used), used


# Workers that die


class KilledOnce:
    """A source whose first process is killed from outside, as by a machine short of memory."""

    def __init__(self, mark: str, times: int) -> None:
        self.mark, self.times = mark, times

    def solve(self, task: Task, seconds: float) -> Plan:
        if task.source == PROBLEMS[1]:
            with open(self.mark, "a") as log:
                log.write(".")
            if os.path.getsize(self.mark) <= self.times:
                os.kill(os.getpid(), signal.SIGKILL)
        return EmbeddedSearch().solve(task, seconds)


def test_plans_lost_with_a_killed_process_are_sought_again(tmp_path: Path) -> None:
    source = KilledOnce(str(tmp_path / "mark"), 1)
    with parallel(2) as executor:
        tasks = [Task.load(DOMAIN, path) for path in PROBLEMS[:3]]
        found = collect_plans(source, tasks, executor=executor)
    assert [each.problem for each in found] == PROBLEMS[:3]
    assert all(each.plan for each in found)


def test_a_problem_that_kills_its_process_twice_is_left_out_with_the_reason(tmp_path: Path) -> None:
    source = KilledOnce(str(tmp_path / "mark"), 2)
    with parallel(2) as executor:
        tasks = [Task.load(DOMAIN, path) for path in PROBLEMS[:3]]
        found = collect_plans(source, tasks, executor=executor)
    assert [each.plan is None for each in found] == [False, True, False]
    assert found[1].reason == "the process that sought its plan was killed 2 times"


class Missing:
    def solve(self, task: Task, seconds: float) -> Plan:
        raise MissingExtraError("not installed", hint="install it")


def test_an_error_in_a_process_of_its_own_comes_back_whole() -> None:
    tasks = [Task.load(DOMAIN, path) for path in PROBLEMS[:2]]
    with parallel(2) as executor, pytest.raises(MissingExtraError) as caught:
        collect_plans(Missing(), tasks, executor=executor)
    assert str(caught.value) == "not installed (install it)"


KILLS_WORKER = """
import os, signal, sys, time
mark, times = sys.argv[1], int(sys.argv[2])
with open(mark, "a") as log:
    log.write(".")
if os.path.getsize(mark) <= times:
    os.kill(os.getppid(), signal.SIGKILL)
    time.sleep(100)
"""


@pytest.mark.parametrize(("times", "status"), [(1, "no plan found"), (2, "error")])
def test_a_bench_worker_that_is_killed_is_replaced_once(tmp_path: Path, times: int, status: str) -> None:
    script, mark = tmp_path / "planner.py", tmp_path / "mark"
    script.write_text(KILLS_WORKER)
    work = {
        "key": "k", "kind": "plan", "files": {}, "reader": "command", "seconds": 60.0, "clock": "wall",
        "megabytes": None,
        "command": ["{shell}", f"{sys.executable} -S -E {script} {mark} {times}"],
    }  # fmt: skip
    record = run_job(work)["record"]
    assert record["status"] == status
    assert mark.read_text() == ".."
    if status == "error":
        assert record["reason"] == "the worker was killed 2 times (signal 9)"
    assert json.dumps(record)


# Ctrl-C before and after there is a command


def test_an_interruption_while_modules_load_is_one_line_and_the_documented_code() -> None:
    script = """
import sys, typer
class Interrupt:
    def find_spec(self, name, path=None, target=None):
        if name == "trailmark.cli.bench":
            raise KeyboardInterrupt
sys.meta_path.insert(0, Interrupt())
import trailmark.cli
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (130, "trailmark: interrupted\n")


def test_an_interruption_after_the_work_changes_nothing() -> None:
    script = """
import atexit, os, signal, sys
sys.argv = ["trailmark", "--version"]
atexit.register(lambda: os.kill(os.getpid(), signal.SIGINT))
from trailmark.cli import main
sys.exit(main())
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_command_without_a_stdout_does_its_work(tmp_path: Path) -> None:
    command = f"{sys.executable} -m trailmark generate gripper --domain -o {tmp_path}/d.pddl >&-"
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert (tmp_path / "d.pddl").read_text()


# Files of plans that are none


def test_a_line_far_longer_than_a_step_is_told_shortened() -> None:
    with pytest.raises(
        PlanError, match=r"<text>:2:1: expected '\(action object ...\)', found '\(go a"
    ) as caught:
        parse_plan("(go a b)\n(go " + "a " * 9_999 + ")")
    assert len(str(caught.value)) < 200
    assert len(parse_plan("; " + "x" * 20_000 + "\n(go a b)\n")) == 1


def test_a_plan_file_that_is_too_large_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "plan"
    with path.open("wb") as stream:
        stream.truncate(MAX_PLAN_BYTES + 1)
    with pytest.raises(InputError, match="the file is too large: a plan may have 17 MB"):
        read_plan(path)


# The harness, with few trials; `python -m tests.faults` takes as many as are wanted


@pytest.mark.slow
@pytest.mark.parametrize(
    "words",
    [
        ["kill", "--count", "9", "--seed", "3"],
        ["interrupt", "--count", "6", "--seed", "3"],
        ["limits", "--domains", "blocksworld", "--seconds", "10", "--megabytes", "150"],
    ],
    ids=lambda words: words[0],
)
def test_nothing_is_lost_in_a_few_trials(words: list[str]) -> None:
    done = _faults(words)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.slow
def test_many_cycles_in_one_process_leave_no_handle_thread_or_file() -> None:
    """Memory is judged by the long run: in a short one it still settles."""
    done = _faults(["soak", "--cycles", "40"])
    assert "40 cycles" in done.stdout, done.stderr
    (handles,) = [line for line in done.stdout.splitlines() if line.startswith("open file handles")]
    assert handles.endswith("; threads [1], children 0, left []")
    assert "," not in handles.partition(";")[0]


@pytest.mark.slow
def test_the_tool_server_keeps_no_handle_thread_or_file() -> None:
    pytest.importorskip("mcp", reason="needs the extra `mcp`")
    done = _faults(["soak", "--cycles", "4", "--plans", "2", "--server", "--warm-up", "1"])
    (handles,) = [line for line in done.stdout.splitlines() if line.startswith("open file handles")]
    assert "," not in handles.partition(", children 0, left []")[0].replace("]; threads [", " ")


def test_two_planners_with_one_model_and_one_output_leave_one_whole_plan(tmp_path: Path) -> None:
    (tmp_path / "graph.txt").write_text("landmark\nn_count(c_primitive(at,0))\n")
    command = [sys.executable, "-m", "trailmark", "plan", str(tmp_path / "graph.txt"), DOMAIN, PROBLEMS[0]]
    both = [subprocess.Popen([*command, "-o", str(tmp_path / "plan"), "-q"]) for _ in range(2)]
    assert [each.wait() for each in both] == [0, 0]
    assert validate(Task.load(DOMAIN, PROBLEMS[0]), read_plan(tmp_path / "plan"))
    assert sorted(each.name for each in tmp_path.iterdir()) == ["graph.txt", "plan"]


def _faults(words: list[str]) -> subprocess.CompletedProcess[str]:
    root = Path(__file__).parents[2]
    command = [sys.executable, "-m", "tests.faults", *words]
    return subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)


def test_a_scratch_folder_that_is_removed_before_it_is_locked_is_made_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lost = tmp_path / "lost"
    made = iter([str(lost), str(tmp_path / "kept")])

    def make(prefix: str) -> str:
        name = next(made)
        if name != str(lost):
            os.mkdir(name)
        return name

    monkeypatch.setattr("tempfile.mkdtemp", make)
    with scratch_folder("trailmark-test-") as folder:
        assert folder == tmp_path / "kept"
        assert folder.is_dir()
    assert not folder.exists()
