"""How values go to PostgreSQL and come back, where asyncpg's own way isn't ours."""

from datetime import date, datetime, timedelta, timezone
from functools import lru_cache

import asyncpg
import orjson

BEGIN = datetime(2000, 1, 1, tzinfo=timezone.utc)
FIRST_DAY = BEGIN.toordinal()
INFINITE_INSTANTS = {2**63 - 1: datetime.max, -(2**63): datetime.min}
INFINITE_DAYS = {2**31 - 1: date.max, -(2**31): date.min}


async def set_codecs(connection: asyncpg.Connection) -> None:
    """Read and write `json` and `jsonb` as Python values, and every instant of the years 1 to 9999 as itself.

    asyncpg takes the first and the last instant and day for minus infinity and infinity. Those come back as it gives
    them: as Python's least and greatest, without a zone.
    """
    for name in ("json", "jsonb"):
        await connection.set_type_codec(
            name,
            schema="pg_catalog",
            encoder=_encode_json,
            decoder=orjson.loads,
            format="text",
        )
    await connection.set_type_codec(
        "timestamptz", schema="pg_catalog", encoder=_encode_instant, decoder=_decode_instant, format="tuple"
    )
    await connection.set_type_codec(
        "date", schema="pg_catalog", encoder=_encode_day, decoder=_decode_day, format="tuple"
    )


def _encode_json(value: object) -> str:
    return orjson.dumps(value).decode()


def _encode_instant(instant: datetime) -> tuple[int]:
    passed = instant - BEGIN
    return ((passed.days * 86_400 + passed.seconds) * 1_000_000 + passed.microseconds,)


@lru_cache(maxsize=16_384)  # a run, its events and all that they tell are of one time, and are shown again and again
def _decode_instant(sent: tuple[int]) -> datetime:
    return INFINITE_INSTANTS.get(sent[0]) or BEGIN + timedelta(microseconds=sent[0])


def _encode_day(day: date) -> tuple[int]:
    return (day.toordinal() - FIRST_DAY,)


def _decode_day(sent: tuple[int]) -> date:
    return INFINITE_DAYS.get(sent[0]) or date.fromordinal(FIRST_DAY + sent[0])
