"""A small task that targets read their inputs against."""

from __future__ import annotations

from functools import cache

from trailmark import domains
from trailmark.task import Domain, Task

NAME = "delivery"


@cache
def domain() -> Domain:
    return Domain.parse(domains.domain_text(NAME))


@cache
def task() -> Task:
    return Task.parse(domain(), domains.train_problems(NAME)[0])
