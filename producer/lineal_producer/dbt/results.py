"""From run_results.json or sources.json to the records that the plugin would have left of the same command."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any, Final

from lineal_producer import records
from lineal_producer.border import attempt, sentence
from lineal_producer.clock import now, read_time
from lineal_producer.dbt.artifacts import Artifacts
from lineal_producer.dbt.compiled import find_sql
from lineal_producer.dbt.deferring import as_cloned
from lineal_producer.dbt.exposures import describe_exposures, describe_hooks
from lineal_producer.dbt.fields import field_of, mapping_of, plain, text_of
from lineal_producer.dbt.nodes import describe_node
from lineal_producer.dbt.order import in_order
from lineal_producer.dbt.post_hook import is_hooked
from lineal_producer.descriptions import Batch, Described, Invocation, Node
from lineal_producer.records import NodeEnd, NodeStart, Record

RESOURCES: Final = frozenset({"model", "seed", "snapshot", "test", "unit_test", "source"})
FAILED: Final = frozenset({"error", "fail", "runtime error", "partial success", "skipped"})
# What a query says that dbt stopped: DuckDB's, PostgreSQL's (and what speaks as it does), Redshift's, MySQL's;
# Oracle's, Snowflake's, BigQuery's, Databricks', Trino's, Athena's, SQL Server's, ClickHouse's. No time limit's.
INTERRUPTED: Final = re.compile(
    r"INTERRUPT Error|KeyboardInterrupt|canceling statement due to user request|cancell?ed on user's request"
    r"|query execution was interrupted(?!, maximum)|user requested cancel|execution (?:was )?cancell?ed"
    r"|(?:query|operation|statement) (?:was |has been )?cancell?ed(?! due)|QUERY_WAS_CANCELLED|USER_CANCELED",
    re.IGNORECASE,
)
_RAN: Final = "Database Error"  # how dbt begins the message of what was compiled and then failed
_LONGEST: Final = 366 * 86_400  # seconds: what is said to have taken longer is no time
_COUNTED: Final = re.compile(r"^PARTIAL SUCCESS \((\d+)/\d+\)")
_STARTED, _ENDED = "started_at", "completed_at"


@dataclass(slots=True)
class Finished:
    """One command as its artifacts tell it; `warnings` gets a sentence for each thing that can't be told."""

    artifacts: Artifacts
    results: Mapping[str, Any]
    invocation: Invocation
    warnings: list[str] = field(default_factory=list)
    hooked_only: bool = False
    _described: Described = field(default_factory=dict)

    def tell(self) -> Iterator[Record]:
        """All records, in the order of the runs; none of a command that succeeded in running nothing."""
        ended = read_time(field_of(mapping_of(self.results, "metadata"), "generated_at")) or now()
        began = self._began(ended)
        warned = len(self.warnings)
        told = sorted(self._told(began, ended), key=lambda each: each[0])
        is_stopped = self._was_stopped()
        is_success = self._succeeded() and not is_stopped
        if is_success and not told and len(self.warnings) == warned:
            return
        yield records.invocation_start(began, self.invocation)
        ran = {start["node"]["unique_id"] for _, start, _ in told}
        yield from self._catalog([start["node"] for _, start, _ in told])
        for _, start, end in told:
            yield start
            yield end
        manifest, adapter = self._manifest_as_run(), self.invocation["adapter"]
        for exposure in describe_exposures(manifest, adapter, ran, self._described):
            yield records.exposure_told(ended, exposure)
        yield records.invocation_end(
            ended,
            success=is_success,
            reason="interrupted" if is_stopped else None,
            hooks=describe_hooks(manifest, ran),
        )

    def _began(self, ended: str) -> str:
        """When the command began, by its metadata, else by how long it took, else by its first node."""
        told = read_time(field_of(mapping_of(self.results, "metadata"), "invocation_started_at"))
        if told is not None:
            return told
        took = field_of(self.results, "elapsed_time")
        if isinstance(took, int | float) and 0 <= took < _LONGEST:
            moment = datetime.fromisoformat(ended.replace("Z", "+00:00")) - timedelta(seconds=float(took))
            return read_time(moment.isoformat()) or ended
        return min((time for one in self._entries() if (time := _time(one, _STARTED))), default=ended)

    def _entries(self) -> list[Mapping[str, Any]]:
        """The results that can be read as such."""
        listed = self.results.get("results")
        return [one for one in (listed if isinstance(listed, list) else []) if _is_result(one)]

    def _succeeded(self) -> bool:
        entries = self._entries()
        skipped = {one["unique_id"] for one in entries if one["unique_id"].startswith("exposure.")}
        return not any(_status(one) in FAILED and one["unique_id"] not in skipped for one in entries)

    def _was_stopped(self) -> bool:
        """Whether dbt was stopped: it then writes the results that it has, but not what it compiled into the manifest.

        Fusion never does the latter. A command that had nothing to do took no time at all.
        """
        version = text_of(mapping_of(self.results, "metadata"), "dbt_version") or ""
        listed, took = self.results.get("results"), field_of(self.results, "elapsed_time", 0)
        if version.startswith("2.") or not isinstance(took, int | float) or not took > 0:
            return False
        ran = [one for one in self._entries() if not one["unique_id"].startswith("operation.")]
        if not ran and isinstance(listed, list) and len(listed) == len(self._entries()):
            return not any(map(_is_compiled, self.artifacts.manifest["nodes"].values()))
        nodes = ((one, mapping_of(self.artifacts.manifest, "nodes").get(one["unique_id"])) for one in ran)
        return any(
            one.get("compiled") is True and node is not None and not _is_compiled(node) and not is_microbatch(node)
            for one, node in nodes
        )

    def _told(self, began: str, ended: str) -> Iterator[tuple[tuple[str, int], NodeStart, NodeEnd]]:
        place = {unique_id: at for at, unique_id in enumerate(in_order(self.artifacts.manifest["nodes"]))}
        listed = self.results.get("results")
        unread = (len(listed) if isinstance(listed, list) else 0) - len(self._entries())
        if unread:
            self.warnings.append(f"{unread} results can't be read; going on without them")
        for one in self._entries():
            if _status(one) == "skipped" or one["unique_id"].partition(".")[0] not in RESOURCES:
                continue
            pairs, error = attempt(lambda one=one: self._pairs(one, began, ended))  # type: ignore[misc] # as it is called
            if error is not None:
                self.warnings.append(f"{one['unique_id']} can't be told: {sentence(error)}")
            for start, end in pairs or []:
                yield (start["at"], place.get(one["unique_id"], -1)), start, end

    def _pairs(self, one: Mapping[str, Any], began: str, ended: str) -> list[tuple[NodeStart, NodeEnd]]:
        """The begin and the end of each run that a result tells of."""
        found = self._find(one["unique_id"])
        if found is None:
            self.warnings.append(f"{one['unique_id']} is not in manifest.json: its run can't be told")
            return []
        if self.hooked_only and not is_hooked(found):
            return []
        told: list[tuple[NodeStart, NodeEnd]] = []
        for batch, status in _batches(found, one):
            node = self._node(found, one, batch)
            if node is not None:
                told.append(self._pair(node, one, batch, status, _time(one, _STARTED) or began, ended))
        return told

    def _pair(
        self, node: Node, one: Mapping[str, Any], batch: Batch | None, status: str, started: str, ended: str
    ) -> tuple[NodeStart, NodeEnd]:
        key = node["unique_id"] if batch is None else f"{node['unique_id']}|{batch['start']}"
        message = text_of(one, "message") or text_of(one, "error")  # the latter of a source's freshness
        failures = field_of(one, "failures")
        start = records.node_start(started, node)
        start["unique_id"] = key
        end = records.node_end(
            _time(one, _ENDED) or ended,
            key,
            "aborted" if status == "error" and INTERRUPTED.search(message or "") else status,
            message=message,
            adapter_response=plain(mapping_of(one, "adapter_response")),
            failures=failures if isinstance(failures, int) else None,
            execution_time=_seconds(field_of(one, "execution_time")),
            loaded_at=read_time(field_of(one, "max_loaded_at")),
        )
        return start, end

    def _find(self, unique_id: str) -> Mapping[str, Any] | None:
        manifest = self.artifacts.manifest
        for part in ("nodes", "sources", "unit_tests"):
            found = mapping_of(manifest, part).get(unique_id)
            if isinstance(found, dict):
                return found
        return None

    def _node(self, found: Mapping[str, Any], one: Mapping[str, Any], batch: Batch | None) -> Node | None:
        """The node as it ran; None for an ephemeral model, of which none runs, though one may fail to compile."""
        artifacts, adapter = self.artifacts, self.invocation["adapter"]
        if text_of(field_of(found, "config"), "materialized") == "ephemeral" and _status(one) not in FAILED:
            return None
        sql = None
        if batch is not None:
            sql = batch_sql(found, batch, artifacts.target)
        elif text_of(found, "resource_type") not in {"seed", "source"} and not is_microbatch(found):
            sql = text_of(one, "compiled_code") or self._sql(found, one)
        told = as_ran(found, sql, batch)
        node = describe_node(told, artifacts.manifest, adapter, self._described)
        return as_cloned(node, found, adapter) if self.invocation["command"] == "clone" else node

    def _sql(self, found: Mapping[str, Any], one: Mapping[str, Any]) -> str | None:
        """What dbt compiled; of a node that failed before it ran, a file would be of an earlier run."""
        if _status(one) in FAILED and not (text_of(one, "message") or "").startswith(_RAN):
            return text_of(found, "compiled_code") or text_of(found, "compiled_sql")
        return find_sql(found, self.artifacts.manifest, self.artifacts.project_dir, self.artifacts.target)

    def _catalog(self, nodes: list[Node]) -> Iterator[Record]:
        """The columns that catalog.json has of what these nodes read and are."""
        catalog = self.artifacts.catalog
        wanted = dict.fromkeys(
            unique_id
            for node in nodes
            for unique_id in (node["unique_id"], *(one["unique_id"] for one in node["inputs"]))
        )
        for unique_id in wanted:
            if unique_id in catalog.columns:
                relation, columns = catalog.relations[unique_id], list(catalog.columns[unique_id])
                yield records.columns_read(unique_id, relation, columns, "catalog")

    def _manifest_as_run(self) -> dict[str, Any]:
        """The manifest with the SQL of hooks as run_results.json has it."""
        manifest = self.artifacts.manifest
        sql = {one["unique_id"]: text_of(one, "compiled_code") for one in self._entries()}
        operations = {key: text for key, text in sql.items() if text and key.startswith("operation.")}
        rendered = {key: {**manifest["nodes"].get(key, {}), "compiled_code": text} for key, text in operations.items()}
        return {**manifest, "nodes": {**manifest["nodes"], **rendered}}


