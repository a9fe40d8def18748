"""Incremental feature evaluation on Delivery grids, against pymimir's evaluator, in one run.

    python benchmarks/incremental_features.py            all tables
    python benchmarks/incremental_features.py --no-engine   without pymimir

Times are microseconds a state; the ratios are what counts.
"""

from __future__ import annotations

import argparse
import itertools
import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from trailmark.features.incremental.evaluation import Evaluation, bind
from trailmark.features.syntax import Expression
from trailmark.features.text import parse
from trailmark.relational import Interpretation, Structure, Symbol, Vocabulary

VOCABULARY = Vocabulary(
    (
        Symbol("cell", 1, static=True, is_type=True),
        Symbol("package", 1, static=True, is_type=True),
        Symbol("truck", 1, static=True, is_type=True),
        Symbol("at", 2, static=False),
        Symbol("carrying", 2, static=False),
        Symbol("empty", 1, static=False),
        Symbol("adjacent", 2, static=True),
        Symbol("at_g", 2, static=True, goal_of="at"),
    )
)

CELL, PACKAGE, TRUCK = "c_primitive(cell,0)", "c_primitive(package,0)", "c_primitive(truck,0)"
EMPTY = "c_primitive(empty,0)"
AT, AT_G = "r_primitive(at,0,1)", "r_primitive(at_g,0,1)"
CARRYING, ADJACENT = "r_primitive(carrying,0,1)", "r_primitive(adjacent,0,1)"
TRUCK_CELL = f"c_some(r_inverse({AT}),{TRUCK})"
PACKAGE_CELL = f"c_some(r_inverse({AT}),{PACKAGE})"
GOAL_CELL = f"c_some(r_inverse({AT_G}),c_top)"

PLAIN = (
    f"n_count(c_and({PACKAGE},c_not(c_equal({AT},{AT_G}))))",
    f"b_nonempty({EMPTY})",
    f"n_count(c_some({CARRYING},c_top))",
    f"n_count(c_and({PACKAGE},c_some({AT},{TRUCK_CELL})))",
    f"b_nonempty(c_and({PACKAGE},c_equal({AT},{AT_G})))",
    f"n_count(c_some(r_inverse({CARRYING}),c_top))",
    f"n_count(c_some({AT},{GOAL_CELL}))",
    f"b_nonempty(c_some({CARRYING},c_some({AT_G},{TRUCK_CELL})))",
    f"n_count(c_and({PACKAGE},c_all({AT},{TRUCK_CELL})))",
    f"n_count({PACKAGE_CELL})",
    f"n_count(c_and({CELL},c_all(r_inverse({AT}),{TRUCK})))",
    f"n_count(c_some({ADJACENT},{TRUCK_CELL}))",
    f"n_count(c_some({ADJACENT},{PACKAGE_CELL}))",
    f"n_count(r_and({AT},{AT_G}))",
    f"n_count(r_restrict({AT},{TRUCK_CELL}))",
    f"n_count(c_and({TRUCK},c_all({CARRYING},c_bot)))",
    f"n_count(c_and({PACKAGE},c_not(c_subset({AT_G},{AT}))))",
    f"n_count(c_some(r_compose({CARRYING},{AT_G}),c_top))",
    f"n_count(c_and({PACKAGE},c_some({AT_G},{TRUCK_CELL})))",
    f"b_nonempty(c_and({EMPTY},c_some({AT},{GOAL_CELL})))",
)
"""Twenty features of complexity up to 9, without closure and distance."""

TYPICAL = (PLAIN[0], PLAIN[1], PLAIN[3], PLAIN[5], PLAIN[7], PLAIN[18])
"""Six that a landmark graph of Delivery might use."""

FAR = (
    f"n_concept_distance({TRUCK_CELL},{ADJACENT},{PACKAGE_CELL})",
    f"n_concept_distance({TRUCK_CELL},{ADJACENT},{GOAL_CELL})",
    f"n_concept_distance({PACKAGE_CELL},{ADJACENT},{GOAL_CELL})",
    f"n_count(c_some(r_transitive_closure({ADJACENT}),{TRUCK_CELL}))",
    f"n_count(c_some(r_transitive_closure({ADJACENT}),{PACKAGE_CELL}))",
)
"""Distances and a closure along a role that never changes."""


