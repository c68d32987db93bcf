"""Bring a database's schema up to date: forward only, one server at a time, each file whole or not at all."""

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import asyncpg
import structlog

from lineal_receiver.errors import (
    DatabaseNewer,
    MigrationBlocked,
    MigrationEdited,
    MigrationFailed,
    MigrationMisnamed,
    StoreForbidden,
)
from lineal_receiver.postgres.statements import Statement, split_statements

LOCK_SECONDS = 10
ADVISORY_KEY = 0x4C494E45414C  # "LINEAL"
FILE_NAME = re.compile(r"(\d{4})_[a-z0-9]+(_[a-z0-9]+)+\.sql")

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Migration:
    """One file: its number, its name without `.sql`, its statements and their hash."""

    number: int
    name: str
    sql: str
    sha256: bytes


def read_migrations(folder: Path) -> tuple[Migration, ...]:
    """The migrations in `folder`, in order; MigrationMisnamed for a wrong name, a gap or a number used twice."""
    migrations: list[Migration] = []
    for path in sorted(folder.glob("*.sql")):
        match = FILE_NAME.fullmatch(path.name)
        if match is None:
            raise MigrationMisnamed(path=path, reason="not a migration's name")
        number = int(match[1])
        if number != len(migrations) + 1:
            raise MigrationMisnamed(path=path, reason=f"number {len(migrations) + 1:04} was expected")
        raw = path.read_bytes().replace(b"\r\n", b"\n")  # a checkout may change line ends, which isn't an edit
        migrations.append(
            Migration(number=number, name=path.stem, sql=raw.decode("utf-8"), sha256=hashlib.sha256(raw).digest())
        )
    return tuple(migrations)


async def migrate(connection: asyncpg.Connection, migrations: Sequence[Migration]) -> tuple[str, ...]:
    """Apply what is missing and give the names of what was applied; whoever comes second waits, and finds it done."""
    await connection.execute("select pg_advisory_lock($1)", ADVISORY_KEY)
    try:
        await _ensure_ledger(connection)
        applied = await fetch_applied(connection)
        missing = find_missing(migrations, applied)
        for migration in missing:
            await _apply(connection, migration)
            log.info("migration_applied", migration=migration.name)
        return tuple(migration.name for migration in missing)
    finally:
        if not connection.is_closed():
            await connection.execute("select pg_advisory_unlock($1)", ADVISORY_KEY)


def find_missing(migrations: Sequence[Migration], applied: Sequence[tuple[str, bytes]]) -> tuple[Migration, ...]:
    """What has to be applied after `applied` (name and hash, in order); refuses a newer database and an edited file."""
    if len(applied) > len(migrations):
        raise DatabaseNewer(found=applied[-1][0], known=migrations[-1].name if migrations else "none")
    for migration, (name, sha256) in zip(migrations, applied, strict=False):
        if (migration.name, migration.sha256) != (name, sha256):
            raise MigrationEdited(name=name)
    return tuple(migrations[len(applied) :])


ENSURE_LEDGER = """
create table if not exists schema_migration (
    number integer primary key,
    name text not null,
    sha256 bytea not null,
    applied_at timestamptz not null default now()
)
"""


async def _ensure_ledger(connection: asyncpg.Connection) -> None:
    if await connection.fetchval("select to_regclass('schema_migration') is null"):
        try:
            await connection.execute(ENSURE_LEDGER)
        except (asyncpg.InsufficientPrivilegeError, asyncpg.InvalidSchemaNameError) as error:
            database = await connection.fetchval("select current_database()")
            raise StoreForbidden(where=database, reason=str(error)) from error


async def fetch_applied(connection: asyncpg.Connection) -> tuple[tuple[str, bytes], ...]:
    """The names and hashes of the migrations that this database has, in order; none in an empty database."""
    if await connection.fetchval("select to_regclass('schema_migration') is null"):
        return ()
    rows = await connection.fetch("select name, sha256 from schema_migration order by number")
    return tuple((row["name"], row["sha256"]) for row in rows)


RECORD = "insert into schema_migration (number, name, sha256) values ($1, $2, $3)"


async def _apply(connection: asyncpg.Connection, migration: Migration) -> None:
    async with connection.transaction():
        await connection.execute(f"set local lock_timeout = '{int(LOCK_SECONDS * 1000)}ms'")
        for statement in split_statements(migration.sql):
            await _run(connection, migration.name, statement)
        await connection.execute(RECORD, migration.number, migration.name, migration.sha256)


async def _run(connection: asyncpg.Connection, name: str, statement: Statement) -> None:
    try:
        await connection.execute(statement.sql)
    except asyncpg.LockNotAvailableError as error:
        raise MigrationBlocked(name=name, seconds=LOCK_SECONDS) from error
    except asyncpg.PostgresError as error:
        raise _failed(name, statement, error) from error


def _failed(name: str, statement: Statement, error: asyncpg.PostgresError) -> MigrationFailed:
    """The error of one statement, with the line that PostgreSQL points to in it, else its first."""
    offset = int(error.position) - 1 if error.position else 0
    within = statement.sql.count("\n", 0, offset)
    return MigrationFailed(
        name=name,
        line=statement.line + within,
        statement=statement.sql.splitlines()[within].strip(),
        reason=" ".join(str(error).split()),
    )
