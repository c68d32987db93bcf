"""The connection of artifacts, from profiles.yml without dbt: the names that dbt's own objects give."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from lineal_producer.dbt.profiles import Asked, name_connection, read_connection
from lineal_producer.naming import Namespaces

PROFILES = """
shop:
  target: "{{ env_var('TARGET', 'dev') }}"
  outputs:
    dev: {type: postgres, host: "{{ env_var('HOST') }}", port: "{{ env_var('PORT', '5433') | as_number }}",
      user: me, password: "{{ env_var('NO_SUCH') }}", dbname: "{{ var('base', 'shop') }}", schema: public}
    prod: {type: postgres, host: "db.{{ env_var('DOMAIN', 'example') }}", dbname: shop, schema: public}
    macro: {type: postgres, host: "{{ find_host() }}", dbname: shop, schema: public}
    block: {type: postgres, host: "{% if true %}h{% endif %}", dbname: shop, schema: public}
    lake: {type: duckdb, path: lake.duckdb, attach: [{path: "{{ env_var('OTHER', 'o.duckdb') }}", alias: o}]}
other:
  outputs: {dev: {type: snowflake, account: myorg-acct}}
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "dbt_project.yml").write_text("name: shop\nprofile: shop\n")
    (tmp_path / "profiles.yml").write_text(PROFILES)
    return tmp_path


def _named(project: Path, adapter: str = "postgres", renames: str | None = None, **asked: Any) -> Namespaces:
    given = {"profiles_dirs": (project,), "environment": {"HOST": "db.local"}, **asked}
    return name_connection(read_connection(project, Asked(**given)), adapter, "shop", "/srv", renames)


@pytest.mark.parametrize(
    ("asked", "namespace"),
    [
        ({}, "postgres://db.local:5433"),
        ({"environment": {"HOST": "h", "PORT": "1"}}, "postgres://h:1"),
        ({"environment": {"TARGET": "prod"}}, "postgres://db.example:5432"),
        ({"target": "prod", "environment": {"DOMAIN": "org"}}, "postgres://db.org:5432"),
    ],
)
def test_variables_are_replaced(project: Path, asked: dict[str, Any], namespace: str) -> None:
    names = _named(project, **asked)
    assert (names.default.namespace, names.warning) == (namespace, None)
    assert names.dataset(None, None, "orders")[1] == "shop.public.orders"


def test_a_variable_of_the_command_is_replaced(project: Path) -> None:
    assert _named(project, variables={"base": "told"}).database == "told"


def test_an_attached_database_has_its_own_store(project: Path) -> None:
    names = _named(project, "duckdb", target="lake", environment={"OTHER": "/data/other.duckdb"})
    assert names.dataset("lake", "main", "t") == ("duckdb:///srv/lake.duckdb", "lake.main.t")
    assert names.dataset("o", "main", "t") == ("duckdb:///data/other.duckdb", "other.main.t")


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"target": "macro"}, "no OpenLineage name is known"),
        ({"target": "block"}, "no OpenLineage name is known"),
        ({"environment": {}}, "no OpenLineage name is known"),
        ({"target": "gone"}, "has no output 'gone': datasets get the namespace postgres"),
        ({"profile": "gone"}, "has no profile 'gone': datasets get the namespace postgres"),
        ({"profile": "other", "target": "dev"}, "the profile is for snowflake, the artifacts are of postgres"),
        ({"profiles_dirs": (Path("/nowhere"),)}, "no profiles.yml in /nowhere"),
    ],
)
def test_what_cannot_be_told_is_generic_with_one_warning(project: Path, asked: dict[str, Any], said: str) -> None:
    names = _named(project, **asked)
    assert names.default.namespace == "postgres"
    assert names.warning is not None
    assert said in names.warning
    assert "LINEAL_NAMESPACE_MAP=postgres=" in names.warning
    mapped = _named(project, renames="postgres=postgres://db:5432", **asked)
    assert mapped.warning is None
    assert mapped.dataset("a", "b", "c") == ("postgres://db:5432", "a.b.c")


def test_a_part_that_names_need_and_nobody_tells_is_warned_of(project: Path) -> None:
    (project / "profiles.yml").write_text(
        "shop: {target: d, outputs: {d: {type: postgres, host: h, port: \"{{ env_var('P') }}\", password: x}}}"
    )
    names = _named(project)
    assert names.default.namespace == "postgres://h:5432"
    assert names.warning == "`port` of the profile can't be told here, and names may need it"


def test_a_broken_profile_is_none(project: Path) -> None:
    for text in ("shop: [", "[]", "shop: 1", "shop: {outputs: []}", "\xff"):
        (project / "profiles.yml").write_text(text, encoding="latin-1")
        assert _named(project).default.namespace == "postgres"


def test_artifacts_without_a_project_mean_the_only_profile(tmp_path: Path) -> None:
    (tmp_path / "profiles.yml").write_text("any: {outputs: {default: {type: bigquery, project: p, dataset: d}}}")
    assert _named(tmp_path, "bigquery").dataset("p", "d", "t") == ("bigquery", "p.d.t")


def test_a_path_that_nobody_tells_is_no_database_in_memory(project: Path) -> None:
    (project / "profiles.yml").write_text(
        "shop: {target: d, outputs: {d: {type: duckdb, path: \"{{ env_var('P', 'a') ~ '.duckdb' }}\"}}}"
    )
    names = _named(project, "duckdb")
    assert names.default.namespace == "duckdb"
    assert names.warning is not None
    assert names.warning.startswith("`path` of the profile can't be told here: datasets get the namespace duckdb; give")
