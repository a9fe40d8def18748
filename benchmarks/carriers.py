"""Three domains with several carriers, written to confirm that new domains work: their generators.

A hospital with porters, lifts with slots and theatres to clean; a harbour with cranes, trucks and piles of
limited height; an airport with tugs, blocked taxiways and fuel trucks. All have action costs and goals of
several kinds. Five training and ten test tasks each, with fixed seeds; they were not changed after the first
run. `python benchmarks/carriers.py FOLDER` writes them, and

    trailmark bench benchmarks/carriers.toml --benchmarks FOLDER

runs Trailmark, with Fast Downward behind it and without, and LAMA-first.
"""

from __future__ import annotations

import itertools
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random

HOSPITAL = """(define (domain hospital)
  (:requirements :strips :typing :action-costs)
  (:types porter patient lift slot floor room)
  (:predicates
    (on-floor ?r - room ?f - floor) (lobby ?r - room ?f - floor) (theatre ?r - room)
    (slot-of ?s - slot ?l - lift) (serves ?l - lift ?f - floor)
    (porter-at ?p - porter ?r - room) (patient-at ?x - patient ?r - room)
    (idle ?p - porter) (pushes ?p - porter ?x - patient)
    (lift-at ?l - lift ?f - floor) (vacant ?s - slot) (inside ?p - porter ?s - slot)
    (clean ?r - room) (treated ?x - patient))
  (:functions (total-cost) - number (ride-cost ?f ?g - floor) - number)
  (:action walk :parameters (?p - porter ?r ?q - room ?f - floor)
    :precondition (and (porter-at ?p ?r) (on-floor ?r ?f) (on-floor ?q ?f))
    :effect (and (not (porter-at ?p ?r)) (porter-at ?p ?q) (increase (total-cost) 3)))
  (:action fetch :parameters (?p - porter ?x - patient ?r - room)
    :precondition (and (porter-at ?p ?r) (patient-at ?x ?r) (idle ?p))
    :effect (and (not (patient-at ?x ?r)) (not (idle ?p)) (pushes ?p ?x) (increase (total-cost) 1)))
  (:action leave :parameters (?p - porter ?x - patient ?r - room)
    :precondition (and (porter-at ?p ?r) (pushes ?p ?x))
    :effect (and (not (pushes ?p ?x)) (patient-at ?x ?r) (idle ?p) (increase (total-cost) 1)))
  (:action enter :parameters (?p - porter ?l - lift ?s - slot ?r - room ?f - floor)
    :precondition (and (porter-at ?p ?r) (lobby ?r ?f) (lift-at ?l ?f) (slot-of ?s ?l) (vacant ?s))
    :effect (and (not (porter-at ?p ?r)) (not (vacant ?s)) (inside ?p ?s) (increase (total-cost) 1)))
  (:action exit :parameters (?p - porter ?l - lift ?s - slot ?r - room ?f - floor)
    :precondition (and (inside ?p ?s) (slot-of ?s ?l) (lift-at ?l ?f) (lobby ?r ?f))
    :effect (and (not (inside ?p ?s)) (vacant ?s) (porter-at ?p ?r) (increase (total-cost) 1)))
  (:action ride :parameters (?l - lift ?f ?g - floor)
    :precondition (and (lift-at ?l ?f) (serves ?l ?f) (serves ?l ?g))
    :effect (and (not (lift-at ?l ?f)) (lift-at ?l ?g) (increase (total-cost) (ride-cost ?f ?g))))
  (:action treat :parameters (?x - patient ?r - room)
    :precondition (and (patient-at ?x ?r) (theatre ?r) (clean ?r))
    :effect (and (treated ?x) (not (clean ?r)) (increase (total-cost) 10)))
  (:action scrub :parameters (?p - porter ?r - room)
    :precondition (and (porter-at ?p ?r) (theatre ?r) (idle ?p))
    :effect (and (clean ?r) (increase (total-cost) 4))))
"""

