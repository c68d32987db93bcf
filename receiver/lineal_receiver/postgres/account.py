"""Which account PostgreSQL runs as (it refuses root), and whether that account can get to a place."""

import os
import pwd
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import TypedDict

from lineal_receiver.errors import AccountMissing

CANDIDATES = ("postgres", "nobody", "daemon")


class SwitchUser(TypedDict, total=False):
    """The arguments that make subprocess run a program as another account."""

    user: int
    group: int
    extra_groups: list[int]


@dataclass(frozen=True, slots=True)
class Account:
    """An account of this machine; `switch` is false for the one that we run as already."""

    name: str
    uid: int
    gid: int
    groups: tuple[int, ...]
    switch: bool

    def popen_arguments(self) -> SwitchUser:
        """What to add to subprocess's arguments to run a program as this account."""
        if not self.switch:
            return {}
        return {"user": self.uid, "group": self.gid, "extra_groups": list(self.groups)}

    def own(self, path: Path) -> None:
        """Give `path` to this account, where we are root and it isn't the account's already."""
        if self.switch:
            os.chown(path, self.uid, self.gid, follow_symlinks=False)

    def blocked_at(self, path: Path) -> Path | None:
        """The first folder on the way to `path` (or `path`) that this account may not enter; None if it gets there."""
        if not self.switch:
            return None
        for folder in (*reversed(path.resolve().parents), path.resolve()):
            if folder.is_dir() and not self._may_enter(folder.stat()):
                return folder
        return None

    def _may_enter(self, status: os.stat_result) -> bool:
        if status.st_uid == self.uid:
            return bool(status.st_mode & stat.S_IXUSR)
        if status.st_gid == self.gid or status.st_gid in self.groups:
            return bool(status.st_mode & stat.S_IXGRP)
        return bool(status.st_mode & stat.S_IXOTH)


def choose_account(owner: int | None = None) -> Account:
    """The account to run PostgreSQL as: ourselves, or for root `owner` (a uid), or an unprivileged one.

    AccountMissing if there is none.
    """
    if os.geteuid() != 0:
        return Account(name=_name(os.geteuid()), uid=os.geteuid(), gid=os.getegid(), groups=(), switch=False)
    if owner:
        return _unprivileged(_entry(owner), owner)
    for name in CANDIDATES:
        try:
            entry = pwd.getpwnam(name)
        except KeyError:
            continue
        return _unprivileged(entry, entry.pw_uid)
    raise AccountMissing(tried=", ".join(CANDIDATES))


def _unprivileged(entry: pwd.struct_passwd | None, uid: int) -> Account:
    if entry is None:
        return Account(name=f"uid {uid}", uid=uid, gid=uid, groups=(), switch=True)
    groups = tuple(group for group in os.getgrouplist(entry.pw_name, entry.pw_gid) if group != 0)
    return Account(name=entry.pw_name, uid=uid, gid=entry.pw_gid, groups=groups, switch=True)


def _entry(uid: int) -> pwd.struct_passwd | None:
    try:
        return pwd.getpwuid(uid)
    except KeyError:
        return None


def _name(uid: int) -> str:
    entry = _entry(uid)
    return entry.pw_name if entry else f"uid {uid}"
