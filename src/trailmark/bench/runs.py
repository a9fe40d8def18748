"""A suite expanded into runs. A run is one process: making plans, learning a graph, or planning.

Every run has a key, a hash of all it depends on: texts, options, limits, and the key of the run it
needs. Equal keys mean equal work, so parts share runs and a resumed suite repeats none. The setting
`search` of a planner that only follows a graph is such a hash without the learner: with equal graphs it is
the same search.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from importlib.resources import files
from typing import Any

from trailmark import __version__
from trailmark.bench.instances import (
    Instances,
    Presets,
    instance_name,
    instance_text,
    sized_name,
    training_set,
)
from trailmark.bench.records import best_config
from trailmark.bench.suite import (
    BASELINE,
    BENCHMARK_SET,
    BEST_CONFIG,
    CEILING,
    COMMAND,
    FAST_DOWNWARD,
    PAPER,
    WALL,
    Learner,
    Limits,
    Options,
    Part,
    Planner,
    Suite,
    glob_names,
)

PLANS, LEARN, PLAN, LANDMARKS = "plans", "learn", "plan", "landmarks"

LANDMARK_DUMP = (
    "let(lm, landmark_sum(lm_reasonable_orders_hps(lm_rhw(), verbosity=debug)), lazy_greedy([lm], bound=0))"
)
"""Fast Downward prints LAMA's landmark graph, and a search with bound 0 ends at once."""

START_SECONDS = 5.0
"""Learning keeps its time limit itself; so much longer its process may take to start and to end."""


@dataclass(frozen=True)
class Run:
    """One process to be run, and what it is called in tables."""

    key: str
    kind: str
    domain: str
    instance: str
    """As in p03; empty for learning."""
    learner: str
    """The learner that is run, or whose graph is followed; empty for none."""
    planner: str
    seconds: float
    megabytes: float
    command: tuple[str, ...]
    """Words with {python}, {fast-downward} and names of files; the worker fills them in."""
    needs: Run | None = field(default=None, compare=False, repr=False)
    settings: Mapping[str, Any] = field(default_factory=dict, compare=False)
    clock: str = WALL

    @property
    def column(self) -> str:
        """The name of the planner with its learner, where a planner follows several."""
        return self.planner if not self.learner else f"{self.planner} [{self.learner}]"


@dataclass(frozen=True)
class Expansion:
    """The runs of a suite: each once, those that others need first; and which belong to which part."""

    runs: tuple[Run, ...]
    parts: Mapping[str, tuple[Run, ...]]


def expand(suite: Suite, instances: Instances) -> Expansion:
    """All runs of all parts. What has the same key is run once, also where two domains share an instance,
    and stands in the results of each."""
    known: dict[str, Run] = {}
    parts: dict[str, tuple[Run, ...]] = {}
    for part in suite.parts:
        chosen: dict[tuple[str, ...], Run] = {}
        for run in _part_runs(suite, part, instances):
            for each in (run.needs.needs if run.needs else None, run.needs, run):
                if each is not None:
                    known.setdefault(each.key, each)
                    named = (each.key, each.domain, each.instance, each.learner, each.planner)
                    chosen.setdefault(named, each)
        parts[part.name] = tuple(chosen.values())
    return Expansion(tuple(known.values()), parts)


def graph_text(name: str) -> str:
    """A hand-written landmark graph of this package."""
    return (files(__package__) / "graphs" / f"{name}.txt").read_text(encoding="utf-8")


def _part_runs(suite: Suite, part: Part, instances: Instances) -> Iterator[Run]:
    learners = {learner.name: learner for learner in suite.learners}
    if part.own:
        instances = Presets()
    tests = [instance_name(number) for number in part.tests] + [sized_name(size) for size in part.sizes]
    for domain in part.domains:
        learned: dict[str, Run] = {}

        def learn(name: str, domain: str = domain, learned: dict[str, Run] = learned) -> Run:
            if name not in learned:
                learned[name] = _learn_run(learners[name], domain, part, instances)
            return learned[name]

        for name in part.learners:
            yield learn(name)
        for test in tests:
            for planner_name in part.planners:
                planner = suite.planner(planner_name)
                sources = glob_names(planner.learners, list(learners))
                for source in sources or ("",):
                    yield _plan_run(planner, learn(source) if source else None, domain, test, part, instances)
        if part.lama_graph is not None:
            yield _landmark_run(domain, part, instances)


def _learn_run(learner: Learner, domain: str, part: Part, instances: Instances) -> Run:
    trained = training_set(instances, domain, learner.training_set, learner.training)
    names = [instance.name for instance in trained]
    has_plans = all(each.plan is not None for each in trained)
    options = {"plans-from": "files" if has_plans else "embedded", **dict(learner.options)}
    if options.get("config") == BEST_CONFIG:
        options["config"] = best_config(domain)
    limits = part.limits
    needs = None
    if learner.plans is not None:
        needs = _plans_run(learner, domain, names, part, instances)
        names = [f"{name}-{copy}" for name in names for copy in range(1, learner.plans + 1)]
        options["plans-from"] = "files"
    command = (
        "{python}", "-m", "trailmark", "learn", "domain.pddl", *(f"{name}.pddl" for name in names),
        "-o", "model.json", "--json", "--quiet", *_arguments(tuple(options.items())),
        "--time-limit", f"{_told(limits, limits.learn_seconds):g}",
    )  # fmt: skip
    settings = {
        "reader": "learn",
        "own": part.own,
        "config": options.get("config"),
        "rules": learner.option("rules") or "phi4",
        "training": learner.training,
        "plans": learner.plans,
        "set": learner.training_set,
        "variant": learner.variant,
    }
    texts = _training_key(learner, domain, instances)
    seconds = limits.learn_seconds + START_SECONDS
    key = _key(LEARN, command, texts, seconds, limits, needs)
    return Run(
        key, LEARN, domain, "", learner.name, "", seconds, limits.megabytes,
        command, needs, settings, limits.clock,
    )  # fmt: skip


