"""PUT a namespace."""

from starlette.requests import Request
from starlette.responses import Response

from lineal_receiver.api.answers import answer
from lineal_receiver.api.routing import read_router
from lineal_receiver.api.v1.namespaces import build_namespace, fetch_namespace
from lineal_receiver.api.v1.writes.body import read_name, read_object
from lineal_receiver.api.v1.writes.deleting import fetch_mark, keep_deletion
from lineal_receiver.api.v1.writes.keeping import keep
from lineal_receiver.ids import namespace_id
from lineal_receiver.store.read_newest import find_namespace_time
from lineal_receiver.store.read_snapshot import snapshot

router = read_router()


@router.delete("/api/v1/namespaces/{namespace:segment}")
async def delete(request: Request, namespace: str) -> Response:
    """Hide a namespace, and all its jobs and datasets, until an event names one anew; answers with how it was."""
    async with snapshot(request.app.state.pool) as connection:
        before = build_namespace(await fetch_namespace(connection, namespace))
        newest = await find_namespace_time(connection, namespace_id(namespace))
    await keep_deletion(request, newest, kind="namespace", namespace=namespace)
    return answer(before)


@router.put("/api/v1/namespaces/{namespace:segment}")
async def put(request: Request, namespace: str) -> Response:
    """Make a namespace, or say its owner and description anew (one that isn't told stays)."""
    read_name(namespace)
    body = await read_object(request)
    arguments = {
        "namespace": namespace,
        "owner": body.required("ownerName"),
        "description": body.text("description"),
    }
    body.check()
    await keep(request, "put_namespace", arguments, after=await fetch_mark(request, namespace_id(namespace)))
    async with snapshot(request.app.state.pool) as connection:
        return answer(build_namespace(await fetch_namespace(connection, namespace)))
