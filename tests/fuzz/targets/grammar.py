"""Random features by their grammar, for all targets that have features in their files."""

from __future__ import annotations

from random import Random

from trailmark.features.syntax import CONSTRUCTORS, Constructor, Kind, Slot

PREDICATES = (
    "at",
    "at_g",
    "carrying",
    "adjacent",
    "empty",
    "truck",
    "package",
    "é",
    "a-b.c",
    "c_top",
    "then",
)
OBJECTS = ("p1", "t1", "nowhere")
FUNCTIONS = ("fuel", "total")
WORDS = (
    *CONSTRUCTORS, *PREDICATES, *OBJECTS, *FUNCTIONS, "(", ")", ",", "n_count(c_top)", "b_empty(r_top)",
    "n_role_distance", "0", "1", "2",
)  # fmt: skip
DEEPEST = 4


def feature(chance: Random, *, numerical: bool = False) -> str:
    """A feature as text, with names of `PREDICATES`."""
    kinds = (Kind.NUMERICAL,) if numerical else (Kind.NUMERICAL, Kind.BOOLEAN)
    return _text(chance, chance.choice(_of_kinds(kinds)), DEEPEST)


def _of_kinds(kinds: tuple[Kind, ...]) -> list[Constructor]:
    return [rule for rule in CONSTRUCTORS.values() if rule.makes in kinds]


def _text(chance: Random, rule: Constructor, depth: int) -> str:
    if not rule.takes:
        return rule.name
    parts = []
    for takes in rule.takes:
        if takes is Slot.PREDICATE:
            parts.append(chance.choice(PREDICATES))
        elif takes is Slot.OBJECT:
            parts.append(chance.choice(OBJECTS))
        elif takes is Slot.FUNCTION:
            parts.append(chance.choice(FUNCTIONS))
        elif takes is Slot.POSITION:
            parts.append(str(chance.choice([0, 1, 0, 1, 0, 1, 2])))
        else:
            kinds = takes if isinstance(takes, tuple) else (takes,)
            rules = [each for each in _of_kinds(kinds) if depth or not _nests(each)]
            parts.append(_text(chance, chance.choice(rules), depth - 1))
    return f"{rule.name}({','.join(parts)})"


def _nests(rule: Constructor) -> bool:
    return any(not isinstance(each, Slot) for each in rule.takes)
