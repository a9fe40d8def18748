"""Fast Downward behind leaping: its plans are ours, and nothing of it is left, however a run ends."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

from tests.search.leap_programs import PROGRAMS
from trailmark.cli.main import main
from trailmark.domains import domain_text, generate, train_problems
from trailmark.errors import InputError, SearchStatus
from trailmark.learning.sources import EmbeddedSearch
from trailmark.limits import Budget
from trailmark.search import fast_downward as module
from trailmark.search.fast_downward import (
    LAMA,
    FastDownwardRun,
    companion,
    fast_downward,
    is_installed,
    reads,
)
from trailmark.search.lazy import lazy_greedy
from trailmark.search.leaping import Leaps
from trailmark.search.planner import PlannerOptions, plan
from trailmark.search.result import SearchResult
from trailmark.task import Domain, Plan, Task, validate
from trailmark.task.states import prepare_preferring

HERE = Path(__file__).parents[2]
PDDL = HERE / "tests" / "pddl"

installed = pytest.mark.skipif(not is_installed(), reason="the fd extra is not installed")


def delivery(packages: int = 2) -> Task:
    text = generate("delivery", 1, width=4, height=4, packages=packages)
    return Task.parse(Domain.parse(domain_text("delivery")), text)


@pytest.fixture
def fake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A driver that does what a test writes into it, and temporary files in a folder of their own."""
    script = tmp_path / "driver.py"
    script.write_text("")
    (tmp_path / "scratch").mkdir()
    monkeypatch.setattr(module, "driver", lambda: str(script))
    monkeypatch.setattr(module, "is_installed", lambda: True)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "scratch"))
    return script


SLEEPER = """
import os, subprocess, sys
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
open({pids!r}, "w").write(f"{{os.getpid()}} {{child.pid}}")
child.wait()
"""
"""A driver that waits for a child of its own, and tells both processes."""


def sleeping(fake: Path) -> Path:
    pids = fake.parent / "pids"
    fake.write_text(SLEEPER.format(pids=str(pids)))
    return pids


def processes(pids: Path, seconds: float = 10.0) -> list[int]:
    end = time.monotonic() + seconds
    while not (pids.is_file() and len(pids.read_text().split()) == 2):
        assert time.monotonic() < end, "the driver did not start"
        time.sleep(0.02)
    return [int(word) for word in pids.read_text().split()]


def gone(pid: int, seconds: float = 10.0) -> bool:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            if Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] == "Z":
                return True
        except OSError:
            return True
        time.sleep(0.05)
    return False


def scratch(fake: Path) -> list[str]:
    return os.listdir(fake.parent / "scratch")


def test_the_time_limit_ends_a_run_with_its_children_and_files(fake: Path) -> None:
    pids = sleeping(fake)
    with FastDownwardRun(delivery()) as run:
        started = processes(pids)
        assert not run.finished()
        assert run.result(Budget(0.2)).status is SearchStatus.TIME_LIMIT
    assert all(map(gone, started))
    assert scratch(fake) == []


def test_an_interrupt_ends_a_run_with_its_children_and_files(fake: Path) -> None:
    pids = sleeping(fake)

    def interrupted() -> None:
        with FastDownwardRun(delivery()):
            processes(pids)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    started = processes(pids)
    assert all(map(gone, started))
    assert scratch(fake) == []


