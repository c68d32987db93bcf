"""Dataset names: by adapter, from dbt's credentials or a profile, whatever is in an identifier."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from dbt.adapters.duckdb.credentials import Attachment, DuckDBCredentials
from hypothesis import given
from hypothesis import strategies as st
from openlineage.client.naming import dataset as naming

from lineal_producer.naming import Namespaces, namespaces, parse_namespace_map
from lineal_producer.naming.adapters import relation_from_name, relation_from_parts, split_quoted
from lineal_producer.naming.files import file_format
from lineal_producer.naming.servers import snowflake_account

SECRET = "s3cr3t-value"


def named(credentials: Any, database: str | None = "db", schema: str | None = "sch") -> tuple[str, str]:
    return namespaces(credentials, "/work dir", "shop").dataset(database, schema, "orders")


@pytest.mark.parametrize(
    ("credentials", "expected"),
    [
        ({"type": "postgres", "host": "pg", "dbname": "x"}, ("postgres://pg:5432", "db.sch.orders")),
        ({"type": "postgres", "host": "PG.example", "port": 5433}, ("postgres://PG.example:5433", "db.sch.orders")),
        (
            {"type": "redshift", "host": "c1.abc123.us-west-2.redshift.amazonaws.com", "port": 5439},
            ("redshift://c1.us-west-2:5439", "db.sch.orders"),
        ),
        (
            {"type": "redshift", "host": "wg.123456789012.eu-west-1.redshift-serverless.amazonaws.com"},
            ("redshift://wg.eu-west-1:5439", "db.sch.orders"),
        ),
        (
            {"type": "redshift", "host": "localhost", "cluster_id": "c2", "region": "eu-north-1", "port": 5440},
            ("redshift://c2.eu-north-1:5440", "db.sch.orders"),
        ),
        ({"type": "redshift", "host": "tunnel", "port": 1}, ("redshift://tunnel:1", "db.sch.orders")),
        ({"type": "snowflake", "account": "myorg-acct"}, ("snowflake://myorg-acct", '"db"."sch"."orders"')),
        ({"type": "bigquery", "project": "p"}, ("bigquery", "db.sch.orders")),
        (
            {"type": "databricks", "host": "https://adb-1.azuredatabricks.net/", "http_path": "/sql/1"},
            ("unitycatalog://adb-1.azuredatabricks.net", "db.sch.orders"),
        ),
        (
            {"type": "spark", "host": "hive", "method": "thrift"},
            ("spark://hive:443", "sch.orders"),
        ),
        ({"type": "spark", "host": "hive", "method": "thrift", "port": 10001}, ("spark://hive:10001", "sch.orders")),
        ({"type": "spark", "host": "https://s.example/", "method": "http"}, ("spark://s.example:443", "sch.orders")),
        ({"type": "spark", "method": "session"}, ("spark://localhost", "sch.orders")),
        (
            {"type": "glue", "region": "eu-west-1", "role_arn": "arn:aws:iam::1234:role/dbt"},
            ("arn:aws:glue:eu-west-1:1234", "table/sch/orders"),
        ),
        (
            {"type": "athena", "region_name": "eu-west-1", "database": "awsdatacatalog"},
            ("awsathena://athena.eu-west-1.amazonaws.com", "db.sch.orders"),
        ),
        ({"type": "trino", "host": "http://trino", "port": 8080}, ("trino://trino:8080", "db.sch.orders")),
        ({"type": "clickhouse", "host": "ch", "port": 9000}, ("clickhouse://ch:9000", "sch.orders")),
        ({"type": "clickhouse", "host": "ch"}, ("clickhouse://ch:8123", "sch.orders")),
        ({"type": "clickhouse"}, ("clickhouse://localhost:8123", "sch.orders")),
        ({"type": "clickhouse", "host": "ch", "secure": True}, ("clickhouse://ch:8443", "sch.orders")),
        ({"type": "clickhouse", "host": "ch", "driver": "native"}, ("clickhouse://ch:9000", "sch.orders")),
        (
            {"type": "clickhouse", "host": "ch", "driver": "native", "secure": True},
            ("clickhouse://ch:9440", "sch.orders"),
        ),
        ({"type": "sqlserver", "server": "h,1444"}, ("mssql://h:1444", "db.sch.orders")),
        ({"type": "sqlserver", "host": "h\\inst"}, ("mssql://h/inst", "db.sch.orders")),
        ({"type": "sqlserver", "host": "h\\inst,1444"}, ("mssql://h:1444", "db.sch.orders")),
        ({"type": "sqlserver", "host": "h"}, ("mssql://h:1433", "db.sch.orders")),
        (
            {"type": "synapse", "host": "w.sql.azuresynapse.net"},
            ("sqlserver://w.sql.azuresynapse.net:1433", "db.sch.orders"),
        ),
        (
            {"type": "fabric", "server": "x.fabric.microsoft.com"},
            ("fabric-warehouse://x.fabric.microsoft.com", "db.sch.orders"),
        ),
        ({"type": "fabric", "workspace_name": "ws"}, ("fabric-warehouse://ws", "db.sch.orders")),
        ({"type": "fabric", "workspace": "ws"}, ("fabric-warehouse://ws", "db.sch.orders")),
        (
            {"type": "fabricspark", "workspaceid": "1DE8390C-9aca", "endpoint": "https://api.fabric.microsoft.com/v1"},
            ("fabricspark://1de8390c-9aca", "db.sch.orders"),
        ),
        (
            {"type": "fabricspark", "livy_mode": "local", "livy_url": "http://u:p@Livy:8998/"},
            ("fabricspark://livy:8998", "db.sch.orders"),
        ),
        ({"type": "fabricspark", "method": "session"}, ("fabricspark://localhost", "db.sch.orders")),
        ({"type": "fabricspark", "method": "session", "workspaceid": "W"}, ("fabricspark://w", "db.sch.orders")),
        ({"type": "vertica", "host": "v"}, ("vertica://v:5433", "db.sch.orders")),
        ({"type": "singlestore", "host": "s"}, ("singlestore://s:3306", "db.sch.orders")),
        ({"type": "doris", "host": "d"}, ("doris://d:9030", "db.sch.orders")),
        ({"type": "materialize", "host": "m", "port": 6875}, ("materialize://m:6875", "db.sch.orders")),
        ({"type": "risingwave", "host": "r", "port": 4566}, ("risingwave://r:4566", "db.sch.orders")),
        ({"type": "mysql", "server": "my"}, ("mysql://my:3306", "sch.orders")),
        ({"type": "mariadb", "host": "my", "port": 3307}, ("mysql://my:3307", "sch.orders")),
        ({"type": "oracle", "host": "ora", "service": "ORCL"}, ("oracle://ora:1521", "ORCL.sch.orders")),
        (
            {"type": "oracle", "connection_string": "ora2:1522/SVC"},
            ("oracle://ora2:1522", "SVC.sch.orders"),
        ),
        (
            {
                "type": "oracle",
                "connection_string": "(DESCRIPTION=(ADDRESS=(PROTOCOL=TCP)(HOST=ora3)(PORT=1523))"
                "(CONNECT_DATA=(SERVICE_NAME=SVC3)))",
            },
            ("oracle://ora3:1523", "SVC3.sch.orders"),
        ),
        (
            {"type": "oracle", "connection_string": "(DESCRIPTION = (ADDRESS = (HOST = ora4)) (SID = S4))"},
            ("oracle://ora4:1521", "S4.sch.orders"),
        ),
        ({"type": "oracle", "tns_name": "prod", "service": "SVC"}, ("oracle://prod", "SVC.sch.orders")),
        ({"type": "mysql", "unix_socket": "/run/mysql.sock"}, ("mysql://localhost:3306", "sch.orders")),
        ({"type": "teradata", "server": "td"}, ("teradata://td:1025", "sch.orders")),
        ({"type": "crate", "host": "c"}, ("crate://c:5432", "db.sch.orders")),
        ({"type": "db2", "host": "d2"}, ("db2://d2:6789", "db.sch.orders")),
        ({"type": "oceanbase", "host": "ob"}, ("oceanbase://ob:2881", "sch.orders")),
        ({"type": "ibmdb2", "host": "d2"}, ("db2://d2:50000", "db.sch.orders")),
        ({"type": "cratedb", "host": "c", "port": 5433}, ("crate://c:5433", "db.sch.orders")),
        ({"type": "exasol", "dsn": "exa.example:8564"}, ("exasol://exa.example:8564", "db.sch.orders")),
        ({"type": "exasol", "dsn": "exa.example"}, ("exasol://exa.example:8563", "db.sch.orders")),
        ({"type": "exasol", "dsn": "exa1..4/AB01CD:8565"}, ("exasol://exa1..4:8565", "db.sch.orders")),
        ({"type": "exasol", "dsn": "exa1/AB01, exa2/CD02:8563"}, ("exasol://exa1:8563", "db.sch.orders")),
        ({"type": "presto", "host": "pr"}, ("presto://pr:8080", "db.sch.orders")),
        ({"type": "dremio", "software_host": "d", "port": 9047}, ("dremio://d:9047", "db.sch.orders")),
        (
            {"type": "dremio", "cloud_host": "api.dremio.cloud", "port": 9047},
            ("dremio://api.dremio.cloud:443", "db.sch.orders"),
        ),
        ({"type": "spanner", "project": "p", "instance": "i"}, ("spanner://p:i", "db.sch.orders")),
        ({"type": "sqlite", "schemas_and_paths": {"main": "/a/b.db"}}, ("sqlite:///a/b.db", "orders")),
    ],
)
def test_name_by_adapter(credentials: dict[str, Any], expected: tuple[str, str]) -> None:
    assert named(credentials) == expected
    assert named(SimpleNamespace(**credentials)) == named(credentials), "a profile and dbt's object agree"


def test_each_schema_of_sqlite_is_a_file() -> None:
    paths = {"main": "/a/b.db", "other": "/a/c.db"}
    names = namespaces({"type": "sqlite", "schemas_and_paths": paths, "schema_directory": "/a"}, "/w", "shop")
    assert names.dataset("database", "main", "orders") == ("sqlite:///a/b.db", "orders")
    assert names.dataset("database", "other", "orders") == ("sqlite:///a/c.db", "orders")
    assert names.dataset("database", "third", "orders") == ("sqlite:///a/third.db", "orders")
    assert names.dataset(None, None, "orders") == ("sqlite:///a/b.db", "orders")


def test_a_profile_without_a_catalog_is_that_of_its_adapter() -> None:
    databricks = namespaces({"type": "databricks", "host": "d.example", "schema": "s"}, "/w", "shop")
    assert databricks.dataset(None, None, "orders") == ("databricks://d.example", "hive_metastore.s.orders")
    athena = namespaces({"type": "athena", "region_name": "eu-west-1", "schema": "s"}, "/w", "shop")
    assert athena.dataset(None, None, "orders")[1] == "awsdatacatalog.s.orders"
    starrocks = namespaces({"type": "starrocks", "host": "sr", "port": 9030, "schema": "s"}, "/w", "shop")
    assert starrocks.dataset(None, None, "orders") == ("starrocks://sr:9030", "default_catalog.s.orders")
    fabric = {"type": "fabricspark", "workspaceid": "w", "lakehouse": "lake", "schema": "s"}
    assert namespaces(fabric, "/w", "shop").dataset(None, None, "orders")[1] == "lake.s.orders"
    session = namespaces({"type": "fabricspark", "method": "session", "schema": "s"}, "/w", "shop")
    assert session.dataset(None, None, "orders") == ("fabricspark://localhost", "default.s.orders")
    dremio = {"type": "dremio", "software_host": "d", "dremio_space": "space", "dremio_space_folder": "f"}
    assert namespaces(dremio, "/w", "shop").dataset(None, None, "orders")[1] == "space.f.orders"


def test_a_profiles_database_that_is_none_of_a_name_is_in_no_name() -> None:
    starrocks = {"type": "starrocks", "host": "sr", "schema": "s", "database": "s"}  # the same, or dbt doesn't begin
    assert namespaces(starrocks, "/w", "shop").dataset(None, "s", "orders") == (
        "starrocks://sr:3306",
        "default_catalog.s.orders",
    )
    lake = namespaces({**starrocks, "catalog": "lake"}, "/w", "shop")
    assert lake.dataset(None, "s", "orders")[1] == "lake.s.orders"
    fabric = {"type": "fabricspark", "workspaceid": "w", "lakehouse": "lake", "database": "other"}  # dbt drops it
    assert namespaces(fabric, "/w", "shop").dataset(None, "s", "orders")[1] == "lake.s.orders"
    mysql = {"type": "mysql", "server": "m", "schema": "s", "database": "s"}
    assert namespaces(mysql, "/w", "shop").dataset(None, "s", "orders") == ("mysql://m:3306", "s.orders")


@pytest.mark.parametrize(
    ("credentials", "database", "expected"),
    [
        ({"type": "databricks", "host": "d"}, "main", ("unity", "delta", "main")),
        ({"type": "databricks", "host": "d"}, "hive_metastore", None),
        ({"type": "athena", "region_name": "r"}, None, ("glue", "hive", "awsdatacatalog")),
        (
            {"type": "glue", "region": "r", "role_arn": "arn:aws:iam::1:role/x"},
            None,
            ("glue", "hive", "awsdatacatalog"),
        ),
        ({"type": "duckdb", "path": "ducklake:/srv/meta.duckdb"}, "meta", ("duckdb", "ducklake", "meta")),
        (
            {"type": "duckdb", "attach": [{"path": "ducklake:postgres:dbname=lake host=pg", "alias": "lake"}]},
            "lake",
            ("postgres", "ducklake", "lake"),
        ),
        (
            {"type": "duckdb", "attach": [{"path": "wh", "alias": "ice", "type": "iceberg"}]},
            "ice",
            ("rest", "iceberg", "ice"),
        ),
        ({"type": "duckdb", "path": "/srv/shop.duckdb"}, "shop", None),
        ({"type": "postgres", "host": "pg"}, "shop", None),
    ],
)
def test_the_catalog_that_lists_a_table(
    credentials: dict[str, Any], database: str | None, expected: tuple[str, str, str] | None
) -> None:
    assert namespaces(credentials, "/w", "shop").catalog(database) == expected


@pytest.mark.parametrize(
    ("location", "expected"),
    [
        ("s3://lake/events/*.parquet", "parquet"),
        ("read_csv('data/x', delim = ';')", "csv"),
        ("read_json_auto('x.log')", "json"),
        ("read_parquet(['a', 'b'])", "parquet"),
        ("'data/x.csv.gz'", "csv"),
        ("data/x.NDJSON", "ndjson"),
        ("['a.csv', 'b.parquet']", None),
        ("{external_root}/orders", None),
        ("my_function('x')", None),
        ("", None),
    ],
)
def test_the_format_of_files(location: str, expected: str | None) -> None:
    assert file_format(location) == expected


@pytest.mark.parametrize(
    ("account", "expected"),
    [
        ("myorg-acct", "myorg-acct"),
        ("myorg-acct.privatelink", "myorg-acct"),
        ("my_org-acct_1", "my-org-acct-1"),
        ("xy12345", "xy12345.us-west-1.aws"),
        ("xy12345.us-east-1", "xy12345.us-east-1.aws"),
        ("xy12345.west-europe.azure", "xy12345.west-europe.azure"),
        ("myorg-acct.snowflakecomputing.com", "myorg-acct"),
    ],
)
def test_snowflake_account_is_written_as_all_integrations_write_it(account: str, expected: str) -> None:
    assert snowflake_account(account) == expected


def test_snowflake_quotes_only_what_needs_quotes() -> None:
    names = namespaces({"type": "snowflake", "account": "o-a", "database": "analytics", "schema": "dbt"}, "/", "shop")
    assert names.dataset("DB", "SCH", "ORDERS")[1] == "DB.SCH.ORDERS"
    assert names.dataset("DB", "SCH", 'My "Table"')[1] == 'DB.SCH."My ""Table"""'
    assert names.dataset(None, None, "ORDERS")[1] == "ANALYTICS.DBT.ORDERS", "the connection's parts, as stored"


