"""A running receiver, asked over HTTP."""

import http.client
import urllib.error
import urllib.request

from lineal_receiver.cli.address import split_url
from lineal_receiver.cli.asking.source import CUT_HEADER, Reply, Sink
from lineal_receiver.cli.replies import say_why_away
from lineal_receiver.errors import ReceiverAway
from lineal_receiver.stopping import interrupted_at_once

TIMEOUT_SECONDS = 120.0
PART_BYTES = 64 * 1024


class HttpTransport:
    """Asks the receiver at an address."""

    def __init__(self, url: str) -> None:
        parts = split_url(url)
        self.where = url
        self._base = f"{parts.scheme}://{parts.netloc}{parts.path.rstrip('/')}"

    async def ask(self, path: str, out: Sink | None) -> Reply:
        """GET a path; ReceiverAway if nobody answers there, or stops in the middle."""
        return self._ask(path, out)  # nothing else goes on meanwhile

    def _ask(self, path: str, out: Sink | None) -> Reply:
        asking = urllib.request.Request(self._base + path)  # noqa: S310 - http or https: split_url saw to it
        try:
            with interrupted_at_once(), urllib.request.urlopen(asking, timeout=TIMEOUT_SECONDS) as answer:  # noqa: S310 - as above
                return Reply(answer.status, _read(answer, out), answer.headers.get(CUT_HEADER))
        except urllib.error.HTTPError as error:
            with error:
                return Reply(error.code, error.read())
        except BrokenPipeError:  # the reader of our own output has gone
            raise
        except (OSError, http.client.HTTPException) as error:
            raise ReceiverAway(url=self.where, reason=say_why_away(error)) from None


def _read(answer: http.client.HTTPResponse, out: Sink | None) -> bytes:
    parts: list[bytes] = []
    announced, came = answer.length, 0
    while part := answer.read(PART_BYTES):
        came += len(part)
        (out or parts.append)(part)
    if announced is not None and came < announced:
        raise http.client.IncompleteRead(b"", announced - came)
    return b"".join(parts)
