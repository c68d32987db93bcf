"""The cache: parses only what changed, and never gives an answer that a fresh trace would not give."""

from __future__ import annotations

from pathlib import Path

import pytest

from lineal_producer.columns import trace
from lineal_producer.columns.cache import LineageCache, lineage_hash, schema_hash, sql_hash

SQL = "select * from s.t where b > 1"
SCHEMA = {("s", "t"): {"a": "INT", "b": "INT"}, ("s", "u"): {"c": "INT"}}


def test_the_second_time_nothing_is_parsed(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "cache.json"
    with LineageCache(path) as cache:
        first = cache.trace(SQL, "duckdb", SCHEMA, "db", "s")
        assert (cache.parsed, cache.reused) == (1, 0)
    with LineageCache(path) as cache:
        assert cache.trace(SQL, "duckdb", SCHEMA, "db", "s") == first == trace(SQL, "duckdb", SCHEMA, "db", "s")
        assert (cache.parsed, cache.reused) == (0, 1)


@pytest.mark.parametrize(
    ("schema", "parsed"),
    [
        ({**SCHEMA, ("s", "u"): {"other": "TEXT"}}, 0),
        ({**SCHEMA, ("s", "t"): {"b": "INT", "a": "INT"}}, 1),
        ({**SCHEMA, ("s", "t"): {"a": "INT", "b": "TEXT"}}, 1),
        ({**SCHEMA, ("s", "t"): {"a": "INT", "b": "INT", "c": "INT"}}, 1),
        ({("s", "u"): {"c": "INT"}}, 1),
    ],
)
def test_only_what_the_statement_reads_makes_it_parse_again(
    tmp_path: Path, schema: dict[tuple[str, ...], dict[str, str]], parsed: int
) -> None:
    path = tmp_path / "cache.json"
    with LineageCache(path) as cache:
        cache.trace(SQL, "duckdb", SCHEMA)
    with LineageCache(path) as cache:
        assert cache.trace(SQL, "duckdb", schema) == trace(SQL, "duckdb", schema)
        assert cache.parsed == parsed


def test_a_relation_that_becomes_known_makes_it_parse_again(tmp_path: Path) -> None:
    cache = LineageCache(tmp_path / "cache.json")
    assert cache.trace("select * from t", "duckdb", {}).status == "unresolved"
    assert cache.trace("select * from t", "duckdb", {"t": {"a": "INT"}}).status == "resolved"
    assert cache.parsed == 2


@pytest.mark.parametrize(
    ("sql", "dialect", "database"), [(SQL + " ", "duckdb", "db"), (SQL, "postgres", "db"), (SQL, "duckdb", "other")]
)
def test_text_dialect_and_defaults_are_in_the_key(tmp_path: Path, sql: str, dialect: str, database: str) -> None:
    cache = LineageCache(tmp_path / "cache.json")
    cache.trace(SQL, "duckdb", SCHEMA, "db")
    cache.trace(sql, dialect, SCHEMA, database)
    assert (cache.parsed, cache.reused) == (2, 0)


@pytest.mark.parametrize(
    "content", [b"", b"not json", b"[]", b'{"format": 0, "rows": {}}', b'{"format": 1, "rows": [1]}', b"\xff\xfe"]
)
def test_a_file_that_cannot_be_read_is_ignored_and_replaced(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "cache.json"
    path.write_bytes(content)
    with LineageCache(path) as cache:
        assert cache.trace(SQL, "duckdb", SCHEMA).status == "resolved"
    with LineageCache(path) as cache:
        cache.trace(SQL, "duckdb", SCHEMA)
        assert cache.reused == 1


def test_a_row_that_cannot_be_read_is_parsed_again(tmp_path: Path) -> None:
    path = tmp_path / "cache.json"
    with LineageCache(path) as cache:
        cache.trace(SQL, "duckdb", SCHEMA)
    cache = LineageCache(path)
    for row in cache.rows.values():
        row["lineage"] = {"status": 1}
    assert cache.trace(SQL, "duckdb", SCHEMA) == trace(SQL, "duckdb", SCHEMA)
    assert cache.parsed == 1


def test_a_place_that_cannot_be_written_costs_nothing_but_the_file(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with LineageCache(tmp_path / "file" / "cache.json") as cache:
        assert cache.trace(SQL, "duckdb", SCHEMA).status == "resolved"


def test_nothing_but_the_cache_is_left_beside_it(tmp_path: Path) -> None:
    with LineageCache(tmp_path / "cache.json") as cache:
        cache.trace(SQL, "duckdb", SCHEMA)
    assert [path.name for path in tmp_path.iterdir()] == ["cache.json"]


def test_files_read_in_place_are_checked_too(tmp_path: Path) -> None:
    cache = LineageCache(tmp_path / "cache.json")
    sql = "select * from read_parquet('x/*.parquet')"
    cache.trace(sql, "duckdb", {"x/*.parquet": {"a": "INT"}})
    cache.trace(sql, "duckdb", {"x/*.parquet": {"a": "INT"}})
    cache.trace(sql, "duckdb", {"x/*.parquet": {"b": "INT"}})
    assert (cache.parsed, cache.reused) == (2, 1)


def test_hashes_are_stable_and_tell_apart() -> None:
    refs = ((("s", False), ("t", False)),)
    same = [schema_hash(refs, "duckdb", SCHEMA, None, None) for _ in range(2)]
    assert same[0] == same[1] != schema_hash(refs, "duckdb", {}, None, None)
    assert sql_hash("select 1") != sql_hash("select  1")
    assert lineage_hash(SQL, "duckdb", SCHEMA, None, None, refs) != lineage_hash(SQL, "duckdb", {}, None, None, refs)


def test_the_same_text_of_another_model_is_parsed(tmp_path: Path) -> None:
    cache = LineageCache(tmp_path / "cache.json")
    for own in (("s", "m"), ("s", "n"), ("s", "m")):
        cache.trace(SQL, "duckdb", SCHEMA, None, "s", own)
    assert (cache.parsed, cache.reused) == (2, 1)
