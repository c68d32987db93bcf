"""The lock on a data directory: one process runs PostgreSQL in it; others join, and it waits for those it can."""

import fcntl
import json
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import TracebackType

from lineal_receiver.errors import DirectoryInUse, DirectoryReadOnly
from lineal_receiver.postgres.directory import GUESTS, LOCK, DataDirectory, describe_process


@dataclass(frozen=True, slots=True)
class Holder:
    """The process that has a data directory."""

    pid: int
    command: str

    def __str__(self) -> str:
        return f"process {self.pid} ({self.command})"


class DirectoryLock:
    """An exclusive lock on a data directory; the kernel drops it when its process ends, however that ends."""

    def __init__(self, directory: DataDirectory, handle: int) -> None:
        self._directory = directory
        self._handles = [handle]

    def close_to_guests(self, seconds: float) -> bool:
        """Wait up to `seconds` until all who joined the server have left, and let none in; whether they left."""
        if len(self._handles) == 1:
            self._handles.append(_open(self._directory, GUESTS))
        guests = self._handles[1]
        deadline = time.monotonic() + seconds
        while not _try_lock(self._directory, guests, fcntl.LOCK_EX):
            if time.monotonic() > deadline:
                return False
            time.sleep(0.05)
        return True

    def release(self) -> None:
        """Let others have the directory."""
        while self._handles:
            os.close(self._handles.pop(0))

    def __enter__(self) -> "DirectoryLock":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.release()


@contextmanager
def visit(directory: DataDirectory) -> Iterator[bool]:
    """Be a guest of the server of this directory, which it may wait for; false while it lets nobody in."""
    guests = _open(directory, GUESTS)
    try:
        yield _try_lock(directory, guests, fcntl.LOCK_SH)
    finally:
        os.close(guests)


def lock_directory(directory: DataDirectory) -> DirectoryLock:
    """Take the directory for this process; DirectoryInUse, naming the holder, if another one has it."""
    handle = _open(directory, LOCK)
    if not _try_lock(directory, handle, fcntl.LOCK_EX):
        os.close(handle)
        raise DirectoryInUse(path=directory.path, holder=str(find_holder(directory) or "another process"))
    os.ftruncate(handle, 0)
    os.pwrite(handle, json.dumps(describe_process()).encode(), 0)
    return DirectoryLock(directory, handle)


def find_holder(directory: DataDirectory) -> Holder | None:
    """Who holds the directory; None if it hasn't said yet who it is."""
    try:
        said = json.loads(directory.read(LOCK))
        return Holder(pid=int(said["pid"]), command=str(said["command"]))
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _open(directory: DataDirectory, name: str) -> int:
    try:
        return directory.open_owned(directory.path / name, os.O_RDWR | os.O_CREAT)
    except OSError as error:
        raise DirectoryReadOnly(path=directory.path, reason=error.strerror or str(error)) from error


def _try_lock(directory: DataDirectory, handle: int, kind: int) -> bool:
    try:
        fcntl.flock(handle, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError as error:
        reason = f"its file system doesn't do locks: {error.strerror}"
        raise DirectoryReadOnly(path=directory.path, reason=reason) from error
    return True
