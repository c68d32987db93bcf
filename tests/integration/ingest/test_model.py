"""The API's answers are those of an independent model of docs/merge.md, for small sets of events that meet.

`pytest tests/integration/ingest/test_model.py --hypothesis-profile=deep` tries some thousand sets more.
"""

import random
from datetime import datetime, timezone
from typing import Any

import asyncpg
import httpx
import orjson
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from lineal_receiver.ingest.persist import Vault

from .conftest import empty
from .model import Answers, expect
from .model_answers import Reader
from .model_events import event_sets, run_sets, static_sets
from .ways import keep

PROFILE = settings.default or settings()
EXAMPLES = PROFILE.max_examples if PROFILE.max_examples > 100 else 25


@pytest.fixture(scope="module")
def reader(http: httpx.AsyncClient) -> Reader:
    """Reads all that the model answers."""
    return Reader(http)


@settings(
    max_examples=EXAMPLES,
    phases=[Phase.explicit, Phase.reuse, Phase.generate],  # to shrink an example would take many minutes
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(events=run_sets | event_sets | static_sets, seed=st.integers(0, 99))
async def test_the_answers_are_those_of_the_rules(
    shared_pool: asyncpg.Pool, reader: Reader, events: list[dict[str, Any]], seed: int
) -> None:
    await empty(shared_pool)
    async with Vault(shared_pool) as vault:
        for event in random.Random(seed).sample(events, len(events)):
            await keep(vault, orjson.dumps(event))
    expected = expect(events, datetime.now(timezone.utc))
    assert find_differences(expected, await reader.read(expected)) == []


def find_differences(expected: Answers, found: Answers) -> list[str]:
    """Each value that isn't as expected."""
    return [
        f"{part} {key} {what}: expected {wanted!r}, answered {got!r}"
        for part, things in expected.items()
        for key in {**things, **found[part]}
        for what, wanted, got in _compare(things.get(key), found[part].get(key))
    ]


def _compare(expected: Any, found: Any) -> list[tuple[str, Any, Any]]:
    if not isinstance(expected, dict) or not isinstance(found, dict):
        return [] if expected == found else [("", expected, found)]
    known = {key for key in found if key in expected or not expected.get("only named")}
    return [
        (key, expected.get(key), found.get(key)) for key in {*expected, *known} if expected.get(key) != found.get(key)
    ]
