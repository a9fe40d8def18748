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
_Files = dict[str, str | None]
"""Texts by the names of their files; None where a training instance has no plan."""


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
    reader: str
    """Who reads what the command leaves, by the name it has for the worker."""
    files: Mapping[str, str] = field(compare=False, repr=False)
    """The texts that it works on, by their names."""
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
        names = [*map(spec.instance_name, self.part.tests), *map(spec.sized_name, self.part.sizes)]
        tests = names if self.part.planners else ()
        for domain in self.part.domains:
            for name in self.part.learners:
                yield self._learn(name, domain)
            for test in tests:
                problem = spec.instance_text(self.instances, domain, test)
                for planner in map(self.suite.planner, self.part.planners):
                    for learner in planner.learners or ("",):
                        learned = self._learn(learner, domain) if learner else None
                        yield self._plan(planner, learned, domain, test, problem)
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
            "config": options.get("config"),
            "rules": options.get("rules") or "phi4",
            "training": learner.training,
            "plans": learner.plans,
            "set": learner.set,
        }
        seconds, files = self.limits.learn_seconds + START_SECONDS, _training_files(trained)
        return self._run(
            LEARN, domain, command, files, seconds, settings=settings, learner=learner.name, needs=needs
        )

    def _plans(self, learner: Learner, domain: str, trained: Sequence[spec.TrainingInstance]) -> Run:
        problems = (f"{instance.name}.pddl" for instance in trained)
        command = (
            "{python}", "-m", "trailmark.bench.trainplans", "domain.pddl", str(learner.plans), *problems,
        )  # fmt: skip
        seconds, files = self.limits.learn_seconds, _training_files(trained)
        return self._run(PLANS, domain, command, files, seconds, learner=learner.name)

    def _plan(self, planner: Planner, learned: Run | None, domain: str, test: str, problem: str) -> Run:
        size = test if "=" in test else self.instances.size(domain, int(test[1:]))
        settings: dict[str, Any] = {"kind": planner.kind, "size": size, "atoms": problem.count("(")}
        files: _Files = {"problem.pddl": problem}
        if planner.graph:
            files["model.txt"] = graph_text(planner.graph)
        command, seconds = self._plan_command(planner), self.limits.plan_seconds
        if planner.kind == PAPER and learned:
            settings["search"] = self._key(PLAN, domain, command, files, seconds, None)
        return self._run(
            PLAN, domain, command, files, seconds, settings=settings, instance=test, planner=planner.name,
            learner=learned.learner if learned else "", needs=learned,
            reader=planner.kind if planner.kind in (spec.FAST_DOWNWARD, spec.COMMAND) else PLAN,
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
        files: _Files = {"problem.pddl": spec.instance_text(self.instances, domain, test)}
        return self._run(LANDMARKS, domain, command, files, self.limits.plan_seconds, instance=test)

    def _run(
        self, kind: str, domain: str, command: Words, files: _Files, seconds: float, *, reader: str = "",
        **known: Any,
    ) -> Run:  # fmt: skip
        key = self._key(kind, domain, command, files, seconds, known.get("needs"))
        texts = {"domain.pddl": self.instances.domain(domain)}
        texts |= {name: text for name, text in files.items() if text is not None}
        known |= {"megabytes": self.limits.megabytes, "clock": self.limits.clock}
        return Run(key, kind, domain, seconds, command=command, reader=reader or kind, files=texts, **known)

    def _key(
        self, kind: str, domain: str, command: Words, files: _Files, seconds: float, needs: Run | None
    ) -> str:
        """A hash of what is run; this program's version counts wherever this program is what runs."""
        texts = (self.instances.domain(domain), *files.values())
        digests = [hashlib.sha256((text or "").encode()).hexdigest() for text in texts]
        version = __version__ if "trailmark" in command else ""
        counted = seconds if self.limits.clock == WALL else [seconds, self.limits.clock]
        parts = [kind, command, digests, counted, self.limits.megabytes, needs.key if needs else "", version]
        return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:32]

    def _told(self, seconds: float) -> str:
        """The wall-clock limit a command is given: under a CPU limit it does not end by itself before."""
        return f"{seconds if self.limits.clock == WALL else 2 * spec.CEILING * seconds:g}"


def _training_files(trained: Sequence[spec.TrainingInstance]) -> _Files:
    files: _Files = {}
    for name, problem, plan in trained:
        files |= {f"{name}.pddl": problem, f"{name}.plan": plan}
    return files


def _arguments(options: Mapping[str, spec.Option]) -> list[str]:
    words = []
    for name, value in options.items():
        if isinstance(value, bool):
            words.append(f"--{name}" if value else f"--no-{name}")
        else:
            words += [f"--{name}", str(value)]
    return words
