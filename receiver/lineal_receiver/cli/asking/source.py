"""Where answers come from: a running receiver, or its application in this process, on a database."""

import argparse
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias
from urllib.parse import urlencode

from lineal_receiver.errors import NotAnswered, QuestionRefused, ReceiverAway
from lineal_receiver.settings import read_settings

Query: TypeAlias = dict[str, Any]
"""Parameters by name; what is None is left out, a list is said once an entry."""
Sink: TypeAlias = Callable[[bytes], object]

WITHOUT_PACKAGES = (
    "say whom to ask: --url http://127.0.0.1:5000. To ask a database itself, packages of the receiver are missing here "
    "({module}): pip install 'lineal[receiver]'"
)
CUT_HEADER = "Lineal-Cut"
AWAY = frozenset({429, 502, 503, 504})
REFUSED = frozenset({400, 409, 422})


@dataclass(frozen=True, slots=True)
class Reply:
    """What came back; the body is empty where it went to a sink. cut: what it leaves out, of which its head tells."""

    status: int
    body: bytes
    cut: str | None = None


class Transport(Protocol):
    """What brings a question to the API."""

    where: str

    async def ask(self, path: str, out: Sink | None) -> Reply:
        """GET a path with its query; the body of a 200 goes to `out`, part by part, if that is given."""
        ...


class Asker:
    """Asks the API, and knows its errors."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    @property
    def where(self) -> str:
        """Whom it asks."""
        return self._transport.where

    async def ask(self, path: str, query: Query) -> bytes | None:
        """The body of an answer; None if there is nothing of the name that was asked for."""
        reply = await self._send(path, query, None)
        return None if reply is None else reply.body

    async def read(self, path: str, query: Query) -> dict[str, Any] | None:
        """The same, read as JSON."""
        body = await self.ask(path, query)
        if body is None:
            return None
        return self.parse(body)

    def parse(self, body: bytes) -> dict[str, Any]:
        """An answer, which is a JSON object with something in it; NotAnswered if another program gave it."""
        try:
            found = json.loads(body)
        except ValueError:
            found = None
        if not isinstance(found, dict) or not found:
            raise NotAnswered(url=self.where, status=200, reason="but that is no answer of Lineal's. Check the address")
        return found

    async def copy(self, path: str, query: Query, out: Sink) -> Reply | None:
        """Let an answer's body go to `out` as it comes; None if there is nothing of the name that was asked for."""
        return await self._send(path, query, out)

    async def _send(self, path: str, query: Query, out: Sink | None) -> Reply | None:
        asked = {name: value for name, value in query.items() if value is not None}
        reply = await self._transport.ask(f"{path}?{urlencode(asked, doseq=True)}", out)
        if reply.status == 200:
            return reply
        kind, said = _read_problem(reply)
        if reply.status == 404 and kind:
            return None
        if reply.status in REFUSED:
            raise QuestionRefused(reason=said)
        if reply.status in AWAY:
            raise ReceiverAway(url=self.where, reason=f"it answers {reply.status}: {said}")
        reason = f"it doesn't know {path}: it is older than this command" if reply.status == 404 else said
        raise NotAnswered(url=self.where, status=reply.status, reason=reason)


def _read_problem(reply: Reply) -> tuple[str, str]:
    """The kind of a problem (`no-such-node`; empty if it says none) and what it says."""
    try:
        problem = json.loads(reply.body)
        return str(problem.get("type", "")).partition("#")[2], str(problem["detail"])
    except (ValueError, KeyError, AttributeError):
        return "", " ".join(reply.body.decode(errors="replace").split())[:200] or "it doesn't say why"


@asynccontextmanager
async def open_asker(options: argparse.Namespace) -> AsyncIterator[Asker]:
    """Asks the receiver at `--url`, or the database that the other options and the settings name."""
    if options.url is not None:
        from lineal_receiver.cli.asking.over_http import HttpTransport

        yield Asker(HttpTransport(options.url))
        return
    try:
        from lineal_receiver.cli.asking.in_process import open_application
        from lineal_receiver.logs import set_up_logging
    except ModuleNotFoundError as error:
        raise QuestionRefused(reason=WITHOUT_PACKAGES.format(module=error.name)) from None
    settings = read_settings(database_url=options.database_url, data_dir=options.data_dir)
    set_up_logging(settings, quiet=True)
    async with open_application(settings) as application:
        yield Asker(application)
