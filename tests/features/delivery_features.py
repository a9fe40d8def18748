"""The paper's Delivery example: its vocabulary, the ten features of its Table "Feature functions",
the instance of its Figure 1 and the states of the plan its Section "Full Example" follows.

The formulas follow the table's explanations, since f3 and f4 are printed with the same formula
and the arrows in f6 to f9 are loose.
"""

from __future__ import annotations

from trailmark.features.syntax import Expression
from trailmark.features.text import parse
from trailmark.relational import Interpretation, Structure, Symbol, Vocabulary

VOCABULARY = Vocabulary(
    (
        Symbol("cell", 1, static=True, is_type=True),
        Symbol("locatable", 1, static=True, is_type=True),
        Symbol("package", 1, static=True, is_type=True),
        Symbol("truck", 1, static=True, is_type=True),
        Symbol("at", 2, static=False),
        Symbol("carrying", 2, static=False),
        Symbol("empty", 1, static=False),
        Symbol("adjacent", 2, static=True),
        Symbol("at_g", 2, static=True, goal_of="at"),
        Symbol("carrying_g", 2, static=True, goal_of="carrying"),
        Symbol("empty_g", 1, static=True, goal_of="empty"),
        Symbol("adjacent_g", 2, static=True, goal_of="adjacent"),
    )
)

PARAMETER_TYPES = {
    "at": ("locatable", "cell"),
    "carrying": ("truck", "package"),
    "empty": ("truck",),
    "adjacent": ("cell", "cell"),
}

_AT, _GOAL = "r_primitive(at,0,1)", "r_primitive(at_g,0,1)"
_HERE = f"r_inverse({_AT})"
_CARRYING = "r_primitive(carrying,0,1)"
_EMPTY, _TRUCK, _PACKAGE = "c_primitive(empty,0)", "c_primitive(truck,0)", "c_primitive(package,0)"
_HAS_GOAL = "c_primitive(at_g,0)"

TEXTS: dict[str, str] = {
    "f1": f"n_count({_EMPTY})",
    "f2": f"n_count(c_some({_AT},c_all({_HERE},{_TRUCK})))",
    "f3": f"n_count(c_some({_GOAL},c_some({_HERE},{_TRUCK})))",
    "f4": f"n_count(c_some({_GOAL},c_some({_HERE},{_EMPTY})))",
    "f5": f"n_count(c_and({_HAS_GOAL},c_not(c_equal({_AT},{_GOAL}))))",
    "f6": f"n_count(c_and({_PACKAGE},c_some({_AT},c_some({_HERE},{_EMPTY}))))",
    "f7": f"n_count(c_and(c_not(c_equal({_AT},{_GOAL})),c_some({_GOAL},c_not(c_some({_HERE},{_EMPTY})))))",
    "f8": f"n_count(c_some({_CARRYING},c_some({_GOAL},c_all({_HERE},{_PACKAGE}))))",
    "f9": f"n_count(c_some({_CARRYING},c_some({_GOAL},c_some({_HERE},{_TRUCK}))))",
    "f10": f"n_count(c_and({_HAS_GOAL},c_equal({_AT},{_GOAL})))",
}

FEATURES: dict[str, Expression] = {name: parse(text, name) for name, text in TEXTS.items()}

CELLS = {
    (0, 2): "c5", (1, 2): "c6", (2, 2): "c7",
    (0, 1): "c4", (1, 1): "c3", (2, 1): "c8",
    (0, 0): "c1", (1, 0): "c2", (2, 0): "c9",
}  # fmt: skip
"""Column and row from the lower left; the figure names c1 to c4."""

PLAN: tuple[tuple[str, str], ...] = (
    *(("move", cell) for cell in ("c3", "c6")),
    ("pick", "p2"),
    *(("move", cell) for cell in ("c3", "c2", "c1")),
    ("drop", "p2"),
    # By way of p3's cell, which is why the truck meets a package already in state 9.
    *(("move", cell) for cell in ("c2", "c9", "c8")),
    ("pick", "p1"),
    *(("move", cell) for cell in ("c3", "c2", "c1")),
    ("drop", "p1"),
    *(("move", cell) for cell in ("c2", "c9")),
    ("pick", "p3"),
    *(("move", cell) for cell in ("c2", "c1")),
    ("drop", "p3"),
)


def example_structure() -> Structure:
    """The 3x3 grid of Figure 1 with one truck and three packages, all bound for c1."""
    packages = ("p1", "p2", "p3")
    bare = Structure(VOCABULARY, ("t1", *packages, *sorted(CELLS.values())))
    facts = [("cell", cell) for cell in CELLS.values()]
    facts += [("package", package) for package in packages] + [("truck", "t1")]
    facts += [("locatable", each) for each in ("t1", *packages)]
    atoms = {bare.atom(*fact) for fact in facts}
    atoms |= {bare.atom("at_g", package, "c1") for package in packages}
    for (x, y), cell in CELLS.items():
        near = [CELLS.get((x + dx, y + dy)) for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1))]
        atoms |= {bare.atom("adjacent", cell, other) for other in near if other}
    return Structure(VOCABULARY, bare.objects, frozenset(atoms))


def example_states(structure: Structure) -> list[Interpretation]:
    """The 22 states of the plan that delivers p2, then p1, then p3."""
    truck, load = "c4", ""
    where = {"p1": "c8", "p2": "c6", "p3": "c9"}
    states = []
    for action, target in (("start", ""), *PLAN):
        if action == "move":
            assert structure.atom("adjacent", truck, target) in structure.static_atoms
            truck = target
        elif action == "pick":
            assert not load
            assert where.pop(target) == truck
            load = target
        elif action == "drop":
            assert load == target
            where[load], load = truck, ""
        atoms = {structure.atom("at", package, cell) for package, cell in where.items()}
        atoms |= {structure.atom("at", "t1", truck)}
        atoms |= {structure.atom("carrying", "t1", load) if load else structure.atom("empty", "t1")}
        states.append(Interpretation(frozenset(atoms)))
    return states
