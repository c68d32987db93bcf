"""Verdicts: what is refused where and why, and what is taken with a flag."""

import json
from datetime import datetime, timezone
from typing import Any

import pytest

from lineal_receiver.ingest import validate
from lineal_receiver.ingest.envelope import open_envelope
from lineal_receiver.ingest.event import build_event
from lineal_receiver.ingest.schemas import read_bundle
from lineal_receiver.ingest.strictness import list_leniencies
from lineal_receiver.ingest.validate import Judge, Verdict

PRODUCER = "https://producer.example/1"
SCHEMA = "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunEvent"
BASE = {"_producer": PRODUCER, "_schemaURL": "https://producer.example/facet.json"}


def event(**changes: Any) -> dict[str, Any]:
    """A RunEvent with some keys replaced, or left out where the value is `...`."""
    whole: dict[str, Any] = {
        "eventType": "COMPLETE",
        "eventTime": "2026-01-15T10:00:00Z",
        "producer": PRODUCER,
        "schemaURL": SCHEMA,
        "run": {"runId": "01900000-0000-7000-8000-000000000001"},
        "job": {"namespace": "nightly", "name": "load"},
        "inputs": [],
        "outputs": [],
    }
    whole.update(changes)
    return {key: value for key, value in whole.items() if value is not ...}


def judge(sent: dict[str, Any]) -> Verdict:
    return Judge(read_bundle()).judge(open_envelope(json.dumps(sent).encode()))


def output(**facets: Any) -> list[dict[str, Any]]:
    return [{"namespace": "w", "name": "t", "facets": facets}]


def test_a_plain_event_holds() -> None:
    verdict = judge(event())
    assert (verdict.kind, verdict.faults, verdict.invalid, verdict.flags) == ("run", (), frozenset(), 0)


@pytest.mark.parametrize(
    ("changes", "kind"),
    [
        ({}, "run"),
        ({"dataset": {"namespace": "w", "name": "t"}}, "run"),
        ({"run": ..., "eventType": ...}, "job"),
        ({"run": ...}, "job"),
        ({"run": ..., "job": ..., "dataset": {"namespace": "w", "name": "t"}}, "dataset"),
        ({"job": ..., "dataset": {"namespace": "w", "name": "t"}}, "dataset"),
        ({"schemaURL": "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/DatasetEvent"}, "run"),
    ],
)
def test_the_kind_is_told_by_the_keys(changes: dict[str, Any], kind: str) -> None:
    verdict = judge(event(**changes))
    assert (verdict.kind, verdict.faults) == (kind, ())


@pytest.mark.parametrize(
    ("changes", "pointer", "rule"),
    [
        ({"job": ...}, "/job", "required"),
        ({"job": ..., "run": ...}, "", "required"),
        ({"run": ..., "dataset": {"namespace": "w", "name": "t"}}, "", "oneOf"),
        ({"run": {}}, "/run/runId", "required"),
        ({"run": None}, "/run", "type"),
        ({"run": {"runId": 1}}, "/run/runId", "type"),
        ({"job": {"name": "x"}}, "/job/namespace", "required"),
        ({"eventType": "complete"}, "/eventType", "enum"),
        ({"eventType": None}, "/eventType", "type"),
        ({"inputs": None}, "/inputs", "type"),
        ({"inputs": [3]}, "/inputs/0", "type"),
        ({"outputs": [{"namespace": "w"}]}, "/outputs/0/name", "required"),
        ({"eventTime": ...}, "/eventTime", "required"),
        ({"eventTime": None}, "/eventTime", "type"),
        ({"eventTime": 1636646662.68}, "/eventTime", "type"),
        ({"eventTime": "yesterday"}, "/eventTime", "format"),
        ({"producer": ...}, "/producer", "required"),
        (
            {"run": {"runId": "x", "facets": {"mine": {"_producer": PRODUCER}}}},
            "/run/facets/mine/_schemaURL",
            "required",
        ),
        ({"outputs": output(schema={"fields": []})}, "/outputs/0/facets/schema/_producer", "required"),
        ({"run": {"runId": "x", "facets": {"a/b": 1}}}, "/run/facets/a~1b", "type"),
        (
            {"job": {"namespace": "n", "name": "j", "facets": {"x": {**BASE, "_deleted": "yes"}}}},
            "/job/facets/x/_deleted",
            "type",
        ),
    ],
)
def test_what_is_refused_says_where_and_why(changes: dict[str, Any], pointer: str, rule: str) -> None:
    faults = judge(event(**changes)).faults
    assert (faults[0].pointer, faults[0].rule) == (pointer, rule)
    assert faults[0].expected
    assert faults[0].message


