"""The project's own further domains: apart from the paper's, well formed, reproducible and solvable."""

from __future__ import annotations

import hashlib
import importlib.util
import json
import re
from collections.abc import Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.domains.reading import Sections, sections
from tests.domains.test_instances import body, well_formed
from tests.domains.test_solvable import solves
from trailmark import domains
from trailmark.bench.suitefile import load_suite
from trailmark.cli.main import main
from trailmark.errors import InputError
from trailmark.limits import Budget
from trailmark.search.fast_downward import fast_downward
from trailmark.task import Domain, Task

TESTS = range(1, 11)
DIGESTS = {
    "garden": "23190be4d40c7611",
    "shunting": "e45f4891c54e33ae",
    "warehouse": "a03d9cb0bcf6c0b8",
    "workshop": "03623ada087e56a6",
}


def test_the_further_domains_are_apart_from_the_21() -> None:
    assert domains.further_names() == sorted(DIGESTS)
    assert not set(domains.further_names()) & set(domains.names())
    assert all(domains.spec(name).name == name for name in domains.further_names())


def test_the_command_lists_them_after_the_21(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["domains", "--quiet"]) == 0
    paper, further = capsys.readouterr().out.split("\n\n")
    assert [line.partition(":")[0] for line in paper.splitlines()] == domains.names()
    assert [line.partition(":")[0] for line in further.splitlines()[1:]] == domains.further_names()
    assert main(["domains", "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)
    assert [each["name"] for each in listed["domains"]] == domains.names()
    assert [each["name"] for each in listed["further"]] == domains.further_names()


def test_the_suite_runs_all_their_test_instances_at_twenty_seconds() -> None:
    (part,) = load_suite("further").parts
    assert part.domains == tuple(domains.further_names())
    assert part.tests == tuple(TESTS)
    assert part.planners == ("trailmark", "trailmark-alone", "baseline", "lama-first")
    assert (part.limits.learn_seconds, part.limits.plan_seconds, part.limits.megabytes) == (60, 20, 4000)


@pytest.mark.parametrize("name", domains.further_names())
class TestPresets:
    def test_are_five_small_and_ten_that_grow(self, name: str) -> None:
        assert (len(domains.train_preset(name)), len(domains.test_preset(name))) == (5, 10)
        lengths = [len(domains.test_problem(name, number)) for number in TESTS]
        assert lengths == sorted(lengths)
        assert lengths[-1] > 2 * max(len(text) for text in domains.train_problems(name))

    def test_are_well_formed_and_all_different(self, name: str) -> None:
        texts = domains.train_problems(name) + [domains.test_problem(name, k) for k in TESTS]
        for text in texts:
            well_formed(name, text)
        assert len({body(text) for text in texts}) == 15

    def test_are_the_same_on_every_python(self, name: str) -> None:
        digest = hashlib.sha256(domains.domain_text(name).encode())
        for text in domains.train_problems(name) + [domains.test_problem(name, k) for k in TESTS]:
            digest.update(text.encode())
        assert digest.hexdigest()[:16] == DIGESTS[name]

    def test_are_read(self, name: str) -> None:
        domain = Domain.parse(domains.domain_text(name))
        for number in (3, 6):
            Task.parse(domain, domains.test_problem(name, number))

    def test_for_training_and_the_first_test_are_solved(self, name: str) -> None:
        texts = [*domains.train_problems(name), domains.test_problem(name, 1)]
        assert [solves(name, text) for text in texts] == [True] * len(texts)

    @pytest.mark.slow
    def test_for_training_are_solved_with_other_seeds(self, name: str) -> None:
        for sizes in domains.train_preset(name):
            for seed in range(50, 70):
                assert solves(name, domains.generate(name, seed, **sizes)), (seed, sizes)


@pytest.mark.parametrize("name", domains.further_names())
class TestGenerator:
    def test_the_same_seed_gives_the_same_text_and_another_seed_another(self, name: str) -> None:
        assert domains.generate(name, 5) == domains.generate(name, 5)
        assert len({body(domains.generate(name, seed)) for seed in range(10)}) > 1

    def test_sizes_outside_the_range_are_refused_with_name_and_range(self, name: str) -> None:
        for parameter in domains.spec(name).parameters:
            assert parameter.low <= parameter.default <= parameter.high
            for value in (parameter.low - 1, parameter.high + 1):
                span = f"{parameter.name} must be a whole number from {parameter.low} to {parameter.high}"
                with pytest.raises(InputError, match=re.escape(span)):
                    domains.generate(name, **{parameter.name: value})

    @settings(max_examples=20, deadline=None)
    @given(data=st.data())
    def test_sizes_in_range_give_a_well_formed_instance_or_name_what_does_not_fit(
        self, name: str, data: st.DataObject
    ) -> None:
        parameters = domains.spec(name).parameters
        sizes = {
            each.name: data.draw(st.integers(each.low, min(each.high, each.low + 6)), label=each.name)
            for each in parameters
        }
        try:
            text = domains.generate(name, data.draw(st.integers(0, 1000), label="seed"), **sizes)
        except InputError as error:
            message = str(error)
        else:
            well_formed(name, text)
            return
        assert any(each.name in message for each in parameters)


@pytest.mark.parametrize(
    ("name", "sizes", "message"),
    [
        ("shunting", {"wagons": 7, "tracks": 2, "length": 3}, "wagons"),
        ("warehouse", {"width": 1, "height": 1}, "width * height"),
        ("warehouse", {"width": 2, "height": 2, "stations": 5}, "stations"),
        ("warehouse", {"width": 2, "height": 2, "desks": 5}, "desks"),
    ],
)
def test_sizes_that_do_not_go_together_are_refused(name: str, sizes: dict[str, int], message: str) -> None:
    with pytest.raises(InputError, match=re.escape(message)):
        domains.generate(name, **sizes)


@pytest.mark.parametrize("number", TESTS)
def test_a_warehouse_robot_can_go_to_every_spot_and_come_back_to_every_station(number: int) -> None:
    problem = sections(domains.test_problem("warehouse", number))
    aisles = related(problem, "aisle")
    stations = {atom[1] for atom in problem.init if atom[0] == "station"}
    charge = sum(atom[0] == "one-less" for atom in problem.init)
    away = {station: steps_from(station, aisles) for station in stations}
    assert all(2 * min(away[station][spot] for station in stations) <= charge for spot in aisles)
    links = {one: [other for other in stations if away[one][other] <= charge] for one in stations}
    assert all(steps_from(station, links).keys() == stations for station in stations)


@pytest.mark.parametrize("number", TESTS)
def test_a_workshop_has_a_tool_for_every_job_and_a_machine_for_every_tool(number: int) -> None:
    problem = sections(domains.test_problem("workshop", number))
    tools, machines = related(problem, "does"), related(problem, "fits")
    asked = {atom[3] for atom in problem.init if atom[0] == "asks"}
    assert asked <= {job for jobs in tools.values() for job in jobs}
    assert tools.keys() == machines.keys()


@pytest.mark.parametrize("number", TESTS)
def test_trails_connect_a_garden_and_no_bed_wants_more_than_a_can_holds(number: int) -> None:
    problem = sections(domains.test_problem("garden", number))
    trails = related(problem, "trail")
    assert steps_from("shed", trails).keys() == trails.keys()
    amounts = {amount for atom in problem.init if atom[0] == "a-bit-more" for amount in atom[1:]}
    assert {atom[2] for atom in problem.goal if atom[0] == "wet"} <= amounts


@pytest.mark.parametrize("number", TESTS)
def test_a_shunting_yard_has_each_wagon_once_and_counts_its_room(number: int) -> None:
    problem = sections(domains.test_problem("shunting", number))
    length = domains.test_preset("shunting")[number - 1]["length"]
    wagons = {track: 0 for atom in problem.init if atom[0] == "room" for track in atom[1:2]}
    placed = [atom for atom in problem.init if atom[0] == "stands-on"]
    for atom in placed:
        wagons[atom[2]] += 1
    assert len(placed) == len({atom[1] for atom in placed}) == len(problem.goal)
    for atom in problem.init:
        if atom[0] == "room":
            assert atom[2] == f"places{length - wagons[atom[1]]}"


def related(problem: Sections, predicate: str) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for atom in problem.init:
        if atom[0] == predicate:
            found.setdefault(atom[1], []).append(atom[2])
    return found


def steps_from(start: str, links: Mapping[str, list[str]]) -> dict[str, int]:
    steps, border = {start: 0}, [start]
    while border:
        border = [near for place in border for near in links[place] if near not in steps]
        border = list(dict.fromkeys(border))
        steps.update(dict.fromkeys(border, max(steps.values()) + 1))
    return steps


@pytest.mark.slow
@pytest.mark.skipif(
    importlib.util.find_spec("up_fast_downward") is None, reason="the fd extra is not installed"
)
@pytest.mark.parametrize("name", domains.further_names())
def test_fast_downward_solves_training_and_first_test_instances(name: str) -> None:
    domain = Domain.parse(domains.domain_text(name))
    for text in [*domains.train_problems(name), domains.test_problem(name, 1), domains.test_problem(name, 2)]:
        assert fast_downward(Task.parse(domain, text), Budget(120)).steps
