"""Aliases of a running receiver."""

import http.client
import json
import urllib.error
import urllib.parse
import urllib.request
from typing import Any

from lineal_receiver.cli.address import split_url
from lineal_receiver.cli.replies import read_detail, say_why_away
from lineal_receiver.cli.sending import TIMEOUT_SECONDS
from lineal_receiver.errors import AliasRefused, NotAnswered, ReceiverUnreachable
from lineal_receiver.stopping import interrupted_at_once


class HttpBook:
    """Asks a receiver's API."""

    def __init__(self, url: str) -> None:
        parts = split_url(url)
        self._url = url
        self._base = f"{parts.scheme}://{parts.netloc}{parts.path.rstrip('/')}/api/v2/alias"

    async def list(self, query: dict[str, str]) -> dict[str, Any]:
        """A page of them."""
        return self._ask("GET", "?" + urllib.parse.urlencode({**query, "limit": "1000"}))

    async def put(self, kind: str, old: str, new: str) -> dict[str, Any]:
        """Let a name count as another."""
        return self._ask("POST", "", {"kind": kind, "old": old, "new": new})

    async def remove(self, kind: str, old: str) -> dict[str, Any]:
        """Let it count as itself again."""
        return self._ask("DELETE", "?" + urllib.parse.urlencode({"kind": kind, "old": old}))

    async def lint(self, query: dict[str, str]) -> dict[str, Any]:
        """Likely pairs."""
        return self._ask("GET", "/lint?" + urllib.parse.urlencode(query))

    def _ask(self, method: str, path: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
        asking = urllib.request.Request(  # noqa: S310 - http or https: split_url saw to it
            self._base + path,
            method=method,
            data=None if body is None else json.dumps(body).encode(),
            headers={"Content-Type": "application/json"},
        )
        try:
            with interrupted_at_once(), urllib.request.urlopen(asking, timeout=TIMEOUT_SECONDS) as response:  # noqa: S310 - as above
                found: dict[str, Any] = json.loads(response.read())
                return found | ({"cut": cut} if (cut := response.headers.get("Lineal-Cut")) else {})
        except urllib.error.HTTPError as error:
            said = read_detail(error.read())
            if said is not None and error.code in (400, 404, 409, 422):
                raise AliasRefused(reason=said) from None
            raise NotAnswered(url=self._url, status=error.code, reason=said or error.reason) from None
        except (OSError, http.client.HTTPException) as error:
            raise ReceiverUnreachable(url=self._url, reason=say_why_away(error)) from None
