"""A receiver on a fresh database, and events to send it."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit, urlunsplit
from uuid import UUID, uuid4

import asyncpg
import httpx
import pytest

from lineal_receiver.app import create_app
from lineal_receiver.postgres.pool import connect
from lineal_receiver.settings import Settings

from .described import hold, learn

NOON = datetime(2026, 3, 2, 12, 0, tzinfo=timezone.utc)
PRODUCER = "https://example.com/tests"


def stamp(facets: dict[str, Any] | None) -> dict[str, Any]:
    """Facets with what each must have."""
    base = {"_producer": PRODUCER, "_schemaURL": "https://example.com/Facet.json"}
    return {name: {**base, **body} for name, body in (facets or {}).items()}


def path(*segments: str) -> str:
    """A path under /api/v1, each segment escaped."""
    return "/api/v1/" + "/".join(quote(segment, safe="") for segment in segments)


def dataset(
    name: str,
    fields: str | None = None,
    *,
    lineage: dict[str, Any] | None = None,
    facets: dict[str, Any] | None = None,
    namespace: str = "data",
    **extra: dict[str, Any],
) -> dict[str, Any]:
    """A dataset with a schema ("a b" for fields a and b) and column lineage ({"a": ["source.a"]})."""
    found = dict(facets or {})
    if fields is not None:
        found["schema"] = {"fields": [{"name": field, "type": "INT"} for field in fields.split()]}
    if lineage is not None:
        found["columnLineage"] = {
            "fields": {
                field: {
                    "inputFields": [
                        {"namespace": namespace, "name": source.rpartition(".")[0], "field": source.rpartition(".")[2]}
                        for source in sources
                    ]
                }
                for field, sources in lineage.items()
            }
        }
    return {
        "namespace": namespace,
        "name": name,
        "facets": stamp(found),
        **{key: stamp(body) for key, body in extra.items()},
    }


class Client:
    """Asks the receiver, and tells it of runs."""

    dataset = staticmethod(dataset)
    path = staticmethod(path)
    noon = NOON

    def __init__(self, http: httpx.AsyncClient) -> None:
        self.http = http

    async def get(self, path: str, status: int = 200, **query: Any) -> Any:
        """The JSON that a GET answers with this status."""
        response = await self.http.get(path, params=query or None)
        assert response.status_code == status, response.text
        return response.json()

    async def post(self, event: dict[str, Any]) -> None:
        """Send an event that is taken."""
        response = await self.http.post("/api/v1/lineage", json=event)
        assert response.status_code == 201, response.text

    async def run(
        self,
        job: str,
        run: int | UUID,
        *,
        event: str = "COMPLETE",
        at: float = 0,
        inputs: list[dict[str, Any]] | None = None,
        outputs: list[dict[str, Any]] | None = None,
        facets: dict[str, Any] | None = None,
        job_facets: dict[str, Any] | None = None,
        namespace: str = "jobs",
    ) -> str:
        """Send an event of a run, `at` seconds after noon; gives the run's id."""
        run_id = str(run if isinstance(run, UUID) else UUID(int=run))
        await self.post(
            {
                "eventType": event,
                "eventTime": (NOON + timedelta(seconds=at)).isoformat(),
                "run": {"runId": run_id, "facets": stamp(facets)},
                "job": {"namespace": namespace, "name": job, "facets": stamp(job_facets)},
                "inputs": inputs or [],
                "outputs": outputs or [],
                "producer": PRODUCER,
                "schemaURL": "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunEvent",
            }
        )
        return run_id


@pytest.fixture(scope="module")
async def shared(server_url: str, template: str, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Client]:
    """A client of an empty receiver, for tests that only ask."""
    async with copied(server_url, template) as url:
        settings = Settings(database_url=url, data_dir=tmp_path_factory.mktemp("data"))
        async with open_client(create_app(settings)) as client:
            yield client


@pytest.fixture
async def client(pool: asyncpg.Pool, database_url: str, tmp_path: Path) -> AsyncIterator[Client]:
    """A client of a running receiver."""
    async with open_client(create_app(Settings(database_url=database_url, data_dir=tmp_path), pool)) as client:
        yield client


@asynccontextmanager
async def open_client(app: Any) -> AsyncIterator[Client]:
    async with (
        running(app),
        httpx.AsyncClient(
            transport=httpx.ASGITransport(app), base_url="http://receiver", event_hooks={"response": [hold]}
        ) as http,
    ):
        await learn(http)
        yield Client(http)


@asynccontextmanager
async def copied(server_url: str, template: str) -> AsyncIterator[str]:
    """A copy of the migrated database that lives as long as the block."""
    name = f"lineal_shared_{uuid4().hex[:12]}"
    connection = await connect(server_url)
    try:
        await connection.execute(f'create database "{name}" template "{template}"')
        yield urlunsplit(urlsplit(server_url)._replace(path=f"/{name}"))
        await connection.execute(f'drop database "{name}" with (force)')
    finally:
        await connection.close()


@asynccontextmanager
async def running(app: Any) -> AsyncIterator[None]:
    """The application between its startup and its shutdown."""
    inbox: asyncio.Queue[dict[str, str]] = asyncio.Queue()
    outbox: asyncio.Queue[dict[str, str]] = asyncio.Queue()
    serving = asyncio.create_task(app({"type": "lifespan", "asgi": {"version": "3.0"}}, inbox.get, outbox.put))
    await inbox.put({"type": "lifespan.startup"})
    assert (await outbox.get())["type"] == "lifespan.startup.complete"
    try:
        yield
    finally:
        await inbox.put({"type": "lifespan.shutdown"})
        await serving
