"""`lineal-dbt flush`: sends what earlier runs could not, and on demand what was refused."""

from __future__ import annotations

import argparse
import math
import sys
import time
from typing import Final

from lineal_producer.dbt.artifacts import target_of
from lineal_producer.delivery import PATIENCE, counted, open_road
from lineal_producer.outbox_place import Place, add_project_arguments, find_place, require_transport
from lineal_producer.worker.backlog import drop_expired, flush
from lineal_producer.worker.courier import Courier
from lineal_producer.worker.rejected import Rejected

_PARTING: Final = 10.0  # seconds that a worker may need to end when its time is up
_SECONDS: Final = 600.0
_NO_SECONDS: Final = "expected a number of seconds that is not negative"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the command's options to its parser."""
    add_project_arguments(parser)
    parser.add_argument("--rejected", action="store_true", help="try what the receiver refused again, too")
    parser.add_argument("--wait", action="store_true", help="wait for a dbt that still runs, too")
    parser.add_argument("--seconds", type=_seconds, default=_SECONDS, help=f"give up after so long ({_SECONDS:g})")


def _seconds(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(_NO_SECONDS) from None
    if not 0 <= value < math.inf:
        raise argparse.ArgumentTypeError(_NO_SECONDS)
    return value


def run(arguments: argparse.Namespace) -> int:
    """Runs the command: 1 when something waits or was refused; what a running dbt writes counts with `--wait` only."""
    place = find_place(arguments.project_dir)
    require_transport(place.settings)
    settings = place.settings
    until = time.monotonic() + arguments.seconds
    with open_road(settings, target_of(arguments.project_dir)) as (courier, tracer):
        files = drop_expired(place.waiting(), settings, _say)
        lives = settings.linger_seconds + _PARTING
        told = flush(files, courier, tracer, until, PATIENCE, lives, wait=arguments.wait)
        again = _flush_rejected(place, courier, until) if arguments.rejected else 0
        problem = courier.problem()
    running = f", {told.busy} still written by a running dbt" if told.busy else ""
    waiting = f"{told.waiting} {'waits' if told.waiting == 1 else 'wait'}"
    _say(f"{settings.destination.name}: {counted(told.sent, 'run')} sent, {waiting}{running}")
    if arguments.rejected:
        _say(f"{counted(again, 'refused event')} accepted now")
    if told.waiting and problem:
        _say(f"{'it waits' if told.waiting == 1 else 'they wait'} because {problem}")
    if courier.rejected:
        _say(f"{counted(courier.rejected, 'event')} refused; `lineal-dbt status` shows the answers")
    return 1 if told.waiting or courier.rejected or (arguments.wait and told.busy) else 0


def _flush_rejected(place: Place, courier: Courier, until: float) -> int:
    accepted = 0
    for path in place.rejected():
        rejected = Rejected(path)
        for door, mark, event in rejected.entries():
            courier.carry(rejected, mark, event, door, until=until, patience=PATIENCE)
        courier.wait_idle(until - time.monotonic(), PATIENCE)
        accepted += rejected.finish()
    return accepted


def _say(text: str) -> None:
    sys.stdout.write(text + "\n")
