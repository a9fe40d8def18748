"""Every expression as a short English phrase, for someone who knows the domain but no logic.

    n_count(c_primitive(empty,0))     the number of empty trucks
    … as a descriptor                 some truck is empty / no truck is empty
    … as a progressor                 fewer trucks are empty

With the types of predicates' parameters the phrases name them ("goal cell"); without, they name
the predicate ("goal `at`").
"""

from __future__ import annotations

from trailmark.features.syntax import Expression, Kind
from trailmark.features.syntax import expression as make
from trailmark.relational import Vocabulary
from trailmark.report.english.concepts import is_told, many_of, one_of, predicate, things
from trailmark.report.english.plain import BOTTOM, TOP, both, conjuncts, disjuncts, negation, plain
from trailmark.report.english.roles import goal_pair, goal_reached, is_goal_role, label, pairs
from trailmark.report.english.words import ParameterTypes, Words, quoted, spaced, words_for

LONGEST = 60
"""No phrase for a larger expression would be short: it is shown as its own text."""


def phrase(
    expression: Expression,
    vocabulary: Vocabulary | None = None,
    parameter_types: ParameterTypes | None = None,
) -> str:
    """What the expression denotes: a noun phrase, or for a Boolean a sentence."""
    told = _told(expression, vocabulary, parameter_types)
    if told is None:
        return quoted(str(expression))
    words, node = told
    name = node.constructor.name
    if node.kind is Kind.CONCEPT:
        return many_of(words, node)
    if node.kind is Kind.ROLE:
        return pairs(words, node)
    if node.kind is Kind.BOOLEAN:
        return _sentence(words, node, positive=True)
    if name == "n_count":
        return f"the number of {_counted(words, node.children[0])}"
    if name == "n_concept_distance":
        return f"the least number of {_way(words, node)}"
    return f"the value of {quoted(str(node.arguments[0]))}"


def descriptor_phrase(
    expression: Expression,
    positive: bool,
    vocabulary: Vocabulary | None = None,
    parameter_types: ParameterTypes | None = None,
) -> str:
    """The state descriptor "the feature is above zero" as a sentence, or its negation."""
    told = _told(expression, vocabulary, parameter_types)
    if told is None:
        return f"{quoted(str(expression))} is {'above zero' if positive else 'zero'}"
    return _sentence(*told, positive)


def progress_phrase(
    expression: Expression,
    decreases: bool,
    vocabulary: Vocabulary | None = None,
    parameter_types: ParameterTypes | None = None,
) -> str:
    """The state progressor "the feature decreases" (or increases) as a sentence."""
    told = _told(expression, vocabulary, parameter_types)
    if told is None:
        return f"{quoted(str(expression))} {'decreases' if decreases else 'increases'}"
    words, node = told
    if node.kind is Kind.BOOLEAN:
        return f"{_sentence(words, node, not decreases)}, unlike before"
    if node.constructor.name == "n_count":
        return _so_many(words, node.children[0], "fewer" if decreases else "more")
    if node.constructor.name == "n_concept_distance":
        return f"it takes {'fewer' if decreases else 'more'} {_way(words, node)}"
    return f"{quoted(str(node.arguments[0]))} {'falls' if decreases else 'rises'}"


def comparison_phrase(
    expression: Expression,
    amount: str,
    number: int,
    vocabulary: Vocabulary | None = None,
    parameter_types: ParameterTypes | None = None,
) -> str:
    """The feature compared with a number, as a sentence; `amount` is `at most`, `exactly` and the like."""
    told = _told(expression, vocabulary, parameter_types)
    if told is not None:
        words, node = told
        counts_objects = _placed(words, node.children[0]).kind is Kind.CONCEPT if node.children else False
        if node.constructor.name == "n_count" and counts_objects:
            return _so_many(words, node.children[0], f"{amount} {number}", many=number != 1)
    return f"{phrase(expression, vocabulary, parameter_types)} is {amount} {number}"


def _told(
    expression: Expression, vocabulary: Vocabulary | None, parameter_types: ParameterTypes | None
) -> tuple[Words, Expression] | None:
    """The words for an expression and its plain form; None where there is no short phrase for it."""
    if expression.complexity > LONGEST:
        return None
    words = words_for(expression, vocabulary, parameter_types)
    node = plain(expression, words.arities)
    return (words, node) if is_told(words, node) else None


