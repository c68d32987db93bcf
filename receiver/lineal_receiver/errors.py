"""What can go wrong in the receiver, as data; a class's docstring is the sentence that a user reads.

LinealError                      exit code 1
├── UsageError                   exit code 2: what was asked for can't be done as it was asked
│   ├── SettingInvalid           a flag or variable has a value that can't be used
│   ├── ExtraMissing             the packages of the receiver aren't installed
│   ├── PortTaken                the port to listen on is in use
│   ├── ListenerRefused          the address to listen on can't be used
│   ├── OpenListener             another address than loopback, without tokens, without the flag that allows it
│   └── DirectoryError           the data directory
│       ├── DirectoryNotOurs     not empty, and not made by us
│       ├── DirectoryDamaged     ours, but its marker can't be read or its cluster is missing
│       ├── DirectoryTooNew      written by a newer Lineal
│       ├── DirectoryInUse       a live process holds it
│       ├── DirectoryReadOnly    can't be written
│       ├── DirectoryUnreachable root's PostgreSQL account can't get there
│       ├── OtherMajor           holds a cluster of another PostgreSQL major
│       ├── UpgradeUnfinished    `lineal upgrade` was stopped while it swapped the clusters
│       └── NothingToUpgrade     `lineal upgrade` on a directory that is up to date
├── StoreError                   exit code 3: PostgreSQL can't be reached, or not used as it is
│   ├── StoreUnreachable         no connection
│   ├── StoreUnsafe              a server that may lose what it acknowledged
│   ├── StoreReadOnly            a server that takes no writes
│   ├── StoreForbidden           our user may not make tables there
│   ├── StoreTooOld              a server older than what we support
│   ├── StoreNotReady            the process that holds the directory doesn't answer
│   ├── BinariesMissing          no PostgreSQL binaries to run
│   ├── AccountMissing           root, and no unprivileged account to run PostgreSQL as
│   ├── AccountRefused           root, but not allowed to run programs as another account
│   ├── AccountUnlisted          a uid without an entry in the system's list of users
│   └── PostgresFailed           a PostgreSQL program that we ran failed
├── ReceiverUnreachable          exit code 3: a running receiver doesn't take what it is sent
└── MigrationError               exit code 3: the schema can't be brought up to date
    ├── MigrationMisnamed        a file that isn't NNNN_verb_noun.sql, or a number used twice or left out
    ├── MigrationEdited          a file that was applied has changed since
    ├── MigrationFailed          a statement failed
    ├── MigrationBlocked         another session held a lock for too long
    └── DatabaseNewer            the database knows migrations that this Lineal doesn't
"""

import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar


class LinealError(Exception):
    """Lineal could not do this."""

    exit_code: ClassVar[int] = 1

    def __str__(self) -> str:
        template = " ".join((type(self).__doc__ or type(self).__name__).split())
        return template.format(self=self, **vars(self))


class UsageError(LinealError):
    """This can't be done as it was asked."""

    exit_code = 2


class DirectoryError(UsageError):
    """The data directory can't be used."""

    path: Path

    @property
    def quoted(self) -> str:
        """The path as a shell takes it, for commands that can be copied."""
        return shlex.quote(str(self.path))


class StoreError(LinealError):
    """PostgreSQL can't be used."""

    exit_code = 3


class MigrationError(LinealError):
    """The database's schema can't be brought up to date."""

    exit_code = 3


@dataclass(eq=False)
class SettingInvalid(UsageError):
    """{name} is {value!r}, but it must be {expected}."""

    name: str
    value: str
    expected: str


@dataclass(eq=False)
class ExtraMissing(UsageError):
    """The receiver needs packages that aren't installed ({module}): run pip install 'lineal[receiver]'."""

    module: str


@dataclass(eq=False)
class PortTaken(UsageError):
    """Port {port} on {host} is taken by another process: choose another with --port (0 takes a free one), or stop that
    process."""

    host: str
    port: int


@dataclass(eq=False)
class ListenerRefused(UsageError):
    """Can't listen on {host}, port {port}: {reason}. Choose another address with --host and --port."""

    host: str
    port: int
    reason: str


@dataclass(eq=False)
class OpenListener(UsageError):
    """{host} can be reached from other machines, and the server has no tokens: anyone there could read and write.
    Listen on 127.0.0.1, or say --insecure-listen if something else (a firewall, a container's own network) keeps
    strangers out."""

    host: str


@dataclass(eq=False)
class DirectoryNotOurs(DirectoryError):
    """{path} is not empty and wasn't made by Lineal (it has no lineal.json): nothing was touched; give --data-dir an
    empty or new directory."""

    path: Path


