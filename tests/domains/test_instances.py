"""Generated instances are well formed, the same for the same seed, and refuse sizes that do not fit."""

from __future__ import annotations

import hashlib
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.domains.reading import sections
from trailmark import domains
from trailmark.errors import InputError

SEEDLESS = {"gripper"}
"""With two rooms, a number of balls has one instance."""

CONSTANTS = {"childsnack": {"kitchen"}}

DIGESTS = {
    "baking": "5238509d70a5ade6",
    "barman": "be728b0b210c03ae",
    "blocksworld": "fe2516673d903af4",
    "blocksworld-tower": "8afca607dd67748a",
    "childsnack": "7d4fea756e956a21",
    "delivery": "7e75ed310f701976",
    "driverlog": "62b8354212db3163",
    "ferry": "067a8903a30c8622",
    "floortile": "5a9e0fcfbe4434f9",
    "floortile-single": "5a88857b379a435c",
    "footwear": "42509d18f3316619",
    "grid": "fdbc03bf86c1a319",
    "grid-no-exchange": "083102b56c03f3c2",
    "gripper": "c98932fea6edcc71",
    "logistics": "b7ddec503c88a6c5",
    "miconic": "aca50aba24a6b2e0",
    "miconic-capacity": "801f468f7bfdb0c9",
    "miconic-up": "672d773327142f49",
    "newspapers": "d0a2f2ae252c5088",
    "tpp": "944e5b7ac54d086f",
    "visitall": "b32f320d77efaa63",
}


def well_formed(name: str, text: str) -> None:
    problem = sections(text)
    declared = set(problem.objects) | CONSTANTS.get(name, set())
    assert len(problem.objects) == len(set(problem.objects))
    assert {term for atom in problem.init + problem.goal for term in atom[1:]} <= declared
    assert len(problem.init) == len(set(problem.init))
    assert len(problem.goal) == len(set(problem.goal))
    assert not set(problem.goal) <= set(problem.init)
    assert problem.domain == domains.spec(name).pddl_name
    assert f"(domain {problem.domain})" in domains.domain_text(name)
    assert text.endswith(")\n")


def body(text: str) -> str:
    """The text without its first line, which has the seed in the problem's name."""
    return text.partition("\n")[2]


def test_there_are_the_21_domains_of_the_paper() -> None:
    assert len(domains.names()) == 21
    assert all(domains.spec(name).name == name for name in domains.names())


@pytest.mark.parametrize("name", domains.names())
class TestPresets:
    def test_are_five_small_and_thirty_that_grow(self, name: str) -> None:
        train, test = domains.train_preset(name), domains.test_preset(name)
        assert (len(train), len(test)) == (5, 30)
        lengths = [len(domains.test_problem(name, number)) for number in (1, 10, 20, 30)]
        assert lengths == sorted(lengths)
        assert lengths[-1] > 2 * max(len(text) for text in domains.train_problems(name))

    def test_are_well_formed_and_all_different(self, name: str) -> None:
        texts = domains.train_problems(name) + [domains.test_problem(name, k) for k in range(1, 31)]
        for text in texts:
            well_formed(name, text)
        assert len({body(text) for text in texts}) == 35

    def test_are_the_same_on_every_python(self, name: str) -> None:
        digest = hashlib.sha256(domains.domain_text(name).encode())
        for text in domains.train_problems(name) + [domains.test_problem(name, k) for k in range(1, 31)]:
            digest.update(text.encode())
        assert digest.hexdigest()[:16] == DIGESTS[name]


@pytest.mark.parametrize("name", domains.names())
class TestSeeds:
    def test_the_same_seed_gives_the_same_text(self, name: str) -> None:
        assert domains.generate(name, 5) == domains.generate(name, 5)

    def test_another_seed_gives_another_instance(self, name: str) -> None:
        bodies = {body(domains.generate(name, seed)) for seed in range(10)}
        assert (len(bodies) > 1) == (name not in SEEDLESS)

    def test_a_seed_must_be_a_whole_number(self, name: str) -> None:
        with pytest.raises(InputError, match="seed"):
            domains.generate(name, -1)


