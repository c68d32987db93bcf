"""Signals that ask the process to end, turned into an orderly end wherever it happens to be."""

import _thread
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType, TracebackType
from typing import cast

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

    def forward_to(self, react: Callable[[], None]) -> None:
        """From now on, call `react` for each signal."""
        self._react = react

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


@contextmanager
def interrupting() -> Iterator[None]:
    """Within the block each signal to end raises KeyboardInterrupt, so that every `finally` is kept.

    It raises where it strikes: asyncio, left to itself, lets Ctrl-C wait until nothing blocks.
    """
    main = threading.current_thread() is threading.main_thread()  # no other thread may set handlers
    heeded = (signal.SIG_DFL, signal.default_int_handler)
    handle = between_imports(signal.default_int_handler)
    before = {number: signal.getsignal(number) for number in SIGNALS if main and signal.getsignal(number) in heeded}
    for number in before:
        signal.signal(number, handle)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


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
