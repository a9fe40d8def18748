"""A corridor with things to take and dust to sweep, where sweeping is a detour."""

from __future__ import annotations

from trailmark.programs.program import parse_program
from trailmark.task import Domain, Task

BOTH_WAYS = "(next a b) (next b a) (next b c) (next c b) (next c d) (next d c) (next d e) (next e d)"
CORRIDOR = """(define (domain corridor) (:requirements :strips :typing) (:types place thing)
  (:predicates (next ?a ?b - place) (here ?a - place) (there ?t - thing ?a - place) (got ?t - thing)
    (closed ?a - place) (dust ?a - place))
  (:action walk :parameters (?a ?b - place) :precondition (and (next ?a ?b) (here ?a))
    :effect (and (here ?b) (not (here ?a))))
  (:action sweep :parameters (?a - place) :precondition (and (here ?a) (dust ?a)) :effect (not (dust ?a)))
  (:action take :parameters (?a - place ?t - thing) :precondition (and (here ?a) (there ?t ?a))
    :effect (and (got ?t) (not (there ?t ?a)))))"""


def corridor(ways: str, things: str, goal: str) -> Task:
    return Task.parse(
        Domain.parse(CORRIDOR),
        "(define (problem p) (:domain corridor) (:objects a b c d e - place s t - thing)"
        f" (:init (here c) {ways} {things}) (:goal (and {goal})))",
    )


SWEEPING = parse_program("counter n_count(c_not(c_primitive(got,0)))\nthen n_count(c_primitive(dust,0))")
