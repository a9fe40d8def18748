"""Suites narrowed to what the user asked for, or to what is finished."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from trailmark.bench.instances import Instances, Presets, instance_names
from trailmark.bench.records import Record
from trailmark.bench.runs import Expansion
from trailmark.bench.suite import FAST_DOWNWARD, Part, Suite, glob_names
from trailmark.bench.tables import results_of
from trailmark.errors import InputError


def select(
    suite: Suite,
    instances: Instances,
    *,
    parts: Sequence[str] = (),
    domains: Sequence[str] = (),
    planners: Sequence[str] = (),
    tests: Sequence[int] = (),
    limits: Mapping[str, float] | None = None,
) -> Suite:
    """The suite with these parts, domains, planners and tests alone; an empty choice is all."""
    chosen = _checked("part", parts, [part.name for part in suite.parts])
    narrowed = [
        _narrow(part, instances, domains, planners, tests, limits or {})
        for part in suite.parts
        if not parts or part.name in chosen
    ]
    _checked("domain", domains, sorted({domain for part in suite.parts for domain in part.domains}))
    _checked("planner", planners, [planner.name for planner in suite.planners])
    kept = tuple(part for part in narrowed if _has_runs(part))
    if not kept:
        there = ", ".join(
            f"{part.name} ({', '.join(part.domains)}; {instance_names(part.tests)}; "
            f"{', '.join(part.planners)})"
            for part in suite.parts
            if not parts or part.name in chosen
        )
        raise InputError("nothing is left to run", hint=f"there are the parts {there}")
    return replace(suite, parts=kept)


def _has_runs(part: Part) -> bool:
    return bool(part.domains and (part.learners or (part.planners and (part.tests or part.sizes))))


def without_fast_downward(suite: Suite) -> tuple[Suite, list[str]]:
    """The suite without what needs Fast Downward, and the names of what was left out."""
    gone = [planner.name for planner in suite.planners if planner.kind == FAST_DOWNWARD]
    parts = tuple(
        replace(part, planners=tuple(each for each in part.planners if each not in gone), lama_graph=None)
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


def _narrow(
    part: Part,
    instances: Instances,
    domains: Sequence[str],
    planners: Sequence[str],
    tests: Sequence[int],
    limits: Mapping[str, Any],
) -> Part:
    there = (Presets() if part.own else instances).domains()
    missing = [domain for domain in part.domains if domain not in there]
    if missing:
        raise InputError(
            f"there are no instances of {', '.join(missing)}", hint="choose others with --domains"
        )
    return replace(
        part,
        domains=glob_names(domains, part.domains) if domains else part.domains,
        planners=glob_names(planners, part.planners) if planners else part.planners,
        tests=tuple(test for test in part.tests if test in tests) if tests else part.tests,
        limits=replace(part.limits, **limits),
    )


def _checked(what: str, patterns: Sequence[str], known: Sequence[str]) -> tuple[str, ...]:
    for pattern in patterns:
        if not glob_names([pattern], known):
            raise InputError(f"there is no {what} {pattern!r}", hint=f"known are {', '.join(known)}")
    return glob_names(patterns, known)
