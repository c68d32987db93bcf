"""One dbt invocation as it is written down: what has begun, what has ended, which columns are known."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Iterable
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from lineal_producer import records, told_records
from lineal_producer.border import attempt, log, warn_once
from lineal_producer.clock import now, utc
from lineal_producer.dbt.child import Child
from lineal_producer.dbt.ends import read_end
from lineal_producer.dbt.exposures import describe_exposures, describe_hooks
from lineal_producer.dbt.fields import is_mapping, text_of
from lineal_producer.dbt.invocation import describe_running
from lineal_producer.dbt.nodes import find_node, part_of, walk_parents
from lineal_producer.dbt.order import depends_on
from lineal_producer.dbt.post_hook import HOOK_MARK, is_hooked, read_hook_line
from lineal_producer.dbt.reading import ColumnReader
from lineal_producer.dbt.relations import relation_of
from lineal_producer.dbt.stack import Running, command_config, is_cancelling, is_interrupted, running_node
from lineal_producer.dbt.telling import Telling, tell, tell_group, to_line
from lineal_producer.outbox import Outbox
from lineal_producer.privacy import without_secrets
from lineal_producer.settings import Settings, child_environment

if TYPE_CHECKING:
    from lineal_producer.descriptions import Hook

_STOPPING: Final = 0.5  # seconds within which dbt's main thread has noticed an interrupt
_RESOURCES: Final = frozenset({"model", "seed", "snapshot", "test", "unit_test", "source"})
_BUILT: Final = frozenset({"success"})  # the statuses after which a relation is as this run made it
_HAS_RELATION: Final = frozenset({"model", "seed", "snapshot"})


class Session:
    """Turns the events of one invocation into records; its methods are called by dbt's threads, several at once."""

    def __init__(self, settings: Settings, invocation_id: str, command: str, began: str) -> None:
        self._settings = settings
        self._invocation_id = invocation_id
        self._command = command
        self._began = began
        self._mutex = threading.Lock()
        self._outbox: Outbox | None = None
        self._child: Child | None = None
        self._open: dict[str, None] = {}
        self._started: set[str] = set()
        self._read: set[str] = set()
        self._met: set[str] = set()  # what was told, and whose columns were read or won't be
        self._shapes: set[str] = {""}
        self._running: Running | None = None
        self._interrupted = False
        self._reader = ColumnReader(settings.read_seconds if settings.read_columns else 0)

    def start_node(self, event: Any) -> None:
        """A node executes: its SQL is compiled, its inputs are there."""
        running = running_node()
        if running is None:
            return
        kind = text_of(running.node, "resource_type") or ""
        if not self._counts(running.node, kind) or (kind == "model" and _is_whole_of_batches(running.node)):
            return
        if self._outbox is None:
            self._begin(running.config, running)
        self._start(running, kind, event.data.node_info.node_started_at)

    def _start(self, running: Running, kind: str, started_at: str, *, reads: bool = True) -> None:
        """Write down what dbt holds of a node, behind that of what it reads, whose columns may be read first."""
        node = running.node
        key, unique_id = _key(node), str(node.unique_id)
        told = self._tell(node, kind)
        self._open[key] = None
        self._started.add(unique_id)
        parents = depends_on(node)
        met: set[str] = set()
        origin = getattr(node, "defer_relation", None) if self._command == "clone" else None
        if kind == "source" or origin is not None:  # it reads itself, or its like
            before = self._read_columns(running, unique_id, origin or node) if reads else b""
        elif self._met.issuperset(parents):
            before = b""
        else:
            before, met = self._meet(running, parents, reads=reads)
        if self._outbox is not None:
            self._outbox.append(
                before + to_line(told_records.node_begun(utc(started_at), key, told.shape.name, told.values, told.more))
            )
        self._met |= met  # other threads tell it again until it is written

    def _meet(self, running: Running, parents: Iterable[str], *, reads: bool) -> tuple[bytes, set[str]]:
        """What is told of parents that weren't met, and of what ephemeral ones read; all that were met by that."""
        lines: list[bytes] = []
        met: set[str] = set()
        for unique_id, found, is_read in walk_parents(parents, running.manifest):
            if unique_id in self._met:
                continue
            met.add(unique_id)
            told = self._tell(found, text_of(found, "resource_type") or "")
            lines.append(_line(part_of(unique_id), unique_id, told))
            if is_read and reads:
                lines.append(self._read_columns(running, unique_id))
        return b"".join(lines), met if reads else set()

    def _tell(self, node: Any, kind: str) -> Telling:
        """What is told of a node, the shape of which the reader knows."""
        told = tell(node, kind)
        if told.shape.name not in self._shapes and self._outbox is not None:
            self._outbox.append(to_line(told_records.node_shape(told.shape.name, told.shape.names)))
            self._shapes.add(told.shape.name)
        return told

    def end_node(self, event: Any) -> None:
        """A node has ended, however."""
        running = running_node()
        end = read_end(event, running)
        if end is None or end.status == "skipped" or end.resource_type not in _RESOURCES:
            return
        key = end.unique_id if running is None else _key(running.node)
        executing = key in self._open
        if not executing:  # it failed before it could execute; ephemeral models never do
            if running is None or end.status == "success" or not self._counts(running.node, end.resource_type):
                return
            if end.unique_id in self._started:  # a model of batches: each has told its own end
                return
            self._begin(running.config, running)
            self._start(running, end.resource_type, end.started_at, reads=False)
        self._open.pop(key, None)
        is_cancelled = executing and end.status == "error" and _was_cancelled(end.message or "")
        status = "aborted" if is_cancelled else end.status
        is_built = status in _BUILT and end.resource_type in _HAS_RELATION
        read = self._read_columns(running, end.unique_id) if running is not None and is_built else b""
        result = running.result if running is not None else None
        self._write(
            records.node_end(
                utc(end.finished_at),
                key,
                status,
                message=without_secrets(end.message) if end.message else None,
                adapter_response=_plain_response(result),
                failures=getattr(result, "failures", None),
                execution_time=end.execution_time,
                loaded_at=loaded_at(getattr(result, "max_loaded_at", None)),
            ),
            durable=True,
            before=read,
        )
        if is_built:
            self._met.add(end.unique_id)

    def read_log(self, event: Any) -> None:
        """A line that dbt logged from Jinja: ours, when the post-hook wrote it."""
        text: str = event.data.msg
        if HOOK_MARK not in text:
            return
        record = read_hook_line(text)
        if record is not None:
            self._read.add(record["unique_id"])
            self._write(record)

    def fail(self, event: Any) -> None:  # noqa: ARG002 - every action gets the event
        """dbt stops with an error: an interrupt is told from any other."""
        self._interrupted = self._interrupted or is_interrupted()

    def end(self, event: Any) -> None:
        """The command has ended: nothing more is written, and dbt waits for the child as long as the budget says."""
        with contextlib.suppress(KeyboardInterrupt):  # one who won't wait: without us dbt would have ended, as it ended
            self._end(event)

    def _end(self, event: Any) -> None:
        success, reason = bool(event.data.success), "interrupted" if self._interrupted else None
        if self._outbox is None and not success and (config := command_config()) is not None:
            reason = reason or "dbt stopped before any node ran"
            self._begin(config)
        if self._outbox is None or self._child is None:
            return
        for key in list(self._open):
            self._write(records.node_end(now(), key, "aborted", message="dbt stopped before the node ended"))
        hooks = self._tell_exposures()
        self._write(records.invocation_end(now(), success=success, reason=reason, hooks=hooks), durable=True)
        self._reader.close()
        if self._reader.failed:
            log.debug("Lineal: the columns of %d relations could not be read", self._reader.failed)
        self._outbox.close()
        self._child.finish(self._settings.budget_seconds)

    def _tell_exposures(self) -> list[Hook]:
        """Leave the exposures of what ran; gives the SQL of its hooks."""
        if self._running is None:
            return []
        manifest, adapter = self._running.manifest, self._running.adapter.type()
        exposures, _ = attempt(lambda: describe_exposures(manifest, adapter, self._started, {}))
        at = now()
        for exposure in exposures or []:
            self._write(records.exposure_told(at, exposure))
        hooks, _ = attempt(lambda: describe_hooks(manifest, self._started))
        return [{**hook, "sql": without_secrets(hook["sql"])} for hook in hooks or []]

    def _counts(self, node: Any, kind: str) -> bool:
        return kind in _RESOURCES and (not self._settings.hooked_only or is_hooked(node))

    def _begin(self, config: Any, running: Running | None = None) -> None:
        if self._outbox is not None:
            return
        with self._mutex:
            if self._outbox is not None:
                return
            self._running = running
            settings = self._settings
            invocation = describe_running(settings, self._invocation_id, self._command, config)
            target = Path(invocation["project_root"]) / invocation["target_path"]
            fallback = target / "lineal" / "outbox" / settings.destination.hash
            outbox = Outbox([settings.outbox, fallback], self._invocation_id, warn_once)
            arguments = ["--cache", str(target / "lineal")]
            if outbox.path is not None:
                arguments += ["--records", str(outbox.path)]
            log_file = outbox.path.parents[2] / "worker.log" if outbox.path else None
            self._child = Child(arguments, child_environment(settings), log_file, warn_once)
            outbox.connect(self._child.send)
            outbox.append(records.to_line(records.invocation_start(self._began, invocation)) + _tell_groups(running))
            self._outbox = outbox

    def _write(self, record: records.Record, *, durable: bool = False, before: bytes = b"") -> None:
        """Leave a record, in one piece with the lines that belong `before` it."""
        if self._outbox is not None:
            self._outbox.append(before + records.to_line(record), durable=durable)

    def _read_columns(self, running: Running, unique_id: str, origin: Any | None = None) -> bytes:
        """A relation's columns (`origin`: of what isn't told) as a line, once a run; empty if told already."""
        if unique_id in self._read or self._reader.stopped:
            return b""
        with self._mutex:
            if unique_id in self._read:
                return b""
            self._read.add(unique_id)
        found = origin or find_node(running.manifest, unique_id)
        if found is None or _loads_by_plugin(found):
            return b""
        columns = self._reader.read(running.adapter, found)
        if not columns:
            return b""
        if origin is None:
            return to_line(told_records.columns_told(unique_id, columns))
        relation = relation_of(found, running.adapter.type()) or (found.database, found.schema, found.name)
        return records.to_line(records.columns_read(unique_id, relation, columns, "adapter"))


