"""The library as a notebook uses it."""

from __future__ import annotations

import inspect
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

import trailmark
from trailmark import domains
from trailmark.errors import InputError, ModelError, SearchStatus, TrailmarkError
from trailmark.learning.sources import EmbeddedSearch

PROGRAM = """
counter n_count(c_and(c_primitive(at_g,0),c_not(c_equal(r_primitive(at,0,1),r_primitive(at_g,0,1)))))
"""


@dataclass(frozen=True)
class Delivery:
    """A domain with training problems and one to solve."""

    domain: Path
    problems: list[Path]
    test: Path
    other_domain: Path


@pytest.fixture(scope="module")
def delivery(tmp_path_factory: pytest.TempPathFactory) -> Delivery:
    folder = tmp_path_factory.mktemp("delivery")
    for name, text in {
        "domain.pddl": domains.domain_text("delivery"),
        "other.pddl": domains.domain_text("blocksworld"),
        "test.pddl": domains.generate("delivery", 7, width=5, height=5, packages=5),
    }.items():
        (folder / name).write_text(text)
    problems = []
    for number, text in enumerate(domains.train_problems("delivery"), start=1):
        problems.append(folder / f"t{number}.pddl")
        problems[-1].write_text(text)
    return Delivery(folder / "domain.pddl", problems, folder / "test.pddl", folder / "other.pddl")


@pytest.fixture(scope="module")
def model(delivery: Delivery) -> trailmark.LearnedModel:
    return trailmark.learn(delivery.domain, delivery.problems, method="chain", complexity=7)


def test_every_public_name_exists_and_is_documented() -> None:
    for name in trailmark.__all__:
        value = getattr(trailmark, name)
        assert name == "__version__" or inspect.getdoc(value), name
        if name in ("ExplainedPlan", "LearnedModel", "Solution"):
            for method, member in vars(value).items():
                if not method.startswith("_") and (callable(member) or isinstance(member, property)):
                    assert inspect.getdoc(member), f"{name}.{method}"


def test_public_names_are_listed_and_others_are_refused() -> None:
    assert set(trailmark.__all__) <= set(dir(trailmark))
    with pytest.raises(AttributeError, match="nonsense"):
        _ = trailmark.nonsense


def test_importing_the_package_imports_nothing_heavy() -> None:
    script = "import sys, trailmark; print(*sys.modules)"
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert {"numpy", "pymimir", "clingo", "typer"}.isdisjoint(ended.stdout.split())


def test_learning_planning_and_checking(model: trailmark.LearnedModel, delivery: Delivery) -> None:
    assert len(model.guidance) >= 1
    assert "landmark" in str(model)
    solution = model.plan(delivery.test, time_limit=60)
    assert solution
    assert solution.status is SearchStatus.SOLVED
    assert len(solution) == len(solution.plan) == len(solution.result.steps or ())
    assert trailmark.validate(solution.task, solution.plan)
    assert str(solution).startswith("(")
    assert model.check(solution).acceptances == model.check(solution.plan, solution.task).acceptances


def test_a_model_and_a_plan_survive_their_files(
    model: trailmark.LearnedModel, delivery: Delivery, tmp_path: Path
) -> None:
    model.save(tmp_path / "model.json")
    loaded = trailmark.load(tmp_path / "model.json")
    assert loaded.guidance == model.guidance
    solution = loaded.plan(delivery.domain, delivery.test, time_limit=60)
    solution.save(tmp_path / "plan")
    assert trailmark.read_plan(tmp_path / "plan") == solution.plan
    checked = loaded.check(tmp_path / "plan", delivery.domain, delivery.test)
    assert checked.acceptances == model.check(solution).acceptances


def test_a_graph_written_by_hand_fits_every_domain_with_its_predicates(
    delivery: Delivery, tmp_path: Path
) -> None:
    (tmp_path / "graph.txt").write_text(PROGRAM)
    model = trailmark.load(tmp_path / "graph.txt", delivery.domain)
    solution = model.plan(delivery.test, search="leap", time_limit=60)
    assert model.check(solution)
    assert trailmark.load(tmp_path / "graph.txt").plan(delivery.domain, delivery.test, time_limit=60)
    with pytest.raises(TrailmarkError, match="at_g"):
        trailmark.load(tmp_path / "graph.txt", delivery.other_domain)


