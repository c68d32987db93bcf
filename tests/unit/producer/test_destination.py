"""One destination is told from another, and from nothing else."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from lineal_producer.destination import Destination, read_destination, without_credentials

HERE = Path("/here")


def of(**env: str) -> Destination:
    return read_destination(env, None, HERE)


def of_transport(transport: dict[str, object]) -> Destination:
    return of(OPENLINEAGE__TRANSPORT=json.dumps(transport))


def test_the_same_receiver_is_the_same_however_it_is_configured(tmp_path: Path) -> None:
    path = tmp_path / "openlineage.yml"
    path.write_text("transport:\n  type: http\n  url: http://receiver:5000/\n  auth: {type: api_key, apiKey: old}\n")
    ways = [
        of(OPENLINEAGE_URL="http://receiver:5000"),
        of(OPENLINEAGE__TRANSPORT__TYPE="http", OPENLINEAGE__TRANSPORT__URL="http://receiver:5000"),
        of_transport({"type": "http", "url": "http://receiver:5000", "timeout": 30, "compression": "gzip"}),
        of_transport({"type": "http", "url": "http://ann:secret@receiver:5000?token=x"}),
        read_destination({}, path, HERE),
    ]
    assert len({way.hash for way in ways}) == 1
    assert {way.name for way in ways} == {"http http://receiver:5000 api/v1/lineage"}


def test_other_receivers_are_others() -> None:
    found = [
        of(OPENLINEAGE_URL="http://receiver:5000"),
        of(OPENLINEAGE_URL="http://receiver:5001"),
        of(OPENLINEAGE_URL="http://receiver:5000", OPENLINEAGE_ENDPOINT="other"),
        of_transport({"type": "file", "log_file_path": "a.ndjson", "append": True}),
        of_transport({"type": "file", "log_file_path": "b.ndjson", "append": True}),
        of_transport({"type": "kafka", "topic": "t", "config": {"bootstrap.servers": "one:9092"}}),
        of_transport({"type": "kafka", "topic": "t", "config": {"bootstrap.servers": "two:9092"}}),
    ]
    assert len({each.hash for each in found}) == len(found)


def test_a_composite_is_its_children_in_any_order() -> None:
    http = {"type": "http", "url": "http://receiver"}
    file = {"type": "file", "log_file_path": "a.ndjson", "append": True}
    one = of_transport({"type": "composite", "transports": [http, file]})
    two = of_transport({"type": "composite", "transports": {"b": file, "a": http}})
    assert one == two
    assert one.name == "composite(file /here/a.ndjson, http http://receiver api/v1/lineage)"


def test_no_secret_is_in_a_name() -> None:
    told = of_transport(
        {
            "type": "kafka",
            "topic": "t",
            "config": {"bootstrap.servers": "one:9092", "sasl.password": "hidden"},
        }
    )
    assert "hidden" not in told.name


def test_the_file_wins_over_variables_as_it_does_for_the_client(tmp_path: Path) -> None:
    path = tmp_path / "openlineage.yml"
    path.write_text("transport: {type: http, url: 'http://file'}\n")
    told = read_destination({"OPENLINEAGE__TRANSPORT__URL": "http://variable"}, path, HERE)
    assert told.name == "http http://file api/v1/lineage"


@pytest.mark.parametrize(
    ("text", "problem"),
    [("transport: [a\n", "is not valid YAML (line 2, column 1)"), ("transport: http\n", "must hold a mapping")],
)
def test_a_broken_file_is_a_problem_told_in_a_sentence(tmp_path: Path, text: str, problem: str) -> None:
    path = tmp_path / "openlineage.yml"
    path.write_text(text)
    told = read_destination({}, path, HERE).problem
    assert told is not None
    assert told.startswith(str(path))
    assert problem in told


@pytest.mark.parametrize(
    ("url", "plain"),
    [
        ("https://ann:secret@host:1/path/?q=1#f", "https://host:1/path"),
        (" http://host ", "http://host"),
        ("http://[broken", "<not a URL>"),
    ],
)
def test_urls_lose_their_credentials(url: str, plain: str) -> None:
    assert without_credentials(url) == plain


def test_a_file_of_other_settings_leaves_the_transport_to_the_environment(tmp_path: Path) -> None:
    path = tmp_path / "openlineage.yml"
    path.write_text("tags:\n  job: {team: sales}\n")
    told = read_destination({"OPENLINEAGE_URL": "http://receiver:5000"}, path, HERE)
    assert (told.kind, told.problem) == ("http", None)


def test_a_transport_without_a_type_is_a_problem() -> None:
    told = read_destination({"OPENLINEAGE__TRANSPORT__APPEND": "true"}, None, HERE)
    assert told.problem is not None
    assert told.problem.startswith("the OpenLineage transport has no `type`; set ")


@pytest.mark.parametrize(
    ("env", "told"),
    [
        ({"OPENLINEAGE_URL": "localhost:5000"}, "http://localhost:5000"),
        ({"OPENLINEAGE_URL": "u:p@host/api?key=1"}, "http://host/api"),
        ({"OPENLINEAGE_URL": "ftp://host"}, "http://host"),
        ({"OPENLINEAGE_URL": "http:/host"}, "http://http:/host"),
        ({"OPENLINEAGE__TRANSPORT": '{"type": "http", "url": "host"}'}, "http://host"),
        (
            {"OPENLINEAGE__TRANSPORT": '{"type": "composite", "transports": {"a": {"type": "http", "url": "h"}}}'},
            "http://h",
        ),
        ({"OPENLINEAGE_URL": " https://host "}, None),
        ({"OPENLINEAGE__TRANSPORT": '{"type": "console", "url": "h"}'}, None),
    ],
)
def test_a_url_that_is_none_is_told_without_its_secrets(env: dict[str, str], told: str | None) -> None:
    problem = read_destination(env, None, Path()).problem
    if told is None:
        assert problem is None
    else:
        assert problem == f"the URL of the OpenLineage transport is no http:// or https:// one; write {told}"