HARBOUR = """(define (domain harbour)
  (:requirements :strips :typing :action-costs)
  (:types crane truck pile container level site - object ship block - site)
  (:predicates
    (crane-at ?k - crane ?s - site) (pile-at ?q - pile ?s - site) (next ?n ?m - level) (road ?s ?z - site)
    (truck-at ?t - truck ?s - site) (height ?q - pile ?n - level) (empty ?q - pile)
    (top ?c - container ?q - pile) (bottom ?c - container ?q - pile) (on ?c ?d - container)
    (free ?k - crane) (holds ?k - crane ?c - container) (bare ?t - truck) (carries ?t - truck ?c - container)
    (placed ?c - container ?s - site))
  (:functions (total-cost) - number (distance ?s ?z - site) - number)
  (:action grab :parameters (?k - crane ?c ?d - container ?q - pile ?s - site ?n ?m - level)
    :precondition (and (crane-at ?k ?s) (pile-at ?q ?s) (top ?c ?q) (on ?c ?d) (free ?k) (height ?q ?n)
      (next ?m ?n))
    :effect (and (not (top ?c ?q)) (top ?d ?q) (not (on ?c ?d)) (not (placed ?c ?s)) (not (free ?k))
      (holds ?k ?c) (not (height ?q ?n)) (height ?q ?m) (increase (total-cost) 2)))
  (:action grab-last :parameters (?k - crane ?c - container ?q - pile ?s - site ?n ?m - level)
    :precondition (and (crane-at ?k ?s) (pile-at ?q ?s) (top ?c ?q) (bottom ?c ?q) (free ?k) (height ?q ?n)
      (next ?m ?n))
    :effect (and (not (top ?c ?q)) (not (bottom ?c ?q)) (empty ?q) (not (placed ?c ?s)) (not (free ?k))
      (holds ?k ?c) (not (height ?q ?n)) (height ?q ?m) (increase (total-cost) 2)))
  (:action stack :parameters (?k - crane ?c ?d - container ?q - pile ?s - site ?n ?m - level)
    :precondition (and (crane-at ?k ?s) (pile-at ?q ?s) (top ?d ?q) (holds ?k ?c) (height ?q ?n) (next ?n ?m))
    :effect (and (not (top ?d ?q)) (top ?c ?q) (on ?c ?d) (placed ?c ?s) (free ?k) (not (holds ?k ?c))
      (not (height ?q ?n)) (height ?q ?m) (increase (total-cost) 2)))
  (:action stack-first :parameters (?k - crane ?c - container ?q - pile ?s - site ?n ?m - level)
    :precondition (and (crane-at ?k ?s) (pile-at ?q ?s) (empty ?q) (holds ?k ?c) (height ?q ?n) (next ?n ?m))
    :effect (and (not (empty ?q)) (top ?c ?q) (bottom ?c ?q) (placed ?c ?s) (free ?k) (not (holds ?k ?c))
      (not (height ?q ?n)) (height ?q ?m) (increase (total-cost) 2)))
  (:action load :parameters (?k - crane ?c - container ?t - truck ?s - site)
    :precondition (and (crane-at ?k ?s) (truck-at ?t ?s) (holds ?k ?c) (bare ?t))
    :effect (and (not (holds ?k ?c)) (free ?k) (not (bare ?t)) (carries ?t ?c) (increase (total-cost) 1)))
  (:action unload :parameters (?k - crane ?c - container ?t - truck ?s - site)
    :precondition (and (crane-at ?k ?s) (truck-at ?t ?s) (carries ?t ?c) (free ?k))
    :effect (and (holds ?k ?c) (not (free ?k)) (bare ?t) (not (carries ?t ?c)) (increase (total-cost) 1)))
  (:action drive :parameters (?t - truck ?s ?z - site)
    :precondition (and (truck-at ?t ?s) (road ?s ?z))
    :effect (and (not (truck-at ?t ?s)) (truck-at ?t ?z) (increase (total-cost) (distance ?s ?z)))))
"""

