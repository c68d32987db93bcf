"""PUT a data source."""

from starlette.requests import Request
from starlette.responses import Response

from lineal_receiver.api.answers import answer
from lineal_receiver.api.routing import read_router
from lineal_receiver.api.v1.sources import build_source, fetch_source
from lineal_receiver.api.v1.writes.body import read_name, read_object
from lineal_receiver.api.v1.writes.keeping import keep
from lineal_receiver.store.read_snapshot import snapshot

router = read_router()


@router.put("/api/v1/sources/{name:segment}")
async def put(request: Request, name: str) -> Response:
    """Make a source, or say anew what it is."""
    read_name(name)
    body = await read_object(request)
    arguments = {
        "name": name,
        "type": body.required("type").upper(),
        "url": body.required("connectionUrl"),
        "description": body.text("description"),
    }
    body.check()
    await keep(request, "put_source", arguments)
    async with snapshot(request.app.state.pool) as connection:
        return answer(build_source(await fetch_source(connection, name)))
