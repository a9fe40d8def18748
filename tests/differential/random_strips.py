"""Random STRIPS tasks with types and action costs; every goal is reached by some random walk."""

from __future__ import annotations

from random import Random

from tests.differential.tasks import TaskText

TYPES = {"thing": "object", "tool": "thing", "place": "object"}
OBJECTS = {
    "t1": "thing",
    "t2": "thing",
    "u1": "tool",
    "u2": "tool",
    "p1": "place",
    "p2": "place",
    "p3": "place",
}
FLUENT = {
    "at": ("thing", "place"),
    "has": ("tool", "thing"),
    "busy": ("tool",),
    "seen": ("place",),
    "done": (),
}
STATIC = {"way": ("place", "place"), "fits": ("thing", "tool")}
COSTS = (0, 0, 1, 1, 2, 5, 10)
WALK = 25


def random_strips(chance: Random, *, costs: bool, negative: bool = True) -> TaskText:
    """A task of three to six actions; with costs some of them are free and some depend on places."""
    schemas = [_schema(chance, number, costs, negative) for number in range(chance.randint(3, 6))]
    every = {**FLUENT, **STATIC}
    declared = " ".join(
        f"({name} {' '.join(f'?x{place} - {kind}' for place, kind in enumerate(kinds))})"
        for name, kinds in every.items()
    )
    types = " ".join(f"{name} - {above}" for name, above in TYPES.items())
    functions = "(:functions (far ?a ?b - place) - number (total-cost) - number)\n" if costs else ""
    requirements = ":strips :typing" + " :negative-preconditions" * negative + " :action-costs" * costs
    domain = (
        f"(define (domain random-strips)\n(:requirements {requirements})\n(:types {types})\n"
        f"(:predicates {declared})\n{functions}{''.join(schemas)})\n"
    )
    start = _facts(chance, every, 0.35)
    if costs:
        places = [name for name, kind in OBJECTS.items() if kind == "place"]
        start += [f"(= (far {a} {b}) {chance.choice(COSTS)})" for a in places for b in places]
        start.append("(= (total-cost) 0)")
    objects = " ".join(f"{name} - {kind}" for name, kind in OBJECTS.items())
    metric = "(:metric minimize (total-cost))" if costs else ""

    def problem(goal: str) -> str:
        return (
            f"(define (problem one) (:domain random-strips)\n(:objects {objects})\n"
            f"(:init {' '.join(start)})\n(:goal (and {goal}))\n{metric})\n"
        )

    name = f"random STRIPS{' with costs' * costs}"
    any_goal = " ".join(_facts(chance, FLUENT, 0.1)[:2]) or "(done)"
    if chance.random() < 0.2:
        return TaskText(name, domain, problem(any_goal))
    return TaskText(
        name, domain, problem(_walked(TaskText(name, domain, problem(any_goal)), chance) or any_goal)
    )


def _walked(text: TaskText, chance: Random) -> str:
    """Up to three facts that a random walk has made true."""
    task = text.task
    state = task.initial_state
    for _ in range(chance.randint(1, WALK)):
        successors = task.successors(state)
        if not successors:
            break
        state = chance.choice(successors)[1]
    new = sorted(state.atoms - task.initial_state.atoms)
    return " ".join(task.structure.atom_text(each) for each in chance.sample(new, min(3, len(new))))


def _schema(chance: Random, number: int, costs: bool, negative: bool) -> str:
    kinds = [chance.choice(("thing", "tool", "place")) for _ in range(chance.randint(1, 3))]
    variables = {f"?v{place}": kind for place, kind in enumerate(kinds)}
    conditions = _atoms(chance, {**FLUENT, **STATIC}, variables, chance.randint(1, 3))
    if negative and chance.random() < 0.4:
        forbidden = _atoms(chance, FLUENT, variables, 1)
        conditions += [f"(not {each})" for each in forbidden if each not in conditions]
    adds = _atoms(chance, FLUENT, variables, chance.randint(1, 2)) or ["(done)"]
    deletes = [each for each in _atoms(chance, FLUENT, variables, chance.randint(0, 2)) if each not in adds]
    effects = adds + [f"(not {each})" for each in deletes]
    if costs:
        places = [name for name, kind in variables.items() if kind == "place"]
        amount = str(chance.choice(COSTS))
        if len(places) > 1 and chance.random() < 0.5:
            amount = f"(far {places[0]} {places[1]})"
        effects.append(f"(increase (total-cost) {amount})")
    parameters = " ".join(f"{name} - {kind}" for name, kind in variables.items())
    return (
        f"(:action act{number} :parameters ({parameters})\n"
        f" :precondition (and {' '.join(conditions)})\n :effect (and {' '.join(effects)}))\n"
    )


def _atoms(
    chance: Random, predicates: dict[str, tuple[str, ...]], variables: dict[str, str], most: int
) -> list[str]:
    """Up to so many different atoms over the variables whose types fit."""
    found: list[str] = []
    for _ in range(most):
        name = chance.choice(sorted(predicates))
        options = [
            [each for each, kind in variables.items() if kind == wanted or TYPES[kind] == wanted]
            for wanted in predicates[name]
        ]
        if all(options):
            atom = f"({' '.join((name, *(chance.choice(each) for each in options)))})"
            if atom not in found:
                found.append(atom)
    return found


def _facts(chance: Random, predicates: dict[str, tuple[str, ...]], share: float) -> list[str]:
    found = []
    for name, kinds in sorted(predicates.items()):
        tuples: list[tuple[str, ...]] = [()]
        for wanted in kinds:
            fitting = [each for each, kind in OBJECTS.items() if kind == wanted or TYPES[kind] == wanted]
            tuples = [(*start, each) for start in tuples for each in fitting]
        found += [f"({' '.join((name, *each))})" for each in tuples if chance.random() < share]
    chance.shuffle(found)
    return found
