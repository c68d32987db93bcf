"""Single facets, and the parts that events are put together from, by value."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from lineal_producer import facets
from lineal_producer.analysis import with_real_columns
from lineal_producer.check_facets import assertion, result
from lineal_producer.columns import Column, Gap, Input, ModelLineage
from lineal_producer.datasets import Datasets
from lineal_producer.job_facets import job_facets
from lineal_producer.naming import Namespaces, namespaces
from lineal_producer.privacy import hidden
from lineal_producer.records import node_end

from .samples import described, invocation, node, raw_orders

PRODUCER = "https://lineal.dev/producer/0.1.0"
AT = "2026-01-31T10:20:30Z"
A = Input("t", "a", "DIRECT", "IDENTITY", False, ("shop", "main", "t"))


def lineage(*columns: Column, status: str = "resolved", gaps: tuple[Gap, ...] = ()) -> ModelLineage:
    return ModelLineage(status, None, columns, (), gaps, ())


@pytest.mark.parametrize(
    ("namespace", "uri"),
    [
        ("duckdb:///srv/shop.duckdb", "duckdb:///srv/shop.duckdb"),
        ("duckdb:///srv/my shop ü.duckdb", "duckdb:///srv/my%20shop%20%C3%BC.duckdb"),
        ("arn:aws:glue:eu:1", "arn:aws:glue:eu:1"),
        ("bigquery", None),
        ("file", None),
    ],
)
def test_a_data_source_has_a_uri_only_when_it_is_one(namespace: str, uri: str | None) -> None:
    facet = facets.data_source(PRODUCER, namespace)
    assert facet["name"] == namespace
    assert facet.get("uri") == uri


def test_absent_fields_are_left_out_of_official_facets() -> None:
    assert "dialect" not in facets.sql(PRODUCER, "select 1", None)
    assert "dataset" not in facets.column_lineage(PRODUCER, {}, [])
    assert "root" not in facets.parent(PRODUCER, {"namespace": "n", "name": "j", "run_id": "r"}, None)


def test_the_client_is_named_as_it_names_itself() -> None:
    tag = facets.run_tags(PRODUCER)["tags"][0]
    assert (tag["key"], tag["source"]) == ("openlineage_client_version", "OPENLINEAGE_CLIENT")
    assert tag["value"] == facets.client_version()


def test_tags_of_columns_name_their_field() -> None:
    facet = facets.dataset_tags(PRODUCER, ["nightly"], {"email": ["pii"], "id": []})
    assert facet is not None
    assert facet["tags"] == [
        {"key": "nightly", "value": "true", "source": "DBT"},
        {"key": "pii", "value": "true", "source": "DBT", "field": "email"},
    ]
    assert facets.dataset_tags(PRODUCER, [], {"id": []}) is None


HOST, FILE = "example.org", "/team/shop/blob/abc/models/stg.sql"


@pytest.mark.parametrize(
    ("remote", "url", "repo"),
    [
        (f"https://{HOST}/team/shop.git", f"https://{HOST}{FILE}", f"https://{HOST}/team/shop.git"),
        (f"https://user:token@{HOST}/team/shop", f"https://{HOST}{FILE}", f"https://{HOST}/team/shop"),
        # the specification's own example of a repository is no URI, which `url` has to be
        (f"git@{HOST}:team/shop.git", f"ssh://{HOST}{FILE}", f"git@{HOST}:team/shop.git"),
        (f"user:token@{HOST}:team/shop.git", f"ssh://{HOST}{FILE}", f"ssh://{HOST}/team/shop.git"),
        (f"ssh://git@{HOST}/team/shop.git", f"ssh://{HOST}{FILE}", f"ssh://{HOST}/team/shop.git"),
        ("/team/shop.git", f"file://{FILE}", "file:///team/shop.git"),
    ],
)
def test_source_location_of_every_kind_of_remote(remote: str, url: str, repo: str) -> None:
    git: Any = {"sha": "abc", "url": remote, "branch": None}
    told = job_facets(PRODUCER, invocation(git=git), described(node("model", "stg")))
    assert (told["sourceCodeLocation"]["url"], told["sourceCodeLocation"]["repoUrl"]) == (url, repo)
    assert "token" not in str(told)


def test_hidden_texts() -> None:
    assert hidden("select 1", "full") == "select 1"
    assert hidden("select 1", "none") is None
    assert hidden(None, "hash") is None
    assert hidden("é\ud800", "hash") == hidden("é\ud800", "hash"), "half a surrogate pair is no reason to fail"
    assert str(hidden("select 1", "hash")).startswith("sha256:")


class TestRealColumns:
    def test_names_order_and_what_was_not_found(self) -> None:
        found = lineage(Column("b", "traced", None, "x", (A,)), Column("A", "constant", None, None, ()))
        real = with_real_columns(found, [("a", "INT"), ("b", "INT"), ("c", "INT")])
        assert [(column.name, column.status, column.reason) for column in real.columns] == [
            ("a", "constant", None),
            ("b", "traced", None),
            ("c", "unresolved", "not_in_sql"),
        ]
        assert real.status == "partial"

    def test_the_reason_of_a_star_is_the_stars(self) -> None:
        gap = Gap("star_without_schema", "* stands for columns that are not known")
        real = with_real_columns(lineage(status="unresolved", gaps=(gap,)), [("a", "INT")])
        assert real.columns[0].reason == "star_without_schema"
        assert real.status == "unresolved"

    def test_exact_case_wins(self) -> None:
        found = lineage(Column("a", "constant", None, None, ()), Column("A", "traced", None, None, (A,)))
        real = with_real_columns(found, [("A", None), ("a", None)])
        assert [column.status for column in real.columns] == ["traced", "constant"]

    def test_what_the_database_names_itself_is_found_by_its_place(self) -> None:
        first, second = replace(A, column="first"), replace(A, column="second")
        found = lineage(
            Column("id", "traced", None, None, (first,)),
            Column("id", "traced", None, None, (second,)),
            Column("SUM(a)", "constant", None, None, ()),
        )
        real = with_real_columns(found, [("id", None), ("id_1", None), ("sum(a + 0)", None)])
        assert [[one.column for one in column.inputs] for column in real.columns] == [["first"], ["second"], []]
        assert real.status == "resolved"

    def test_reordered_columns_are_found_by_name(self) -> None:
        found = lineage(Column("a", "traced", None, None, (A,)), Column("b", "constant", None, None, ()))
        real = with_real_columns(found, [("b", None), ("a", None)])
        assert [column.status for column in real.columns] == ["constant", "traced"]

    def test_nothing_real_changes_nothing(self) -> None:
        found = lineage(Column("a", "constant", None, None, ()))
        assert with_real_columns(found, []) is found


class TestDatasets:
    def names(self, adapter: str = "duckdb") -> Namespaces:
        return namespaces({"type": adapter, "path": "/srv/shop.duckdb", "host": "h"}, "/srv", "shop")

    def test_the_connections_schema_decides_between_equals(self) -> None:
        one = node("model", "one", relation_name='"shop"."main"."t"')
        two = node("model", "two", relation_name='"shop"."other"."t"')
        each = described(node("model", "m", depends_on=["model.shop.two", "model.shop.one"]), one, two)
        found = Datasets(each, namespaces({"type": "duckdb", "path": "shop.duckdb", "schema": "main"}, "/srv", "shop"))
        assert found.find(("t",))[1] == "model.shop.one"
        assert found.find(("other", "t"))[1] == "model.shop.two"
        assert found.find(("shop", "other", "T"))[1] == "model.shop.two"

    def test_a_database_of_another_name_is_another_dataset(self) -> None:
        each = described(node("model", "m", depends_on=["source.shop.raw.orders"]), raw_orders())
        found = Datasets(each, self.names())
        assert found.find(("elsewhere", "raw", "Orders 2")) == (
            ("duckdb:///srv/shop.duckdb", "elsewhere.raw.Orders 2"),
            None,
        )

    def test_a_relation_of_one_part_without_default_schema(self) -> None:
        each = described(node("model", "m"))
        assert Datasets(each, self.names()).find(("t",)) == (("duckdb:///srv/shop.duckdb", "shop.t"), None)


class TestAssertions:
    def generic(self, **fields: Any) -> Any:
        told = {"name": "relationships", "kwargs": {"column_name": "id"}}
        parents = [node("model", "a"), node("model", "b")]
        each = node(
            "test",
            "t",
            depends_on=["model.shop.a", "model.shop.b"],
            test_metadata=told,
            attached_node="model.shop.b",
            **fields,
        )
        return described(each, *parents)

    def test_only_the_checked_model_is_asserted(self) -> None:
        test = self.generic()
        end = node_end(AT, "x", "pass", failures=0)
        made = [assertion(test, each, end) for each in test["inputs"]]
        assert made[0] is None
        assert made[1] is not None
        assert (made[1]["assertion"], made[1]["success"], made[1]["column"]) == ("relationships", True, "id")

    @pytest.mark.parametrize(
        ("status", "success", "outcome"),
        [("pass", True, "pass"), ("warn", False, "fail"), ("fail", False, "fail"), ("error", False, "fail")],
    )
    def test_success_and_severity_are_two_things(self, status: str, success: bool, outcome: str) -> None:
        test = self.generic(config={"severity": "warn"})
        end = node_end(AT, "x", status, failures=2)
        made = assertion(test, test["inputs"][1], end)
        assert made is not None
        assert (made["success"], made["severity"]) == (success, "warn")
        assert result(test, end, "full")["status"] == outcome

    def test_a_test_that_did_not_run_asserts_nothing(self) -> None:
        test = self.generic()
        assert assertion(test, test["inputs"][1], node_end(AT, "x", "skipped")) is None
        assert assertion(test, test["inputs"][1], None) is None
