"""target/ as it is found: missing, broken, half-written, newer than us, or just as dbt wrote it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from lineal_producer.dbt.artifacts import read_artifacts, read_run_results, target_of
from lineal_producer.dbt.compiled import find_sql
from lineal_producer.dbt.order import in_order, select
from lineal_producer.errors import ArtifactError

from .samples import manifest, node, raw_orders


def write(folder: Path, name: str, content: Any) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return path


def entry(*columns: str, **place: Any) -> dict[str, Any]:
    told = {name: {"name": name, "type": "INT", "index": at} for at, name in enumerate(columns, start=1)}
    return {"metadata": {"database": "DB", "schema": "S", "name": "T", **place}, "columns": told}


class TestErrors:
    def test_no_folder(self, tmp_path: Path) -> None:
        with pytest.raises(ArtifactError, match=r"no such folder; give the folder of a dbt project with --project-dir"):
            read_artifacts(tmp_path / "nowhere")

    @pytest.mark.parametrize(
        ("file", "remedy"),
        [("dbt_project.yml", ""), ("README.md", ", or give the folder of the dbt project with --project-dir")],
    )
    def test_no_target(self, tmp_path: Path, file: str, remedy: str) -> None:
        write(tmp_path, file, "name: shop\n")
        with pytest.raises(ArtifactError) as caught:
            read_artifacts(tmp_path)
        assert str(caught.value) == (
            f"{tmp_path / 'target'}: there is no manifest.json; run `dbt compile` or `dbt build` first{remedy}"
        )

    @pytest.mark.parametrize("text", ["", '{"metadata": {"dbt_sch', "[" * 100_000, "\0"])
    def test_half_written(self, tmp_path: Path, text: str) -> None:
        write(tmp_path, "target/manifest.json", text)
        with pytest.raises(ArtifactError, match=r"manifest\.json: is not whole JSON .*; run `dbt compile`") as caught:
            read_artifacts(tmp_path)
        assert "\n" not in str(caught.value)

    def test_not_unicode(self, tmp_path: Path) -> None:
        write(tmp_path, "target/manifest.json", "").write_bytes(b"\xff\xfe{")
        with pytest.raises(ArtifactError, match="is not whole JSON"):
            read_artifacts(tmp_path)

    @pytest.mark.parametrize("content", [[], {}, {"metadata": {}}, {"nodes": {}}, {"metadata": [], "nodes": {}}])
    def test_not_a_manifest(self, tmp_path: Path, content: Any) -> None:
        write(tmp_path, "target/manifest.json", content)
        with pytest.raises(ArtifactError, match=r"is not a (manifest of dbt|JSON object)"):
            read_artifacts(tmp_path)

    def test_run_results(self, tmp_path: Path) -> None:
        with pytest.raises(ArtifactError, match=r"there is no run_results\.json"):
            read_run_results(tmp_path)
        write(tmp_path, "run_results.json", {"results": {}})
        with pytest.raises(ArtifactError, match="no list of results"):
            read_run_results(tmp_path)
        write(tmp_path, "run_results.json", {"results": []})
        assert read_run_results(tmp_path) == {"results": []}


class TestWarnings:
    def test_a_newer_manifest_is_read_and_told(self, tmp_path: Path) -> None:
        write(tmp_path, "target/manifest.json", manifest(node("model", "a"), version=99))
        found = read_artifacts(tmp_path)
        assert found.version == 99
        assert "manifest v99 is newer than v12" in found.warnings[0]

    def test_nodes_that_are_none_are_left_out(self, tmp_path: Path) -> None:
        content = manifest(node("model", "a"))
        content["nodes"] |= {"model.shop.b": None, "model.shop.c": {"unique_id": 1}, "model.shop.d": []}
        write(tmp_path, "target/manifest.json", content)
        found = read_artifacts(tmp_path)
        assert set(found.manifest["nodes"]) == {"model.shop.a"}
        assert len(found.warnings) == 3
        assert "model.shop.b can't be read as a node" in found.warnings[0]

    def test_a_broken_catalog_is_left_out(self, tmp_path: Path) -> None:
        write(tmp_path, "target/manifest.json", manifest())
        write(tmp_path, "target/catalog.json", '{"nodes": {')
        found = read_artifacts(tmp_path)
        assert found.catalog.columns == {}
        assert "going on without it" in found.warnings[0]


def test_catalog_columns_are_in_the_databases_order(tmp_path: Path) -> None:
    write(tmp_path, "target/manifest.json", manifest())
    told = entry("b", "a")
    told["columns"] = dict(reversed(told["columns"].items()))
    nodes = {"model.shop.a": told, "model.shop.broken": {"columns": None}, "model.shop.worse": None}
    write(tmp_path, "target/catalog.json", {"nodes": nodes, "sources": {"source.shop.raw.o": entry("x")}})
    found = read_artifacts(tmp_path)
    assert found.catalog.columns["model.shop.a"] == [("b", "INT"), ("a", "INT")]
    assert found.catalog.relations["source.shop.raw.o"] == ("DB", "S", "T")
    assert len(found.warnings) == 2


@pytest.mark.parametrize(
    ("line", "expected"),
    [("", "target"), ("target-path: out/dbt # there", "out/dbt"), ("target-path: 'o u t'", "o u t")],
)
def test_target_path_of_the_project(tmp_path: Path, line: str, expected: str) -> None:
    write(tmp_path, "dbt_project.yml", f"name: shop\n{line}\n")
    assert target_of(tmp_path) == tmp_path / expected


def test_dbts_own_setting_wins_over_the_project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, "dbt_project.yml", "target-path: out\n")
    write(tmp_path, "elsewhere/manifest.json", manifest())
    monkeypatch.setenv("DBT_TARGET_PATH", "elsewhere")
    assert target_of(tmp_path) == tmp_path / "elsewhere"
    assert read_artifacts(tmp_path).target == tmp_path / "elsewhere"


class TestCompiled:
    def find(self, tmp_path: Path, each: dict[str, Any], *others: dict[str, Any]) -> str | None:
        return find_sql(each, manifest(each, *others), tmp_path, tmp_path / "target")

    def test_the_manifests_own_comes_first(self, tmp_path: Path) -> None:
        write(tmp_path, "target/compiled/shop/models/a.sql", "select 2")
        assert self.find(tmp_path, node("model", "a", compiled_code="select 1")) == "select 1"
        assert self.find(tmp_path, node("model", "a", compiled_sql="select 1")) == "select 1"

    def test_then_the_compiled_file(self, tmp_path: Path) -> None:
        write(tmp_path, "target/compiled/shop/models/a.sql", "select 2")
        assert self.find(tmp_path, node("model", "a", raw_code="select 3")) == "select 2"
        write(tmp_path, "elsewhere/b.sql", "select 4")
        assert self.find(tmp_path, node("model", "b", compiled_path="elsewhere/b.sql")) == "select 4"

    def test_then_raw_sql_with_references_replaced(self, tmp_path: Path) -> None:
        raw = """{{ config(materialized='table', meta={'a': 1}) }}{# a {{ comment }} #}
select a.*, b.x from {{ ref('a') }} a, {{- source("raw", "orders") -}} b
where a.id > (select max(id) from {{ this }}) and v in (select v from {{ ref('shop', 'versioned', v=2) }})"""
        others = [
            node("model", "a"),
            raw_orders(),
            {**node("model", "versioned", version=1), "unique_id": "model.shop.versioned.v1", "relation_name": "v1"},
            {**node("model", "versioned", version=2), "unique_id": "model.shop.versioned.v2", "relation_name": "v2"},
        ]
        each = node("model", "m", raw_code=raw, depends_on=[other["unique_id"] for other in others])
        assert self.find(tmp_path, each, *others) == (
            '\nselect a.*, b.x from "shop"."main"."a" a, "shop"."raw"."Orders 2" b\n'
            'where a.id > (select max(id) from "shop"."main"."m") and v in (select v from v2)'
        )

    def test_an_ephemeral_reference_becomes_its_query(self, tmp_path: Path) -> None:
        one = node("model", "one", materialized="ephemeral", raw_code="select * from {{ ref('a') }}")
        one["depends_on"]["nodes"] = ["model.shop.a"]
        each = node("model", "m", raw_code="select * from {{ ref('one') }} x", depends_on=["model.shop.one"])
        found = self.find(tmp_path, each, one, node("model", "a"))
        assert found == 'select * from (\nselect * from "shop"."main"."a"\n) x'

    @pytest.mark.parametrize(
        "raw",
        [
            "select {{ var('x') }}",
            "{% if is_incremental() %} select 1 {% endif %}",
            "select * from {{ ref('unknown') }}",
            "select * from {{ source('raw', 'unknown') }}",
            "select * from {{ ref(var('name')) }}",
        ],
    )
    def test_other_jinja_is_not_guessed(self, tmp_path: Path, raw: str) -> None:
        assert self.find(tmp_path, node("model", "m", raw_code=raw, depends_on=["source.shop.raw.orders"])) is None


NODES = {
    "model.shop.c": node("model", "c", depends_on=["model.shop.b", "source.shop.raw.x"]),
    "model.shop.b": node("model", "b", depends_on=["model.shop.a"], tags=["nightly"]),
    "model.shop.a": node("model", "a", depends_on=[]),
    "model.other.d": {**node("model", "d"), "unique_id": "model.other.d", "package_name": "other"},
}


class TestOrder:
    def test_parents_come_first(self) -> None:
        ordered = in_order(NODES)
        assert len(ordered) == 4
        assert ordered.index("model.shop.a") < ordered.index("model.shop.b") < ordered.index("model.shop.c")

    def test_a_cycle_ends(self) -> None:
        nodes = {"a": {"depends_on": {"nodes": ["b"]}}, "b": {"depends_on": {"nodes": ["a"]}}}
        assert set(in_order(nodes)) == {"a", "b"}

    def test_a_long_chain_needs_no_recursion(self) -> None:
        nodes = {str(at): {"depends_on": {"nodes": [str(at + 1)]}} for at in range(5000)}
        assert in_order(nodes)[0] == "4999"

    @pytest.mark.parametrize(
        ("selection", "expected"),
        [
            ([], "abcd"),
            (["a"], "a"),
            (["+b"], "ab"),
            (["b+"], "bc"),
            (["+b+"], "abc"),
            (["a c"], "ac"),
            (["a", "c"], "ac"),
            (["tag:nightly"], "b"),
            (["package:other"], "d"),
            (["path:models/a.sql"], "a"),
            (["path:models"], "abcd"),
            (["model.shop.*"], "abc"),
            (["nothing"], ""),
        ],
    )
    def test_selection(self, selection: list[str], expected: str) -> None:
        assert {unique_id[-1] for unique_id in select(NODES, selection)} == set(expected)
