"""Answers of v2 that tests get are held against the API's description: nothing that isn't described may be in them."""

import re
from functools import cache
from typing import Any

import httpx
import jsonschema_rs

UNDESCRIBED = frozenset({304, 405})
"""Statuses without an answer of a route's own: nothing has changed, and what no route takes."""

Known = tuple[re.Pattern[str], str, dict[str, Any]]

_KNOWN: list["Answers"] = []


class Answers:
    """What is described of v2's answers, with every key that isn't forbidden."""

    def __init__(self, spec: dict[str, Any]) -> None:
        self._schemas = {name: close(schema) for name, schema in spec["components"]["schemas"].items()}
        bare = {path: operations for path, operations in spec["paths"].items() if path.startswith("/api/v2/")}
        self._routes: list[Known] = [
            (re.compile(re.sub(r"{\w+}", "[^/]+", path) + "$"), path, bare[path])
            for path in sorted(bare, key=lambda one: one.count("{"))
        ]
        self._compile = cache(self._compile_once)

    def find_route(self, method: str, path: str) -> tuple[str, dict[str, Any]] | None:
        """The path and the operation that a request is for."""
        for pattern, route, operations in self._routes:
            if pattern.match(path):
                return (route, operations[method]) if method in operations else None
        return None

    def list_faults(self, method: str, path: str, status: int, media: str, body: bytes) -> list[str]:
        """What of an answer isn't as described."""
        found = self.find_route(method, path)
        if found is None or status in UNDESCRIBED or status >= 500:
            return []
        route, operation = found
        described = operation["responses"].get(str(status))
        if described is None:
            return [f"{method} {route}: {status} isn't described"]
        if media not in described["content"]:
            return [f"{method} {route}: {media} isn't described of {status}"]
        if not media.endswith("/json") and not media.endswith("+json"):
            return []
        checker = self._compile(method, route, status, media)
        told = f"{method} {path} {status}"
        return [f"{told}: {fault.instance_path}: {fault.message}" for fault in checker.iter_errors(read(body))]

    def _compile_once(self, method: str, route: str, status: int, media: str) -> jsonschema_rs.Draft202012Validator:
        operations = next(one for _, path, one in self._routes if path == route)
        schema = operations[method]["responses"][str(status)]["content"][media]["schema"]
        whole = {**schema, "components": {"schemas": self._schemas}}
        return jsonschema_rs.Draft202012Validator(whole, validate_formats=True)


def close(schema: Any) -> Any:
    """The same where no object may have another key than those that are named."""
    if isinstance(schema, list):
        return [close(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    closed = {key: close(inside) for key, inside in schema.items()}
    return {**closed, "additionalProperties": False} if isinstance(schema.get("properties"), dict) else closed


def read(body: bytes) -> Any:
    """JSON as it is written."""
    return httpx.Response(200, content=body).json()


async def hold(response: httpx.Response) -> None:
    """Fail the test if an answer of v2 isn't as described; for the event hooks of a client."""
    request = response.request
    path = request.url.raw_path.decode().partition("?")[0]
    if not path.startswith("/api/v2/") or not _KNOWN:
        return
    media = response.headers.get("content-type", "").partition(";")[0]
    faults = _KNOWN[0].list_faults(request.method.lower(), path, response.status_code, media, await response.aread())
    assert faults == [], faults  # this module is not rewritten: the values are shown so


async def learn(http: httpx.AsyncClient) -> "Answers":
    """Read the description, once: it is the same of every receiver."""
    if not _KNOWN:
        _KNOWN.append(Answers((await http.get("/openapi.json")).json()))
    return _KNOWN[0]
