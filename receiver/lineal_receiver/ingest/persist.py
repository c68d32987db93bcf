"""The vault: concurrent events in one transaction, and an answer to each only when it is known to be kept."""

import asyncio
import random
import time
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from datetime import datetime, timezone
from types import TracebackType
from uuid import UUID

import asyncpg
import structlog

from lineal_receiver.errors import LinealError, StoreError
from lineal_receiver.ingest.event import LARGE, Event
from lineal_receiver.ingest.known import Known
from lineal_receiver.ingest.meters import Meters
from lineal_receiver.ingest.transaction import write_events
from lineal_receiver.postgres.pool import Pool
from lineal_receiver.store.connection import Connection, plan_writes
from lineal_receiver.store.write_rejected import (
    QUOTA_BYTES,
    RejectedRow,
    insert_rejected,
    mark_refused_again,
    mark_replayed,
)
from lineal_receiver.store.write_statistics import analyze

MAX_EVENTS = 200
MAX_BYTES = 8 * 1024 * 1024
ATTEMPTS = 8
ACQUIRE_SECONDS = 10.0
COMPANY_SECONDS = 0.005
BUSY_SECONDS = 0.02
IDLE_SECONDS = 1.0
WRITERS = 3
"""So many transactions at once: while PostgreSQL works on one, others are read and merged here."""
OF_FEW_JOBS = 2
"""So many where the last `RECENT` events were of less than a quarter as many jobs: these wait for each other's rows."""
RECENT = 32
GROWN = (100, 1_000, 10_000)
"""After so many events of a vault, or jobs, the planner is told how the tables have grown; later autovacuum does it."""

# CheckViolationError: the stray partition of the log had just got a new neighbour that the row belongs to.
# UniqueViolationError: another server keeps the same event, or another of a new run, at the same moment.
_CONFLICTS = (
    asyncpg.SerializationError, asyncpg.DeadlockDetectedError, asyncpg.CheckViolationError,
    asyncpg.UniqueViolationError,
)  # fmt: skip
_DATA = (asyncpg.DataError, asyncpg.IntegrityConstraintViolationError, asyncpg.ProgramLimitExceededError)
# asyncpg says InternalClientError, too, when a connection is cut while it gives it back to the pool.
_AWAY = (
    asyncpg.PostgresError, asyncpg.InterfaceError, asyncpg.InternalClientError, OSError, TimeoutError,
    asyncio.TimeoutError,
)  # fmt: skip

log = structlog.get_logger(__name__)


@dataclass(eq=False)
class StoreAway(StoreError):
    """The event was not kept, because PostgreSQL can't be used just now ({reason}): send it again."""

    reason: str


@dataclass(eq=False)
class NotStorable(LinealError):
    """The event can't be stored: {reason}"""

    reason: str


@dataclass(frozen=True, slots=True)
class _Waiting:
    event: Event
    answer: "asyncio.Future[bool]"


