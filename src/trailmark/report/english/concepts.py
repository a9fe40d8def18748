"""Concepts in English: a noun with clauses, in one number or the other.

All concepts here are plain (see `plain`).
"""

from __future__ import annotations

import re

from trailmark.features.syntax import Expression, Kind, subexpressions
from trailmark.features.syntax import expression as make
from trailmark.report.english.clauses import (
    Clause,
    Things,
    clause_of_noun,
    comparison,
    listed,
    said,
    said_of,
)
from trailmark.report.english.plain import BOTTOM, TOP, conjuncts, disjuncts, negation
from trailmark.report.english.roles import (
    end_noun,
    goal_pair,
    goal_reached,
    is_forward,
    is_goal_role,
    is_told_role,
    link,
    named_possession,
    possession,
    turned,
)
from trailmark.report.english.words import Forms, Words, forms, plural, spaced, with_article


def things(words: Words, concept: Expression) -> Things:
    """The concept as a noun with clauses."""
    parts = conjuncts(concept)
    nouns = [part for part in parts if _is_noun(words, part)]
    rest = [part for part in parts if part is not TOP and part not in nouns[:1]]
    compared = [part for part in rest if _compares_with_goal(words, part) is not None]
    restricted = {_compares_with_goal(words, part) for part in compared}
    kept = [part for part in rest if not (_has_goal(part) and part.arguments[0] in restricted)]
    has = {part.arguments[0] for part in rest if _names_goal(words, part)}
    missing = [part for part in kept if _missing_property(words, part, kept)]
    kept = [part for part in kept if not any(part in _goal_and_denial(words, each) for each in missing)]
    clauses = [clause(words, part, has_goal=_compares_with_goal(words, part) in has) for part in kept]
    clauses += [_still_to_be(words, part) for part in missing]
    if len(parts) == 1 and all(_is_noun(words, part) for part in disjuncts(concept)):
        each = [words.noun(str(part.arguments[0])) for part in disjuncts(concept)]
        return Things(Forms(listed(each, "or"), listed([plural(noun) for noun in each], "or")), (), words)
    noun = words.noun(str(nouns[0].arguments[0])) if nouns else None
    return Things(Forms(noun, plural(noun)) if noun else None, tuple(clauses), words)


def _missing_property(words: Words, part: Expression, parts: list[Expression]) -> bool:
    """Whether the part is a goal property, and another part says that the object does not have it yet."""
    if part.constructor.name != "c_primitive" or not words.is_goal(str(part.arguments[0])):
        return False
    return words.arities.get(str(part.arguments[0]), 1) == 1 and _goal_and_denial(words, part)[1] in parts


def _goal_and_denial(words: Words, part: Expression) -> tuple[Expression, Expression]:
    name, position = part.arguments
    return part, make("c_not", make("c_primitive", words.base(str(name)), position))


def _still_to_be(words: Words, part: Expression) -> Clause:
    """`is still to be served`: a goal that is not reached."""
    name = str(part.arguments[0])
    return said(forms("<is|are> still to {to}", to=_to_be(words, name)), words.type_noun(name, 0), short=True)


def _to_be(words: Words, name: str) -> str:
    """The unary predicate after `to`: `be served`, `have egg`."""
    saying = words.saying(name)
    return f"be {words.state(name)}" if saying is None else re.sub("^are ", "be ", saying.many)


def _is_noun(words: Words, part: Expression) -> bool:
    return part.constructor.name == "c_primitive" and words.is_noun(str(part.arguments[0]))


def _has_goal(part: Expression) -> bool:
    return part.constructor.name == "c_some" and part.arguments[1] is TOP


def _names_goal(words: Words, part: Expression) -> bool:
    return part.constructor.name == "c_some" and is_goal_role(words, part.children[0])


def _compares_with_goal(words: Words, part: Expression) -> Expression | None:
    """The goal role, where the concept says that current and goal version are equal, or that they are not."""
    inner = part.children[0] if part.constructor.name == "c_not" else part
    if inner.constructor.name != "c_equal":
        return None
    pair = goal_pair(words, *inner.children)
    return pair.goal if pair is not None else None


