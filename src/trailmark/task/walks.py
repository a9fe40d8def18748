"""Walks over a task's model: its conditions, effects, typed variables, the numbers it reads, the order of its
axioms, and how many ground actions it has, roughly.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping
from itertools import combinations
from math import prod
from typing import TYPE_CHECKING

from trailmark.errors import PddlError
from trailmark.task import model as pddl

if TYPE_CHECKING:
    from trailmark.task.task import Task

Part = pddl.Condition | pddl.Effect | pddl.NumericExpression


def conjuncts(condition: pddl.Condition) -> Iterator[pddl.Condition]:
    """The parts that must all hold, none of them a conjunction itself."""
    if isinstance(condition, pddl.And):
        for part in condition.parts:
            yield from conjuncts(part)
    else:
        yield condition


def literal(condition: pddl.Condition) -> tuple[pddl.Atom, bool] | None:
    """The atom, and whether it must hold or must not; None where the condition is no literal."""
    if isinstance(condition, pddl.Atom):
        return condition, True
    if isinstance(condition, pddl.Not) and isinstance(condition.part, pddl.Atom):
        return condition.part, False
    return None


def literals(condition: pddl.Condition) -> list[tuple[pddl.Atom, bool]] | None:
    """The literals of a conjunction, equality among them; None where it is more than that."""
    found = [literal(part) for part in conjuncts(condition)]
    known = [part for part in found if part is not None]
    return known if len(known) == len(found) else None


def walk(*roots: Part) -> Iterator[Part]:
    """These conditions, effects and numbers and everything inside them, what an effect changes excepted."""
    for root in roots:
        yield root
        match root:
            case pddl.And() | pddl.Or():
                yield from walk(*root.parts)
            case pddl.Not() | pddl.Exists() | pddl.Forall():
                yield from walk(root.part)
            case pddl.Comparison():
                yield from walk(root.left, root.right)
            case pddl.Arithmetic():
                yield from walk(*root.operands)
            case pddl.Assign():
                yield from walk(root.value)
            case pddl.When():
                yield from walk(root.condition, *root.effects)
            case pddl.ForallEffect():
                yield from walk(*root.effects)


def parts_of(domain: pddl.DomainModel, problem: pddl.ProblemModel) -> Iterator[Part]:
    """Everything inside the goal, the axioms and the actions of the task."""
    yield from walk(problem.goal, *(axiom.body for axiom in domain.axioms))
    yield from walk(*(part for action in domain.actions for part in (action.precondition, *action.effects)))


def typed_in(domain: pddl.DomainModel, problem: pddl.ProblemModel) -> Iterator[pddl.Typed]:
    """Every variable that an action, an axiom or a quantifier declares."""
    for owner in (*domain.actions, *domain.axioms, *parts_of(domain, problem)):
        if isinstance(owner, pddl.ActionSchema | pddl.Axiom | pddl.Exists | pddl.Forall | pddl.ForallEffect):
            yield from owner.parameters


def terms_in(*values: Part | None) -> list[pddl.FunctionTerm]:
    """The functions that are read in these, where there are any."""
    return [part for value in values if value for part in walk(value) if isinstance(part, pddl.FunctionTerm)]


def numbers_in(
    domain: pddl.DomainModel, problem: pddl.ProblemModel, changed: Container[str] | None = None
) -> frozenset[str]:
    """The functions that some condition reads, or some change, of these functions alone where they are given;
    the metric does not count."""
    return frozenset(
        term.function
        for part in parts_of(domain, problem)
        if isinstance(part, pddl.Comparison)
        or (isinstance(part, pddl.Assign) and (changed is None or part.target.function in changed))
        for term in terms_in(part)
    )


def changes_in(domain: pddl.DomainModel) -> Iterator[Part]:
    """Everything inside the effects of the actions."""
    return walk(*(effect for action in domain.actions for effect in action.effects))


def changed_numbers(domain: pddl.DomainModel) -> frozenset[str]:
    """The functions that some action changes."""
    return frozenset(part.target.function for part in changes_in(domain) if isinstance(part, pddl.Assign))


def incomplete_functions(
    domain: pddl.DomainModel, problem: pddl.ProblemModel, types_of: Mapping[str, frozenset[str]]
) -> frozenset[str]:
    """The functions that have no value for some objects at first."""
    known = Counter(term.function for term, _ in problem.initial_values)
    sizes = Counter(kind for kinds in types_of.values() for kind in kinds)
    return frozenset(
        function.name
        for function in domain.functions
        if known[function.name]
        < prod(sum(sizes[kind] for kind in entry.types) for entry in function.parameters)
    )


def strata(axioms: tuple[pddl.Axiom, ...]) -> list[list[pddl.Axiom]]:
    """Axioms in layers: a predicate read under negation lies in an earlier layer than its reader."""
    derived = {axiom.head.predicate for axiom in axioms}
    level = dict.fromkeys(derived, 0)
    for _ in range(len(derived) + 1):
        changed = False
        for axiom in axioms:
            head = axiom.head.predicate
            for predicate, negated in _reads(axiom.body, negated=False):
                if predicate in derived and level[head] < level[predicate] + negated:
                    level[head] = level[predicate] + negated
                    changed = True
        if not changed:
            layers = sorted(set(level.values()))
            return [[axiom for axiom in axioms if level[axiom.head.predicate] == layer] for layer in layers]
    raise PddlError("the derived predicates negate each other in a cycle and have no meaning")


def _reads(condition: pddl.Condition, *, negated: bool) -> Iterator[tuple[str, bool]]:
    if isinstance(condition, pddl.Atom):
        yield condition.predicate, negated
    elif isinstance(condition, pddl.And | pddl.Or):
        for part in condition.parts:
            yield from _reads(part, negated=negated)
    elif isinstance(condition, pddl.Forall):
        # Evaluated as "none does not", like every universal condition of an axiom in the engine.
        for predicate, _ in _reads(condition.part, negated=True):
            yield predicate, True
    elif isinstance(condition, pddl.Not):
        yield from _reads(condition.part, negated=not negated)
    elif not isinstance(condition, pddl.Comparison):
        yield from _reads(condition.part, negated=negated)


def estimated_ground_actions(task: Task) -> float:
    """An estimate as databases make it for joins: all type-correct bindings of a schema, thinned by
    the share of bindings that each static precondition admits."""
    sizes = Counter(kind for kinds in task.object_types.values() for kind in kinds)
    static_counts = Counter(fact.predicate for fact in task.model.initial_atoms)
    changing = task.domain.changing_predicates
    total = 0.0
    for schema in task.domain.model.actions:
        domains = {
            parameter.name: sum(sizes[kind] for kind in parameter.types) for parameter in schema.parameters
        }
        bindings = float(prod(domains.values()))
        for atom in positive_atoms(schema.precondition):
            if atom.predicate in changing or atom.predicate == "=":
                continue
            possible = prod(domains.get(term, 1) for term in set(atom.terms))
            if possible:
                bindings *= min(1.0, static_counts[atom.predicate] / possible)
        total += bindings
    return total


def looseness(task: Task) -> float:
    """How many bindings the engine looks at for one ground action.

    It joins static facts pair by pair of their objects. A fact of three objects and more therefore lets
    bindings through of which each pair, but not the whole, is in some fact. The most over the predicates
    counts: with sums of fuel levels there were 15 for one, and grounding took 8 s instead of 0.6.
    """
    facts = defaultdict[str, list[tuple[str, ...]]](list)
    for fact in task.model.initial_atoms:
        if len(fact.terms) > 2 and fact.predicate not in task.domain.changing_predicates:
            facts[fact.predicate].append(fact.terms)
    return max(map(_pairwise_share, facts.values()), default=1.0)


def _pairwise_share(facts: list[tuple[str, ...]]) -> float:
    """About how many tuples have each of their pairs in some fact, for one that is a fact."""
    places = range(len(facts[0]))
    sizes = [len({fact[place] for fact in facts}) for place in places]
    expected = float(prod(sizes))
    for one, other in combinations(places, 2):
        pairs = len({(fact[one], fact[other]) for fact in facts})
        expected *= pairs / (sizes[one] * sizes[other])
    return max(1.0, expected / len(facts))


def positive_atoms(condition: pddl.Condition) -> list[pddl.Atom]:
    """The atoms that must hold wherever the condition does."""
    return [part for part in conjuncts(condition) if isinstance(part, pddl.Atom)]


def has_engine_costs(domain: pddl.DomainModel, problem: pddl.ProblemModel) -> bool:
    """Whether the engine can sum the costs: the metric is the total cost, and nothing else is numeric.

    It takes action costs or numeric fluents, and refuses both at once.
    """
    return problem.minimize == pddl.FunctionTerm(pddl.TOTAL_COST, ()) and not any(
        isinstance(part, pddl.Comparison)
        or (isinstance(part, pddl.Assign) and part.target.function != pddl.TOTAL_COST)
        for part in parts_of(domain, problem)
    )


def has_plain_effects(domain: pddl.DomainModel) -> bool:
    """No conditional or quantified effect and no axiom: an action's change is its effect lists."""
    conditional = pddl.When | pddl.ForallEffect
    return not domain.axioms and not any(isinstance(effect, conditional) for effect in changes_in(domain))