@pytest.mark.parametrize("name", domains.names())
class TestSizes:
    def test_outside_the_range_are_refused_with_name_and_range(self, name: str) -> None:
        for parameter in domains.spec(name).parameters:
            for value in (parameter.low - 1, parameter.high + 1):
                with pytest.raises(InputError) as caught:
                    domains.generate(name, **{parameter.name: value})
                assert parameter.name in str(caught.value)
                assert f"from {parameter.low} to {parameter.high}" in str(caught.value)

    def test_that_are_no_whole_numbers_are_refused(self, name: str) -> None:
        first = domains.spec(name).parameters[0].name
        values: list[object] = [True, 3.0, "3", None]
        for value in values:
            with pytest.raises(InputError, match=first):
                domains.generate(name, **{first: value})  # type: ignore[arg-type]

    def test_of_an_unknown_name_are_refused_with_the_known_ones(self, name: str) -> None:
        with pytest.raises(InputError) as caught:
            domains.generate(name, wheels=4)
        assert "wheels" in str(caught.value)
        assert all(parameter.name in str(caught.value) for parameter in domains.spec(name).parameters)

    def test_have_documented_defaults_in_range(self, name: str) -> None:
        for parameter in domains.spec(name).parameters:
            assert parameter.low <= parameter.default <= parameter.high
            assert parameter.meaning

    @settings(max_examples=20)
    @given(data=st.data())
    def test_in_range_give_a_well_formed_instance_or_name_what_does_not_fit(
        self, name: str, data: st.DataObject
    ) -> None:
        parameters = domains.spec(name).parameters
        sizes = {
            each.name: data.draw(st.integers(each.low, min(each.high, each.low + 6)), label=each.name)
            for each in parameters
        }
        seed = data.draw(st.integers(0, 1000), label="seed")
        try:
            text = domains.generate(name, seed, **sizes)
        except InputError as error:
            message = str(error)
        else:
            well_formed(name, text)
            return
        assert any(each.name in message for each in parameters)


@pytest.mark.parametrize(
    ("name", "sizes", "message"),
    [
        ("baking", {"cakes": 0, "souffles": 0}, "cakes + souffles"),
        ("blocksworld", {"blocks": 3, "goal_towers": 3}, "goal_towers"),
        ("childsnack", {"children": 2, "allergic": 3}, "allergic"),
        ("delivery", {"width": 1, "height": 1}, "width * height"),
        ("driverlog", {"drivers": 1, "driver_goals": 2}, "driver_goals"),
        ("driverlog", {"trucks": 1, "truck_goals": 2}, "truck_goals"),
        ("floortile", {"columns": 2, "robots": 3}, "robots"),
        ("footwear", {"places": 1, "goals": 5}, "goals"),
        ("grid", {"shapes": 3, "keys": 2}, "keys"),
        ("grid", {"keys": 3, "goals": 4}, "goals"),
        ("logistics", {"cities": 1, "sites": 1}, "cities * sites"),
        ("visitall", {"width": 2, "height": 2, "holes": 3}, "holes"),
    ],
)
def test_sizes_that_do_not_go_together_are_refused(name: str, sizes: dict[str, int], message: str) -> None:
    with pytest.raises(InputError, match=re.escape(message)):
        domains.generate(name, **sizes)


def test_an_unknown_domain_is_refused_with_the_known_ones() -> None:
    with pytest.raises(InputError, match="delivery"):
        domains.generate("deliveries")
    with pytest.raises(InputError, match="delivery"):
        domains.domain_text("../delivery")


def test_preset_numbers_start_at_one() -> None:
    for number in (0, 31):
        with pytest.raises(InputError, match="from 1 to 30"):
            domains.test_problem("ferry", number)


def test_holes_leave_a_visitall_grid_connected() -> None:
    for seed in range(20):
        problem = sections(domains.generate("visitall", seed, width=7, height=6, holes=2 * seed))
        linked: dict[str, list[str]] = {}
        for atom in problem.init:
            if atom[0] == "connected":
                linked.setdefault(atom[1], []).append(atom[2])
        seen, stack = {problem.objects[0]}, [problem.objects[0]]
        while stack:
            for near in linked[stack.pop()]:
                if near not in seen:
                    seen.add(near)
                    stack.append(near)
        assert len(problem.objects) == 42 - 2 * seed
        assert seen == set(problem.objects)
