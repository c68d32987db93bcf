"""One run of a PostgreSQL server in a cluster: start it, wait until it takes connections, stop it."""

import os
import signal
import socket
import subprocess
import time
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from lineal_receiver.errors import PostgresFailed
from lineal_receiver.postgres.account import Account
from lineal_receiver.postgres.binaries import ENVIRONMENT, Binaries
from lineal_receiver.postgres.cluster import tail
from lineal_receiver.postgres.directory import DATABASE, USER, DataDirectory
from lineal_receiver.postgres.probe import Answer, probe_server
from lineal_receiver.postgres.processes import find_postmaster, signal_postmaster, wait_until_gone
from lineal_receiver.stopping import let_through

HOST = "127.0.0.1"
SILENCE_SECONDS = 60.0
STOP_SECONDS = 30.0
ABORT_SECONDS = 15.0
PORTS = 10
IN_USE = "is still in use"
LOG_BYTES = 10_000_000

SETTINGS = {
    "listen_addresses": HOST,
    "unix_socket_directories": "",
    "fsync": "on",
    "synchronous_commit": "on",
    "full_page_writes": "on",
    "max_connections": "100",
    "shared_buffers": "128MB",
    "max_wal_size": "2GB",
    "wal_compression": "on",
    "max_parallel_workers_per_gather": "0",  # their shared memory is scarce in containers, our reads are bounded
    "jit": "off",  # our statements are short; compiling one costs more than running it
    "timezone": "UTC",
    "log_timezone": "UTC",
    "log_checkpoints": "off",
    "log_min_error_statement": "panic",  # statements carry events, which don't belong in a log
    "logging_collector": "off",
    "restart_after_crash": "on",
}


@dataclass(frozen=True, slots=True)
class Postmaster:
    """A PostgreSQL server that we started and that has taken connections."""

    cluster: Path
    process: "subprocess.Popen[bytes]"
    port: int

    def stop(self) -> None:
        """Fast shutdown: open transactions are rolled back, everything committed is on disk."""
        for number, seconds in ((signal.SIGINT, STOP_SECONDS), (signal.SIGQUIT, ABORT_SECONDS)):
            signal_postmaster(self.cluster, self.process.pid, number)
            try:
                self.process.wait(seconds)
            except subprocess.TimeoutExpired:
                continue
            wait_until_gone(self.cluster, ABORT_SECONDS)
            return
        raise PostgresFailed(program="postgres", reason=f"process {self.process.pid} doesn't stop")


def start_postmaster(
    directory: DataDirectory, cluster: Path, binaries: Binaries, account: Account, port: int
) -> Postmaster:
    """Start a server on `port` (another free one if that is taken) and return once it takes connections.

    Where signals to end are held back, they are let through while it starts.
    """
    stop_orphan(cluster)
    disarm_pid_file(cluster, account)
    _rotate(directory.log)
    deadline = time.monotonic() + ABORT_SECONDS
    for attempt in count():
        chosen = port if port and attempt == 0 and _is_free(port) else _find_free_port()
        offset = directory.log.stat().st_size if directory.log.exists() else 0
        process = _spawn(directory, cluster, binaries, account, chosen)
        try:
            with let_through():
                ready = _wait_until_ready(process, chosen)
        except BaseException:  # a signal to us while it starts: nothing may be left running
            process.send_signal(signal.SIGQUIT)
            process.wait()
            wait_until_gone(cluster, ABORT_SECONDS)
            raise
        if ready:
            return Postmaster(cluster=cluster, process=process, port=chosen)
        said = directory.log.read_bytes()[offset:].decode(errors="replace")
        if IN_USE in said and time.monotonic() < deadline:  # what a killed server left, and we could not see, ends soon
            time.sleep(0.2)
        elif "could not bind" not in said or attempt > PORTS:
            break
    raise PostgresFailed(program="postgres", reason=f"{tail(said)} (see {directory.log})")


def stop_orphan(cluster: Path) -> None:
    """Stop a server that outlived the process that started it, and wait for what a killed one left."""
    deadline = time.monotonic() + STOP_SECONDS
    while (pid := find_postmaster(cluster)) is not None:
        abort = time.monotonic() > deadline
        signal_postmaster(cluster, pid, signal.SIGQUIT if abort else signal.SIGINT)
        if wait_until_gone(cluster, ABORT_SECONDS):
            return
        if abort:
            raise PostgresFailed(program="postgres", reason=f"process {pid} still runs in {cluster} and doesn't stop")
    if not wait_until_gone(cluster, ABORT_SECONDS):
        raise PostgresFailed(program="postgres", reason=f"processes of a killed server still run in {cluster}")


def disarm_pid_file(cluster: Path, account: Account) -> None:
    """Make PostgreSQL take a left postmaster.pid for stale, once it is known that no server runs in `cluster`.

    It would refuse to start on an empty file, or when the number in it now belongs to some other process. Our own
    number means stale to it, and keeps its further check, that the shared memory named in the file is unused.
    """
    path = cluster / "postmaster.pid"
    try:
        with os.fdopen(os.open(path, os.O_RDONLY | os.O_NOFOLLOW), encoding="utf-8", errors="replace") as file:
            lines = file.read().splitlines()
    except FileNotFoundError:
        return
    path.unlink()
    if len(lines) < 7 or not lines[0].strip().isdigit():
        return
    # The folder is the account's: as root, never write through a link that it may have put there.
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write("\n".join([str(os.getpid()), *lines[1:]]) + "\n")
    account.own(path)


def _spawn(
    directory: DataDirectory, cluster: Path, binaries: Binaries, account: Account, port: int
) -> "subprocess.Popen[bytes]":
    settings = {**SETTINGS, "port": str(port)}
    arguments = [binaries.program("postgres"), "-D", str(cluster.resolve())]
    for name, value in settings.items():
        arguments += ["-c", f"{name}={value}"]
    log = directory.open_owned(directory.log, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    try:
        return subprocess.Popen(
            arguments,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            env=ENVIRONMENT,
            cwd="/",
            start_new_session=True,  # a terminal's Ctrl-C is ours to handle
            **account.popen_arguments(),
        )
    except OSError as error:
        raise PostgresFailed(program="postgres", reason=str(error)) from error
    finally:
        os.close(log)


def _wait_until_ready(process: "subprocess.Popen[bytes]", port: int) -> bool:
    """Whether the server takes connections; one that recovers after a crash may take its time, a silent one may not."""
    silent_since = time.monotonic()
    while process.poll() is None:
        answer = probe_server(HOST, port, USER, DATABASE)
        if answer is Answer.READY:
            return process.poll() is None
        if answer is Answer.STARTING:
            silent_since = time.monotonic()
        elif time.monotonic() - silent_since > SILENCE_SECONDS:
            raise PostgresFailed(program="postgres", reason=f"no answer on port {port} within {SILENCE_SECONDS:g} s")
        time.sleep(0.01)
    return False


def _find_free_port() -> int:
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        return int(probe.getsockname()[1])


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except OSError:
            return False
    return True


def _rotate(log: Path) -> None:
    if log.exists() and log.stat().st_size > LOG_BYTES:
        log.replace(log.with_name(log.name + ".1"))