AIRPORT = """(define (domain airport-tugs)
  (:requirements :strips :typing :action-costs)
  (:types tug fueller plane level segment)
  (:predicates
    (link ?a ?b - segment) (runway ?a - segment) (stand ?a - segment) (depot ?a - segment)
    (next ?n ?m - level) (full ?n - level)
    (free ?a - segment) (plane-at ?x - plane ?a - segment) (tug-at ?t - tug ?a - segment)
    (idle ?t - tug) (pulls ?t - tug ?x - plane) (loose ?x - plane)
    (fueller-at ?f - fueller ?a - segment) (tank ?f - fueller ?n - level)
    (fuelled ?x - plane) (parked ?x - plane ?a - segment) (airborne ?x - plane))
  (:functions (total-cost) - number)
  (:action move :parameters (?t - tug ?a ?b - segment)
    :precondition (and (tug-at ?t ?a) (idle ?t) (link ?a ?b))
    :effect (and (not (tug-at ?t ?a)) (tug-at ?t ?b) (increase (total-cost) 1)))
  (:action couple :parameters (?t - tug ?x - plane ?a - segment)
    :precondition (and (tug-at ?t ?a) (plane-at ?x ?a) (idle ?t) (loose ?x))
    :effect (and (not (idle ?t)) (not (loose ?x)) (pulls ?t ?x) (not (parked ?x ?a))
      (increase (total-cost) 2)))
  (:action tow :parameters (?t - tug ?x - plane ?a ?b - segment)
    :precondition (and (pulls ?t ?x) (tug-at ?t ?a) (plane-at ?x ?a) (link ?a ?b) (free ?b))
    :effect (and (not (tug-at ?t ?a)) (not (plane-at ?x ?a)) (free ?a) (not (free ?b)) (tug-at ?t ?b)
      (plane-at ?x ?b) (increase (total-cost) 3)))
  (:action uncouple :parameters (?t - tug ?x - plane ?a - segment)
    :precondition (and (pulls ?t ?x) (plane-at ?x ?a) (runway ?a))
    :effect (and (not (pulls ?t ?x)) (idle ?t) (loose ?x) (increase (total-cost) 2)))
  (:action park :parameters (?t - tug ?x - plane ?a - segment)
    :precondition (and (pulls ?t ?x) (plane-at ?x ?a) (stand ?a))
    :effect (and (not (pulls ?t ?x)) (idle ?t) (loose ?x) (parked ?x ?a) (increase (total-cost) 2)))
  (:action take-off :parameters (?x - plane ?a - segment)
    :precondition (and (plane-at ?x ?a) (runway ?a) (fuelled ?x) (loose ?x))
    :effect (and (not (plane-at ?x ?a)) (free ?a) (airborne ?x) (increase (total-cost) 5)))
  (:action drive :parameters (?f - fueller ?a ?b - segment)
    :precondition (and (fueller-at ?f ?a) (link ?a ?b))
    :effect (and (not (fueller-at ?f ?a)) (fueller-at ?f ?b) (increase (total-cost) 1)))
  (:action fuel :parameters (?f - fueller ?x - plane ?a - segment ?n ?m - level)
    :precondition (and (fueller-at ?f ?a) (plane-at ?x ?a) (stand ?a) (tank ?f ?n) (next ?m ?n))
    :effect (and (fuelled ?x) (not (tank ?f ?n)) (tank ?f ?m) (increase (total-cost) 4)))
  (:action refill :parameters (?f - fueller ?a - segment ?n ?m - level)
    :precondition (and (fueller-at ?f ?a) (depot ?a) (tank ?f ?n) (full ?m))
    :effect (and (not (tank ?f ?n)) (tank ?f ?m) (increase (total-cost) 6))))
"""


def problem(domain: str, objects: dict[str, list[str]], init: list[str], goal: list[str]) -> str:
    declared = " ".join(f"{' '.join(names)} - {kind}" for kind, names in objects.items() if names)
    facts = "\n    ".join(["(= (total-cost) 0)", *init])
    return (
        f"(define (problem task) (:domain {domain})\n  (:objects {declared})\n  (:init\n    {facts})\n"
        f"  (:goal (and {' '.join(goal)}))\n  (:metric minimize (total-cost)))\n"
    )


def named(letter: str, count: int) -> list[str]:
    return [f"{letter}{number}" for number in range(1, count + 1)]


