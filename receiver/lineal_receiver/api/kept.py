"""Answers that can't have changed aren't worked out again: the finished ones are kept, and given while they hold."""

import hashlib
from collections import OrderedDict
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any, TypeAlias

from starlette.requests import Request
from starlette.responses import Response

from lineal_receiver.api.answers import CUT_HEADER, encode
from lineal_receiver.store.read_snapshot import Connection, snapshot
from lineal_receiver.store.read_stamp import Stamp, ask_stamp, fetch_stamp
from lineal_receiver.store.together import together

LARGEST_SHARE = 8
"""An answer that would take up more than this part of the room isn't kept: it would drive out all others."""
BESIDES = 1_024
"""Bytes that an answer takes up beside its body and its request, about."""

Key: TypeAlias = tuple[bytes, bytes]
"""The path and the query as they were sent."""
Build: TypeAlias = Callable[[Connection], Coroutine[Any, Any, tuple[dict[str, Any], str | None]]]
"""Makes the body of an answer out of a snapshot's connection, and says what was left out of it."""


@dataclass(frozen=True, slots=True)
class Finished:
    """An answer as it is sent; stamp: of the snapshot that it tells of, None where that can't be told."""

    body: bytes
    cut: str | None
    tag: str
    stamp: Stamp | None


class KeptAnswers:
    """The answers asked for last, of `most_bytes` in all; 0 keeps none."""

    def __init__(self, most_bytes: int) -> None:
        self.most_bytes = most_bytes
        self.bytes = 0
        self.hits = 0
        self.misses = 0
        self._kept: OrderedDict[Key, Finished] = OrderedDict()

    def __len__(self) -> int:
        return len(self._kept)

    def find(self, key: Key) -> Finished | None:
        """What was answered before, whether that still holds or not."""
        found = self._kept.get(key)
        if found is not None:
            self._kept.move_to_end(key)
        return found

    def keep(self, key: Key, answer: Finished) -> None:
        """Keep an answer in place of an earlier one, and let those go that weren't asked for the longest."""
        before = self._kept.pop(key, None)
        if before is not None:
            self.bytes -= _weigh(key, before)
        weight = _weigh(key, answer)
        if answer.stamp is None or weight * LARGEST_SHARE > self.most_bytes:
            return
        self._kept[key] = answer
        self.bytes += weight
        while self.bytes > self.most_bytes:
            self.bytes -= _weigh(*self._kept.popitem(last=False))


async def answer_kept(request: Request, build: Build) -> Response:
    """What `build` makes of the store as it is, or made of it before, if nothing was committed since.

    It must be a function of the store and of the path and query alone: not of the time, and not of headers.
    """
    pool, kept = request.app.state.pool, request.app.state.kept
    key = (request.scope.get("raw_path") or request.url.path.encode(), request.scope["query_string"])
    found = kept.find(key)
    if found is not None and found.stamp is not None:
        now = await ask_stamp(pool)
        if now is not None and found.stamp.still_holds(now):
            kept.hits += 1
            return _respond(request, found)
    kept.misses += 1
    async with snapshot(pool, "once") as connection:
        stamp, (body, cut) = await together(connection, fetch_stamp(connection), build(connection))
    written = encode(body)
    made = Finished(written, cut, f'"{hashlib.blake2b(written, digest_size=16).hexdigest()}"', stamp)
    kept.keep(key, made)
    return _respond(request, made)


def _weigh(key: Key, answer: Finished) -> int:
    return BESIDES + sum(map(len, key)) + len(answer.body)


def _respond(request: Request, answer: Finished) -> Response:
    """The answer, or 304 to who has it (RFC 9110, 13.1.2); who keeps it asks before using it again."""
    headers = {"ETag": answer.tag, "Cache-Control": "no-cache"}
    if answer.cut is not None:
        headers[CUT_HEADER] = answer.cut
    known = [tag.strip().removeprefix("W/") for tag in request.headers.get("if-none-match", "").split(",")]
    if answer.tag in known or known == ["*"]:
        return Response(status_code=304, headers=headers)
    return Response(answer.body, media_type="application/json", headers=headers)
