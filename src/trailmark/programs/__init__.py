"""Programs: counters that are run down one after the other, as counter-first learning finds them."""

from trailmark.programs.program import Counter, Program
from trailmark.programs.programtext import parse_guidance, parse_program, print_program

__all__ = ["Counter", "Program", "parse_guidance", "parse_program", "print_program"]
