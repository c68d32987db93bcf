"""Keep what a write asks for as a command, with an id and a time that the server chooses."""

from datetime import datetime, timedelta, timezone
from typing import Any

from starlette.requests import Request

from lineal_receiver.api.refusals import refused
from lineal_receiver.ingest.commands import build_command
from lineal_receiver.ingest.persist import NotStorable

TICK = timedelta(microseconds=1)
LATEST = datetime.max.replace(tzinfo=timezone.utc)


class Clock:
    """The time of commands: the wall clock, but no two commands of a server have the same."""

    def __init__(self) -> None:
        self._last = datetime.min.replace(tzinfo=timezone.utc)
        self._ahead: dict[datetime, datetime] = {}

    def tick(self, after: datetime | None = None) -> datetime:
        """A time after every one before, and after `after`.

        What lies ahead of the clock (an event from the future that is trusted) moves this one command, none to come.
        """
        now = max(datetime.now(timezone.utc), self._last + TICK)
        if after is None or after < now:
            self._last = now
            return now
        known = self._ahead.get(after, after)
        self._ahead[after] = LATEST if known >= LATEST else known + TICK
        return self._ahead[after]


async def keep(request: Request, action: str, arguments: dict[str, Any], *, after: datetime | None = None) -> None:
    """Keep a command; when it returns, reads show what it did. 422 if PostgreSQL can't hold it; StoreAway: 503."""
    state = request.app.state
    try:
        await state.vault.keep(build_command(action, state.clock.tick(after), arguments))
    except NotStorable as error:
        raise refused(422, str(error)) from None
