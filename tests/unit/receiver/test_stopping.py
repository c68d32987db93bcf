"""Signals to end, in each phase of a process's life."""

import signal
from collections.abc import Iterator

import pytest

from lineal_receiver.stopping import SIGNALS, Stopped, StopSignals, interrupting


@pytest.fixture(autouse=True)
def heeds_hangups() -> Iterator[None]:
    """A terminal's hangup does what it does by itself, though these tests may run under nohup."""
    before = signal.signal(signal.SIGHUP, signal.SIG_DFL)
    yield
    signal.signal(signal.SIGHUP, before)


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
