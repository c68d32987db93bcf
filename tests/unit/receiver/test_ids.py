"""Ids: the same for the same content, different for different content."""

from datetime import datetime, timedelta, timezone
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lineal_receiver.ids import (
    NONE,
    STATIC,
    dataset_id,
    job_id,
    microseconds,
    namespace_id,
    register_key,
    run_scope,
    run_uuid,
    storable,
    version_id,
)

PLAIN = UUID("01900000-0000-7000-8000-000000000001")
TIMES = st.datetimes(
    min_value=datetime(1, 1, 3),
    max_value=datetime(9999, 12, 29),
    timezones=st.just(timezone.utc),
)


@pytest.mark.parametrize(
    "spelling",
    [
        "01900000-0000-7000-8000-000000000001",
        "01900000-0000-7000-8000-000000000001 ",
        "{01900000-0000-7000-8000-000000000001}",
        "urn:uuid:01900000-0000-7000-8000-000000000001",
        "URN:UUID:01900000-0000-7000-8000-000000000001",
        "01900000000070008000000000000001",
    ],
)
def test_spellings_of_a_uuid_are_that_uuid(spelling: str) -> None:
    assert run_uuid(spelling) == (PLAIN, None)


def test_other_run_ids_become_name_based_uuids() -> None:
    # as java.util.UUID.nameUUIDFromBytes does: version 3, MD5 of the bytes without a namespace
    assert run_uuid("scheduled__2026-01-01") == (UUID("c6478f9c-08ac-3749-abf7-53d199c72edc"), "scheduled__2026-01-01")
    assert run_uuid("")[0] == UUID("d41d8cd9-8f00-3204-a980-0998ecf8427e")
    assert run_uuid("nul\0")[1] == "nul\\u0000"


def test_parts_of_a_name_do_not_run_together() -> None:
    assert job_id("a", "bc") != job_id("ab", "c")
    assert job_id("a", "b") != dataset_id("a", "b")
    assert namespace_id("a") not in {job_id("a", ""), dataset_id("a", ""), NONE}


def test_names_are_not_folded() -> None:
    composed, decomposed = "Gr\u00f6\u00dfe", "Gro\u0308\u00dfe"
    assert dataset_id("w", composed) != dataset_id("w", decomposed)
    assert dataset_id("w", "a") != dataset_id("w", "A")


def test_what_postgres_cannot_hold_is_written_out() -> None:
    assert storable("a\0b\ud800") == "a\\u0000b\\ud800"
    assert storable("\U0001f600") == "\U0001f600"


def test_scopes_differ_by_job_and_run() -> None:
    scopes = {run_scope(PLAIN, NONE), run_scope(NONE, PLAIN), run_scope(NONE, NONE), run_scope(PLAIN, PLAIN)}
    assert len(scopes) == 4


def test_versions_ignore_the_order_of_datasets() -> None:
    one, other = dataset_id("w", "a"), dataset_id("w", "b")
    assert version_id(PLAIN, [one, other], [], None) == version_id(PLAIN, [other, one], [], None)
    assert version_id(PLAIN, [one], [other], None) != version_id(PLAIN, [one, other], [], None)
    assert version_id(PLAIN, [one], [], "x") != version_id(PLAIN, [one], [], None)


@given(TIMES, TIMES, st.integers(0, 2), st.integers(0, 2), st.binary(min_size=32, max_size=32))
def test_keys_order_by_time_then_rank(one: datetime, other: datetime, rank: int, second: int, body: bytes) -> None:
    keys = register_key(one, rank, body), register_key(other, second, body)
    assert (keys[0] < keys[1]) == ((one, rank) < (other, second))
    assert len(keys[0]) == 25


@given(TIMES)
def test_microseconds_are_exact(time: datetime) -> None:
    assert datetime(1, 1, 1, tzinfo=timezone.utc) + timedelta(microseconds=microseconds(time)) == time


def test_ids_that_mean_static_events_are_no_run_ids() -> None:
    for ours in STATIC:
        found, external = run_uuid(str(ours))
        assert found not in STATIC
        assert external == str(ours)
