"""Structures: the static atoms by symbol are those that are found one predicate at a time."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tests.oracles.strategies import structures, vocabularies
from trailmark.relational import Structure


@given(vocabularies().flatmap(structures))
def test_static_tuples_are_the_relations_in_the_order_of_the_atoms(structure: Structure) -> None:
    for position in range(len(structure.vocabulary.symbols)):
        tuples = structure.static_tuples.get(position, ())
        known = {structure.decode(atom) for atom in structure.static_atoms}
        assert set(tuples) == {objects for place, objects in known if place == position}
        atoms = [structure.encode(position, each) for each in tuples]
        assert atoms == sorted(set(atoms))


@given(st.data())
def test_decoding_an_atom_gives_what_was_encoded(data: st.DataObject) -> None:
    structure = data.draw(vocabularies().flatmap(structures))
    position = data.draw(st.integers(0, len(structure.vocabulary.symbols) - 1))
    places = structure.vocabulary.symbols[position].arity
    objects = st.integers(0, len(structure.objects) - 1)
    arguments = tuple(data.draw(st.lists(objects, min_size=places, max_size=places)))
    assert structure.decode(structure.encode(position, arguments)) == (position, arguments)
