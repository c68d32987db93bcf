"""Which columns a relation has: the order of the sources, and what never counts."""

from __future__ import annotations

from pathlib import Path

import pytest

from lineal_producer.analysis import analyse
from lineal_producer.columns import trace
from lineal_producer.descriptions import ColumnDoc
from lineal_producer.kept_columns import read_kept, write_kept
from lineal_producer.known import Known
from lineal_producer.records import columns_read

from .samples import described, invocation, node, raw_orders

SOURCE = "source.shop.raw.orders"
CATALOG = {SOURCE: [("id", "BIGINT"), ("amount", "DOUBLE")]}


def reader(sql: str, **fields: object) -> dict[str, object]:
    return node("model", "stg", depends_on=[SOURCE], compiled_code=sql, **fields)


def doc(name: str, kind: str | None = None) -> ColumnDoc:
    return {"name": name, "type": kind, "description": None, "tags": []}


def test_best_source_first() -> None:
    told = described(reader("select 1 as a"), raw_orders())["inputs"][0]
    kept = {("shop", "raw", "Orders 2"): [("kept", None)], ("other", "raw", "Orders 2"): [("wrong", None)]}
    known = Known(kept=kept)
    assert known.of_input(told) == [("kept", None)]
    known = Known(CATALOG, kept)
    assert known.of_input(told) == CATALOG[SOURCE]
    complete = {**told, "columns": [doc("contract", "INT")], "complete": True}
    assert known.of_input(complete) == [("contract", "INT")]
    known.computed(SOURCE, [("computed", None)])
    assert known.of_input(complete) == [("computed", None)]
    known.take(columns_read(SOURCE, (None, None, "orders"), [("read", "INT")], "adapter"))
    assert known.of_input(complete) == [("read", "INT")], "the database's own spelling and types"


def test_what_earlier_runs_read_counts_until_its_relation_is_built(tmp_path: Path) -> None:
    own, source = ("shop", "main", "stg"), ("shop", "raw", "Orders 2")
    first = Known()
    first.take(columns_read("model.shop.stg", own, [("id", "INT")], "adapter"))
    first.take(columns_read(SOURCE, source, [("id", "INT"), ("ümlaut", None)], "adapter"))
    first.take(columns_read("model.shop.other", ("shop", "main", "other"), [("of", "catalog")], "catalog"))
    write_kept(tmp_path / "lineal", first.to_keep())

    second = Known(kept=read_kept(tmp_path / "lineal"))
    assert second.to_keep() == {own: [("id", "INT")], source: [("id", "INT"), ("ümlaut", None)]}
    told = described(
        reader('select * from "shop"."raw"."Orders 2" where id not in (select id from shop.main.stg)'), raw_orders()
    )
    assert second.schema(told)[own] == {"id": "INT"}, "what `{{ this }}` had before"
    analysis = analyse(invocation(), told, second)
    assert analysis is not None
    assert [column.name for column in analysis.lineage.columns] == ["id", "ümlaut"]
    assert second.to_keep() == {source: [("id", "INT"), ("ümlaut", None)]}
    second.take(columns_read("model.shop.stg", own, [("id", "BIGINT")], "adapter"))
    assert list(second.to_keep()) == [source, own]


@pytest.mark.parametrize(
    "content", ["", "{", "[]", '{"format": 1, "relations": [[1, 2]]}', '{"format": 9}', '{"format": 1}']
)
def test_a_file_of_kept_columns_that_broke_is_none(tmp_path: Path, content: str) -> None:
    (tmp_path / "known.json").write_text(content)
    assert read_kept(tmp_path) == {}
    write_kept(tmp_path, {("t",): [("a", None)]})
    assert read_kept(tmp_path) == {("t",): [("a", None)]}
    assert [path.name for path in tmp_path.iterdir()] == ["known.json"]


def test_catalog_records_count_less_than_what_this_run_found() -> None:
    known = Known()
    known.take(columns_read(SOURCE, (None, None, "orders"), [("old", "INT")], "catalog"))
    assert known.columns(SOURCE) == [("old", "INT")]
    known.computed(SOURCE, [("new", None)])
    known.take(columns_read(SOURCE, (None, None, "orders"), [("old", "INT")], "catalog"))
    assert known.columns(SOURCE) == [("new", None)]


def test_yaml_columns_never_expand_a_star() -> None:
    documented = raw_orders(columns={"id": {"name": "id", "data_type": "INT", "description": "The key."}})
    told = described(reader('select * from shop.raw."Orders 2"'), documented)
    known = Known()
    assert known.schema(told) == {}
    analysis = analyse(invocation(), told, known)
    assert analysis is not None
    assert analysis.lineage.status == "unresolved"
    assert known.columns("model.shop.stg") is None


def test_a_catalog_is_older_than_a_node_that_was_rebuilt() -> None:
    told = described(reader('select id from "shop"."raw"."Orders 2"'), raw_orders())
    known = Known({**CATALOG, "model.shop.stg": [("gone", "INT")]})
    assert known.columns("model.shop.stg") == [("gone", "INT")]
    analyse(invocation(), told, known)
    assert known.columns("model.shop.stg") == [("id", None)]


def test_a_star_over_known_columns_feeds_the_next_model() -> None:
    known = Known(CATALOG)
    first = described(reader('select *, amount * 2 as twice from "shop"."raw"."Orders 2"'), raw_orders())
    analyse(invocation(), first, known)
    second = node("model", "mart", depends_on=["model.shop.stg"], compiled_code='select * from "shop"."main"."stg"')
    analysis = analyse(invocation(), described(second, reader("x")), known)
    assert analysis is not None
    assert analysis.lineage.status == "resolved"
    assert [column.name for column in analysis.lineage.columns] == ["id", "amount", "twice"]


def test_columns_that_are_not_all_there_are_not_learned() -> None:
    told = described(reader('select *, 1 as extra from "shop"."raw"."Orders 2"'), raw_orders())
    known = Known()
    known.learn(told, trace(str(told["compiled_code"]), "duckdb", {}))
    assert known.columns("model.shop.stg") is None


def test_a_contract_lends_its_types_to_computed_columns() -> None:
    fields = {"columns": {"ID": {"name": "ID", "data_type": "INTEGER"}}, "contract": {"enforced": True}}
    told = described(reader("select 1 as id", **fields))
    known = Known()
    analyse(invocation(), told, known)
    assert known.columns("model.shop.stg") == [("id", "INTEGER")]


def test_a_model_knows_itself_for_this() -> None:
    sql = 'select * from "shop"."main"."stg" where id > (select max(id) from "shop"."main"."stg")'
    told = described(reader(sql), raw_orders())
    known = Known({"model.shop.stg": [("id", "INT")]})
    assert ("shop", "main", "stg") in known.schema(told)


def test_this_has_the_columns_that_the_sql_gives_where_nobody_told_them() -> None:
    sql = 'select id, amount from "shop"."raw"."Orders 2" where amount > (select max(amount) from "shop"."main"."stg")'
    told = described(reader(sql), raw_orders())
    analysis = analyse(invocation(), told, Known({"source.shop.raw.orders": [("id", "INT"), ("amount", "INT")]}))
    assert analysis is not None
    assert analysis.lineage.status == "resolved"
    assert ("stg", "amount") in {(row.relation[-1], row.column) for row in analysis.lineage.rows}


def test_database_may_be_missing() -> None:
    told = described({**reader("select 1"), "relation_name": "`main`.`stg`"}, adapter="clickhouse")
    known = Known({"model.shop.stg": [("id", None)]})
    assert known.schema(told) == {("main", "stg"): {"id": ""}}
