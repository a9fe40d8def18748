"""Generalized landmarks for PDDL planning, learned from a few solved instances."""

__version__ = "0.1.0"