def hospital(draw: Random, patients: int, porters: int, lifts: int, floors: int, rooms: int) -> str:
    """`rooms` wards a floor beside its lobby; each second floor has a theatre; half need treatment."""
    levels, init, slots = named("f", floors), list[str](), list[str]()
    lobbies = [f"lobby-{floor}" for floor in levels]
    wards = [f"w{room}-{floor}" for floor in levels for room in range(1, rooms + 1)]
    theatres = [f"theatre-{floor}" for floor in levels[::2]]
    for floor in levels:
        init += [f"(lobby lobby-{floor} {floor})"]
        init += [f"(on-floor {r} {floor})" for r in lobbies + wards + theatres if r.endswith("-" + floor)]
    init += [f"(theatre {room})" for room in theatres] + [f"(clean {room})" for room in theatres[:1]]
    for lift in named("l", lifts):
        own = [f"{lift}-s{number}" for number in (1, 2)]
        slots += own
        init += [f"(slot-of {slot} {lift})" for slot in own] + [f"(vacant {slot})" for slot in own]
        init += [f"(serves {lift} {floor})" for floor in levels] + [f"(lift-at {lift} {draw.choice(levels)})"]
    init += [
        f"(= (ride-cost {a} {b}) {1 + abs(i - j)})"
        for i, a in enumerate(levels)
        for j, b in enumerate(levels)
    ]
    init += [f"(porter-at {p} {draw.choice(lobbies)})" for p in named("p", porters)]
    init += [f"(idle {p})" for p in named("p", porters)]
    goal = list[str]()
    for number, patient in enumerate(named("x", patients)):
        start, end = draw.sample(wards, 2)
        init.append(f"(patient-at {patient} {start})")
        goal.append(f"(patient-at {patient} {end})")
        if number % 2:
            goal.append(f"(treated {patient})")
    kinds = {
        "porter": named("p", porters), "patient": named("x", patients), "lift": named("l", lifts),
        "slot": slots, "floor": levels, "room": lobbies + wards + theatres,
    }  # fmt: skip
    return problem("hospital", kinds, init, goal)


def harbour(draw: Random, containers: int, trucks: int, ships: int, blocks: int, piles: int) -> str:
    """`piles` on each site, at most four high and at first three; each container goes to another site."""
    sites = named("ship", ships) + named("block", blocks)
    levels, cranes, heaps, init, goal = (
        named("n", 5),
        list[str](),
        dict[str, list[str]](),
        list[str](),
        list[str](),
    )
    where = dict[str, str]()
    init += [f"(next {low} {high})" for low, high in itertools.pairwise(levels)]
    for place, site in enumerate(sites):
        cranes.append(f"k{place + 1}")
        init.append(f"(crane-at k{place + 1} {site})")
        for number in range(1, piles + 1):
            heaps[f"q{number}-{site}"], where[f"q{number}-{site}"] = [], site
    for number, site in enumerate(sites):
        for other, goes in enumerate(sites):
            if site != goes:
                init += [f"(road {site} {goes})", f"(= (distance {site} {goes}) {3 + abs(number - other)})"]
    for container in named("c", containers):
        heap = draw.choice([name for name, held in heaps.items() if len(held) < 3])
        heaps[heap].append(container)
        goes = draw.choice([site for site in sites if site != where[heap]])
        init.append(f"(placed {container} {where[heap]})")
        goal.append(f"(placed {container} {goes})")
    for heap, held in heaps.items():
        init += [f"(pile-at {heap} {where[heap]})", f"(height {heap} {levels[len(held)]})"]
        init += [f"(on {upper} {lower})" for lower, upper in itertools.pairwise(held)]
        init += [f"(bottom {held[0]} {heap})", f"(top {held[-1]} {heap})"] if held else [f"(empty {heap})"]
    init += [f"(free {crane})" for crane in cranes]
    for truck in named("t", trucks):
        init += [f"(truck-at {truck} {draw.choice(sites)})", f"(bare {truck})"]
    kinds = {
        "crane": cranes, "truck": named("t", trucks), "ship": sites[:ships], "block": sites[ships:],
        "pile": list(heaps), "container": named("c", containers), "level": levels,
    }  # fmt: skip
    return problem("harbour", kinds, init, goal)


