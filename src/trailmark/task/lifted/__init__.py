"""Applicable actions of STRIPS tasks without grounding, by generated join functions.

It serves positive and negative preconditions, equality and types. `unsupported(task)` says what a
task has beyond that; such tasks use the engine's generator.
"""

from trailmark.task.lifted.generator import Action, LiftedGenerator
from trailmark.task.lifted.schema import supports, unsupported

__all__ = ["Action", "LiftedGenerator", "supports", "unsupported"]
