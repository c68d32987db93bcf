"""Nothing is lost: what can't be sent waits, is sent later, in order, and once."""

from __future__ import annotations

import json
import os
import re
import signal
from pathlib import Path
from typing import Any

import pytest

from .plugin_project import LONG, Project, Ran, eventually, kinds, new_project, settled
from .plugin_receiver import Receiver, running, silent_address

TOTALS = "select customer, sum(amount) as total from {{ ref('orders') }} group by 1"
NOT_NOW = {"LINEAL_BUDGET_SECONDS": "0", "LINEAL_LINGER_SECONDS": "0"}


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return new_project(tmp_path)


def _is_in_order(events: list[dict[str, Any]]) -> bool:
    """Whether every run starts before it ends."""
    by_run: dict[str, list[str]] = {}
    for event in settled(events):
        by_run.setdefault(event["run"]["runId"], []).append(event["eventType"])
    return all(states[0] == "START" and len(states) == 2 for states in by_run.values())


def test_the_next_run_sends_what_the_last_one_could_not_and_its_own_first(project: Project) -> None:
    with silent_address() as address:
        project.env |= project.to_http(address.url)
        for _ in range(2):
            assert project.dbt("run", "--select", "orders", **NOT_NOW).code == 1  # there is no seed yet
        assert len(project.waiting()) == 2
        with running(Receiver(), address) as receiver:
            assert project.dbt("build").code == 0
            eventually(lambda: project.waiting() == [])
    assert _is_in_order(receiver.accepted)
    invocations = list(
        dict.fromkeys(event["run"]["runId"] for event in receiver.accepted if kinds([event], "dbt-run-tiny"))
    )
    assert len(invocations) == 3
    assert kinds(settled(receiver.accepted)[:10], "tiny.totals") == ["START", "COMPLETE"]  # this run's went first


def test_flush_sends_all_and_says_so(project: Project) -> None:
    with silent_address() as address:
        project.env |= project.to_http(address.url)
        assert project.dbt("build", **NOT_NOW).code == 0

        def tried() -> Ran | None:
            ran = project.lineal("flush", "--seconds", "1")
            return ran if "can't be reached" in ran.out else None

        waiting = eventually(tried)  # a second may be too short for the first attempt
        assert waiting.code == 1
        assert "1 wait" in waiting.out
        told = json.loads(project.lineal("status", "--format", "json").out)
        assert (told["waiting"], told["rejected"]) == (1, 0)
        with running(Receiver(), address) as receiver:
            flushed = project.lineal("flush")
    assert flushed.code == 0
    assert "1 run sent, 0 wait" in flushed.out
    assert len(settled(receiver.accepted)) == 10
    assert _is_in_order(receiver.accepted)
    totals = next(event for event in receiver.accepted if event["job"]["name"].endswith("tiny.totals"))
    assert set(totals["outputs"][0]["facets"]["columnLineage"]["fields"]) == {"customer", "total"}
    assert project.waiting() == []


def test_what_is_refused_is_kept_with_the_answer_and_tried_again_on_demand(project: Project) -> None:
    receiver = Receiver()
    receiver.answer = lambda event: 422 if event["job"]["name"].endswith("tiny.orders") else 201
    with running(receiver):
        project.env |= project.to_http(receiver.url)
        ran = project.dbt("build")
        assert ran.code == 0
        found = re.search(r"refused (\d) events", ran.err)
        assert found, ran.err
        assert project.waiting() == []
        told = json.loads(project.lineal("status", "--format", "json").out)
        assert told["answers"] == [{"status": 422, "answer": "told to", "events": int(found[1])}]
        assert project.lineal("flush", "--rejected").code == 1
        receiver.answer = lambda _: 201
        assert project.lineal("flush", "--rejected").code == 0
    assert kinds(receiver.accepted, "tiny.orders") == ["START", "COMPLETE"]
    assert len([event for event in receiver.accepted if event["job"]["name"].endswith("tiny.orders")]) == int(found[1])
    assert json.loads(project.lineal("status", "--format", "json").out)["rejected"] == 0


def test_one_event_that_the_receiver_fails_on_does_not_hold_up_the_others(project: Project) -> None:
    receiver = Receiver()
    receiver.answer = lambda event: 500 if event["job"]["name"].endswith("tiny.orders") else 201
    with running(receiver):
        project.env |= project.to_http(receiver.url)
        assert project.dbt("build", LINEAL_LINGER_SECONDS="0").code == 0
        eventually(lambda: len(settled(receiver.accepted)) == 8)
        assert kinds(receiver.accepted, "tiny.orders") == []
        receiver.answer = lambda _: 201
        assert eventually(lambda: project.lineal("flush").code == 0)
    assert kinds(receiver.accepted, "tiny.orders") == ["START", "COMPLETE"]
    assert len(settled(receiver.accepted)) == 10


def test_a_killed_worker_is_replaced_and_nothing_is_sent_twice(project: Project) -> None:
    gate = project.hold("totals", TOTALS)
    with running(Receiver()) as receiver:
        process = project.start("build", **project.to_http(receiver.url))
        eventually(lambda: _is_quiet(project, receiver.accepted))
        ours, theirs = (os.getpriority(os.PRIO_PROCESS, number) for number in (process.pid, *_workers(project)))
        assert theirs == min(ours + 10, 19), "it leaves the processor to dbt"
        for worker in _workers(project):
            os.kill(worker, signal.SIGKILL)
        gate.open()
        process.communicate(timeout=LONG)
        assert process.returncode == 0
        eventually(lambda: kinds(receiver.accepted, "tiny.totals") == ["START", "COMPLETE"])
        eventually(lambda: project.waiting() == [])
    assert len(settled(receiver.accepted)) == 10
    assert _is_in_order(receiver.accepted)


