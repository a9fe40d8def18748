"""Suites by name or file, with the line of whatever is wrong; and narrowed to what the user asked for."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from importlib.resources import files
from math import prod
from pathlib import Path
from typing import Annotated, Any, TypeVar, get_args, get_type_hints

import msgspec

from trailmark import domains
from trailmark.bench import suite as spec
from trailmark.bench.records import Record
from trailmark.bench.runs import Expansion
from trailmark.bench.suite import Instances, Learner, Limits, Part, Planner, Presets, Suite, glob_names
from trailmark.bench.tables import results_of
from trailmark.errors import InputError, Place, shorten
from trailmark.files import parse_toml, read_text

Kind = TypeVar("Kind")
Table = dict[str, Any]

LONGEST_MESSAGE = 120
"""Characters of what is wrong; it may repeat a value of the file."""
MOST_LISTED = 40
"""Known names that a message lists."""
MOST_LEARNERS = 1_000
"""Of one family: lists of options multiply."""


@dataclass(frozen=True)
class _Document:
    title: str = ""
    notes: str = ""
    limits: Table = field(default_factory=dict)
    learners: dict[str, Table] = field(default_factory=dict)
    planners: dict[str, Table] = field(default_factory=dict)
    parts: Annotated[tuple[Table, ...], msgspec.Meta(min_length=1)] = ()


def suite_names() -> list[str]:
    """The suites that come with the package."""
    names = [entry.name for entry in (files(__package__) / "suites").iterdir()]
    return sorted(name.removesuffix(".toml") for name in names if name.endswith(".toml"))


def load_suite(name: str) -> Suite:
    """A suite of the package by its name, or the user's by the path of its file."""
    if name in suite_names():
        text = (files(__package__) / "suites" / f"{name}.toml").read_text(encoding="utf-8")
        return parse_suite(text, f"{name}.toml", name)
    if not name.endswith(".toml"):
        known = ", ".join(suite_names())
        raise InputError(f"there is no suite {name!r}", hint=f"use one of {known}, or a .toml file")
    return parse_suite(read_text(name, "suite"), name, Path(name).stem)


def parse_suite(text: str, source: str = "<text>", name: str = "suite") -> Suite:
    """The suite a TOML text describes."""
    return _Reader(text, source).suite(parse_toml(text, source), name)


