"""GET /api/v1/tags: the tags there are."""

from starlette.responses import Response

from lineal_receiver.api.answers import answer
from lineal_receiver.api.routing import read_router

router = read_router()


@router.get("/api/v1/tags")
async def list_all() -> Response:
    """The tags: none, for nothing can be tagged yet (Marquez's web page asks on every page)."""
    return answer({"tags": []})