def _is_compiled(node: Mapping[str, Any]) -> bool:
    return field_of(node, "compiled") is True or text_of(node, "compiled_code") is not None


def _is_result(one: Any) -> bool:
    return isinstance(one, dict) and isinstance(one.get("unique_id"), str) and isinstance(one.get("status"), str)


def _status(one: Mapping[str, Any]) -> str:
    return str(one["status"]).lower()


def _seconds(value: Any) -> float:
    return float(value) if isinstance(value, int | float) else 0.0


def _time(one: Mapping[str, Any], which: str) -> str | None:
    """When a node began, or ended, by its timing: the first, or the last, of its parts."""
    timing = one.get("timing")
    parts = timing if isinstance(timing, list) else []
    times = [time for part in parts if isinstance(part, dict) and (time := read_time(part.get(which)))]
    return None if not times else min(times) if which == _STARTED else max(times)


def as_ran(node: Mapping[str, Any], sql: str | None, batch: Batch | None) -> dict[str, Any]:
    """A node of the manifest with the SQL and the batch of one run."""
    told = {**node, "compiled_code": sql, "compiled_sql": None}
    if batch is not None:
        told["batch"] = {"id": batch["id"], "event_time_start": batch["start"], "event_time_end": batch["end"]}
    return told


def is_microbatch(node: Mapping[str, Any]) -> bool:
    """Whether a model runs batch by batch, each a run of its own."""
    return text_of(field_of(node, "config"), "incremental_strategy") == "microbatch"


