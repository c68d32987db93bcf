"""Which methods a path may be asked by: what `Allow` says where another one was used (RFC 9110, 15.5.6)."""

from collections.abc import Iterable

from starlette.routing import BaseRoute, Match
from starlette.types import Scope

from lineal_receiver.api.lineage import BATCH, ONE

METHODS = ("GET", "HEAD", "POST", "PUT", "DELETE")


def find_methods(scope: Scope, routes: Iterable[BaseRoute]) -> list[str]:
    """The methods that a request's path takes, by a route or by the gate; none where nothing is there."""
    every = list(routes)
    found = {method for method in METHODS if any(_takes(route, scope, method) for route in every)}
    if scope["path"].rstrip("/") in (ONE, BATCH):
        found.add("POST")
    if "GET" in found:
        found.add("HEAD")
    return [method for method in METHODS if method in found]


def _takes(route: BaseRoute, scope: Scope, method: str) -> bool:
    return route.matches({**scope, "method": method})[0] is Match.FULL
