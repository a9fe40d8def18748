"""The same features in pymimir's description-logic evaluator, as what ours is measured against.

Features that outlive their problem crash the process, so `Engine` keeps everything native alive.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from pymimir.advanced import formalism, search
from pymimir.advanced.languages import description_logics as dl

from trailmark.features.syntax import Expression
from trailmark.relational import Structure

DOMAIN = """
(define (domain delivery) (:requirements :strips)
  (:predicates (at ?x ?y) (carrying ?x ?y) (empty ?x) (adjacent ?x ?y) (cell ?x) (package ?x) (truck ?x))
  (:action pick :parameters (?t ?p ?x)
    :precondition (and (truck ?t) (package ?p) (at ?p ?x) (at ?t ?x) (empty ?t))
    :effect (and (not (at ?p ?x)) (not (empty ?t)) (carrying ?t ?p)))
  (:action drop :parameters (?t ?p ?x)
    :precondition (and (truck ?t) (package ?p) (at ?t ?x) (carrying ?t ?p))
    :effect (and (empty ?t) (not (carrying ?t ?p)) (at ?p ?x)))
  (:action move :parameters (?t ?from ?to)
    :precondition (and (truck ?t) (cell ?from) (cell ?to) (adjacent ?from ?to) (at ?t ?from))
    :effect (and (not (at ?t ?from)) (at ?t ?to))))
"""

CONCEPTS = {
    "c_top": "concept_top",
    "c_bot": "concept_bot",
    "c_and": "concept_intersection",
    "c_or": "concept_union",
    "c_not": "concept_negation",
    "c_some": "concept_existential_quantification",
    "c_all": "concept_value_restriction",
    "c_equal": "concept_role_value_map_equality",
    "c_subset": "concept_role_value_map_containment",
    "r_top": "role_universal",
    "r_and": "role_intersection",
    "r_or": "role_union",
    "r_not": "role_complement",
    "r_identity": "role_identity",
    "r_transitive_reflexive_closure": "role_reflexive_transitive_closure",
    "r_inverse": "role_inverse",
    "r_compose": "role_composition",
    "r_restrict": "role_restriction",
    "r_transitive_closure": "role_transitive_closure",
    "n_concept_distance": "numerical_distance",
}


class Engine:
    """One Delivery instance and some features of it, native."""

    def __init__(
        self,
        structure: Structure,
        goal: Mapping[int, int],
        state: frozenset[int],
        features: Sequence[Expression],
    ) -> None:
        self.structure = structure
        self.parser = formalism.Parser(DOMAIN, "", formalism.ParserOptions())
        self.problem = self.parser.parse_problem(self._problem(goal, state), "", formalism.ParserOptions())
        mode = search.LiftedOptions(search.LiftedKPKCOptions(search.SymmetryPruning.OFF))
        self.context = search.SearchContext.create(self.problem, search.SearchContextOptions(mode))
        self.states = self.context.get_state_repository()
        domain = self.parser.get_domain()
        self.fluent = {each.get_name(): each for each in domain.get_fluent_predicates()}
        self.static = {each.get_name(): each for each in domain.get_static_predicates()}
        self.repositories = dl.Repositories()
        self.denotations = dl.DenotationRepositories()
        self.features = [self._native(each) for each in features]

    def _problem(self, goal: Mapping[int, int], state: frozenset[int]) -> str:
        names, structure = self.structure.objects, self.structure
        facts = [structure.atom_text(atom) for atom in sorted(structure.static_atoms | state)]
        initial = " ".join(text for text in facts if not text.startswith("(at_g"))
        goals = " ".join(f"(at {names[package]} {names[cell]})" for package, cell in goal.items())
        return (
            f"(define (problem p) (:domain delivery) (:objects {' '.join(names)})"
            f" (:init {initial}) (:goal (and {goals})))"
        )

    def state(self, atoms: Iterable[int]) -> Any:
        """The native state in which these fluent atoms hold."""
        native = formalism.FluentGroundAtomList()
        for atom in sorted(atoms):
            symbol, arguments = self.structure.decode(atom)
            name = self.structure.vocabulary.symbols[symbol].name
            objects = [
                self.problem.get_problem_or_domain_object(self.structure.objects[o]) for o in arguments
            ]
            native.append(
                self.problem.get_or_create_ground_atom(self.fluent[name], formalism.ObjectList(objects))
            )
        return self.states.get_or_create_state(native, [])[0]

    def values(self, state: Any) -> tuple[int, ...]:
        context = dl.EvaluationContext(state, self.denotations)
        return tuple(int(each.evaluate(context).get_data()) for each in self.features)

    def _native(self, expression: Expression) -> Any:
        name, make = expression.constructor.name, self.repositories
        children = [self._native(each) for each in expression.children]
        if name in ("c_primitive", "r_primitive"):
            kind = "concept" if name == "c_primitive" else "role"
            predicate = str(expression.arguments[0])
            if predicate.endswith("_g"):
                goal = getattr(make, f"get_or_create_{kind}_atomic_goal_fluent")
                return goal(self.fluent[predicate[:-2]], True)
            if predicate in self.fluent:
                return getattr(make, f"get_or_create_{kind}_atomic_state_fluent")(self.fluent[predicate])
            return getattr(make, f"get_or_create_{kind}_atomic_state_static")(self.static[predicate])
        if name == "c_one_of":
            return make.get_or_create_concept_nominal(
                self.problem.get_problem_or_domain_object(str(expression.arguments[0]))
            )
        if name in ("n_count", "b_nonempty"):
            kind = expression.children[0].kind.value
            what = "numerical_count" if name == "n_count" else "boolean_nonempty"
            return getattr(make, f"get_or_create_{what}_{kind}")(*children)
        return getattr(make, f"get_or_create_{CONCEPTS[name]}")(*children)
