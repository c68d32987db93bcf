"""The horizon and redactions of a running receiver."""

import http.client
import json
import urllib.error
import urllib.request
from typing import Any
from urllib.parse import urlencode

from lineal_receiver.cli.address import split_url
from lineal_receiver.cli.replies import read_detail, say_why_away
from lineal_receiver.cli.sending import TIMEOUT_SECONDS
from lineal_receiver.errors import CommandRefused, NotAnswered, ReceiverUnreachable
from lineal_receiver.stopping import interrupted_at_once

REDACTION_SECONDS = 24 * 3600.0
"""A redaction folds the whole log again."""


class HttpKeeper:
    """Asks a receiver's API."""

    def __init__(self, url: str) -> None:
        parts = split_url(url)
        self._url = url
        self._base = f"{parts.scheme}://{parts.netloc}{parts.path.rstrip('/')}/api/v2/"

    async def horizon(self) -> dict[str, Any]:
        """The horizon, and how many records are late."""
        return self._ask("GET", "horizon")

    async def set_horizon(self, said: dict[str, str]) -> dict[str, Any]:
        """Set it (`at`), or take it away."""
        if "at" in said:
            return self._ask("PUT", "horizon", said)
        return self._ask("DELETE", "horizon?" + urlencode(said))

    async def late(self, query: dict[str, str]) -> dict[str, Any]:
        """A page of late records."""
        return self._ask("GET", "late?" + urlencode(query))

    async def redactions(self, query: dict[str, str]) -> dict[str, Any]:
        """A page of what was redacted."""
        return self._ask("GET", "redact?" + urlencode(query))

    async def redact(self, asked: dict[str, Any]) -> dict[str, Any]:
        """Take something out of the log, or say what that would change."""
        return self._ask("POST", "redact", asked, REDACTION_SECONDS)

    def _ask(
        self, method: str, path: str, body: dict[str, Any] | None = None, seconds: float = TIMEOUT_SECONDS
    ) -> dict[str, Any]:
        asking = urllib.request.Request(  # noqa: S310 - http or https: split_url saw to it
            self._base + path,
            method=method,
            data=None if body is None else json.dumps(body).encode(),
            headers={"Content-Type": "application/json"},
        )
        try:
            with interrupted_at_once(), urllib.request.urlopen(asking, timeout=seconds) as response:  # noqa: S310 - as above
                found: dict[str, Any] = json.loads(response.read())
                return found
        except urllib.error.HTTPError as error:
            said = read_detail(error.read())
            if said is not None and error.code in (400, 404, 409, 422):
                raise CommandRefused(reason=said) from None
            raise NotAnswered(url=self._url, status=error.code, reason=said or error.reason) from None
        except (OSError, http.client.HTTPException) as error:
            raise ReceiverUnreachable(url=self._url, reason=say_why_away(error)) from None
