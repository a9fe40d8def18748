"""Programs: counters that are run down one after the other, as counter-first learning finds them."""

from trailmark.programs.program import Counter, Program, parse_guidance, parse_program, print_program
from trailmark.programs.recipe import Recipe, RecipeAction, RecipeCondition, RecipeFilter

__all__ = [
    "Counter", "Program", "Recipe", "RecipeAction", "RecipeCondition", "RecipeFilter", "parse_guidance",
    "parse_program", "print_program",
]  # fmt: skip
