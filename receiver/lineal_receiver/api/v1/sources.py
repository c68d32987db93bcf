"""GET /api/v1/sources: the data sources that datasets name, and how many there were."""

from dataclasses import dataclass
from datetime import datetime, timezone
from typing import Annotated, Any

from fastapi import Depends
from starlette.requests import Request
from starlette.responses import Response

from lineal_receiver.api.answers import answer, read_object
from lineal_receiver.api.queries import Page, page
from lineal_receiver.api.refusals import not_found
from lineal_receiver.api.routing import read_router
from lineal_receiver.store.read_snapshot import Connection, snapshot
from lineal_receiver.store.read_sources import fetch_sources, list_put_sources

router = read_router()

DEFAULT = "default"
EPOCH = datetime.fromtimestamp(0, timezone.utc)


@dataclass(slots=True)
class Source:
    """A data source: the facets of its name taken together."""

    name: str
    url: str
    created_at: datetime
    updated_at: datetime
    type: str | None = None
    description: str | None = None


async def list_sources(connection: Connection) -> list[Source]:
    """The sources by name: as they were put, else as facets say; of several URLs for a name the last that came up."""
    sources: dict[str, Source] = {}
    for row in await fetch_sources(connection):
        body = read_object(row.body)
        name, url = body.get("name"), body.get("uri")
        name = name if isinstance(name, str) and name else url
        if not isinstance(name, str):
            continue
        known = sources.setdefault(name, Source(name, "", row.created_at, row.created_at))
        known.url, known.updated_at = (url if isinstance(url, str) else known.url), row.created_at
    for put in await list_put_sources(connection):
        known = sources.setdefault(put.name, Source(put.name, "", put.created_at, put.updated_at))
        known.url, known.type, known.description = put.url, put.type, put.description
        known.created_at = min(known.created_at, put.created_at)
        known.updated_at = max(known.updated_at, put.updated_at)
    return sorted(sources.values(), key=lambda source: source.name)


def build_source(source: Source) -> dict[str, Any]:
    """A source as Marquez writes it; Marquez calls all of them POSTGRESQL, we go by the URL."""
    scheme = source.url.removeprefix("jdbc:").partition(":")[0]
    return {
        "type": source.type or ("POSTGRESQL" if scheme == "postgres" else scheme.upper() or "UNKNOWN"),
        "name": source.name,
        "createdAt": source.created_at,
        "updatedAt": source.updated_at,
        "connectionUrl": source.url,
        "description": source.description,
    }


@router.get("/api/v1/sources")
async def list_all(request: Request, page: Annotated[Page, Depends(page)]) -> Response:
    """The sources, by name."""
    async with snapshot(request.app.state.pool) as connection:
        sources = await list_sources(connection)
    rows = [build_source(row) for row in sources[page.offset : page.offset + page.limit]]
    return answer({"sources": rows}, cut=page.cut)


@router.get("/api/v1/sources/{name:segment}")
async def show(request: Request, name: str) -> Response:
    """One source."""
    async with snapshot(request.app.state.pool) as connection:
        return answer(build_source(await fetch_source(connection, name)))


async def fetch_source(connection: Connection, name: str) -> Source:
    """The source of this name, of which `default` (that of datasets that name none) always exists; 404 for others."""
    for source in await list_sources(connection):
        if source.name == name:
            return source
    if name == DEFAULT:
        return Source(DEFAULT, "", EPOCH, EPOCH)
    raise not_found("Source", name)
