"""The gate: POST /api/v1/lineage and its batch form, as plain ASGI."""

import orjson
import structlog
from starlette.types import Receive, Scope, Send

from lineal_receiver.api.body import BodyReader, BodyRefused, ClientGone, NoRoom
from lineal_receiver.api.room import Room, Visit
from lineal_receiver.ingest.batch import BatchResult, take_batch
from lineal_receiver.ingest.faults import Fault
from lineal_receiver.ingest.intake import Accepted, Intake, Refused
from lineal_receiver.ingest.persist import StoreAway

ONE = "/api/v1/lineage"
BATCH = "/api/v1/lineage/batch"
RETRY_SECONDS = 2
HEADERS = {"content_encoding": [(b"accept-encoding", b"gzip")], "slow": [(b"connection", b"close")]}

log = structlog.get_logger(__name__)


class LineageGate:
    """Takes one event, or an array of them, a request."""

    def __init__(self, intake: Intake, limit: int, seconds: float) -> None:
        """Bodies of `limit` bytes at most, unpacked, for which a client may take `seconds`."""
        self._intake = intake
        self._limit = limit
        self._seconds = seconds
        self._room = Room()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a POST: 201 only for what is kept."""
        source = _source(scope)
        try:
            async with Visit(self._room) as visit:
                body = await BodyReader(scope, receive, self._limit, self._seconds, visit).read()
                async with visit.desk:
                    answer = await self._take(scope, body, source)
            await _answer(send, answer)
        except BodyRefused as error:
            await self._refuse(send, error, source)
        except NoRoom:
            shown = "too many large bodies are under way: send it again"
            await _send(send, 503, _error(503, shown), [(b"retry-after", b"%d" % RETRY_SECONDS), *HEADERS["slow"]])
        except StoreAway as error:
            await _send(send, 503, _error(503, str(error)), [(b"retry-after", b"%d" % RETRY_SECONDS)])
        except ClientGone:
            log.info("client_gone", source=source)

    async def _take(self, scope: Scope, body: bytes, source: str) -> Accepted | Refused | BatchResult:
        if scope["path"].rstrip("/") == BATCH:
            return await take_batch(self._intake, body, source)
        return await self._intake.take(body, source)

    async def _refuse(self, send: Send, error: BodyRefused, source: str) -> None:
        refused = Refused(error.status, (Fault("", error.rule, error.expected, error.message),))
        try:
            await self._intake.refuse(
                error.beginning, refused, source, whole=error.whole, size=error.size, coding=error.coding
            )
        except StoreAway as away:
            log.warning("refusal_not_kept", reason=str(away))
        headers = HEADERS.get(error.rule, [])
        await _send(send, error.status, _refusal(refused), headers)


def _source(scope: Scope) -> str:
    client = scope.get("client")
    return str(client[0]) if client else ""


async def _answer(send: Send, answer: Accepted | Refused | BatchResult) -> None:
    if isinstance(answer, Refused):
        await _send(send, answer.status, _refusal(answer))
    elif isinstance(answer, BatchResult):
        await _send(send, 200, orjson.dumps(answer.as_json()))
    else:
        await _send(send, 201, b"")


def _refusal(refused: Refused) -> bytes:
    errors = [{"pointer": f.pointer, "rule": f.rule, "expected": f.expected} for f in refused.faults]
    return orjson.dumps({"code": refused.status, "message": refused.message, "errors": errors}, default=str)


def _error(status: int, message: str) -> bytes:
    return orjson.dumps({"code": status, "message": message})


async def _send(send: Send, status: int, body: bytes, extra: list[tuple[bytes, bytes]] | None = None) -> None:
    headers = [(b"content-length", b"%d" % len(body)), *(extra or [])]
    if body:
        headers.append((b"content-type", b"application/json"))
    try:
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": body})
    except RuntimeError as error:  # what uvloop says of a connection that the client has just closed
        log.info("client_gone", status=status, reason=str(error))
