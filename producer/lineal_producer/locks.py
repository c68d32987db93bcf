"""Locks on files that die with the process that holds them."""

from __future__ import annotations

import os
import sys
from pathlib import Path

if sys.platform == "win32":
    import msvcrt

    def _lock(descriptor: int) -> None:
        os.lseek(descriptor, 0x7FFF0000, os.SEEK_SET)  # a byte that no record ever reaches
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
else:
    import errno
    import fcntl

    _UNSUPPORTED = {errno.ENOLCK, errno.ENOSYS, errno.ENOTSUP}

    def _lock(descriptor: int) -> None:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            if (
                error.errno not in _UNSUPPORTED
            ):  # a file system without locks: one reader at a time is then up to its user
                raise


def try_lock(descriptor: int) -> bool:
    """Take the lock of an open file; False when another process, or another opening of it here, holds it."""
    try:
        _lock(descriptor)
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
        return not try_lock(descriptor)
    finally:
        os.close(descriptor)
