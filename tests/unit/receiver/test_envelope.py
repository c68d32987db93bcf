"""Envelopes: strict JSON, odd bodies told apart, content ids that don't depend on spelling."""

import json
import os
import subprocess
import sys
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lineal_receiver.ingest.canonical import MAX_DEPTH, write_canonical
from lineal_receiver.ingest.envelope import (
    DUPLICATE_KEYS,
    HUGE_NUMBER,
    UNSTORABLE_TEXT,
    UnreadableError,
    open_envelope,
)

FACET = '{"_producer": "p", "_schemaURL": "s", "n": 1.50, "text": "a:b"}'
BODY = (
    f'{{"eventTime": "2026-01-01T00:00:00Z", "run": {{"runId": "r", "facets": {{"f": {FACET}}}}}, '
    f'"job": {{"namespace": "n", "name": "j"}}, '
    f'"inputs": [{{"namespace": "w", "name": "t", "facets": {{"g": {FACET}}}}}]}}'
)


def identity(text: str) -> bytes:
    return open_envelope(text.encode()).id


def test_spacing_and_key_order_do_not_matter() -> None:
    compact = json.dumps(json.loads(BODY), separators=(",", ":"), sort_keys=True).replace("1.5", "1.50")
    assert identity(compact) == identity(BODY)


def test_escapes_do_not_matter() -> None:
    assert identity(BODY.replace('"a:b"', '"\\u0061:b"')) == identity(BODY)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("1.50", "1.5"),  # numbers count as they are written
        ("1.50", "12345678901234567890123"),
        ("a:b", "a:c"),
        ('"j"', '"k"'),
        ('"g"', '"h"'),
        ('"text"', '"Text"'),
    ],
)
def test_other_content_is_another_event(old: str, new: str) -> None:
    assert identity(BODY.replace(old, new)) != identity(BODY)


def test_numbers_beyond_64_bits_are_told_apart() -> None:
    first, second = BODY.replace("1.50", "12345678901234567890123"), BODY.replace("1.50", "12345678901234567890124")
    assert identity(first) != identity(second)


def test_facets_stand_apart_with_their_place() -> None:
    envelope = open_envelope(BODY.encode())
    assert [(f.entity, f.key, f.pointer) for f in envelope.facets] == [
        ("run", "f", "/run/facets/f"),
        ("dataset", "g", "/inputs/0/facets/g"),
    ]
    assert envelope.facets[0].id == envelope.facets[1].id
    assert envelope.core["run"]["facets"] == {"f": {"_producer": "p", "_schemaURL": "s"}}
    assert envelope.event["run"]["facets"]["f"]["n"] == 1.5
    assert envelope.body == BODY.encode()


def test_a_null_facet_is_only_noted() -> None:
    envelope = open_envelope(BODY.replace(FACET, "null", 1).encode())
    assert envelope.null_facets == {"/run/facets/f": ("run", "f")}
    assert [f.pointer for f in envelope.facets] == ["/inputs/0/facets/g"]


@pytest.mark.parametrize(
    "body",
    [
        BODY.replace('"runId": "r"', '"runId": "q", "runId": "r"'),
        BODY.replace('"n": 1.50', '"n": 2, "n": 1.50'),
        BODY.replace('"name": "j"', '"na\\u003ame": 1, "na\\u003ame": 2, "name": "j"'),
    ],
)
def test_of_a_key_said_twice_the_last_counts_and_is_flagged(body: str) -> None:
    envelope = open_envelope(body.encode())
    assert envelope.flags & DUPLICATE_KEYS
    assert envelope.event["run"]["runId"] == "r"


def test_colons_in_text_are_no_duplicate_keys() -> None:
    assert open_envelope(BODY.replace('"a:b"', '"::: \\":\\" \\u003a"').encode()).flags == 0


@pytest.mark.parametrize(
    ("text", "kept"), [("\\u0000", "\\u0000"), ("\\ud800", "\\ud800"), ("\\udc00 \\u0000", "\\udc00 \\u0000")]
)
def test_text_that_postgres_cannot_hold_is_written_out(text: str, kept: str) -> None:
    body = BODY.replace("a:b", f"a{text}b")
    envelope = open_envelope(body.encode())
    assert envelope.flags & UNSTORABLE_TEXT
    assert envelope.event["run"]["facets"]["f"]["text"] == f"a{kept}b"
    assert envelope.body == body.encode()
    assert identity(body) != identity(BODY.replace("a:b", f"a{text}b".replace("\\", "\\\\")))


@pytest.mark.parametrize(
    ("number", "kept"),
    [
        ("1e400", 1.7976931348623157e308),
        ("-1.5E+309", -1.7976931348623157e308),
        ("1" + "0" * 5000, 1.7976931348623157e308),
        ("1e-400", 0.0),
    ],
)
def test_numbers_that_no_double_can_be_are_written_as_the_greatest(number: str, kept: float) -> None:
    text = f'{{"a": [{number}], "b": "1e400, \\"2e400\\" \\u0000", "c": 7}}'
    opened = open_envelope(text.encode())
    assert (opened.event["a"], opened.event["b"], opened.event["c"]) == ([kept], '1e400, "2e400" \\u0000', 7)
    assert bool(opened.flags & HUGE_NUMBER) is (abs(kept) > 1)
    assert opened.flags & UNSTORABLE_TEXT
    assert opened.body == text.encode()
    assert identity(text) != identity(text.replace(number, "1e401"))


def test_surrogate_pairs_are_whole_characters() -> None:
    envelope = open_envelope(BODY.replace("a:b", "\\ud83d\\ude00").encode())
    assert envelope.flags == 0
    assert envelope.event["run"]["facets"]["f"]["text"] == "\U0001f600"