class Vault:
    """Keeps events; those that come at the same time share a transaction."""

    def __init__(self, pool: Pool, *, rejected_bytes: int = QUOTA_BYTES) -> None:
        """Below `rejected_bytes` in all, refused bodies are kept whole."""
        self.meters = Meters()
        self._pool = pool
        self._rejected_bytes = rejected_bytes
        self._queue: deque[_Waiting] = deque()
        self._wake = asyncio.Event()
        self._met = asyncio.Event()
        self._writers: list[asyncio.Task[None]] = []
        self._analyses: set[asyncio.Task[None]] = set()
        self._closing = False
        self._spare: list[Connection] = []
        self._known = Known()
        self._sizes = (0, 0)
        self._under_way = self._busy = 0
        self._company, self._at_once = 0, OF_FEW_JOBS
        self._turn = asyncio.Event()
        self._jobs: deque[UUID | None] = deque(maxlen=RECENT)

    async def __aenter__(self) -> "Vault":
        # Half of the pool is left for others.
        writers = min(WRITERS, max(1, self._pool.get_max_size() // 2))
        self._writers = [asyncio.create_task(self._work(), name=f"vault-{number}") for number in range(writers)]
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Finish what was handed in, and stop."""
        self._closing = True
        self._wake.set()
        self._met.set()
        try:
            await asyncio.gather(*self._writers)
        finally:
            await self._let_go()
        for analysis in self._analyses:
            analysis.cancel()
        await asyncio.gather(*self._analyses, return_exceptions=True)

    @property
    def waiting(self) -> int:
        """How many events wait for a transaction."""
        return len(self._queue)

    async def keep(self, event: Event) -> bool:
        """Keep an event; whether it is new. Returns only when it is committed.

        StoreAway: not known to be kept. NotStorable: it can't be.
        """
        if self._closing:
            self.meters.deferred(event)
            raise StoreAway("the server is stopping")
        waiting = _Waiting(event, asyncio.get_running_loop().create_future())
        self._queue.append(waiting)
        self._wake.set()
        if len(self._queue) >= self._company:
            self._met.set()
        self._under_way += 1
        try:
            return await waiting.answer
        finally:
            self._under_way -= 1

    async def keep_all(self, events: Sequence[Event]) -> list[bool | Exception]:
        """Keep several events; for each, whether it is new or why it wasn't kept."""
        answers = await asyncio.gather(*(self.keep(event) for event in events), return_exceptions=True)
        for answer in answers:
            if isinstance(answer, BaseException) and not isinstance(answer, Exception):
                raise answer
        return [answer for answer in answers if isinstance(answer, (bool, Exception))]

    async def reject(self, row: RejectedRow) -> None:
        """Keep a refused body; StoreAway: not known to be kept."""
        await self._note(lambda connection, at: insert_rejected(connection, row, at, self._rejected_bytes))

    async def note_replay(self, identity: bytes, refused: RejectedRow | None) -> None:
        """Keep what came of trying a refused body again: taken, or refused for other reasons."""
        if refused is None:
            await self._note(lambda connection, at: mark_replayed(connection, identity, at))
        else:
            await self._note(lambda connection, at: mark_refused_again(connection, identity, refused, at))

    async def _note(self, write: Callable[[Connection, datetime], Awaitable[None]]) -> None:
        try:
            async with self._pool.acquire(timeout=ACQUIRE_SECONDS) as connection:
                await write(connection, datetime.now(timezone.utc))
        except _AWAY as error:
            log.warning("refusal_not_kept", reason=repr(error))
            raise StoreAway(_reason(error)) from None

    async def _work(self) -> None:
        while not (self._closing and not self._queue):
            if not self._queue:
                await self._wait_for_work()
                continue
            if self._busy >= self._at_once:
                self._turn.clear()
                await self._turn.wait()
                continue
            await self._wait_for_company()
            batch = self._take_batch() if self._busy < self._at_once else []
            if not batch:
                continue  # another writer was first
            self._busy += 1
            await self._commit(batch)
            self._busy -= 1
            self._turn.set()
            self._jobs.extend(waiting.event.job for waiting in batch)
            self._at_once = WRITERS if 4 * len(set(self._jobs)) > len(self._jobs) else OF_FEW_JOBS
            self._company = self._under_way // self._at_once
            before, self._sizes = self._sizes, (self._sizes[0] + len(batch), len(self._known.jobs))
            del batch  # or a large event would live on until the next one
            if any(was < size <= now for was, now in zip(before, self._sizes, strict=True) for size in GROWN):
                analysis = asyncio.create_task(self._analyze(), name="analysis")  # no event waits for it
                self._analyses.add(analysis)
                analysis.add_done_callback(self._analyses.discard)

    async def _wait_for_work(self) -> None:
        """Until something comes; connections are held for a moment, and then given back."""
        self._wake.clear()  # first: what comes while a connection is given back, the end too, isn't missed
        if self._spare:
            with suppress(asyncio.TimeoutError):
                await asyncio.wait_for(self._wake.wait(), IDLE_SECONDS)
                return
            await self._let_go()
        await self._wake.wait()

    async def _wait_for_company(self) -> None:
        """A transaction costs as much as a dozen events: a moment, for the share of those that were under way before.

        A longer one while PostgreSQL has something to do: another writer's.
        """
        if len(self._queue) < self._company and not self._closing:
            self._met.clear()
            with suppress(asyncio.TimeoutError):
                await asyncio.wait_for(self._met.wait(), BUSY_SECONDS if self._busy else COMPANY_SECONDS)

    def _take_batch(self) -> list[_Waiting]:
        """The events that share the next transaction: a large one has its own."""
        if not self._queue:
            return []
        batch = [self._queue.popleft()]
        size = len(batch[0].event.body)
        alone = size > LARGE
        while self._queue and len(batch) < MAX_EVENTS and size < MAX_BYTES and not alone:
            if len(self._queue[0].event.body) > LARGE:
                break
            batch.append(self._queue.popleft())
            size += len(batch[-1].event.body)
        return batch

    async def _analyze(self) -> None:
        try:
            async with self._pool.acquire(timeout=ACQUIRE_SECONDS) as connection:
                await analyze(connection)
        except _AWAY as error:
            log.info("analyze_failed", reason=repr(error))

    async def _commit(self, batch: Sequence[_Waiting]) -> None:
        """Keep a batch and answer everyone in it; what can't be stored is found by halving."""
        try:
            added = await self._write([waiting.event for waiting in batch])
        except _DATA as error:
            await self._halve(batch, error)
        except StoreAway as error:
            self._defer(batch, error)
        except _AWAY as error:
            self._defer(batch, StoreAway(_reason(error)))
        except Exception as error:  # a fault of ours in one event must not take the others with it, nor the worker
            log.exception("merge_failed", events=len(batch))
            await self._halve(batch, error)
        else:
            now = datetime.now(timezone.utc)
            for waiting in batch:
                new = waiting.event.id in added
                self.meters.kept(waiting.event, now, new=new)
                if not waiting.answer.done():
                    waiting.answer.set_result(new)
                added.discard(waiting.event.id)

    def _defer(self, batch: Sequence[_Waiting], error: StoreAway) -> None:
        log.warning("store_away", events=len(batch), reason=error.reason)
        for waiting in batch:
            self.meters.deferred(waiting.event)
            _fail(waiting, error)

    async def _halve(self, batch: Sequence[_Waiting], error: Exception) -> None:
        if len(batch) == 1:
            _fail(batch[0], NotStorable(_unstorable(error)))
            return
        middle = len(batch) // 2
        await self._commit(batch[:middle])
        await self._commit(batch[middle:])

    async def _write(self, events: Sequence[Event]) -> set[bytes]:
        """One transaction, again if others were in the way."""
        for attempt in range(ATTEMPTS):
            began = time.perf_counter()
            try:
                async with self._hold() as connection, connection.transaction():
                    written = await write_events(connection, events, datetime.now(timezone.utc), self._known)
            except _CONFLICTS as error:
                self.meters.retried += 1
                log.info("batch_retried", attempt=attempt, reason=type(error).__name__)
                if attempt == ATTEMPTS - 1:
                    raise StoreAway(f"others were in the way ({type(error).__name__})") from None
                events = [event.with_tree() for event in events]
                await asyncio.sleep(random.uniform(0, 0.02 * 2**attempt))  # noqa: S311 - spreads retries
            else:
                self.meters.batch_events.add(len(events))
                self.meters.commit_seconds.add(time.perf_counter() - began)
                self.meters.flags["late"] += written.late
                self._known.learn(written.changes, written.redactions)
                return written.added
        raise AssertionError  # the loop returns or raises

    @asynccontextmanager
    async def _hold(self) -> AsyncIterator[Connection]:
        """A connection for as long as events come: to give it back and take it again costs as much as a statement."""
        spare = await self._find_spare()
        connection = spare or await self._pool.acquire(timeout=ACQUIRE_SECONDS)
        try:
            if spare is None:
                await plan_writes(connection)  # until the pool has it back
            yield connection
        except _CONFLICTS:
            self._spare.append(connection)
            raise
        except BaseException:
            await self._release(connection)
            raise
        self._spare.append(connection)

    async def _find_spare(self) -> Connection | None:
        while self._spare:
            connection = self._spare.pop()
            with suppress(asyncpg.InterfaceError):  # it was lost, and the pool has it back
                if not connection.is_closed():
                    return connection
            await self._release(connection)
        return None

    async def _let_go(self) -> None:
        while self._spare:
            await self._release(self._spare.pop())

    async def _release(self, connection: Connection) -> None:
        with suppress(*_AWAY):  # it is lost, then, and the pool makes another
            await self._pool.release(connection)


def _fail(waiting: _Waiting, error: Exception) -> None:
    if not waiting.answer.done():
        waiting.answer.set_exception(error)


def _unstorable(error: Exception) -> str:
    if isinstance(error, asyncpg.ProgramLimitExceededError):
        return "the name of a field, of a facet or of a transformation is too long to be indexed (2,000 bytes are safe)"
    return _reason(error)


def _reason(error: Exception) -> str:
    return f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
