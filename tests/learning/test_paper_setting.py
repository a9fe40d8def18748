"""`--method paper`: the paper's own Delivery graph, its pools, and its loops in other domains."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import product
from pathlib import Path

import pytest

from tests.learning.paper_set import DOMAIN, FD_PLANS, PROBLEMS
from trailmark import domains
from trailmark.landmarks.graph import LandmarkGraph
from trailmark.learning.learner import LandmarkLearner
from trailmark.learning.options import LearnOptions
from trailmark.learning.training import TrainingInstance, load_training
from trailmark.limits import Budget
from trailmark.search import fast_downward
from trailmark.search.planner import plan
from trailmark.search.result import PlannerOptions
from trailmark.task import Domain, Plan, Step, Task

CONFIGS = ("b1", "b2", "b3", "b4", "b5")
UNDELIVERED = (
    "n_count(c_and(c_primitive(package,0),c_not(c_equal(r_primitive(at,0,1),r_primitive(at_g,0,1)))))"
)
PAPER_DOMAINS = (
    "baking", "barman", "blocksworld", "blocksworld-tower", "childsnack", "delivery", "ferry", "floortile",
    "floortile-single", "footwear", "grid", "grid-no-exchange", "logistics", "miconic", "miconic-capacity",
    "newspapers",
)  # fmt: skip
PAPER_SEARCH = PlannerOptions(search="astar", heuristic="hadd", fallback=False, shorten=False)


@cache
def delivery(config: str, method: str = "paper", rules: str = "phi4") -> LandmarkLearner:
    """Learned from the paper's five instances with their Fast Downward plans."""
    training = load_training(DOMAIN, PROBLEMS, "files", FD_PLANS)
    return LandmarkLearner(LearnOptions(method=method, config=config, rules=rules)).fit(training.instances)


def graph_of(learner: LandmarkLearner) -> LandmarkGraph:
    assert isinstance(learner.guidance_, LandmarkGraph)
    return learner.guidance_


def loops(learner: LandmarkLearner) -> list[tuple[int, int]]:
    return [(loop.source, loop.target) for loop in learner.loops_]


def test_b3_gives_the_graph_of_the_paper_s_appendix() -> None:
    learner = delivery("b3")
    assert learner.features_["after_rules"] == 39
    assert len(graph_of(learner).landmarks) == 4
    assert loops(learner) == [(4, 3)]
    assert [loop.accepted for loop in learner.loops_] == [(1, 2, 1, 2, 3)]
    assert all(learner.satisfaction_)


def test_the_loop_counts_undelivered_packages() -> None:
    (loop,) = graph_of(delivery("b3")).loops
    assert str(loop.counter[0].feature) == UNDELIVERED


def test_a_loop_keeps_every_function_that_fits_it() -> None:
    """The paper has 7 exits, 7 progressors and 5 counters."""
    (loop,) = graph_of(delivery("b3")).loops
    assert (len(loop.exit), len(loop.progression), len(loop.counter)) == (7, 11, 2)


def test_the_variant_keeps_one_function_and_counts_what_the_whole_pool_offers() -> None:
    (loop,) = graph_of(delivery("b2", "chain")).loops
    assert (len(loop.exit), len(loop.progression), len(loop.counter)) == (1, 1, 1)
    assert str(loop.counter[0].feature) == "n_count(c_primitive(package,0))"


@pytest.mark.parametrize(
    ("config", "generated", "left"),
    [("b1", 114, 9), ("b2", 473, 29), ("b3", 786, 39), ("b4", 1519, 77), ("b5", 1519, 77)],
)
def test_limits_count_as_dlplan_counts_and_every_pool_gives_one_loop(
    config: str, generated: int, left: int
) -> None:
    """The sizes of DLPlan's own pools (`test_dlplan_setting`); the paper has one loop with each."""
    learner = delivery(config)
    assert learner.features_ == {"generated": generated, "after_rules": left}
    assert len(graph_of(learner).landmarks) == 4
    assert len(loops(learner)) == 1
    assert all(learner.satisfaction_)


def test_phi3_lies_near_phi4_as_in_the_paper() -> None:
    """The paper's table: 32, 12 and 10 features with b1."""
    left = {
        rules: delivery("b1", rules=rules).features_["after_rules"]
        for rules in ("phi2", "phi3", "phi3-by-number", "phi4")
    }
    assert left == {"phi2": 16, "phi3": 10, "phi3-by-number": 14, "phi4": 9}