def _tell_groups(running: Running | None) -> bytes:
    groups = getattr(running and running.manifest, "groups", None) or {}
    return b"".join(_line("groups", key, tell_group(group)) for key, group in groups.items())


def _line(part: str, unique_id: str, told: Telling) -> bytes:
    return to_line(told_records.node_told(part, unique_id, told.shape.name, told.values, told.more))


def _loads_by_plugin(source: Any) -> bool:
    """Whether making its relation would load data through a plugin of dbt-duckdb: that is the model's to do."""
    return bool({"plugin"} & set(getattr(source, "meta", None) or {}))


def _key(node: Any) -> str:
    """What a node's records are told apart by: its id, for one batch of a microbatch model with the batch's start."""
    batch = getattr(node, "batch", None)
    start = None if batch is None else getattr(batch, "event_time_start", None)
    return str(node.unique_id) if start is None else f"{node.unique_id}|{start.isoformat()}"


def _was_cancelled(message: str | None) -> bool:
    """Whether a node failed because dbt is stopping, which a database that is interrupted itself knows before dbt."""
    until = time.monotonic() + (_STOPPING if "interrupt" in (message or "").lower() else 0.0)
    while not (found := is_cancelling()) and time.monotonic() < until:
        time.sleep(0.01)
    return found


def _is_whole_of_batches(node: Any) -> bool:
    """Whether the node is a microbatch model as such: what runs is its batches, each with SQL of its own."""
    strategy = getattr(node.config, "incremental_strategy", None)
    return strategy == "microbatch" and getattr(node, "batch", None) is None


def loaded_at(told: Any) -> str | None:
    """When a source's newest row was made, as dbt has it; None when that isn't a time."""
    if isinstance(told, datetime):
        told = told.isoformat()
    return utc(told) if isinstance(told, str) and told else None


def _plain_response(result: Any | None) -> dict[str, Any]:
    response: Any = getattr(result, "adapter_response", None)
    if type(response) is dict:
        return response
    return {str(key): value for key, value in response.items()} if is_mapping(response) else {}
