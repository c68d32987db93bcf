"""Secrets are taken out of what is told; what only looks like one stays."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from lineal_producer.events import invocation_event
from lineal_producer.privacy import hidden, without_secrets
from lineal_producer.records import invocation_end
from lineal_producer.settings import secrets_of_dbt

from .samples import invocation

PASSWORD = "hunter2x"


@pytest.fixture
def _secret(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("DBT_ENV_SECRET_PG", PASSWORD)
    monkeypatch.setenv("DBT_ENV_SECRET_LONGER", f"{PASSWORD}-and-more")
    monkeypatch.setenv("DBT_ENV_SECRET_SHORT", "id")
    monkeypatch.setenv("DBT_ENV_SECRET_EMPTY", "")
    secrets_of_dbt.cache_clear()
    yield
    secrets_of_dbt.cache_clear()


@pytest.mark.parametrize(
    "text",
    [
        "postgres://ana:{}@db:5432/shop",
        'Unable to connect to Postgres at "dbname=x host=h password={} user=u": refused',
        "Unable to connect 'password={} host=h'",
        "attach 'postgres:dbname=a password={}' as p",
        "md:db?motherduck_token={}",
        "Server=tcp:h,1433;Database=d;Uid=u;Pwd={};Encrypt=yes",
        "create secret s (type s3, secret '{}', region 'eu')",
        "create user x with password '{}'",
        'alter user x identified by "{}"',
        "copy into t credentials=(aws_secret_key='{}')",
        "copy t from 's3://b' credentials 'aws_access_key_id=a1;aws_secret_access_key={}'",
        "set s3_secret_access_key='{}'",
        "add_secret(name => 'n', token => '{}')",
        "-----BEGIN PRIVATE KEY-----{}-----END PRIVATE KEY-----",
    ],
)
def test_secrets_are_masked_and_nothing_else(text: str) -> None:
    assert without_secrets(text.format(PASSWORD)) == text.format("***")
    assert without_secrets(text.format("***")) == text.format("***")


@pytest.mark.parametrize(
    "token", ["AKIAIOSFODNN7EXAMPLE", "ghp_" + "a1" * 18, "glpat-" + "b2" * 10, "dapi" + "0a" * 16]
)
def test_tokens_are_known_by_their_looks(token: str) -> None:
    assert without_secrets(f"select '{token}' as t") == "select '***' as t"


@pytest.mark.parametrize(
    "text",
    [
        "select token, secret from t where token = 'a' and password = other.password",
        "select data->>'token' = 'abc', \"secret\" from t",
        "select password, 'x' from t where user_key = 'k' and t.key='v'",
        "select case when token='x' then 1 end as token_key, 'y' as z",
        "select u.id=u.x and u.password=b.password from t join b on a.id=b.id and a.secret=b.secret",
        "select row_number() over (partition by session_token order by 'a')",
        "select 'https://example.org/a:b@c'",
        "where api_key in ('a', 'b') and x like '%token%' and token like 'abc'",
        "could not convert string 'ann' to INT32",
    ],
)
def test_sql_is_not_taken_for_secrets(text: str) -> None:
    assert without_secrets(text) == text


@pytest.mark.usefixtures("_secret")
def test_the_values_of_dbts_secret_variables_are_masked() -> None:
    told = f"could not convert '{PASSWORD}' and '{PASSWORD}-and-more' of column id"
    assert without_secrets(told) == "could not convert '***' and '***' of column id"
    assert hidden(told, "full") == without_secrets(told)
    assert hidden(told, "none") is None


def test_hooks_are_told_without_them() -> None:
    hooks = [{"when": "on-run-start", "sql": f"create secret s (secret '{PASSWORD}')", "nodes": []}]
    end = invocation_end("2026-01-31T10:20:30Z", success=True, hooks=hooks)  # type: ignore[arg-type] # a record's field
    told = invocation_event("COMPLETE", invocation(), "2026-01-31T10:20:30Z", end)
    (hook,) = told["run"]["facets"]["lineal_invocation"]["hooks"]
    assert hook["sql"] == "create secret s (secret '***')"


@pytest.mark.parametrize(
    "text",
    ["token " + "a=b" * 200_000, "token" + " " * 200_000 + "x", "password '" * 20_000, "x_token_" * 50_000 + "="],
)
def test_no_text_is_looked_at_again_and_again(text: str) -> None:
    """Where each place was looked at from each before it, these would take hours."""
    assert without_secrets(text).count("=") == text.count("=")
