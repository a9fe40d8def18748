"""A suite read from the document of its TOML file, with the line of whatever is wrong."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from math import prod
from typing import Any, TypeVar

from trailmark import domains
from trailmark.bench.suite import (
    BENCHMARK_SET,
    CLOCKS,
    COMMAND,
    FIGURES,
    LEARN_OPTIONS,
    PAPER,
    PLAN_OPTIONS,
    PLANNER_KINDS,
    RELATIONS,
    TABLES,
    TRAILMARK,
    TRAINING_SETS,
    Learner,
    Limits,
    Option,
    Part,
    Planner,
    Suite,
    glob_names,
)
from trailmark.errors import InputError, Place, shorten

T = TypeVar("T")

_LEARNER_KEYS = {*LEARN_OPTIONS, "training", "plans", "set"}
_PLANNER_KEYS = {*PLAN_OPTIONS, "kind", "learners", "graph", "alias", "command"}
_NUMBERS = {"learn-seconds", "plan-seconds", "megabytes"}
_LIMIT_KEYS = {*_NUMBERS, "clock"}
_PART_KEYS = {
    "name", "title", "domains", "tests", "planners", "learners", "baseline", "lama-graph", "tables",
    "figures", "notes", "own", "sizes", "question", "paper", "claims", *_LIMIT_KEYS,
}  # fmt: skip
_SUITE_KEYS = {"title", "notes", "limits", "learners", "planners", "parts"}
LONGEST_SHOWN = 60
"""Characters of a key or a value in a message."""
MOST_LISTED = 40
"""Known names that a message lists."""
LARGEST_LIMIT = 1e9
"""Of seconds and of megabytes: beyond is no limit but a mistake."""
MOST_LEARNERS = 1_000
"""Of one family: lists of options multiply."""


def _shown(value: object) -> str:
    """A key or value of the file in a message, cut where it is too long to read."""
    return shorten(repr(value), LONGEST_SHOWN)


def _listed(names: Sequence[str]) -> str:
    return ", ".join([*map(shorten, names[:MOST_LISTED]), *(["…"] if len(names) > MOST_LISTED else [])])


class Lines:
    """Where in the text a key of a table stands; TOML's readers do not tell."""

    def __init__(self, text: str, source: str) -> None:
        self.source = source
        self._at: dict[tuple[str, str], int] = {}
        section, parts = "", 0
        for number, line in enumerate(text.splitlines(), start=1):
            header = re.match(r"\s*\[+\s*([^\]]+?)\s*\]", line)
            key = re.match(r"\s*\"?([\w-]+)\"?\s*=", line)
            if header:
                section = header[1].replace('"', "")
                if section == "parts":
                    section, parts = f"parts.{parts}", parts + 1
                self._at[section, ""] = number
            elif key:
                self._at.setdefault((section, key[1]), number)

    def error(self, message: str, section: str, key: str = "", hint: str | None = None) -> InputError:
        line = self._at.get((section, key)) or self._at.get((section, ""))
        return InputError(message, place=Place(self.source, line), hint=hint)


