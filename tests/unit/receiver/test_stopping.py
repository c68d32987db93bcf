"""Signals to end, in each phase of a process's life."""

import asyncio
import signal
from collections.abc import Iterator

import pytest

from lineal_receiver.stopping import SIGNALS, Stopped, StopSignals, interrupted_at_once, interrupting, run


@pytest.fixture(autouse=True)
def heeds_signals() -> Iterator[None]:
    """Signals do what they do by themselves, though these tests may run under nohup, or after others that use them."""
    usual = {number: signal.default_int_handler if number == signal.SIGINT else signal.SIG_DFL for number in SIGNALS}
    before = {number: signal.signal(number, handler) for number, handler in usual.items()}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.mark.parametrize("number", SIGNALS)
def test_each_phase_reacts_its_way_and_all_is_put_back(number: signal.Signals) -> None:
    before = signal.getsignal(number)
    heard: list[str] = []
    with StopSignals() as signals:
        with pytest.raises(Stopped):
            signal.raise_signal(number)
        signals.forward_to(lambda: heard.append("stop"))
        signal.raise_signal(number)
        signal.raise_signal(number)
        signals.ignore()
        signal.raise_signal(number)
    assert heard == ["stop", "stop"]
    assert signal.getsignal(number) is before


def test_an_ignored_signal_stays_ignored() -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with StopSignals():
            signal.raise_signal(signal.SIGHUP)
        assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGHUP, before)


@pytest.mark.parametrize("number", SIGNALS)
def test_short_commands_end_as_by_ctrl_c(number: signal.Signals) -> None:
    before = signal.getsignal(number)
    with pytest.raises(KeyboardInterrupt), interrupting():
        signal.raise_signal(number)
    assert signal.getsignal(number) is before


def test_stopped_is_not_an_exception_that_code_on_the_way_would_catch() -> None:
    assert not issubclass(Stopped, Exception)


class Coroutine:
    """Notes how far it gets; what it tidies up takes a turn of the loop."""

    def __init__(self) -> None:
        self.noted: list[str] = []

    async def work(self, number: signal.Signals, *, blocks: bool, late: bool) -> None:
        """Ask to end, and then wait, or block."""
        try:
            if blocks and not late:
                with interrupted_at_once():
                    signal.raise_signal(number)
                    self.noted.append("read on")
            signal.raise_signal(number)
            self.noted.append("not raised in the loop")
            if blocks:
                with interrupted_at_once():
                    self.noted.append("began to read")
            await asyncio.Event().wait()
        finally:
            await asyncio.sleep(0)
            self.noted.append("tidied up")


@pytest.mark.parametrize("number", SIGNALS)
@pytest.mark.parametrize(
    ("blocks", "late", "noted"),
    [
        (False, False, ["not raised in the loop", "tidied up"]),
        (True, True, ["not raised in the loop", "tidied up"]),
        (True, False, ["tidied up"]),
    ],
    ids=["cancelled", "before a read", "in a read"],
)
def test_a_coroutine_is_cancelled_and_its_reads_are_interrupted(
    number: signal.Signals, blocks: bool, late: bool, noted: list[str]
) -> None:
    coroutine = Coroutine()
    before = signal.getsignal(number)
    with pytest.raises(KeyboardInterrupt), interrupting():
        run(coroutine.work(number, blocks=blocks, late=late))
    assert coroutine.noted == noted
    assert signal.getsignal(number) is before


def test_a_cancellation_of_its_own_stays_one() -> None:
    async def work() -> None:
        raise asyncio.CancelledError

    with pytest.raises(asyncio.CancelledError), interrupting():
        run(work())


def test_outside_a_loop_it_raises_again() -> None:
    async def work() -> int:
        return 3

    with interrupting():
        assert run(work()) == 3
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGTERM)


def test_what_came_while_it_was_held_is_forwarded_once() -> None:
    heard: list[str] = []
    with StopSignals() as signals:
        signals.hold()
        signal.raise_signal(signal.SIGTERM)
        signals.forward_to(lambda: heard.append("first"))
        signals.forward_to(lambda: heard.append("second"))
    assert heard == ["first"]
