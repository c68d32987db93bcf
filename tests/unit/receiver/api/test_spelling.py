"""Which namespaces and names are likely two spellings of one, and why."""

import pytest

from lineal_receiver.api.v2.spelling import find_like_names, find_like_namespaces, read_spelling


@pytest.mark.parametrize(
    ("one", "other", "reasons"),
    [
        ("postgres://db:5432", "postgres://DB:5432", ("case",)),
        ("postgres://db:5432", "postgres://db", ("default port",)),
        ("postgres://db:5432", "postgresql://db:5432", ("scheme",)),
        ("postgres://db.example:5432", "postgres://db.example.:5432", ("dot at the end of the host",)),
        ("trino://www.db.example:443", "trino://db.example:443", ("www",)),
        ("postgres://localhost:5432", "postgres://127.0.0.1:5432", ("loopback address",)),
        ("postgres://db:5432", "postgresql+psycopg2://db", ("scheme", "default port")),
        ("mysql://db:3306", "mysql+pymysql://db", ("scheme", "default port")),
        ("mysql://db:3306", "jdbc:mariadb://db:3306", ("scheme",)),
        ("mssql://db:1433", "mssql+pyodbc://db", ("scheme", "default port")),
        ("hive://meta:9083", "thrift://meta", ("scheme", "default port")),
        ("hive://server:10000", "jdbc:hive2://server", ("scheme", "default port")),
        ("s3a://lake", "s3://lake", ("scheme",)),
        ("s3n://lake/", "s3://lake", ("scheme", "slash at the end")),
        ("POSTGRES://DB", "postgres://db:5432", ("default port", "case")),
        ("hive://meta:9083", "hive://meta.example.org:9083", ("short host name",)),
        ("BigQuery", "bigquery", ("case",)),
        ("crate://db:5432", "cratedb://db", ("scheme", "default port")),
        ("oceanbase://db:2881", "oceanbase://db", ("default port",)),
        ("jdbc:starrocks://db:9030", "starrocks://db", ("scheme", "default port")),
        ("vertica://db:5433", "vertica+vertica_python://db", ("scheme", "default port")),
        ("exasol://db:8563", "exa://db", ("scheme", "default port")),
        ("trino://db:8080", "trino://db", ("default port",)),
        ("clickhouse://db:9000", "clickhouse://db:8123", ("default port",)),
        ("db2://db:50000", "ibm_db_sa://db", ("scheme", "default port")),
        ("databricks://ws.example", "unitycatalog://ws.example:443", ("scheme", "default port")),
        (
            "redshift://c.us-west-2:5439",
            "redshift://c.abc123.us-west-2.redshift.amazonaws.com",
            ("endpoint", "default port"),
        ),
        (
            "redshift://g.eu-west-1:5439",
            "redshift://g.12.eu-west-1.redshift-serverless.amazonaws.com:5439",
            ("endpoint",),
        ),
        ("snowflake://org-my-account", "snowflake://ORG-MY_ACCOUNT.snowflakecomputing.com", ("endpoint",)),
    ],
)
def test_two_spellings_of_a_namespace(one: str, other: str, reasons: tuple[str, ...]) -> None:
    (found,) = find_like_namespaces([one, other, "kafka://unlike:9092"])
    assert {found.one, found.other} == {one, other}
    assert found.reasons == reasons


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("postgres://db:5432", "postgres://db:5433"),
        ("postgres://db:5432", "mysql://db:5432"),
        ("hive://server:9083", "hive2://server"),
        ("s3://lake", "s3://Lake2"),
        ("trino://db:8080", "trino://db:8081"),
        ("redshift://c.us-west-2:5439", "redshift://c.abc123.us-east-1.redshift.amazonaws.com:5439"),
        ("postgres://my_db:5432", "postgres://my-db:5432"),
        ("postgres://a.example:5432", "postgres://b.example:5432"),
        ("postgres://10.0.0.1:5432", "postgres://10:5432"),
        ("", "x"),
    ],
)
def test_two_namespaces_that_are_not_alike(one: str, other: str) -> None:
    assert find_like_namespaces([one, other]) == []


def test_a_short_host_that_could_be_two_is_no_pair() -> None:
    assert find_like_namespaces(["hive://meta:1", "hive://meta.a.org:1", "hive://meta.b.org:1"]) == []


def test_names_in_a_namespace() -> None:
    found = find_like_names(["shop.orders", 'shop."Orders"', "/raw/x", "raw/x/", "other", "/", "//"])
    assert [(pair.one, pair.other, pair.reasons) for pair in found] == [
        ("shop.orders", 'shop."Orders"', ("quotes", "case")),
        ("/raw/x", "raw/x/", ("slash at an end",)),
    ]


def test_the_plain_spelling_is_the_one_to_keep() -> None:
    assert [read_spelling(name).is_plain for name in ("postgres://db:5432", "postgres://DB:5432", "s3a://b")] == [
        True, False, False,
    ]  # fmt: skip
