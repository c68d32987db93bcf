"""Keep what a write asks for as a command, with an id and a time that the server chooses."""

from datetime import datetime, timedelta, timezone
from typing import Any

from starlette.requests import Request

from lineal_receiver.api.refusals import refused
from lineal_receiver.ingest.commands import build_command
from lineal_receiver.ingest.persist import NotStorable

TICK = timedelta(microseconds=1)


class Clock:
    """The time of commands: the wall clock, but no two commands of a server have the same."""

    def __init__(self) -> None:
        self._last = datetime.min.replace(tzinfo=timezone.utc)

    def tick(self, after: datetime | None = None) -> datetime:
        """A time after every one before, and after `after`."""
        earliest = max(self._last, after or self._last) + TICK
        self._last = max(datetime.now(timezone.utc), earliest)
        return self._last


async def keep(request: Request, action: str, arguments: dict[str, Any], *, after: datetime | None = None) -> None:
    """Keep a command; when it returns, reads show what it did. 422 if PostgreSQL can't hold it; StoreAway: 503."""
    state = request.app.state
    try:
        await state.vault.keep(build_command(action, state.clock.tick(after), arguments))
    except NotStorable as error:
        raise refused(422, str(error)) from None