@dataclass
class Delivery:
    """A square grid, one truck, packages and a goal cell for each, at random places."""

    side: int
    packages: int
    random: random.Random
    structure: Structure = field(init=False)
    state: frozenset[int] = field(init=False)
    neighbours: dict[int, list[int]] = field(init=False)

    def __post_init__(self) -> None:
        cells = self.side**2
        names = [f"c{number}" for number in range(cells)] + [f"p{number}" for number in range(self.packages)]
        bare = Structure(VOCABULARY, (*names, "t"))
        self.truck, self.first_package = len(names), cells
        self.neighbours = {
            cell: [
                x * self.side + y
                for x, y in ((i - 1, j), (i + 1, j), (i, j - 1), (i, j + 1))
                if 0 <= x < self.side and 0 <= y < self.side
            ]
            for cell in range(cells)
            for i, j in [divmod(cell, self.side)]
        }
        fixed = {bare.atom("cell", name) for name in names[:cells]}
        fixed |= {bare.atom("package", name) for name in names[cells:]} | {bare.atom("truck", "t")}
        fixed |= {self._atom(bare, "adjacent", a, b) for a, near in self.neighbours.items() for b in near}
        self.goal = {self.first_package + p: self.random.randrange(cells) for p in range(self.packages)}
        fixed |= {self._atom(bare, "at_g", package, cell) for package, cell in self.goal.items()}
        self.structure = Structure(VOCABULARY, bare.objects, frozenset(fixed))
        state = {
            self.atom("at", self.first_package + p, self.random.randrange(cells))
            for p in range(self.packages)
        }
        self.state = frozenset(
            state
            | {self.atom("at", self.truck, self.random.randrange(cells)), self.atom("empty", self.truck)}
        )

    @staticmethod
    def _atom(structure: Structure, name: str, *objects: int) -> int:
        return structure.encode(VOCABULARY.index[name], objects)

    def atom(self, name: str, *objects: int) -> int:
        return self._atom(self.structure, name, *objects)

    def successors(self, state: frozenset[int]) -> list[tuple[frozenset[int], frozenset[int]]]:
        """The changes of every applicable action."""
        truck, facts = self.truck, [self.structure.decode(atom) for atom in state]
        name = {position: symbol.name for position, symbol in enumerate(VOCABULARY.symbols)}
        cell = next(o[1] for p, o in facts if name[p] == "at" and o[0] == truck)
        changes = [({("at", truck, to)}, {("at", truck, cell)}) for to in self.neighbours[cell]]
        carried = [o[1] for p, o in facts if name[p] == "carrying"]
        if carried:
            package = carried[0]
            changes.append(({("at", package, cell), ("empty", truck)}, {("carrying", truck, package)}))
        else:
            here = [o[0] for p, o in facts if name[p] == "at" and o[1] == cell and o[0] != truck]
            changes += [
                ({("carrying", truck, package)}, {("at", package, cell), ("empty", truck)})
                for package in here
            ]
        return [
            (frozenset(self.atom(*a) for a in added), frozenset(self.atom(*d) for d in deleted))
            for added, deleted in changes
        ]


@dataclass(frozen=True)
class Child:
    """A successor of one state of a walk."""

    parent: frozenset[int]
    added: frozenset[int]
    deleted: frozenset[int]

    @property
    def state(self) -> frozenset[int]:
        return (self.parent - self.deleted) | self.added


def walk(task: Delivery, steps: int) -> list[list[Child]]:
    """The successors of each state of a walk that picks and drops more often than it would by chance."""
    state, families = task.state, []
    for _ in range(steps):
        family = [Child(state, added, deleted) for added, deleted in task.successors(state)]
        families.append(family)
        state = task.random.choice(family[-2:] if task.random.random() < 0.5 else family).state
    return families


def microseconds(run: Callable[[], int], repeats: int = 3) -> float:
    """The least time of a few runs, for each of the states that `run` says it evaluated."""
    best = float("inf")
    for _ in range(repeats):
        start = time.process_time()
        states = run()
        best = min(best, (time.process_time() - start) / states)
    return best * 1e6