@dataclass(eq=False)
class DirectoryDamaged(DirectoryError):
    """{path} can't be used: {reason}. Nothing was changed; restore the directory from a backup, or start with a new
    one (--data-dir)."""

    path: Path
    reason: str


@dataclass(eq=False)
class DirectoryTooNew(DirectoryError):
    """{path} was written by a newer Lineal (format {found}, this one knows {known}): upgrade Lineal."""

    path: Path
    found: int
    known: int


@dataclass(eq=False)
class DirectoryInUse(DirectoryError):
    """{path} is in use by {holder}: stop that process, or choose another --data-dir."""

    path: Path
    holder: str


@dataclass(eq=False)
class DirectoryReadOnly(DirectoryError):
    """Can't write to {path} ({reason}): make it writable for this user, or choose another --data-dir."""

    path: Path
    reason: str


@dataclass(eq=False)
class DirectoryUnreachable(DirectoryError):
    """PostgreSQL refuses to run as root, and the account it would run as, {account}, can't enter {blocked}, so it
    can't reach {path}: choose a --data-dir that it can reach, such as /var/lib/lineal, or run lineal as an ordinary
    user."""

    path: Path
    account: str
    blocked: Path


@dataclass(eq=False)
class OtherMajor(DirectoryError):
    """{path} holds a PostgreSQL {found} cluster, and this Lineal runs PostgreSQL {wanted}: dump and restore it with
    lineal upgrade --data-dir {self.quoted} (it keeps the old cluster)."""

    path: Path
    found: str
    wanted: str


@dataclass(eq=False)
class UpgradeUnfinished(DirectoryError):
    """An upgrade of {path} was stopped while it swapped the clusters; nothing is lost: finish it with
    lineal upgrade --data-dir {self.quoted}."""

    path: Path


@dataclass(eq=False)
class NothingToUpgrade(DirectoryError):
    """{path} holds no cluster of another PostgreSQL major: there is nothing to upgrade."""

    path: Path


@dataclass(eq=False)
class StoreUnreachable(StoreError):
    """Can't connect to PostgreSQL at {where}: {reason}. {remedy}"""

    where: str
    reason: str
    remedy: str


@dataclass(eq=False)
class StoreUnsafe(StoreError):
    """The PostgreSQL at {where} has {setting} = {value}, so it could lose events that were acknowledged: set {setting}
    = on there, Lineal doesn't run without it."""

    where: str
    setting: str
    value: str


@dataclass(eq=False)
class StoreReadOnly(StoreError):
    """The PostgreSQL at {where} takes no writes (it is a standby, or default_transaction_read_only is on there): give
    the address of its primary."""

    where: str


@dataclass(eq=False)
class StoreForbidden(StoreError):
    """The user of the database at {where} may not make tables there ({reason}): grant it create on the schema, or make
    it the owner of the database."""

    where: str
    reason: str


@dataclass(eq=False)
class StoreTooOld(StoreError):
    """The PostgreSQL at {where} is version {found}; Lineal needs {needed} or newer."""

    where: str
    found: str
    needed: int


@dataclass(eq=False)
class StoreNotReady(StoreError):
    """{path} is held by {holder}, but its PostgreSQL doesn't answer within {seconds:g} s: wait until it has started,
    or look at {path}/postgres.log."""

    path: Path
    holder: str
    seconds: float


@dataclass(eq=False)
class BinariesMissing(StoreError):
    """No PostgreSQL to run: {reason}. {remedy}"""

    reason: str
    remedy: str


@dataclass(eq=False)
class AccountMissing(StoreError):
    """PostgreSQL refuses to run as root, and none of the accounts {tried} exists here: run lineal as an ordinary user,
    or give it a server with --database-url."""

    tried: str


@dataclass(eq=False)
class AccountRefused(StoreError):
    """PostgreSQL refuses to run as root, and root may not run it as {account} here ({reason}), as in a container that
    drops capabilities: run lineal as an ordinary user, or give it a server with --database-url."""

    account: str
    reason: str


@dataclass(eq=False)
class AccountUnlisted(StoreError):
    """The user id {uid} has no account on this machine, and PostgreSQL's initdb needs one: run lineal as a user that is
    in /etc/passwd, or give it a server with --database-url."""

    uid: int


@dataclass(eq=False)
class PostgresFailed(StoreError):
    """{program} failed: {reason}"""

    program: str
    reason: str


@dataclass(eq=False)
class ReceiverUnreachable(LinealError):
    """The receiver at {url} doesn't take events: {reason}. Check the address, and that it runs; what it took already is
    kept, and sending it again does no harm."""

    exit_code = 3
    url: str
    reason: str


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
