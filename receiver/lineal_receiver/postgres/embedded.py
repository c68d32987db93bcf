"""The embedded PostgreSQL: its life in a data directory, from an empty folder to a fast shutdown."""

import shutil
import tempfile
import threading
from contextlib import suppress
from pathlib import Path
from types import TracebackType

import structlog

from lineal_receiver.errors import DirectoryReadOnly, DirectoryUnreachable, LinealError
from lineal_receiver.postgres.account import Account, choose_account
from lineal_receiver.postgres.binaries import Binaries, find_binaries, place_binaries
from lineal_receiver.postgres.cluster import create_cluster
from lineal_receiver.postgres.directory import Connection, DataDirectory
from lineal_receiver.postgres.lock import DirectoryLock, lock_directory
from lineal_receiver.postgres.postmaster import HOST, Postmaster, start_postmaster
from lineal_receiver.stopping import held_back

FIRST_DELAY = 0.1
LONGEST_DELAY = 5.0

log = structlog.get_logger(__name__)


class EmbeddedServer:
    """A PostgreSQL server that lives as long as this object runs: restarted if it dies, stopped by `stop`."""

    def __init__(self, directory: DataDirectory, lock: DirectoryLock, account: Account, binaries: Binaries) -> None:
        self.directory = directory
        self.temporary = False
        self._lock = lock
        self._account = account
        self._binaries = binaries
        self._stopping = threading.Event()
        self._turn = threading.Lock()  # of the keeper that restarts and of `stop`
        self._password = directory.ensure_password()
        self._postmaster = self._start(port=0)
        self._keeper = threading.Thread(target=self._keep_alive, name="postgres-keeper", daemon=True)
        self._keeper.start()

    @property
    def connection(self) -> Connection:
        """How to connect to it now; the port stays the same over restarts unless somebody else took it."""
        return Connection(host=HOST, port=self._postmaster.port, password=self._password)

    @property
    def pid(self) -> int:
        """The pid of the postmaster that runs now."""
        return self._postmaster.process.pid

    def stop(self, guest_seconds: float = 0.0) -> None:
        """Stop PostgreSQL (after up to `guest_seconds` for those who joined it) and let go of the directory."""
        try:
            if guest_seconds and not self._lock.close_to_guests(0.0):
                log.warning("postgres_kept_for_guests", data_dir=str(self.directory.path))
                self._lock.close_to_guests(guest_seconds)
        finally:
            self._end()

    def _end(self) -> None:
        self._stopping.set()
        try:
            with self._turn:
                self.directory.remove_server()
                self._postmaster.stop()
            self._keeper.join()
        finally:
            self._lock.release()
            if self.temporary:
                shutil.rmtree(self.directory.path)
        log.info("postgres_stopped", data_dir=str(self.directory.path))

    def _start(self, port: int) -> Postmaster:
        postmaster = start_postmaster(self.directory, self.directory.cluster, self._binaries, self._account, port)
        self.directory.write_server(postmaster.port, postmaster.process.pid)
        return postmaster

    def _keep_alive(self) -> None:
        while True:
            code = self._postmaster.process.wait()
            if self._stopping.is_set():
                return
            log.error("postgres_died", code=code, log=str(self.directory.log))
            self._restart()

    def _restart(self) -> None:
        """Start again, ever more patiently, until that works or `stop` is called."""
        delay = FIRST_DELAY
        while not self._stopping.wait(delay):
            with self._turn:
                if self._stopping.is_set():
                    return
                try:
                    self._postmaster = self._start(self._postmaster.port)
                except (LinealError, OSError) as error:
                    delay = min(delay * 2, LONGEST_DELAY)
                    log.error("postgres_restart_failed", reason=str(error), retry_seconds=delay)  # noqa: TRY400 - a sentence of ours
                else:
                    log.warning("postgres_restarted", pid=self.pid, port=self._postmaster.port)
                    return

    def __enter__(self) -> "EmbeddedServer":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()


def start_embedded(path: Path, *, ephemeral: bool = False) -> EmbeddedServer:
    """Start PostgreSQL in the data directory `path`, making the directory and its cluster where they aren't there yet.

    With `ephemeral`, a temporary folder stands in if root's PostgreSQL account can't reach `path`; `stop` removes it.
    A signal to end is heard only where nothing would be left behind: no process, no folder half made.
    """
    server: EmbeddedServer | None = None
    try:
        with held_back():
            server = _start_at(path.absolute(), ephemeral=ephemeral)
    except BaseException:
        if server is not None:
            server.stop()
        raise
    return server


def _start_at(path: Path, *, ephemeral: bool) -> EmbeddedServer:
    binaries = find_binaries()
    account = choose_account(find_owner(path))
    try:
        check_reach(path, account)
    except DirectoryUnreachable:
        if not ephemeral:
            raise
    else:
        return _start_in(DataDirectory(path), account, binaries)
    account = choose_account()
    scratch = Path(tempfile.mkdtemp(prefix="lineal-", dir=_find_temporary(account)))
    try:
        server = _start_in(DataDirectory(scratch), account, binaries)
    except BaseException:
        shutil.rmtree(scratch)
        raise
    server.temporary = True
    return server


def _start_in(directory: DataDirectory, account: Account, binaries: Binaries) -> EmbeddedServer:
    directory.prepare()
    lock = lock_directory(directory)
    try:
        found = directory.check_major(binaries.major)
        if account.switch and directory.path.stat().st_uid == 0:
            directory.path.chmod(0o711)  # the account must pass through; every file of ours in it is 0600
        check_reach(directory.cluster, account)  # folders made just now may be closed, by a umask
        placed = place_binaries(binaries, account, directory.path)
        if found is None:
            directory.write_marker(binaries.major, initialised=False)
            create_cluster(directory.cluster, placed, account, directory.ensure_password())
            directory.write_marker(binaries.major, initialised=True)
            log.info("cluster_created", data_dir=str(directory.path), postgresql=binaries.version)
        return EmbeddedServer(directory, lock, account, placed)
    except OSError as error:  # a full disk, a file system that root may not give files away on
        lock.release()
        reason = f"{error.strerror or error}: {error.filename or directory.path}"
        raise DirectoryReadOnly(path=directory.path, reason=reason) from error
    except BaseException:
        lock.release()
        raise


def _find_temporary(account: Account) -> str | None:
    """A folder for temporary files that `account` can get to; None, the usual one, if there is none."""
    places = (tempfile.gettempdir(), "/tmp", "/var/tmp")  # noqa: S108 - mkdtemp makes a closed folder of its own there
    return next((place for place in places if account.blocked_at(Path(place)) is None), None)


def check_reach(path: Path, account: Account) -> None:
    """DirectoryUnreachable if `account` can't get to the data directory `path`, which need not be there yet."""
    blocked = account.blocked_at(path.resolve().parent)
    if blocked is not None:
        raise DirectoryUnreachable(path=path, account=account.name, blocked=blocked)


def find_owner(path: Path) -> int | None:
    """The uid that PostgreSQL must have in `path`: its cluster's owner, or the directory's."""
    for place in (path / "cluster", path):
        with suppress(OSError):  # not there, or not for us to see: what comes next says so
            return place.stat().st_uid
    return None
