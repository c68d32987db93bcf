"""What target/ has of a command whose log is read: its nodes with the SQL that ran, its arguments, its sources."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from lineal_producer.clock import read_time
from lineal_producer.dbt.artifacts import Artifacts, Catalog, read_artifacts, read_run_results, read_sources
from lineal_producer.dbt.compiled import find_sql
from lineal_producer.dbt.deferring import as_cloned, with_deferred
from lineal_producer.dbt.exposures import describe_exposures, describe_hooks
from lineal_producer.dbt.fields import mapping_of, text_of
from lineal_producer.dbt.nodes import describe_node
from lineal_producer.dbt.results import FAILED, as_ran, batch_of, batch_sql
from lineal_producer.descriptions import Described, Exposure, Hook, Invocation, Node
from lineal_producer.errors import ArtifactError
from lineal_producer.records import NodeEnd

Describe = Callable[[Mapping[str, Any], str, Mapping[str, Any]], Invocation]
_VERSION = re.compile(r"v\w+")


@dataclass(slots=True)
class LogRun:
    """One node, or one batch, as the log has told of it so far."""

    unique_id: str
    info: Mapping[str, Any]
    started: str
    batch_start: str | None = None
    is_executing: bool = False
    is_written: bool = False
    is_done: bool = False
    end: NodeEnd | None = None

    @property
    def key(self) -> str:
        """What its records are told apart by."""
        return self.unique_id if self.batch_start is None else f"{self.unique_id}|{self.batch_start}"


@dataclass(slots=True)
class Shelf:
    """The artifacts of one command; `problem` says why there are none."""

    invocation_id: str
    project_dir: Path
    target: Path
    args: dict[str, Any] = field(default_factory=dict)
    problem: str | None = None
    _artifacts: Artifacts | None = None
    _described: Described = field(default_factory=dict)

    def look_again(self, target: Path | None = None) -> None:
        """Read the artifacts anew when they are asked for next: dbt has written them."""
        self.target = target or self.target
        self._artifacts = None

    def manifest(self) -> Mapping[str, Any]:
        """The manifest, empty when there is none."""
        if self._artifacts is None:
            try:
                found = read_artifacts(self.project_dir, self.target)
                problems: list[str] = []
                manifest = with_deferred(found.manifest, {**self.args, **self.arguments()}, self.project_dir, problems)
                self._artifacts = replace(found, manifest=manifest)
                self.problem = next(iter(problems), self.problem)
            except ArtifactError as error:
                self.problem = self.problem or f"{error}; nodes are told without what they read"
                self._artifacts = Artifacts(self.project_dir, self.target, {}, None, Catalog.empty(), ())
        return self._artifacts.manifest

    def find(self, unique_id: str) -> dict[str, Any]:
        """A node of the manifest, empty when it isn't there."""
        parts = (mapping_of(self.manifest(), part) for part in ("nodes", "sources", "unit_tests"))
        found = next((part[unique_id] for part in parts if unique_id in part), None)
        return found if isinstance(found, dict) else {}

    def is_final(self) -> bool:
        """Whether the manifest was written at the command's end, with the SQL that ran."""
        nodes = mapping_of(self.manifest(), "nodes")
        return self._is_ours(self.manifest()) and any(text_of(node, "compiled_code") for node in nodes.values())

    def _is_ours(self, artifact: Mapping[str, Any]) -> bool:
        return text_of(mapping_of(artifact, "metadata"), "invocation_id") == self.invocation_id

    def describe(self, run: LogRun, adapter: str) -> Node:
        """The node that ran, with its SQL when that is known to be this command's."""
        found, manifest = self.find(run.unique_id), self.manifest()
        if not found:
            return describe_node(_bare_node(run), {}, adapter)
        batch = None if run.batch_start is None else batch_of(found, run.batch_start)
        if batch is not None:
            sql = batch_sql(found, batch, self.target)
        elif run.unique_id.partition(".")[0] in {"seed", "source"} or not self._is_ours(manifest):
            sql = None
        elif run.end is not None and run.end["status"] in FAILED and not run.is_executing:
            sql = text_of(found, "compiled_code") or text_of(found, "compiled_sql")  # a file may be of an earlier run
        else:
            sql = find_sql(found, manifest, self.project_dir, self.target)
        node = describe_node(as_ran(found, sql, batch), manifest, adapter, self._described)
        return as_cloned(node, found, adapter) if self.args.get("which") == "clone" else node

    def exposures(self, ran: set[str], adapter: str) -> list[Exposure]:
        """The exposures that read what ran."""
        return describe_exposures(self.manifest(), adapter, ran, self._described)

    def hooks(self, ran: set[str]) -> list[Hook]:
        """The SQL around what ran."""
        return describe_hooks(self.manifest(), ran)

    def arguments(self) -> dict[str, Any]:
        """dbt's arguments by run_results.json, when it is this command's."""
        try:
            found = read_run_results(self.target)
        except ArtifactError:
            return {}
        return dict(mapping_of(found, "args")) if self._is_ours(found) else {}

    def messages(self) -> dict[str, str]:
        """What run_results.json says of each node, when it is this command's: Fusion's log doesn't say it."""
        try:
            found = read_run_results(self.target)
        except ArtifactError:
            return {}
        results = found["results"] if self._is_ours(found) else []
        told = {text_of(one, "unique_id"): text_of(one, "message") for one in results if type(one) is dict}
        return {unique_id: message for unique_id, message in told.items() if unique_id and message}

    def newest_rows(self) -> dict[str, str]:
        """When the newest rows of sources were made, by sources.json, when it is this command's."""
        try:
            found = read_sources(self.target)
        except ArtifactError:
            return {}
        results = found["results"] if found is not None and self._is_ours(found) else []
        told = {text_of(one, "unique_id"): read_time(one.get("max_loaded_at")) for one in results if type(one) is dict}
        return {unique_id: time for unique_id, time in told.items() if unique_id and time}


def _bare_node(run: LogRun) -> dict[str, Any]:
    """What the log itself says of a node."""
    relation, parts = mapping_of(run.info, "node_relation"), run.unique_id.split(".")
    is_versioned = parts[0] == "model" and len(parts) > 3 and _VERSION.fullmatch(parts[-1]) is not None
    return {
        "unique_id": run.unique_id,
        "resource_type": text_of(run.info, "resource_type") or parts[0],
        "package_name": parts[1] if len(parts) > 1 else None,
        "name": text_of(run.info, "node_name"),
        "version": parts[-1].removeprefix("v") if is_versioned else None,
        "alias": text_of(relation, "alias"),
        "database": text_of(relation, "database"),
        "schema": text_of(relation, "schema"),
        "relation_name": text_of(relation, "relation_name"),
        "config": {"materialized": text_of(run.info, "materialized")},
    }
