"""Connections: none that brings a request is closed on it."""

import asyncio
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest
import uvicorn
import uvloop

from lineal_receiver.protocol import build_protocol
from lineal_receiver.serve import _Server

REQUEST = b"GET / HTTP/1.1\r\nhost: x\r\n\r\n"


async def _answer(scope: Any, receive: Any, send: Any) -> None:
    """An application that says `here` to everything."""
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"4")]})
    await send({"type": "http.response.body", "body": b"here"})


@asynccontextmanager
async def _connect() -> AsyncIterator[tuple[Any, socket.socket]]:
    """A connection that has asked once: the server's side and the client's."""
    config = uvicorn.Config(_answer, log_config=None, lifespan="off", http=build_protocol(60.0))
    server = uvicorn.Server(config)
    with socket.create_server(("127.0.0.1", 0)) as listener, socket.socket() as client:
        serving = asyncio.create_task(server.serve(sockets=[listener]))
        client.setblocking(False)
        await asyncio.get_running_loop().sock_connect(client, listener.getsockname())
        client.send(REQUEST)
        try:
            assert (await _hear(client)).endswith(b"here")
            (protocol,) = server.server_state.connections
            yield protocol, client
        finally:
            server.should_exit = True
            await serving


async def _hear(client: socket.socket) -> bytes:
    """What comes up to the end of one answer; less where the server hangs up."""
    said = b""
    while not said.endswith(b"here"):
        part = await asyncio.get_running_loop().sock_recv(client, 4096)
        if not part:
            break
        said += part
    return said


async def _late() -> bytes:
    """What is said to a request that is there, unread, when the idle time is over."""
    async with _connect() as (protocol, client):
        client.send(REQUEST)
        protocol.timeout_keep_alive_handler()
        return await _hear(client)


async def _idle() -> bytes:
    """What is said to nothing when the idle time is over."""
    async with _connect() as (protocol, client):
        protocol.timeout_keep_alive_handler()
        return await _hear(client)


@pytest.mark.parametrize("run", [asyncio.run, uvloop.run])
def test_a_request_that_comes_as_the_connection_is_to_be_closed_is_answered(run: Callable[..., bytes]) -> None:
    assert run(_late()).startswith(b"HTTP/1.1 200 OK")


@pytest.mark.parametrize("run", [asyncio.run, uvloop.run])
def test_an_idle_connection_is_closed(run: Callable[..., bytes]) -> None:
    assert run(_idle()) == b""


def test_connections_are_kept_longer_than_proxies_keep_theirs() -> None:
    assert _Server(_answer, "ready", 60.0).config.timeout_keep_alive > 60
