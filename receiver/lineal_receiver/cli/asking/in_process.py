"""The receiver's application, asked in this process: the same reads, without a server."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from typing import Any

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message

from lineal_receiver.app import create_app
from lineal_receiver.cli.asking.source import CUT_HEADER, Reply, Sink
from lineal_receiver.postgres.database import check_directory, check_store, join_database
from lineal_receiver.postgres.explain import describe
from lineal_receiver.postgres.pool import open_pool
from lineal_receiver.settings import Settings


class Application:
    """Asks an application that is up."""

    def __init__(self, app: ASGIApp, where: str) -> None:
        self.where = where
        self._app = app

    async def ask(self, path: str, out: Sink | None) -> Reply:
        """GET a path."""
        bare, _, query = path.partition("?")
        scope = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": "GET",
            "scheme": "http",
            "path": bare,
            "raw_path": bare.encode(),
            "query_string": query.encode(),
            "root_path": "",
            "headers": [(b"host", b"lineal")],
            "client": None,
            "server": ("lineal", 80),
        }
        status, cut = 0, None
        parts: list[bytes] = []
        asked = iter([{"type": "http.request", "body": b"", "more_body": False}])
        gone = asyncio.Event()

        async def receive() -> Message:
            for message in asked:
                return message
            await gone.wait()
            return {"type": "http.disconnect"}

        async def send(message: Message) -> None:
            nonlocal status, cut
            if message["type"] == "http.response.start":
                status = message["status"]
                cut = Headers(raw=message["headers"]).get(CUT_HEADER)
            elif (part := message.get("body", b"")) and not gone.is_set():
                try:
                    (out if out is not None and status == 200 else parts.append)(part)
                except BrokenPipeError:  # no fault of the application's: it is told as of any reader who has gone
                    gone.set()

        await self._app(scope, receive, send)
        if gone.is_set():
            raise BrokenPipeError
        return Reply(status, b"".join(parts), cut)


@asynccontextmanager
async def open_application(settings: Settings) -> AsyncIterator[Application]:
    """The application on the database of these settings, which is as it was afterwards."""
    if settings.database_url is None:
        check_directory(settings.data_dir)
    with join_database(settings.database_url, settings.data_dir) as address:
        await check_store(address)
        async with open_pool(address, size=settings.pool_size, statement_seconds=settings.statement_seconds) as pool:
            app = create_app(replace(settings, database_url=address), pool)
            async with _up(app):
                yield Application(app, describe(address))


@asynccontextmanager
async def _up(app: ASGIApp) -> AsyncIterator[None]:
    """The application between its startup and its shutdown."""
    told: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
    heard: asyncio.Queue[Any] = asyncio.Queue()
    scope = {"type": "lifespan", "asgi": {"version": "3.0"}, "state": {}}
    living = asyncio.ensure_future(app(scope, told.get, heard.put))
    told.put_nowait({"type": "lifespan.startup"})
    started = asyncio.ensure_future(heard.get())
    await asyncio.wait({living, started}, return_when=asyncio.FIRST_COMPLETED)
    if living.done():
        started.cancel()
        await living
    try:
        yield
    finally:
        told.put_nowait({"type": "lifespan.shutdown"})
        with suppress(asyncio.CancelledError):
            await living