def ours(task: Delivery, features: Sequence[Expression], families: list[list[Child]]) -> dict[str, float]:
    """Values of children against their parent as root; evaluations along the walk, as A* makes them."""
    evaluator = bind(features, task.structure)
    roots = [evaluator.start(Interpretation(family[0].parent)) for family in families]

    def first_pass() -> float:
        """Nothing is known but the parents: no atom was decoded, no distance looked up before."""
        cold = bind(features, task.structure)
        parents = [cold.start(Interpretation(family[0].parent)) for family in families]
        start = time.process_time()
        for root, family in zip(parents, families, strict=True):
            for child in family:
                root.values_after(child.added, child.deleted)
        return (time.process_time() - start) / sum(map(len, families)) * 1e6

    def against_root() -> int:
        for root, family in zip(roots, families, strict=True):
            for child in family:
                root.values_after(child.added, child.deleted)
        return sum(map(len, families))

    def chain() -> int:
        evaluation = evaluator.start(Interpretation(families[0][0].parent))
        for family, following in itertools.pairwise(families):
            for child in family:
                after = evaluation.after(child.added, child.deleted)
                if child.state == following[0].parent:
                    chosen = after
            evaluation = chosen
        return sum(map(len, families[:-1]))

    def move_root() -> int:
        root = roots[0]
        for family in families:
            root.after(family[0].added, family[0].deleted)
        return len(families)

    return {
        "first": first_pass(),
        "values": microseconds(against_root),
        "after": microseconds(chain),
        "new root": microseconds(move_root),
    }


def engine(task: Delivery, features: Sequence[Expression], families: list[list[Child]]) -> float:
    """pymimir's evaluator on the same states, each once; checks that the values agree."""
    from engine_features import Engine

    native = Engine(task.structure, task.goal, task.state, features)
    children = [child for family in families for child in family]
    fresh = list({child.state: child for child in children}.values())
    states = [native.state(child.state) for child in fresh]
    start = time.process_time()
    found = [native.values(state) for state in states]
    spent = time.process_time() - start
    evaluator = bind(features, task.structure)
    for child, values in zip(fresh, found, strict=True):
        mine = evaluator.start(Interpretation(child.parent)).values_after(child.added, child.deleted)
        assert mine == values, (mine, values)
    return spent / len(fresh) * 1e6


def parsed(texts: Sequence[str]) -> list[Expression]:
    return [parse(text) for text in texts]


def against_engine(steps: int) -> None:
    """Both sides see every state once; the ratio is that of pymimir's time to our first pass."""
    print("against pymimir, µs a state       ours: first pass   again   after  new root   pymimir    ratio")
    for side, packages in ((9, 9), (20, 50)):
        for label, texts in (("20 plain features", PLAIN), ("with distances, closures", PLAIN + FAR)):
            task = Delivery(side, packages, random.Random(side))
            families = walk(task, steps)
            mine = ours(task, parsed(texts), families)
            theirs = engine(task, parsed(texts), families)
            print(
                f"  {side}x{side}-{packages:<3} {label:26} {mine['first']:10.1f} {mine['values']:7.1f}"
                f" {mine['after']:7.1f} {mine['new root']:9.1f} {theirs:9.1f} {theirs / mine['first']:7.1f}x"
            )


def by_size(steps: int) -> None:
    print("by grid size, µs a state      objects   20 plain: values   after  new root   6 typical   5 far")
    for side in (5, 10, 20, 40):
        task = Delivery(side, 20, random.Random(1))
        families = walk(task, steps)
        plain, typical, far = (ours(task, parsed(texts), families) for texts in (PLAIN, TYPICAL, FAR))
        print(
            f"  {side}x{side}-20 {len(task.structure.objects):24} {plain['values']:18.1f}"
            f" {plain['after']:7.1f}"
            f" {plain['new root']:9.1f} {typical['values']:11.1f} {far['values']:7.1f}"
        )