class TestDuckDB:
    def test_relative_path_is_resolved_against_dbts_folder(self, tmp_path: Path) -> None:
        (tmp_path / "real").mkdir()
        (tmp_path / "link").symlink_to(tmp_path / "real")
        path = tmp_path.resolve() / "real" / "shop.duckdb"
        for written, cwd in (("shop.duckdb", "real"), ("./shop.duckdb", "link"), ("../link/shop.duckdb", "real")):
            names = namespaces({"type": "duckdb", "path": written}, str(tmp_path / cwd), "shop")
            assert names.dataset("shop", "main", "t") == (f"duckdb://{path}", "shop.main.t")

    def test_memory_belongs_to_the_project(self) -> None:
        assert named({"type": "duckdb"}, "memory", "main") == ("inmemory://shop", "memory.main.orders")
        assert named({"type": "duckdb", "path": ":memory:"}, None, "main") == ("inmemory://shop", "memory.main.orders")

    @pytest.mark.parametrize("path", ["md:prod?motherduck_token=" + SECRET, "motherduck:prod?x=" + SECRET, "md:prod"])
    def test_motherduck_without_its_query_string(self, path: str) -> None:
        assert named({"type": "duckdb", "path": path}, "prod", "main") == ("duckdb://md:prod", "prod.main.orders")
        assert named({"type": "duckdb", "path": path}, "other", "main") == ("duckdb://md:other", "other.main.orders")

    def test_attached_databases_have_their_own_store(self) -> None:
        credentials = DuckDBCredentials(
            path="/srv/shop.duckdb",
            schema="main",
            attach=[
                Attachment(path="/data/crm file.duckdb", alias="crm"),
                Attachment(path=f"postgresql://u:{SECRET}@pg:5433/orders_db", type="postgres", alias="pg"),
                Attachment(path=f"dbname=x host=pg2 password={SECRET} user=u", type="postgres", alias="pg2"),
                Attachment(path=f"host=my port=3307 database=m password={SECRET}", type="mysql", alias="my"),
                Attachment(path="/data/l.sqlite", type="sqlite", alias="lite"),
                Attachment(path=f"md:cloud?motherduck_token={SECRET}", alias="cloud"),
                Attachment(path="ducklake:/lake/meta.ducklake", alias="lake"),
                Attachment(path=f"ducklake:postgres:dbname=cat host=lh password={SECRET}", alias="lake2"),
                Attachment(path="s3://bucket/remote.duckdb", alias="remote"),
                Attachment(path="wh", type="iceberg", alias="ice", options={"endpoint": "https://cat.example/v1"}),
            ],
        )
        names = namespaces(credentials, "/srv", "shop")
        assert names.dataset("crm", "main", "t") == ("duckdb:///data/crm file.duckdb", "crm file.main.t")
        assert names.dataset("pg", "public", "t") == ("postgres://pg:5433", "orders_db.public.t")
        assert names.dataset("pg2", "public", "t") == ("postgres://pg2:5432", "x.public.t")
        assert names.dataset("my", "m", "t") == ("mysql://my:3307", "m.t")
        assert names.dataset("lite", "main", "t") == ("sqlite:///data/l.sqlite", "t")
        assert names.dataset("cloud", "main", "t") == ("duckdb://md:cloud", "cloud.main.t")
        assert names.dataset("lake", "main", "t") == ("ducklake:///lake/meta.ducklake", "meta.main.t")
        assert names.dataset("lake2", "main", "t") == ("ducklake:postgres://lh:5432", "cat.main.t")
        assert names.dataset("remote", "main", "t") == ("duckdb://s3://bucket/remote.duckdb", "remote.main.t")
        assert names.dataset("ice", "ns", "t") == ("iceberg://cat.example/wh", "ice.ns.t")
        assert names.dataset("SHOP", "main", "t") == ("duckdb:///srv/shop.duckdb", "shop.main.t")
        assert SECRET not in json.dumps(names.to_json())

    def test_an_alias_never_names_an_attached_file(self) -> None:
        profile = {"type": "duckdb", "path": "a.duckdb", "attach": [{"path": "/d/sales.duckdb", "alias": "x"}]}
        assert namespaces(profile, "/srv", "shop").dataset("X", "main", "t") == (
            "duckdb:///d/sales.duckdb",
            "sales.main.t",
        )


def test_third_party_adapter_gets_a_generic_namespace_and_one_warning() -> None:
    names = namespaces({"type": "futuredb", "host": "f", "port": 1, "password": SECRET}, "/", "shop")
    assert names.dataset("db", "sch", "t") == ("futuredb://f:1", "db.sch.t")
    assert names.warning is not None
    assert "futuredb" in names.warning
    assert "LINEAL_NAMESPACE_MAP" in names.warning
    assert SECRET not in json.dumps(names.to_json())


@pytest.mark.parametrize("credentials", [{}, {"type": "snowflake"}, {"type": "postgres"}, {"type": "glue"}, None])
def test_missing_fields_give_a_name_and_a_warning_never_an_error(credentials: Any) -> None:
    names = namespaces(credentials, "/", "shop")
    assert names.dataset("db", "sch", "t")[1]
    assert names.warning


class TestNamespaceMap:
    def test_wins_over_the_computed_namespace(self) -> None:
        profile = {"type": "postgres", "host": "10.0.0.7"}
        names = namespaces(profile, "/", "shop", "postgres://10.0.0.7:5432=postgres://orders-db:5432, file=file://nas")
        assert names.dataset("db", "s", "t") == ("postgres://orders-db:5432", "db.s.t")
        assert names.external("/data/x.csv") == ("file://nas", "/data/x.csv")

    def test_silences_the_warning_of_a_generic_name(self) -> None:
        assert namespaces({"type": "futuredb", "host": "f"}, "/", "shop", '{"futuredb://f": "fdb"}').warning is None

    @pytest.mark.parametrize("text", ["postgres", "{broken", '{"a": 1}', "[]"])
    def test_a_broken_one_says_what_is_wrong(self, text: str) -> None:
        with pytest.raises(ValueError, match=r"LINEAL_NAMESPACE_MAP|JSON|property name"):
            parse_namespace_map(text)

    def test_empty_is_empty(self) -> None:
        assert parse_namespace_map("") == parse_namespace_map(None) == {}


