"""A game of patience: cards leave in order, and the goal names only the last card of each suit."""

from __future__ import annotations

import random

from trailmark.programs.program import parse_program
from trailmark.task import Domain, Task

DOMAIN = Domain.parse("""(define (domain patience)
  (:predicates (above ?card ?under) (free ?card) (in ?card ?cell) (empty ?cell) (away ?card)
    (next ?before ?card) (fits ?card ?under))
  (:action hold :parameters (?card ?under ?cell)
    :precondition (and (above ?card ?under) (free ?card) (empty ?cell))
    :effect (and (in ?card ?cell) (free ?under)
      (not (above ?card ?under)) (not (free ?card)) (not (empty ?cell))))
  (:action move :parameters (?card ?under ?to)
    :precondition (and (above ?card ?under) (free ?card) (free ?to) (fits ?card ?to))
    :effect (and (above ?card ?to) (free ?under) (not (above ?card ?under)) (not (free ?to))))
  (:action play :parameters (?card ?under ?before)
    :precondition (and (above ?card ?under) (free ?card) (away ?before) (next ?before ?card))
    :effect (and (away ?card) (free ?under) (not (above ?card ?under)) (not (free ?card))))
  (:action play-held :parameters (?card ?before ?cell)
    :precondition (and (in ?card ?cell) (away ?before) (next ?before ?card))
    :effect (and (away ?card) (empty ?cell) (not (in ?card ?cell)))))""")

CARDS_LEFT = parse_program(
    "counter n_count(c_and(c_some(r_inverse(r_primitive(next,0,1)),c_top),c_not(c_primitive(away,0))))"
)


def deal(seed: int, suits: int = 4, values: int = 6, columns: int = 5, cells: int = 3) -> Task:
    """Cards in columns; a card may be put on one of another suit that is one higher."""
    names = "abcdefg"[:suits]
    cards = [f"{suit}{value}" for suit in names for value in range(1, values + 1)]
    random.Random(seed).shuffle(cards)
    tops = [f"column{number}" for number in range(columns)]
    free = [f"cell{number}" for number in range(cells)]
    objects = [*cards, *(f"{suit}0" for suit in names), *tops, *free]
    facts = [f"(empty {cell})" for cell in free]
    for suit in names:
        facts.append(f"(away {suit}0)")
        facts += [f"(next {suit}{value - 1} {suit}{value})" for value in range(1, values + 1)]
        others = names.replace(suit, "")
        facts += [
            f"(fits {suit}{value} {other}{value + 1})" for other in others for value in range(1, values)
        ]
    for number, card in enumerate(cards):
        facts.append(f"(above {card} {tops[number % columns]})")
        tops[number % columns] = card
    facts += [f"(free {card})" for card in tops]
    goals = " ".join(f"(away {suit}{values})" for suit in names)
    return Task.parse(
        DOMAIN,
        f"(define (problem deal) (:domain patience) (:objects {' '.join(objects)})"
        f" (:init {' '.join(facts)}) (:goal (and {goals})))",
    )
