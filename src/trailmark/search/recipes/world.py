"""The base of a search as recipes see it: facts to match, ways to travel, concepts of objects, acceptance."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from trailmark.features.syntax import Expression
from trailmark.search.leap.base import Base
from trailmark.search.leap.views import GOAL, READ
from trailmark.search.recipes.bound import Actions, BoundRecipe
from trailmark.search.recipes.execution import Execution, Way
from trailmark.search.recipes.facts import Facts, StaticFacts
from trailmark.search.recipes.filters import Bit, Concepts, Relation, Relations, concepts_of
from trailmark.search.recipes.match import Matcher
from trailmark.search.recipes.travel import Travel
from trailmark.task.costs import table_costs
from trailmark.task.lifted import Action


class World:
    """Everything about one task that recipes need; it follows the commits of the base."""

    def __init__(self, base: Base) -> None:
        self.base = base
        self.actions = Actions(base.generator)
        structure = base.generator.structure
        self.facts = Facts(StaticFacts(structure), structure, base.goals.positive, base.state.root)
        self.travel = Travel(self.facts, structure, table_costs(base.generator.task))
        self.matcher = Matcher(self.facts, self.travel, self.execution().is_true)
        self.relations = Relations(self.facts, structure.vocabulary)
        self._concepts: Concepts | None = None
        self._relevant: dict[int, list[Expression]] = {}
        base.followers.append(self.commit)

    def commit(self, added: set[int], deleted: set[int]) -> None:
        """The base has changed by these atoms."""
        self.facts.commit(added, deleted)
        if self._concepts is not None:
            self._concepts.commit(added, deleted, self.facts)

    def execution(self) -> Execution:
        """Carries actions out from the base."""
        return Execution(self.base, self.actions, self.facts, self.travel)

    def replayed(self, way: Sequence[Action]) -> Way:
        """The state after those of the actions that are applicable in turn."""
        return self.execution().actions(way)

    def ends(self, reached: Way, whole: bool) -> bool:
        """Whether a state ends a leap, or a whole pass."""
        base = self.base
        before = base.course.whole_pass
        base.look_for_whole_pass(whole)
        ends = base.reached(reached.added, reached.deleted, READ | GOAL)
        base.look_for_whole_pass(before)
        return ends

    def is_open_goal(self, atom: int) -> bool:
        return atom in self.base.goals.positive and atom not in self.base.state.root

    @property
    def concepts(self) -> Concepts:
        """The concepts that filters may ask for, made when the first one does."""
        if self._concepts is None:
            base = self.base
            task = base.generator.task
            wanted = concepts_of(base.course.guidance.features, task.structure.vocabulary)
            self._concepts = Concepts(task, wanted, frozenset(base.state.root))
        return self._concepts

    def bits(self, recipe: BoundRecipe, binding: Sequence[int | None]) -> Bits:
        """Of each object, which of the awaited counter's concepts it is in, and how those that the recipe
        leaves open are related to others."""
        return Bits(self, recipe, binding)

    def awaited_concepts(self) -> list[Expression]:
        """Those of the awaited counter."""
        base = self.base
        position = base.course.status.next
        if position not in self._relevant:
            vocabulary = base.generator.task.structure.vocabulary
            features = base.course.guidance.features
            self._relevant[position] = concepts_of(
                [features[place] for place in base.view.places], vocabulary
            )
        return self._relevant[position]


class Bits(Mapping[Bit, bool]):
    """What is true of the objects of a binding, found where it is asked for."""

    def __init__(self, world: World, recipe: BoundRecipe, binding: Sequence[int | None]) -> None:
        self._world = world
        self._recipe = recipe
        # What lies between related objects is numbered anew whenever the relations change.
        self._binding = binding[: recipe.recipe.variables]
        self._objects = [bound for bound in self._binding if bound is not None]

    def __getitem__(self, bit: Bit) -> bool:
        holds = self.get(bit)
        if holds is None:
            raise KeyError(bit)
        return holds

    def get(self, bit: Bit, default: bool | None = None) -> bool | None:  # type: ignore[override]
        """The default where an object is not known. Asked for very often, so that no error is made here."""
        if isinstance(bit, Relation):
            known = len(self._objects) == len(self._binding)
            return bit.holds(self._objects, self._world.facts) if known else default
        variable, concept = bit
        bound = self._binding[variable]
        return default if bound is None else self._world.concepts.contains(concept, bound)

    def __iter__(self) -> Iterator[Bit]:
        for concept in self._world.awaited_concepts():
            for variable, bound in enumerate(self._binding):
                if bound is not None:
                    yield variable, concept
        if len(self._objects) == len(self._binding):
            yield from self._world.relations.between(self._objects, self._recipe.loose)

    def __len__(self) -> int:
        return sum(1 for _ in self)
