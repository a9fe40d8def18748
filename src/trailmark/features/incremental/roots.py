"""Which states have tables: the first one always, and the last ones that successors were asked of."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, field

from trailmark.features.incremental.tables import Tables

Values = tuple[int, ...]
Atoms = Collection[int]
Net = tuple[frozenset[int], frozenset[int]]
"""The atoms a change adds and those it deletes."""


@dataclass(eq=False)
class Root:
    """A state whose tables are stored, or were and can be made again."""

    values: Values
    net: Net
    """Against the first state."""
    tables: Tables | None


@dataclass(eq=False)
class Roots:
    """The roots that come from one first state; at most `most` of the later ones have tables."""

    first: Root
    changed: Callable[[Tables, Atoms, Atoms], Tables]
    """The tables after a change."""
    most: int
    _stored: dict[Root, None] = field(default_factory=dict)

    def tables(self, root: Root) -> Tables:
        """The tables of a root, from those of the first state where they are no longer stored."""
        if root.tables is None:
            assert self.first.tables is not None
            root.tables = self.changed(self.first.tables, *root.net)
            self._store(root)
        return root.tables

    def add(self, base: Root, net: Net, values: Values) -> Root:
        """The root of the state with this net change of another root."""
        root = Root(values, composed(base.net, *net), self.changed(self.tables(base), *net))
        self._store(root)
        return root

    def _store(self, root: Root) -> None:
        self._stored[root] = None
        if len(self._stored) > self.most:
            oldest = next(iter(self._stored))
            del self._stored[oldest]
            oldest.tables = None


def composed(net: Net, added: Atoms, deleted: Atoms) -> Net:
    """One change after another, as one."""
    gained, lost = net
    return (
        gained.difference(deleted).union(each for each in added if each not in lost),
        lost.difference(added).union(each for each in deleted if each not in gained),
    )