class Reader:
    """Turns the document into a suite; every complaint names a section and a key."""

    def __init__(self, lines: Lines) -> None:
        self.lines = lines

    def suite(self, document: Mapping[str, Any], name: str) -> Suite:
        self._known_keys(document, _SUITE_KEYS, "")
        limits = self._limits(self._table(document.get("limits", {}), "limits"), Limits(), "limits")
        learners = tuple(
            each
            for family, table in self._table(document.get("learners", {}), "learners").items()
            for each in self._learners(family, self._table(table, f"learners.{family}"))
        )
        names = [learner.name for learner in learners]
        planners = tuple(
            self._planner(each, self._table(table, f"planners.{each}"), names)
            for each, table in self._table(document.get("planners", {}), "planners").items()
        )
        parts = document.get("parts", [])
        if not isinstance(parts, list) or not parts:
            raise self.lines.error("a suite needs at least one [[parts]]", "")
        planner_names = [planner.name for planner in planners]
        read = tuple(
            self._part(self._table(table, f"parts.{index}"), limits, names, planner_names, f"parts.{index}")
            for index, table in enumerate(parts)
        )
        doubled = [each.name for each in read if sum(other.name == each.name for other in read) > 1]
        if doubled:
            raise self.lines.error(f"two parts are named {_shown(doubled[0])}", "")
        title = self._value(document, "title", str, name, "")
        notes = self._value(document, "notes", str, "", "")
        return Suite(name, title, learners, planners, read, notes.strip(), self.lines.source)

    def _limits(self, table: Mapping[str, Any], default: Limits, section: str) -> Limits:
        if section == "limits":
            self._known_keys(table, _LIMIT_KEYS, section)
        given = {}
        for key in _NUMBERS & table.keys():
            value = table[key]
            if type(value) not in (int, float) or not 0 < value <= LARGEST_LIMIT:
                raise self.lines.error(
                    f"{key} must be a number above 0 and at most {LARGEST_LIMIT:g}, not {_shown(value)}",
                    section,
                    key,
                )
            given[key.replace("-", "_")] = float(value)
        return replace(default, **given, clock=self._one_of(table, "clock", CLOCKS, default.clock, section))

    def _learners(self, family: str, table: Mapping[str, Any]) -> list[Learner]:
        section = f"learners.{family}"
        self._known_keys(table, _LEARNER_KEYS, section)
        for key, value in table.items():
            for each in value if isinstance(value, list) else [value]:
                self._option(each, section, key)
        crossed = [key for key, value in table.items() if isinstance(value, list)]
        if prod(len(table[key]) for key in crossed) > MOST_LEARNERS:
            raise self.lines.error(f"the lists make more than {MOST_LEARNERS} learners", section)
        found = []
        for values in itertools.product(*(table[key] for key in crossed)):
            settings = {**table, **dict(zip(crossed, values, strict=True))}
            variant = "-".join(str(value) for value in values)
            found.append(self._learner(family, variant, settings, section))
        return found

    def _learner(self, family: str, variant: str, settings: Mapping[str, Any], section: str) -> Learner:
        training = self._value(settings, "training", int, 5, section)
        plans = self._value(settings, "plans", int, 0, section) if "plans" in settings else None
        for key, number in (("training", training), ("plans", plans)):
            if number is not None and number < 1:
                raise self.lines.error(f"{key} must be 1 or more, not {number}", section, key)
        options = tuple((key, settings[key]) for key in LEARN_OPTIONS if key in settings)
        chosen = self._one_of(settings, "set", TRAINING_SETS, BENCHMARK_SET, section)
        name = f"{family}-{variant}" if variant else family
        return Learner(name, family, variant, options, training, plans, chosen)

    def _planner(self, name: str, table: Mapping[str, Any], learners: Sequence[str]) -> Planner:
        section = f"planners.{name}"
        self._known_keys(table, _PLANNER_KEYS, section)
        kind = self._one_of(table, "kind", PLANNER_KINDS, TRAILMARK, section)
        planner = Planner(
            name,
            kind,
            tuple((key, self._option(table[key], section, key)) for key in PLAN_OPTIONS if key in table),
            self._chosen(table, "learners", learners, section),
            self._value(table, "graph", str, "", section) or None,
            self._value(table, "alias", str, "lama-first", section),
            self._value(table, "command", str, "", section),
        )
        if kind in (TRAILMARK, PAPER) and not planner.learners and planner.graph is None:
            raise self.lines.error(f"planner {name} follows no landmark graph", section, "",
                                   "give it learners = [...] or graph = \"...\"")  # fmt: skip
        if kind == COMMAND and not all(
            each in planner.command for each in ("{domain}", "{problem}", "{plan}")
        ):
            raise self.lines.error("the command needs {domain}, {problem} and {plan}", section, "command")
        return planner

    def _part(
        self,
        table: Mapping[str, Any],
        limits: Limits,
        learners: Sequence[str],
        planners: Sequence[str],
        section: str,
    ) -> Part:
        self._known_keys(table, _PART_KEYS, section)
        name = self._value(table, "name", str, "", section)
        if not re.fullmatch(r"[\w-]+", name):
            raise self.lines.error("a part needs a name of letters, digits and hyphens", section, "name")
        chosen = self._chosen(table, "planners", planners, section)
        return Part(
            name,
            self._value(table, "title", str, name, section),
            self._domains(table, section),
            self._tests(table, section),
            chosen,
            self._chosen(table, "learners", learners, section),
            self._one_of(table, "baseline", chosen, "", section),
            self._value(table, "own", bool, False, section) or bool(table.get("sizes")),
            self._sizes(table, section),
            self._value(table, "lama-graph", int, 0, section) or None,
            self._limits(table, limits, section),
            self._listed(table, "tables", TABLES, Part.tables, section),
            self._listed(table, "figures", FIGURES, (), section),
            self._value(table, "notes", str, "", section).strip(),
            self._value(table, "question", str, "", section),
            self._value(table, "paper", str, "", section).strip(),
            self._claims(table, section),
        )

    def _claims(self, table: Mapping[str, Any], section: str) -> tuple[tuple[str, str, str], ...]:
        value = self._value(table, "claims", list, [], section)
        if not all(isinstance(each, list) and len(each) == 3 and each[1] in RELATIONS for each in value):
            hint = f'as in ["lm-g", "{RELATIONS[0]}", "hadd"]; others are {", ".join(RELATIONS[1:])}'
            raise self.lines.error("claims must be a list of three words each", section, "claims", hint)
        return tuple((str(one), str(relation), str(other)) for one, relation, other in value)

    def _domains(self, table: Mapping[str, Any], section: str) -> tuple[str, ...]:
        value = table.get("domains", "all")
        if value == "all":
            return tuple(domains.names())
        if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
            raise self.lines.error('domains must be "all" or a list of names', section, "domains")
        return tuple(value)

    def _tests(self, table: Mapping[str, Any], section: str) -> tuple[int, ...]:
        value = table.get("tests", [])
        if not isinstance(value, list) or not all(type(each) is int and each >= 1 for each in value):
            raise self.lines.error("tests must be a list of instance numbers from 1", section, "tests")
        return tuple(value)

    def _sizes(self, table: Mapping[str, Any], section: str) -> tuple[tuple[tuple[str, int], ...], ...]:
        value = self._value(table, "sizes", list, [], section)
        if not all(isinstance(each, dict) and all(type(n) is int for n in each.values()) for each in value):
            raise self.lines.error(
                "sizes must be a list like [{ width = 5 }, { width = 6 }]", section, "sizes"
            )
        return tuple(tuple(each.items()) for each in value)

    def _chosen(
        self, table: Mapping[str, Any], key: str, known: Sequence[str], section: str
    ) -> tuple[str, ...]:
        patterns = self._value(table, key, list, [], section)
        for pattern in patterns:
            if not glob_names([str(pattern)], known):
                hint = f"known are {_listed(known)}" if known else None
                raise self.lines.error(f"{key}: there is no {_shown(pattern)}", section, key, hint)
        return glob_names(map(str, patterns), known)

    def _listed(
        self, table: Mapping[str, Any], key: str, known: Sequence[str], default: Sequence[str], section: str
    ) -> tuple[str, ...]:
        value = self._value(table, key, list, list(default), section)
        for each in value:
            if each not in known:
                raise self.lines.error(f"unknown {_shown(each)}", section, key, f"known are {_listed(known)}")
        return tuple(value)

    def _one_of(
        self, table: Mapping[str, Any], key: str, known: Sequence[str], default: str, section: str
    ) -> str:
        value = self._value(table, key, str, default, section)
        if value != default and value not in known:
            hint = f"known are {_listed(known)}"
            raise self.lines.error(f"{key} cannot be {_shown(value)}", section, key, hint)
        return value

    def _option(self, value: object, section: str, key: str) -> Option:
        if isinstance(value, str | int | float):
            return value
        raise self.lines.error(f"{key} cannot be {_shown(value)}", section, key)

    def _value(self, table: Mapping[str, Any], key: str, kind: type[T], default: T, section: str) -> T:
        value = table.get(key, default)
        if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
            raise self.lines.error(f"{key} must be a {kind.__name__}, not {_shown(value)}", section, key)
        return value

    def _known_keys(self, table: Mapping[str, Any], known: Iterable[str], section: str) -> None:
        for key in table:
            if key not in known:
                hint = f"known are {_listed(sorted(known))}"
                raise self.lines.error(f"unknown key {_shown(key)}", section, key, hint)

    def _table(self, value: object, section: str) -> Mapping[str, Any]:
        if not isinstance(value, dict):
            raise self.lines.error(f"{section} must be a table", section)
        return value