def _batches(node: Mapping[str, Any], one: Mapping[str, Any]) -> list[tuple[Batch | None, str]]:
    """What of a node ran, each with its status: the node, or the batches of a microbatch model.

    Where the first batch failed, dbt ran no other one, and lists all as failed.
    """
    told = mapping_of(one, "batch_results")
    succeeded, failed = _of_this_run(_spans(told.get("successful")), one), _spans(told.get("failed"))
    if not succeeded and not failed:
        return [(None, _status(one))]
    first = min(succeeded + failed)
    ran = [(span, "success") for span in succeeded]
    ran += [(span, "error") for span in failed if first in succeeded or span == first]
    size = text_of(field_of(node, "config"), "batch_size") or "day"
    return [({"id": _batch_id(span, size), "start": span[0], "end": span[1]}, status) for span, status in sorted(ran)]


def _of_this_run(succeeded: list[tuple[str, str]], one: Mapping[str, Any]) -> list[tuple[str, str]]:
    """The batches that this command ran: `dbt retry` lists them in order, then those of the commands before it.

    Of a command only what follows its first batch can have failed alone: each list of the commands before begins before
    all that was left to retry, so that the order breaks there. Stopped, dbt lists what came before twice.
    """
    if _status(one) == "error":  # none: some make it a partial success
        return []
    breaks = (at for at in range(1, len(succeeded)) if succeeded[at] < succeeded[at - 1])
    counted = _COUNTED.search(text_of(one, "message") or "")
    count = int(counted[1]) if counted else next(breaks, len(succeeded))
    return [batch for batch in succeeded[:count] if batch not in succeeded[count:]]


