"""Rows become what Marquez's clients read."""

import json
from dataclasses import replace
from datetime import datetime, timedelta, timezone
from typing import Any
from uuid import UUID

import pytest

from lineal_receiver.api.answers import encode
from lineal_receiver.api.v1.shapes.datasets import (
    build_column_lineage,
    build_deprecated,
    build_fields,
    build_transformations,
    read_stated,
)
from lineal_receiver.api.v1.shapes.events import build_event
from lineal_receiver.api.v1.shapes.runs import RunParent, build_args, build_duration, build_facets, build_state
from lineal_receiver.api.v1.stats import build_counts, build_intervals
from lineal_receiver.store.read_columns import ColumnEdgeRow
from lineal_receiver.store.read_facets import FacetRow
from lineal_receiver.store.read_runs import RunRow
from lineal_receiver.store.read_search import escape_like

NOON = datetime(2026, 3, 29, 12, 0, tzinfo=timezone.utc)
RUN = RunRow(
    job_id=UUID(int=1),
    run_id=UUID(int=2),
    start_at=NOON,
    running_at=None,
    first_at=NOON,
    last_at=NOON,
    typed=True,
    end_at=None,
    end_rank=None,
    parent_job=None,
    parent_run=None,
    nominal_start_at=None,
    nominal_end_at=None,
    version_id=None,
    placeholder=False,
    future=False,
)


@pytest.mark.parametrize(
    ("typed", "rank", "state"),
    [(False, None, "NEW"), (True, None, "RUNNING"), (True, 0, "FAILED"), (True, 1, "ABORTED"), (False, 2, "COMPLETED")],
)
def test_state(typed: bool, rank: int | None, state: str) -> None:
    assert build_state(replace(RUN, typed=typed, end_rank=rank)) == state


def test_duration_is_whole_milliseconds_or_nothing() -> None:
    assert build_duration(NOON, NOON + timedelta(days=1, milliseconds=2, microseconds=999)) == 86_400_002
    assert build_duration(NOON, NOON) == 0
    assert build_duration(NOON, NOON - timedelta(seconds=1)) is None
    assert build_duration(None, NOON) is None


def test_args_come_from_nominal_time_and_parent() -> None:
    run = replace(RUN, nominal_start_at=NOON, nominal_end_at=NOON + timedelta(seconds=5, milliseconds=120))
    assert build_args(run, RunParent("ns", "dag", "r1"), []) == {
        "nominal_start_time": "2026-03-29T12:00Z",
        "nominal_end_time": "2026-03-29T12:00:05.12Z",
        "run_id": "r1",
        "name": "dag",
        "namespace": "ns",
    }
    assert build_args(RUN, None, []) == {}


def test_facets_keep_their_numbers_and_the_last_wins() -> None:
    facets = [
        FacetRow("r", "size", '{"n":1}'),
        FacetRow("r", "size", '{"n":123456789012345678901234567890,"f":1.10}'),
        FacetRow("r", "spark_unknown", "{}"),
    ]
    assert encode(build_facets(facets)) == b'{"size":{"n":123456789012345678901234567890,"f":1.10}}'


def test_times_are_utc_with_a_z() -> None:
    assert encode([NOON, NOON + timedelta(microseconds=7)]) == b'["2026-03-29T12:00:00Z","2026-03-29T12:00:00.000007Z"]'


def test_fields_have_every_key() -> None:
    assert build_fields('[{"name":"a","fields":[]},{"name":"b","type":"INT","description":"d"}]') == [
        {"name": "a", "type": None, "tags": [], "description": None},
        {"name": "b", "type": "INT", "tags": [], "description": "d"},
    ]
    assert build_fields(None) == []


def _edge(target: str, source: str, **changes: Any) -> ColumnEdgeRow:
    edge = ColumnEdgeRow(
        UUID(int=9), target, UUID(int=8), source, UUID(int=1), "DIRECT", "IDENTITY", False, None, False
    )
    return edge._replace(**changes)