ORPHANING = """
import sys, tempfile
from trailmark.search import fast_downward as module
from tests.search.test_fast_downward import delivery
from trailmark.learning.sources import EmbeddedSearch
from trailmark.limits import Budget
module.driver = lambda: sys.argv[1]
tempfile.tempdir = sys.argv[2]
module.fast_downward(delivery(), Budget(300))
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs /proc")
def test_a_run_ends_with_the_process_that_started_it(fake: Path) -> None:
    pids = sleeping(fake)
    environment = {**os.environ, "PYTHONPATH": f"{HERE / 'src'}{os.pathsep}{HERE}"}
    command = [sys.executable, "-c", ORPHANING, str(fake), str(fake.parent / "scratch")]
    with subprocess.Popen(command, env=environment) as parent:
        started = processes(pids, 60.0)
        parent.send_signal(signal.SIGKILL)
        parent.wait()
    assert all(map(gone, started))
    end = time.monotonic() + 10
    while scratch(fake) and time.monotonic() < end:
        time.sleep(0.05)
    assert scratch(fake) == []


def test_a_command_that_is_killed_at_its_limit_leaves_nothing(
    fake: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    pids = sleeping(fake)
    monkeypatch.setattr(FastDownwardRun, "result", lambda *_: time.sleep(600))
    files = [fake.parent / "domain.pddl", fake.parent / "problem.pddl"]
    texts = (domain_text("delivery"), train_problems("delivery")[0])
    for file, text in zip(files, texts, strict=True):
        file.write_text(text)
    options = ["--complete", "fast-downward", "--time-limit", "10"]
    assert main(["plan", "none", *map(str, files), *options]) == 12
    assert "time limit" in capfd.readouterr().err
    assert all(map(gone, processes(pids)))
    assert scratch(fake) == []


INTERRUPTED = """
import sys, tempfile
from trailmark.cli.main import main
from trailmark.search import fast_downward as module
module.driver = lambda: sys.argv[1]
tempfile.tempdir = sys.argv[2]
sys.exit(main(sys.argv[3:]))
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs /proc")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_command_that_is_interrupted_leaves_nothing(fake: Path, number: signal.Signals) -> None:
    pids = sleeping(fake)
    (fake.parent / "domain.pddl").write_text(domain_text("delivery"))
    (fake.parent / "problem.pddl").write_text(train_problems("delivery")[0])
    files = [str(fake.parent / name) for name in ("domain.pddl", "problem.pddl")]
    environment = {**os.environ, "PYTHONPATH": f"{HERE / 'src'}{os.pathsep}{HERE}"}
    arguments = ["plan", "none", *files, "--complete", "fast-downward", "--quiet"]
    command = [sys.executable, "-c", INTERRUPTED, str(fake), str(fake.parent / "scratch"), *arguments]
    with subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL) as running:
        started = processes(pids, 60.0)
        running.send_signal(number)
        assert running.wait(30) != 0
    assert all(map(gone, started))
    assert scratch(fake) == []


