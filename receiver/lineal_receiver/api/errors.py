"""Errors that no route answers itself: v1 in Marquez's shape, v2 as RFC 9457, never a traceback."""

from http import HTTPStatus

import structlog
from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException
from starlette.requests import Request

from lineal_receiver.api.methods import find_methods

log = structlog.get_logger(__name__)


def install_handlers(app: FastAPI) -> None:
    """Answer what goes wrong in any route of this application."""
    app.add_exception_handler(HTTPException, _http)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(Exception, _unexpected)


async def _http(request: Request, error: Exception) -> JSONResponse:
    if not isinstance(error, HTTPException):
        raise error
    status, headers = error.status_code, dict(error.headers or {})
    if status in {HTTPStatus.NOT_FOUND, HTTPStatus.METHOD_NOT_ALLOWED}:  # no route took it, or not by this method
        methods = find_methods(request.scope, request.app.routes)
        if methods:
            status, headers = HTTPStatus.METHOD_NOT_ALLOWED, {**headers, "Allow": ", ".join(methods)}
    return build_error(request, status, f"HTTP {status} {HTTPStatus(status).phrase}", headers)


async def _invalid(request: Request, error: Exception) -> JSONResponse:
    if not isinstance(error, RequestValidationError):
        raise error
    first = error.errors()[0]
    return build_error(request, 400, f"{'.'.join(map(str, first['loc']))}: {first['msg']}")


async def _unexpected(request: Request, error: Exception) -> JSONResponse:
    log.error("request_failed", path=request.url.path, exc_info=error)
    closed = {"connection": "close"}  # as the server does with it once the error has been raised again
    return build_error(request, 500, "a fault of the server; its log says more", closed)


def build_error(request: Request, status: int, message: str, headers: dict[str, str] | None = None) -> JSONResponse:
    """An error in the shape that the path's version of the API has."""
    if request.url.path.startswith("/api/v2/"):
        body = {"type": "about:blank", "title": HTTPStatus(status).phrase, "status": status, "detail": message}
        return JSONResponse(body, status, headers, media_type="application/problem+json")
    return JSONResponse({"code": status, "message": message}, status, headers)
