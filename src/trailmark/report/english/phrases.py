"""Features as short English phrases, for someone who knows the domain but no logic.

    n_count(c_primitive(empty,0))     the number of trucks that are empty
    … as a descriptor                 some truck is empty / no truck is empty
    … as a progressor                 fewer trucks are empty

What takes more than a noun with a few clauses is shown as its formula.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from trailmark.features.syntax import Expression, Kind
from trailmark.relational import Vocabulary
from trailmark.report.english.grammar import Grammar, UntoldError
from trailmark.report.english.words import ParameterTypes, quoted


@dataclass(frozen=True)
class Phrases:
    """Phrases with the names of one domain; without its vocabulary they name predicates instead of types."""

    vocabulary: Vocabulary | None = None
    parameter_types: ParameterTypes | None = field(default=None, hash=False)

    def _told(self, node: Expression, tell: Callable[[Grammar], str | None], otherwise: str) -> str:
        try:
            return tell(Grammar.of(node, self.vocabulary, self.parameter_types)) or otherwise
        except UntoldError:
            return otherwise

    def value(self, node: Expression, noun: str = "") -> str:
        """What the expression denotes: a noun phrase, with a closer noun where there is one; or for a Boolean
        a sentence."""
        name = node.constructor.name
        function = f"the value of {quoted(str(node.arguments[0]))}" if name == "n_function" else ""

        def tell(grammar: Grammar) -> str | None:
            if node.kind is Kind.BOOLEAN:
                return grammar.sentence(node, positive=True)
            if node.kind is Kind.CONCEPT:
                return grammar.things(node).text(many=True)
            if name == "n_count":
                counted = grammar.counted(node)
                return f"the number of {replace(counted, noun=noun or counted.noun).text(many=True)}"
            return f"the least number of {grammar.way(node)}" if name == "n_concept_distance" else None

        return self._told(node, tell, function or quoted(str(node)))

    def above_zero(self, node: Expression, positive: bool) -> str:
        """The state descriptor "the feature is above zero" as a sentence, or its negation."""
        otherwise = f"{quoted(str(node))} is {'above zero' if positive else 'zero'}"
        return self._told(node, lambda grammar: grammar.sentence(node, positive), otherwise)

    def progress(self, node: Expression, decreases: bool) -> str:
        """The state progressor "the feature decreases" (or increases) as a sentence."""
        name, amount = node.constructor.name, "fewer" if decreases else "more"

        def tell(grammar: Grammar) -> str | None:
            if node.kind is Kind.BOOLEAN:
                return f"{grammar.sentence(node, not decreases)}, unlike before"
            if name == "n_count":
                return grammar.counted(node).amount(amount, many=True)
            return f"it takes {amount} {grammar.way(node)}" if name == "n_concept_distance" else None

        return self._told(node, tell, f"{quoted(str(node))} {'decreases' if decreases else 'increases'}")

    def comparison(self, node: Expression, amount: str, number: int) -> str:
        """The feature compared with a number; `amount` is `at most`, `exactly` and the like."""

        def tell(grammar: Grammar) -> str | None:
            if node.constructor.name != "n_count":
                return None
            return grammar.counted(node).amount(f"{amount} {number}", many=number != 1)

        return self._told(node, tell, f"{self.value(node)} is {amount} {number}")
