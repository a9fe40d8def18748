"""A suite expanded into runs. A run is one process: making plans, learning a graph, or planning.

Every run has a key, a hash of all it depends on: texts, options, limits, and the key of the run it
needs. Equal keys mean equal work, so parts share runs and a resumed suite repeats none. The setting
`search` of a planner that only follows a graph is such a hash without the learner: with equal graphs it is
the same search.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.resources import files
from typing import Any

from trailmark import __version__
from trailmark.bench import suite as spec
from trailmark.bench.records import best_config
from trailmark.bench.suite import PAPER, WALL, Instances, Learner, Part, Planner, Presets, Suite

PLANS, LEARN, PLAN, LANDMARKS = "plans", "learn", "plan", "landmarks"

LANDMARK_DUMP = (
    "let(lm, landmark_sum(lm_reasonable_orders_hps(lm_rhw(), verbosity=debug)), lazy_greedy([lm], bound=0))"
)
"""Fast Downward prints LAMA's landmark graph, and a search with bound 0 ends at once."""

START_SECONDS = 5.0
"""Learning keeps its time limit itself; so much longer its process may take to start and to end."""

Words = tuple[str, ...]


@dataclass(frozen=True)
class Run:
    """One process to be run, and what it is called in tables."""

    key: str
    kind: str
    domain: str
    seconds: float
    megabytes: float
    command: Words
    """Words with {python}, {fast-downward} and names of files; the worker fills them in."""
    instance: str = ""
    """As in p03; empty for learning."""
    learner: str = ""
    """The learner that is run, or whose graph is followed; empty for none."""
    planner: str = ""
    needs: Run | None = field(default=None, compare=False, repr=False)
    settings: Mapping[str, Any] = field(default_factory=dict, compare=False)
    clock: str = WALL


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
        for last in _PartRuns(suite, part, Presets() if part.own else instances).all():
            for run in (last.needs.needs if last.needs else None, last.needs, last):
                if run is not None:
                    known.setdefault(run.key, run)
                    chosen.setdefault((run.key, run.domain, run.instance, run.learner, run.planner), run)
        parts[part.name] = tuple(chosen.values())
    return Expansion(tuple(known.values()), parts)


def graph_text(name: str) -> str:
    """A hand-written landmark graph of this package."""
    return (files(__package__) / "graphs" / f"{name}.txt").read_text(encoding="utf-8")


