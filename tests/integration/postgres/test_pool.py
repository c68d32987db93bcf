"""Connections to PostgreSQL as we set them up, and what is said when there is none."""

from datetime import date, datetime, timedelta, timezone
from urllib.parse import urlsplit

import asyncpg
import pytest

from lineal_receiver.errors import StoreForbidden, StoreReadOnly, StoreTooOld, StoreUnreachable, StoreUnsafe
from lineal_receiver.postgres import pool as module
from lineal_receiver.postgres.database import prepare_database
from lineal_receiver.postgres.explain import describe, explaining
from lineal_receiver.postgres.pool import check_server, connect, open_pool


async def test_json_goes_in_and_out_as_values(empty_database_url: str) -> None:
    async with open_pool(empty_database_url) as pool:
        value = {"a": [1, 2.5, None, "ä"], "b": {"c": True}}
        assert await pool.fetchval("select $1::jsonb", value) == value
        assert await pool.fetchval("select $1::json", value) == value
        assert await pool.fetchval("""select '"x"'::jsonb""") == "x"
        assert await pool.fetchval("select null::jsonb") is None


async def test_every_instant_and_day_is_itself(empty_database_url: str) -> None:
    instants = [
        datetime(1, 1, 1, tzinfo=timezone.utc),
        datetime(1999, 12, 31, 23, 59, 59, 999_999, tzinfo=timezone.utc),
        datetime(2000, 1, 1, 0, 35, 47, 483_647, tzinfo=timezone.utc),  # 2**31 - 1 microseconds after PostgreSQL's zero
        datetime(9999, 12, 31, 23, 59, 59, 999_999, tzinfo=timezone.utc),
    ]
    async with open_pool(empty_database_url) as pool:
        for instant in instants:
            sent = await pool.fetchrow("select $1::timestamptz as back, isfinite($1::timestamptz) as finite", instant)
            assert (sent["back"], sent["back"].tzinfo, sent["finite"]) == (instant, timezone.utc, True)
            sent = await pool.fetchrow("select $1::date as back, isfinite($1::date) as finite", instant.date())
            assert tuple(sent) == (instant.date(), True)
        assert await pool.fetchval("select array_agg(x) from unnest($1::timestamptz[]) as x", instants) == instants
        other = datetime(2026, 3, 1, 1, tzinfo=timezone(timedelta(hours=2)))
        assert await pool.fetchval("select $1::timestamptz", other) == other
        assert await pool.fetchrow("select 'infinity'::timestamptz, '-infinity'::date") == (datetime.max, date.min)
        with pytest.raises(asyncpg.DataError):
            await pool.fetchval("select $1::timestamptz", datetime(2026, 3, 1))


async def test_the_session_is_set_up(empty_database_url: str) -> None:
    async with open_pool(empty_database_url, size=3, statement_seconds=1.5) as pool:
        assert pool.get_max_size() == 3
        assert await pool.fetchval("show statement_timeout") == "1500ms"
        assert await pool.fetchval("show application_name") == "lineal"
        assert await pool.fetchval("show timezone") == "UTC"
        with pytest.raises(asyncpg.QueryCanceledError):
            await pool.execute("select pg_sleep(10)")


async def test_settings_hold_for_every_connection_again_after_release(empty_database_url: str) -> None:
    async with open_pool(empty_database_url, size=1) as pool:
        await pool.execute("set statement_timeout = 0")
        assert await pool.fetchval("show statement_timeout") == "1min"


