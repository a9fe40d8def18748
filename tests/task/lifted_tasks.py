"""Small random STRIPS tasks: negative preconditions, equality, constants, repeated variables."""

from __future__ import annotations

from hypothesis import strategies as st

from trailmark.task import Domain, Task

VARIABLES = ("?x", "?y", "?z")
PREDICATES = {"n": (), "p": ("t",), "q": ("object",), "r": ("t", "object"), "s": ("t", "u", "object")}
STATICS = {"a": ("t",), "b": ("object", "object")}
CONSTANTS = ("c", "d")
OBJECTS = {"c": "t", "d": "u", "o1": "t", "o2": "t", "o3": "u", "o4": "v"}
TWINS = {"w1": "t", "w2": "t", "w3": "t"}
"""Objects of which no fact tells anything, so that they are interchangeable."""


@st.composite
def atoms(draw: st.DrawFn, predicates: dict[str, tuple[str, ...]], terms: list[str]) -> str:
    name = draw(st.sampled_from(sorted(predicates)))
    chosen = [draw(st.sampled_from(terms)) for _ in predicates[name]]
    return f"({' '.join((name, *chosen))})"


@st.composite
def actions(draw: st.DrawFn, name: str) -> str:
    variables = VARIABLES[: draw(st.integers(0, 3))]
    parameters = [f"{each} - {draw(st.sampled_from(('t', 'u', 'v', 'object')))}" for each in variables]
    terms = [*variables, *CONSTANTS]
    every = {**PREDICATES, **STATICS}
    conditions = draw(st.lists(atoms(every, terms), max_size=4))
    conditions += [f"(not {each})" for each in draw(st.lists(atoms(every, terms), max_size=2))]
    for _ in range(draw(st.integers(0, 1))):
        left, right = draw(st.sampled_from(terms)), draw(st.sampled_from(terms))
        conditions.append(draw(st.sampled_from((f"(= {left} {right})", f"(not (= {left} {right}))"))))
    effects = draw(st.lists(atoms(PREDICATES, terms), max_size=3))
    effects += [f"(not {each})" for each in draw(st.lists(atoms(PREDICATES, terms), max_size=2))]
    return (
        f"(:action {name} :parameters ({' '.join(parameters)}) :precondition (and {' '.join(conditions)})"
        f" :effect (and {' '.join(effects)}))"
    )


@st.composite
def tasks(draw: st.DrawFn) -> Task:
    declared = " ".join(
        f"({name} {' '.join(f'?a{place} - object' for place in range(len(types)))})"
        for name, types in {**PREDICATES, **STATICS}.items()
    )
    schemas = " ".join(draw(actions(f"act{number}")) for number in range(draw(st.integers(1, 3))))
    domain = (
        "(define (domain random) (:requirements :strips :typing :equality :negative-preconditions)"
        "(:types t v - object u - t)(:constants c - t d - u)"
        f"(:predicates {declared}) {schemas})"
    )
    facts = draw(
        st.lists(atoms({**PREDICATES, **STATICS}, list(OBJECTS)), min_size=2, max_size=14, unique=True)
    )
    goals = draw(st.lists(atoms(PREDICATES, list(OBJECTS)), min_size=1, max_size=2, unique=True))
    objects = " ".join(
        f"{name} - {kind}" for name, kind in {**OBJECTS, **TWINS}.items() if name not in CONSTANTS
    )
    problem = (
        f"(define (problem one) (:domain random) (:objects {objects})"
        f"(:init {' '.join(facts)}) (:goal (and {' '.join(goals)})))"
    )
    return Task.parse(Domain.parse(domain), problem)