def one_of(words: Words, concept: Expression, default: str | None = None) -> str:
    """`a truck at a goal cell`: some object of the concept; `default` is the type known from the context."""
    if concept.constructor.name == "c_one_of":
        return str(concept.arguments[0])
    if concept is BOTTOM:
        return "nothing"
    if concept is TOP and default is None:
        return "something"
    return with_article(things(words, concept).text(False, default))


def none_of(words: Words, concept: Expression, default: str | None = None) -> str:
    """`no truck at a goal cell`."""
    if concept is TOP and default is None:
        return "nothing"
    return f"no {things(words, concept).text(False, default)}"


def only(words: Words, concept: Expression, default: str | None = None) -> str:
    """`nothing but trucks`."""
    return f"nothing but {things(words, concept).text(True, default)}"


def many_of(words: Words, concept: Expression) -> str:
    """`trucks at a goal cell`: the objects of the concept."""
    if concept is BOTTOM:
        return "no objects at all"
    if concept.constructor.name == "c_one_of":
        return str(concept.arguments[0])
    return things(words, concept).text(True)


def predicate(words: Words, concept: Expression) -> Forms:
    """What it takes to be in the concept, after a subject: `is a truck and is empty`."""
    described = things(words, concept)
    verbal = [each.verbal for each in described.clauses]
    if described.noun is not None:
        verbal.insert(0, clause_of_noun(described.noun).verbal)
    if not verbal:
        return Forms("exists", "exist")
    return Forms(listed([each.one for each in verbal], "and"), listed([each.many for each in verbal], "and"))


def clause(words: Words, part: Expression, *, has_goal: bool = False) -> Clause:
    """What one part of a conjunction says; `has_goal` where another part says that there is a goal."""
    name = part.constructor.name
    if name == "c_not":
        return _denial(words, part.children[0], has_goal)
    if name == "c_primitive":
        return _membership(words, part)
    if name == "c_one_of":
        return said(forms("<is|are> {o}", o=str(part.arguments[0])))
    if name == "c_or":
        either = _either([predicate(words, each) for each in disjuncts(part)])
        heads = {things(words, each).head().one for each in disjuncts(part)}
        subject = heads.pop() if len(heads) == 1 else None
        return Clause(either, forms("that {either}", either=either), subject=subject)
    if name in ("c_equal", "c_subset"):
        return comparison(words, part, has_goal, False)
    if name == "c_some":
        return _some(words, *part.children)
    if name == "c_all":
        return _all(words, *part.children)
    return said(forms("<does|do> not exist"))


def _either(alternatives: list[Forms]) -> Forms:
    """Alternatives joined by `or`, set apart by a comma where one of them has an `and` of its own."""
    if any(" and " in each.one for each in alternatives):
        return Forms(", or ".join(a.one for a in alternatives), ", or ".join(a.many for a in alternatives))
    return Forms(listed([a.one for a in alternatives], "or"), listed([a.many for a in alternatives], "or"))


def _membership(words: Words, part: Expression) -> Clause:
    name, position = str(part.arguments[0]), int(str(part.arguments[1]))
    subject = words.type_noun(name, position)
    if _is_noun(words, part):
        noun = words.noun(name)
        return clause_of_noun(Forms(noun, plural(noun)))
    if words.arities.get(name, 1) > 1 or position > 0:
        relation = f"goal {spaced(words.base(name))}" if words.is_goal(name) else spaced(name)
        if subject is not None:
            noun = f"{relation} {subject}"
            return said(Forms(f"is {with_article(noun)}", f"are {plural(noun)}"), subject)
        return said(forms("<is|are> argument {i} of {p}", i=str(position + 1), p=relation), subject)
    saying = words.saying(name)
    if words.is_goal(name):
        return said(forms("<has|have> the goal to {to}", to=_to_be(words, name)), subject)
    if saying is not None:
        return said(saying, subject)
    return said(forms("<is|are> {p}", p=words.state(name)), subject, words.adjective(name))


def _denial(words: Words, inner: Expression, has_goal: bool) -> Clause:
    if inner.constructor.name in ("c_equal", "c_subset"):
        return comparison(words, inner, has_goal, True)
    if inner.constructor.name == "c_one_of":
        return said(forms("<is|are> not {o}", o=str(inner.arguments[0])))
    positive = _membership(words, inner).verbal
    if positive.one.startswith("is "):
        return said(Forms(f"is not {positive.one[3:]}", f"are not {positive.many[4:]}"))
    return said(forms("<does|do> not {verb}", verb=positive.many))


