"""Signals that ask the process to end, turned into an orderly end wherever it happens to be."""

import _thread
import asyncio
import signal
import threading
import time
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from types import FrameType, TracebackType
from typing import Any, TypeVar, cast

T = TypeVar("T")

SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
AGAIN_SECONDS = 0.01
IMPORTING = "<frozen importlib._bootstrap>"


class Stopped(BaseException):
    """The process was asked to end while it started; no Exception, so that nothing on the way takes it for a fault."""


class StopSignals:
    """While entered, a signal to end raises Stopped, or calls `forward_to`'s function; after `ignore` nothing."""

    def __init__(self) -> None:
        self._react: Callable[[], None] = _raise
        self._before: dict[signal.Signals, object] = {}
        self._held = False

    def hold(self) -> None:
        """From now on, remember that one came until there is something to forward it to."""
        self._react = self._remember

    def forward_to(self, react: Callable[[], None]) -> None:
        """From now on, call `react` for each signal, and at once if one was held."""
        self._react = react
        if self._held:
            self._held = False
            react()

    def _remember(self) -> None:
        self._held = True

    def ignore(self) -> None:
        """From now on we are ending: further signals change nothing."""
        self._react = _pass

    def __enter__(self) -> "StopSignals":
        handle = between_imports(lambda _number, _frame: self._react())
        for number in SIGNALS:
            if signal.getsignal(number) is not signal.SIG_IGN:  # as nohup and shells' background jobs ask
                self._before[number] = signal.signal(number, handle)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)  # type: ignore[arg-type] # what signal.signal itself returned


def between_imports(react: Callable[[int, FrameType | None], object]) -> Callable[[int, FrameType | None], None]:
    """A handler that reacts as soon as no module is being loaded.

    An exception that strikes while a module in C loads others is seen by C that may not expect it: a segmentation
    fault, say, and no `finally` is kept.
    """

    def handle(number: int, frame: FrameType | None) -> None:
        if _is_importing(frame):
            _thread.start_new_thread(_send_again, (number, cast(int, threading.main_thread().ident)))
        else:
            react(number, frame)

    return handle


class _Command:
    """What a signal to end does to a command at this moment: it raises, or, in an event loop, it cancels."""

    def __init__(self) -> None:
        self.cancel: Callable[[], object] | None = None
        self.asked = False

    def end(self, number: int, frame: FrameType | None) -> None:
        """React to a signal."""
        if self.cancel is None:
            signal.default_int_handler(number, frame)
        else:
            self.asked = True
            self.cancel()


_command = _Command()


@contextmanager
def interrupting() -> Iterator[None]:
    """Within the block each signal to end raises KeyboardInterrupt, so that every `finally` is kept.

    It raises where it strikes, but for coroutines: see `run`.
    """
    main = threading.current_thread() is threading.main_thread()  # no other thread may set handlers
    heeded = (signal.SIG_DFL, signal.default_int_handler)
    handle = between_imports(_command.end)
    before = {number: signal.getsignal(number) for number in SIGNALS if main and signal.getsignal(number) in heeded}
    for number in before:
        signal.signal(number, handle)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def run(coroutine: Coroutine[Any, Any, T]) -> T:
    """Run what `interrupting` guards in an event loop; there a signal to end cancels it, and then KeyboardInterrupt.

    To raise in the middle of a loop isn't safe: a driver in C that is called back there (asyncpg's) may crash.
    """
    return asyncio.run(_cancelled_when_asked(coroutine))


async def _cancelled_when_asked(coroutine: Coroutine[Any, Any, T]) -> T:
    loop, task = asyncio.get_running_loop(), asyncio.current_task()

    def cancel() -> None:
        if _command.asked and task is not None:
            task.cancel()

    _command.asked, _command.cancel = False, lambda: loop.call_soon_threadsafe(cancel)
    try:
        return await coroutine
    except asyncio.CancelledError:
        if not _command.asked:
            raise
        raise KeyboardInterrupt from None
    finally:
        _command.cancel = None


@contextmanager
def interrupted_at_once() -> Iterator[None]:
    """Around what blocks in a coroutine, as a read does: signals to end raise KeyboardInterrupt there, too."""
    cancel, _command.cancel = _command.cancel, None
    try:
        if _command.asked:
            _command.asked = False  # this is it: nothing is left to be cancelled
            raise KeyboardInterrupt
        yield
    finally:
        _command.cancel = cancel


@contextmanager
def held_back() -> Iterator[None]:
    """Signals to end wait for the end of the block, or for a `let_through` in it; processes started in it inherit that.

    For what makes things that must be known before anything can raise: a folder, a process, a lock.
    """
    before = signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def let_through() -> Iterator[None]:
    """Within the block, for something slow inside `held_back`, signals to end are handled as usual."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, ())
    try:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGNALS)
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _is_importing(frame: FrameType | None) -> bool:
    while frame is not None:
        if frame.f_code.co_filename == IMPORTING:
            return True
        frame = frame.f_back
    return False


def _send_again(number: int, main: int) -> None:
    time.sleep(AGAIN_SECONDS)
    signal.pthread_kill(main, number)


def _raise() -> None:
    raise Stopped


def _pass() -> None:
    pass
