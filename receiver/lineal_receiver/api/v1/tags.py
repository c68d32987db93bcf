"""GET /api/v1/tags: the tags there are."""

from typing import Annotated, Any

from fastapi import Depends
from starlette.requests import Request
from starlette.responses import Response

from lineal_receiver.api.answers import answer
from lineal_receiver.api.queries import Page, page
from lineal_receiver.api.routing import read_router
from lineal_receiver.ids import tag_id
from lineal_receiver.store.read_snapshot import snapshot
from lineal_receiver.store.read_tags import TagRow, list_tags

router = read_router()

ALWAYS = {
    "PII": "Says something of a person.",
    "SENSITIVE": "Not for everybody to see.",
}
"""As in Marquez, the web page's menu isn't empty at first; a description that is put takes their place."""


def build_tag(row: TagRow) -> dict[str, Any]:
    """A tag as Marquez writes it."""
    return {"name": row.name, "description": row.description}


_SEEDS = [(tag_id(name), name, description) for name, description in ALWAYS.items()]


@router.get("/api/v1/tags")
async def list_all(request: Request, page: Annotated[Page, Depends(page)]) -> Response:
    """The tags, by name: those that were put, and those that were only used (Marquez's web page asks on every page)."""
    async with snapshot(request.app.state.pool) as connection:
        rows = await list_tags(connection, page.limit, page.offset, _SEEDS)
    return answer({"tags": [build_tag(row) for row in rows]})
