"""Plans that are nearly right: what happens to plans in files and to planners with mistakes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from trailmark.task import Step

Steps = tuple[Step, ...]
Mutation = Callable[[Steps, "Vocabulary", Random], Steps]


class Vocabulary:
    """The actions and objects a changed step may name."""

    def __init__(self, actions: Sequence[tuple[str, int]], objects: Sequence[str]) -> None:
        self.actions = tuple(actions)
        self.objects = tuple(objects)


def mutated(steps: Steps, words: Vocabulary, chance: Random) -> tuple[str, Steps]:
    """The plan after one change, sometimes two, and what was done to it."""
    done = []
    for _ in range(chance.choice((1, 1, 1, 2))):
        name = chance.choice(sorted(MUTATIONS))
        steps = MUTATIONS[name](steps, words, chance)
        done.append(name)
    return " and ".join(done), steps


def _drop(steps: Steps, words: Vocabulary, chance: Random) -> Steps:
    place = chance.randrange(len(steps) or 1)
    return steps[:place] + steps[place + 1 :]


def _swap(steps: Steps, words: Vocabulary, chance: Random) -> Steps:
    changed = list(steps)
    if len(changed) > 1:
        one, other = chance.sample(range(len(changed)), 2)
        changed[one], changed[other] = changed[other], changed[one]
    return tuple(changed)


def _duplicate(steps: Steps, words: Vocabulary, chance: Random) -> Steps:
    place = chance.randrange(len(steps) or 1)
    return steps[: place + 1] + steps[place:]


def _replace_argument(steps: Steps, words: Vocabulary, chance: Random) -> Steps:
    places = [place for place, step in enumerate(steps) if step.arguments]
    if not places or not words.objects:
        return steps
    place = chance.choice(places)
    arguments = list(steps[place].arguments)
    arguments[chance.randrange(len(arguments))] = chance.choice(words.objects)
    return _changed(steps, place, Step(steps[place].action, tuple(arguments)))


def _replace_step(steps: Steps, words: Vocabulary, chance: Random) -> Steps:
    return _changed(steps, chance.randrange(len(steps) or 1), _any_step(words, chance))


def _insert_step(steps: Steps, words: Vocabulary, chance: Random) -> Steps:
    place = chance.randrange(len(steps) + 1)
    return (*steps[:place], _any_step(words, chance), *steps[place:])


def _unknown_action(steps: Steps, words: Vocabulary, chance: Random) -> Steps:
    if not steps:
        return (Step("no-such-action", ()),)
    place = chance.randrange(len(steps))
    return _changed(steps, place, Step("no-such-action", steps[place].arguments))


def _unknown_object(steps: Steps, words: Vocabulary, chance: Random) -> Steps:
    places = [place for place, step in enumerate(steps) if step.arguments]
    if not places:
        return steps
    place = chance.choice(places)
    return _changed(steps, place, Step(steps[place].action, ("no-such-object", *steps[place].arguments[1:])))


def _wrong_arity(steps: Steps, words: Vocabulary, chance: Random) -> Steps:
    if not steps:
        return steps
    place = chance.randrange(len(steps))
    arguments = steps[place].arguments
    longer = (*arguments, chance.choice(words.objects or ("x",)))
    chosen = arguments[:-1] if arguments and chance.random() < 0.5 else longer
    return _changed(steps, place, Step(steps[place].action, chosen))


def _truncate(steps: Steps, words: Vocabulary, chance: Random) -> Steps:
    return steps[: chance.randrange(len(steps) or 1)]


def _reverse(steps: Steps, words: Vocabulary, chance: Random) -> Steps:
    return steps[::-1]


def _repeat(steps: Steps, words: Vocabulary, chance: Random) -> Steps:
    return steps + steps


def _changed(steps: Steps, place: int, step: Step) -> Steps:
    return (*steps[:place], step, *steps[place + 1 :])


def _any_step(words: Vocabulary, chance: Random) -> Step:
    action, arity = chance.choice(words.actions)
    return Step(action, tuple(chance.choice(words.objects) for _ in range(arity if words.objects else 0)))


MUTATIONS: dict[str, Mutation] = {
    "drop": _drop,
    "swap": _swap,
    "duplicate": _duplicate,
    "replace an argument": _replace_argument,
    "replace a step": _replace_step,
    "insert a step": _insert_step,
    "unknown action": _unknown_action,
    "unknown object": _unknown_object,
    "wrong arity": _wrong_arity,
    "truncate": _truncate,
    "reverse": _reverse,
    "repeat": _repeat,
}