def batch_of(node: Mapping[str, Any], start: str) -> Batch:
    """The batch that begins at a time as dbt writes it into logs and names of files: `2026-01`, `2026-01-31T10`."""
    size = text_of(field_of(node, "config"), "batch_size") or "day"
    began = datetime.fromisoformat(f"{start}{'0001-01-01T00:00'[len(start) :]}").replace(tzinfo=timezone.utc)
    if size == "year":
        ended = began.replace(year=began.year + 1)
    elif size == "month":
        ended = began.replace(year=began.year + began.month // 12, month=began.month % 12 + 1)
    else:
        ended = began + (timedelta(hours=1) if size == "hour" else timedelta(days=1))
    told = [moment.isoformat().replace("+00:00", "Z") for moment in (began, ended)]
    return {"id": start, "start": told[0], "end": told[1]}


def _spans(value: Any) -> list[tuple[str, str]]:
    """Pairs of times, as the plugin tells them: UTC, with fractions of seconds only where there are any."""
    spans = []
    for pair in value if isinstance(value, list) else []:
        if isinstance(pair, list | tuple) and len(pair) == 2:
            start, end = (read_time(time) for time in pair)
            if start and end:
                spans.append((start.replace(".000000Z", "Z"), end.replace(".000000Z", "Z")))
    return spans


def _batch_id(span: tuple[str, str], size: str) -> str:
    """The batch's start as dbt writes it into the names of files, cut to its size."""
    return span[0][: {"year": 4, "month": 7, "hour": 13}.get(size, 10)]


def batch_sql(node: Mapping[str, Any], batch: Batch, target: Path) -> str | None:
    """The SQL that dbt compiled for a batch, in a file of its own."""
    package, path = text_of(node, "package_name"), text_of(node, "original_file_path")
    if package is None or path is None:
        return None
    file = Path(path)
    place = target / "compiled" / package / file.with_suffix("") / f"{file.stem}_{batch['id']}{file.suffix}"
    try:
        return place.read_text(encoding="utf-8")
    except (OSError, ValueError):
        return None
