"""Which PostgreSQL processes live in a cluster's directory, and signals that only ever reach one of them."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

NAME = "postgres"


def find_processes(cluster: Path) -> dict[int, int]:
    """Every live PostgreSQL process of `cluster`, with its parent's pid: by what runs, not by what a pid file says."""
    if sys.platform == "linux":
        return _scan_proc(cluster)
    return _ask_ps(cluster)


def find_postmaster(cluster: Path) -> int | None:
    """The pid of the live postmaster of `cluster`; None if none runs (its children may outlive it for a moment)."""
    found = find_processes(cluster)
    roots = sorted(pid for pid, parent in found.items() if parent not in found)
    # A killed postmaster's children get another parent and look like roots; only a postmaster writes the pid file.
    named = _read_pid(cluster)
    if named in roots:
        return named
    return next((pid for pid in roots if _is_postmaster(pid)), None)


def signal_postmaster(cluster: Path, pid: int, number: signal.Signals) -> bool:
    """Send `number` to `pid` if it is a process of `cluster` now; false, and nothing is sent, if it is not."""
    if sys.platform != "linux":
        if pid not in find_processes(cluster):
            return False
        os.kill(pid, number)
        return True
    with _pinned(pid) as handle:
        if not _works_in(pid, cluster):
            return False
        with suppress(ProcessLookupError):
            if handle is None:
                os.kill(pid, number)
            else:
                signal.pidfd_send_signal(handle, number)
            return True
    return False


@contextmanager
def _pinned(pid: int) -> Iterator[int | None]:
    """A handle of the process, so that its number can't go to another one between look and signal.

    None if it has gone, or where the kernel or a container's filter has no such handles.
    """
    try:
        handle = os.pidfd_open(pid)
    except OSError:
        yield None
        return
    try:
        yield handle
    finally:
        os.close(handle)


def wait_until_gone(cluster: Path, seconds: float) -> bool:
    """Wait up to `seconds` until no process of `cluster` is left; whether that came true."""
    deadline = time.monotonic() + seconds
    while find_processes(cluster):
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True


def _scan_proc(cluster: Path) -> dict[int, int]:
    found = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and _works_in(int(entry.name), cluster):
            parent = _read_parent(int(entry.name))
            if parent is not None:
                found[int(entry.name)] = parent
    return found


def _works_in(pid: int, cluster: Path) -> bool:
    """Whether `pid` runs a program called postgres whose working directory is `cluster` (a postmaster goes there)."""
    try:
        program = str(Path(f"/proc/{pid}/exe").readlink()).removesuffix(" (deleted)")
        return Path(program).name == NAME and Path(f"/proc/{pid}/cwd").readlink() == cluster.resolve()
    except PermissionError:
        return _was_started_in(pid, cluster)
    except OSError:  # gone meanwhile, a zombie, a kernel thread
        return False


def _was_started_in(pid: int, cluster: Path) -> bool:
    """By owner and command line, for root without CAP_SYS_PTRACE, as in containers; finds postmasters only."""
    try:
        words = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
        same_owner = Path(f"/proc/{pid}").stat().st_uid == cluster.stat().st_uid
    except OSError:
        return False
    started = len(words) > 3 and Path(os.fsdecode(words[0])).name == NAME
    return started and same_owner and words[1:3] == [b"-D", os.fsencode(cluster.resolve())]


def _read_parent(pid: int) -> int | None:
    try:
        text = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
    return int(text.rpartition(")")[2].split()[1])  # the name before may hold blanks and brackets


def _is_postmaster(pid: int) -> bool:
    """A postmaster keeps its command line; its children replace theirs by a title such as `postgres: checkpointer`."""
    try:
        return b"\0-D\0" in Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return False


def _ask_ps(cluster: Path) -> dict[int, int]:
    """Without /proc only the postmaster is known: the process called postgres that was started with `-D cluster`."""
    listing = subprocess.run(
        ["/bin/ps", "-axww", "-o", "pid=,ppid=,args="], capture_output=True, text=True, check=True, env={"LC_ALL": "C"}
    )
    found = {}
    for line in listing.stdout.splitlines():
        pid, parent, arguments = line.split(None, 2)
        if f"/{NAME} -D {cluster.resolve()} " in f"{arguments} ":
            found[int(pid)] = int(parent)
    return found


def _read_pid(cluster: Path) -> int | None:
    try:
        first = (cluster / "postmaster.pid").read_text(encoding="utf-8", errors="replace").partition("\n")[0]
        return int(first)
    except (OSError, ValueError):
        return None