@pytest.mark.parametrize(
    ("changes", "flag"),
    [
        ({"schemaURL": ...}, validate.NO_SCHEMA_URL | validate.INVALID_CORE),
        ({"eventTime": "2026-01-15T10:00:00"}, validate.NAIVE_TIME),
        ({"eventTime": "2026-01-15T10:00:00Z[UTC]"}, validate.ZONE_IN_BRACKETS),
        ({"run": {"runId": "manual__1"}}, validate.RUN_ID_NOT_UUID),
        ({"run": {"runId": "{01900000-0000-7000-8000-000000000001}"}}, validate.RUN_ID_SPELLED_ODDLY),
        ({"run": {"runId": "01900000-0000-7000-8000-00000000000A"}}, validate.RUN_ID_SPELLED_ODDLY),
        ({"outputs": output(mine=None)}, validate.NULL_FACET | validate.INVALID_CORE),
        ({"outputs": output(schema=None)}, validate.NULL_FACET | validate.INVALID_CORE | validate.INVALID_FACET),
        ({"outputs": output(schema={**BASE, "fields": {}})}, validate.INVALID_FACET),
        ({"outputs": output(schema="text")}, validate.INVALID_CORE | validate.INVALID_FACET),
        (
            {"outputs": output(schema={"_producer": "p", "fields": []})},
            validate.INVALID_CORE | validate.INVALID_FACET,
        ),
        ({"outputs": output(schema={"_producer": "p", "_deleted": True})}, validate.INVALID_CORE),
        ({"outputs": output(schema={**BASE, "_deleted": "yes"})}, validate.INVALID_CORE | validate.INVALID_FACET),
        ({"eventTime": "20260115T100000Z"}, validate.TIME_SPELLED_ODDLY),
        ({"eventTime": "2026-01-15T10:00:00+0000"}, validate.TIME_SPELLED_ODDLY),
        ({"eventTime": "2026-01-15 10:00:00.123456789z"}, 0),
    ],
)
def test_what_is_taken_though_it_is_odd_has_a_flag(changes: dict[str, Any], flag: int) -> None:
    verdict = judge(event(**changes))
    assert (verdict.faults, verdict.flags) == ((), flag)


@pytest.mark.parametrize(
    ("key", "content", "pointer"),
    [
        ("columnLineage", {"fields": {"a": {}}}, "/fields/a/inputFields"),
        (
            "columnLineage",
            {"fields": {"a": {"inputFields": [{"namespace": "w", "name": "t"}]}}},
            "/fields/a/inputFields/0/field",
        ),
        ("columnLineage", {}, "/fields"),
        ("schema", {"fields": [{"name": "a", "type": 3}]}, "/fields/0/type"),
        ("schema", {"fields": [{"name": None}]}, "/fields/0/name"),
        ("schema", {"fields": [None]}, "/fields/0"),
        ("columnLineage", {"fields": {"a": {"inputFields": None}}}, "/fields/a/inputFields"),
        ("lifecycleStateChange", {"lifecycleStateChange": "GONE"}, "/lifecycleStateChange"),
        ("version", {}, "/datasetVersion"),
    ],
)
def test_a_known_facet_that_does_not_hold_is_explained(key: str, content: dict[str, Any], pointer: str) -> None:
    envelope = open_envelope(json.dumps(event(outputs=output(**{key: {**BASE, **content}}))).encode())
    judge = Judge(read_bundle())
    verdict = judge.judge(envelope)
    assert verdict.invalid == {f"/outputs/0/facets/{key}"}
    (finding,) = verdict.findings
    assert [fault.pointer for fault in finding.place()] == [f"/outputs/0/facets/{key}{pointer}"]