class _Reader:
    """Turns the document into a suite; every complaint names a section and a key, and so a line."""

    def __init__(self, text: str, source: str) -> None:
        self.source = source
        self._lines: dict[tuple[str, str], int] = {}
        """Where a key of a section stands; TOML's readers do not tell."""
        section, parts = "", 0
        for number, line in enumerate(text.splitlines(), start=1):
            header = re.match(r"\s*\[+\s*([^\]]+?)\s*\]", line)
            key = re.match(r"\s*\"?([\w-]+)\"?\s*=", line)
            if header:
                section = header[1].replace('"', "")
                if section == "parts":
                    section, parts = f"parts.{parts}", parts + 1
                self._lines[section, ""] = number
            elif key:
                self._lines.setdefault((section, key[1]), number)

    def error(self, message: str, section: str, key: str = "", hint: str | None = None) -> InputError:
        line = self._lines.get((section, key)) or self._lines.get((section, ""))
        return InputError(shorten(message, LONGEST_MESSAGE), place=Place(self.source, line), hint=hint)

    def suite(self, document: Table, name: str) -> Suite:
        read = self._typed({"parts": [], **document}, _Document, "")
        limits = self._typed(read.limits, Limits, "limits")
        learners = [
            learner for family, table in read.learners.items() for learner in self._learners(family, table)
        ]
        names = [learner.name for learner in learners]
        planners = [self._planner(planner, table, names) for planner, table in read.planners.items()]
        planner_names = [planner.name for planner in planners]
        parts = [
            self._part(table, limits, names, planner_names, f"parts.{index}")
            for index, table in enumerate(read.parts)
        ]
        part_names = [part.name for part in parts]
        for doubled in (part for part in part_names if part_names.count(part) > 1):
            raise self.error(f"two parts are named {doubled!r}", "")
        title = read.title or name
        return Suite(name, title, tuple(learners), tuple(planners), tuple(parts), read.notes.strip())

    def _learners(self, family: str, table: Table) -> list[Learner]:
        """One for each combination of values where options are lists."""
        section = f"learners.{family}"
        crossed = [key for key, value in table.items() if isinstance(value, list)]
        if prod(len(table[key]) for key in crossed) > MOST_LEARNERS:
            raise self.error(f"the lists make more than {MOST_LEARNERS} learners", section)
        found = []
        for values in itertools.product(*(table[key] for key in crossed)):
            settings = {**table, **dict(zip(crossed, values, strict=True))}
            variant = "-".join(map(str, values))
            name = f"{family}-{variant}" if variant else family
            found.append(
                self._typed(settings, Learner, section, spec.LEARN_OPTIONS, name=name, variant=variant)
            )
        return found

    def _planner(self, name: str, table: Table, learners: Sequence[str]) -> Planner:
        section = f"planners.{name}"
        planner = self._typed(table, Planner, section, spec.PLAN_OPTIONS, name=name)
        followed = self._chosen(planner.learners, learners, section, "learners")
        if planner.kind in (spec.TRAILMARK, spec.PAPER) and not followed and not planner.graph:
            hint = 'give it learners = [...] or graph = "..."'
            raise self.error(f"planner {name} follows no landmark graph", section, hint=hint)
        places = ("{domain}", "{problem}", "{plan}")
        if planner.kind == spec.COMMAND and not all(place in planner.command for place in places):
            raise self.error("the command needs {domain}, {problem} and {plan}", section, "command")
        return replace(planner, learners=followed)

    def _part(
        self, table: Table, limits: Limits, learners: Sequence[str], planners: Sequence[str], section: str
    ) -> Part:
        default_limits = {name.replace("_", "-"): value for name, value in asdict(limits).items()}
        own_limits = {key: table[key] for key in table if key in default_limits}
        given = {"name": "", **{key: table[key] for key in table if key not in own_limits}}
        if given.get("domains", "all") == "all":
            given["domains"] = domains.names()
        part = self._typed(given, Part, section, limits=limits)
        chosen = self._chosen(part.planners, planners, section, "planners")
        if part.baseline:
            self._chosen([part.baseline], chosen, section, "baseline")
        return replace(
            part,
            title=part.title or part.name,
            planners=chosen,
            learners=self._chosen(part.learners, learners, section, "learners"),
            own=part.own or bool(part.sizes),
            limits=self._typed(default_limits | own_limits, Limits, section),
            notes=part.notes.strip(),
            paper=part.paper.strip(),
        )

    def _chosen(
        self, patterns: Sequence[str], known: Sequence[str], section: str, key: str
    ) -> tuple[str, ...]:
        if (strange := _strange(patterns, known)) is not None:
            raise self.error(f"{key}: there is no {strange!r}", section, key, _listed(known))
        return glob_names(patterns, known)

    def _typed(
        self, table: Table, kind: type[Kind], section: str, options: Sequence[str] = (), **given: object
    ) -> Kind:
        """The table as such a structure, with what else is given; keys among `options` become its options."""
        names = {name.replace("_", "-") for name in get_type_hints(kind)} - {*given, "options"}
        for key in table:
            if key not in (*names, *options):
                known = _listed(sorted({*names, *options}))
                raise self.error(f"unknown key {shorten(key)!r}", section, key, known)
        values = {key.replace("-", "_"): table[key] for key in table if key not in options} | given
        chosen = [(key, table[key]) for key in options if key in table]
        try:
            return msgspec.convert(values | ({"options": chosen} if options else {}), kind)
        except msgspec.ValidationError as problem:
            # As in "Expected `int` >= 1 - at `$.tests[0]`".
            what, _, path = str(problem).rpartition(" - at `$.")
            name, *places = re.findall(r"\w+", path)
            key = chosen[int(places[0])][0] if name == "options" else name.replace("_", "-")
            known = _listed([*_literals(get_type_hints(kind)[name])]) if "enum" in what else None
            message = f"{key}: {what[:1].lower()}{what[1:]}".replace("`", "")
            raise self.error(message, section, key, known) from None


