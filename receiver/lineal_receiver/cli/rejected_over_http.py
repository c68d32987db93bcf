"""Refused bodies of a running receiver."""

import http.client
import json
import urllib.error
import urllib.parse
import urllib.request
from typing import Any

from lineal_receiver.cli.address import split_url
from lineal_receiver.cli.replies import read_detail, say_why_away
from lineal_receiver.cli.sending import TIMEOUT_SECONDS
from lineal_receiver.errors import NotAnswered, ReceiverUnreachable
from lineal_receiver.stopping import interrupted_at_once


class HttpShelf:
    """Asks a receiver's API."""

    def __init__(self, url: str) -> None:
        parts = split_url(url)
        self._url = url
        self._base = f"{parts.scheme}://{parts.netloc}{parts.path.rstrip('/')}/api/v2/rejected"

    async def list(self, query: dict[str, str]) -> dict[str, Any]:
        """A page of them."""
        found: dict[str, Any] = json.loads(self._ask("GET", "?" + urllib.parse.urlencode(query))[1])
        return found

    async def show(self, identity: str) -> dict[str, Any]:
        """One, with its errors."""
        found: dict[str, Any] = json.loads(self._ask("GET", "/" + urllib.parse.quote(identity, safe=""))[1])
        return found

    async def fetch_body(self, identity: str) -> bytes:
        """Its body."""
        return self._ask("GET", f"/{urllib.parse.quote(identity, safe='')}/body")[1]

    async def replay(self, identity: str) -> tuple[bool, str]:
        """Whether it is taken now, and what is to be said of it."""
        path = f"/{urllib.parse.quote(identity, safe='')}/replay"
        status, said = self._ask("POST", path, refusals=(400, 413, 415, 422))
        answered = json.loads(said)
        return (True, answered["outcome"]) if status == 200 else (False, answered["detail"])

    def _ask(self, method: str, path: str, refusals: tuple[int, ...] = ()) -> tuple[int, bytes]:
        asking = urllib.request.Request(self._base + path, method=method)  # noqa: S310 - http or https: split_url saw to it
        try:
            with interrupted_at_once(), urllib.request.urlopen(asking, timeout=TIMEOUT_SECONDS) as response:  # noqa: S310 - as above
                return response.status, response.read()
        except urllib.error.HTTPError as error:
            said = error.read()
            if error.code in refusals:
                return error.code, said
            raise NotAnswered(url=self._url, status=error.code, reason=read_detail(said) or error.reason) from None
        except (OSError, http.client.HTTPException) as error:
            raise ReceiverUnreachable(url=self._url, reason=say_why_away(error)) from None
