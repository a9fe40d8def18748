"""What the parameters of predicates are called, as training shows them."""

from __future__ import annotations

from tests.report.models import domain, instances, solved
from trailmark.domains import domain_text, train_problems
from trailmark.learning.nouns import Nouns
from trailmark.task import Domain, Task, trajectory


def nouns(name: str) -> dict[str, tuple[str, ...]]:
    paths = [trajectory(each.task, each.plan) for each in instances(name)]
    return Nouns(domain(name), paths).of_parameters()


def test_a_goal_version_has_the_type_of_what_goals_are_about() -> None:
    found = nouns("delivery")
    assert found["at"] == ("locatable", "cell")
    assert found["at_g"] == ("package", "cell")
    assert found["carrying"] == ("truck", "package")


def test_static_properties_that_divide_a_type_stand_for_types() -> None:
    found = nouns("ferry")
    assert found["at"] == found["at_g"] == ("car", "location")
    assert found["at-ferry"] == ("location",)


def test_in_a_domain_without_types_static_properties_stand_for_them() -> None:
    gripper = Domain.parse(domain_text("gripper"))
    tasks = [Task.parse(gripper, text) for text in train_problems("gripper")]
    paths = [trajectory(task, solved(task)) for task in tasks]
    assert Nouns(gripper, paths).of_parameters()["at"] == ("ball", "room")


def test_properties_that_do_not_divide_a_type_are_no_types() -> None:
    assert nouns("newspapers")["at"] == ("loc",)
    assert nouns("baking")["inpan"] == ("ingredient", "pan")


def test_what_was_never_seen_keeps_its_declared_type() -> None:
    assert nouns("ferry")["on_g"] == ("obj",)


def test_a_type_names_the_type_above_it() -> None:
    found = nouns("delivery")
    assert found["truck"] == found["package"] == ("locatable",)
