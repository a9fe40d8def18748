"""A planning domain: its model, and the vocabulary its states are described with."""

from __future__ import annotations

import hashlib
import os
from functools import cached_property

from trailmark.files import read_text
from trailmark.relational import Symbol, Vocabulary
from trailmark.task import model as pddl
from trailmark.task.parser import parse_domain
from trailmark.task.walks import changes_in

GOAL_SUFFIX = "_g"


class Domain:
    """A parsed domain. Load one with `Domain.load(path)`."""

    def __init__(self, model: pddl.DomainModel, source: str = "<text>", text: str | None = None) -> None:
        self.model = model
        self.source = source
        self.text = text
        """What it was read from, where it was."""

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Domain:
        return cls.parse(read_text(path, "PDDL domain"), os.fspath(path))

    @classmethod
    def parse(cls, text: str, source: str = "<text>") -> Domain:
        return cls(parse_domain(text, source), source, text)

    def __repr__(self) -> str:
        return f"<domain {self.name}>"

    @property
    def name(self) -> str:
        return self.model.name

    @cached_property
    def changing_predicates(self) -> frozenset[str]:
        """The predicates that actions change or axioms derive; all others are static."""
        changes = (effect for effect in changes_in(self.model) if isinstance(effect, pddl.Add | pddl.Delete))
        return self.derived_predicates | {effect.atom.predicate for effect in changes}

    @cached_property
    def derived_predicates(self) -> frozenset[str]:
        return frozenset(axiom.head.predicate for axiom in self.model.axioms)

    @cached_property
    def vocabulary(self) -> Vocabulary:
        """Predicates, types as unary predicates, a goal version of each predicate, and the numbers a
        state has; the total cost is one of the path to it.

        A type that shares its name with a predicate is not listed twice, and a goal version whose
        name the domain already uses gets a longer suffix.
        """
        predicates = self.model.predicates
        taken = {predicate.name for predicate in predicates}
        symbols = [
            Symbol(predicate.name, predicate.arity, static=predicate.name not in self.changing_predicates)
            for predicate in predicates
        ]
        for entry in self.model.types:
            if entry.name not in taken:
                symbols.append(Symbol(entry.name, 1, static=True, is_type=True))
                taken.add(entry.name)
        for predicate in predicates:
            name = predicate.name + GOAL_SUFFIX
            while name in taken:
                name += GOAL_SUFFIX
            taken.add(name)
            symbols.append(Symbol(name, predicate.arity, static=True, goal_of=predicate.name))
        return Vocabulary(
            tuple(symbols),
            tuple(constant.name for constant in self.model.constants),
            tuple(
                function.name
                for function in self.model.functions
                if not function.parameters and function.name != pddl.TOTAL_COST
            ),
        )

    @property
    def parameter_types(self) -> dict[str, tuple[str, ...]]:
        """For each predicate the types of its parameters, for phrases about it."""
        return {
            predicate.name: tuple("/".join(parameter.types) for parameter in predicate.parameters)
            for predicate in self.model.predicates
        }

    @cached_property
    def signature(self) -> str:
        """A hash of what a learned model depends on: types, constants, predicates, functions."""
        model = self.model
        lines: list[str] = []
        for what, entries in (("type", model.types), ("constant", model.constants)):
            lines += [f"{what} {entry.name} {sorted(entry.types)}" for entry in entries]
        for what, known in (("predicate", model.predicates), ("function", model.functions)):
            lines += [f"{what} {entry.name} {[p.types for p in entry.parameters]}" for entry in known]
        return hashlib.sha256("\n".join(sorted(lines)).encode()).hexdigest()

    @cached_property
    def supertypes(self) -> dict[str, frozenset[str]]:
        """For every type, itself and all types above it."""
        parents = {kind.name: kind.types for kind in self.model.types}
        names = (pddl.OBJECT_TYPE, *parents)
        return {name: frozenset({name, pddl.OBJECT_TYPE} | pddl.above(name, parents)) for name in names}
