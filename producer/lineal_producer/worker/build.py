"""From one invocation's records to its events: what is sent when, and in which order."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Container
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from lineal_producer.analysis import Analysis, unanalysed
from lineal_producer.border import attempt, log
from lineal_producer.descriptions import Invocation, Node
from lineal_producer.events import Event, Kind, end_kind, invocation_event, node_event
from lineal_producer.exposure_event import exposure_event
from lineal_producer.known import Known
from lineal_producer.records import InvocationEnd, NodeEnd, NodeStart, Record

PATIENCE: Final = 1.0  # seconds that a START waits for its lineage
ABORTED: Final = "aborted"
KILLED: Final = "killed"

Emit = Callable[[str, Event], None]


@dataclass(slots=True)
class _Run:
    """One node of the invocation on its way."""

    number: int
    start: NodeStart
    due: float
    started: bool = False
    analysing: bool = True
    analysis: Analysis | None = None
    end: tuple[int, NodeEnd] | None = None


@dataclass(slots=True)
class Build:
    """Takes records in their order and analyses as they come, and emits events, each with a mark of its own.

    A run is told apart by its records' `unique_id`, which for a batch has the batch's start behind it.
    `analyse` is asked for a node's lineage by that and answers later through `analysed`. `live` is false when an old
    invocation is sent: then no START goes ahead of its lineage, unless it did so already: `note` is told of each that
    does, and `noted` has what it was told, by earlier processes too.
    """

    emit: Emit
    analyse: Callable[[str, Invocation, Node, Known], None]
    clock: Callable[[], float]
    live: bool = True
    invocation: Invocation | None = None
    known: Known = field(default_factory=Known)
    noted: Container[str] = ()
    note: Callable[[str], None] = lambda _: None
    _runs: dict[str, _Run] = field(default_factory=dict)
    _waiting: OrderedDict[str, _Run] = field(default_factory=OrderedDict)  # those without a START, in their due order
    _end: tuple[int, InvocationEnd] | None = None
    ended: bool = False

    def take(self, number: int, record: Record) -> None:
        """One record, `number` its place in the file."""
        if record["kind"] == "invocation_start":
            self.invocation = record["invocation"]
            self.emit(f"{number}s", invocation_event("START", self.invocation, record["at"]))
        elif record["kind"] == "columns":
            self.known.take(record)
        elif record["kind"] == "node_start":
            self._start(number, record)
        elif record["kind"] == "node_end":
            self._stop(number, record)
        elif record["kind"] == "exposure":
            if self.invocation is not None:
                self.emit(f"{number}x", exposure_event(self.invocation, record["exposure"], record["at"]))
        else:
            self._end = (number, record)
            self._finish()

    def open_nodes(self) -> list[str]:
        """The keys of the nodes that have begun and whose end is not written."""
        return [key for key, run in self._runs.items() if run.end is None]

    def analysed(self, key: str, analysis: Analysis | None) -> None:
        """The answer to `analyse`."""
        run = self._runs.get(key)
        if run is None:
            return
        run.analysing, run.analysis = False, analysis
        if not run.started:
            self._emit_start(run)
        elif run.end is None:
            self._emit(f"{run.number}r", "RUNNING", run, run.start["at"])
        self._settle(key, run)

    def has_end(self) -> bool:
        """Whether the invocation's end was taken."""
        return self._end is not None

    def next_due(self) -> float | None:
        """When the next START must go without its lineage."""
        return next((run.due for run in self._waiting.values()), None)

    def tick(self) -> None:
        """Send each START whose lineage takes too long."""
        while (due := self.next_due()) is not None and self.clock() >= due:
            run = next(iter(self._waiting.values()))
            self.note(_bare(run.number))
            self._emit_start(run)

    def _start(self, number: int, record: NodeStart) -> None:
        due = self.clock() + PATIENCE if self.live else float("inf")
        run = self._runs[record["unique_id"]] = self._waiting[record["unique_id"]] = _Run(number, record, due)
        if _bare(number) in self.noted:
            self._emit_start(run)
        if self.invocation is not None:
            self.analyse(record["unique_id"], self.invocation, record["node"], self.known)

    def _stop(self, number: int, record: NodeEnd) -> None:
        run = self._runs.get(record["unique_id"])
        if run is not None:
            run.end = (number, record)
            self._settle(record["unique_id"], run)

    def _settle(self, key: str, run: _Run) -> None:
        """Emit the end once nothing that belongs before it is missing."""
        if run.end is None or run.analysing:
            return
        number, record = run.end
        kind: Kind | None = "ABORT" if record["status"] == ABORTED else end_kind(record["status"])
        if kind is not None:
            self._emit(f"{number}e", kind, run, record["at"], record)
        del self._runs[key]
        self._finish()

    def _finish(self) -> None:
        if self._end is None or self._runs or self.invocation is None:
            return
        number, record = self._end
        kind: Kind = "COMPLETE" if record["success"] else "ABORT" if record["reason"] == KILLED else "FAIL"
        self.emit(f"{number}e", invocation_event(kind, self.invocation, record["at"], record))
        self.ended = True

    def _emit_start(self, run: _Run) -> None:
        run.started = True
        self._waiting.pop(run.start["unique_id"], None)
        self._emit(f"{run.number}s", "START", run, run.start["at"])

    def _emit(self, mark: str, kind: Kind, run: _Run, at: str, end: NodeEnd | None = None) -> None:
        if self.invocation is None:
            return
        make = partial(node_event, kind, self.invocation, run.start["node"], at)
        event, error = attempt(lambda: make(run.analysis, self.known, end))
        if error is not None:  # a lineage that can't be told holds up neither this event nor those of other nodes
            log.warning("%s: its lineage can't be told: %s", run.start["unique_id"], error)
            run.analysis = unanalysed(run.start["node"], error)
            event, error = attempt(lambda: make(run.analysis, self.known, end))
        if event is None:
            log.error("%s: its %s can't be told: %s", run.start["unique_id"], kind, error)
        else:
            self.emit(mark, event)


def _bare(number: int) -> str:
    """The note on a START that went without its lineage."""
    return f"{number}b"
