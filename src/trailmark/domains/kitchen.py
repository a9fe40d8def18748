"""Food and drink: Baking, Barman, Childsnack."""

from __future__ import annotations

from random import Random

from trailmark.domains.spec import Atom, DomainSpec, Parameter, Problem, numbered, ramp, require, sized


def build_baking(
    rng: Random,
    *,
    cakes: int,
    souffles: int,
    pans: int,
    ovens: int,
    spare_ingredients: int,
    spare_soap: int,
) -> Problem:
    """All pans clean and all ovens empty; which of the dishes become cakes is random.

    Solvable: there is an egg and a piece of soap for every dish and flour for every cake, so with one
    pan and one oven the dishes can be baked one after the other, each time washing the pan and emptying
    the oven.
    """
    dishes = cakes + souffles
    require("cakes + souffles", dishes, 1, because="there must be something to bake")
    eggs = numbered("egg-", dishes + spare_ingredients)
    flours = numbered("flour-", cakes + spare_ingredients)
    dish_names = numbered("new-", dishes)
    soaps = numbered("soap-", dishes + spare_soap)
    pan_names = numbered("pan-", pans)
    oven_names = numbered("oven-", ovens)
    kinds = ["iscake"] * cakes + ["issouffle"] * souffles
    rng.shuffle(kinds)
    init: list[Atom] = [("isegg", egg) for egg in eggs]
    init += [("isflour", flour) for flour in flours]
    init += [("hypothetical", dish) for dish in dish_names]
    init += [("panisclean", pan) for pan in pan_names]
    init += [("ovenisempty", oven) for oven in oven_names]
    goal: list[Atom] = list(zip(kinds, dish_names, strict=True))
    goal += [("ovenisempty", oven) for oven in oven_names]
    objects = [
        (oven_names, "oven"),
        ([*eggs, *flours, *dish_names], "ingredient"),
        (soaps, "soap"),
        (pan_names, "pan"),
    ]
    return Problem(objects, init, goal)


BAKING = DomainSpec(
    name="baking",
    description="Cakes and souffles are baked in pans that are washed in between.",
    pddl_name="baking",
    parameters=(
        Parameter("cakes", 2, 0, 1000, "cakes to bake"),
        Parameter("souffles", 2, 0, 1000, "souffles to bake"),
        Parameter("pans", 1, 1, 200, "pans"),
        Parameter("ovens", 1, 1, 200, "ovens"),
        Parameter("spare_ingredients", 1, 0, 1000, "eggs, and portions of flour, beyond what is needed"),
        Parameter("spare_soap", 0, 0, 1000, "pieces of soap beyond one for each dish"),
    ),
    build=build_baking,
    train=sized(
        "cakes souffles pans ovens spare_ingredients",
        (1, 0, 1, 1, 0),
        (0, 1, 1, 1, 0),
        (1, 1, 2, 2, 0),
        (2, 0, 1, 1, 0),
        (1, 2, 1, 1, 1),
    ),
    test=ramp("cakes souffles pans ovens spare_ingredients", (2, 1, 1, 1, 0), (24, 24, 8, 6, 29)),
)


SHAKER = "shaker1"
HANDS = ("left", "right")
LEVELS = ("l0", "l1", "l2")


def build_barman(
    rng: Random, *, cocktails: int, plain_shots: int, ingredients: int, spare_shots: int
) -> Problem:
    """Every cocktail, of two random ingredients, in one shot; a random ingredient in each plain shot.

    Solvable: beside the shots to be served there is a spare one. For each cocktail it carries the two
    ingredients to the empty, clean shaker, washed in between; the shaker is then shaken, poured into the
    shot to be served, which nothing else has used, and emptied and cleaned. A shot of a plain ingredient
    is filled at its dispenser.
    """
    shots = numbered("shot", cocktails + plain_shots + spare_shots, start=1)
    cocktail_names = numbered("cocktail", cocktails, start=1)
    ingredient_names = numbered("ingredient", ingredients, start=1)
    dispensers = numbered("dispenser", ingredients, start=1)
    containers = [SHAKER, *shots]
    init: list[Atom] = [("ontable", container) for container in containers]
    init += [("clean", container) for container in containers]
    init += [("empty", container) for container in containers]
    init += [("handempty", hand) for hand in HANDS]
    init += [
        ("dispenses", dispenser, ingredient)
        for dispenser, ingredient in zip(dispensers, ingredient_names, strict=True)
    ]
    init += [("shaker-empty-level", SHAKER, LEVELS[0]), ("shaker-level", SHAKER, LEVELS[0])]
    init += [("next", LEVELS[0], LEVELS[1]), ("next", LEVELS[1], LEVELS[2])]
    for cocktail in cocktail_names:
        first, second = rng.sample(ingredient_names, 2)
        init += [("cocktail-part1", cocktail, first), ("cocktail-part2", cocktail, second)]
    drinks = list(cocktail_names)
    rng.shuffle(drinks)
    drinks += [ingredient_names[rng.randrange(ingredients)] for _ in range(plain_shots)]
    goal: list[Atom] = [
        ("contains", shot, drink) for shot, drink in zip(shots[: len(drinks)], drinks, strict=True)
    ]
    objects = [
        ([SHAKER], "shaker"),
        (HANDS, "hand"),
        (shots, "shot"),
        (ingredient_names, "ingredient"),
        (cocktail_names, "cocktail"),
        (dispensers, "dispenser"),
        (LEVELS, "level"),
    ]
    return Problem(objects, init, goal)


BARMAN = DomainSpec(
    name="barman",
    description="A barman with two hands and one shaker serves cocktails of two ingredients.",
    pddl_name="barman",
    parameters=(
        Parameter("cocktails", 2, 1, 1000, "cocktails, each served once"),
        Parameter("plain_shots", 0, 0, 1000, "further shots, served with an ingredient alone"),
        Parameter("ingredients", 2, 2, 100, "ingredients, each with a dispenser"),
        Parameter("spare_shots", 1, 1, 100, "shots that are not served"),
    ),
    build=build_barman,
    train=sized("cocktails plain_shots ingredients", (1, 0, 2), (1, 0, 4), (1, 1, 2), (2, 0, 2), (2, 1, 2)),
    test=ramp("cocktails plain_shots ingredients", (2, 0, 2), (80, 10, 5)),
)


def build_childsnack(
    rng: Random, *, children: int, allergic: int, trays: int, tables: int, spare_sandwiches: int
) -> Problem:
    """Who is allergic, who waits where and which portions are gluten-free is random.

    Solvable: there is bread, content and a sandwich for every child, and gluten-free bread and content
    for exactly those who need it. Making these sandwiches first leaves enough for everybody else.
    """
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
    build=build_childsnack,
    train=(
        {"children": 1, "allergic": 0, "trays": 1, "tables": 1},
        {"children": 1, "allergic": 1, "trays": 1, "tables": 2, "spare_sandwiches": 1},
        {"children": 2, "allergic": 1, "trays": 2, "tables": 3},
        {"children": 3, "allergic": 2, "trays": 2, "tables": 3},
        {"children": 4, "allergic": 2, "trays": 2, "tables": 3, "spare_sandwiches": 1},
    ),
    test=ramp("children allergic trays tables", (4, 3, 2, 3), (40, 30, 4, 4)),
)