class TestFiles:
    @pytest.mark.parametrize(
        ("location", "expected"),
        [
            (
                "read_parquet('s3://lake/raw/events/dt=*/*.parquet', hive_partitioning = true)",
                ("s3://lake", "raw/events"),
            ),
            ("'s3://lake/raw/events/*.parquet'", ("s3://lake", "raw/events")),
            ("s3a://lake/raw/one.parquet", ("s3://lake", "raw/one.parquet")),
            ("read_csv('gcs://b/x/*.csv', delim = ';')", ("gs://b", "x")),
            ("'raw/orders_*.csv'", ("file", "/srv/raw/orders_")),
            ("read_parquet('raw/odometer/dt=*/*.parquet')", ("file", "/srv/raw/odometer")),
            ("read_csv(['raw/a.csv', 'raw/b.csv'], header = true)", ("file", "/srv/raw")),
            ("/abs/it''s.csv", ("file", "/abs/it''s.csv")),
            ("'/abs/it''s.csv'", ("file", "/abs/it's.csv")),
            ("file:///abs/x.csv", ("file", "/abs/x.csv")),
            (f"'https://u:{SECRET}@host/x.csv?sig={SECRET}'", ("https://host", "x.csv")),
            ("abfss://c@acc.dfs.core.windows.net/x/y.parquet", ("abfss://c@acc.dfs.core.windows.net", "x/y.parquet")),
            ("delta_scan('s3://lake/tables/orders')", ("s3://lake", "tables/orders")),
            ("'s3://lake/*/x.parquet'", ("s3://lake", "/")),
        ],
    )
    def test_constant_prefix(self, location: str, expected: tuple[str, str]) -> None:
        assert namespaces({"type": "duckdb"}, "/srv", "shop").external(location) == expected

    @pytest.mark.parametrize("location", ["", "range(10)", "read_parquet(getvariable('x'))"])
    def test_no_path_no_name(self, location: str) -> None:
        assert namespaces({"type": "duckdb"}, "/srv", "shop").external(location) is None

    def test_external_models_are_below_the_external_root(self) -> None:
        names = namespaces({"type": "duckdb", "external_root": "s3://out/dbt"}, "/srv", "shop")
        assert names.external("{external_root}/orders.parquet") == ("s3://out", "dbt/orders.parquet")


