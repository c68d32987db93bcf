"""Signals that ask the process to end, turned into an orderly end wherever it happens to be."""

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType, TracebackType

SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)


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

    def _handle(self, _number: int, _frame: FrameType | None) -> None:
        self._react()

    def __enter__(self) -> "StopSignals":
        for number in SIGNALS:
            if signal.getsignal(number) is not signal.SIG_IGN:  # as nohup and shells' background jobs ask
                self._before[number] = signal.signal(number, self._handle)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)  # type: ignore[arg-type] # what signal.signal itself returned


@contextmanager
def interrupting() -> Iterator[None]:
    """Within the block SIGTERM and SIGHUP raise KeyboardInterrupt, as SIGINT does, so that every `finally` is kept."""
    main = threading.current_thread() is threading.main_thread()  # no other thread may set handlers
    numbers = [number for number in SIGNALS if main and signal.getsignal(number) is signal.SIG_DFL]
    for number in numbers:
        signal.signal(number, signal.default_int_handler)
    try:
        yield
    finally:
        for number in numbers:
            signal.signal(number, signal.SIG_DFL)


@contextmanager
def interrupted_at_once() -> Iterator[None]:
    """Within the block Ctrl-C raises KeyboardInterrupt where it strikes; asyncio lets it wait until nothing blocks."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


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


def _raise() -> None:
    raise Stopped


def _pass() -> None:
    pass
