"""Description-logic features: the language, its text form, and what it says about a state.

`parse` reads an expression and `str` writes it; `check` holds it against a domain's vocabulary.
"""

from trailmark.features.syntax import (
    CONSTRUCTORS,
    INFINITE,
    Constructor,
    Expression,
    Kind,
    Slot,
    expression,
    subexpressions,
)
from trailmark.features.text import check, parse

__all__ = [
    "CONSTRUCTORS",
    "INFINITE",
    "Constructor",
    "Expression",
    "Kind",
    "Slot",
    "check",
    "expression",
    "parse",
    "subexpressions",
]
