"""Description-logic features: the language (`syntax`), its text form (`text`), what it says about a state.

`parse` reads an expression and `str` writes it; `check` holds it against a domain's vocabulary.
"""