def _sentence(words: Words, node: Expression, positive: bool) -> str:
    """Whether a plain feature is above zero, said as a sentence."""
    name = node.constructor.name
    if name == "b_nullary":
        return _nullary(words, str(node.arguments[0]), positive)
    if name == "n_function":
        return f"{quoted(str(node.arguments[0]))} is {'above zero' if positive else 'not above zero'}"
    if name == "b_inclusion":
        inside, around = node.children
        if positive and not _impossible(inside, around):
            return f"every {things(words, inside).text(False)} {predicate(words, around).one}"
        return _existence(words, both(inside, negation(around)), exists=not positive)
    if name == "n_concept_distance":
        # The distance is zero exactly where the two concepts share an object.
        start, _, goal = node.children
        return _existence(words, both(start, goal), exists=not positive)
    counted = node.children[0]
    if counted.kind is Kind.ROLE:
        counted = plain(make("c_projection", counted, 0), words.arities)
    return _existence(words, counted, exists=positive == (name != "b_empty"))


def _impossible(inside: Expression, around: Expression) -> bool:
    return inside is BOTTOM or around in (TOP, BOTTOM)


def _existence(words: Words, concept: Expression, exists: bool) -> str:
    """That some object is in the concept, or that none is."""
    if concept is BOTTOM or concept is TOP:
        return "always" if (concept is TOP) == exists else "never"
    if not exists:
        flipped = _universal(words, concept)
        if flipped is not None:
            return flipped
    described = things(words, concept)
    if not described.clauses:
        return f"there is {one_of(words, concept) if exists else 'no ' + described.text(False)}"
    subject, said = described.sentence(many=False)
    if exists:
        return f"some {subject} {said}"
    pair = sum(not each.adjective for each in described.clauses) == 2
    return f"no {subject} {'both ' if pair else ''}{said}"


def _universal(words: Words, concept: Expression) -> str | None:
    """`Every truck is empty` for `no truck is not empty`."""
    denied, rest = TOP, TOP
    parts = conjuncts(concept)
    # What has a goal and is not there is `away` from it, which reads well as it is.
    has_goal = any(
        part.constructor.name == "c_some" and is_goal_role(words, part.children[0]) for part in parts
    )
    for part in parts:
        if _is_denial(part) and not (has_goal and _differs(part)):
            denied = both(denied, part)
        else:
            rest = both(rest, part)
    if denied is TOP:
        return None
    return f"every {things(words, rest).text(False)} {predicate(words, negation(denied)).one}"


def _differs(part: Expression) -> bool:
    return part.constructor.name == "c_not" and part.children[0].constructor.name == "c_equal"


def _is_denial(part: Expression) -> bool:
    if part.constructor.name == "c_not":
        return part.children[0].constructor.name != "c_subset"
    return part.constructor.name == "c_all" or (
        part.constructor.name == "c_or" and all(_is_denial(each) for each in disjuncts(part))
    )


def _so_many(words: Words, counted: Expression, amount: str, many: bool = True) -> str:
    """`Fewer trucks are empty`, `at most 1 truck is empty`."""
    counted, be = _placed(words, counted), "are" if many else "is"
    if counted.kind is Kind.ROLE or counted in (TOP, BOTTOM):
        return f"there {be} {amount} {_counted(words, counted)}"
    described = things(words, counted)
    if not described.clauses:
        return f"there {be} {amount} {described.text(many)}"
    subject, said = described.sentence(many)
    return f"{amount} {subject} {said}"


def _placed(words: Words, counted: Expression) -> Expression:
    """The objects that are at or away from a place that is their goal, for the pairs of such an object
    and place: an object is at one place."""
    if counted.constructor.name not in ("r_and", "r_diff") or goal_reached(words, counted) is None:
        return counted
    pair = goal_pair(words, *counted.children)
    near = pair is not None and words.link(pair.predicate).nearness
    return make("c_some", counted, TOP) if near else counted


def _counted(words: Words, counted: Expression) -> str:
    counted = _placed(words, counted)
    if counted.kind is Kind.ROLE:
        return pairs(words, counted)
    return many_of(words, counted)


def _way(words: Words, node: Expression) -> str:
    start, role, goal = node.children
    steps = label(words, role)
    return f"steps along {steps} from {one_of(words, start)} to {one_of(words, goal)}"


def _nullary(words: Words, name: str, positive: bool) -> str:
    base = spaced(words.base(name))
    if words.is_goal(name):
        return f"the goal {'asks' if positive else 'does not ask'} for {base}"
    return f"{base} {'holds' if positive else 'does not hold'}"
