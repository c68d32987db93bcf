"""Packing of bodies: what comes out is what went in, and nothing that is JSON is taken for packed."""

import json
import zlib

from hypothesis import given
from hypothesis import strategies as st

from lineal_receiver.store.packing import _WORDS, pack, unpack


@given(st.one_of(st.binary(max_size=600), st.text(max_size=600).map(lambda text: json.dumps(text).encode())))
def test_what_was_packed_comes_back(body: bytes) -> None:
    if body[:1] != b"z":
        assert unpack(pack(body)) == body


def test_a_packed_body_says_its_size_and_is_small() -> None:
    body = json.dumps([{"name": f"column_{n}", "type": "bigint"} for n in range(1000)]).encode()
    packed = pack(body)
    assert packed[:5] == b"z" + len(body).to_bytes(4, "big")
    assert len(packed) < len(body) / 5
    assert unpack(packed) == body


def test_what_was_kept_before_there_was_packing_is_read_as_it_is() -> None:
    body = json.dumps({"a": "x" * 1000}).encode()
    assert unpack(body) == body


def test_the_dictionary_that_kept_bodies_need_is_what_it_was() -> None:
    assert (len(_WORDS), zlib.adler32(_WORDS)) == (2867, 2743304307)
