"""Columns are read on a thread of their own: a database that hangs or fails costs dbt no more than the time box."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import duckdb
import pytest

from lineal_producer.dbt.reading import ColumnReader


@dataclass
class Column:
    """A column as dbt's adapters give it; `kind` is text, number or other."""

    name: str
    dtype: str
    kind: str = "other"
    char_size: int | None = None
    numeric_precision: int | None = None
    numeric_scale: int | None = None

    def is_string(self) -> bool:
        return self.kind == "text"

    def is_numeric(self) -> bool:
        return self.kind == "number"


class Relation:
    """Stands where an adapter's class of relations is."""

    @staticmethod
    def create_from(config: Any, node: Any) -> Any:  # noqa: ARG004 - as dbt's
        return node


@dataclass
class Connection:
    """A connection of dbt's; dbt writes the names of all that it lists when it is stopped."""

    name: str
    state: str = "open"
    handle: Any = None


class Connections:
    """dbt's list of connections, of which this thread's is asked for."""

    def __init__(self) -> None:
        self.of_this_thread: Connection | None = None

    def get_if_exists(self) -> Connection | None:
        return self.of_this_thread

    def clear_thread_connection(self) -> None:
        self.of_this_thread = None


class Adapter:
    """Answers as told: with columns, an error, or not before the test lets it."""

    Relation = Relation
    config = None

    def __init__(self) -> None:
        self.columns = [Column("id", "INTEGER")]
        self.error: Exception | None = None
        self.open = threading.Event()
        self.open.set()
        self.threads: set[int] = set()
        self.connections = Connections()
        self.left = "closed"

    @contextmanager
    def connection_named(self, name: str) -> Iterator[None]:
        assert name == "lineal"
        connection = self.connections.of_this_thread or Connection(name)
        connection.name = name
        self.connections.of_this_thread = connection
        yield
        connection.state = self.left

    @staticmethod
    def type() -> str:
        return "postgres"

    def get_columns_in_relation(self, relation: Any) -> list[Column]:  # noqa: ARG002 - as dbt's
        self.threads.add(threading.get_ident())
        self.open.wait(300)
        if self.error is not None:
            raise self.error
        return self.columns


class Orders:
    """A node."""

    unique_id = "model.shop.orders"


@pytest.fixture
def adapter() -> Adapter:
    return Adapter()


def test_types_are_told_as_the_database_tells_them(adapter: Adapter) -> None:
    adapter.columns = [
        Column("id", "INTEGER"),
        Column("name", "character varying", "text", char_size=20),
        Column("note", "text", "text"),
        Column("price", "numeric", "number", numeric_precision=12, numeric_scale=2),
        Column("total", "DECIMAL(38,2)", "number", numeric_precision=38, numeric_scale=2),
    ]
    reader = ColumnReader(300)
    assert reader.read(adapter, Orders()) == [
        ("id", "INTEGER"),
        ("name", "character varying(20)"),
        ("note", "text"),
        ("price", "numeric(12,2)"),
        ("total", "DECIMAL(38,2)"),
    ]
    assert adapter.threads.isdisjoint({threading.get_ident()})
    reader.close()


def test_a_failure_is_counted_and_the_next_read_goes_on(adapter: Adapter) -> None:
    reader = ColumnReader(300)
    adapter.error = RuntimeError("relation is gone")
    assert reader.read(adapter, Orders()) is None
    adapter.error = None
    assert reader.read(adapter, Orders()) == [("id", "INTEGER")]
    assert (reader.failed, reader.read_count) == (1, 1)
    reader.close()


def test_a_database_that_hangs_is_asked_once(adapter: Adapter) -> None:
    reader = ColumnReader(0.1)
    adapter.open.clear()
    began = time.monotonic()
    assert reader.read(adapter, Orders()) is None
    assert reader.read(adapter, Orders()) is None
    assert time.monotonic() - began < 100
    assert reader.stopped
    adapter.open.set()
    reader.close()


def test_no_time_is_no_reading(adapter: Adapter) -> None:
    assert ColumnReader(0).read(adapter, Orders()) is None
    assert adapter.threads == set()


@pytest.mark.parametrize(("state", "listed"), [("closed", None), ("open", "lineal")])
def test_a_connection_that_was_closed_is_no_longer_listed(adapter: Adapter, state: str, listed: str | None) -> None:
    adapter.left = state
    reader = ColumnReader(300)
    assert reader.read(adapter, Orders()) == [("id", "INTEGER")]
    left = adapter.connections.of_this_thread
    assert (left.name if left else None) == listed
    reader.close()


def test_a_connection_that_was_listed_keeps_its_name(adapter: Adapter) -> None:
    adapter.connections.of_this_thread = Connection("create_shop_main")
    reader = ColumnReader(300)
    assert reader.read(adapter, Orders()) == [("id", "INTEGER")]
    assert adapter.connections.of_this_thread.name == "create_shop_main"
    reader.close()