def test_a_plan_is_explained_in_words_as_json_and_as_a_page(delivery: Delivery, tmp_path: Path) -> None:
    (tmp_path / "graph.txt").write_text(PROGRAM)
    model = trailmark.load(tmp_path / "graph.txt", delivery.domain)
    solution = model.plan(delivery.test, search="leap", time_limit=60)
    told = model.explain(solution)
    assert told
    assert "pass 5 of 5" in str(told)
    assert str(model.explain(solution.plan, delivery.test)) == str(told)
    assert told.as_json()["stretches"]
    told.save(tmp_path / "plan.html")
    assert (tmp_path / "plan.html").read_text().startswith("<!DOCTYPE html>")


def test_notebooks_show_models_and_explanations(delivery: Delivery, tmp_path: Path) -> None:
    (tmp_path / "graph.txt").write_text(PROGRAM)
    model = trailmark.load(tmp_path / "graph.txt", delivery.domain)
    assert model._repr_svg_().startswith("<svg")
    assert "<svg" in model._repr_html_()
    told = model.explain(model.plan(delivery.test, search="leap", time_limit=60))
    assert "pass 5 of 5" in told._repr_html_()


def test_a_model_refuses_another_domain(model: trailmark.LearnedModel, delivery: Delivery) -> None:
    problem = delivery.domain.with_name("blocks.pddl")
    problem.write_text(domains.generate("blocksworld"))
    with pytest.raises(ModelError, match="for domain 'delivery'"):
        model.plan(delivery.other_domain, problem)


def test_plans_come_from_files_or_from_a_source_of_ones_own(delivery: Delivery) -> None:
    class Counting(EmbeddedSearch):
        calls = 0

        def solve(self, task: trailmark.Task, seconds: float) -> trailmark.Plan:
            Counting.calls += 1
            if task.source == str(delivery.problems[0]):
                raise InputError("not this one")
            return super().solve(task, seconds)

    with pytest.warns(UserWarning, match="left out: not this one"):
        model = trailmark.learn(delivery.domain, delivery.problems, Counting(), method="chain", complexity=5)
    assert Counting.calls == 5
    assert len(model.model.training) == 4
    plans = []
    for problem in delivery.problems:
        plan = EmbeddedSearch().solve(trailmark.Task.load(delivery.domain, problem), 30)
        plans.append(problem.with_suffix(".soln"))
        plans[-1].write_text("\n".join(map(str, plan.steps)))
    model = trailmark.learn(delivery.domain, delivery.problems, plans, method="chain", complexity=5)
    assert [each.plan for each in model.model.training] == [each.name for each in plans]


def test_state_functions_of_ones_own_are_used_alone(delivery: Delivery) -> None:
    model = trailmark.learn(
        delivery.domain,
        delivery.problems,
        functions="n_count(c_primitive(empty,0))",
        functions_only=True,
        method="chain",
    )
    assert [str(each) for each in model.guidance.features] == ["n_count(c_primitive(empty,0))"]


def test_options_and_tasks_that_are_none_are_refused(
    model: trailmark.LearnedModel, delivery: Delivery
) -> None:
    public = (
        "anytime, complete, fallback, heuristic, improve, jobs, memory_limit, on_plan, prune, prune_forgets, "
        "search, shorten, time_limit"
    )
    with pytest.raises(InputError, match=rf"no option 'speed' \(use one of {public}\)"):
        model.plan(delivery.test, speed=3)
    with pytest.raises(InputError, match=r"no option 'depth' .*, seed, solver, time_limit, validation\)"):
        trailmark.learn(delivery.domain, delivery.problems, depth=3)
    with pytest.raises(InputError, match="name the task"):
        model.plan()
    with pytest.raises(InputError, match=r"no .*problems"):
        trailmark.learn(delivery.domain, [])


def test_options_of_a_wrong_type_are_refused(model: trailmark.LearnedModel, delivery: Delivery) -> None:
    with pytest.raises(InputError, match=r"the option 'jobs' cannot be '2' \(give int\)"):
        model.plan(delivery.test, jobs="2")
    with pytest.raises(InputError, match="the time limit is no number: '60'"):
        model.plan(delivery.test, time_limit="60")  # type: ignore[arg-type]
    with pytest.raises(InputError, match=r"the option 'complexity' cannot be '7' \(give int or None\)"):
        trailmark.learn(delivery.domain, delivery.problems, complexity="7")
    with pytest.raises(InputError, match="give a list of files"):
        trailmark.learn(delivery.domain, str(delivery.test))


def test_a_task_without_a_plan_says_why(delivery: Delivery, tmp_path: Path) -> None:
    (tmp_path / "graph.txt").write_text(PROGRAM)
    model = trailmark.load(tmp_path / "graph.txt", delivery.domain)
    solution = model.plan(delivery.test, time_limit=0.001)
    assert not solution
    assert len(solution) == 0
    assert "time limit" in str(solution)
    with pytest.raises(InputError, match="has no plan"):
        _ = solution.plan
