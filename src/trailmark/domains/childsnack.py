"""Childsnack: sandwiches are made in the kitchen and served on trays to waiting children.

Solvable: there is bread, content and a sandwich for every child, and gluten-free bread and content for
exactly those who need it. Making these sandwiches first leaves enough for everybody else.
"""

from __future__ import annotations

from random import Random

from trailmark.domains.layout import numbered
from trailmark.domains.spec import Atom, DomainSpec, Parameter, Problem, ramp, require


def build(
    rng: Random, *, children: int, allergic: int, trays: int, tables: int, spare_sandwiches: int
) -> Problem:
    """Who is allergic, who waits where and which portions are gluten-free is random."""
    require("allergic", allergic, 0, children, "these are some of the children")
    child_names = numbered("child", children, start=1)
    breads = numbered("bread", children, start=1)
    contents = numbered("content", children, start=1)
    tray_names = numbered("tray", trays, start=1)
    table_names = numbered("table", tables, start=1)
    sandwiches = numbered("sandw", children + spare_sandwiches, start=1)
    sensitive = set(rng.sample(child_names, allergic))
    init: list[Atom] = [("at", tray, "kitchen") for tray in tray_names]
    init += [("at_kitchen_bread", bread) for bread in breads]
    init += [("at_kitchen_content", content) for content in contents]
    init += [("no_gluten_bread", bread) for bread in rng.sample(breads, allergic)]
    init += [("no_gluten_content", content) for content in rng.sample(contents, allergic)]
    init += [
        ("allergic_gluten" if child in sensitive else "not_allergic_gluten", child) for child in child_names
    ]
    init += [("waiting", child, table_names[rng.randrange(tables)]) for child in child_names]
    init += [("notexist", sandwich) for sandwich in sandwiches]
    goal: list[Atom] = [("served", child) for child in child_names]
    objects = [
        (child_names, "child"),
        (breads, "bread-portion"),
        (contents, "content-portion"),
        (tray_names, "tray"),
        (table_names, "place"),
        (sandwiches, "sandwich"),
    ]
    return Problem(objects, init, goal)


CHILDSNACK = DomainSpec(
    name="childsnack",
    description="Sandwiches, some of them gluten-free, are served on trays to waiting children.",
    pddl_name="child-snack",
    parameters=(
        Parameter("children", 4, 1, 1000, "children to serve"),
        Parameter("allergic", 2, 0, 1000, "children allergic to gluten, at most all"),
        Parameter("trays", 2, 1, 100, "trays"),
        Parameter("tables", 3, 1, 100, "tables"),
        Parameter("spare_sandwiches", 0, 0, 1000, "sandwiches beyond one for each child"),
    ),
    build=build,
    train=(
        {"children": 1, "allergic": 0, "trays": 1, "tables": 1},
        {"children": 1, "allergic": 1, "trays": 1, "tables": 2, "spare_sandwiches": 1},
        {"children": 2, "allergic": 1, "trays": 2, "tables": 3},
        {"children": 3, "allergic": 2, "trays": 2, "tables": 3},
        {"children": 4, "allergic": 2, "trays": 2, "tables": 3, "spare_sandwiches": 1},
    ),
    test=ramp(
        {"children": 4, "allergic": 3, "trays": 2, "tables": 3},
        {"children": 40, "allergic": 30, "trays": 4, "tables": 4},
    ),
)
