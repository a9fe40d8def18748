"""Roles in English: as a link between two objects, as something an object has, and as a label.

All roles here are plain (see `plain`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from trailmark.features.syntax import Expression, expression
from trailmark.report.english.words import Forms, Link, Words, forms, spaced, with_article

_ORDINALS = ("1st", "2nd", "3rd")


@dataclass(frozen=True)
class GoalPair:
    """A predicate's goal version beside the predicate itself, between the same two arguments."""

    predicate: str
    goal: Expression
    current: Expression


def goal_pair(words: Words, left: Expression, right: Expression) -> GoalPair | None:
    """Whether two roles are the goal and the current version of one predicate, in either order."""
    for goal, current in ((left, right), (right, left)):
        if goal.constructor.name == current.constructor.name == "r_primitive":
            (goal_name, *goal_places), (name, *places) = goal.arguments, current.arguments
            is_goal = words.is_goal(str(goal_name)) and words.base(str(goal_name)) == name
            if is_goal and goal_places == places:
                return GoalPair(str(name), goal, current)
    return None


def is_goal_role(words: Words, role: Expression) -> bool:
    return role.constructor.name == "r_primitive" and words.is_goal(str(role.arguments[0]))


def is_primitive(role: Expression) -> bool:
    return role.constructor.name == "r_primitive"


def ends(role: Expression) -> tuple[str, int, int]:
    """The predicate and the two argument places of a primitive role."""
    predicate, first, second = role.arguments
    return str(predicate), int(str(first)), int(str(second))


def is_forward(role: Expression) -> bool:
    """Whether a primitive role leads from an earlier argument to a later one."""
    _, first, second = ends(role)
    return first < second


def turned(role: Expression) -> Expression:
    """The inverse of a primitive role."""
    name, first, second = ends(role)
    return expression("r_primitive", name, second, first)


def end_noun(words: Words, role: Expression, end: int) -> str | None:
    """The type of the objects at the first (0) or second (1) end of the role, where it is known."""
    if is_primitive(role):
        name, *places = ends(role)
        return words.type_noun(name, places[end])
    if role.constructor.name in ("r_and", "r_or", "r_diff", "r_transitive_closure"):
        parts = role.children[:1] if role.constructor.name == "r_diff" else role.children
        nouns = [end_noun(words, part, end) for part in parts]
        if role.constructor.name == "r_and" and None not in nouns:
            # What is in both is of the closer type.
            nouns = [each for each in nouns if not any(words.is_kind_of(o or "", each or "") for o in nouns)]
        return nouns[0] if len(set(nouns)) == 1 else None
    return None


def possession(words: Words, role: Expression) -> str:
    """What an object has along a primitive role, as a noun: `cell`, or `at` where the type is unclear."""
    name, first, second = ends(role)
    if words.arities.get(name, 2) <= 2:
        return words.role_noun(name, second, first)
    base, kind = spaced(words.base(name)), words.type_noun(name, second)
    return f"{base} {kind}" if kind else f"{base} ({_place(first)} to {_place(second)} argument)"


def named_possession(words: Words, role: Expression) -> str | None:
    """The possession, where the predicate's name is a noun or the predicate has further arguments."""
    if not is_primitive(role):
        return None
    name, _, second = ends(role)
    if words.arities.get(name, 2) > 2:
        return _goal_mark(words, name) + possession(words, role)
    if words.is_goal(name) or not is_forward(role) or not words.link(name).noun:
        return None
    kind = words.type_noun(name, second)
    return f"{spaced(name)} {kind}" if kind else spaced(name)


def link(words: Words, role: Expression) -> Link:
    """The role as a clause with a place `{np}` for the other object."""
    if is_primitive(role):
        return _primitive_link(words, role)
    if role.constructor.name == "r_transitive_closure":
        step = role.children[0]
        if is_primitive(step) and not is_forward(step):
            over = label(words, turned(step))
            reached = forms("<is|are> reached over {r} from {np}", r=over, np="{np}")
            return Link(reached, reached, short=True)
        reaches = forms("<reaches|reach> {np} over {r}", r=label(words, step), np="{np}")
        return Link(reaches, reaches)
    linked = forms("<is|are> linked to {np} by {r}", r=label(words, role), np="{np}")
    return Link(linked, linked, short=True)


def _primitive_link(words: Words, role: Expression) -> Link:
    name, first, second = ends(role)
    if words.arities.get(name, 2) > 2:
        noun = _goal_mark(words, name) + possession(words, role)
        has = forms("<has|have> {np} as {w}", w=noun, np="{np}")
        return Link(has, has)
    if words.is_goal(name):
        noun = words.role_noun(name, max(first, second), min(first, second))
        straight = Link(
            forms("<has|have> {np} as goal {w}", w=noun, np="{np}"),
            forms("<is|are> the goal {w} of {np}", w=noun, np="{np}"),
        )
    else:
        straight = words.link(name)
    return straight if first < second else replace(straight, does=straight.done, done=straight.does)


