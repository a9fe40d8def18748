"""Join functions as Python source.

Nothing from the input reaches the source but whole numbers: variables are `v0`, `v1`, …, and
tables are `I0`, `S0`, … in the namespace the source is run in.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from trailmark.relational import Structure
from trailmark.task.lifted.schema import Literal, Schema, Term
from trailmark.task.lifted.state import (
    EQUALITY,
    Choose,
    Fits,
    Operation,
    Pattern,
    Read,
    Rows,
    Test,
    static_rows,
)


class Writer:
    """Lines of one function; tests leave the innermost loop, or the function where there is none."""

    def __init__(self, header: str) -> None:
        self.lines = [f"def {header}:"]
        self.depth = 1
        self.leave = "return"

    def line(self, text: str) -> None:
        self.lines.append("    " * self.depth + text)

    def unless(self, condition: str) -> None:
        """Go on only where the condition is false."""
        self.line(f"if {condition}: {self.leave}")

    def loop(self, target: str, over: str) -> None:
        self.line(f"for {target} in {over}:")
        self.depth += 1
        self.leave = "continue"

    def text(self) -> str:
        return "\n".join(self.lines) + "\n"


class Source:
    """Writes functions of one task, and makes the tables that they read when a function first needs them."""

    def __init__(self, structure: Structure) -> None:
        self.structure = structure
        self.patterns: dict[Pattern, Rows] = {}
        self.names: dict[str, Any] = {}
        self._known: dict[object, str] = {}

    def rows(self, literal: Literal, bound: tuple[int, ...]) -> str:
        pattern = (literal.symbol, bound)
        if literal.fluent:
            return self._name("I", pattern, lambda: self.patterns.setdefault(pattern, {}))
        return self._name("S", pattern, lambda: static_rows(self.structure, pattern))

    def objects(self, allowed: frozenset[int]) -> str:
        return self._name("O", ("objects", allowed), lambda: tuple(sorted(allowed)))

    def marks(self, allowed: frozenset[int]) -> str:
        """A table with 1 at the allowed objects."""
        size = len(self.structure.objects)
        return self._name("T", ("marks", allowed), lambda: bytes(thing in allowed for thing in range(size)))

    def _name(self, prefix: str, key: object, make: Callable[[], object]) -> str:
        name = self._known.get(key)
        if name is None:
            name = self._known[key] = f"{prefix}{len(self._known)}"
            self.names[name] = make()
        return name

    def match(self, name: str, schema: Schema, trigger: Literal, fixed: Sequence[Operation]) -> str:
        """`name(t0, …)`: whether an atom with these objects can be the trigger, in any state."""
        writer = Writer(f"{name}({', '.join(f't{place}' for place in range(len(trigger.terms)))})")
        writer.leave = "return False"
        self._bind(writer, trigger.terms, [f"t{place}" for place in range(len(trigger.terms))], set())
        for operation in fixed:
            self._operation(writer, schema, operation, set())
        writer.line("return True")
        return writer.text()

    def join(
        self, name: str, schema: Schema, trigger: Literal | None, join: Sequence[Operation], novel: bool
    ) -> str:
        """`name(out, limit, seen, …)`: appends actions to `out` until there are `limit` of them.

        The objects of an atom that matches the trigger follow as arguments. Where `novel`, only
        actions with an effect that is neither in the root nor in `seen` count, and their effects
        are put into `seen`.
        """
        terms = trigger.terms if trigger else ()
        arguments = "".join(f", t{place}" for place in range(len(terms)))
        writer = Writer(f"{name}(out, limit, seen{arguments})")
        bound: set[int] = set()
        self._bind(writer, terms, [f"t{place}" for place in range(len(terms))], bound, check=False)
        adds = [literal for literal in schema.adds if literal not in schema.positive]
        last_loop = max(
            (n for n, candidate in enumerate(join) if isinstance(candidate, Read | Choose)), default=-1
        )
        for number, operation in enumerate(join):
            if novel and number == last_loop and _variables(adds) <= bound:
                # The effects are known before the last loop: old ones need no partner.
                writer.unless(" and ".join(f"({self._atom(add)}) in seen" for add in adds))
            self._operation(writer, schema, operation, bound)
        if novel:
            self._append_if_novel(writer, schema, adds)
        else:
            self._append(writer, schema)
        return writer.text()

    def effects(self, name: str, schema: Schema) -> str:
        """`name(action)`: the atoms the action adds and those it deletes and does not add."""
        writer = Writer(f"{name}(action)")
        if schema.arity:
            writer.line(f"_, {', '.join(f'v{place}' for place in range(schema.arity))} = action")
        adds = "".join(f"{self._atom(literal)}, " for literal in schema.adds)
        deletes = "".join(f"{self._atom(literal)}, " for literal in schema.deletes)
        if any(a.symbol == d.symbol for a in schema.adds for d in schema.deletes):
            writer.line(f"adds = ({adds})")
            writer.line(f"return adds, tuple([atom for atom in ({deletes}) if atom not in adds])")
        else:
            writer.line(f"return ({adds}), ({deletes})")
        return writer.text()

    def _append(self, writer: Writer, schema: Schema) -> None:
        variables = "".join(f", v{place}" for place in range(schema.arity)) or ","
        writer.line(f"out.append(({schema.index}{variables}))")
        writer.line("if len(out) >= limit: return")

    def _append_if_novel(self, writer: Writer, schema: Schema, adds: Sequence[Literal]) -> None:
        if len(adds) == 1:
            writer.line(f"a = {self._atom(adds[0])}")
            writer.unless("a in seen")
            writer.line("seen.add(a)")
            writer.unless("a in ROOT")
        else:
            writer.line("novel = False")
            for add in adds:
                writer.line(f"a = {self._atom(add)}")
                writer.line("if a not in seen:")
                writer.line("    seen.add(a)")
                writer.line("    if a not in ROOT: novel = True")
            writer.unless("not novel")
        self._append(writer, schema)

    def _operation(self, writer: Writer, schema: Schema, operation: Operation, bound: set[int]) -> None:
        if isinstance(operation, Fits):
            allowed = schema.allowed[operation.variable]
            if len(allowed) < len(self.structure.objects):
                writer.unless(f"not {self.marks(allowed)}[v{operation.variable}]")
        elif isinstance(operation, Test) and operation.literal.symbol == EQUALITY:
            left, right = map(_term, operation.literal.terms)
            writer.unless(f"{left} {'!=' if operation.positive else '=='} {right}")
        elif isinstance(operation, Test):
            table = "ATOMS" if operation.literal.fluent else "STATIC"
            writer.unless(
                f"({self._atom(operation.literal)}) {'not in' if operation.positive else 'in'} {table}"
            )
        elif isinstance(operation, Choose):
            writer.loop(f"v{operation.variable}", self.objects(schema.allowed[operation.variable]))
            bound.add(operation.variable)
        else:
            self._read(writer, operation, bound)

    def _read(self, writer: Writer, read: Read, bound: set[int]) -> None:
        literal, size = read.literal, len(self.structure.objects)
        key = "0"
        for place in read.bound:
            term = _term(literal.terms[place])
            key = term if key == "0" else f"({key}) * {size} + {term}"
        free = [term for place, term in enumerate(literal.terms) if place not in read.bound]
        rows = self.rows(literal, read.bound)
        if len(free) == 1:
            writer.loop(f"v{free[0]}", f"{rows}.get({key}, ())")
            bound.add(free[0])
        else:
            names = [f"f{writer.depth}_{number}" for number in range(len(free))]
            writer.loop(", ".join(names), f"{rows}.get({key}, ())")
            self._bind(writer, tuple(free), names, bound)

    def _bind(
        self,
        writer: Writer,
        terms: Sequence[Term],
        names: Sequence[str],
        bound: set[int],
        *,
        check: bool = True,
    ) -> None:
        """Give variables their objects; repeated variables and constants must agree with them."""
        for term, name in zip(terms, names, strict=True):
            if term >= 0 and term not in bound:
                writer.line(f"v{term} = {name}")
                bound.add(term)
            elif check:
                writer.unless(f"{name} != {_term(term)}")

    def _atom(self, literal: Literal) -> str:
        """The number of the atom, as `Structure.encode` makes it."""
        size, base = len(self.structure.objects), self.structure.bases[literal.symbol]
        weights: dict[str, int] = {}
        for place, term in enumerate(literal.terms):
            weight = size ** (len(literal.terms) - 1 - place)
            if term < 0:
                base += weight * ~term
            else:
                weights[f"v{term}"] = weights.get(f"v{term}", 0) + weight
        parts = [name if weight == 1 else f"{name} * {weight}" for name, weight in weights.items()]
        return " + ".join([*parts, str(base)])


def _term(term: Term) -> str:
    return f"v{term}" if term >= 0 else str(~term)


def _variables(literals: Sequence[Literal]) -> set[int]:
    return {term for literal in literals for term in literal.terms if term >= 0}
