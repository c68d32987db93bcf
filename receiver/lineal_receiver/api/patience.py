"""How long a client may take to send its request."""

import asyncio
from types import TracebackType

BYTES_PER_SECOND = 64 * 1024
"""Who sends faster than this may take as long as it takes."""


class TooSlow(Exception):
    """The client didn't send its request in time."""


class Patience:
    """Cancels the block, as TooSlow, when `seconds` have passed and one more for each 64 KiB that came meanwhile."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._received = 0
        self._fired = False
        self._task: asyncio.Task[object] | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._end = 0.0

    def received(self, size: int) -> None:
        """So many bytes have come."""
        self._received += size

    def __enter__(self) -> "Patience":
        loop = asyncio.get_running_loop()
        self._task = asyncio.current_task()
        self._end = loop.time() + self._seconds
        self._timer = loop.call_at(self._end, self._look)
        return self

    def _look(self) -> None:
        loop = asyncio.get_running_loop()
        end = self._end + self._received / BYTES_PER_SECOND
        if loop.time() < end:
            self._timer = loop.call_at(end, self._look)
        elif self._task is not None:
            self._fired = True
            self._task.cancel()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._timer is not None:
            self._timer.cancel()
        if self._fired and kind is asyncio.CancelledError:
            if self._task is not None and hasattr(self._task, "uncancel"):  # from Python 3.11 on
                self._task.uncancel()
            raise TooSlow from None