def test_a_worker_that_is_killed_before_it_is_answered_leaves_one_event_to_repeat(project: Project) -> None:
    gate = project.hold("totals", TOTALS)
    with running(Receiver()) as receiver:

        def answer(event: dict[str, Any]) -> int:
            if kinds([event], "tiny.totals") == ["START"] and not kinds(receiver.accepted, "tiny.totals"):
                receiver.told.clear()
            return 201

        receiver.answer = answer
        process = project.start("build", **project.to_http(receiver.url))
        eventually(lambda: kinds(receiver.accepted, "tiny.totals"))
        for worker in _workers(project):
            os.kill(worker, signal.SIGKILL)
        receiver.told.set()
        gate.open()
        process.communicate(timeout=LONG)
        assert process.returncode == 0
        eventually(lambda: kinds(receiver.accepted, "tiny.totals") == ["START", "START", "COMPLETE"])
        eventually(lambda: project.waiting() == [])
    assert len(settled(receiver.accepted)) == 11
    first, second, _ = [event for event in settled(receiver.accepted) if event["job"]["name"].endswith("tiny.totals")]
    assert first == second
    starts = [body for body in receiver.bodies if json.loads(body)["run"]["runId"] == first["run"]["runId"]]
    assert starts.count(starts[0]) == 2


def _is_quiet(project: Project, events: list[dict[str, Any]]) -> bool:
    """Whether all that can be told while `totals` waits was told, and noted by the worker as accepted."""
    others = [event for event in settled(events) if not kinds([event], "tiny.totals")]
    totals = [event for event in events if event["job"]["name"].endswith("tiny.totals")]
    is_traced = any("columnLineage" in event["outputs"][0]["facets"] for event in totals)
    noted = [line for path in project.state.glob("outbox/*/*.acks") for line in path.read_text().splitlines()]
    return len(others) == 7 and is_traced and len([line for line in noted if ":" in line]) == len(events)


def _workers(project: Project) -> list[int]:
    """The processes that hold this project's records open as workers do."""
    found = []
    for place in Path("/proc").glob("[0-9]*"):
        try:
            command = (place / "cmdline").read_bytes().split(b"\0")
        except OSError:
            continue
        if b"lineal_producer.worker" in command and any(str(project.state).encode() in part for part in command):
            found.append(int(place.name))
    return found


def test_two_runs_at_once_each_send_their_own(tmp_path: Path) -> None:
    projects = [new_project(tmp_path / name) for name in ("one", "two")]
    with running(Receiver()) as receiver:
        shared = {**projects[0].to_http(receiver.url), "LINEAL_STATE_DIR": str(tmp_path / "state")}
        processes = [project.start("build", **shared) for project in projects]
        for process in processes:
            process.communicate(timeout=LONG)
            assert process.returncode == 0
        eventually(lambda: len(settled(receiver.accepted)) == 20)
        eventually(lambda: not list((tmp_path / "state").glob("outbox/*/*.ndjson")))
    assert _is_in_order(receiver.accepted)


def test_a_composite_sends_to_each_and_remembers_which_had_it(project: Project) -> None:
    with silent_address() as address:
        transports = {
            "receiver": {"type": "http", "url": address.url, "compression": "gzip", "timeout": LONG},
            "disk": {"type": "file", "log_file_path": str(project.log), "append": True},
        }
        project.env |= {
            "OPENLINEAGE__TRANSPORT__TYPE": "composite",
            "OPENLINEAGE__TRANSPORT__TRANSPORTS": json.dumps(transports),
        }
        assert project.dbt("build", LINEAL_LINGER_SECONDS="0").code == 0
        eventually(lambda: len(settled(project.events())) == 10)
        with running(Receiver(), address) as receiver:
            assert eventually(lambda: project.lineal("flush").code == 0)
    assert len(settled(project.events())) == 10  # not written again
    key = lambda event: (event["run"]["runId"], event["eventType"])  # noqa: E731 - said once, used twice
    assert sorted(receiver.accepted, key=key) == sorted(project.events(), key=key)
    assert {headers["content-encoding"] for headers in receiver.headers} == {"gzip"}


def test_the_clients_settings_hold(project: Project) -> None:
    with running(Receiver()) as receiver:
        project.write(
            {
                "openlineage.yml": (
                    f"transport:\n  type: http\n  timeout: {LONG}\n  url: {receiver.url}\n  endpoint: in/here\n"
                    "  auth: {type: api_key, apiKey: secret}\n  custom_headers: {X-Team: shop}\n"
                    "tags:\n  run: {team: shop}\n  job: {tier: gold}\n"
                    "facets:\n  environment_variables: [TEAM]\n"
                    "filters:\n  - {type: regex, regex: '.*not_null.*'}\n"
                )
            }
        )
        assert project.dbt("build", TEAM="blue").code == 0
        eventually(lambda: len(settled(receiver.accepted)) == 8)
        eventually(lambda: project.waiting() == [])
    event = next(event for event in receiver.accepted if event["job"]["name"].endswith("tiny.totals"))
    tags = {tag["key"]: (tag["value"], tag["source"]) for tag in event["run"]["facets"]["tags"]["tags"]}
    assert tags["team"] == ("shop", "USER")
    assert tags["openlineage_client_version"][1] == "OPENLINEAGE_CLIENT"
    assert [tag["key"] for tag in event["job"]["facets"]["tags"]["tags"]] == ["tier"]
    assert event["run"]["facets"]["environmentVariables"]["environmentVariables"] == [{"name": "TEAM", "value": "blue"}]
    assert receiver.headers[0]["authorization"] == "Bearer secret"
    assert receiver.headers[0]["x-team"] == "shop"
    assert "secret" not in "".join(path.read_text() for path in project.state.rglob("*") if path.is_file())