SOURCE = {"namespace": "w", "name": "t", "field": "x"}


@pytest.mark.parametrize(
    ("key", "content", "read"),
    [
        (
            "schema",
            {"fields": [{"name": "a", "type": None, "fields": [{"name": "b", "description": None}]}]},
            {"fields": [{"name": "a", "fields": [{"name": "b"}]}]},
        ),
        ("schema", {"fields": None}, {}),
        (
            "columnLineage",
            {"fields": {"a": {"inputFields": [SOURCE | {"transformations": None}]}}},
            {"fields": {"a": {"inputFields": [SOURCE]}}},
        ),
        ("ownership", {"owners": [{"name": "x", "type": None}], "mine": [None, {"a": None}]}, {
            "owners": [{"name": "x"}], "mine": [None, {}],
        }),
    ],
)  # fmt: skip
def test_facets_are_read_without_members_that_are_null(key: str, content: dict[str, Any], read: dict[str, Any]) -> None:
    envelope = open_envelope(json.dumps(event(outputs=output(**{key: {**BASE, **content}}))).encode())
    verdict = Judge(read_bundle()).judge(envelope)
    assert (verdict.faults, verdict.invalid) == ((), frozenset())
    assert verdict.flags == validate.INVALID_FACET | validate.NULL_MEMBERS  # the official verdict stays on record
    assert [finding.facet.key for finding in verdict.findings] == [key]
    found = build_event(envelope, verdict, datetime.now(timezone.utc))
    assert found.facet("/outputs/0/facets", key) == {**BASE, **read}
    assert found.facets["/outputs/0/facets"][key].body == envelope.facets[0].body


def test_deep_facets_are_judged_like_flat_ones() -> None:
    levels = 450
    fields = '[{"name": "a", "fields": ' * levels + "[]" + "}]" * levels
    for text, holds in ((fields, True), (fields.replace("[]", "[3]"), False)):
        sent = json.dumps(event(outputs=output(schema={**BASE, "fields": "here"}))).replace('"here"', text)
        verdict = Judge(read_bundle()).judge(open_envelope(sent.encode()))
        assert (verdict.faults, verdict.invalid == frozenset()) == ((), holds)
        assert all(fault.message for finding in verdict.findings for fault in finding.faults)


def test_facets_are_judged_by_what_they_belong_to() -> None:
    statistics = {**BASE, "rowCount": "many"}
    as_output = [{"namespace": "w", "name": "t", "outputFacets": {"outputStatistics": statistics}}]
    assert judge(event(outputs=as_output)).invalid == {"/outputs/0/outputFacets/outputStatistics"}
    # the same key elsewhere is somebody's own facet
    assert judge(event(outputs=output(outputStatistics=statistics))).invalid == frozenset()
    job = {"namespace": "n", "name": "j", "facets": {"tags": {**BASE, "tags": [{"key": "a"}]}}}
    assert judge(event(job=job)).invalid == {"/job/facets/tags"}


def test_a_deletion_needs_no_more_than_itself() -> None:
    assert judge(event(outputs=output(columnLineage={**BASE, "_deleted": True}))).invalid == frozenset()
    # a run's facet can't be deleted
    run = {"runId": "01900000-0000-7000-8000-000000000001", "facets": {"nominalTime": {**BASE, "_deleted": True}}}
    assert judge(event(run=run)).invalid == {"/run/facets/nominalTime"}