def _plans_run(learner: Learner, domain: str, names: list[str], part: Part, instances: Instances) -> Run:
    limits = part.limits
    command = (
        "{python}", "-m", "trailmark.bench.trainplans", "domain.pddl", str(learner.plans),
        *(f"{name}.pddl" for name in names),
    )  # fmt: skip
    key = _key(PLANS, command, _training_key(learner, domain, instances), limits.learn_seconds, limits, None)
    settings = {
        "reader": "plans",
        "own": part.own,
        "training": learner.training,
        "plans": learner.plans,
        "set": BENCHMARK_SET,
    }
    return Run(
        key, PLANS, domain, "", learner.name, "", limits.learn_seconds, limits.megabytes,
        command, None, settings, limits.clock,
    )  # fmt: skip


def _plan_run(
    planner: Planner, learned: Run | None, domain: str, test: str, part: Part, instances: Instances
) -> Run:
    limits = part.limits
    problem = instance_text(instances, domain, test)
    size = test if "=" in test else instances.size(domain, int(test[1:]))
    settings: dict[str, Any] = {
        "reader": "plan",
        "kind": planner.kind,
        "own": part.own,
        "size": size,
        "atoms": problem.count("("),
    }
    if planner.kind == FAST_DOWNWARD:
        settings["reader"] = "fast-downward"
        command: tuple[str, ...] = (
            "{python}", "{fast-downward}", "--plan-file", "plan", "--alias", planner.alias,
            "--overall-time-limit", f"{limits.plan_seconds:g}s", "domain.pddl", "problem.pddl",
        )  # fmt: skip
    elif planner.kind == COMMAND:
        settings["reader"] = "command"
        command = ("{shell}", planner.command)
    else:
        model = "none" if planner.kind == BASELINE else "model.txt" if planner.graph else "model.json"
        if planner.graph:
            settings["graph"] = planner.graph
        options = planner.options
        if planner.kind in (BASELINE, PAPER):
            options = tuple({"search": "astar", "shorten": False, **dict(options)}.items())
        if planner.kind == PAPER:
            options = tuple({"heuristic": "hadd", "fallback": False, **dict(options)}.items())
        command = (
            "{python}", "-m", "trailmark", "plan", model, "domain.pddl", "problem.pddl", "-o", "plan",
            "--json", "--quiet", *_arguments(options),
            "--time-limit", f"{_told(limits, limits.plan_seconds):g}",
            "--memory-limit", f"{limits.megabytes:g}",
        )  # fmt: skip
    texts = [instances.domain(domain), problem]
    if planner.graph:
        texts.append(graph_text(planner.graph))
    key = _key(PLAN, command, texts, limits.plan_seconds, limits, learned)
    if planner.kind == PAPER and learned:
        settings["search"] = _key(PLAN, command, texts, limits.plan_seconds, limits, None)
    return Run(
        key, PLAN, domain, test, learned.learner if learned else "", planner.name,
        limits.plan_seconds, limits.megabytes, command, learned, settings, limits.clock,
    )  # fmt: skip


def _landmark_run(domain: str, part: Part, instances: Instances) -> Run:
    assert part.lama_graph is not None
    limits = part.limits
    command = ("{python}", "{fast-downward}", "domain.pddl", "problem.pddl", "--search", LANDMARK_DUMP)
    test = instance_name(part.lama_graph)
    texts = [instances.domain(domain), instance_text(instances, domain, test)]
    key = _key(LANDMARKS, command, texts, limits.plan_seconds, limits, None)
    return Run(
        key, LANDMARKS, domain, test, "", "", limits.plan_seconds, limits.megabytes,
        command, None, {"reader": "landmarks", "kind": FAST_DOWNWARD, "own": part.own}, limits.clock,
    )  # fmt: skip


def _training_key(learner: Learner, domain: str, instances: Instances) -> list[str]:
    trained = training_set(instances, domain, learner.training_set, learner.training)
    return [
        instances.domain(domain),
        *(text for instance in trained for text in (instance.problem, instance.plan or "")),
    ]


def _arguments(options: Options) -> list[str]:
    words = []
    for name, value in options:
        if isinstance(value, bool):
            words.append(f"--{name}" if value else f"--no-{name}")
        else:
            words += [f"--{name}", str(value)]
    return words


def _told(limits: Limits, seconds: float) -> float:
    """The wall-clock limit that a command is given: under a CPU limit it does not end by itself before."""
    return seconds if limits.clock == WALL else 2 * CEILING * seconds


def _key(
    kind: str, command: tuple[str, ...], texts: list[str], seconds: float, limits: Limits, needs: Run | None
) -> str:
    """A hash of what is run; this program's version counts wherever this program is what runs."""
    digests = [hashlib.sha256(text.encode()).hexdigest() for text in texts]
    version = __version__ if "trailmark" in command else ""
    counted = seconds if limits.clock == WALL else [seconds, limits.clock]
    parts = [kind, command, digests, counted, limits.megabytes, needs.key if needs else "", version]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:32]