def test_column_lineage_unites_the_kinds_of_one_input() -> None:
    edges = [
        _edge("total", "amount", subtype="AGGREGATION", expression="sum(amount)"),
        _edge("total", "amount", type="INDIRECT", subtype="FILTER"),
    ]
    assert build_column_lineage(edges, {UUID(int=8): ("ns", "orders")}, {}, frozenset({"total"})) == [
        {
            "name": "total",
            "inputFields": [
                {
                    "namespace": "ns",
                    "dataset": "orders",
                    "field": "amount",
                    "transformationDescription": "sum(amount)",
                    "transformationType": None,
                }
            ],
            "transformationDescription": "sum(amount)",
            "transformationType": None,
        }
    ]
    assert build_column_lineage([], {}, {}, frozenset()) is None


def test_what_an_old_facet_states_of_a_column_is_given_as_stated() -> None:
    facet = FacetRow(
        "w",
        "columnLineage",
        '{"fields":{"a":{"inputFields":[],"transformationDescription":"hashed","transformationType":"mine"}}}',
    )
    stated = read_stated([facet])
    assert stated == {"a": ("hashed", "mine")}
    assert build_deprecated([_edge("a", "a")], stated["a"]) == {
        "transformationDescription": "hashed",
        "transformationType": "mine",
    }


def test_transformations_unite_kinds_and_mark_what_is_last_known() -> None:
    edges = [
        _edge("total", "amount", subtype="AGGREGATION", expression="sum(amount)"),
        _edge("total", "amount", type="INDIRECT", subtype="FILTER", last_known=True),
    ]
    assert build_transformations(edges) == [
        {"type": "DIRECT", "subtype": "AGGREGATION", "description": "sum(amount)", "masking": False},
        {"type": "INDIRECT", "subtype": "FILTER", "description": "", "masking": False, "lastKnown": True},
    ]


def test_an_event_gets_what_it_lacks_as_null_and_keeps_the_rest() -> None:
    body = b'{"eventTime":"t","run":{"runId":"r"},"job":{"namespace":"n","name":"j"},"extra":10000000000000000000001}'
    built = build_event(body)
    assert b"10000000000000000000001" in built
    assert json.loads(built) == {
        "eventType": None,
        "eventTime": "t",
        "run": {"runId": "r", "facets": None},
        "job": {"namespace": "n", "name": "j", "facets": None},
        "inputs": None,
        "outputs": None,
        "producer": None,
        "schemaURL": None,
        "extra": 10000000000000000000001,
    }


def test_an_events_datasets_and_facets_are_filled() -> None:
    event = {
        "run": {"runId": "r", "facets": {"mine": {}}},
        "job": {"namespace": "n", "name": "j"},
        "inputs": [{"namespace": "n", "name": "d", "facets": {"schema": {"fields": [{"name": "a"}]}}}],
    }
    built = json.loads(build_event(json.dumps(event).encode()))
    assert built["run"]["facets"] == {"nominalTime": None, "parent": None, "mine": {}}
    assert built["inputs"][0]["facets"]["schema"] == {"fields": [{"name": "a", "type": None, "description": None}]}
    assert (built["inputs"][0]["inputFacets"], built["inputs"][0]["facets"]["columnLineage"]) == (None, None)


@pytest.mark.parametrize("body", [b'{"run":null}', b'{"run":{"runId":"\\ud800"},"job":{}}', b"[1]"])
def test_an_event_that_can_not_be_filled_is_given_as_it_is(body: bytes) -> None:
    assert build_event(body) == body


def test_search_takes_wildcards_literally() -> None:
    assert escape_like("50%_\\a") == "%50\\%\\_\\\\a%"


def test_a_day_is_24_hours_up_to_the_current_one() -> None:
    edges = build_intervals("DAY", None, NOON + timedelta(minutes=59))
    assert (len(edges), edges[0], edges[-1]) == (25, NOON - timedelta(hours=23), NOON + timedelta(hours=1))


def test_a_week_is_7_days_of_the_place_with_its_summer_time() -> None:
    edges = build_intervals("WEEK", "Europe/Berlin", NOON)
    assert len(edges) == 8
    assert edges[-2:] == [
        datetime(2026, 3, 28, 23, tzinfo=timezone.utc),
        datetime(2026, 3, 29, 22, tzinfo=timezone.utc),
    ]


def test_counts_leave_out_what_came_later() -> None:
    edges = [NOON, NOON + timedelta(hours=1), NOON + timedelta(hours=2)]
    assert [row["count"] for row in build_counts(edges, 10, [4, 0])] == [6, 10]
