"""Every operation that is described takes whatever is sent: it is answered or refused as described, never a 5xx."""

import asyncio
import json
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode
from uuid import UUID

import httpx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lineal_receiver.app import create_app
from lineal_receiver.settings import Settings

from .test_v2_described import ODD, SPACE, TARGET, tell, texts

METHODS = ("get", "post", "put", "delete", "patch")
EXAMPLES = 8
"""Requests of each operation: some 650 in all."""

KNOWN = {
    "namespace": [SPACE, "jobs"],
    "name": [TARGET["name"], "shop.public.orders"],
    "dataset": [TARGET["name"], "shop.public.orders"],
    "job": ["revenue", "load"],
    "field": ["total", "amount"],
    "nodeId": [f"dataset:{SPACE}:{TARGET['name']}", "job:jobs:revenue", f"datasetField:{SPACE}:{TARGET['name']}:total"],
    "run": [str(UUID(int=number)) for number in (1, 2, 4)],
}
KNOWN |= {"id": KNOWN["run"], "runId": KNOWN["run"], "sourceName": KNOWN["name"], "toName": KNOWN["name"]}
SURELY = st.sampled_from(["application/json"] * 6 + ["application/json; charset=latin-1", "text/plain", ""])


async def describe() -> dict[str, Any]:
    """The description, which needs no database."""
    app = create_app(Settings(database_url="postgresql://nobody@127.0.0.1/none", data_dir=Path("/nonexistent")))
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://receiver") as http:
        paths: dict[str, Any] = (await http.get("/openapi.json")).json()["paths"]
        return paths


def list_operations() -> list[tuple[str, str, dict[str, Any]]]:
    """Method, path and description of each."""
    paths = asyncio.run(describe())
    return [
        (method, path, paths[path][method]) for path in sorted(paths) for method in METHODS if method in paths[path]
    ]


OPERATIONS = list_operations()


def values(name: str, schema: dict[str, Any]) -> st.SearchStrategy[str]:
    """Texts for a parameter: of its kind, what there is, and what nobody would send."""
    kinds = {one.get("type") for one in (schema, *schema.get("anyOf", ()), schema.get("items", {}))}
    given = [st.sampled_from(list(map(str, schema["enum"])))] if "enum" in schema else []
    given += [st.integers().map(str)] if kinds & {"integer", "number"} else []
    given += [st.sampled_from(KNOWN[name])] * 3 if name in KNOWN else []
    return st.one_of(*given, texts, st.sampled_from(ODD))


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | texts,
    lambda inside: st.lists(inside, max_size=3) | st.dictionaries(texts, inside, max_size=3),
    max_leaves=6,
)


@st.composite
def bodies(draw: st.DrawFn, example: Any) -> bytes:
    """What is described, what is like it but for one value, any JSON, or any bytes."""
    way = draw(st.sampled_from(("example", "changed", "changed", "changed", "any", "bytes")))
    if way == "bytes":
        return draw(
            st.binary(max_size=20) | st.sampled_from([b"", b"{", b"[" * 5_000, b'"\\ud800"', b"\xef\xbb\xbf{}"])
        )
    if way == "any":
        return json.dumps(draw(anything)).encode()
    body = json.loads(json.dumps(example))
    if way == "changed":
        change(draw, body)
    return json.dumps(body).encode()


def change(draw: st.DrawFn, body: Any) -> None:
    """Put something else somewhere inside, take it away, or add to it."""
    while isinstance(body, dict | list) and body:
        keys = list(body) if isinstance(body, dict) else list(range(len(body)))
        key = draw(st.sampled_from(keys))
        inside = body[key]
        if isinstance(inside, dict | list) and inside and draw(st.booleans()):
            body = inside
            continue
        if draw(st.integers(0, 3)):
            body[key] = draw(anything)
        elif isinstance(body, dict):
            del body[key]
            body[draw(texts)] = draw(anything)
        return


@pytest.fixture(scope="module")
async def told(shared: Any) -> Any:
    await tell(shared)
    return shared


@pytest.mark.parametrize(
    ("method", "path", "operation"), OPERATIONS, ids=[f"{method} {path}" for method, path, _ in OPERATIONS]
)
@settings(max_examples=EXAMPLES, suppress_health_check=list(HealthCheck))
@given(data=st.data())
async def test_it_is_answered_or_refused(
    told: Any, method: str, path: str, operation: dict[str, Any], data: st.DataObject
) -> None:
    query: list[tuple[str, str]] = []
    for parameter in operation.get("parameters", ()):
        name, schema = parameter["name"], parameter.get("schema", {})
        if parameter["in"] == "path":
            path = path.replace(f"{{{name}}}", quote(data.draw(values(name, schema).filter(bool)), safe=""))
        elif parameter["in"] == "query" and (parameter.get("required") or data.draw(st.booleans())):
            most = 3 if schema.get("type") == "array" else 1
            query += [(name, text) for text in data.draw(st.lists(values(name, schema), min_size=1, max_size=most))]
    headers, content = {}, None
    if "requestBody" in operation:
        (described,) = operation["requestBody"]["content"].values()
        headers["Content-Type"], content = data.draw(SURELY), data.draw(bodies(described.get("example", {})))
    asked = f"{path}?{urlencode(query)}" if query else path
    response = await told.http.request(method, asked, content=content, headers=headers)
    status = response.status_code
    assert status < 500, (method, asked, content, response.text)
    if status >= 400 and path.startswith("/api/"):
        keys = response.json().keys()
        described = [{"type", "title", "status", "detail"}] if "/api/v2/" in path else [{"code", "message"}, {"errors"}]
        assert any(keys >= one for one in described), (method, asked, response.text)
