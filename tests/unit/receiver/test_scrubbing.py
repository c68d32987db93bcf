"""Secrets are taken out of bodies by their looks, always in the same way, and nothing else is."""

import json
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from lineal_receiver.ingest.scrubbing import scrub

SECRETS = [
    ("jdbc:postgresql://loader:hunter2@db:5432/shop", "jdbc:postgresql://loader:***@db:5432/shop"),
    ("postgres://loader:p@ss:w@db/shop", "postgres://loader:***@db/shop"),
    ("https://:x@h", "https://:***@h"),
    ("https://a:b@c,https://d:e@f/x", "https://a:***@c,https://d:***@f/x"),
    ("mongodb://u:p@h1,h2:27017/d", "mongodb://u:***@h1,h2:27017/d"),
    ("jdbc:oracle:thin:scott/tiger@//db:1521/shop", "jdbc:oracle:thin:scott/***@//db:1521/shop"),
    ("jdbc:oracle:thin:scott/tiger@db:1521:shop", "jdbc:oracle:thin:scott/***@db:1521:shop"),
    ("jdbc:mysql://db/shop?user=u&password=x1&useSSL=true", "jdbc:mysql://db/shop?user=u&password=***&useSSL=true"),
    ("jdbc:sqlserver://db:1433;user=u;Password=x;encrypt=true", "jdbc:sqlserver://db:1433;user=u;Password=***;encrypt=true"),
    ("jdbc:hive2://h:10000/d;trustStorePassword=x;ssl=true", "jdbc:hive2://h:10000/d;trustStorePassword=***;ssl=true"),
    ("https://blob.example/c?sp=r&sig=ab%2Fc&se=1", "https://blob.example/c?sp=r&sig=***&se=1"),
    ("https://s3.example/k?X-Amz-Credential=A&X-Amz-Signature=b", "https://s3.example/k?X-Amz-Credential=***&X-Amz-Signature=***"),
    ("AccountName=a;AccountKey=abc==;EndpointSuffix=x", "AccountName=a;AccountKey=***;EndpointSuffix=x"),
    ("https://ghp_abcDEF123@github.example/o/r", "https://***@github.example/o/r"),
    ("https://api.example/x?access_token=abc", "https://api.example/x?access_token=***"),
]  # fmt: skip

HARMLESS = [
    "hdfs://namenode:8020/user@x", "abfss://container@account.dfs.example/p", "git@github.example:o/r",
    "http://h:80 and c@d", "http://h:80/p?x=a@b", "http://h:80?x=a@b", "kafka://broker:9092", "someone@example.com",
    "select password, token = 3 from t where key = 1", "a.token=b.token", "jdbc:oracle:thin:@db:1521:shop",
    "https://x.example/list?next=token", "?keyword=a&monkey=b", "user:password@nowhere",
]  # fmt: skip


@pytest.mark.parametrize(("text", "kept"), SECRETS)
def test_secrets_in_urls_and_connection_strings(text: str, kept: str) -> None:
    for content in ({"a": text}, {text: "x"}, [f"see {text} now"], {"sql": f"-- {text}\nselect 1"}):
        expected = json.dumps(content).replace(text, kept).encode()
        assert scrub(json.dumps(content).encode()) == expected
        assert scrub(expected) == expected
    slashed = json.dumps(text).replace("/", "\\/").replace("&", "\\u0026").encode()
    assert json.loads(scrub(slashed)) == kept


@pytest.mark.parametrize("text", HARMLESS)
def test_what_is_no_secret_stays(text: str) -> None:
    body = json.dumps({"a": text, text: 1}).encode()
    assert scrub(body) is body


@pytest.mark.parametrize("key", ["password", "PASSWORD", "spark.db.password", "client_secret", "access_token"])
def test_members_that_are_called_so(key: str) -> None:
    body = json.dumps({key: 'hun"ter\\', "other": "x"}, indent=1).encode()
    assert json.loads(scrub(body)) == {key: "***", "other": "x"}


def test_columns_that_are_called_so_stay() -> None:
    fields: Any = {"fields": [{"name": "password", "type": "text"}], "columns": {"password": {"a": 1}, "token": ""}}
    body = json.dumps(fields).encode()
    assert scrub(body) is body


PIECES = st.sampled_from(
    ["://", ":\\/\\/", "@", ":", "/", "?", "&", ";", "=", "password", "token=", '"', "\\", " ", "u", "p",
     "jdbc:oracle:thin:", "\\u0026", "sig=", '":"', "password\":\"", "ghp_x"]
)  # fmt: skip


@given(st.lists(PIECES, max_size=40).map("".join))
@example('://a:b@c://d:e@f?password=g&token=h"password":"i"')
def test_what_was_scrubbed_is_not_scrubbed_again(text: str) -> None:
    once = scrub(text.encode())
    assert scrub(once) == once


@given(st.recursive(st.none() | st.integers() | st.text(), lambda s: st.lists(s) | st.dictionaries(st.text(), s)))
def test_json_stays_json(value: Any) -> None:
    def scatter(inner: Any) -> Any:
        return [inner, {"password": "x://y:z@w", "url": "a://b:c@d?token=e"}, inner]

    found = json.loads(scrub(json.dumps(scatter(value)).encode()))
    assert found[1] == {"password": "***", "url": "a://b:***@d?token=***"}