def test_newspapers_are_delivered_one_after_the_other() -> None:
    """The paper's headline: of its pools b1 alone has a loop, with which A* solves what it cannot alone."""
    domain = Domain.parse(domains.domain_text("newspapers"))
    tasks = [
        Task.parse(domain, domains.generate("newspapers", seed, **sizes))
        for seed, sizes in enumerate(domains.train_preset("newspapers"), start=1)
    ]
    instances = [TrainingInstance(task, Plan(tuple(rounds(task)))) for task in tasks]
    found = {
        config: LandmarkLearner(LearnOptions(method="paper", config=config)).fit(instances)
        for config in CONFIGS
    }
    assert {config: loops(each) for config, each in found.items() if loops(each)} == {"b1": [(2, 1)]}
    task = Task.parse(domain, domains.test_problem("newspapers", 9))
    assert plan(task, graph_of(found["b1"]), PAPER_SEARCH, Budget(20)).steps
    assert not plan(task, None, PAPER_SEARCH, Budget(1)).steps


def rounds(task: Task) -> Iterator[Step]:
    """The plan that goes to every customer from the home base, as Fast Downward's first plans do."""
    base, *customers = sorted(
        (each for each in task.structure.objects if each.startswith("loc")),
        key=lambda each: task.structure.atom("wantspaper", each) in task.initial_atoms,
    )
    for number, customer in enumerate(customers):
        if number:
            yield Step("move", (customers[number - 1], base))
        yield Step("pick-up", (f"paper-{number}", base))
        yield Step("move", (base, customer))
        yield Step("deliver", (f"paper-{number}", customer))


def test_the_loop_saves_expansions() -> None:
    """The loop 2 → 1 that b3 once had expanded more states than A* + h_add alone."""
    domain = Domain.parse(domains.domain_text("delivery"))
    tasks = [Task.parse(domain, domains.test_problem("delivery", number)) for number in range(1, 8)]
    found = [plan(task, graph_of(delivery("b3")), PAPER_SEARCH).statistics.expanded for task in tasks]
    alone = [plan(task, None, PAPER_SEARCH).statistics.expanded for task in tasks]
    assert sum(found) < sum(alone)


def learned_from(
    folder: Path, config: str, plans: str = "files", satisfied: bool | None = None
) -> LandmarkLearner:
    problems = [str(each) for each in sorted((folder / "train").glob("t*.pddl"))]
    training = load_training(folder / "domain.pddl", problems, plans)
    options = LearnOptions(method="paper", config=config, satisfied_loops=satisfied)
    return LandmarkLearner(options).fit(training.instances)


def test_no_graph_of_the_public_domains_is_violated_by_its_own_plans(benchmarks: Path) -> None:
    looping = set()
    for name, config in product(PAPER_DOMAINS, CONFIGS):
        learner = learned_from(benchmarks / name, config)
        assert all(learner.satisfaction_), (name, config)
        if graph_of(learner).loops:
            looping.add(name)
    assert looping == {
        *("baking", "childsnack", "delivery", "ferry", "floortile", "floortile-single", "grid-no-exchange"),
        *("miconic-capacity", "newspapers"),
    }


def test_barman_has_a_loop_that_all_plans_of_the_embedded_search_satisfy(benchmarks: Path) -> None:
    """With b3, the default; the plans of LAMA's first iteration, which lie beside the problems, have none."""
    learner = learned_from(benchmarks / "barman", "b3", "embedded")
    assert [(loop.source, loop.target, loop.accepted) for loop in learner.loops_] == [(3, 1, (2,) * 5)]
    assert all(learner.satisfaction_)


def test_barman_s_loop_as_printed_is_violated_by_plans_of_lama_first(benchmarks: Path) -> None:
    """The equations look at the plans that repeat something alone; the paper has loops with b1 to b3, too."""
    found = {each: learned_from(benchmarks / "barman", each, satisfied=False) for each in ("b1", "b2", "b3")}
    assert {each: loops(learner) for each, learner in found.items()} == {
        "b1": [(6, 2)], "b2": [(7, 4)], "b3": [(7, 4)],
    }  # fmt: skip
    assert [sum(map(bool, learner.satisfaction_)) for learner in found.values()] == [0, 1, 1]


@pytest.mark.slow
def test_plans_of_one_search_give_loops_in_all_six_domains_of_the_paper(benchmarks: Path) -> None:
    if not fast_downward.is_installed():
        pytest.skip("Fast Downward is not installed (extra `fd`)")
    plans = "fast-downward:lazy_greedy([add()],preferred=[add()])"
    loopy = (("baking", "b1"), ("barman", "b4"), ("delivery", "b3"), ("ferry", "b1"))
    for name, config in (*loopy, ("floortile-single", "b3"), ("newspapers", "b1")):
        learner = learned_from(benchmarks / name, config, plans)
        assert learner.loops_, name
        assert all(learner.satisfaction_), name


@pytest.mark.slow
def test_nine_of_ten_newspapers_are_solved_in_twenty_seconds(benchmarks: Path) -> None:
    folder = benchmarks / "newspapers"
    domain = Domain.load(folder / "domain.pddl")
    graph = graph_of(learned_from(folder, "b1"))
    tasks = [Task.load(domain, folder / "test" / f"p{number:02}.pddl") for number in range(3, 31, 3)]
    assert sum(bool(plan(task, graph, PAPER_SEARCH, Budget(20)).steps) for task in tasks) >= 9
