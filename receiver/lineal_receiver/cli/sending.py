"""Send the events of files to a running receiver over HTTP, one a request, in order."""

import http.client
import json
import time
from dataclasses import dataclass
from typing import TextIO

from lineal_receiver.cli.address import split_url
from lineal_receiver.cli.replies import say_why_away
from lineal_receiver.errors import ReceiverUnreachable
from lineal_receiver.ingest.files import check_paths, find_hint, read_lines

PATH = "/api/v1/lineage"
TIMEOUT_SECONDS = 60.0
PATIENCE_SECONDS = 60.0
FIRST_PAUSE = 0.2
LONGEST_PAUSE = 5.0
LINE_BYTES = 256 * 1024 * 1024
"""Longer lines are cut, and then no JSON: the receiver's own limit is far lower."""


@dataclass(frozen=True, slots=True)
class Sent:
    """How many events the receiver took, new or known to it already, and how many it rejected."""

    taken: int
    rejected: int


def send_files(url: str, paths: list[str], out: TextIO, err: TextIO, *, patience: float = PATIENCE_SECONDS) -> Sent:
    """Send every line; say what is rejected as it happens, that it waits, and the sums at the end.

    ReceiverUnreachable when it doesn't answer, or is busy, for longer than `patience` seconds; what was sent is kept.
    """
    check_paths(paths)
    receiver = _Receiver(url, patience, err)
    taken = rejected = 0
    failed = True
    hints: dict[str, str] = {}
    try:
        for path in paths:
            for line in read_lines(path, LINE_BYTES):
                status, message = receiver.send(line.body)
                if status < 300:
                    taken += 1
                    continue
                rejected += 1
                hint = find_hint(line.path, line.body)
                if hint is not None:
                    hints.setdefault(line.path, hint)
                out.write(f"rejected {line.path}:{line.number}: {message}\n")
        failed = False
    finally:
        receiver.close()
        err.writelines(f"{hint}\n" for hint in hints.values())
        if taken or rejected or not failed:
            out.write(f"{taken} accepted or duplicate, {rejected} rejected\n")
    return Sent(taken, rejected)


class _Receiver:
    """One connection that is opened again when it breaks."""

    def __init__(self, url: str, patience: float, err: TextIO) -> None:
        self._err = err
        self._url = url
        self._patience = patience
        parts = split_url(url)
        kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
        self._connection = kind(parts.hostname or "", parts.port, timeout=TIMEOUT_SECONDS)
        self._path = parts.path.rstrip("/") + PATH

    def close(self) -> None:
        self._connection.close()

    def send(self, body: bytes) -> tuple[int, str]:
        """The status and, for what is rejected, why. Trying again does no harm: what is sent twice is a duplicate."""
        deadline = time.monotonic() + self._patience
        pause = FIRST_PAUSE
        while True:
            reason, asked = self._try(body)
            if isinstance(reason, tuple):
                return reason
            if time.monotonic() + (asked or pause) > deadline:
                raise ReceiverUnreachable(url=self._url, reason=reason)
            if pause == FIRST_PAUSE:
                self._err.write(f"{self._url}: {reason}; trying for {self._patience:.0f} seconds\n")
                self._err.flush()
            time.sleep(asked or pause)
            pause = min(pause * 2, LONGEST_PAUSE)

    def _try(self, body: bytes) -> tuple[tuple[int, str] | str, float | None]:
        """A verdict, or why there is none yet and for how long the receiver asks to wait."""
        try:
            self._connection.request("POST", self._path, body, {"Content-Type": "application/json"})
            response = self._connection.getresponse()
            said = response.read()
        except (OSError, http.client.HTTPException) as error:
            self._connection.close()
            return say_why_away(error), None
        if response.status in (429, 502, 503, 504):
            return f"it answers {response.status} {response.reason}", _read_pause(response.getheader("Retry-After"))
        if response.status in (400, 413, 415, 422) or response.status < 300:
            return (response.status, _read_message(said)), None
        raise ReceiverUnreachable(url=self._url, reason=f"it answers {response.status} {response.reason}")


def _read_pause(header: str | None) -> float | None:
    return min(float(header), LONGEST_PAUSE) if header and header.isdigit() else None


def _read_message(said: bytes) -> str:
    try:
        return str(json.loads(said)["message"])
    except (ValueError, KeyError, TypeError):
        return " ".join(said.decode(errors="replace").split())[:200] or "it doesn't say why"
