"""Turns one spool's records into sent events: the loop that a live run and an old one share."""

from __future__ import annotations

import math
import threading
import time
from functools import partial
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any, Final, cast

from lineal_producer import records
from lineal_producer.analysis import Analysis, analyse, unanalysed
from lineal_producer.border import attempt, log
from lineal_producer.clock import now
from lineal_producer.dbt.artifacts import read_catalog
from lineal_producer.dbt.told import Shelf
from lineal_producer.descriptions import Invocation, Node
from lineal_producer.known import Known
from lineal_producer.records import InvocationStart, Record
from lineal_producer.told_records import Told
from lineal_producer.worker.build import ABORTED, KILLED, Build
from lineal_producer.worker.courier import Courier
from lineal_producer.worker.spool import Spool
from lineal_producer.worker.tracer import Tracer

_LONGEST_NAP: Final = 0.5
_TOLD: Final = {"node_shape", "node_told", "node_begun", "columns_told"}


class Pump:
    """Reads records, has them analysed, has their events sent; its inbox is how other threads reach it."""

    def __init__(
        self,
        spool: Spool | None,
        courier: Courier,
        tracer: Tracer,
        *,
        live: bool,
        known: Known | None = None,
        until: float = 0.0,
        patience: float = math.inf,
    ) -> None:
        """`until` and `patience`: how long an event waits for its turn where too many wait, as `Courier.carry` says."""
        self.spool = spool
        self.inbox: SimpleQueue[tuple[str, Any]] = SimpleQueue()
        self._tracer = tracer
        self._jobs: SimpleQueue[tuple[str, Invocation, Node, Known] | None] = SimpleQueue()
        emit = partial(courier.carry, spool, until=until, patience=patience)
        self.build = Build(emit, self._submit, time.monotonic, live=live, known=known or Known())
        self._knows_catalog = known is not None
        if spool is not None:
            self.build.noted, self.build.note = spool.sent, partial(courier.note, spool)
        self._shelf = Shelf()
        self._loose = 0
        self.unread = 0  # records that are whole lines and yet none of this release's
        threading.Thread(target=self._analyse, name="lineal-analyse", daemon=True).start()

    def _submit(self, key: str, invocation: Invocation, node: Node, known: Known) -> None:
        self._jobs.put((key, invocation, node, known))

    def _analyse(self) -> None:
        while (job := self._jobs.get()) is not None:
            key, invocation, node, known = job
            answer, error = attempt(partial(analyse, invocation, node, known, self._tracer))
            if error is not None:
                log.warning("%s: its lineage can't be told: %s", node["unique_id"], error)
                answer = unanalysed(node, error)
            self.inbox.put(("analysed", (key, answer)))

    def read(self) -> None:
        """Take every record that the file has and that was not taken yet."""
        if self.spool is None:
            return
        for number, line in self.spool.read():
            self._take(number, line)

    def take_loose(self, line: bytes) -> None:
        """Take a record that is in no file."""
        self.read()
        self._loose += 1
        self._take(1_000_000 + self._loose, line)

    def _take(self, number: int, line: bytes) -> None:
        if not line.strip():
            return
        try:
            written = records.from_line(line)
        except ValueError as error:
            self.unread += 1
            log.warning("%s: record %d can't be read: %s", self.spool.path if self.spool else "dbt", number, error)
            return
        if written["kind"] == "invocation_start" and not self._knows_catalog:
            self._read_catalog(written)
        record = self._described(number, written)
        if record is not None:
            self.build.take(number, record)

    def _described(self, number: int, written: Record | Told) -> Record | None:
        """The record, what dbt's process told made one; None of what is only told for others."""
        if written["kind"] not in _TOLD:
            return cast("Record", written)
        if self.build.invocation is None:
            return None
        record, error = attempt(partial(self._shelf.take, cast("Told", written), self.build.invocation))
        if error is not None:
            log.error("record %d can't be made sense of: %s", number, error)
        return record

    def _read_catalog(self, record: InvocationStart) -> None:
        """What was known of columns when that dbt ran, where its project still is; a newer catalog tells of later."""
        told = record["invocation"]
        catalog = read_catalog(Path(told["project_root"]) / told["target_path"], [])
        if catalog.made is not None and catalog.made <= record["at"]:
            for unique_id, columns in catalog.columns.items():
                self.build.known.take(records.columns_read(unique_id, catalog.relations[unique_id], columns, "catalog"))

    def step(self, seconds: float = _LONGEST_NAP) -> tuple[str, Any] | None:
        """Wait at most so long for something to happen and see to it; what isn't ours is given back."""
        due = self.build.next_due()
        wait = seconds if due is None else min(seconds, max(0.0, due - time.monotonic()))
        try:
            what, content = self.inbox.get(timeout=max(wait, 0.001))
        except Empty:
            self.build.tick()
            return None
        self.build.tick()
        if what == "analysed":
            key, answer = cast("tuple[str, Analysis | None]", content)
            self.build.analysed(key, answer)
            return None
        return what, content

    def abort_open(self) -> None:
        """Write and take the ends that a killed dbt could not write."""
        if self.build.invocation is None:
            return
        at = now()
        ends: list[Record] = [
            records.node_end(at, unique_id, ABORTED, message="dbt was killed before the node ended")
            for unique_id in self.build.open_nodes()
        ]
        ends.append(records.invocation_end(at, success=False, reason=KILLED))
        for record in ends:
            line = records.to_line(record)
            if self.spool is not None:
                self.spool.append(line)
                self.read()
            else:
                self.take_loose(line)

    def close(self) -> None:
        """Have nothing more analysed."""
        self._jobs.put(None)