class _PartRuns:
    """The runs of one part, whose instances come from here."""

    def __init__(self, suite: Suite, part: Part, instances: Instances) -> None:
        self.suite, self.part, self.limits, self.instances = suite, part, part.limits, instances
        self.learned: dict[tuple[str, str], Run] = {}

    def all(self) -> Iterator[Run]:
        tests = [*map(spec.instance_name, self.part.tests), *map(spec.sized_name, self.part.sizes)]
        for domain in self.part.domains:
            for name in self.part.learners:
                yield self._learn(name, domain)
            for test in tests:
                for planner in map(self.suite.planner, self.part.planners):
                    if not planner.learners:
                        yield self._plan(planner, None, domain, test)
                    for learner in planner.learners:
                        yield self._plan(planner, self._learn(learner, domain), domain, test)
            if self.part.lama_graph is not None:
                yield self._landmarks(domain, spec.instance_name(self.part.lama_graph))

    def _learn(self, name: str, domain: str) -> Run:
        if (name, domain) not in self.learned:
            self.learned[name, domain] = self._learn_run(self.suite.learner(name), domain)
        return self.learned[name, domain]

    def _learn_run(self, learner: Learner, domain: str) -> Run:
        trained = spec.training_set(self.instances, domain, learner.set, learner.training)
        names = [instance.name for instance in trained]
        has_plans = all(instance.plan is not None for instance in trained)
        options = {"plans-from": "files" if has_plans else "embedded", **dict(learner.options)}
        if options.get("config") == spec.BEST_CONFIG:
            options["config"] = best_config(domain)
        needs = None
        if learner.plans is not None:
            needs = self._plans(learner, domain, trained)
            names = [f"{name}-{copy}" for name in names for copy in range(1, learner.plans + 1)]
            options["plans-from"] = "files"
        command = (
            "{python}", "-m", "trailmark", "learn", "domain.pddl", *(f"{name}.pddl" for name in names),
            "-o", "model.json", "--json", "--quiet", *_arguments(options),
            "--time-limit", self._told(self.limits.learn_seconds),
        )  # fmt: skip
        settings = {
            "reader": "learn",
            "config": options.get("config"),
            "rules": options.get("rules") or "phi4",
            "training": learner.training,
            "plans": learner.plans,
            "set": learner.set,
            "variant": learner.variant,
        }
        seconds = self.limits.learn_seconds + START_SECONDS
        texts = _training_texts(trained)
        return self._run(LEARN, domain, command, texts, seconds, settings, learner=learner.name, needs=needs)

    def _plans(self, learner: Learner, domain: str, trained: Sequence[spec.TrainingInstance]) -> Run:
        problems = (f"{instance.name}.pddl" for instance in trained)
        command = (
            "{python}", "-m", "trailmark.bench.trainplans", "domain.pddl", str(learner.plans), *problems,
        )  # fmt: skip
        settings: dict[str, Any] = {"reader": "plans", "set": spec.BENCHMARK_SET}
        settings |= {"training": learner.training, "plans": learner.plans}
        seconds, texts = self.limits.learn_seconds, _training_texts(trained)
        return self._run(PLANS, domain, command, texts, seconds, settings, learner=learner.name)

    def _plan(self, planner: Planner, learned: Run | None, domain: str, test: str) -> Run:
        problem = spec.instance_text(self.instances, domain, test)
        size = test if "=" in test else self.instances.size(domain, int(test[1:]))
        atoms, texts = problem.count("("), [problem]
        settings: dict[str, Any] = {"reader": "plan", "kind": planner.kind, "size": size, "atoms": atoms}
        if planner.kind in (spec.FAST_DOWNWARD, spec.COMMAND):
            settings["reader"] = planner.kind
        if planner.graph:
            settings["graph"] = planner.graph
            texts.append(graph_text(planner.graph))
        command, seconds = self._plan_command(planner), self.limits.plan_seconds
        if planner.kind == PAPER and learned:
            settings["search"] = self._key(PLAN, domain, command, texts, seconds, None)
        learner = learned.learner if learned else ""
        return self._run(
            PLAN, domain, command, texts, seconds, settings,
            instance=test, learner=learner, planner=planner.name, needs=learned,
        )  # fmt: skip

    def _plan_command(self, planner: Planner) -> Words:
        if planner.kind == spec.FAST_DOWNWARD:
            return (
                "{python}", "{fast-downward}", "--plan-file", "plan", "--alias", planner.alias,
                "--overall-time-limit", f"{self.limits.plan_seconds:g}s", "domain.pddl", "problem.pddl",
            )  # fmt: skip
        if planner.kind == spec.COMMAND:
            return "{shell}", planner.command
        model = "none" if planner.kind == spec.BASELINE else "model.txt" if planner.graph else "model.json"
        options = dict(planner.options)
        if planner.kind in (spec.BASELINE, PAPER):
            options = {"search": "astar", "shorten": False, **options}
        if planner.kind == PAPER:
            options = {"heuristic": "hadd", "fallback": False, **options}
        return (
            "{python}", "-m", "trailmark", "plan", model, "domain.pddl", "problem.pddl", "-o", "plan",
            "--json", "--quiet", *_arguments(options), "--time-limit", self._told(self.limits.plan_seconds),
            "--memory-limit", f"{self.limits.megabytes:g}",
        )  # fmt: skip

    def _landmarks(self, domain: str, test: str) -> Run:
        command = ("{python}", "{fast-downward}", "domain.pddl", "problem.pddl", "--search", LANDMARK_DUMP)
        texts = [spec.instance_text(self.instances, domain, test)]
        settings = {"reader": "landmarks", "kind": spec.FAST_DOWNWARD}
        return self._run(LANDMARKS, domain, command, texts, self.limits.plan_seconds, settings, instance=test)

    def _run(
        self, kind: str, domain: str, command: Words, texts: list[str], seconds: float,
        settings: Mapping[str, Any], **known: Any,
    ) -> Run:  # fmt: skip
        key = self._key(kind, domain, command, texts, seconds, known.get("needs"))
        known |= {"settings": {**settings, "own": self.part.own}, "clock": self.limits.clock}
        return Run(key, kind, domain, seconds, self.limits.megabytes, command, **known)

    def _key(
        self, kind: str, domain: str, command: Words, texts: list[str], seconds: float, needs: Run | None
    ) -> str:
        """A hash of what is run; this program's version counts wherever this program is what runs."""
        texts = [self.instances.domain(domain), *texts]
        digests = [hashlib.sha256(text.encode()).hexdigest() for text in texts]
        version = __version__ if "trailmark" in command else ""
        counted = seconds if self.limits.clock == WALL else [seconds, self.limits.clock]
        parts = [kind, command, digests, counted, self.limits.megabytes, needs.key if needs else "", version]
        return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:32]

    def _told(self, seconds: float) -> str:
        """The wall-clock limit a command is given: under a CPU limit it does not end by itself before."""
        return f"{seconds if self.limits.clock == WALL else 2 * spec.CEILING * seconds:g}"


def _training_texts(trained: Sequence[spec.TrainingInstance]) -> list[str]:
    return [text for instance in trained for text in (instance.problem, instance.plan or "")]


def _arguments(options: Mapping[str, spec.Option]) -> list[str]:
    words = []
    for name, value in options.items():
        if isinstance(value, bool):
            words.append(f"--{name}" if value else f"--no-{name}")
        else:
            words += [f"--{name}", str(value)]
    return words
