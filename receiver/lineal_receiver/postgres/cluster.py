"""Make a PostgreSQL cluster: whole, or not there at all."""

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
from contextlib import suppress
from pathlib import Path

from lineal_receiver.errors import AccountUnlisted, PostgresFailed
from lineal_receiver.postgres.account import Account
from lineal_receiver.postgres.binaries import ENVIRONMENT, Binaries
from lineal_receiver.postgres.directory import DATABASE, USER
from lineal_receiver.stopping import let_through

SCRATCH = "making-"


def create_cluster(cluster: Path, binaries: Binaries, account: Account, password: str) -> None:
    """Make a cluster at `cluster` with our user and database in it; nothing is left there if that fails.

    Where signals to end are held back, they are let through while PostgreSQL's programs run.
    """
    _check_listed(account)
    for leftover in cluster.parent.glob(SCRATCH + "*"):
        shutil.rmtree(leftover, ignore_errors=True)  # an initdb that outlived its starter may still write there
    with tempfile.TemporaryDirectory(dir=cluster.parent, prefix=SCRATCH, ignore_cleanup_errors=True) as scratch:
        secret = Path(scratch) / "password"
        secret.touch(mode=0o600)
        secret.write_text(password + "\n", encoding="utf-8")
        account.own(secret)
        account.own(Path(scratch))
        made = Path(scratch) / "cluster"
        _run_initdb(made, binaries, account, secret)
        _create_database(made, binaries, account)
        made.rename(cluster)


def _check_listed(account: Account) -> None:
    """initdb asks the system for the name of its user, and ends without one; the server itself doesn't."""
    try:
        pwd.getpwuid(account.uid)
    except KeyError as error:
        raise AccountUnlisted(uid=account.uid) from error


def _run_initdb(made: Path, binaries: Binaries, account: Account, secret: Path) -> None:
    arguments = [
        binaries.program("initdb"),
        f"--pgdata={made}",
        f"--username={USER}",
        f"--pwfile={secret}",
        "--auth=scram-sha-256",
        "--encoding=UTF8",
        "--locale=C",
        "--data-checksums",
        "--no-instructions",
    ]
    if (
        int(binaries.major) >= 17
    ):  # its own Unicode tables: order and case can't change under the indexes with the system's libc
        arguments += ["--locale-provider=builtin", "--builtin-locale=C.UTF-8"]
    _run("initdb", arguments, account)


def _create_database(made: Path, binaries: Binaries, account: Account) -> None:
    """In single-user mode: before anyone can connect, and without a port."""
    arguments = [binaries.program("postgres"), "--single", "-D", str(made), "postgres"]
    _run("postgres --single", arguments, account, f"create database {DATABASE} owner {USER}\n")


def _run(name: str, arguments: list[str], account: Account, text: str | None = None) -> None:
    """In a group of its own: initdb has children, which a signal to it alone would leave writing into `made`."""
    try:
        process = subprocess.Popen(
            arguments,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env=ENVIRONMENT,
            cwd="/",
            start_new_session=True,
            **account.popen_arguments(),
        )
    except OSError as error:
        raise PostgresFailed(program=name, reason=str(error)) from error
    try:
        with let_through():
            said, _ = process.communicate(text)
    except BaseException:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()  # until the last of them has closed it
        raise
    if process.returncode or "FATAL:" in said or "ERROR:" in said:
        raise PostgresFailed(program=name, reason=tail(said))


def tail(text: str, lines: int = 5) -> str:
    """The last lines that say something, on one line."""
    said = [line.strip() for line in text.splitlines() if line.strip()]
    return " / ".join(said[-lines:]) or "it said nothing"