@pytest.mark.parametrize(
    ("body", "rule"),
    [
        (b"", "json"),
        (b"  \n", "json"),
        (b"{", "json"),
        (b"{'a': 1}", "json"),
        (b'{"a": 1,}', "json"),
        (b'{"a": NaN}', "json"),
        (b'{"a": Infinity}', "json"),
        (b'{"a": "\\ud800", "b": -Infinity}', "json"),
        (b'{"a": 1} x', "json"),
        (b'{"a": 1}\0', "json"),
        (b"\xef\xbb\xbf{}", "json"),
        (b'{"a": "\xff"}', "json"),
        ("{}".encode("utf-16"), "json"),
        (b"[]", "type"),
        (b"null", "type"),
        (b"1", "type"),
        (b'{"a": ' + b"[" * 5000 + b"]" * 5000 + b"}", "depth"),
        (b'{"a": ' + b"[" * 1010 + b"]" * 1010 + b"}", "depth"),
        (b'{"b": "\\ud800", "a": ' + b"[" * 1010 + b"]" * 1010 + b"}", "depth"),
        (b'{"b": "\\ud800", "a": ' + b"[" * 5000 + b"]" * 5000 + b"}", "depth"),
        (b"\\ud800", "json"),
    ],
)
def test_what_is_not_an_event_is_refused(body: bytes, rule: str) -> None:
    with pytest.raises(UnreadableError) as refused:
        open_envelope(body)
    assert refused.value.rule == rule
    assert refused.value.expected
    assert refused.value.message


def test_nesting_up_to_the_limit_is_taken() -> None:
    deep = "[" * (MAX_DEPTH - 5) + "]" * (MAX_DEPTH - 5)
    for text in (deep, deep.replace("[]", '["\\u0000", "\\ud800"]')):
        assert open_envelope(BODY.replace('"a:b"', text).encode()).facets
        assert open_envelope(BODY.replace('"eventTime"', f'"x": {text}, "eventTime"').encode()).facets


def test_deep_values_have_the_same_text_as_flat_ones() -> None:
    def nest(levels: int, inner: Any) -> Any:
        for level in range(levels):
            inner = {"b": [inner], "a": level} if level % 2 else {"c": inner}
        return inner

    for levels in (1, 100, 150, 199, 200, 201, 333, 450, 600):
        value = nest(levels, {"z": 1, "y": None})
        text = '{"y":null,"z":1}'
        for level in range(levels):
            text = f'{{"a":{level},"b":[{text}]}}' if level % 2 else f'{{"c":{text}}}'
        assert write_canonical(value) == text.encode()
        assert write_canonical(value) == text.encode()  # and is left as it was


OF_EVERY_SIZE = """
from lineal_receiver.ingest.canonical import write_canonical
for size in (*range(500, 1_300, 3), *range(3_000, 4_500, 3), *range(7_000, 8_600, 3)):
    value = ["x" * size]
    for _ in range(300):
        value = [value]
    write_canonical(value)
    for _ in range(100):
        value = [[value, 7]]
    write_canonical(value)
"""


def test_deep_values_of_any_size_are_written_within_their_buffer() -> None:
    """Python's own allocator looks after each block whether bytes beyond it were written, and aborts."""
    checked = {**os.environ, "PYTHONMALLOC": "debug"}
    ended = subprocess.run([sys.executable, "-c", OF_EVERY_SIZE], env=checked, capture_output=True, check=False)
    assert (ended.returncode, ended.stderr) == (0, b"")


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (b"", "the body is empty"),
        (b" \n", "the body is empty"),
        (b'{"a":\nNaN}', "NaN is no JSON (line 2"),
        (b'{"a": -Infinity}', "-Infinity is no JSON (line 1"),
        ('{"ä": [1, Infinity]}'.encode(), "Infinity is no JSON (line 1"),
        (b'{"a": "\\ud800", "b": NaN}', "NaN is no JSON (line 1"),
        ("{}".encode("utf-16"), "the body isn't UTF-8, it looks like UTF-16"),
        ("{}".encode("utf-16-le"), "the body isn't UTF-8, it looks like UTF-16"),
        ("{}".encode("utf-32"), "the body isn't UTF-8, it looks like UTF-16 or UTF-32"),
        (b"\xef\xbb\xbf{}", "there is a byte order mark"),
        (b'{"a": "\xe4"}', "the body isn't UTF-8: invalid continuation byte at byte 7"),
        (b'{"a": 1}\0', "unexpected content after document (line 1, column 9)"),
        (b"[{}]", "the body is an array, not an object"),
    ],
)
def test_what_is_no_json_is_told_in_words_that_help(body: bytes, said: str) -> None:
    with pytest.raises(UnreadableError) as refused:
        open_envelope(body)
    assert refused.value.message.startswith(said)


def test_an_array_is_shown_the_way_to_the_batch_route() -> None:
    with pytest.raises(UnreadableError) as refused:
        open_envelope(b"[]")
    assert "/api/v1/lineage/batch" in refused.value.expected


VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**70), 2**70)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=20,
)


@given(st.dictionaries(st.sampled_from(["run", "job", "inputs", "outputs", "dataset", "x"]), VALUES))
def test_any_object_is_opened_and_keeps_its_id(event: dict[str, Any]) -> None:
    plain = open_envelope(json.dumps(event).encode())
    shuffled = json.dumps(dict(reversed(event.items())), indent=2, ensure_ascii=True)
    if not plain.flags & UNSTORABLE_TEXT:
        assert open_envelope(shuffled.encode()).id == plain.id
    assert not plain.flags & DUPLICATE_KEYS


@given(st.binary(max_size=60))
def test_no_bytes_break_it(body: bytes) -> None:
    with suppress(UnreadableError):
        open_envelope(body)
