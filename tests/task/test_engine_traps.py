"""What is known to go wrong in the engine, each with the guard that contains it.

Where a guard can be taken away, the test also shows that the trap is still there without it; what
crashes a process runs in one of its own.
"""

from __future__ import annotations

import subprocess
import sys
from math import isinf

import pytest

from tests.enginesearch import embedded_search
from tests.task.places import PDDL, SMALL, small_task
from trailmark.errors import EngineError, MemoryLimitError
from trailmark.task import Domain, Task, task
from trailmark.task.engine import translated
from trailmark.task.states import prepare

LOAD = f"""
import contextlib, gc, sys
from trailmark.task import Domain, Task, engine
from tests.enginesearch import embedded_search
from trailmark.task.states import prepare
def load(generation="auto"):
    folder = {str(PDDL / "delivery")!r}
    task = Task.load(folder + "/domain.pddl", folder + "/problem.pddl")
    task.generation = generation
    return task
"""


def run(script: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", LOAD + script], capture_output=True, text=True, timeout=60, check=False
    )


USE_EVERYTHING = """
for generation in ("lifted", "grounded"):
    task = load(generation)
    values = [prepare(task, name)(task.initial_state) for name in ("hadd", "hmax", "ff")]
    embedded_search(task, "astar", "hadd")
    embedded_search(task, "gbfs", "ff")
"""


def test_the_grounder_prints_nothing_on_stdout() -> None:
    ended = run(USE_EVERYTHING)
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "", "")


def test_the_grounder_would_print_without_the_guard() -> None:
    ended = run("engine.silenced = contextlib.nullcontext\n" + USE_EVERYTHING)
    assert "LiftedGrounder" in ended.stdout


def test_the_grounder_prints_nothing_under_capfd(capfd: pytest.CaptureFixture[str]) -> None:
    found = small_task("delivery", "grounded")
    prepare(found, "hadd")(found.initial_state)
    assert capfd.readouterr() == ("", "")


def test_what_python_prints_around_the_grounder_stays_in_order() -> None:
    ended = run("print('before'); task = load(); prepare(task, 'hadd'); print('after')")
    assert ended.stdout == "before\nafter\n"


def test_a_closed_stdout_is_no_obstacle() -> None:
    ended = run("import os; os.close(1); task = load(); prepare(task, 'hadd')(task.initial_state)")
    assert (ended.returncode, ended.stderr) == (0, "")


@pytest.mark.parametrize("generation", ["lifted", "grounded"])
def test_states_and_actions_outlive_their_task(generation: str) -> None:
    ended = run(f"""
for _ in range(5):
    task = load({generation!r})
    (action, reached, _), *_ = task.successors(task.initial_state)
    heuristic = prepare(task, "hadd")
    del task
    gc.collect()
    assert str(action) == "(go v1 s1 s2)", action
    del action
    gc.collect()
    assert len(reached.atoms) == 4 and hash(reached) == hash(reached) and heuristic(reached) > 0
    repr(reached)
    del reached
    gc.collect()
print("fine")
""")
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "fine\n", "")


def test_an_action_alone_keeps_its_task_alive() -> None:
    ended = run("""
actions = []
for _ in range(5):
    task = load("lifted")
    actions += [action for action, _, _ in task.successors(task.initial_state)]
    del task
    gc.collect()
waste = [bytearray(1000) for _ in range(10000)]
print({str(action) for action in actions})
""")
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "{'(go v1 s1 s2)'}\n", "")


def test_a_native_action_alone_would_not() -> None:
    ended = run("""
actions = []
for _ in range(5):
    task = load("lifted")
    actions += [action.native for action, _, _ in task.successors(task.initial_state)]
    del task
    gc.collect()
waste = [bytearray(1000) for _ in range(10000)]
print({action.get_action().get_name() for action in actions})
""")
    assert ended.returncode != 0


