"""Columns as they are in the database, read in the run that builds them, on a connection and a thread of their own.

The thread makes the time box real: dbt waits for a read as long as the setting says, and after one that took longer
nothing more is read in this run.
"""

from __future__ import annotations

import contextvars
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from queue import SimpleQueue
from typing import Any, Final

from lineal_producer.border import attempt, log

Columns = list[tuple[str, str | None]]
_CONNECTION: Final = "lineal"


class ColumnReader:
    """Reads the columns of relations through dbt's adapter; counts what failed."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._jobs: SimpleQueue[_Job | None] = SimpleQueue()
        self._thread: threading.Thread | None = None
        self._mutex = threading.Lock()
        self.read_count = 0
        self.failed = 0
        self.stopped = seconds <= 0

    def read(self, adapter: Any, node: Any) -> Columns | None:
        """The columns of a node's or a source's relation; None when there are none, reading failed or took too long."""
        if self.stopped:
            return None
        with self._mutex:
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, name="lineal-columns", daemon=True)
                self._thread.start()
        job = _Job(adapter, node)
        self._jobs.put(job)
        if not job.done.acquire(timeout=min(self._seconds, threading.TIMEOUT_MAX)):
            self.stopped = True
            self.failed += 1
            log.warning(
                "Lineal: reading the columns of %s took over %g s, so no more are read in this run; "
                "LINEAL_READ_SECONDS gives more time, LINEAL_READ_COLUMNS=0 reads none",
                getattr(node, "unique_id", "a relation"),
                self._seconds,
            )
            return None
        if job.columns is None:
            self.failed += 1
        else:
            self.read_count += 1
        return job.columns or None

    def close(self) -> None:
        """Let the thread end."""
        self.stopped = True
        self._jobs.put(None)

    def _work(self) -> None:
        while (job := self._jobs.get()) is not None:
            job.columns, _ = job.context.run(attempt, job.run)
            job.done.release()


class _Job:
    def __init__(self, adapter: Any, node: Any) -> None:
        self.adapter = adapter
        self.node = node
        self.context = contextvars.copy_context()  # dbt keeps its invocation in a context variable
        self.columns: Columns | None = None
        self.done = threading.Lock()  # an event of the standard library costs several times as much
        self.done.acquire()

    def run(self) -> Columns:
        relation = self.adapter.Relation.create_from(self.adapter.config, self.node)
        if self.adapter.type() == "duckdb":
            with self._duckdb() as handle:
                return _describe(handle, relation)
        with _unlisted(self.adapter.connections), self.adapter.connection_named(_CONNECTION):
            return [(column.name, _type(column)) for column in self.adapter.get_columns_in_relation(relation)]

    @contextmanager
    def _duckdb(self) -> Iterator[Any]:
        """A handle of the database that dbt has open; one by dbt's own way costs more than the question itself."""
        environment = getattr(self.adapter.connections, "_ENV", None)
        if environment is None or environment.creds != self.adapter.config.credentials:
            with _unlisted(self.adapter.connections), self.adapter.connection_named(_CONNECTION):
                yield self.adapter.connections.get_thread_connection().handle
            return
        handle = environment.handle()
        try:
            yield handle
        finally:
            handle.close()


def _describe(handle: Any, relation: Any) -> Columns:
    """As DuckDB tells them of a query that it never runs: dbt's macro takes a hundred times as long, DESCRIBE seven."""
    query = f"select * from {relation}"  # noqa: S608 - as dbt writes it into SQL
    cursor = handle.cursor()
    bind = getattr(cursor, "sql", None)
    if bind is not None:
        bound = bind(query)
        return [(str(name), str(kind)) for name, kind in zip(bound.columns, bound.types, strict=True)]
    cursor.execute(f"describe {query}")  # a server's connection
    return [(str(row[0]), str(row[1])) for row in cursor.fetchall()]


@contextmanager
def _unlisted(connections: Any) -> Iterator[None]:
    """Leave dbt's list of connections as it was: when dbt is stopped it writes a line for each name in it."""
    before = connections.get_if_exists()  # that of a thread which has ended: identifiers of threads come again
    name = None if before is None else before.name
    try:
        yield
    finally:
        left = connections.get_if_exists()
        if before is not None:
            before.name = name
        elif left is not None and left.state == "closed":
            connections.clear_thread_connection()


def _type(column: Any) -> str | None:
    """The type as the database tells it: dbt's own `data_type` makes up a length where there is none."""
    name = getattr(column, "dtype", None)
    if not name or "(" in name:
        return name or None
    size, precision, scale = (
        getattr(column, part, None) for part in ("char_size", "numeric_precision", "numeric_scale")
    )
    if size and column.is_string():
        return f"{name}({size})"
    if precision and column.is_numeric():
        return f"{name}({precision},{scale or 0})"
    return str(name)
