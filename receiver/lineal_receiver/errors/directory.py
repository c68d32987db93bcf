"""The data directory can't be used."""

import shlex
from dataclasses import dataclass
from pathlib import Path

from lineal_receiver.errors.base import UsageError


class DirectoryError(UsageError):
    """The data directory can't be used."""

    path: Path

    @property
    def quoted(self) -> str:
        """The path as a shell takes it, for commands that can be copied."""
        return shlex.quote(str(self.path))


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