def _statically_false() -> Task:
    domain = Domain.load(PDDL / "delivery" / "domain.pddl")
    text = (PDDL / "delivery" / "problem.pddl").read_text()
    return Task.parse(domain, text.replace("(lies p1 s1) (lies p2 s1)", "(lies p1 s2) (road s1 s3)"))


def test_a_statically_false_goal_is_no_goal() -> None:
    found = _statically_false()
    native = found.initial_state.native
    assert found.engine._goal.test_dynamic_goal(native), "the engine's half of the test accepts it"
    assert not found.is_goal(found.initial_state)
    assert isinf(prepare(found, "hadd")(found.initial_state))
    assert embedded_search(found).plan is None


def test_a_heuristic_of_zero_does_not_make_a_goal() -> None:
    found = _statically_false()
    native = found.engine.heuristic("hadd")
    assert native.compute_heuristic(found.initial_state.native) == 0
    assert not found.is_goal(found.initial_state)
    assert all(prepare(found, name)(found.initial_state) > 0 for name in ("hadd", "hmax", "ff", "goalcount"))


def test_names_the_engine_refuses_are_read() -> None:
    found = small_task("odd-names")
    assert found.name == "net-2.0.1-3"
    ((action, reached, _),) = found.successors(found.initial_state)
    assert str(action) == "(pass.on 10.0.0.1 gw.local)"
    assert "(has.token gw.local)" in repr(reached)


def test_the_engine_would_refuse_a_problem_name_with_a_dot() -> None:
    ended = run("""
domain = "(define (domain d) (:predicates (p)) (:action a :parameters () :precondition (and) :effect (p)))"
problem = "(define (problem {}) (:domain d) (:objects) (:init) (:goal (and (p))))"
for name in ("ab", "a.b"):
    task = Task.parse(Domain.parse(domain), problem.format(name))
    task.engine_texts = domain, problem.format(name)
    task.engine
    print("read", flush=True)
""")
    assert ended.stdout == "read\n"
    assert ended.returncode != 0


@pytest.mark.parametrize("name", SMALL)
def test_lifted_and_grounded_generation_agree(name: str) -> None:
    lifted, grounded = small_task(name, "lifted"), small_task(name, "grounded")
    assert not lifted.engine.grounded
    frontier = [(lifted.initial_state, grounded.initial_state)]
    for _ in range(15):
        left, right = frontier.pop(0)
        assert left.atoms == right.atoms
        ours = {str(action): (reached, cost) for action, reached, cost in lifted.successors(left)}
        theirs = {str(action): (reached, cost) for action, reached, cost in grounded.successors(right)}
        assert ours.keys() == theirs.keys()
        for step, (reached, cost) in ours.items():
            assert cost == theirs[step][1]
            frontier.append((reached, theirs[step][0]))
        if not frontier:
            break


def test_small_tasks_are_grounded_and_large_ones_are_not(monkeypatch: pytest.MonkeyPatch) -> None:
    assert small_task("delivery").engine.grounded
    monkeypatch.setattr(task, "GROUNDED_UP_TO", 3)
    assert not small_task("delivery").engine.grounded


def test_the_engines_errors_are_ours() -> None:
    with pytest.raises(EngineError, match="while thinking: no such thing"), translated("thinking"):
        raise RuntimeError("no such\nthing")
    with pytest.raises(MemoryLimitError), translated("thinking"):
        raise RuntimeError("std::bad_alloc")
    with pytest.raises(MemoryLimitError), translated("thinking"):
        raise MemoryError


def test_states_of_two_tasks_are_never_equal() -> None:
    left, right = small_task("delivery"), small_task("delivery")
    assert left.initial_state == left.initial_state
    assert left.initial_state != right.initial_state
    assert len({left.initial_state, right.initial_state}) == 2


def test_equal_states_are_one_in_a_set() -> None:
    found = small_task("delivery")
    ((_, there, _),) = found.successors(found.initial_state)
    back = {reached for action, reached, _ in found.successors(there) if str(action) == "(go v1 s2 s1)"}
    assert back == {found.initial_state}