async def test_a_server_that_may_forget_is_refused(empty_database_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    connection = await connect(empty_database_url)
    await connection.execute("set synchronous_commit = off")
    with pytest.raises(StoreUnsafe, match="synchronous_commit = off"):
        await check_server(connection, "here")
    await connection.execute("set synchronous_commit = local")
    await check_server(connection, "here")
    monkeypatch.setattr(module, "OLDEST_MAJOR", 99)
    with pytest.raises(StoreTooOld, match=r"here is version 1\d.* needs 99 or newer"):
        await check_server(connection, "here")
    await connection.close()


async def test_a_certificate_that_is_not_there(empty_database_url: str) -> None:
    dsn = urlsplit(empty_database_url)._replace(query="sslmode=verify-full&sslrootcert=/nowhere/root.crt").geturl()
    with pytest.raises(StoreUnreachable, match=r"No such file.* Check the files"):
        await connect(dsn)
    with pytest.raises(StoreUnreachable, match=r"certificate .*sslrootcert="):
        await connect(dsn.partition("&")[0])


async def test_the_limits_of_a_role_do_not_stop_migrations(empty_database_url: str) -> None:
    connection = await connect(empty_database_url)
    name = urlsplit(empty_database_url).path[1:]
    await connection.execute(f"alter database \"{name}\" set statement_timeout = '1ms'")
    await connection.close()
    assert await prepare_database(empty_database_url)


async def test_a_server_that_takes_no_writes_is_refused(empty_database_url: str) -> None:
    connection = await connect(empty_database_url)
    name = urlsplit(empty_database_url).path[1:]
    await connection.execute(f'alter database "{name}" set default_transaction_read_only = on')
    await connection.close()
    with pytest.raises(StoreReadOnly, match="takes no writes"):
        await prepare_database(empty_database_url)


async def test_a_user_who_may_not_make_tables_is_told(empty_database_url: str) -> None:
    owner = await connect(empty_database_url)
    user = "guest_" + urlsplit(empty_database_url).path[-12:]
    await owner.execute(f"create role {user} login password 'geheim'")
    await owner.execute("revoke create on schema public from public")
    try:
        parts = urlsplit(empty_database_url)
        theirs = parts._replace(netloc=f"{user}:geheim@{parts.hostname}:{parts.port}").geturl()
        with pytest.raises(StoreForbidden, match="permission denied for schema public"):
            await prepare_database(theirs)
    finally:
        await owner.execute(f"drop role {user}")
        await owner.close()


async def test_a_connection_that_breaks_is_explained(empty_database_url: str) -> None:
    connection = await connect(empty_database_url)
    other = await connect(empty_database_url)
    pid = await connection.fetchval("select pg_backend_pid()")
    await other.execute("select pg_terminate_backend($1, 5000)", pid)
    with pytest.raises(StoreUnreachable, match=r"shutting down|was lost"), explaining(empty_database_url):
        await connection.fetchval("select 1")
    await other.close()
    await connection.close()


async def test_a_database_set_to_forget_is_refused(empty_database_url: str) -> None:
    connection = await connect(empty_database_url)
    name = urlsplit(empty_database_url).path[1:]
    await connection.execute(f'alter database "{name}" set synchronous_commit = off')
    await connection.close()
    with pytest.raises(StoreUnsafe):
        async with open_pool(empty_database_url):
            pass


@pytest.mark.parametrize(
    ("change", "reason", "remedy"),
    [
        ({"port": "1"}, "the connection is refused", "Check the host and port"),
        ({"password": "wrong"}, "the user or password is refused", "Correct them"),
        ({"user": "nobody_here"}, "the user or password is refused", "Correct them"),
        ({"database": "not_there"}, "there is no such database", "Create it"),
        ({"host": "no-such-host.invalid"}, "there is no host of that name", "Correct the host"),
    ],
)
async def test_what_is_said_without_a_connection(
    server_url: str, change: dict[str, str], reason: str, remedy: str
) -> None:
    parts = urlsplit(server_url)
    given = {
        "user": parts.username,
        "password": parts.password,
        "host": parts.hostname,
        "port": parts.port,
        "database": parts.path[1:],
    } | change
    dsn = "postgresql://{user}:{password}@{host}:{port}/{database}".format(**given)
    with pytest.raises(StoreUnreachable) as caught:
        await connect(dsn)
    assert caught.value.reason == reason
    assert remedy in str(caught.value)
    assert str(given["password"]) not in str(caught.value)
    assert caught.value.__cause__ is None


@pytest.mark.parametrize(
    "dsn",
    ["", "lineal", "mysql://u:geheim@h/d", "postgresql://u:geheim@h:port/d", "postgresql://u:geheim@[::1/d", "host=x"],
)
async def test_an_address_that_can_not_be_read(dsn: str) -> None:
    with pytest.raises(StoreUnreachable, match="the address can't be read") as caught:
        await connect(dsn)
    assert "geheim" not in str(caught.value)


@pytest.mark.parametrize(
    ("dsn", "shown"),
    [
        ("postgresql://u:p@db.example.org:5433/lineal?sslmode=require", "db.example.org:5433/lineal"),
        ("postgresql://db.example.org/lineal", "db.example.org:5432/lineal"),
        ("postgresql:///lineal", "the default host:5432/lineal"),
        ("postgresql://u:p@[::1]:5433/lineal", "[::1]:5433/lineal"),
        ("postgresql://u:p@h:port/lineal", "the given address"),
    ],
)
def test_a_place_is_shown_without_its_secrets(dsn: str, shown: str) -> None:
    assert describe(dsn) == shown