def _literals(hint: object) -> Iterator[str]:
    """The words that a type allows."""
    for inner in get_args(hint):
        if isinstance(inner, str):
            yield inner
        else:
            yield from _literals(inner)


def _listed(names: Sequence[str]) -> str | None:
    shown = [*map(shorten, names[:MOST_LISTED]), *(["…"] if len(names) > MOST_LISTED else [])]
    return f"known are {', '.join(shown)}" if names else None


def select(
    suite: Suite,
    instances: Instances,
    *,
    parts: Sequence[str] = (),
    domains: Sequence[str] = (),
    planners: Sequence[str] = (),
    tests: Sequence[int] = (),
    limits: Mapping[str, Any] | None = None,
) -> Suite:
    """The suite with these parts, domains, planners and tests alone; an empty choice is all."""
    asked = {
        "part": (parts, [part.name for part in suite.parts]),
        "domain": (domains, sorted({domain for part in suite.parts for domain in part.domains})),
        "planner": (planners, [planner.name for planner in suite.planners]),
    }
    for what, (patterns, known) in asked.items():
        if (strange := _strange(patterns, known)) is not None:
            raise InputError(f"there is no {what} {strange!r}", hint=f"known are {', '.join(known)}")
    there = [part for part in suite.parts if not parts or glob_names(parts, [part.name])]
    narrowed = []
    for part in there:
        found = (Presets() if part.own else instances).domains()
        chosen = glob_names(domains, part.domains) if domains else part.domains
        if missing := [domain for domain in chosen if domain not in found]:
            hint = "choose others with --domains"
            raise InputError(f"there are no instances of {', '.join(missing)}", hint=hint)
        narrowed.append(
            replace(
                part,
                domains=chosen,
                planners=glob_names(planners, part.planners) if planners else part.planners,
                tests=tuple(test for test in part.tests if test in tests) if tests else part.tests,
                limits=replace(part.limits, **limits or {}),
            )
        )
    kept = tuple(part for part in narrowed if part.has_runs)
    if not kept:
        told = []
        for part in there:
            choices = (", ".join(part.domains), spec.instance_names(part.tests), ", ".join(part.planners))
            told.append(f"{part.name} ({'; '.join(choices)})")
        raise InputError("nothing is left to run", hint=f"there are the parts {', '.join(told)}")
    return replace(suite, parts=kept)


def without_fast_downward(suite: Suite) -> tuple[Suite, list[str]]:
    """The suite without what needs Fast Downward, and the names of what was left out."""
    gone = [planner.name for planner in suite.planners if planner.kind == spec.FAST_DOWNWARD]
    parts = tuple(
        replace(part, planners=tuple(name for name in part.planners if name not in gone), lama_graph=None)
        for part in suite.parts
    )
    used = [name for name in gone if any(name in part.planners for part in suite.parts)]
    return replace(suite, parts=parts), used


def finished(suite: Suite, expansion: Expansion, records: Mapping[str, Record]) -> Suite:
    """The suite without the parts, and the domains of parts, that have open runs; its notes say which."""
    parts, left_out = [], []
    for results in results_of(suite, expansion, records):
        part, gone = results.part, {run.domain for run in results.open()}
        kept = tuple(domain for domain in part.domains if domain not in gone)
        if kept:
            parts.append(replace(part, domains=kept))
        if gone:
            shown = ", ".join(domain for domain in part.domains if domain in gone)
            left_out.append(f"{part.name} ({shown})" if kept else part.name)
    if not parts:
        raise InputError("no part has all its results", hint="leave --finished out for what there is")
    told = f"Not measured yet, and left out: {', '.join(left_out)}." if left_out else ""
    return replace(suite, parts=tuple(parts), notes=f"{suite.notes}\n\n{told}".strip())


def _strange(patterns: Sequence[str], known: Sequence[str]) -> str | None:
    """The first pattern that matches nothing known."""
    return next((pattern for pattern in patterns if not glob_names([pattern], known)), None)
