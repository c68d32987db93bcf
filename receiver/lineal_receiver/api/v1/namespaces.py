"""GET /api/v1/namespaces: the list, and one."""

from datetime import datetime, timezone
from typing import Annotated, Any

from fastapi import Depends
from starlette.requests import Request
from starlette.responses import Response

from lineal_receiver.api.answers import answer
from lineal_receiver.api.queries import Page, long_page
from lineal_receiver.api.refusals import not_found
from lineal_receiver.api.routing import read_router
from lineal_receiver.ids import namespace_id
from lineal_receiver.store.read_namespaces import NamespaceRow, fetch_namespaces, find_namespace
from lineal_receiver.store.read_snapshot import Connection, snapshot

router = read_router()

DEFAULT = "default"
ANONYMOUS = "anonymous"
DEFAULT_DESCRIPTION = "For what names no namespace of its own."


def build_namespace(row: NamespaceRow) -> dict[str, Any]:
    """A namespace as Marquez writes it."""
    return {
        "name": row.name,
        "createdAt": row.created_at,
        "updatedAt": row.updated_at,
        "ownerName": row.owner or ANONYMOUS,
        "description": row.description or (DEFAULT_DESCRIPTION if row.name == DEFAULT else None),
        "isHidden": row.hidden,
    }


async def fetch_namespace(connection: Connection, name: str) -> NamespaceRow:
    """The namespace called `name`, of which `default` always exists; 404 if nothing named it."""
    row = await find_namespace(connection, namespace_id(name))
    if row is None and name == DEFAULT:
        always = datetime.fromtimestamp(0, timezone.utc)
        return NamespaceRow(namespace_id(DEFAULT), DEFAULT, always, always)
    if row is None:
        raise not_found("Namespace", name)
    return row


@router.get("/api/v1/namespaces")
async def list_all(request: Request, page: Annotated[Page, Depends(long_page)]) -> Response:
    """The namespaces, by name."""
    async with snapshot(request.app.state.pool) as connection:
        always = (namespace_id(DEFAULT), DEFAULT)
        rows = await fetch_namespaces(connection, page.limit, page.offset, always)
    return answer({"namespaces": [build_namespace(row) for row in rows]}, cut=page.cut)


@router.get("/api/v1/namespaces/{namespace:segment}")
async def show(request: Request, namespace: str) -> Response:
    """One namespace."""
    async with snapshot(request.app.state.pool) as connection:
        return answer(build_namespace(await fetch_namespace(connection, namespace)))