def _some(words: Words, role: Expression, concept: Expression) -> Clause:
    subject, other = end_noun(words, role, 0), end_noun(words, role, 1)
    reached = goal_reached(words, role) if concept is TOP else None
    if reached is not None:
        return said(reached, subject, short=True)
    if reached is None and goal_reached(words, role) is not None and role.constructor.name == "r_and":
        at_goal = goal_reached(words, role) or Forms("", "")
        which = predicate(words, concept)
        return said(forms("{g}, which {w}", g=at_goal, w=which.one), subject, short=True)
    if is_goal_role(words, role):
        goal = f"goal {possession(words, role if is_forward(role) else turned(role))}"
        if concept is TOP and is_forward(role):
            return said(forms("<has|have> {g}", g=with_article(goal)), subject)
        if concept is TOP:
            before = "goal" if goal == f"goal {subject}" else None
            return said(Forms(f"is {with_article(goal)}", f"are {plural(goal)}"), subject, before)
        if is_forward(role):
            verbal = forms("<has|have> {g} {t}", g=with_article(goal), t=things(words, concept).tail())
            whole = predicate(words, concept).one
            return said_of(goal, verbal, Forms(whole, whole), subject)
    noun = named_possession(words, role)
    if noun is not None and concept.constructor.name != "c_one_of":
        had = with_article(_possessed(words, noun, concept, other).text(False))
        return said(forms("<has|have> {np}", np=had), subject)
    return said(_filled(words, role, one_of(words, concept, other)), subject, short=_short(words, role))


def _possessed(words: Words, noun: str, concept: Expression, kind: str | None) -> Things:
    """The objects of the concept under the name of what they are to another object."""
    described, name = things(words, concept), Forms(noun, plural(noun))
    if described.noun is None or described.noun.one == kind:
        return Things(name, described.clauses)
    return Things(name, (clause_of_noun(described.noun), *described.clauses))


def _all(words: Words, role: Expression, concept: Expression) -> Clause:
    missed = goal_reached(words, role, denied=True) if concept is BOTTOM else None
    if missed is not None:
        return said(missed)
    if is_goal_role(words, role) and is_forward(role):
        goal = f"goal {possession(words, role)}"
        if concept is BOTTOM:
            return said(forms("<has|have> no {g}", g=goal))
        verbal = forms("<has|have> no {g}, or one {t}", g=goal, t=things(words, concept).tail())
        whole = predicate(words, concept).one
        return said_of(f"{goal}, if any,", verbal, Forms(whole, whole))
    other, noun = end_noun(words, role, 1), named_possession(words, role)
    if noun is not None and _reads_as_none(concept):
        lacking = _possessed(words, noun, negation(concept), other).text(False)
        return said(forms("<has|have> no {np}", np=lacking))
    if noun is not None:
        verbal = forms("<has|have> only {np}", np=_possessed(words, noun, concept, other).text(True))
        every = f"all {predicate(words, concept).many}"
        return said_of(plural(noun), verbal, Forms(every, every))
    if _reads_as_none(concept):
        return said(_filled(words, role, none_of(words, negation(concept), other)), short=_short(words, role))
    return said(_filled(words, role, only(words, concept, other)), short=_short(words, role))


def _short(words: Words, role: Expression) -> bool:
    return link(words, role).short


def _reads_as_none(concept: Expression) -> bool:
    """Whether `no X` is shorter than `nothing but what is not X`."""
    if concept is BOTTOM or concept.constructor.name == "c_not":
        return True
    return concept.constructor.name == "c_all" and _reads_as_none(concept.children[1])


def _filled(words: Words, role: Expression, np: str) -> Forms:
    does = link(words, role).does
    return Forms(does.one.replace("{np}", np), does.many.replace("{np}", np))


def is_told(words: Words, node: Expression) -> bool:
    """Whether there are words for a plain expression; others are shown as formulas."""
    for part in subexpressions([node]):
        if part.kind is Kind.ROLE and not is_told_role(words, part):
            return False
        if part.constructor.name in ("c_equal", "c_subset"):
            pair = goal_pair(words, *part.children)
            if pair is None or not is_forward(pair.goal):
                return False
    return True
