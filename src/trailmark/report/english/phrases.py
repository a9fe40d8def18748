"""Expressions as short English phrases, for someone who knows the domain but no logic.

    n_count(c_primitive(empty,0))     the number of trucks that are empty
    … as a descriptor                 some truck is empty / no truck is empty
    … as a progressor                 there are fewer trucks that are empty

What takes more than a noun with a few clauses is shown as its formula.
"""

from __future__ import annotations

from trailmark.features.syntax import Expression, Kind
from trailmark.relational import Vocabulary
from trailmark.report.english.grammar import Grammar, UntoldError
from trailmark.report.english.words import ParameterTypes, quoted


def phrase(
    expression: Expression,
    vocabulary: Vocabulary | None = None,
    parameter_types: ParameterTypes | None = None,
) -> str:
    """What the expression denotes: a noun phrase, or for a Boolean a sentence."""
    name = expression.constructor.name
    try:
        grammar = Grammar.of(expression, vocabulary, parameter_types)
        if expression.kind is Kind.BOOLEAN:
            return grammar.sentence(expression, positive=True)
        if expression.kind is Kind.CONCEPT:
            return grammar.things(expression).text(many=True)
        if name == "n_count":
            return f"the number of {grammar.counted(expression).text(many=True)}"
        if name == "n_concept_distance":
            return f"the least number of {grammar.way(expression)}"
    except UntoldError:
        pass
    return (
        f"the value of {quoted(str(expression.arguments[0]))}"
        if name == "n_function"
        else quoted(str(expression))
    )


def descriptor_phrase(
    expression: Expression,
    positive: bool,
    vocabulary: Vocabulary | None = None,
    parameter_types: ParameterTypes | None = None,
) -> str:
    """The state descriptor "the feature is above zero" as a sentence, or its negation."""
    try:
        return Grammar.of(expression, vocabulary, parameter_types).sentence(expression, positive)
    except UntoldError:
        return f"{quoted(str(expression))} is {'above zero' if positive else 'zero'}"


def progress_phrase(
    expression: Expression,
    decreases: bool,
    vocabulary: Vocabulary | None = None,
    parameter_types: ParameterTypes | None = None,
) -> str:
    """The state progressor "the feature decreases" (or increases) as a sentence."""
    amount = "fewer" if decreases else "more"
    try:
        grammar = Grammar.of(expression, vocabulary, parameter_types)
        if expression.kind is Kind.BOOLEAN:
            return f"{grammar.sentence(expression, not decreases)}, unlike before"
        if expression.constructor.name == "n_count":
            return grammar.counted(expression).amount(amount, many=True)
        if expression.constructor.name == "n_concept_distance":
            return f"it takes {amount} {grammar.way(expression)}"
    except UntoldError:
        pass
    return f"{quoted(str(expression))} {'decreases' if decreases else 'increases'}"


def comparison_phrase(
    expression: Expression,
    amount: str,
    number: int,
    vocabulary: Vocabulary | None = None,
    parameter_types: ParameterTypes | None = None,
) -> str:
    """The feature compared with a number, as a sentence; `amount` is `at most`, `exactly` and the like."""
    try:
        if expression.constructor.name == "n_count":
            grammar = Grammar.of(expression, vocabulary, parameter_types)
            return grammar.counted(expression).amount(f"{amount} {number}", many=number != 1)
    except UntoldError:
        pass
    return f"{phrase(expression, vocabulary, parameter_types)} is {amount} {number}"
