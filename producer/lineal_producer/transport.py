"""Sends an event as openlineage-python is configured to: http and files by ourselves, anything else by its classes."""

from __future__ import annotations

import gzip
import hashlib
import json
import logging
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal, Protocol
from urllib.parse import urljoin
from urllib.request import url2pathname

import orjson
import requests
from openlineage.client.client import OpenLineageClient
from openlineage.client.transport import Transport as ClientTransport
from openlineage.client.transport.async_http import AsyncHttpTransport
from openlineage.client.transport.composite import CompositeTransport
from openlineage.client.transport.file import FileTransport
from openlineage.client.transport.http import HttpCompression, HttpConfig, HttpTransport
from openlineage.client.transport.noop import NoopTransport

from lineal_producer.border import attempt, sentence
from lineal_producer.client_event import as_client_event
from lineal_producer.destination import without_credentials
from lineal_producer.errors import TransportError

Event = dict[str, Any]
_REFUSED: Final = frozenset({400, 413, 415, 422})  # asking again with the same bytes gets the same answer
_THIS_EVENT_ONLY: Final = frozenset({500})  # any other answer says something about the receiver, not about the event
_KAFKA: Final = frozenset({"kafka", "msk-iam"})
_ANSWER_LIMIT: Final = 4_000
_CONFIGURATION_ERRORS: Final = (ValueError, KeyError, TypeError, RuntimeError, ImportError, AttributeError, OSError)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of an event: `later` means that it may be sent again; `wide` that others would fare no better now."""

    verdict: Literal["sent", "rejected", "later"]
    detail: str = ""
    status: int | None = None
    wide: bool = False
    retry_after: float | None = None


SENT: Final = Outcome("sent")


class Door(Protocol):
    """One way out: `key` tells it from the others in the records of what was sent."""

    name: str
    key: str

    def send(self, event: Event) -> Outcome:
        """Send one event and wait for the answer."""
        ...

    def close(self, seconds: float) -> None:
        """Let go of connections, waiting for what is under way."""
        ...


class HttpDoor:
    """Posts events with the client's URL, authentication, headers, TLS and timeout; trying again is the caller's."""

    def __init__(self, transport: HttpTransport) -> None:
        self._transport = transport
        self._url = urljoin(transport.url, transport.endpoint)
        self._session = requests.Session()
        self.name = without_credentials(self._url)
        self.key = door_key("http", self.name)

    def send(self, event: Event) -> Outcome:
        body = orjson.dumps(event)
        headers = {"Content-Type": "application/json"}
        if self._transport.config.compression == HttpCompression.GZIP:
            body = gzip.compress(body, compresslevel=3)
            headers["Content-Encoding"] = "gzip"
        answer = self._request("POST", body, headers)
        return answer if isinstance(answer, Outcome) else self._outcome(answer)

    def ask(self, path: str | None = None) -> tuple[int | None, str]:
        """What a GET of the endpoint, or of another path there, is answered with; (None, why) without an answer."""
        answer = self._request("GET", None, {}, None if path is None else urljoin(self._url, path))
        return (None, answer.detail) if isinstance(answer, Outcome) else (answer.status_code, answer.text)

    def _request(
        self, method: str, body: bytes | None, headers: dict[str, str], url: str | None = None
    ) -> requests.Response | Outcome:
        config = self._transport.config
        cert = self._transport.cert
        bearer, no_token = attempt(config.auth.get_bearer)
        if no_token is not None:  # the token's own endpoint doesn't answer
            return Outcome("later", f"no access token: {sentence(no_token)}", wide=True)
        authorised = {"Authorization": bearer} if bearer else {}
        try:
            return self._session.request(
                method,
                url or self._url,
                data=body,
                headers={**headers, **authorised, **config.custom_headers},
                timeout=config.timeout,
                verify=self._transport.verify,
                cert=cert,
                allow_redirects=cert is None,  # a client certificate is never shown to whom a redirect names
            )
        except requests.RequestException as error:
            return Outcome("later", _said(error, self.name), wide=True)

    def _outcome(self, response: requests.Response) -> Outcome:
        status = response.status_code
        if 200 <= status < 300:
            return SENT
        detail = f"{self.name} answered {status} {response.reason}"
        if status in _REFUSED:
            return Outcome("rejected", response.text[:_ANSWER_LIMIT], status)
        after = response.headers.get("Retry-After", "")
        return Outcome(
            "later",
            detail,
            status,
            wide=status not in _THIS_EVENT_ONLY,
            retry_after=float(after) if after.isdigit() else None,
        )

    def close(self, seconds: float) -> None:  # noqa: ARG002 - nothing is under way between two sends
        self._session.close()


class FileDoor:
    """Appends events to a local file, byte for byte as the client does, each line in one write."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.name = str(path)
        self.key = door_key("file", self.name)

    def send(self, event: Event) -> Outcome:
        line = json.dumps(event, sort_keys=True).encode("ascii") + b"\n"
        try:
            descriptor = os.open(self._path, os.O_APPEND | os.O_CREAT | os.O_WRONLY | getattr(os, "O_BINARY", 0), 0o666)
            try:
                written = os.write(descriptor, line)
            finally:
                os.close(descriptor)
        except OSError as error:
            return Outcome("later", f"{self.name}: {error.strerror}", wide=True)
        if written < len(line):
            return Outcome("later", f"{self.name}: no room for the whole event", wide=True)
        return SENT

    def close(self, seconds: float) -> None:
        """Nothing is open between two events."""