def is_groundable(domain: pddl.DomainModel, problem: pddl.ProblemModel) -> bool:
    """Whether the engine's grounded generation is right. With axioms it loses actions, and with numbers it
    admits steps that change one in two ways at once; these tasks stay lifted."""
    return not domain.axioms and not any(
        isinstance(part, pddl.Or | pddl.Exists | pddl.Forall | pddl.Comparison)
        or (isinstance(part, pddl.Assign) and part.target.function != pddl.TOTAL_COST)
        or (isinstance(part, pddl.Not) and not isinstance(part.part, pddl.Atom))
        for part in parts_of(domain, problem)
    )


def may_be_overlooked(schema: pddl.ActionSchema) -> bool:
    """Whether a number is changed in several effects, some of them conditional and some that do not add.

    The engine notes the change of a number by a conditional effect that does not fire, and then takes another
    change of the number for a conflict with it: it overlooks that the action is applicable.
    """
    changes: dict[str, list[tuple[str, bool, bool]]] = defaultdict(list)
    for effect, conditional, repeated in _changes(schema.effects, False, ()):
        changes[effect.target.function].append((effect.operator, conditional, repeated))
    return any(
        (len(group) > 1 or any(repeated for _, _, repeated in group))
        and any(conditional for _, conditional, _ in group)
        and any(operator not in pddl.ADDITIVE for operator, _, _ in group)
        for group in changes.values()
    )


def _changes(
    effects: Iterable[pddl.Effect], conditional: bool, variables: tuple[str, ...]
) -> Iterator[tuple[pddl.Assign, bool, bool]]:
    """Every change of a number, whether it is conditional, and whether a quantifier repeats it."""
    for effect in effects:
        if isinstance(effect, pddl.When):
            yield from _changes(effect.effects, True, variables)
        elif isinstance(effect, pddl.ForallEffect):
            names = (parameter.name for parameter in effect.parameters)
            yield from _changes(effect.effects, conditional, (*variables, *names))
        elif isinstance(effect, pddl.Assign):
            distinct = len(set(variables) & set(effect.target.terms)) == len(variables)
            yield effect, conditional, not distinct
