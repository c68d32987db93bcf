"""From the lines of dbt's JSON log to the records that the plugin would have left of the same command."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from lineal_producer import records
from lineal_producer.clock import now, read_time
from lineal_producer.dbt.fields import mapping_of, text_of
from lineal_producer.dbt.hooks import COMMANDS
from lineal_producer.dbt.log_lines import Line, read_arguments, whole_numbers
from lineal_producer.dbt.log_shelf import Describe, LogRun, Shelf
from lineal_producer.dbt.post_hook import HOOK_MARK, is_hooked, read_hook_line
from lineal_producer.dbt.results import FAILED, INTERRUPTED, RESOURCES, is_microbatch
from lineal_producer.descriptions import Invocation
from lineal_producer.records import NodeEnd, Record

_ACTIONS: Final = {
    "MainReportVersion": "take_version",
    "MainReportArgs": "take_arguments",
    "ArtifactWritten": "take_artifact",
    "NodeStart": "take_node",
    "LogStartLine": "start_node",
    "NodeExecuting": "execute_node",
    "LogStartBatch": "start_batch",
    "LogBatchResult": "end_batch",
    "NodeFinished": "finish_node",
    "JinjaLogDebug": "read_log",
    "JinjaLogInfo": "read_log",
    "JinjaDebugInfo": "read_log",  # Fusion's name of it
    "RunResultError": "take_message",
    "MainEncounteredError": "fail",
    "MainKeyboardInterrupt": "fail",
    "MainStackTrace": "take_trace",
    "LogCancelLine": "stop_nodes",
    "EndOfRunSummary": "take_summary",
    "FreshnessCheckComplete": "take_freshness",
    "CommandCompleted": "complete",
    **{
        f"Log{kind}Result": "end_node"
        for kind in ("Model", "Seed", "Snapshot", "Test", "Freshness", "Node", "NodeNoOp")
    },
}
_BATCH: Final = re.compile(r"^batch (\S+) of ")
_CANCELLED: Final = frozenset({"canceled", "cancelled"})  # Fusion's, of what it stopped
_COUNTED: Final = frozenset({"pass", "warn", "fail"})  # of what ended otherwise a log says that no rows failed
_STATUSES: Final = frozenset({"success", "error", "skipped", "pass", "fail", "warn", "runtime error"})


@dataclass(slots=True)
class LogSession:
    """One command of a log; `write` gets its records as soon as all that belongs into them is there.

    A snapshot's SQL is in no file until the command ends, so it waits for that, and what reads it with it: columns
    are known in the order of the runs. The same goes for what failed where the log has no debug lines, which would
    say why, and for the freshness of sources, whose newest row stands in sources.json.
    """

    shelf: Shelf
    describe: Describe
    write: Callable[[Record], None]
    hooked_only: bool = False
    invocation: Invocation | None = None
    _began: str | None = None
    _args: dict[str, Any] = field(default_factory=dict)
    _version: str | None = None
    _runs: dict[str, LogRun] = field(default_factory=dict)
    _of_thread: dict[tuple[str, str], str] = field(default_factory=dict)
    _batched: set[str] = field(default_factory=set)
    _held: set[str] = field(default_factory=set)
    _ran: set[str] = field(default_factory=set)
    _messages: dict[str, str] = field(default_factory=dict)
    _hooked: list[Record] = field(default_factory=list)
    _is_debug: bool = False
    _is_interrupted: bool = False
    _is_stopping: bool = False
    _succeeded: bool | None = None
    _has_ended: bool = False

    @property
    def broke_off(self) -> bool:
        """Whether nodes ran and nothing said how the command ended: dbt was killed."""
        return self.invocation is not None and self._succeeded is None

    def take(self, line: Line) -> None:
        """One line of this command."""
        self._began = self._began or read_time(line.at)
        action = _ACTIONS.get(line.name)
        if action is not None:
            getattr(self, action)(line)

    # What the log says of the command

    def take_version(self, line: Line) -> None:
        """Which dbt runs."""
        self._version = (text_of(line.data, "version") or "").removeprefix("=") or None

    def take_arguments(self, line: Line) -> None:
        """What dbt was told."""
        told = mapping_of(line.data, "args")
        self.shelf.args = self._args = read_arguments(text_of(told, "invocation_command") or "")
        self.shelf.look_again()

    def take_artifact(self, line: Line) -> None:
        """dbt has written a file: its manifest shows where target/ is, results that it is over, or stops its nodes."""
        path = Path(text_of(line.data, "artifact_path") or "")
        self._is_stopping = self._is_stopping or path.name == "run_results.json"
        if path.name == "manifest.json" and path.is_file():
            self.shelf.look_again(path.parent)

    def stop_nodes(self, line: Line) -> None:  # noqa: ARG002 - every action gets the line
        """dbt has cancelled the query of a node: what fails from now on was stopped."""
        self._is_stopping = True

    def fail(self, line: Line) -> None:
        """dbt stops with an error: an interrupt is told from any other."""
        self._is_interrupted = self._is_interrupted or "KeyboardInterrupt" in json.dumps(line.data, default=str)

    def take_trace(self, line: Line) -> None:
        """Where dbt stopped: of an interrupt while it read the project nothing else says that it was one."""
        trace = (text_of(line.data, "stack_trace") or "").rstrip()
        self._is_interrupted = self._is_interrupted or trace.endswith("\nKeyboardInterrupt")

    def take_summary(self, line: Line) -> None:
        """How the command ended, where no debug line says so."""
        self._is_interrupted = self._is_interrupted or bool(line.data.get("keyboard_interrupt"))
        errors = line.data.get("num_errors") or line.data.get("num_partial_success")
        self._succeeded = not errors and not self._is_interrupted

    def take_freshness(self, line: Line) -> None:  # noqa: ARG002 - every action gets the line
        """The end of `dbt source freshness`, which doesn't say how it was."""
        self._succeeded = not any(run.end is not None and run.end["status"] in FAILED for run in self._runs.values())

    def complete(self, line: Line) -> None:
        """The command has ended."""
        self._succeeded = bool(line.data.get("success"))
        self.end(read_time(line.at))

    # What it says of nodes

    def take_node(self, line: Line) -> None:  # noqa: ARG002 - as above
        """A debug line: there are others, which say more."""
        self._is_debug = True

    def start_node(self, line: Line) -> None:
        """A node begins; the debug line that it executes comes when it is compiled."""
        if not self._is_debug:
            self._begin(line)

    def execute_node(self, line: Line) -> None:
        """A node executes: its SQL is compiled."""
        unique_id = text_of(line.node, "unique_id") or ""
        run = self._runs.get(self._of_thread.get((unique_id, line.thread), "")) or self._begin(line)
        if run is not None:
            run.is_executing = True
            self._write_start(run)

    def start_batch(self, line: Line) -> None:
        """A batch of a microbatch model begins."""
        found = _BATCH.match(text_of(line.data, "description") or "")
        if found is not None:
            self._begin(line, found.group(1))

    def _begin(self, line: Line, batch: str | None = None) -> LogRun | None:
        """A run begins; None for what tells nothing, like a microbatch model beside its batches."""
        unique_id = text_of(line.node, "unique_id") or ""
        node = self.shelf.find(unique_id) if self._counts(unique_id) else None
        if node is None or (batch is None and (is_microbatch(node) or unique_id in self._batched)):
            return None
        if self.hooked_only and not is_hooked(node):
            return None
        started = read_time(line.node.get("node_started_at")) or read_time(line.at) or now()
        run = LogRun(unique_id, line.node, started, batch)
        run = self._runs.setdefault(run.key, run)
        self._of_thread[(unique_id, line.thread)] = run.key
        if batch is not None:
            self._batched.add(unique_id)
        return run

    def _counts(self, unique_id: str) -> bool:
        which, kind = self._args.get("which"), unique_id.partition(".")[0]
        if kind == "source":  # Fusion walks through them in every command
            return which in (None, "freshness")
        return kind in RESOURCES and (which is None or which in COMMANDS)

    def end_node(self, line: Line) -> None:
        """The line of a node's result, the only one that there is without debug lines."""
        told = (text_of(line.node, "node_status") or "").lower()
        status = told if told in _STATUSES else (text_of(line.data, "status") or "").lower()
        run = self._runs.get(text_of(line.node, "unique_id") or "")
        if not self._is_debug and run is not None and status != "skipped":
            self._end(run, line, status, failures=line.data.get("num_failures"))

    def end_batch(self, line: Line) -> None:
        """The same of a batch."""
        found = _BATCH.match(text_of(line.data, "description") or "")
        run = self._runs.get(f"{text_of(line.node, 'unique_id')}|{found.group(1)}") if found else None
        status = (text_of(line.node, "node_status") or "").lower()
        if not self._is_debug and run is not None and status != "skipped":
            self._end(run, line, status)

    def finish_node(self, line: Line) -> None:
        """A node has ended, with all that the plugin is told, too."""
        told, unique_id = mapping_of(line.data, "run_result"), text_of(line.node, "unique_id") or ""
        status = (text_of(told, "status") or "").lower()
        if status == "skipped":
            return
        run = self._runs.get(self._of_thread.pop((unique_id, line.thread), unique_id))
        if run is None and status != "success" and unique_id not in self._batched:
            run = self._begin(line)  # it failed before it could execute
        if run is None or run.end is not None:
            return  # ephemeral, or its batches have told their own ends
        response = whole_numbers(mapping_of(told, "adapter_response"))
        self._end(run, line, status, text_of(told, "message"), response, told.get("num_failures"))

    def _end(
        self,
        run: LogRun,
        line: Line,
        status: str,
        message: str | None = None,
        response: Mapping[str, Any] | None = None,
        failures: Any = None,
    ) -> None:
        is_stopped = self._is_stopping or INTERRUPTED.search(message or "") is not None
        is_interrupted = (status == "error" and is_stopped) or status in _CANCELLED
        has_count = status in _COUNTED and run.unique_id.partition(".")[0] in {"test", "unit_test"}
        run.end = records.node_end(
            read_time(line.node.get("node_finished_at")) or read_time(line.at) or now(),
            run.key,
            "aborted" if is_interrupted else status,
            message=message,
            adapter_response=dict(response or {}),
            failures=int(failures) if has_count and isinstance(failures, int | float) else None,
        )
        if run.unique_id.startswith("source.") or _is_unexplained(run.end):
            self._held.add(run.unique_id)
        if self._write_start(run):
            self._write_end(run)

    def take_message(self, line: Line) -> None:
        """What went wrong with a node, told at the end for the user."""
        unique_id, message = text_of(line.node, "unique_id"), text_of(line.data, "msg")
        if unique_id and message:
            self._messages.setdefault(unique_id, message)

    def read_log(self, line: Line) -> None:
        """A line that dbt logged from Jinja: ours, when the post-hook wrote it."""
        text = text_of(line.data, "msg") or ""
        record = read_hook_line(text) if HOOK_MARK in text else None
        if record is not None and self.invocation is not None:
            self.write(record)
        elif record is not None:
            self._hooked.append(record)

    # What is written

    def end(self, at: str | None = None) -> None:
        """The command, or its log, has ended: what was held is written, then how it ended, if that was told."""
        if self._has_ended:
            return
        self._has_ended = True
        self.shelf.look_again()  # the manifest is whole now
        if self._succeeded is False and self._args.get("which") in COMMANDS:
            self._begun()
        if self.invocation is None and not self._runs:
            return
        newest = self.shelf.newest_rows()
        if any(run.end is not None and _is_unexplained(run.end) for run in self._runs.values()):
            self._messages = {**self.shelf.messages(), **self._messages}
        self._held.clear()
        for run in sorted(self._runs.values(), key=lambda run: run.started):
            if run.end is not None and not run.is_done:
                message = run.end["message"] or self._messages.get(run.unique_id)
                run.end = {**run.end, "message": message, "loaded_at": newest.get(run.unique_id)}
            self._write_start(run, is_last=True)
            self._write_end(run)
        if self._succeeded is not None:
            self._write_invocation_end(at)

    def _write_start(self, run: LogRun, *, is_last: bool = False) -> bool:
        """Write a run's begin, unless it was; False when its end has to wait for the command's."""
        if run.is_written:
            return run.unique_id not in self._held
        node = self.shelf.describe(run, self._begun()["adapter"])
        waits = any(each["unique_id"] in self._held for each in node["inputs"]) or run.unique_id in self._held
        waits = waits or (node["resource_type"] == "snapshot" and not self.shelf.is_final())
        if waits and not is_last:
            self._held.add(run.unique_id)
            return False
        start = records.node_start(run.started, node)
        start["unique_id"] = run.key
        self.write(start)
        run.is_written = True
        self._ran.add(run.unique_id)
        return True

    def _write_end(self, run: LogRun) -> None:
        if run.end is not None and not run.is_done:
            self.write(run.end)
            run.is_done = True

    def _write_invocation_end(self, at: str | None) -> None:
        ended = at or max((run.end["at"] for run in self._runs.values() if run.end), default=now())
        for run in self._runs.values():
            if run.end is None:
                self.write(records.node_end(ended, run.key, "aborted", message="dbt stopped before the node ended"))
        for exposure in self.shelf.exposures(self._ran, self._begun()["adapter"]):
            self.write(records.exposure_told(ended, exposure))
        reason = "interrupted" if self._is_interrupted else None
        if not self._succeeded and not self._ran:
            reason = reason or "dbt stopped before any node ran"
        hooks = self.shelf.hooks(self._ran) if self._ran else []
        self.write(records.invocation_end(ended, success=bool(self._succeeded), reason=reason, hooks=hooks))

    def _begun(self) -> Invocation:
        """The command, whose begin is written before anything else."""
        if self.invocation is None:
            manifest = self.shelf.manifest()
            if self._version is not None:
                metadata = {**mapping_of(manifest, "metadata"), "dbt_version": self._version}
                manifest = {**manifest, "metadata": metadata}
            arguments = {**self._args, **self.shelf.arguments()}
            self.invocation = self.describe(manifest, self.shelf.invocation_id, arguments)
            self.write(records.invocation_start(self._began or now(), self.invocation))
            for record in self._hooked:
                self.write(record)
        return self.invocation


def _is_unexplained(end: NodeEnd) -> bool:
    """Whether a node failed and the log doesn't say why."""
    return end["message"] is None and end["status"] in FAILED
