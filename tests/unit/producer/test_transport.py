"""How one event is sent: the answers of a real server, and files as the client writes them."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from openlineage.client.client import OpenLineageClient

from lineal_producer.client_event import Additions, as_client_event
from lineal_producer.errors import TransportError
from lineal_producer.transport import ClientDoor, Door, FailoverDoor, FileDoor, HttpDoor, doors_of, open_client

from ...acceptance.plugin_receiver import Receiver, running, silent_address

EVENT: dict[str, Any] = {
    "eventType": "START",
    "eventTime": "2026-01-31T10:20:30.000000Z",
    "producer": "https://example.org/producer",
    "schemaURL": "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunEvent",
    "run": {
        "runId": "0b7a2f5e-6c1d-4f0e-9a51-2f3d4c5b6a70",
        "facets": {
            "tags": {"_producer": "https://p", "_schemaURL": "https://s", "tags": [{"key": "Team", "value": "a"}]}
        },
    },
    "job": {"namespace": "dbt", "name": "shop.é", "facets": {}},
    "inputs": [],
    "outputs": [
        {"namespace": "duckdb://x", "name": "t", "facets": {"schema": {"fields": [{"name": "id", "type": "INTEGER"}]}}}
    ],
}


@pytest.fixture(autouse=True)
def _no_other_configuration(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with running(Receiver()) as receiver:
        yield receiver


def doors(transport: dict[str, Any]) -> list[Door]:
    return doors_of(OpenLineageClient(config={"transport": transport}).transport)


@pytest.mark.parametrize(
    ("status", "verdict", "wide"),
    [
        (200, "sent", False),
        (201, "sent", False),
        (400, "rejected", False),
        (413, "rejected", False),
        (415, "rejected", False),
        (422, "rejected", False),
        (401, "later", True),
        (403, "later", True),
        (404, "later", True),
        (408, "later", True),
        (429, "later", True),
        (500, "later", False),
        (502, "later", True),
        (503, "later", True),
    ],
)
def test_what_an_answer_means(receiver: Receiver, status: int, verdict: str, wide: bool) -> None:
    receiver.answer = lambda _: status
    (door,) = doors({"type": "http", "url": receiver.url})
    outcome = door.send(EVENT)
    door.close(0)
    assert (outcome.verdict, outcome.wide) == (verdict, wide)
    assert outcome.status == (None if verdict == "sent" else status)
    if verdict == "rejected":
        assert outcome.detail == "told to"


def test_a_receiver_that_is_not_there_is_no_fault_of_the_event() -> None:
    with silent_address() as address:
        (door,) = doors({"type": "http", "url": address.url})
        outcome = door.send(EVENT)
    assert (outcome.verdict, outcome.wide) == ("later", True)
    assert "can't be reached" in outcome.detail


def test_a_name_that_is_not_found_is_no_fault_of_the_event(monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(*_: object, **__: object) -> None:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    monkeypatch.setenv("NO_PROXY", "*")
    monkeypatch.setattr(socket, "getaddrinfo", unknown)
    (door,) = doors({"type": "http", "url": "http://receiver.example"})
    outcome = door.send(EVENT)
    assert (outcome.verdict, outcome.wide) == ("later", True)
    assert outcome.detail == "http://receiver.example/api/v1/lineage can't be reached"


def test_a_receiver_that_hangs_is_waited_for_as_long_as_the_client_says(receiver: Receiver) -> None:
    receiver.released.clear()
    (door,) = doors({"type": "http", "url": receiver.url, "timeout": 0.2})
    outcome = door.send(EVENT)
    door.close(0)
    assert (outcome.verdict, outcome.detail) == ("later", f"{receiver.url}/api/v1/lineage does not answer in time")


@pytest.mark.parametrize("kind", ["http", "async_http"])
def test_authentication_headers_endpoint_and_compression_are_the_clients(receiver: Receiver, kind: str) -> None:
    config = {
        "type": kind,
        "url": receiver.url,
        "endpoint": "in",
        "compression": "gzip",
        "custom_headers": {"X-Team": "a"},
    }
    (door,) = doors({**config, "auth": {"type": "api_key", "apiKey": "secret"}})
    assert isinstance(door, HttpDoor)
    assert door.name == f"{receiver.url}/in"
    assert door.send(EVENT).verdict == "sent"
    door.close(0)
    assert receiver.accepted == [EVENT]
    headers = receiver.headers[0]
    assert headers["authorization"] == "Bearer secret"
    assert (headers["content-type"], headers["content-encoding"]) == ("application/json", "gzip")
    assert headers["x-team"] == "a"


def test_a_file_is_byte_for_byte_what_the_client_writes(tmp_path: Path) -> None:
    config = {"type": "file", "log_file_path": str(tmp_path / "ours"), "append": True}
    (door,) = doors(config)
    assert isinstance(door, FileDoor)
    for _ in range(2):
        assert door.send(EVENT).verdict == "sent"
    theirs = OpenLineageClient(config={"transport": {**config, "log_file_path": str(tmp_path / "theirs")}}).transport
    for _ in range(2):
        theirs.emit(as_client_event(EVENT))
    ours, written = (
        [json.loads(line) for line in (tmp_path / name).read_bytes().splitlines()] for name in ("ours", "theirs")
    )
    for event in written:  # the client's classes write the URL of their own version of the schema
        event["schemaURL"] = EVENT["schemaURL"]
    assert ours == [EVENT, EVENT]
    assert len((tmp_path / "ours").read_bytes().splitlines()) == 2
    assert (tmp_path / "ours").read_text() == "".join(json.dumps(event, sort_keys=True) + "\n" for event in ours)
    assert [event["job"] for event in written] == [EVENT["job"]] * 2


def test_a_file_that_cannot_be_written_is_tried_again_later(tmp_path: Path) -> None:
    (door,) = doors({"type": "file", "log_file_path": str(tmp_path / "no" / "file"), "append": True})
    outcome = door.send(EVENT)
    assert (outcome.verdict, outcome.wide) == ("later", True)
    assert "No such file or directory" in outcome.detail


def test_other_files_and_transports_go_through_the_client(tmp_path: Path) -> None:
    (door,) = doors({"type": "file", "log_file_path": str(tmp_path / "one")})
    assert isinstance(door, ClientDoor)
    assert door.send(EVENT).verdict == "sent"
    (path,) = tmp_path.glob("one-*.json")
    assert json.loads(path.read_text())["outputs"][0]["facets"] == EVENT["outputs"][0]["facets"]
    (console,) = doors({"type": "console"})
    assert isinstance(console, ClientDoor)
    assert doors({"type": "noop"}) == []


def test_a_composite_is_a_door_a_child_unless_it_stops_somewhere(tmp_path: Path, receiver: Receiver) -> None:
    transports = [
        {"type": "http", "url": receiver.url},
        {"type": "file", "log_file_path": str(tmp_path / "f"), "append": True},
    ]
    both = doors({"type": "composite", "transports": [dict(each) for each in transports]})
    assert [type(door) for door in both] == [HttpDoor, FileDoor]
    assert len({door.key for door in both}) == 2
    (first,) = doors({"type": "composite", "transports": transports, "continue_on_success": False})
    assert isinstance(first, FailoverDoor)
    assert first.send(EVENT).verdict == "sent"
    assert not (tmp_path / "f").exists()
    receiver.answer = lambda _: 503
    assert first.send(EVENT).verdict == "sent"
    assert (tmp_path / "f").exists()
    first.close(0)
    for door in both:
        door.close(0)


def test_a_transport_that_cannot_be_built_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENLINEAGE__TRANSPORT__TYPE", "http")
    with pytest.raises(
        TransportError, match="`url` key not passed to HttpConfig; correct the transport's configuration"
    ):
        open_client()


def test_the_clients_own_additions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REGION", "north")
    client = OpenLineageClient(
        config={
            "transport": {"type": "noop"},
            "tags": {"run": {"team": "b"}, "job": {"tier": "gold"}},
            "facets": {"environment_variables": ["REGION"]},
            "filters": [{"type": "exact", "match": "unwanted"}],
        }
    )
    additions = Additions(client)
    told = additions.apply(EVENT)
    assert told is not None
    tags = {tag["key"]: tag["value"] for tag in told["run"]["facets"]["tags"]["tags"]}
    assert tags["Team"] == "b"  # the user's wins, under the key's own spelling
    assert "openlineage_client_version" in tags
    assert told["job"]["facets"]["tags"]["tags"] == [{"key": "tier", "value": "gold", "source": "USER"}]
    assert told["run"]["facets"]["environmentVariables"]["environmentVariables"] == [
        {"name": "REGION", "value": "north"}
    ]
    assert told["outputs"] == EVENT["outputs"]
    assert additions.apply({**EVENT, "job": {"namespace": "dbt", "name": "unwanted"}}) is None


def test_the_clients_additions_are_those_of_each_event() -> None:
    client = OpenLineageClient(config={"transport": {"type": "noop"}, "tags": {"run": {"team": "b"}}})
    additions = Additions(client)
    bare = {**EVENT, "run": {"runId": EVENT["run"]["runId"]}}
    mine = {"tags": {"tags": [{"key": "mine", "value": "1", "source": "DBT"}]}}
    tagged = {**bare, "run": {"runId": str(uuid4()), "facets": mine}}
    of_job = {name: part for name, part in bare.items() if name not in ("run", "eventType")}
    for _ in range(2):  # the second time they are known
        for event in (bare, tagged, of_job):
            assert additions.apply(event) == Additions(client).apply(event)
    told = [additions.apply(event) for event in (bare, tagged)]
    keys = [[tag["key"] for tag in one["run"]["facets"]["tags"]["tags"]] for one in told if one is not None]
    assert keys == [["team", "openlineage_client_version"], ["mine", "team", "openlineage_client_version"]]


def test_partitions_are_trimmed_when_the_client_is_told_to() -> None:
    config = {"transport": {"type": "noop"}, "dataset": {"reducing_enabled": True}}
    event = {**EVENT, "inputs": [{"namespace": "s3://bucket", "name": "data/dt=2026-01-31"}]}
    told = Additions(OpenLineageClient(config=config)).apply(event)
    assert told is not None
    assert [given["name"] for given in told["inputs"]] == ["data"]
