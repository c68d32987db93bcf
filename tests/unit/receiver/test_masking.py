"""What is masked of a JSON value: a text wherever it stands, however it is spelled; or all at some places."""

import json
from typing import Any

import orjson
import pytest

from lineal_receiver.errors import CommandRefused
from lineal_receiver.ingest.canonical import MAX_DEPTH
from lineal_receiver.ingest.redaction.masking import (
    mask_everywhere,
    mask_places,
    read_pointers,
    read_text,
    write_json,
)


@pytest.mark.parametrize(
    ("text", "value", "masked"),
    [
        ("hunter2", {"a": "my hunter2, hunter2!"}, {"a": "my ***, ***!"}),
        ("hunter2", {"x_hunter2": {"hunter2": ["hunter2", {"y": "hunter2"}]}},
         {"x_***": {"***": ["***", {"y": "***"}]}}),
        ("4711", {"a": 4711, "b": [4711.0, 14711, True, None], "c": "no 4711"},
         {"a": "***", "b": [4711.0, 14711, True, None], "c": "no ***"}),
        ("ab***", {"a": "abab***"}, {"a": "***"}),
        ("hunter2", {"a": "Hunter2 hunter 2"}, {"a": "Hunter2 hunter 2"}),
    ],
)  # fmt: skip
def test_a_text_is_masked_wherever_it_stands(text: str, value: Any, masked: Any) -> None:
    before = orjson.dumps(value)
    found, changed = mask_everywhere(value, read_text(text).mask)
    assert (found, changed) == (masked, orjson.dumps(masked) != before)


def test_a_text_is_masked_as_deep_as_events_go() -> None:
    value: Any = "hunter2"
    for _ in range(MAX_DEPTH - 1):
        value = {"a": value}
    found, changed = mask_everywhere(value, read_text("hunter2").mask)
    assert changed
    assert b"hunter2" not in write_json(found)
    assert write_json(found).count(b"{") == MAX_DEPTH - 1


@pytest.mark.parametrize("text", ["pa/ss", 'pa"ss', "pa\\ss", "pa\nss", "pä\N{GRINNING FACE}ss", "pass"])
def test_a_text_is_found_in_whatever_way_json_spells_it(text: str) -> None:
    plain = json.dumps({"a": text}, ensure_ascii=False)
    ways = [
        plain,
        json.dumps({"a": text}),
        plain.replace("/", "\\/"),
        '{"a": "' + "".join(f"\\u{unit:04X}" for unit in _units(text)) + '"}',
        '{"a": "' + "".join(f"\\u{unit:04x}" for unit in _units(text)) + '"}',
    ]
    wanted = read_text(text)
    for way in ways:
        assert json.loads(way) == {"a": text}
        assert wanted.is_in(way.encode())
        assert wanted.spelled.sub(b"***", way.encode()) == b'{"a": "***"}'
    assert not wanted.is_in(b'{"a": "pas"}')


def _units(text: str) -> list[int]:
    units = text.encode("utf-16-be")
    return [int.from_bytes(units[at : at + 2], "big") for at in range(0, len(units), 2)]


def test_all_that_stands_at_a_place_is_masked_and_its_shape_stays() -> None:
    value = {"a/b": {"c": [1, "x", None, True, {"k~y": "z"}]}, "d": "e"}
    found, changed = mask_places(value, read_pointers(["/a~1b/c"]))
    assert (found, changed) == ({"a/b": {"c": ["***", "***", None, True, {"k~y": "***"}]}, "d": "e"}, True)
    assert mask_places(found, read_pointers(["/a~1b/c/4/k~0y", "/a~1b/c/3"])) == (found, False)


@pytest.mark.parametrize("pointer", ["/none", "/d/e", "/a/1", "/a/01x", "/a/-"])
def test_a_place_that_there_isnt_is_refused(pointer: str) -> None:
    with pytest.raises(CommandRefused, match="nothing at"):
        mask_places({"a": [1], "d": "e"}, (pointer,))
