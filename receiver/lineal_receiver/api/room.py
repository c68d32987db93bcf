"""How many large bodies are in memory at once, and that one of them at a time is taken in."""

import asyncio
from types import TracebackType

LARGE = 1024 * 1024
"""From so many bytes on a body is large."""
PLACES = 4
"""So many large bodies are read at once."""


class Room:
    """Places for large bodies."""

    def __init__(self) -> None:
        self.places = asyncio.Semaphore(PLACES)
        self.desk = asyncio.Semaphore(1)


class Visit:
    """One body's time in the room: it asks for a place once it is large, and keeps that until the block ends."""

    def __init__(self, room: Room) -> None:
        self._room = room
        self._inside = False
        self.waiting = False

    async def grow(self, size: int) -> None:
        """The body has so many bytes by now: wait for a place, if it needs one."""
        if size <= LARGE or self._inside:
            return
        self.waiting = True
        await self._room.places.acquire()
        self._inside, self.waiting = True, False

    @property
    def desk(self) -> asyncio.Semaphore:
        """What to hold while a large body is taken in: its values take up several times its bytes."""
        return self._room.desk if self._inside else asyncio.Semaphore(1)

    async def __aenter__(self) -> "Visit":
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._inside:
            self._room.places.release()
