"""Random small tasks over all of the PDDL we accept."""

from __future__ import annotations

from random import Random

PREDICATES = {"flag": (), "mark": ("",), "dot": ("t",), "pair": ("", ""), "link": ("", "")}
"""Name and arity of the predicates; `link` is static."""
DERIVED = {"seen": ("",), "calm": ()}
OBJECTS = {"a1": "t", "a2": "t", "b1": "u", "c1": "v", "k": "t"}
TYPES = ("t", "u", "v", "object", "(either t v)", "(either u v)")


SMALL = ("a1", "c1", "k")
"""The objects of tasks whose states can often be counted out."""


def random_task(chance: Random, *, small: bool = False) -> tuple[str, str]:
    """Domain and problem as text; a small one has fewer objects, mixes all changes of numbers,
    and may leave numbers without a value at first."""
    return _Author(chance, small).task()


class _Author:
    def __init__(self, chance: Random, small: bool) -> None:
        self.chance = chance
        self.small = small
        self.objects = {name: OBJECTS[name] for name in SMALL} if small else OBJECTS
        self.axioms = chance.random() < 0.4
        self.numeric = chance.random() < 0.4
        self.costs = chance.random() < 0.4
        self.counter = 0
        # Changes that do not add are told apart by hand-written tests: two of them in a step conflict.
        self.operators = chance.choice([["increase", "decrease"], ["assign"], ["scale-up"]])
        if small and chance.random() < 0.7:
            self.operators = ["increase", "decrease", "assign", "assign", "scale-up"]

    def task(self) -> tuple[str, str]:
        actions = "\n".join(self._action(number) for number in range(self.chance.randint(1, 3)))
        derived = ""
        if self.axioms:
            # `seen` reads no derived predicate under negation; `calm` may negate `seen`.
            seen = self._condition(["?x"], 2, derived=())
            calm = self._condition([], 2, derived=("seen",))
            derived = f"(:derived (seen ?x) {seen})\n"
            derived += "(:derived (seen ?x) (exists (?y) (and (link ?x ?y) (seen ?y))))\n"
            derived += f"(:derived (calm) {calm})"
        predicates = " ".join(
            f"({name} {' '.join(f'?x{i}' for i in range(len(types)))})"
            for name, types in (PREDICATES | DERIVED).items()
        )
        functions = ""
        if self.numeric or self.costs:
            functions = "(:functions (level ?x - object) (pool) (price ?x - object) (total-cost))"
        domain = (
            "(define (domain random)\n"
            "(:requirements :adl :derived-predicates :numeric-fluents :action-costs)\n"
            f"(:types t u - object v - u)\n(:constants k - t)\n(:predicates {predicates})\n"
            f"{functions}\n{derived}\n{actions})"
        )
        facts = [f"(link {x} {y})" for x in self.objects for y in self.objects if self.chance.random() < 0.3]
        facts += [f"(pair {x} {y})" for x in self.objects for y in self.objects if self.chance.random() < 0.2]
        facts += [
            f"({name} {x})" for x in self.objects for name in ("mark", "dot") if self.chance.random() < 0.3
        ]
        if functions:
            facts += [f"(= (level {x}) {self.chance.randint(0, 3)})" for x in self.objects]
            facts += [f"(= (price {x}) {self.chance.randint(0, 3)})" for x in self.objects]
            facts += ["(= (pool) 2)", "(= (total-cost) 0)"]
            if self.small and not self.costs and self.chance.random() < 0.3:
                facts = [each for each in facts if not each.startswith(("(= (pool)", "(= (level a1)"))]
        metric = ""
        if self.costs:
            metric = self.chance.choice(["(total-cost)", "(total-cost)", "(+ (pool) (total-cost))"])
            metric = f"(:metric minimize {metric})"
        objects = " ".join(f"{name} - {kind}" for name, kind in self.objects.items() if name != "k")
        derived_names = tuple(DERIVED) if self.axioms else ()
        goal = self._condition([], 3, derived_names, names=tuple(self.objects))
        problem = (
            f"(define (problem random-1) (:domain random)\n(:objects {objects})\n"
            f"(:init {' '.join(facts)})\n(:goal {goal})\n{metric})"
        )
        return domain, problem

    def _action(self, number: int) -> str:
        variables = [f"?p{i}" for i in range(self.chance.randint(0, 2))]
        parameters = " ".join(f"{each} - {self.chance.choice(TYPES)}" for each in variables)
        derived = tuple(DERIVED) if self.axioms else ()
        condition = self._condition(variables, 3, derived)
        effects = " ".join(self._effect(variables, 2, derived) for _ in range(self.chance.randint(1, 3)))
        cost = f"(increase (total-cost) {self._cost(variables)})" if self.costs else ""
        return (
            f"(:action act{number} :parameters ({parameters})\n :precondition {condition}\n"
            f" :effect (and {effects} {cost}))"
        )

    def _cost(self, variables: list[str]) -> str:
        return f"(price {self.chance.choice(variables)})" if variables else "2"

    def _variable(self) -> str:
        # Sometimes a name that is in scope already, so that the inner one hides it.
        self.counter += 1
        return self.chance.choice([f"?v{self.counter}", "?p0"])

    def _atom(
        self, variables: list[str], names: tuple[str, ...], derived: tuple[str, ...], changing: bool
    ) -> str:
        table = dict(PREDICATES)
        if changing:
            del table["link"]
        table |= {name: DERIVED[name] for name in derived}
        name = self.chance.choice(list(table))
        terms = [self.chance.choice([*variables, *names]) for _ in table[name]]
        return f"({' '.join([name, *terms])})"

    def _condition(
        self, variables: list[str], depth: int, derived: tuple[str, ...], names: tuple[str, ...] = ("k",)
    ) -> str:
        def inner(more: tuple[str, ...] = ()) -> str:
            return self._condition([*variables, *more], depth - 1, derived, names)

        kinds = ["atom", "atom", "not"]
        if depth:
            kinds += ["and", "or", "exists", "forall", "imply", "complement"]
            kinds += ["compare"] if self.numeric else []
        kind = self.chance.choice(kinds)
        if kind == "atom":
            return self._atom(variables, names, derived, changing=False)
        if kind == "not":
            if self.chance.random() < 0.3:
                terms = [self.chance.choice([*variables, *names]) for _ in range(2)]
                return f"(not (= {' '.join(terms)}))"
            return f"(not {self._atom(variables, names, derived, changing=False)})"
        if kind in ("and", "or"):
            return f"({kind} {' '.join(inner() for _ in range(self.chance.randint(0, 3)))})"
        if kind == "imply":
            return f"(imply {inner()} {inner()})"
        if kind == "complement":
            return f"(not {inner()})"
        if kind == "compare":
            operator = self.chance.choice(["<", "<=", "=", ">=", ">"])
            return f"({operator} {self._number(variables, names)} {self._number(variables, names)})"
        variable = self._variable()
        return f"({kind} ({variable} - {self.chance.choice(TYPES)}) {inner((variable,))})"

    def _number(self, variables: list[str], names: tuple[str, ...]) -> str:
        term = self.chance.choice([*variables, *names])
        return self.chance.choice(
            [
                "1",
                "0.5",
                "(pool)",
                f"(level {term})",
                f"(+ (pool) (level {term}) 1)",
                "(- (pool))",
                "(* 2 (pool))",
            ]
        )

    def _effect(self, variables: list[str], depth: int, derived: tuple[str, ...]) -> str:
        kinds = ["add", "add", "delete"] + (["when", "forall", "and"] if depth else [])
        kinds += ["number"] if self.numeric else []
        kind = self.chance.choice(kinds)
        if kind == "add":
            return self._atom(variables, ("k",), (), changing=True)
        if kind == "delete":
            return f"(not {self._atom(variables, ('k',), (), changing=True)})"
        if kind == "when":
            condition = self._condition(variables, 2, derived)
            return f"(when {condition} {self._effect(variables, depth - 1, derived)})"
        if kind == "and":
            return f"(and {' '.join(self._effect(variables, depth - 1, derived) for _ in range(2))})"
        if kind == "number":
            target = "(pool)"
            if self.small and self.chance.random() < 0.3:
                target = f"(level {self.chance.choice([*variables, 'k'])})"
            return f"({self.chance.choice(self.operators)} {target} {self._number(variables, ('k',))})"
        variable = self._variable()
        body = self._effect([*variables, variable], depth - 1, derived)
        return f"(forall ({variable} - {self.chance.choice(TYPES)}) {body})"
