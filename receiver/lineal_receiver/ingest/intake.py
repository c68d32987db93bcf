"""One body in, one verdict out: the same walk for every way that events come."""

import time
from dataclasses import dataclass, replace
from datetime import datetime, timezone
from functools import partial

import structlog

from lineal_receiver.ingest.envelope import UnreadableError, open_envelope
from lineal_receiver.ingest.event import LARGE, Event, build_event
from lineal_receiver.ingest.faults import Fault
from lineal_receiver.ingest.persist import NotStorable, Vault
from lineal_receiver.ingest.rejections import build_row
from lineal_receiver.ingest.scrubbing import SCRUBBED, scrub
from lineal_receiver.ingest.strictness import list_leniencies
from lineal_receiver.ingest.validate import Judge

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Accepted:
    """Kept; `new` is false for an event that was there already."""

    new: bool


@dataclass(frozen=True, slots=True)
class Refused:
    """Not taken, but kept among the rejected: the HTTP status that says so, and the rules that were broken."""

    status: int
    faults: tuple[Fault, ...]

    @property
    def message(self) -> str:
        """The first fault in words."""
        first = self.faults[0]
        return f"{first.pointer or 'the body'}: {first.message}; expected {first.expected}"


class Intake:
    """Judges bodies and keeps them."""

    def __init__(self, judge: Judge, vault: Vault, *, strict: bool = False) -> None:
        """A `strict` one takes nothing that isn't exactly as the standards say."""
        self._judge = judge
        self._vault = vault
        self._strict = strict

    def read(self, body: bytes) -> Event | Refused:
        """The event in a body, or why it is refused."""
        scrubbed = scrub(body)
        try:
            envelope = open_envelope(scrubbed)
        except UnreadableError as error:
            return Refused(400, (Fault(error.pointer, error.rule, error.expected, error.message),))
        verdict = self._judge.judge(envelope)
        if verdict.faults:
            return Refused(422, verdict.faults)
        if self._strict:
            faults = list_leniencies(envelope, verdict)
            if faults:
                return Refused(422, tuple(faults))
        if scrubbed != body:
            envelope = replace(envelope, flags=envelope.flags | SCRUBBED)
        event = build_event(envelope, verdict, datetime.now(timezone.utc))
        return replace(event, again=partial(self._read_again, scrubbed, event.flags)) if len(body) > LARGE else event

    def _read_again(self, body: bytes, flags: int) -> Event:
        """An event that was taken before."""
        envelope = open_envelope(body)
        event = build_event(envelope, self._judge.judge(envelope), datetime.now(timezone.utc))
        return replace(event, flags=flags, again=partial(self._read_again, body, flags))

    async def take(self, body: bytes, source: str = "") -> Accepted | Refused:
        """Keep the event in `body`, or keep it as refused; StoreAway if neither is known to have happened."""
        began = time.perf_counter()
        try:
            found = await self._keep(body)
            if isinstance(found, Refused):
                await self.refuse(body, found, source)
            return found
        finally:
            self._vault.meters.intake_seconds.add(time.perf_counter() - began)

    async def retake(self, identity: bytes, body: bytes, source: str) -> Accepted | Refused:
        """Try a body that was refused once more, and note with it (`identity`) what came of that."""
        found = await self._keep(body)
        if isinstance(found, Refused):
            await self.note_refusal(identity, body, found, source)
        else:
            await self._vault.note_replay(identity, None)
        log.info("rejected_replayed", id=identity.hex(), taken=isinstance(found, Accepted))
        return found

    async def note_refusal(self, identity: bytes, body: bytes, refused: Refused, source: str) -> None:
        """A body that was refused before is refused for these reasons now."""
        await self._vault.note_replay(identity, build_row(body, refused.faults, refused.status, source))

    async def _keep(self, body: bytes) -> Accepted | Refused:
        found = self.read(body)
        if isinstance(found, Refused):
            return found
        try:
            return Accepted(await self._vault.keep(found))
        except NotStorable as error:
            return Refused(422, (Fault("", "storable", "an event that PostgreSQL can store", error.reason),))

    async def refuse(
        self,
        body: bytes,
        refused: Refused,
        source: str,
        *,
        whole: bool = True,
        size: int | None = None,
        coding: str = "",
    ) -> None:
        """Keep what was refused: not `whole` its beginning, of a body of `size` bytes or more."""
        size = len(body) if size is None else size
        body = body if coding else scrub(body)
        first = refused.faults[0]
        self._vault.meters.refused(first.rule)
        log.info("event_refused", status=refused.status, rule=first.rule, pointer=first.pointer, source=source)
        await self._vault.reject(
            build_row(body, refused.faults, refused.status, source, whole=whole, size=size, coding=coding)
        )