def airport(draw: Random, planes: int, tugs: int, fuellers: int, stands: int) -> str:
    """Stands along a taxiway between two runways; two planes of three leave, the others change stands."""
    taxi, places = named("t", stands), named("s", stands)
    init, goal = list[str](), list[str]()
    links = [*itertools.pairwise(taxi), *zip(taxi, places, strict=True)]
    links += [(taxi[0], "r1"), (taxi[-1], "r2"), (taxi[0], "d1")]
    init += [f"(link {a} {b}) (link {b} {a})" for a, b in links]
    init += ["(runway r1)", "(runway r2)", "(depot d1)", *(f"(stand {place})" for place in places)]
    levels = named("n", 4)
    init += [f"(next {low} {high})" for low, high in itertools.pairwise(levels)] + ["(full n4)"]
    taken = draw.sample(places, planes)
    spare = [place for place in places if place not in taken]
    for number, (plane, place) in enumerate(zip(named("x", planes), taken, strict=True)):
        init += [f"(plane-at {plane} {place})", f"(loose {plane})", f"(parked {plane} {place})"]
        if number % 3 == 2 and spare:
            goal.append(f"(parked {plane} {spare.pop()})")
        else:
            goal.append(f"(airborne {plane})")
    segments = [*taxi, *places, "r1", "r2", "d1"]
    init += [f"(free {segment})" for segment in segments if segment not in taken]
    for tug in named("g", tugs):
        init += [f"(tug-at {tug} {draw.choice(taxi)})", f"(idle {tug})"]
    for fueller in named("u", fuellers):
        init += [f"(fueller-at {fueller} d1)", f"(tank {fueller} n2)"]
    kinds = {
        "tug": named("g", tugs), "fueller": named("u", fuellers), "plane": named("x", planes),
        "level": levels, "segment": segments,
    }  # fmt: skip
    return problem("airport-tugs", kinds, init, goal)


Sizes = Sequence[tuple[int, ...]]

DOMAINS: dict[str, tuple[str, Callable[..., str], Sizes, Sizes]] = {
    "hospital": (
        HOSPITAL, hospital,
        [(2, 1, 1, 2, 2), (3, 2, 1, 2, 2), (3, 2, 1, 3, 2), (4, 2, 2, 2, 3), (4, 2, 2, 3, 2)],
        [(6, 2, 1, 3, 3), (10, 3, 2, 3, 4), (14, 3, 2, 3, 4), (20, 2, 1, 3, 4), (20, 3, 2, 3, 4),
         (20, 4, 2, 4, 5), (20, 6, 3, 5, 5), (30, 4, 2, 5, 6), (40, 6, 3, 6, 8), (60, 8, 4, 8, 8)],
    ),
    "harbour": (
        HARBOUR, harbour,
        [(2, 1, 1, 1, 2), (3, 1, 1, 1, 2), (3, 2, 1, 2, 1), (4, 2, 1, 2, 2), (5, 2, 2, 2, 2)],
        [(8, 2, 2, 2, 3), (12, 3, 2, 3, 3), (16, 3, 2, 4, 3), (20, 3, 2, 4, 3), (20, 5, 3, 4, 4),
         (25, 4, 3, 5, 4), (30, 4, 3, 5, 4), (36, 6, 4, 6, 4), (48, 6, 4, 8, 4), (60, 8, 5, 10, 4)],
    ),
    "airport": (
        AIRPORT, airport,
        [(2, 1, 1, 3), (3, 1, 1, 4), (3, 2, 1, 4), (4, 2, 1, 5), (4, 2, 2, 6)],
        [(6, 2, 1, 8), (9, 2, 2, 12), (12, 2, 2, 16), (15, 3, 2, 20), (20, 3, 2, 26),
         (20, 5, 3, 24), (25, 4, 3, 32), (30, 5, 3, 40), (40, 6, 4, 50), (50, 8, 5, 60)],
    ),
}  # fmt: skip


def main(folder: Path) -> None:
    for name, (domain, build, training, tests) in DOMAINS.items():
        (folder / name).mkdir(parents=True, exist_ok=True)
        (folder / name / "domain.pddl").write_text(domain)
        for kind, letter, rows in (("train", "t", training), ("test", "p", tests)):
            (folder / name / kind).mkdir(exist_ok=True)
            for number, sizes in enumerate(rows, start=1):
                text = build(Random(f"{name} {kind} {number}"), *sizes)
                (folder / name / kind / f"{letter}{number:02}.pddl").write_text(text)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
