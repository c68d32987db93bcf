"""Routes that cut a path into segments before decoding these: `%2F` in a name doesn't cut, `+` is a plus."""

from collections.abc import Callable, Coroutine
from typing import Any
from urllib.parse import quote, unquote

import structlog
from fastapi import APIRouter
from fastapi.routing import APIRoute
from starlette.convertors import Convertor, register_url_convertor
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Match
from starlette.types import Scope

from lineal_receiver.api.answers import answer
from lineal_receiver.api.errors import build_error
from lineal_receiver.api.refusals import Refusal
from lineal_receiver.ingest.persist import StoreAway
from lineal_receiver.store.read_snapshot import ReadFailed

log = structlog.get_logger(__name__)

RETRY_SECONDS = 2
ABOVE_NAMES = ("v1/namespaces", "}/jobs", "}/datasets", "v1/sources", "/tags", "/fields")
"""Ends of routes below which a name follows: after a slash that is an empty name."""


class SegmentConvertor(Convertor[str]):
    """One segment of a path, decoded once; empty for an empty name."""

    regex = "[^/]*"

    def convert(self, value: str) -> str:
        """The name in a segment."""
        return unquote(value)

    def to_string(self, value: str) -> str:
        """The segment for a name."""
        return quote(value, safe="")


register_url_convertor("segment", SegmentConvertor())


class ReadRoute(APIRoute):
    """A route on the path as it was sent, which answers refusals."""

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        """Match the undecoded path; a slash at its end is let go (Marquez's web page asks for `/search/?q=`)."""
        raw = scope.get("raw_path")
        path = raw.decode("utf-8", "replace") if raw else scope["path"]
        match, found = super().matches({**scope, "path": path})
        if match is Match.NONE and path.endswith("/") and not self.path.endswith(ABOVE_NAMES):
            return super().matches({**scope, "path": path[:-1]})
        return match, found

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """The handler, with refusals as answers."""
        handle = super().get_route_handler()

        async def handle_refusals(request: Request) -> Response:
            try:
                return await handle(request)
            except Refusal as refusal:
                if request.url.path.startswith("/api/v2/") and refusal.media_type == "application/json":
                    said = refusal.body.get("message") or "; ".join(refusal.body["errors"])
                    return build_error(request, refusal.status, said)
                return answer(refusal.body, status=refusal.status, media_type=refusal.media_type)
            except (ReadFailed, StoreAway) as error:
                log.warning("request_failed", path=request.url.path, reason=error.reason)
                return build_error(request, 503, str(error), {"Retry-After": str(RETRY_SECONDS)})

        return handle_refusals


def read_router() -> APIRouter:
    """A router whose routes are ReadRoutes."""
    return APIRouter(route_class=ReadRoute)