class TestRelationNames:
    def test_parts_keep_dots_quotes_and_emoji(self) -> None:
        assert split_quoted('"a.b".plain."say ""hi"" 🦆"') == [
            ("a.b", True),
            ("plain", False),
            ('say "hi" 🦆', True),
        ]
        assert split_quoted("`p-1`.`d`.`t`") == [("p-1", True), ("d", True), ("t", True)]
        assert split_quoted("[a b].[c]") == [("a b", True), ("c", True)]

    @given(st.lists(st.text(min_size=1), min_size=3, max_size=3))
    def test_quoting_is_undone_whatever_is_quoted(self, parts: list[str]) -> None:
        rendered = ".".join('"' + part.replace('"', '""') + '"' for part in parts)
        if "(" in rendered:
            return
        assert relation_from_name(rendered, "duckdb") == tuple(parts)

    @pytest.mark.parametrize(
        ("rendered", "adapter", "expected"),
        [
            ("analytics.dbt.orders", "snowflake", ("ANALYTICS", "DBT", "ORDERS")),
            ('analytics.dbt."Orders"', "snowflake", ("ANALYTICS", "DBT", "Orders")),
            ('"Shop"."main"."Orders"', "postgres", ("Shop", "main", "Orders")),
            ("Shop.main.Orders", "postgres", ("shop", "main", "orders")),
            ("Shop.main.Orders", "duckdb", ("Shop", "main", "Orders")),
            ("`p.d.t`", "bigquery", ("p", "d", "t")),
            ("`sch`.`t`", "clickhouse", (None, "sch", "t")),
            ("read_csv('x')", "duckdb", None),
        ],
    )
    def test_relation_is_in_stored_case(self, rendered: str, adapter: str, expected: Any) -> None:
        assert relation_from_name(rendered, adapter) == expected

    def test_configured_parts_are_used_without_a_rendered_name(self) -> None:
        assert relation_from_parts("db", "s", "t", "snowflake", {}) == ("DB", "S", "T")
        assert relation_from_parts("db", "s", "t", "snowflake", {"identifier": True}) == ("DB", "S", "t")
        assert relation_from_parts("Db", "s", "T", "postgres", {"identifier": False}) == ("Db", "s", "t")


