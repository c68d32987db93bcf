"""Whether an account gets to a place, and which account is taken."""

import os
import pwd
from pathlib import Path

import pytest

from lineal_receiver.errors import AccountMissing
from lineal_receiver.postgres import account as module
from lineal_receiver.postgres.account import Account, choose_account


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """Folders that all may enter, below one that only its owner may."""
    path = tmp_path / "closed" / "inner"
    path.mkdir(parents=True)
    return path


def stranger(uid: int = 54321, gid: int = 54321, groups: tuple[int, ...] = ()) -> Account:
    return Account(name="stranger", uid=uid, gid=gid, groups=groups, switch=True)


def first_below(path: Path, blocked: Path | None) -> Path | None:
    """What blocks below `path`: folders above belong to the machine that the tests run on."""
    return blocked if blocked is not None and blocked.is_relative_to(path) else None


@pytest.mark.parametrize(
    ("mode", "gid", "enters"),
    [
        (0o700, 0, False),
        (0o711, 0, True),
        (0o710, 54321, True),
        (0o710, 4242, True),
        (0o701, 54321, False),
        (0o700, 4242, False),
    ],
)
def test_the_bits_of_each_class_count_alone(tree: Path, mode: int, gid: int, enters: bool) -> None:
    closed = tree.parent
    if gid:
        if os.geteuid() != 0:
            pytest.skip("only root can give a folder to another group")
        os.chown(closed, -1, gid)
    closed.chmod(mode)
    for above in closed.parents:
        if above.stat().st_uid == os.geteuid() and not above.stat().st_mode & 0o001:
            above.chmod(above.stat().st_mode | 0o011)
    blocked = stranger(groups=(4242,)).blocked_at(tree)
    assert first_below(closed, blocked) == (None if enters else closed)


def test_what_is_not_there_yet_blocks_nobody(tmp_path: Path) -> None:
    account = choose_account()
    reached = account.blocked_at(tmp_path)
    assert account.blocked_at(tmp_path / "not" / "there") == reached


def test_ourselves_are_never_blocked_nor_switched(monkeypatch: pytest.MonkeyPatch, tree: Path) -> None:
    monkeypatch.setattr(module.os, "geteuid", lambda: 4711)
    account = choose_account(owner=99)
    assert (account.uid, account.switch) == (4711, False)
    assert account.popen_arguments() == {}
    assert account.blocked_at(tree) is None


def test_root_takes_the_owner_else_an_unprivileged_account(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module.os, "geteuid", lambda: 0)
    nobody = pwd.getpwnam("nobody")
    assert choose_account(owner=nobody.pw_uid).name == "nobody"
    assert choose_account(owner=54321) == Account(name="uid 54321", uid=54321, gid=54321, groups=(), switch=True)
    monkeypatch.setattr(module, "CANDIDATES", ("no_such_account", "nobody"))
    for owner in (None, 0):
        chosen = choose_account(owner)
        assert (chosen.name, chosen.uid, chosen.switch) == ("nobody", nobody.pw_uid, True)
        assert 0 not in chosen.groups
    monkeypatch.setattr(module, "CANDIDATES", ("no_such_account",))
    with pytest.raises(AccountMissing, match="no_such_account"):
        choose_account()
