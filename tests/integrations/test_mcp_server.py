"""The tools over the Model Context Protocol, as a client sees them."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("mcp", reason="needs the extra `mcp`")

from mcp import Client

from tests.test_supervision import gone
from trailmark.domains import domain_text, generate, train_problems
from trailmark.integrations import mcp_server
from trailmark.integrations.mcp_server import server
from trailmark.processes import descendants
from trailmark.task import Task, read_plan, validate


def call(*requests: tuple[str, dict[str, Any]]) -> list[dict[str, Any]]:
    """What the tools answer, one after the other."""

    async def answers() -> list[dict[str, Any]]:
        async with Client(server()) as client:
            return [(await client.call_tool(*request)).structured_content or {} for request in requests]

    return asyncio.run(answers())


@pytest.fixture
def files(tmp_path: Path) -> Path:
    (tmp_path / "domain.pddl").write_text(domain_text("gripper"))
    for number, problem in enumerate(train_problems("gripper")[:3], start=1):
        (tmp_path / f"t{number}.pddl").write_text(problem)
    (tmp_path / "large.pddl").write_text(generate("gripper", balls=12))
    return tmp_path


def test_the_tools_are_told_with_what_they_take() -> None:
    async def tools() -> dict[str, list[str]]:
        async with Client(server()) as client:
            listed = (await client.list_tools()).tools
        return {tool.name: list(tool.input_schema["properties"]) for tool in listed}

    found = asyncio.run(tools())
    assert list(found) == ["learn", "show", "plan", "explain", "validate"]
    assert found["plan"] == ["model", "domain", "problem", "output", "time_limit", "memory_limit"]


def test_from_training_problems_to_an_explained_plan(files: Path) -> None:
    task = {"domain": str(files / "domain.pddl"), "problem": str(files / "large.pddl")}
    model, plan = str(files / "m.json"), str(files / "large.plan")
    problems = [str(files / f"t{number}.pddl") for number in (1, 2, 3)]
    learned, shown, planned, explained, valid = call(
        ("learn", {"domain": task["domain"], "problems": problems, "output": model, "time_limit": 40}),
        ("show", {"model": model}),
        ("plan", {"model": model, **task, "output": plan, "time_limit": 60}),
        ("explain", {"model": model, **task, "plan": plan}),
        ("validate", {**task, "plan": plan}),
    )
    assert (learned["status"], learned["model"]) == ("learned", model)
    assert shown["domain"].startswith("gripper")
    assert (planned["status"], valid["status"]) == ("solved", "valid")
    assert explained["plan_length"] == planned["plan_length"] == valid["plan_length"]
    assert validate(Task.load(task["domain"], task["problem"]), read_plan(plan))


def test_all_that_a_tool_takes_reaches_its_command(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[list[str]] = []

    def note(name: str, arguments: Sequence[str], options: Sequence[str] = ()) -> dict[str, Any]:
        asked.append([name, *arguments, *options])
        return {}

    monkeypatch.setattr(mcp_server, "run_command", note)
    mcp_server.learn("d", ["p1", "p2"], "m", plans=["q1", "q2"], validation=["v"], time_limit=7)
    mcp_server.plan("m", "d", "p", "q", time_limit=7, memory_limit=300)
    assert [" ".join(words) for words in asked] == [
        "learn d p1 p2 -o m --time-limit 7 --plan q1 --plan q2 --validation v",
        "plan m d p -o q --time-limit 7 --memory-limit 300",
    ]


def test_errors_and_limits_are_those_of_the_commands(files: Path) -> None:
    task = {"domain": str(files / "domain.pddl"), "problem": str(files / "large.pddl")}
    gone, late, option = call(
        ("show", {"model": str(files / "gone.json")}),
        ("plan", {"model": "none", **task, "output": str(files / "p"), "time_limit": 0.01}),
        ("show", {"model": "--formal"}),
    )
    assert (gone["status"], gone["code"], gone["hint"]) == ("error", 2, "check the path")
    assert late["status"] == "time limit"
    assert "--formal: there is no such model file" in str(option["place"]["file"]) + ": " + option["message"]


INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "a test", "version": "1"},
    },
}


def test_the_command_serves_them_on_stdin_and_stdout() -> None:
    ended = subprocess.run(
        [sys.executable, "-m", "trailmark", "mcp"],
        input=json.dumps(INITIALIZE) + "\n",
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert json.loads(ended.stdout)["result"]["serverInfo"]["name"] == "trailmark"


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs /proc")
def test_a_killed_server_leaves_no_process(files: Path) -> None:
    (files / "large.pddl").write_text(generate("gripper", balls=3000))
    task = {"domain": str(files / "domain.pddl"), "problem": str(files / "large.pddl")}
    requests = (
        INITIALIZE,
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {
            "jsonrpc": "2.0",
            "id": 2,
            "method": "tools/call",
            "params": {"name": "plan", "arguments": {"model": "none", **task, "output": "plan"}},
        },
    )
    command = [sys.executable, "-m", "trailmark", "mcp"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdin is not None
        server.stdin.writelines(json.dumps(request) + "\n" for request in requests)
        server.stdin.flush()
        deadline = time.monotonic() + 60
        while len(started := descendants(server.pid)) < 3:
            assert time.monotonic() < deadline
            time.sleep(0.05)
        server.kill()
    assert all(gone(pid, 2.0) for pid in started)