def test_a_run_beside_leaping_that_is_not_needed_any_more_is_ended(
    fake: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("trailmark.search.fast_downward.BESIDE_AFTER_S", 0.0)
    pids = sleeping(fake)
    options = PlannerOptions(jobs=2, complete="fast-downward")
    beside = companion(delivery(), None, options, Budget(60))
    assert beside is not None
    with beside:
        assert not beside.ready()
        started = processes(pids)
    assert all(map(gone, started))
    assert scratch(fake) == []


def test_a_training_plan_that_it_does_not_find_in_time_leaves_nothing(fake: Path) -> None:
    pids = sleeping(fake)
    with pytest.raises(InputError, match="found no plan: time limit of 3"):
        EmbeddedSearch(lama=True, astar_states=1).solve(delivery(), 3.0)
    assert all(map(gone, processes(pids)))
    assert scratch(fake) == []


def test_a_search_that_improves_plans_ends_with_the_time_it_has(fake: Path) -> None:
    """The driver writes a plan and goes on for ever, as LAMA does on a large task."""
    task = delivery()
    steps = lazy_greedy(task, prepare_preferring(task)).steps
    assert steps is not None
    text = "".join(f"{step}\\n" for step in steps)
    pids = sleeping(fake)
    fake.write_text(f"open('plan.1', 'w').write('{text}')\n" + fake.read_text())
    with FastDownwardRun(task, LAMA) as run:
        started = processes(pids)
        result = run.result(Budget(0.2))
    assert (result.status, result.steps) == (SearchStatus.SOLVED, steps)
    assert all(map(gone, started))
    assert scratch(fake) == []


def test_anytime_goes_on_with_lama_and_windows_and_leaves_the_first_search_out(fake: Path) -> None:
    pids = sleeping(fake)
    options = PlannerOptions(anytime=True, complete="fast-downward")
    result = plan(delivery(), PROGRAMS["delivery"], options, Budget(4))
    assert result.status is SearchStatus.SOLVED
    assert list(result.times)[-2:] == ["lama", "windows"]
    assert "fast downward" not in result.times
    assert all(map(gone, processes(pids)))
    assert scratch(fake) == []


def test_leaping_leaves_half_of_the_time_to_a_run_that_waits_and_nothing_to_one_beside_it(fake: Path) -> None:
    fake.write_text("raise SystemExit(12)")
    asked: list[float] = []

    def stuck(leaps: Leaps, budget: Budget) -> SearchResult:
        leaps.came_far = True
        asked.append(budget.remaining())
        return SearchResult(SearchStatus.NO_PLAN_FOUND)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(Leaps, "first", stuck)
        patched.setattr(Leaps, "second", stuck)
        patched.setattr(Leaps, "by_whole_passes", stuck)
        for jobs in (1, 2):
            options = PlannerOptions(jobs=jobs, complete="fast-downward")
            result = plan(delivery(), PROGRAMS["delivery"], options, Budget(100))
            assert result.status is SearchStatus.SOLVED
    # Behind leaping, Fast Downward has its turn before leaping tries again; beside it, after that.
    assert [round(seconds, -1) for seconds in asked] == [50, 50, 80, 80, 50]


@pytest.mark.parametrize("far", [True, False])
def test_leaping_that_came_far_is_tried_by_whole_passes_before_a_run_that_waits(
    fake: Path, monkeypatch: pytest.MonkeyPatch, far: bool
) -> None:
    def stuck(leaps: Leaps, _: Budget) -> SearchResult:
        leaps.came_far = far
        return SearchResult(SearchStatus.NO_PLAN_FOUND)

    monkeypatch.setattr(Leaps, "first", stuck)
    fake.write_text("raise SystemExit(12)")
    result = plan(delivery(), PROGRAMS["delivery"], PlannerOptions(complete="fast-downward"), Budget(20))
    assert result.status is SearchStatus.SOLVED
    assert ("leap by whole passes" in result.times, "fast downward" in result.times) == (far, not far)


def test_leaping_came_far_where_half_of_the_goals_are_closed() -> None:
    leaps = Leaps(delivery(), PROGRAMS["delivery"], PlannerOptions(), None)
    leaps.first(Budget(1e-9))
    assert not leaps.came_far
    assert leaps.first(Budget(20)).status is SearchStatus.SOLVED
    assert leaps.came_far


def test_a_run_that_comes_to_no_search_leads_back_to_leaping(
    fake: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first driver translates for ever, the second searches for ever."""
    for run in ("first", "by_whole_passes"):
        monkeypatch.setattr(Leaps, run, lambda *_: SearchResult(SearchStatus.TIME_LIMIT))
    options = PlannerOptions(complete="fast-downward")
    pids = sleeping(fake)
    result = plan(delivery(), PROGRAMS["delivery"], options, Budget(4))
    assert (result.status, result.strategy) == (SearchStatus.SOLVED, "leap again")
    assert all(map(gone, processes(pids)))
    fake.write_text("open('output.sas', 'w').close()\n" + fake.read_text())
    result = plan(delivery(), PROGRAMS["delivery"], options, Budget(4))
    assert (result.status, result.strategy) == (SearchStatus.TIME_LIMIT, "fast downward")


def _engine_names(task: Task) -> dict[str, str]:
    """What the texts for planners call each action and object."""
    actions = {action.name: f"a{place}" for place, action in enumerate(task.domain.model.actions)}
    return actions | {name: f"o{place}" for place, name in enumerate(task.structure.objects)}


def test_it_reads_what_the_user_wrote(fake: Path) -> None:
    """The driver keeps what it is given, and gives up."""
    kept = fake.parent / "kept"
    fake.write_text(f"open({str(kept)!r}, 'w').write(open('problem.pddl').read())\nraise SystemExit(22)")
    task = delivery()
    fast_downward(task, Budget(30))
    assert kept.read_text() == task.text


def test_what_it_does_not_solve_as_the_user_wrote_it_is_tried_in_names_of_our_own(fake: Path) -> None:
    task = delivery()
    steps = lazy_greedy(task, prepare_preferring(task)).steps
    assert steps is not None
    names = _engine_names(task)
    text = "".join(
        f"({' '.join(names[word] for word in (step.action, *step.arguments))})\\n" for step in steps
    )
    fake.write_text(
        f"if '(domain d)' not in open('domain.pddl').read(): raise SystemExit(31)\n"
        f"open('plan', 'w').write('{text}')"
    )
    assert fast_downward(task, Budget(30)).steps == steps
    assert scratch(fake) == []


def test_a_plan_that_is_not_valid_is_none(fake: Path) -> None:
    fake.write_text("open('plan', 'w').write('(a0 o0 o1)\\n')")
    assert fast_downward(delivery(), Budget(30)).status is SearchStatus.NO_PLAN_FOUND


@pytest.mark.parametrize(
    ("code", "status"),
    [
        (10, SearchStatus.UNSOLVABLE),
        (11, SearchStatus.UNSOLVABLE),
        (22, SearchStatus.MEMORY_LIMIT),
        (12, SearchStatus.NO_PLAN_FOUND),
        (31, SearchStatus.NO_PLAN_FOUND),
    ],
)
def test_exit_codes_of_the_driver_are_told_apart(fake: Path, code: int, status: SearchStatus) -> None:
    fake.write_text(f"raise SystemExit({code})")
    assert fast_downward(delivery(), Budget(30)).status is status


@pytest.mark.parametrize("code", [22, 31])
def test_where_it_gives_up_the_embedded_search_solves_the_task(fake: Path, code: int) -> None:
    fake.write_text(f"raise SystemExit({code})")
    result = plan(delivery(), None, PlannerOptions(complete="fast-downward"), Budget(60))
    assert (result.status, result.strategy) == (SearchStatus.SOLVED, "lazy greedy")


def test_numbers_are_beyond_it() -> None:
    numeric = Task.load(PDDL / "numeric" / "domain.pddl", PDDL / "numeric" / "problem.pddl")
    assert not reads(numeric)
    assert reads(Task.load(PDDL / "costs" / "domain.pddl", PDDL / "costs" / "problem.pddl"))


def test_an_unknown_complete_search_is_bad_input() -> None:
    with pytest.raises(InputError, match="unknown complete search 'lama'"):
        PlannerOptions(complete="lama")


@installed
@pytest.mark.parametrize(
    "name", ["adl", "constants", "costs", "derived", "equality", "odd-names", "upper-case"]
)
def test_plans_are_in_the_names_of_the_task(name: str) -> None:
    task = Task.load(PDDL / name / "domain.pddl", PDDL / name / "problem.pddl")
    result = fast_downward(task, Budget(60))
    assert result.steps is not None
    assert validate(task, Plan(result.steps))


@installed
def test_the_plan_says_which_search_found_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("trailmark.search.fast_downward.BESIDE_AFTER_S", 0.0)
    for jobs in (1, 2):
        options = PlannerOptions(jobs=jobs)
        result = plan(delivery(8), None, options, Budget(60))
        assert (result.status, result.strategy) == (SearchStatus.SOLVED, "fast downward")


@installed
def test_a_task_that_starts_elsewhere_is_solved_from_there() -> None:
    domain = Domain.parse(domain_text("delivery"))
    task = Task.parse(domain, train_problems("delivery")[4])
    result = fast_downward(task, Budget(60))
    assert result.steps is not None
    state = task.initial_state
    for step in result.steps[:3]:
        state = next(reached for action, reached, _ in task.successors(state) if action.step == step)
    later = task.starting_from(state.atoms, "later")
    found = fast_downward(later, Budget(60))
    assert found.steps is not None
    assert validate(later, Plan(found.steps))