def _goal_mark(words: Words, name: str) -> str:
    return "goal " if words.is_goal(name) else ""


def is_told_role(words: Words, role: Expression) -> bool:
    """Whether there are words for the role: a predicate, a chain of one, or goals reached or missed."""
    name = role.constructor.name
    if name in ("r_and", "r_diff"):
        return goal_pair(words, *role.children) is not None
    return name == "r_primitive" or (name == "r_transitive_closure" and is_told_role(words, role.children[0]))


def label(words: Words, role: Expression) -> str:
    """A name for the role, for use after `linked by` and before `steps`."""
    if is_primitive(role):
        return _label_of_primitive(words, *ends(role))
    if role.constructor.name == "r_transitive_closure":
        return f"a chain of {label(words, role.children[0])}"
    pair = goal_pair(words, *role.children)
    assert pair is not None  # other roles are shown as formulas
    base = spaced(pair.predicate)
    if role.constructor.name == "r_and":
        return f"a reached goal for {base}"
    return f"a missing goal for {base}" if role.children[0] is pair.goal else f"{base} that is no goal"


def _label_of_primitive(words: Words, name: str, first: int, second: int) -> str:
    mark, base = _goal_mark(words, name), spaced(words.base(name))
    if words.arities.get(name, 2) > 2:
        return f"{mark}{base} ({_place(first)} to {_place(second)} argument)"
    return f"{mark}{base}" if first < second else f"{mark}{base} backwards"


def _place(position: int) -> str:
    return _ORDINALS[position] if position < len(_ORDINALS) else f"{position + 1}th"


def pairs(words: Words, role: Expression) -> str:
    """The pairs of a role, as something to count: `goals for at`."""
    if is_primitive(role):
        name = ends(role)[0]
        if words.arities.get(name, 2) == 2:
            base = spaced(words.base(name))
            return f"goals for {base}" if words.is_goal(name) else f"{base} facts"
    if role.constructor.name in ("r_and", "r_diff"):
        pair = goal_pair(words, *role.children)
        if pair is not None:
            base = spaced(pair.predicate)
            if role.constructor.name == "r_and":
                return f"goals for {base} that are reached"
            missing = role.children[0] is pair.goal
            return f"goals for {base} not yet reached" if missing else f"{base} facts that are no goal"
    return f"pairs linked by {label(words, role)}"


def goal_reached(words: Words, role: Expression, denied: bool = False) -> Forms | None:
    """That an object has an end of the role, where the role is a goal that is reached, or missed."""
    if role.constructor.name not in ("r_and", "r_diff"):
        return None
    pair, missed = goal_pair(words, *role.children), role.constructor.name == "r_diff"
    if pair is None or not is_forward(pair.goal):
        return None
    if missed and role.children[0] is pair.current:
        return _astray(words, pair, denied)
    return reached_or_missed(words, pair, missed, denied)


def _astray(words: Words, pair: GoalPair, denied: bool) -> Forms | None:
    """`is at a cell that is not its goal`, where the predicate is a place."""
    if not words.link(pair.predicate).nearness:
        return None
    kind = words.type_noun(pair.predicate, ends(pair.current)[2]) or "place"
    if denied:
        return forms("<is|are> {p} no {k} but <its|their> goal", p=pair.predicate, k=kind)
    return forms("<is|are> {p} {k} that is not <its|their> goal", p=pair.predicate, k=with_article(kind))


def reached_or_missed(words: Words, pair: GoalPair, missed: bool, denied: bool = False) -> Forms:
    """`is at its goal cell`, `is away from its goal cell`, or that it is not."""
    near = words.link(pair.predicate).nearness
    second = ends(pair.goal)[2]
    kind = words.type_noun(pair.predicate, second) if near else possession(words, pair.goal)
    goal = f"goal {kind}" if kind else "goal"
    template = {
        (True, True): "<is|are> {no}away from <its|their> {g}",
        (True, False): "<is|are> {no}{p} <its|their> {g}",
        (False, True): "<does|do> not lack <its|their> {g}" if denied else "<lacks|lack> <its|their> {g}",
        (False, False): "<does|do> not have <its|their> {g}" if denied else "<has|have> <its|their> {g}",
    }[near, missed]
    return forms(template, no="not " if denied else "", p=pair.predicate, g=goal)