def test_verdicts_are_remembered_by_content_place_and_key() -> None:
    judge = Judge(read_bundle())
    bad, good = {**BASE, "fields": {}}, {**BASE, "fields": []}
    for _ in range(2):
        for content, holds in ((bad, False), (good, True)):
            envelope = open_envelope(json.dumps(event(outputs=output(schema=content))).encode())
            assert (judge.judge(envelope).invalid == frozenset()) is holds
    assert len(judge.memo) == 2


def test_numbers_as_the_schemas_see_them() -> None:
    for rows in ("1.0", "1" + "0" * 30):
        facet = json.dumps({**BASE, "rowCount": 7}).replace("7", rows)
        sent = json.dumps(event(outputs=[{"namespace": "w", "name": "t", "outputFacets": {"outputStatistics": {}}}]))
        envelope = open_envelope(sent.replace('"outputStatistics": {}', f'"outputStatistics": {facet}').encode())
        assert Judge(read_bundle()).judge(envelope).invalid == frozenset()


STRICT: list[tuple[dict[str, Any], str, str]] = [
    ({"schemaURL": ...}, "/schemaURL", "required"),
    ({"eventTime": "2026-01-15T10:00:00"}, "/eventTime", "format"),
    ({"eventTime": "2026-01-15T10:00:00Z[UTC]"}, "/eventTime", "format"),
    ({"eventTime": "2026-01-15T10:00Z"}, "/eventTime", "format"),
    ({"run": {"runId": "manual__1"}}, "/run/runId", "format"),
    ({"run": {"runId": "{01900000-0000-7000-8000-000000000001}"}}, "/run/runId", "format"),
    ({"run": {"runId": "01900000-0000-7000-8000-000000000001 "}}, "/run/runId", "format"),
    ({"outputs": output(schema=None)}, "/outputs/0/facets/schema", "type"),
    ({"outputs": output(mine=None)}, "/outputs/0/facets/mine", "type"),
    ({"outputs": output(schema="text")}, "/outputs/0/facets/schema", "type"),
    ({"outputs": output(schema={**BASE, "fields": {}})}, "/outputs/0/facets/schema/fields", "type"),
    (
        {"outputs": output(schema={"_producer": "p", "_deleted": True})},
        "/outputs/0/facets/schema/_schemaURL",
        "required",
    ),
]


@pytest.mark.parametrize(("changes", "pointer", "rule"), STRICT)
def test_a_strict_receiver_refuses_what_is_taken_otherwise(changes: dict[str, Any], pointer: str, rule: str) -> None:
    envelope = open_envelope(json.dumps(event(**changes)).encode())
    judge = Judge(read_bundle())
    verdict = judge.judge(envelope)
    assert verdict.faults == ()
    faults = list_leniencies(envelope, verdict)
    assert [(fault.pointer, fault.rule) for fault in faults] == [(pointer, rule)]
    assert faults[0].expected
    assert faults[0].message


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"run": {"runId": "01900000-0000-7000-8000-00000000000A"}},
        {"eventTime": "2026-01-15t10:00:60.5-08:00"},
        {"outputs": output(columnLineage={**BASE, "_deleted": True}, mine={**BASE, "x": None})},
        {"run": {"runId": "01900000-0000-7000-8000-000000000001", "facets": {"parentRun": {**BASE, "run": "text"}}}},
    ],
)
def test_a_strict_receiver_takes_what_is_as_it_should_be(changes: dict[str, Any]) -> None:
    envelope = open_envelope(json.dumps(event(**changes)).encode())
    judge = Judge(read_bundle())
    verdict = judge.judge(envelope)
    assert (verdict.faults, list_leniencies(envelope, verdict)) == ((), [])


def test_a_strict_receiver_refuses_a_key_that_is_there_twice() -> None:
    envelope = open_envelope(
        json.dumps(event()).replace('"eventType"', '"eventType": "START", "eventType"', 1).encode()
    )
    verdict = Judge(read_bundle()).judge(envelope)
    assert [fault.rule for fault in list_leniencies(envelope, verdict)] == ["uniqueKeys"]
