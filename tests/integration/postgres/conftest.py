"""Data directories, and processes that hold them, as root and as an ordinary user."""

import json
import os
import pwd
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from lineal_receiver.postgres.embedded import start_embedded
from lineal_receiver.postgres.postmaster import stop_orphan
from lineal_receiver.postgres.processes import find_processes

HOLDER = Path(__file__).with_name("holder.py")
SECONDS = 120.0


def wait_until_said(process: "subprocess.Popen[str]") -> "Held":
    """A holder once it has said how it went."""
    assert process.stdout is not None
    return Held(process=process, said=json.loads(process.stdout.readline()))


def wait_for(condition: Callable[[], Any], what: str) -> Any:
    """Poll until `condition` gives something true, and give that."""
    deadline = time.monotonic() + SECONDS
    while not (found := condition()):
        assert time.monotonic() < deadline, f"{what} didn't come within {SECONDS:g} s"
        time.sleep(0.02)
    return found


@pytest.fixture
def data_dir(scratch: Path) -> Iterator[Path]:
    """A path for a data directory; no PostgreSQL may run in it when the test is over."""
    path = scratch / f"data-{uuid4().hex[:8]}"
    yield path
    left = find_processes(path / "cluster")
    stop_orphan(path / "cluster")
    shutil.rmtree(path, ignore_errors=True)
    assert left == {}


@pytest.fixture(scope="session")
def made_once(scratch: Path) -> Path:
    """A data directory that has been used before."""
    path = scratch / "made-once"
    start_embedded(path).stop()
    return path


@pytest.fixture
def made_dir(data_dir: Path, made_once: Path) -> Path:
    """A copy of a used data directory: much faster than making a cluster."""
    subprocess.run(["cp", "-a", str(made_once), str(data_dir)], check=True)
    return data_dir


@dataclass(frozen=True, slots=True)
class Held:
    """A process that holds a data directory, and what it said of it."""

    process: "subprocess.Popen[str]"
    said: dict[str, Any]

    def end(self) -> int:
        """Let it stop its server and end."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        return self.process.wait(SECONDS)


@dataclass(frozen=True, slots=True)
class Person:
    """Who runs a holder: ourselves, or for root an ordinary account and a Python that it can run."""

    python: str
    uid: int | None
    prefix: tuple[str, ...] = ()
    started: "list[subprocess.Popen[str]]" = field(default_factory=list)

    def popen(self, *arguments: str | Path) -> "subprocess.Popen[str]":
        """Start Python with `arguments`, its standard streams connected to us."""
        process = subprocess.Popen(
            [*self.prefix, self.python, *map(str, arguments)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd="/",
            env={"PATH": os.environ["PATH"], "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)},
            user=self.uid,
            group=None if self.uid is None else pwd.getpwuid(self.uid).pw_gid,
            extra_groups=None if self.uid is None else [],
        )
        self.started.append(process)
        return process

    def leave(self) -> None:
        """End whatever a failed test left running, and close the streams."""
        for process in self.started:
            process.kill()
            with process:
                pass

    def hold(self, path: Path) -> Held:
        """Start a holder of `path` and wait for what it says."""
        return wait_until_said(self.popen(HOLDER, path))


@pytest.fixture
def myself() -> Iterator[Person]:
    """Whoever runs the tests."""
    person = Person(python=sys.executable, uid=None)
    yield person
    person.leave()


@pytest.fixture
def confined() -> Iterator[Person]:
    """Root as it is in most containers: it may not look into other accounts' processes."""
    setpriv = shutil.which("setpriv")
    if os.geteuid() != 0 or setpriv is None:
        pytest.skip("needs root and setpriv")
    person = Person(sys.executable, None, (setpriv, "--bounding-set=-sys_ptrace", "--inh-caps=-sys_ptrace"))
    yield person
    person.leave()


@pytest.fixture
def ordinary(ordinary_python: tuple[str, int | None]) -> Iterator[Person]:
    """Not root: ourselves, or `nobody`."""
    person = Person(*ordinary_python)
    yield person
    person.leave()


@pytest.fixture(scope="session")
def ordinary_python() -> tuple[str, int | None]:
    """A Python of our version that an ordinary account can run, and the account's uid (None: ourselves)."""
    if os.geteuid() != 0:
        return sys.executable, None
    uid = pwd.getpwnam("nobody").pw_uid
    for python in (sys.executable, f"/usr/bin/python3.{sys.version_info.minor}"):
        if _can_run(Person(python, uid)):
            return python, uid
    pytest.skip("no Python of this version that an ordinary account can run (this one is in a closed folder)")


def _can_run(person: Person) -> bool:
    try:
        process = person.popen("-c", "import lineal_receiver.postgres.pool")
    except OSError:
        return False
    with process:
        return process.wait() == 0


@pytest.fixture
def own_dir(scratch: Path, ordinary: Person) -> Path:
    """A folder that belongs to the ordinary person."""
    folder = scratch / f"home-{uuid4().hex[:8]}"
    folder.mkdir()
    if ordinary.uid is not None:
        os.chown(folder, ordinary.uid, -1)
    return folder
