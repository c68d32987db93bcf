"""The API's answers are those of the rules, folded without a store: runs, and tables whose names change.

`pytest tests/integration/ingest/test_as_the_rules_say.py --hypothesis-profile=explore` tries others each time.
"""

import random
from datetime import datetime
from typing import Any

import asyncpg
import httpx
import orjson
from hypothesis import HealthCheck, Phase, example, given, settings
from hypothesis import strategies as st

from lineal_receiver.ingest.persist import Vault

from .conftest import empty
from .events import dataset, dataset_event, run_event, schema
from .rules import State
from .rules_events import TABLES, renamed, sets
from .ways import keep

PROFILE = settings.default or settings()
EXAMPLES = PROFILE.max_examples if PROFILE.max_examples > 100 else 15
SPACE = "postgres://db.example:5432"


def _wrote(minute: int, run: int, name: str, **facets: Any) -> dict[str, Any]:
    return run_event("COMPLETE", minute, run, outputs=[dataset(name, **facets)])


STATED = _wrote(1, 1, "c", schema=schema("z"))
MADE_ANEW = [STATED, _wrote(2, 2, "b", lifecycleStateChange=renamed("c")), _wrote(7, 3, "c")]
REPLACED = [STATED, _wrote(2, 2, "c", lifecycleStateChange=renamed("a"))]
DECLARED = [
    dataset_event(1, dataset("c", schema=schema("z"))),
    dataset_event(2, dataset("b", lifecycleStateChange=renamed("c"))),
    dataset_event(7, dataset("c")),
]


@example(events=MADE_ANEW, seed=0)  # c is something else now, of which no columns are known
@example(events=REPLACED, seed=0)  # so is this: what took c's place was never written
@example(events=DECLARED, seed=0)  # b is what c was, though c was named again
@settings(
    max_examples=EXAMPLES,
    phases=[Phase.explicit, Phase.reuse, Phase.generate],
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(events=sets, seed=st.integers(0, 99))
async def test_the_answers_are_as_the_rules_say(
    shared_pool: asyncpg.Pool, http: httpx.AsyncClient, events: list[dict[str, Any]], seed: int
) -> None:
    await empty(shared_pool)
    async with Vault(shared_pool) as vault:
        for event in random.Random(seed).sample(events, len(events)):
            await keep(vault, orjson.dumps(event))
    assert await find_differences(http, State(events)) == []


async def find_differences(http: httpx.AsyncClient, state: State) -> list[str]:
    wrong = []
    listed = (await get(http, "/api/v2/runs", limit=1000))["runs"]
    answered = {(run["job"]["name"], run["runId"]): read_run(run) for run in listed if not run["onlyNamed"]}
    expected = {key: state.expect_run(run) for key, run in state.runs.items()}
    for key in {*expected, *answered}:
        wrong += compare(f"run {key}", expected.get(key), answered.get(key))
    for name in TABLES:
        found = await read_table(http, name)
        if found is not None:
            wrong += compare(f"table {name}", state.expect_table(name), found)
    return wrong


def compare(of: str, expected: dict[str, Any] | None, found: dict[str, Any] | None) -> list[str]:
    if expected is None or found is None:
        return [f"{of}: {expected} {found}"]
    return [
        f"{of} {key}: expected {expected[key]!r}, answered {found[key]!r}"
        for key in expected
        if expected[key] != found[key]
    ]


async def get(http: httpx.AsyncClient, path: str, **query: Any) -> Any:
    response = await http.get(path, params=query)
    assert response.status_code in (200, 404), response.text
    return response.json() if response.status_code == 200 else None


def read_run(run: dict[str, Any]) -> dict[str, Any]:
    return {
        "state": run["state"],
        "started": time(run["startedAt"]),
        "ended": time(run["endedAt"]),
        "duration": None if run["durationMs"] is None else run["durationMs"] / 1000,
        "parent": run["parent"] and (run["parent"]["job"]["name"], run["parent"]["runId"]),
    }


def time(text: str | None) -> datetime | None:
    return datetime.fromisoformat(text) if text else None


async def read_table(http: httpx.AsyncClient, name: str) -> dict[str, Any] | None:
    table = await get(http, f"/api/v1/namespaces/{SPACE.replace('/', '%2F').replace(':', '%3A')}/datasets/{name}")
    graph = await get(
        http, "/api/v2/lineage", namespace=SPACE, name=name, direction="upstream", depth=1, withRows="true"
    )
    if table is None or graph is None:
        return None
    called = {one["id"]: one["name"] for one in (*graph["datasets"], *graph["jobs"])}
    target = graph["target"]["id"]
    return {
        "deleted": table["deleted"],
        "target": graph["target"]["name"],
        "fields": sorted(one["name"] for one in table["fields"]),
        "tables": sorted(
            (called.get(e["source"], ""), called.get(e["job"], ""), called[e["target"]])
            for e in graph["tableEdges"]
            if e["target"] == target
        ),
        "columns": sorted(
            (called[e["source"]["dataset"]], e["source"]["field"], e["target"]["field"] or "", called.get(e["job"], ""))
            for e in graph["columnEdges"]
            if e["target"]["dataset"] == target
        ),
        "statuses": {
            column["name"]: column["status"]
            for one in graph["datasets"]
            if one["id"] == target
            for column in one["columns"]
        },
    }
