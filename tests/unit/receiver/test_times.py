"""Times: every way that producers write an instant, and what is none."""

from datetime import datetime, timezone

import pytest

from lineal_receiver.ingest.times import parse_time


def utc(*parts: int) -> datetime:
    return datetime(*parts, tzinfo=timezone.utc)  # type: ignore[misc, arg-type] # parts of a date and time


@pytest.mark.parametrize(
    ("text", "instant"),
    [
        ("2026-01-15T10:00:00Z", utc(2026, 1, 15, 10)),
        ("2026-01-15t10:00:00z", utc(2026, 1, 15, 10)),
        ("2026-01-15 10:00:00Z", utc(2026, 1, 15, 10)),
        ("2026-01-15T10:00Z", utc(2026, 1, 15, 10)),
        ("20260115T100000Z", utc(2026, 1, 15, 10)),
        ("2026-01-15T10:00:00.1Z", utc(2026, 1, 15, 10, 0, 0, 100_000)),
        ("2026-01-15T10:00:00,25Z", utc(2026, 1, 15, 10, 0, 0, 250_000)),
        ("2026-01-15T10:00:00.123456789Z", utc(2026, 1, 15, 10, 0, 0, 123_456)),
        ("2026-01-15T10:00:00+02:00", utc(2026, 1, 15, 8)),
        ("2026-01-15T10:00:00-0330", utc(2026, 1, 15, 13, 30)),
        ("2026-01-15T10:00:00+14", utc(2026, 1, 14, 20)),
        ("2026-01-15T10:00:00+14:00", utc(2026, 1, 14, 20)),
        ("2016-12-31T23:59:60Z", utc(2017, 1, 1)),
        ("0001-01-01T00:00:00Z", utc(1, 1, 1)),
        ("9999-12-31T23:59:59.999999Z", utc(9999, 12, 31, 23, 59, 59, 999_999)),
        ("2026-10-25T02:30:00+01:00", utc(2026, 10, 25, 1, 30)),
        ("2026-10-25T02:30:00+02:00", utc(2026, 10, 25, 0, 30)),
    ],
)
def test_instants(text: str, instant: datetime) -> None:
    found = parse_time(text)
    assert found is not None
    assert (found.instant, found.naive, found.bracketed) == (instant, False, False)


def test_no_zone_is_taken_as_utc_and_noted() -> None:
    found = parse_time("2026-01-15T10:00:00.5")
    assert found is not None
    assert (found.instant, found.naive) == (utc(2026, 1, 15, 10, 0, 0, 500_000), True)


def test_a_zone_in_brackets_after_the_offset_is_noted() -> None:
    found = parse_time("2026-10-25T02:30:00Z[Europe/London]")
    assert found is not None
    assert (found.instant, found.bracketed) == (utc(2026, 10, 25, 2, 30), True)


@pytest.mark.parametrize(
    "text",
    [
        "", "yesterday", "1736935200", "1636646662.68", "2026-01-15", "2026-01-15T24:00:00Z", "2026-02-30T00:00:00Z",
        "2026-01-15T10:00:00+99:00", "2026-01-15T10:00:00+01:75", "0001-01-01T00:00:00+14:00",
        "9999-12-31T23:00:00-02:00",
        "2026-01-15T10:00:00[UTC]", "2026-01-15T10:00:00ZZ",
        "\u0662026-01-15T10:00:00Z", None, 1736935200, 1.5, [], "$now",
    ],
)  # fmt: skip
def test_what_is_no_instant(text: object) -> None:
    assert parse_time(text) is None
