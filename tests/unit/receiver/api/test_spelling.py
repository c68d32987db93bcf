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
