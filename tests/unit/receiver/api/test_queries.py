"""Query parameters are read and refused as Marquez does."""

from datetime import datetime, timedelta, timezone

import pytest

from lineal_receiver.api.queries import MOST_ROWS, page, read_flag, read_states, read_time, read_uuid, read_whole
from lineal_receiver.api.refusals import Refusal


def test_a_missing_number_is_the_default() -> None:
    assert read_whole("limit", None, 100) == 100
    assert read_whole("limit", "", 100) == 100


def test_a_negative_number_is_refused_by_name() -> None:
    with pytest.raises(Refusal) as caught:
        read_whole("limit", "-1", 100)
    assert caught.value.status == 400
    assert caught.value.body == {"errors": ["query param limit must be greater than or equal to 0"]}


@pytest.mark.parametrize("text", ["abc", "1.5", "9" * 30, "٣", " 1", "1e3", "--1"])
def test_what_is_no_number_is_not_found(text: str) -> None:
    with pytest.raises(Refusal) as caught:
        read_whole("limit", text, 100)
    assert (caught.value.status, caught.value.body["message"]) == (404, "HTTP 404 Not Found")


def test_a_page_is_bounded() -> None:
    found = page(limit="100000", offset="7")
    assert (found.limit, found.offset) == (MOST_ROWS, 7)
    assert page(limit="0").limit == 0


def test_flags_are_java_booleans() -> None:
    assert [read_flag(text) for text in ("true", "TRUE", "1", "yes", "", None)] == [True, True] + [False] * 4


@pytest.mark.parametrize("text", ["notauuid", "1-1-1-1-1", "{ed50f77c-681e-5767-b02f-ef142bc0fb5d}", "ed50f77c" * 4])
def test_what_is_no_uuid_is_not_found(text: str) -> None:
    with pytest.raises(Refusal):
        read_uuid(text)


@pytest.mark.parametrize(
    ("text", "hours"), [("2026-03-02T04:00:00Z", 4), ("2026-03-02T04:00:00", 4), ("2026-03-02T06:00:00 02:00", 4)]
)
def test_times_are_utc_unless_they_say_otherwise(text: str, hours: int) -> None:
    wanted = datetime(2026, 3, 2, tzinfo=timezone.utc) + timedelta(hours=hours)
    assert read_time(text, datetime.max) == wanted


def test_states() -> None:
    assert read_states(None) is None
    assert read_states(["failed", "NEW"]) == ["FAILED", "NEW"]
    assert read_states(["NEW", "RUNNING", "COMPLETED", "ABORTED", "FAILED", "OTHER"]) is None
    with pytest.raises(Refusal):
        read_states(["DONE"])


@pytest.mark.parametrize("text", ["9999-12-31T23:59:59-14:00", "0001-01-01T00:00:00+14:00", "tomorrow", "2026-02-30"])
def test_what_is_no_time_in_utc_is_not_found(text: str) -> None:
    with pytest.raises(Refusal):
        read_time(text, datetime.max)
