"""The graphs of the paper setting beside the paper's own, as the Markdown tables of `docs/paper-graphs.md`.

    python benchmarks/paper_graphs.py BENCHMARKS

BENCHMARKS holds a folder a domain (domain.pddl, train/t01.pddl and t01.plan, ...). First come the graphs of
the paper's five Delivery instances, then plans of theirs with redundant actions, then its 16 domains; then
where loops come from other plans of the same instances, and from Barman instances as the paper describes them
(both with Fast Downward, the extra `fd`).
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path

from trailmark import domains
from trailmark.bench.records import PaperRow, paper_row, paper_rows
from trailmark.discovery.functions import state_functions
from trailmark.discovery.loops import answers
from trailmark.features.batch import evaluate
from trailmark.features.grammar import CONFIGS
from trailmark.features.states import state_batch
from trailmark.landmarks.graph import LandmarkGraph
from trailmark.learning.learner import LandmarkLearner
from trailmark.learning.options import LearnOptions
from trailmark.learning.sources import EmbeddedSearch, FastDownward, PlanFile, PlanSource, collect_plans
from trailmark.learning.training import TrainingInstance
from trailmark.task import Domain, Task, read_plan, trajectory

PAPER_SET = Path(str(files("trailmark.bench"))) / "paper_delivery"
DELIVERY = Path(str(files("trailmark.domains"))) / "pddl" / "delivery.pddl"
PLANS = {"fd": "Fast Downward", "plus24": "+2/4", "plus50": "+50 %"}
SOURCES: Mapping[str, PlanSource] = {
    "LAMA-first": PlanFile(),
    "A* + h_add": EmbeddedSearch(),
    "lazy greedy + h_add": FastDownward("lazy_greedy([add()],preferred=[add()])"),
    "optimal": FastDownward("seq-opt-lmcut"),
}
COCKTAILS = ((1, 1, 2, 2, 3), (1, 2, 1, 2, 3), (2, 2, 2, 3, 3))
"""How many the five Barman instances ask for: small sets of cocktails, as the paper says."""
SEEDS = range(1, 6)


def instances(domain: Path, problems: Iterable[Path], plan: str = ".plan") -> list[TrainingInstance]:
    known = Domain.load(domain)
    return [
        TrainingInstance(Task.load(known, problem), read_plan(problem.with_suffix(plan)))
        for problem in problems
    ]


@cache
def paper_set(plans: str) -> tuple[TrainingInstance, ...]:
    return tuple(instances(DELIVERY, sorted(PAPER_SET.glob("t*.pddl")), f".{plans}.plan"))


def learned(training: Sequence[TrainingInstance], config: str) -> LandmarkLearner:
    return LandmarkLearner(LearnOptions(method="paper", config=config)).fit(training)


def loops(learner: LandmarkLearner) -> str:
    return "; ".join(map(str, learner.loops_)) or "–"


def graph_of(learner: LandmarkLearner) -> LandmarkGraph:
    assert isinstance(learner.guidance_, LandmarkGraph)
    return learner.guidance_


def satisfied(learner: LandmarkLearner, training: Sequence[TrainingInstance]) -> str:
    """How many of these plans satisfy a graph that may be learned from others."""
    paths = [trajectory(instance.task, instance.plan, "") for instance in training]
    batch = state_batch([(path.structure, path.states) for path in paths])
    values = state_functions(evaluate(graph_of(learner).features, batch))
    return f"{sum(map(bool, answers(graph_of(learner), values)))} of {len(paths)}"


def shape(row: PaperRow | None) -> str:
    return f"{row['features']} / {row['nodes']} / {row['loops']}" if row and row["nodes"] else "none"


def table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    print(f"\n| {' | '.join(header)} |\n|{'---|' * len(header)}")
    for row in rows:
        print(f"| {' | '.join(row)} |", flush=True)


def delivery_rows() -> Iterable[Sequence[str]]:
    for config in CONFIGS:
        learner = learned(paper_set("fd"), config)
        sizes = ", ".join(str(len(landmark.descriptors)) for landmark in graph_of(learner).landmarks)
        conditions = ", ".join(
            f"{len(loop.exit)}, {len(loop.progression)}, {len(loop.counter)}"
            for loop in graph_of(learner).loops
        )
        paper = paper_row("preprocessing", config=config, rules="phi4") or {}
        counts = learner.features_
        yield (
            config, str(counts["generated"]), f"{counts['after_rules']} ({paper['features']})", sizes,
            loops(learner), conditions, satisfied(learner, paper_set("fd")),
        )  # fmt: skip


def altered_rows() -> Iterable[Sequence[str]]:
    for config in CONFIGS:
        for plans, name in PLANS.items():
            learner = learned(paper_set(plans), config)
            yield (config, name, loops(learner), *(satisfied(learner, paper_set(other)) for other in PLANS))


def domain_rows(benchmarks: Path) -> Iterable[Sequence[str]]:
    for name in sorted({row["domain"] for row in paper_rows("discovery")}):
        problems = sorted((benchmarks / name / "train").glob("t*.pddl"))
        for config in CONFIGS:
            cells: list[str] = []
            for count in (5, 3):
                training = instances(benchmarks / name / "domain.pddl", problems[:count])
                learner = learned(training, config)
                graph = graph_of(learner)
                ours = f"{learner.features_['after_rules']} / {len(graph.landmarks)} / {len(graph.loops)}"
                paper = paper_row("discovery", domain=name, config=config, trajectories=count)
                cells += [shape(paper), ours, loops(learner), satisfied(learner, training)]
            yield (name, config, *cells)


def solved(tasks: Sequence[Task], source: PlanSource) -> list[TrainingInstance]:
    found = collect_plans(source, tasks, seconds=300)
    return [TrainingInstance(task, own.plan) for task, own in zip(tasks, found, strict=True) if own.plan]


def looping(training: Sequence[TrainingInstance]) -> str:
    """Which pools have a loop; the paper setting keeps those alone that all plans satisfy."""
    found = {config: loops(learned(training, config)) for config in CONFIGS}
    shown = dict.fromkeys(loop for loop in found.values() if loop != "–")
    configs = (" ".join(config for config in CONFIGS if found[config] == loop) for loop in shown)
    return "; ".join(f"{which}: {loop}" for which, loop in zip(configs, shown, strict=True)) or "–"


def source_rows(benchmarks: Path) -> Iterable[Sequence[str]]:
    for name in sorted({row["domain"] for row in paper_rows("discovery")}):
        domain = Domain.load(benchmarks / name / "domain.pddl")
        tasks = [Task.load(domain, path) for path in sorted((benchmarks / name / "train").glob("t*.pddl"))]
        rows = {
            config: paper_row("discovery", domain=name, config=config, trajectories=5) for config in CONFIGS
        }
        paper = [config for config, row in rows.items() if row and int(row["loops"] or 0)]
        yield name, " ".join(paper) or "–", *(looping(solved(tasks, origin)) for origin in SOURCES.values())


def cocktail_rows() -> Iterable[Sequence[str]]:
    domain = Domain.parse(domains.domain_text("barman"))
    for counts in COCKTAILS:
        for seed in SEEDS:
            texts = (
                domains.generate("barman", 10 * seed + place, cocktails=count, ingredients=2 + place // 2)
                for place, count in enumerate(counts)
            )
            training = solved([Task.parse(domain, text) for text in texts], FastDownward())
            lengths = ", ".join(str(len(instance.plan)) for instance in training)
            yield ", ".join(map(str, counts)), str(seed), lengths, looping(training)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("benchmarks", type=Path)
    options = parser.parse_args()
    table(
        ("config", "pool", "after the rules (paper)", "descriptors", "loop: accepted",
         "exits, progressors, counters", "satisfied"),
        delivery_rows(),
    )  # fmt: skip
    table(("config", "learned from", "loop: accepted", *PLANS.values()), altered_rows())
    shown = ("paper", "ours", "loop: accepted", "satisfied")
    table(
        ("domain", "config", *shown, *(f"{name}, 3 plans" for name in shown)), domain_rows(options.benchmarks)
    )
    table(("domain", "paper", *SOURCES), source_rows(options.benchmarks))
    table(("cocktails", "seed", "steps", "loop: accepted"), cocktail_rows())


if __name__ == "__main__":
    main()