class DuckDb(Adapter):
    """Answers as dbt-duckdb does: by a cursor of its connection."""

    def __init__(self, path: str) -> None:
        super().__init__()
        self.database = duckdb.connect(path)
        self.connections.get_thread_connection = self.connections.get_if_exists  # type: ignore[attr-defined] # as dbt's

    @contextmanager
    def connection_named(self, name: str) -> Iterator[None]:
        with super().connection_named(name):
            self.connections.of_this_thread.handle = self.database  # type: ignore[union-attr] # as dbt's
            yield

    @staticmethod
    def type() -> str:
        return "duckdb"


def test_duckdb_is_asked_without_a_macro(tmp_path: Path) -> None:
    adapter = DuckDb(str(tmp_path / "a.duckdb"))
    adapter.database.execute(
        'create table "Or""ders" ("Id 1" bigint, price decimal(18, 2), s struct(a integer, b text))'
    )
    adapter.database.execute('create view v as select price, 1 as one from "Or""ders"')
    reader = ColumnReader(300)
    assert reader.read(adapter, '"a"."main"."Or""ders"') == [
        ("Id 1", "BIGINT"),
        ("price", "DECIMAL(18,2)"),
        ("s", "STRUCT(a INTEGER, b VARCHAR)"),
    ]
    assert reader.read(adapter, "a.main.v") == [("price", "DECIMAL(18,2)"), ("one", "INTEGER")]
    assert reader.read(adapter, "a.main.absent") is None
    assert (reader.failed, adapter.threads) == (1, set())
    reader.close()


TYPES = """create table t (
    e enum('a''b', 'c d'), m money, j json, s struct("x y" integer, z varchar[]), mp map(varchar, decimal(12, 2)),
    u union(n integer, s varchar), l integer[3], tz timestamptz, ns timestamp_ns, bt bit, h hugeint, id uuid,
    "sp ""ace" varchar(20), "é" varchar collate nocase
)"""


def test_duckdb_names_types_as_describe_does(tmp_path: Path) -> None:
    adapter = DuckDb(str(tmp_path / "a.duckdb"))
    database = adapter.database
    database.execute("create type money as decimal(12, 2)")
    database.execute(TYPES)
    database.execute("create view v as select *, null as nothing, [] as empty, current_date as today from t")
    database.execute(f"copy (select j, s from t) to '{tmp_path}/t.parquet'")
    reader = ColumnReader(300)
    for relation in ("a.main.t", "a.main.v", f"'{tmp_path}/t.parquet'"):
        described = database.execute(f"describe select * from {relation}").fetchall()
        assert reader.read(adapter, relation) == [(row[0], row[1]) for row in described]
    reader.close()


class Server:
    """A cursor of a server that speaks DuckDB's SQL: it can do no more than execute."""

    def __init__(self, database: Any) -> None:
        self._database = database
        self.execute, self.fetchall = database.execute, database.fetchall

    def cursor(self) -> Server:
        return self


def test_a_server_of_duckdb_is_asked_to_describe(tmp_path: Path) -> None:
    adapter = DuckDb(str(tmp_path / "a.duckdb"))
    adapter.database.execute("create table t (id bigint, price decimal(18, 2))")
    adapter.database = Server(adapter.database)  # type: ignore[assignment] # as dbt-duckdb's for a remote database
    reader = ColumnReader(300)
    assert reader.read(adapter, "a.main.t") == [("id", "BIGINT"), ("price", "DECIMAL(18,2)")]
    reader.close()


class Environment:
    """The database as dbt-duckdb has it open, which hands out connections and counts those that were closed."""

    def __init__(self, path: str, creds: str) -> None:
        self.database = duckdb.connect(path)
        self.creds = creds
        self.closed = 0

    def handle(self) -> Any:
        environment, cursor = self, self.database.cursor()

        class Handle:
            def cursor(self) -> Any:
                return cursor

            def close(self) -> None:
                cursor.close()
                environment.closed += 1

        return Handle()


def test_duckdb_is_asked_past_dbts_list_of_connections_where_it_is_open(tmp_path: Path) -> None:
    adapter = DuckDb(str(tmp_path / "other.duckdb"))
    adapter.config = SimpleNamespace(credentials="mine")  # type: ignore[assignment] # as dbt's
    environment = Environment(str(tmp_path / "mine.duckdb"), "mine")
    environment.database.execute("create table t (id bigint)")
    adapter.connections._ENV = environment  # type: ignore[attr-defined] # dbt-duckdb's name
    reader = ColumnReader(300)
    assert reader.read(adapter, "mine.main.t") == [("id", "BIGINT")]
    assert reader.read(adapter, "mine.main.absent") is None
    assert (environment.closed, adapter.connections.of_this_thread) == (2, None)

    environment.creds = "of another invocation in this process"
    adapter.database.execute("create table t (name text)")
    assert reader.read(adapter, "other.main.t") == [("name", "VARCHAR")]
    assert environment.closed == 2
    reader.close()
