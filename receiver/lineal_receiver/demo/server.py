"""The receiver as a child process: started, waited for, stopped."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from lineal_receiver.demo.errors import DemoFailed
from lineal_receiver.demo.signals import undisturbed

START_SECONDS = 60
STOP_SECONDS = 30
ADDRESS = re.compile(r"http://127\.0\.0\.1:\d+")


@contextmanager
def running_receiver(data_dir: Path, environment: Mapping[str, str], log: Path) -> Iterator[tuple[str, str]]:
    """The receiver's URL, and its own line about that, while it runs on a free loopback port; its log goes to `log`."""
    options = ["--data-dir", str(data_dir), "--port", "0", "--temporary-if-blocked"]
    command = [sys.executable, "-m", "lineal_receiver.cli", "serve", *options]
    with log.open("w", encoding="utf-8") as messages:
        child = None
        try:
            with undisturbed():
                child = subprocess.Popen(
                    command,
                    env=dict(environment),
                    stdout=subprocess.PIPE,
                    stderr=messages,
                    text=True,
                    start_new_session=True,
                )
            yield _address(child, log)
        finally:
            if child is not None:
                _stop(child)


def _address(child: subprocess.Popen[str], log: Path) -> tuple[str, str]:
    """The line that names the URL; its absence in time is a failure that quotes what the receiver said."""
    found: list[tuple[str, str]] = []
    ready = threading.Event()

    def read() -> None:
        assert child.stdout is not None  # noqa: S101 - opened as a pipe above
        for line in child.stdout:
            match = ADDRESS.search(line)
            if match and not found:
                found.append((match[0], line.strip()))
                ready.set()
        ready.set()

    threading.Thread(target=read, daemon=True).start()
    ready.wait(START_SECONDS)
    if not found:
        raise DemoFailed("starting the receiver", _last_words(log))
    return found[0]


def _last_words(log: Path) -> str:
    """What `lineal serve` said last, as the demo says it: the folder is given by another flag here."""
    said = log.read_text(encoding="utf-8", errors="replace").strip().splitlines()
    if not said:
        return f"it said nothing within {START_SECONDS} s"
    return said[-1].removeprefix("lineal: ").replace("--data-dir", "--dir")


def _stop(child: subprocess.Popen[str]) -> None:
    if child.poll() is not None:
        return
    child.send_signal(signal.SIGTERM)
    try:
        child.wait(STOP_SECONDS)
    except subprocess.TimeoutExpired:
        child.kill()
        child.wait()