@given(st.text(min_size=8, alphabet="abcdefghijklmnopqrstuvwxyz0123456789"), st.sampled_from(["password", "token"]))
def test_credentials_never_enter_a_name(secret: str, field: str) -> None:
    secret = "zq" + secret
    for kind in ("postgres", "snowflake", "databricks", "duckdb", "trino", "futuredb"):
        profile = {"type": kind, "host": f"user:{secret}@h", "account": "o-a", field: secret, "user": secret}
        told = namespaces(profile, "/", "shop")
        assert secret not in json.dumps(told.to_json())
        assert Namespaces.from_json(json.loads(json.dumps(told.to_json()))) == told


def test_openlineage_dbts_own_name_is_told_where_it_differs() -> None:
    names = namespaces({"type": "databricks", "host": "d.example"}, "/", "shop")
    assert names.elsewhere("main", "sch", "t") == ("databricks://d.example", "main.sch.t")
    assert namespaces({"type": "postgres", "host": "h"}, "/", "shop").elsewhere("db", "s", "t") is None


def test_a_namespace_map_that_is_no_json_is_told_by_its_name() -> None:
    with pytest.raises(ValueError, match=r"^LINEAL_NAMESPACE_MAP: not valid JSON \("):
        parse_namespace_map("{")


@pytest.mark.parametrize(
    ("credentials", "theirs"),
    [
        ({"type": "athena", "region_name": "eu-west-1"}, naming.Athena("eu-west-1", "db", "sch", "orders")),
        (
            {"type": "glue", "region": "eu-west-1", "role_arn": "arn:aws:iam::1234:role/dbt"},
            naming.AWSGlue("eu-west-1", "1234", "sch", "orders"),
        ),
        ({"type": "bigquery"}, naming.BigQuery("db", "sch", "orders")),
        ({"type": "mysql", "server": "h"}, naming.MySQL("h", "3306", "sch", "orders")),
        ({"type": "crate", "host": "h"}, naming.CrateDB("h", "5432", "db", "sch", "orders")),
        ({"type": "ibmdb2", "host": "h", "port": 6789}, naming.DB2("h", "6789", "db", "sch", "orders")),
        ({"type": "oceanbase", "host": "h"}, naming.OceanBase("h", "2881", "sch", "orders")),
        ({"type": "oracle", "host": "h", "service": "db"}, naming.Oracle("h", "1521", "db", "sch", "orders")),
        ({"type": "postgres", "host": "h"}, naming.Postgres("h", "5432", "db", "sch", "orders")),
        ({"type": "teradata", "host": "h"}, naming.Teradata("h", "1025", "sch", "orders")),
        (
            {"type": "redshift", "host": "c.abc.eu-west-1.redshift.amazonaws.com"},
            naming.Redshift("c", "eu-west-1", "5439", "db", "sch", "orders"),
        ),
        ({"type": "trino", "host": "h"}, naming.Trino("h", "443", "db", "sch", "orders")),
    ],
)
def test_names_are_those_of_openlineages_own_client(credentials: dict[str, Any], theirs: Any) -> None:
    assert named(credentials) == (theirs.get_namespace(), theirs.get_name())


def test_snowflakes_name_is_that_of_openlineages_own_client() -> None:
    theirs = naming.Snowflake("org", "account", "DB", "SCH", "ORDERS")
    told = namespaces({"type": "snowflake", "account": "org-account"}, "/", "shop").dataset("DB", "SCH", "ORDERS")
    assert told == (theirs.get_namespace(), theirs.get_name())
