"""Whether the process lives, and whether it can take and answer."""

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse

from lineal_receiver.store.read_health import ping

router = APIRouter()


@router.get("/healthz")
async def healthz() -> JSONResponse:
    """200 as long as the process answers."""
    return JSONResponse({"status": "ok"})


@router.get("/readyz")
async def readyz(request: Request) -> JSONResponse:
    """200 if PostgreSQL answers, else 503."""
    reason = await ping(request.app.state.pool)
    if reason is None:
        return JSONResponse({"status": "ready"})
    return JSONResponse({"status": "not ready", "reason": reason}, status_code=503, headers={"Retry-After": "2"})
