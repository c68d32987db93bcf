"""A signal that ends the demo waits while a child is started."""

import os
import signal
import sys
from types import FrameType

import pytest

from lineal_receiver.demo.signals import undisturbed


def leave(number: int, _frame: FrameType | None) -> None:
    sys.exit(128 + number)


def start_while_told_to_stop(children: list[str]) -> None:
    with undisturbed():
        os.kill(os.getpid(), signal.SIGTERM)
        children.append("started")


def test_a_signal_waits_until_the_child_is_known(request: pytest.FixtureRequest) -> None:
    before = signal.signal(signal.SIGTERM, leave)
    request.addfinalizer(lambda: signal.signal(signal.SIGTERM, before))
    children: list[str] = []

    with pytest.raises(SystemExit) as left:
        start_while_told_to_stop(children)

    assert (children, left.value.code) == (["started"], 143)
    assert signal.getsignal(signal.SIGTERM) is leave


def test_what_was_ignored_stays_ignored(request: pytest.FixtureRequest) -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    request.addfinalizer(lambda: signal.signal(signal.SIGHUP, before))

    with undisturbed():
        assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
        os.kill(os.getpid(), signal.SIGHUP)
