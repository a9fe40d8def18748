"""What a program asks for, told by the training plans: who does what, in the order of time.

Everything comes from the learned program, the action schemas and the training plans.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from trailmark.models.model import Model
from trailmark.models.practice import PassPractice, Practice, Share
from trailmark.programs.program import Counter, Program
from trailmark.report.counts import CountWords, ToldCount
from trailmark.report.english.clauses import listed
from trailmark.report.english.words import quoted, spaced, words_for
from trailmark.report.steps import StepWords, ToldStep
from trailmark.report.words import Words

FEW_PLANS = 3
"""What fewer plans show may be chance."""


@dataclass(frozen=True)
class ToldWay:
    """One way to make a pass, its steps in the order of time."""

    steps: tuple[ToldStep, ...]
    rare: tuple[str, ...]
    """Actions that few of its passes have besides."""
    passes: int
    of: int


@dataclass(frozen=True)
class ToldPass:
    """The passes of one counter."""

    subject: str
    heading: str
    """What a pass is about: `one package not yet at its goal cell`."""
    ways: tuple[ToldWay, ...]
    others: int
    """Passes made in none of these ways."""
    until: str
    counts: tuple[ToldCount, ...]
    length: str
    together: str
    example: tuple[str, ...]
    example_from: str

    @property
    def actions(self) -> tuple[str, ...]:
        """The actions of the most common way, in the order of time."""
        named = [name for step in self.ways[0].steps for name in step.actions] if self.ways else []
        return tuple(dict.fromkeys(named))

    @property
    def action_names(self) -> str:
        """The same as text, for a node of a picture."""
        return ", ".join(self.actions)


@dataclass(frozen=True)
class Telling:
    """All that is told of a program."""

    passes: tuple[ToldPass, ...]
    beginning: str
    tail: str
    warnings: tuple[str, ...]
    not_told: tuple[str, ...]


def telling(model: Model, words: Words) -> Telling | None:
    """The program told by its actions; None for landmark graphs, and where the file does not have them."""
    program, practice = model.guidance, model.practice
    if practice is None or not isinstance(program, Program):
        return None
    counters = zip(practice.passes, program.counters, strict=True)
    final = None if practice.tail else program.counters[-1]
    passes = tuple(_pass(words, known, counter, counter is final) for known, counter in counters)
    return Telling(
        passes,
        _beside(practice.beginning, practice.plans),
        _beside(practice.tail, practice.plans),
        tuple(_warnings(model, practice)),
        tuple(_not_told(practice, passes)),
    )


def _pass(words: Words, known: PassPractice, counter: Counter, last: bool) -> ToldPass:
    domain = words_for(counter.features[0], words.vocabulary, words.parameter_types)
    steps, counts = StepWords(domain, known), CountWords(words, domain, known)
    least, middle, most = known.steps
    several = ""
    if known.together:
        all_do = known.together == known.several
        lead = "Begin all passes before the first ends" if all_do else "Passes may overlap"
        several = f"{lead}: so in {known.together} of {known.several} plans with several passes"
    return ToldPass(
        subject=steps.subject,
        heading=f"one {steps.subject} {counts.open()}".rstrip(),
        ways=tuple(ToldWay(*steps.way(way), way.passes, known.passes) for way in known.ways),
        others=known.others,
        until=counts.until(counter, last=last),
        counts=counts.told(counter),
        length=_steps(middle) if least == most else f"{least} to {most} steps, mostly {middle}",
        together=several,
        example=known.example,
        example_from=known.example_from,
    )


def _steps(number: int) -> str:
    return "1 step" if number == 1 else f"{number} steps"


def _beside(actions: tuple[Share, ...], plans: int) -> str:
    return listed([f"{quoted(share.name)} ({share.times} of {plans} plans)" for share in actions], "and")


def _warnings(model: Model, practice: Practice) -> Iterator[str]:
    for lost in practice.lost:
        by = listed([quoted(name) for name in lost.actions], "or")
        yield f'"{spaced(lost.predicate)}" is used up by {by}: no action restores it'
    for way in practice.one_way:
        if way.without_return == way.steps:
            yield f"{quoted(way.action)} goes one way: nothing leads back"
        else:
            yield f"{quoted(way.action)} does not lead back everywhere"
    if practice.unnoticed:
        names = listed([quoted(share.name) for share in practice.unnoticed], "and")
        yield f"plans also do {names}, which no pass needs and no count notices"
    for place, known in enumerate(practice.passes, start=1):
        if known.plans < FEW_PLANS:
            which = f"part {place}" if len(practice.passes) > 1 else "it"
            yield f"only {known.plans} of {practice.plans} training plans show {which}"
    missed = [record.problem for record in model.training if not record.satisfied]
    if missed:
        yield f"the training plans of {listed(missed, 'and')} do not follow the parts in this order"


def _not_told(practice: Practice, passes: tuple[ToldPass, ...]) -> Iterator[str]:
    yield from dict.fromkeys(f"which {told.subject} comes first" for told in passes)
    others = sum(told.others for told in passes)
    if others:
        yield f"{others} passes made in rarer ways"
    if practice.unused:
        yield f"when to use {listed([quoted(name) for name in practice.unused], 'and')}, as no plan does"
