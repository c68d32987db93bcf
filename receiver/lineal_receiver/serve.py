"""Run the server: take the port, have a database, serve until asked to stop, leave everything in order."""

import asyncio
import gc
import socket
import sys
import time
from collections.abc import Callable, Coroutine, Iterator
from contextlib import closing, contextmanager
from typing import Any

import structlog
import uvicorn

from lineal_receiver.errors import StoreUnreachable
from lineal_receiver.ingest.days import keeping_days
from lineal_receiver.listener import build_url, open_listener
from lineal_receiver.logs import set_up_logging
from lineal_receiver.postgres.database import prepare_database
from lineal_receiver.postgres.embedded import EmbeddedServer, start_embedded
from lineal_receiver.postgres.explain import describe
from lineal_receiver.postgres.pool import Address, find_address, open_pool
from lineal_receiver.settings import Settings
from lineal_receiver.stopping import Stopped, StopSignals

GRACE_SECONDS = 20
# Longer than proxies and clients keep an idle connection (mostly 60 s), so that they end it, and not the server while
# they send a request.
IDLE_SECONDS = 75
FIRST_DELAY, LONGEST_DELAY = 0.25, 5.0
log = structlog.get_logger(__name__)


def serve(settings: Settings, *, temporary_if_blocked: bool = False) -> int:
    """Serve until SIGTERM, SIGINT or SIGHUP; the exit code. Prints the URL on stdout once requests are answered."""
    set_up_logging(settings)
    with StopSignals() as signals:
        try:
            listener = open_listener(settings.host, settings.port, insecure=settings.insecure_listen)
            with closing(listener), _database(settings, signals, temporary_if_blocked=temporary_if_blocked) as found:
                address, where = found
                signals.hold()  # an exception that strikes in the loop may be lost, or crash what is in C
                _run(_serve(settings, listener, address, where, signals))
        except (Stopped, asyncio.CancelledError):
            log.info("start_abandoned")
    return 0


@contextmanager
def _database(settings: Settings, signals: StopSignals, *, temporary_if_blocked: bool) -> Iterator[tuple[Address, str]]:
    """The address of the database, and where it is, for people to read."""
    if settings.database_url is not None:
        yield settings.database_url, f"PostgreSQL at {describe(settings.database_url)}"
        return
    server = start_embedded(settings.data_dir, ephemeral=temporary_if_blocked)
    try:
        yield (lambda: server.connection.dsn), _describe_place(server, settings)
    finally:
        signals.ignore()
        server.stop()


def _describe_place(server: EmbeddedServer, settings: Settings) -> str:
    if not server.temporary:
        return f"data in {server.directory.path}"
    wanted = settings.data_dir
    return f"data in {server.directory.path}, removed at the end: PostgreSQL's account can't reach {wanted}"


def _run(serving: Coroutine[Any, Any, None]) -> None:
    """On uvloop where that is installed."""
    try:
        import uvloop
    except ImportError:
        asyncio.run(serving)
    else:
        uvloop.run(serving)


async def _serve(
    settings: Settings, listener: socket.socket, address: Address, where: str, signals: StopSignals
) -> None:
    signals.forward_to(_canceller())
    from lineal_receiver.app import create_app

    await _await_database(address, settings.wait_seconds)
    async with open_pool(address, size=settings.pool_size, statement_seconds=settings.statement_seconds) as pool:
        ready = f"Lineal listens on {build_url(settings.host, listener)} ({where})"
        server = _Server(create_app(settings, pool), ready, settings.body_seconds)
        signals.forward_to(server.stop_soon)
        spare_collector()
        async with keeping_days(pool, settings.hot_days):
            await server.serve(sockets=[listener])
        signals.ignore()


def spare_collector() -> None:
    """Collect garbage less often, and never look at what was made up to here.

    A parsed event is a thousand small containers without cycles, which go as soon as it is kept: to look through them
    for cycles every 700 of them, as Python does, costs more than to parse them.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(100_000, 20, 20)


async def _await_database(address: Address, seconds: float) -> None:
    """Have the database ready; wait for one that may be there soon, and say so. StoreUnreachable: it wasn't."""
    deadline = time.monotonic() + seconds
    delay = FIRST_DELAY
    while (away := await _prepare(address)) is not None:
        if not away.passing or time.monotonic() + delay > deadline:
            raise away
        log.warning("database_awaited", where=away.where, reason=away.reason, retry_seconds=delay)
        await asyncio.sleep(delay)
        delay = min(2 * delay, LONGEST_DELAY)


async def _prepare(address: Address) -> StoreUnreachable | None:
    try:
        await prepare_database(find_address(address))
    except StoreUnreachable as error:
        return error
    return None


def _canceller() -> Callable[[], None]:
    """Cancels the task that asks, from a signal handler."""
    task = asyncio.current_task()
    loop = asyncio.get_running_loop()

    def cancel() -> None:
        if task is not None:
            loop.call_soon_threadsafe(task.cancel)

    return cancel


def _find_protocol(head_seconds: float) -> Any:
    """Ours where httptools is installed, else uvicorn's choice."""
    try:
        from lineal_receiver.protocol import build_protocol
    except ImportError:
        return "auto"
    return build_protocol(head_seconds)


class _Server(uvicorn.Server):
    """uvicorn that says when it is ready, and leaves the signals to us."""

    def __init__(self, app: Any, ready: str, head_seconds: float) -> None:
        super().__init__(
            uvicorn.Config(
                app,
                http=_find_protocol(head_seconds),
                lifespan="on",
                log_config=None,
                access_log=False,
                server_header=False,
                timeout_keep_alive=IDLE_SECONDS,
                timeout_graceful_shutdown=GRACE_SECONDS,
            )
        )
        self._ready = ready

    def stop_soon(self) -> None:
        """Finish what is under way and end; asked again, end without waiting for it."""
        self.force_exit = self.should_exit
        self.should_exit = True

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            sys.stdout.write(self._ready + "\n")
            sys.stdout.flush()

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield
