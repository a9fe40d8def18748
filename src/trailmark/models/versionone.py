"""Model files of version 1, in which counters stood as landmarks that carry progressors.

What chain discovery learned becomes a landmark graph, what counter-first learning learned a program.
Landmarks inside a pass of a counter, which are no longer learned, are left out; so are guards beside
a landmark graph, which only files made by hand have.
"""

from __future__ import annotations

from trailmark.models.document import (
    CounterEntry,
    GraphEntry,
    GraphEntryOne,
    LandmarkEntry,
    LandmarkEntryOne,
    LoopEntry,
    LoopEntryOne,
    ProgramEntry,
)
from trailmark.models.strictjson import place_error


def upgraded(graph: GraphEntryOne, source: str) -> GraphEntry | ProgramEntry:
    """The guidance of an old graph, as files have it now."""
    if any(landmark.progressors for landmark in graph.landmarks):
        return _program(graph, source)
    loops = []
    for place, loop in enumerate(graph.loops):
        if any(len(chain) > 1 for chain in loop.progression):
            raise place_error(
                source, f"graph.loops[{place}].progression", "a progressor has one feature", _AGAIN
            )
        progression = tuple(link for chain in loop.progression for link in chain)
        loops.append(
            LoopEntry(
                source=loop.source,
                target=loop.target,
                exit=loop.exit,
                progression=progression,
                counter=loop.counter,
            )
        )
    landmarks = tuple(
        LandmarkEntry(descriptors=landmark.descriptors, share=landmark.share, branch=landmark.branch)
        for landmark in graph.landmarks
    )
    return GraphEntry(landmarks=landmarks, loops=tuple(loops))


_AGAIN = "this old graph is neither of landmarks nor of counters alone: learn it again"


def _program(graph: GraphEntryOne, source: str) -> ProgramEntry:
    """One counter for each loop; other landmarks must lie inside one of them."""
    counters: list[CounterEntry] = []
    end = 0
    for loop in sorted(graph.loops, key=lambda loop: loop.source):
        path = f"graph.landmarks[{loop.source}]"
        if loop.source >= len(graph.landmarks) or loop.target != end:
            raise place_error(source, path, "not a counter's landmark", _AGAIN)
        counter = _counter(graph.landmarks[loop.source], loop)
        if counter is None or any(each.progressors for each in graph.landmarks[loop.target : loop.source]):
            raise place_error(source, path, "not a counter's landmark", _AGAIN)
        counters.append(counter)
        end = loop.source + 1
    if end < len(graph.landmarks):
        raise place_error(source, f"graph.landmarks[{end}]", "not a counter's landmark", _AGAIN)
    return ProgramEntry(counters=tuple(counters), guards=graph.guards)


def _counter(landmark: LandmarkEntryOne, loop: LoopEntryOne) -> CounterEntry | None:
    """The counter that a landmark and its loop describe; None where they describe something else."""
    if landmark.descriptors or len(landmark.progressors) != 1 or len(loop.exit) != 1:
        return None
    (chain,), (over,), first = landmark.progressors, loop.exit, landmark.progressors[0][0].feature
    counted = [(value.feature, value.minus) for value in loop.counter]
    falls = all(link.decreases for link in chain)
    is_over = (over.feature, over.positive, over.operator) == (first, True, "<=")
    if not falls or not is_over or loop.progression or counted != [(first, over.threshold)]:
        return None
    return CounterEntry(features=tuple(link.feature for link in chain), least=over.threshold)