def by_feature(steps: int) -> None:
    print("each feature alone, 20x20-50, µs a state (values of a child against its root)")
    task = Delivery(20, 50, random.Random(2))
    families = walk(task, steps)
    for text in PLAIN + FAR:
        print(f"  {ours(task, parsed([text]), families)['values']:7.2f}  {text}")


BLOCKS = Vocabulary(
    (
        Symbol("block", 1, static=True, is_type=True),
        Symbol("on", 2, static=False),
        Symbol("clear", 1, static=False),
        Symbol("on_g", 2, static=True, goal_of="on"),
    )
)
ON, ON_G = "r_primitive(on,0,1)", "r_primitive(on_g,0,1)"
CLEAR = "c_primitive(clear,0)"
ON_BLOCKS = (
    f"n_count(c_not({CLEAR}))",
    f"n_count(c_projection({ON},1))",
    f"n_count(c_or({CLEAR},c_projection({ON},0)))",
    f"n_count(c_diff({CLEAR},c_projection({ON},0)))",
    f"n_count(c_some({ON},{CLEAR}))",
    f"n_count(c_all({ON},{CLEAR}))",
    f"n_count(c_equal({ON},{ON_G}))",
    f"n_count(c_subset({ON_G},{ON}))",
    f"n_count(r_diff({ON},{ON_G}))",
    f"n_count(r_or({ON},{ON_G}))",
    f"n_count(r_not({ON}))",
    f"n_count(r_identity({CLEAR}))",
    f"n_count(r_restrict({ON},{CLEAR}))",
    f"n_count(r_compose({ON},{ON}))",
    f"n_count(c_some(r_not({ON}),{CLEAR}))",
    f"n_count(r_transitive_closure({ON}))",
    f"n_count(c_some(r_transitive_closure({ON}),{CLEAR}))",
    f"n_count(c_equal(r_transitive_closure({ON}),r_transitive_closure({ON_G})))",
    f"n_count(c_some(r_transitive_reflexive_closure({ON}),{CLEAR}))",
    f"n_concept_distance({CLEAR},{ON},c_not(c_projection({ON},0)))",
    f"n_concept_distance({CLEAR},{ON_G},c_not(c_projection({ON},0)))",
)


def by_constructor(height: int, towers: int, moves: int) -> None:
    """Towers of blocks, the top of one put on the top of another: roles that change, and their closures."""
    print(f"by constructor, {towers} towers of {height} blocks, µs a state")
    chance = random.Random(3)
    bare = Structure(BLOCKS, tuple(f"b{number}" for number in range(height * towers)))
    blocks = range(len(bare.objects))

    def atom(name: str, *objects: int) -> int:
        return bare.encode(BLOCKS.index[name], objects)

    piles = [list(blocks[tower * height : (tower + 1) * height]) for tower in range(towers)]
    state = frozenset(
        {atom("on", above, below) for pile in piles for below, above in itertools.pairwise(pile)}
        | {atom("clear", pile[-1]) for pile in piles}
    )
    fixed = {atom("block", each) for each in blocks}
    fixed |= {atom("on_g", each, each + 1) for each in blocks[:-1] if each % height < height - 1}
    structure = Structure(BLOCKS, bare.objects, frozenset(fixed))
    changes = []
    for _ in range(moves):
        source, target = chance.sample(piles, 2)
        moved, below, top = source[-1], source[-2], target[-1]
        changes.append(
            (
                frozenset({atom("on", moved, top), atom("clear", below)}),
                frozenset({atom("on", moved, below), atom("clear", top)}),
            )
        )
    for text in ON_BLOCKS:
        root = bind([parse(text)], structure).start(Interpretation(state))

        def run(root: Evaluation = root) -> int:
            for added, deleted in changes:
                root.values_after(added, deleted)
            return len(changes)

        print(f"  {microseconds(run):9.2f}  {text}")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--no-engine", action="store_true")
    options.add_argument("--steps", type=int, default=100)
    chosen = options.parse_args()
    if not chosen.no_engine:
        against_engine(chosen.steps)
    by_size(chosen.steps)
    by_feature(chosen.steps)
    by_constructor(height=10, towers=20, moves=chosen.steps)


if __name__ == "__main__":
    main()
