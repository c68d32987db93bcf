"""The lock on a data directory: one process runs PostgreSQL in it; others join, and it waits for those it can."""

import fcntl
import json
import os
import time
from types import TracebackType

from lineal_receiver.errors import DirectoryInUse, DirectoryReadOnly
from lineal_receiver.postgres.directory import LOCK, DataDirectory, describe_process

GUESTS = "guests.lock"


class DirectoryLock:
    """An exclusive lock on a data directory; the kernel drops it when its process ends, however that ends."""

    def __init__(self, directory: DataDirectory, handle: int) -> None:
        self._directory = directory
        self._handle = handle

    def wait_for_guests(self, seconds: float) -> bool:
        """Wait up to `seconds` until nobody who joined the server is left; whether that came true."""
        handle = _open(self._directory, GUESTS)
        deadline = time.monotonic() + seconds
        try:
            while not _try_lock(handle, fcntl.LOCK_EX):
                if time.monotonic() > deadline:
                    return False
                time.sleep(0.05)
            return True
        finally:
            os.close(handle)

    def release(self) -> None:
        """Let others have the directory."""
        os.close(self._handle)

    def __enter__(self) -> "DirectoryLock":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.release()


class GuestLock:
    """A shared lock that says: somebody has joined the server of this directory."""

    def __init__(self, directory: DataDirectory) -> None:
        self._handle = _open(directory, GUESTS)
        fcntl.flock(self._handle, fcntl.LOCK_SH)

    def release(self) -> None:
        """Leave."""
        os.close(self._handle)


def lock_directory(directory: DataDirectory) -> DirectoryLock:
    """Take the directory for this process; DirectoryInUse, naming the holder, if another one has it."""
    handle = _open(directory, LOCK)
    if not _try_lock(handle, fcntl.LOCK_EX):
        os.close(handle)
        raise DirectoryInUse(path=directory.path, holder=find_holder(directory))
    os.ftruncate(handle, 0)
    os.pwrite(handle, json.dumps(describe_process()).encode(), 0)
    return DirectoryLock(directory, handle)


def find_holder(directory: DataDirectory) -> str:
    """Who holds the directory, for people to read."""
    try:
        holder = json.loads(directory.read(LOCK))
        return f"process {holder['pid']} ({holder['command']})"
    except (OSError, ValueError, KeyError, TypeError):  # it took the lock and hasn't said yet who it is
        return "another process"


def _open(directory: DataDirectory, name: str) -> int:
    try:
        return directory.open_owned(directory.path / name, os.O_RDWR | os.O_CREAT)
    except OSError as error:
        raise DirectoryReadOnly(path=directory.path, reason=error.strerror or str(error)) from error


def _try_lock(handle: int, kind: int) -> bool:
    try:
        fcntl.flock(handle, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
