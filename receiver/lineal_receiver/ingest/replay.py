"""Try refused bodies again, as `lineal rejected replay` and its route do."""

from dataclasses import dataclass

from lineal_receiver.errors import LinealError
from lineal_receiver.ingest.faults import Fault
from lineal_receiver.ingest.intake import Accepted, Intake, Refused
from lineal_receiver.ingest.unpacking import BrokenGzip, unpack
from lineal_receiver.store.connection import Connection
from lineal_receiver.store.read_rejected import Rejected, fetch_rejected_body, find_rejected

SHORTEST = 6
"""So many characters of an id may stand for it, if only one begins so."""


@dataclass(eq=False)
class NoSuchRejected(LinealError):
    """No rejected body has the id {id}: lineal rejected list shows them."""

    id: str


@dataclass(eq=False)
class AmbiguousId(LinealError):
    """More than one rejected body has an id that begins with {id}: give more of it."""

    id: str


@dataclass(eq=False)
class OnlyBeginning(LinealError):
    """Of {id} only the beginning was kept ({message}), so it can't be tried again: its sender has to send
    it once more."""

    id: str
    message: str


async def find_one(connection: Connection, text: str) -> Rejected:
    """The one with this id or beginning of an id; NoSuchRejected, AmbiguousId."""
    wanted = text.strip().lower()
    if not SHORTEST <= len(wanted) <= 64 or not all(digit in "0123456789abcdef" for digit in wanted):
        raise NoSuchRejected(id=text)
    found = await find_rejected(connection, bytes.fromhex(wanted.ljust(64, "0")), bytes.fromhex(wanted.ljust(64, "f")))
    if not found:
        raise NoSuchRejected(id=text)
    if len(found) > 1:
        raise AmbiguousId(id=text)
    return found[0]


async def fetch_whole(connection: Connection, found: Rejected) -> bytes:
    """The body as it was sent; OnlyBeginning."""
    if found.truncated:
        raise OnlyBeginning(id=found.id.hex(), message=found.message)
    return await fetch_rejected_body(connection, found.id)


async def replay(intake: Intake, found: Rejected, body: bytes, limit: int) -> Accepted | Refused:
    """Take a body that was refused through the normal intake, and note what came of it."""
    if not found.coding:
        return await intake.retake(found.id, body, found.source)
    try:
        unpacked = unpack(body, limit)
    except BrokenGzip as error:
        shown = f"the body can't be unpacked: {error}"
        refused = Refused(400, (Fault("", "gzip", "a whole gzip stream", shown),))
        await intake.note_refusal(found.id, body, refused, found.source)
        return refused
    return await intake.retake(found.id, unpacked, found.source)