class ClientDoor:
    """Any other transport, through the client's own class."""

    def __init__(self, transport: ClientTransport) -> None:
        self._transport = transport
        self.name = str(transport.kind or type(transport).__name__)
        self.key = door_key(self.name, str(transport.name or ""))
        self.file = _path_of(transport) if isinstance(transport, FileTransport) else None

    def send(self, event: Event) -> Outcome:
        _, error = attempt(lambda: self._transport.emit(as_client_event(event)))
        if error is None:
            return SENT
        if isinstance(error, requests.HTTPError) and error.response is not None:
            status = error.response.status_code
            return Outcome("rejected" if status in _REFUSED else "later", str(error), status, wide=True)
        return Outcome("later", f"{self.name}: {sentence(error)}", wide=True)

    def close(self, seconds: float) -> None:
        self._transport.close(seconds)


class FailoverDoor:
    """A composite that stops at a success or a failure: its doors in order, as one."""

    def __init__(self, doors: list[Door], *, past_failure: bool, past_success: bool) -> None:
        self.doors = doors
        self._past_failure = past_failure
        self._past_success = past_success
        self.name = " then ".join(door.name for door in doors)
        self.key = door_key("failover", *(door.key for door in doors))

    def send(self, event: Event) -> Outcome:
        best: Outcome | None = None
        for door in self.doors:
            outcome = door.send(event)
            if outcome.verdict == "sent":
                best = outcome
                if not self._past_success:
                    return outcome
            else:
                best = best or outcome
                if not self._past_failure:
                    return outcome
        return best or SENT

    def close(self, seconds: float) -> None:
        for door in self.doors:
            door.close(seconds)


def open_client() -> OpenLineageClient:
    """openlineage-python's client as the environment configures it; TransportError says what is wrong with it."""
    told, silent = logging.getLogger("openlineage"), logging.NullHandler()
    told.addHandler(silent)  # it writes a line of its own for what it raises, too
    try:
        client = OpenLineageClient()
        _ = client.config
    except _CONFIGURATION_ERRORS as error:
        raise TransportError("", f"{type(error).__name__}: {error}") from error
    finally:
        told.removeHandler(silent)
    return client


def doors_of(transport: ClientTransport) -> list[Door]:
    """The ways out of a transport: the children of a plain composite each on their own, none waiting for another."""
    if isinstance(transport, CompositeTransport):
        doors = [door for child in _children(transport) for door in doors_of(child)]
        config = transport.config
        if config.continue_on_failure and config.continue_on_success:
            return doors
        return [FailoverDoor(doors, past_failure=config.continue_on_failure, past_success=config.continue_on_success)]
    if isinstance(transport, NoopTransport):
        return []
    if type(transport) is HttpTransport:
        return [HttpDoor(transport)]
    if type(transport) is AsyncHttpTransport:
        return [HttpDoor(_as_http(transport))]
    if type(transport) is FileTransport and (path := _local_path(transport)) is not None:
        return [FileDoor(path)]
    if transport.kind in _KAFKA:
        from lineal_producer.kafka_door import KafkaDoor  # which needs this module

        return [KafkaDoor(transport)]
    return [ClientDoor(transport)]


def _children(transport: CompositeTransport) -> list[ClientTransport]:
    try:
        return list(transport.transports)
    except _CONFIGURATION_ERRORS as error:
        raise TransportError("composite", f"{type(error).__name__}: {error}") from error


def _as_http(transport: AsyncHttpTransport) -> HttpTransport:
    """The same destination, without the client's queue: events keep their order, and an answer is waited for."""
    config = transport.config
    transport.close(0)
    return HttpTransport(
        HttpConfig(
            url=config.url,
            endpoint=config.endpoint,
            timeout=config.timeout,
            verify=config.verify,
            auth=config.auth,
            compression=config.compression,
            custom_headers=config.custom_headers,
        )
    )


def _local_path(transport: FileTransport) -> Path | None:
    config = transport.config
    return _path_of(transport) if config.append and not config.debug_mode else None


def _path_of(transport: FileTransport) -> Path | None:
    if transport.config.filesystem:
        return None
    path = str(transport.config.log_file_path)
    if path.startswith("file://"):
        return Path(url2pathname(path.removeprefix("file://").removeprefix("localhost")))
    return None if "://" in path else Path(path).absolute()


def _said(error: requests.RequestException, name: str) -> str:
    if isinstance(error, requests.Timeout):
        return f"{name} does not answer in time"
    if isinstance(error, requests.ConnectionError):
        return f"{name} can't be reached"
    return f"{name}: {type(error).__name__}"


def door_key(*parts: str) -> str:
    """What tells a door from the others in the records of what was sent."""
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:8]
