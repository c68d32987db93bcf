"""v2's description leaves no route out, and what holds answers against it finds what differs."""

from typing import Any

import httpx
import pytest

from lineal_receiver.api.routes_described import build_schemas
from lineal_receiver.api.v2.answers_described import ANSWERS, NOUNS, build_answer_schemas

from .described import Answers, close, hold
from .test_v2_described import TARGET, tell

JSON = "application/json"


async def test_every_route_of_v2_says_which_noun_it_answers_with(shared: Any) -> None:
    spec = await shared.get("/openapi.json")
    paths = {path: operations for path, operations in spec["paths"].items() if path.startswith("/api/v2/")}
    assert {(method, path) for path, operations in paths.items() for method in operations} == set(ANSWERS)
    for method, path in ANSWERS:
        good = [(status, one) for status, one in paths[path][method]["responses"].items() if status < "300"]
        assert good, (method, path)
        for _, answer in good:
            for content in answer["content"].values():
                assert content["schema"] != {"type": "object"} or path.endswith("/body"), (method, path)


def test_nouns_of_v1_and_v2_have_names_of_their_own() -> None:
    assert build_schemas().keys() & build_answer_schemas().keys() == set()


def test_every_key_of_every_noun_is_explained() -> None:
    unexplained = [
        f"{noun}.{key}" for noun, shape in NOUNS.items() for key, told in shape.items() if not told.partition(": ")[2]
    ]
    assert unexplained == []


async def test_examples_are_as_described(shared: Any) -> None:
    spec = await shared.get("/openapi.json")
    answers, faults = Answers(spec), []
    for method, path in ANSWERS:
        for status, answer in spec["paths"][path][method]["responses"].items():
            for media, content in answer["content"].items():
                if "example" not in content:
                    continue  # another format of the same
                body = httpx.Response(200, json=content["example"]).content
                faults += answers.list_faults(method, path.format(id="x", run="x"), int(status), media, body)
    assert faults == []


@pytest.fixture
async def answers(shared: Any) -> Answers:
    return Answers(await shared.get("/openapi.json"))


LINT = "/api/v2/alias/lint"


@pytest.mark.parametrize(
    ("status", "media", "body", "said"),
    [
        (200, JSON, b'{"likely": []}', None),
        (200, JSON, b'{"likely": [], "more": 1}', "'more' was unexpected"),
        (200, JSON, b"{}", '"likely" is a required property'),
        (200, JSON, b'{"likely": [{"kind": "x"}]}', '"x" is not one of'),
        (200, "application/ld+json", b"{}", "isn't described of 200"),
        (418, JSON, b"{}", "418 isn't described"),
    ],
)
def test_what_differs_is_found(answers: Answers, status: int, media: str, body: bytes, said: str | None) -> None:
    faults = answers.list_faults("get", LINT, status, media, body)
    assert faults == [] if said is None else any(said in fault for fault in faults)


async def test_a_client_of_the_tests_holds_what_it_gets_against_it(client: Any) -> None:
    await tell(client)
    assert (await client.get("/api/v2/lineage", **TARGET))["columnEdges"]
    assert client.http.event_hooks["response"] == [hold]
    request = httpx.Request("GET", f"http://receiver{LINT}")
    with pytest.raises(AssertionError):
        await hold(httpx.Response(200, request=request, json={"likely": [], "more": 1}))


def test_objects_inside_of_lists_and_unions_are_closed() -> None:
    inner = {"type": "object", "properties": {"a": {}}}
    closed = {**inner, "additionalProperties": False}
    assert close({"anyOf": [inner, {"type": "array", "items": inner}]}) == {
        "anyOf": [closed, {"type": "array", "items": closed}]
    }
    assert close({"type": "object", "additionalProperties": {"type": "integer"}}) == {
        "type": "object", "additionalProperties": {"type": "integer"},
    }  # fmt: skip
