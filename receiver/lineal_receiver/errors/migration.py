"""The database's schema can't be brought up to date."""

from dataclasses import dataclass
from pathlib import Path

from lineal_receiver.errors.base import MigrationError


@dataclass(eq=False)
class MigrationMisnamed(MigrationError):
    """{path}: {reason}; migrations are files NNNN_verb_noun.sql, numbered from 0001 without a gap."""

    path: Path
    reason: str


@dataclass(eq=False)
class MigrationEdited(MigrationError):
    """Migration {name} was applied to this database with other contents than it has now: put the file back as it was
    (reinstall Lineal), and write changes as a new migration."""

    name: str


@dataclass(eq=False)
class MigrationFailed(MigrationError):
    """Migration {name} failed at line {line}, {statement!r}: {reason}. Nothing of it was kept."""

    name: str
    line: int
    statement: str
    reason: str


@dataclass(eq=False)
class MigrationBlocked(MigrationError):
    """Migration {name} waited more than {seconds:g} s for a lock that another session holds, and was rolled back: try
    again when that session has ended (select * from pg_stat_activity)."""

    name: str
    seconds: float


@dataclass(eq=False)
class DatabaseNewer(MigrationError):
    """The database has migration {found}, and this Lineal knows them up to {known}: it was migrated by a newer Lineal;
    upgrade this one."""

    found: str
    known: str
