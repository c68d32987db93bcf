"""Ctrl-C, heard between imports: a module in C that is interrupted while it loads may take the process with it."""

from __future__ import annotations

import _thread
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Final, cast

_AGAIN_SECONDS: Final = 0.01
_IMPORTING: Final = "<frozen importlib._bootstrap>"


@contextmanager
def interrupted_between_imports() -> Iterator[None]:
    """Within the block Ctrl-C raises KeyboardInterrupt as soon as no module is being loaded."""
    before = signal.getsignal(signal.SIGINT)
    if before is not signal.default_int_handler or threading.current_thread() is not threading.main_thread():
        yield
        return
    signal.signal(signal.SIGINT, _handle)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _handle(number: int, frame: FrameType | None) -> None:
    above = frame
    while above is not None:
        if above.f_code.co_filename == _IMPORTING:
            _thread.start_new_thread(_send_again, (signal.Signals(number), cast(int, threading.main_thread().ident)))
            return
        above = above.f_back
    signal.default_int_handler(number, frame)


def _send_again(number: signal.Signals, main: int) -> None:
    time.sleep(_AGAIN_SECONDS)
    if hasattr(signal, "pthread_kill"):
        signal.pthread_kill(main, number)
    else:  # on Windows
        _thread.interrupt_main(number)
