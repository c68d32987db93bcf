"""The data directory on disk: whose it is, who holds it, and how to connect to what runs in it.

lineal.json    marker: we made this directory; its format and PostgreSQL major
lineal.lock    locked (flock) by the one process that runs PostgreSQL here; names it
guests.lock    locked, shared, by commands that joined that server
password       of the database user, mode 0600
server.json    where the running server listens; there only while one runs
postgres.log   what PostgreSQL says
cluster/       PostgreSQL's own data directory, of the account that runs it
"""

import json
import os
import secrets
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any
from urllib.parse import quote

from lineal_receiver.errors import (
    DirectoryDamaged,
    DirectoryNotOurs,
    DirectoryReadOnly,
    DirectoryTooNew,
    OtherMajor,
    UpgradeUnfinished,
)

FORMAT = 1
MARKER = "lineal.json"
LOCK = "lineal.lock"
GUESTS = "guests.lock"
USER = "lineal"
DATABASE = "lineal"


@dataclass(frozen=True, slots=True)
class Connection:
    """How to connect to an embedded server."""

    host: str
    port: int
    password: str

    @property
    def dsn(self) -> str:
        """The connection string, password included: never print it."""
        # Loopback without TLS, said so that a PGSSLMODE for another server doesn't reach here.
        return f"postgresql://{USER}:{quote(self.password, safe='')}@{self.host}:{self.port}/{DATABASE}?sslmode=disable"


@dataclass(frozen=True, slots=True)
class DataDirectory:
    """The paths in a data directory, and what is read from and written to them."""

    path: Path

    @property
    def cluster(self) -> Path:
        """PostgreSQL's own data directory."""
        return self.path / "cluster"

    @property
    def new_cluster(self) -> Path:
        """The cluster that an upgrade makes, before it takes the old one's place."""
        return self.path / "cluster-new"

    @property
    def log(self) -> Path:
        """What PostgreSQL says."""
        return self.path / "postgres.log"

    def prepare(self) -> None:
        """Make the directory if it isn't there; refuse one that we didn't make, before anything is written to it."""
        try:
            self.path.mkdir(mode=0o700, parents=True, exist_ok=True)
            names = {entry.name for entry in self.path.iterdir()}
        except OSError as error:
            raise DirectoryReadOnly(path=self.path, reason=error.strerror or str(error)) from error
        # A racing starter may have come as far as these without its marker.
        if MARKER not in names and names - {LOCK, GUESTS, MARKER + ".new"}:
            raise DirectoryNotOurs(path=self.path)
        if not os.access(self.path, os.W_OK | os.X_OK):
            raise DirectoryReadOnly(path=self.path, reason="permission denied")

    def read_marker(self) -> dict[str, Any]:
        """The marker's contents, {} if there is none yet; DirectoryDamaged or DirectoryTooNew if they can't be used."""
        try:
            marker = json.loads((self.path / MARKER).read_text(encoding="utf-8"))
            found = int(marker["format"])
        except FileNotFoundError:
            return {}
        except OSError as error:
            raise DirectoryReadOnly(path=self.path, reason=error.strerror or str(error)) from error
        except (ValueError, KeyError, TypeError) as error:
            raise DirectoryDamaged(path=self.path, reason=f"its {MARKER} can't be read") from error
        if found > FORMAT:
            raise DirectoryTooNew(path=self.path, found=found, known=FORMAT)
        return dict(marker)

    def write_marker(self, major: str, *, initialised: bool) -> None:
        """Say that this directory is ours; `initialised` once it has a cluster, so a lost one is noticed."""
        contents = {
            "format": FORMAT,
            "lineal": version("lineal"),
            "postgresql": major,
            "initialised": initialised,
        }
        self.write(MARKER, json.dumps(contents, indent=2) + "\n")

    def find_major(self) -> str | None:
        """The PostgreSQL major of its cluster; None in a new directory; DirectoryDamaged if the cluster is lost."""
        marker = self.read_marker()
        try:
            return (self.cluster / "PG_VERSION").read_text(encoding="utf-8").strip()
        except FileNotFoundError as error:
            if not self.cluster.exists() and self.new_cluster.exists():
                raise UpgradeUnfinished(path=self.path) from error
            if self.cluster.exists() or marker.get("initialised"):
                raise DirectoryDamaged(path=self.path, reason=f"{self.cluster} holds no PostgreSQL cluster") from error
            return None
        except OSError as error:
            raise DirectoryReadOnly(path=self.path, reason=error.strerror or str(error)) from error

    def check_major(self, wanted: str) -> str | None:
        """`find_major`, refusing a cluster of another major than `wanted`."""
        found = self.find_major()
        if found is not None and found != wanted:
            raise OtherMajor(path=self.path, found=found, wanted=wanted)
        return found

    def ensure_password(self) -> str:
        """The database user's password, made at the first call."""
        try:
            return self.read("password").strip()
        except FileNotFoundError:
            password = secrets.token_urlsafe(24)
            self.write("password", password + "\n")
            return password

    def write_server(self, port: int, postmaster: int) -> None:
        """Tell other commands where the server listens, so that they can join it."""
        contents = {"host": "127.0.0.1", "port": port, "pid": os.getpid(), "postmaster": postmaster}
        self.write("server.json", json.dumps(contents) + "\n")

    def remove_server(self) -> None:
        """Take back what `write_server` told."""
        (self.path / "server.json").unlink(missing_ok=True)

    def find_connection(self, holder: int) -> Connection | None:
        """How to connect to the server that process `holder` runs here; None if it hasn't told yet."""
        try:
            server = json.loads(self.read("server.json"))
            if server["pid"] != holder:  # told by a process that was killed
                return None
            return Connection(host=server["host"], port=int(server["port"]), password=self.read("password").strip())
        except (FileNotFoundError, ValueError, KeyError, TypeError):
            return None
        except OSError as error:
            raise DirectoryReadOnly(path=self.path, reason=error.strerror or str(error)) from error

    def read(self, name: str) -> str:
        """The text of one of our files."""
        return (self.path / name).read_text(encoding="utf-8")

    def write(self, name: str, text: str) -> None:
        """Replace one of our files, whole, mode 0600, of the directory's owner."""
        new = self.path / (name + ".new")
        try:
            new.unlink(missing_ok=True)
            with os.fdopen(self.open_owned(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL), "w", encoding="utf-8") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            new.replace(self.path / name)
        except OSError as error:
            raise DirectoryReadOnly(path=self.path, reason=error.strerror or str(error)) from error

    def open_owned(self, path: Path, flags: int) -> int:
        """Open a file of ours, never through a link (root may work in another's directory)."""
        handle = os.open(path, flags | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
        if os.geteuid() == 0:
            owner = self.path.stat()
            os.fchown(handle, owner.st_uid, owner.st_gid)
        return handle


def describe_process() -> Mapping[str, object]:
    """What a lock tells about its holder."""
    program = Path(sys.argv[0]).name.replace("__main__.py", "lineal")
    return {"pid": os.getpid(), "command": " ".join([program, *sys.argv[1:2]])}
