"""The message of a facet of which only the beginning was read."""

import json
from typing import Any

import pytest

from lineal_receiver.api.v2.complaints import find_message

FIRST = {"_producer": "https://example.com", "deep": {"message": "another", "more": [1, {"message": 2}]}}


def cut(facet: Any, most: int) -> str | None:
    return find_message(json.dumps(facet)[:most], most)


@pytest.mark.parametrize("indent", [None, 2])
def test_a_message_before_a_long_trace_is_whole(indent: int | None) -> None:
    body = json.dumps({**FIRST, "message": 'no "x"\n🕷', "stackTrace": "x" * 1_000}, indent=indent)
    assert find_message(body[:400], 400) == find_message(body, 100_000) == 'no "x"\n🕷'


def test_a_long_message_is_told_as_far_as_it_goes() -> None:
    said = '🕷"\\\n\x01ü' * 40
    body = json.dumps({"message": said})
    for most in range(14, len(body)):
        told = find_message(body[:most], most)
        assert told is not None
        assert said.startswith(told)
        assert len(json.dumps({"message": told})) >= most - 13


@pytest.mark.parametrize(
    "facet",
    [{"stackTrace": "x" * 100, "message": "m"}, {**FIRST, "message": 7}, {"deep": {"message": "m"}}, {}, "message"],
)
def test_without_a_message_there_is_none(facet: Any) -> None:
    body = json.dumps(facet)
    assert find_message(body[:60], min(60, len(body))) is None


def test_a_facet_that_is_nested_without_end_has_none() -> None:
    assert find_message('{"a": ' + "[" * 60_000, 60_006) is None
