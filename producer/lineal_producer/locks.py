"""Locks on files that die with the process that holds them."""

from __future__ import annotations

import os
import sys
from pathlib import Path

if sys.platform == "win32":
    import msvcrt

    def _lock(descriptor: int, *, shared: bool) -> None:  # noqa: ARG001 - Windows has no shared ones
        os.lseek(descriptor, 0x7FFF0000, os.SEEK_SET)  # a byte that no record ever reaches
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
else:
    import errno
    import fcntl

    _UNSUPPORTED = {errno.ENOLCK, errno.ENOSYS, errno.ENOTSUP}

    def _lock(descriptor: int, *, shared: bool) -> None:
        try:
            fcntl.flock(descriptor, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
        except OSError as error:
            if (
                error.errno not in _UNSUPPORTED
            ):  # a file system without locks: one reader at a time is then up to its user
                raise


def try_lock(descriptor: int, *, shared: bool = False) -> bool:
    """Take the lock of an open file; False when another process, or another opening of it here, holds it.

    Any number may hold it `shared` at a time, and nobody alone meanwhile.
    """
    try:
        _lock(descriptor, shared=shared)
    except OSError:
        return False
    return True


def is_locked(path: Path) -> bool:
    """Whether someone holds the lock of the file at `path`."""
    try:
        descriptor = os.open(path, os.O_RDWR)
    except OSError:
        return False
    try:
        return not try_lock(descriptor, shared=True)  # two that ask at once don't take each other for the holder
    finally:
        os.close(descriptor)
