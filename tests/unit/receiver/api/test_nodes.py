"""Node ids: every name can be written and found again."""

from urllib.parse import quote
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lineal_receiver.api.nodes import MOST_COLONS, Reading, build_node_id, read_node_id

NAMES = st.text(alphabet=st.characters(blacklist_categories=("Cs",)), min_size=1, max_size=20)


def _readings(raw: str) -> list[tuple[str, ...]]:
    node = read_node_id(raw)
    assert node is not None
    return [reading.parts for reading in node.readings if reading.version is None]


def test_escaped_parts_are_read_as_they_are() -> None:
    node = read_node_id("dataset:postgres%3A%2F%2Fdb%3A5432:shop.raw%3Aorders")
    assert node is not None
    assert node.kind == "dataset"
    assert node.readings[0].parts == ("postgres://db:5432", "shop.raw:orders")


def test_an_id_escaped_as_a_whole_is_cut_furthest_right_first() -> None:
    assert _readings("dataset%3Apostgres%3A%2F%2Fdb%3A5432%3Aorders") == [
        ("postgres://db:5432", "orders"),
        ("postgres://db", "5432:orders"),
        ("postgres", "//db:5432:orders"),
    ]


def test_a_field_may_hold_colons_too() -> None:
    assert ("kafka://h:9092", "topic", "a:b") in _readings("datasetField:kafka://h:9092:topic:a:b")


def test_a_plus_is_a_space_first_and_then_a_plus() -> None:
    assert _readings("job:ns:a+b") == [("ns", "a b"), ("ns", "a+b")]


def test_parts_escaped_twice_are_read_last() -> None:
    assert _readings("dataset%3Aa%252Fb%3Ac")[-1] == ("a/b", "c")


def test_a_version_is_read_after_the_name_that_looks_like_one() -> None:
    version = UUID("0e4b3c8a-1f6d-4f0e-9a58-0d9a2f1b7c11")
    node = read_node_id(f"dataset:ns:orders%23{version}")
    assert node is not None
    assert node.readings[:2] == (Reading(("ns", f"orders#{version}")), Reading(("ns", "orders"), version))


@pytest.mark.parametrize("raw", ["table:ns:a", "run:0e4b3c8a", "", "datasets:ns:a", ":ns:a"])
def test_other_kinds_are_none(raw: str) -> None:
    assert read_node_id(raw) is None


@pytest.mark.parametrize("raw", ["dataset:a", "job:", "dataset::a", "dataset:a:", "datasetField:ns:table"])
def test_too_few_parts_have_no_reading(raw: str) -> None:
    node = read_node_id(raw)
    assert node is not None
    assert node.readings == ()


def test_many_colons_stay_bounded() -> None:
    node = read_node_id("datasetField:" + ":".join("abcdefghij" * 30))
    assert node is not None
    assert len(node.readings) <= MOST_COLONS * (MOST_COLONS - 1) // 2


@given(namespace=NAMES, name=NAMES, field=NAMES)
def test_any_name_survives_the_way_clients_escape_it(namespace: str, name: str, field: str) -> None:
    parts = (namespace, name, field)
    by_part = "datasetField:" + ":".join(quote(part, safe="") for part in parts)
    assert _readings(by_part)[0] == parts
    if (namespace + name + field).count(":") <= MOST_COLONS - 2:
        assert parts in _readings(quote(build_node_id("datasetField", *parts), safe=""))
