"""A fourth domain with several carriers: vans with bays, ferries with berths, islands, and customs.

Parcels travel in bays of vans, vans in berths of ferries; one ferry serves all islands, each other one two of
them. Half of the parcels must be cleared by customs, where a counter closes behind each parcel and is opened
again by a van without load. Five training and ten test tasks, two seeds; nothing was changed after
the first run. `python benchmarks/archipelago.py FOLDER SEED` writes them.
"""

from __future__ import annotations

import itertools
import sys
from pathlib import Path
from random import Random

from carriers import named, problem

DOMAIN = """(define (domain archipelago)
  (:requirements :strips :typing :action-costs)
  (:types van ferry parcel slot island place - object bay berth - slot)
  (:predicates
    (on ?p - place ?i - island) (quay ?p - place ?i - island) (customs ?p - place)
    (bay-of ?b - bay ?v - van) (berth-of ?b - berth ?f - ferry) (route ?f - ferry ?i ?j - island)
    (van-at ?v - van ?p - place) (aboard ?v - van ?b - berth) (vacant ?b - slot)
    (ferry-at ?f - ferry ?i - island) (parcel-at ?x - parcel ?p - place) (stowed ?x - parcel ?b - bay)
    (open ?p - place) (cleared ?x - parcel))
  (:functions (total-cost) - number (distance ?p ?q - place) - number (passage ?i ?j - island) - number)
  (:action drive :parameters (?v - van ?p ?q - place ?i - island)
    :precondition (and (van-at ?v ?p) (on ?p ?i) (on ?q ?i))
    :effect (and (not (van-at ?v ?p)) (van-at ?v ?q) (increase (total-cost) (distance ?p ?q))))
  (:action load :parameters (?x - parcel ?v - van ?b - bay ?p - place)
    :precondition (and (van-at ?v ?p) (parcel-at ?x ?p) (bay-of ?b ?v) (vacant ?b))
    :effect (and (not (parcel-at ?x ?p)) (not (vacant ?b)) (stowed ?x ?b) (increase (total-cost) 1)))
  (:action unload :parameters (?x - parcel ?v - van ?b - bay ?p - place)
    :precondition (and (van-at ?v ?p) (bay-of ?b ?v) (stowed ?x ?b))
    :effect (and (not (stowed ?x ?b)) (vacant ?b) (parcel-at ?x ?p) (increase (total-cost) 1)))
  (:action embark :parameters (?v - van ?f - ferry ?b - berth ?p - place ?i - island)
    :precondition (and (van-at ?v ?p) (quay ?p ?i) (ferry-at ?f ?i) (berth-of ?b ?f) (vacant ?b))
    :effect (and (not (van-at ?v ?p)) (not (vacant ?b)) (aboard ?v ?b) (increase (total-cost) 2)))
  (:action land :parameters (?v - van ?f - ferry ?b - berth ?p - place ?i - island)
    :precondition (and (aboard ?v ?b) (berth-of ?b ?f) (ferry-at ?f ?i) (quay ?p ?i))
    :effect (and (not (aboard ?v ?b)) (vacant ?b) (van-at ?v ?p) (increase (total-cost) 2)))
  (:action sail :parameters (?f - ferry ?i ?j - island)
    :precondition (and (ferry-at ?f ?i) (route ?f ?i ?j))
    :effect (and (not (ferry-at ?f ?i)) (ferry-at ?f ?j) (increase (total-cost) (passage ?i ?j))))
  (:action clear :parameters (?x - parcel ?p - place)
    :precondition (and (parcel-at ?x ?p) (customs ?p) (open ?p))
    :effect (and (cleared ?x) (not (open ?p)) (increase (total-cost) 8)))
  (:action reopen :parameters (?v - van ?b ?c - bay ?p - place)
    :precondition (and (van-at ?v ?p) (customs ?p) (bay-of ?b ?v) (bay-of ?c ?v) (vacant ?b) (vacant ?c))
    :effect (and (open ?p) (increase (total-cost) 3))))
"""


def archipelago(draw: Random, parcels: int, vans: int, ferries: int, islands: int, places: int) -> str:
    """`places` an island beside its quay; every second island has customs; the first ferry serves all
    islands, each other one two of them."""
    lands, init, bays, berths, goal = (
        named("i", islands),
        list[str](),
        list[str](),
        list[str](),
        list[str](),
    )
    quays = [f"quay-{land}" for land in lands]
    yards = [f"y{number}-{land}" for land in lands for number in range(1, places + 1)]
    offices = [f"customs-{land}" for land in lands[::2]]
    for land in lands:
        own = [place for place in quays + yards + offices if place.endswith("-" + land)]
        init += [f"(quay quay-{land} {land})", *(f"(on {place} {land})" for place in own)]
        init += [f"(= (distance {a} {b}) {draw.randint(2, 6)})" for a, b in itertools.product(own, own)]
    init += [f"(customs {office})" for office in offices] + [f"(open {offices[0]})"]
    init += [f"(= (passage {a} {b}) {draw.randint(4, 9)})" for a, b in itertools.permutations(lands, 2)]
    for number, ferry in enumerate(named("f", ferries)):
        served = lands if number == 0 else draw.sample(lands, 2)
        own = [f"{ferry}-b{berth}" for berth in (1, 2)]
        berths += own
        init += [f"(berth-of {berth} {ferry})" for berth in own]
        init += [f"(route {ferry} {a} {b})" for a, b in itertools.permutations(served, 2)]
        init.append(f"(ferry-at {ferry} {draw.choice(served)})")
    for van in named("v", vans):
        own = [f"{van}-a{bay}" for bay in (1, 2)]
        bays += own
        init += [f"(bay-of {bay} {van})" for bay in own] + [f"(van-at {van} {draw.choice(quays)})"]
    init += [f"(vacant {slot})" for slot in bays + berths]
    for number, parcel in enumerate(named("x", parcels)):
        start, end = draw.sample(yards, 2)
        init.append(f"(parcel-at {parcel} {start})")
        goal.append(f"(parcel-at {parcel} {end})")
        if number % 2:
            goal.append(f"(cleared {parcel})")
    kinds = {
        "van": named("v", vans), "ferry": named("f", ferries), "parcel": named("x", parcels), "bay": bays,
        "berth": berths, "island": lands, "place": quays + yards + offices,
    }  # fmt: skip
    return problem("archipelago", kinds, init, goal)


TRAINING = [(2, 1, 1, 2, 2), (3, 1, 1, 2, 2), (3, 2, 1, 3, 2), (4, 2, 2, 2, 3), (4, 2, 2, 3, 2)]
TESTS = [
    (6, 2, 1, 3, 3), (10, 2, 1, 3, 4), (14, 3, 2, 3, 4), (20, 2, 1, 3, 4), (20, 3, 2, 3, 4),
    (20, 4, 2, 4, 5), (20, 6, 3, 5, 5), (30, 4, 2, 5, 6), (40, 6, 3, 6, 8), (60, 8, 4, 8, 8),
]  # fmt: skip


def main(folder: Path, seed: str) -> None:
    for kind, letter, rows in (("train", "t", TRAINING), ("test", "p", TESTS)):
        (folder / kind).mkdir(parents=True, exist_ok=True)
        for number, sizes in enumerate(rows, start=1):
            text = archipelago(Random(f"archipelago {kind} {number} {seed}"), *sizes)
            (folder / kind / f"{letter}{number:02}.pddl").write_text(text)
    (folder / "domain.pddl").write_text(DOMAIN)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
