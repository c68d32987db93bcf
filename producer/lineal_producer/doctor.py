"""`lineal-dbt doctor`: whether lineage would arrive, line by line, each with its remedy."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Literal

from lineal_producer.dbt.artifacts import read_artifacts
from lineal_producer.dbt_environment import find_dbt, plugin_seen_by
from lineal_producer.errors import ArtifactError, LinealError
from lineal_producer.outbox_place import Place, add_project_arguments, find_place, require_transport
from lineal_producer.status_command import outbox_status

Verdict = Literal["ok", "warn", "fail"]


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was looked at; `remedy` says what to do unless it is ok."""

    name: str
    verdict: Verdict
    found: str
    remedy: str | None = None


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the command's options to its parser."""
    add_project_arguments(parser)
    parser.add_argument("--format", choices=["text", "json"], default="text", help="how to write it (default: text)")


def run(arguments: argparse.Namespace) -> int:
    """Runs the command: 1 when something fails."""
    checks = list(examine(arguments.project_dir))
    if arguments.format == "json":
        sys.stdout.write(json.dumps([asdict(check) for check in checks], indent=2) + "\n")
    else:
        for check in checks:
            remedy = f"\n{'':6}{'':12} -> {check.remedy}" if check.remedy else ""
            sys.stdout.write(f"{check.verdict:5} {check.name:12} {check.found}{remedy}\n")
    return 1 if any(check.verdict == "fail" for check in checks) else 0


def examine(project_dir: Path) -> Iterator[Check]:
    """Every check, in the order in which lineage travels."""
    yield from _check_dbt()
    try:
        place = find_place(project_dir)
    except ArtifactError as error:
        yield Check("project", "fail", f"{error.path}: {error.reason}", error.remedy)
        return
    except LinealError as error:
        yield Check("settings", "fail", str(error), "correct or unset it")
        return
    yield from _check_transport(place)
    yield from _check_outbox(place)
    yield _check_volume(place)
    yield _check_columns(project_dir, place.settings.read_columns)


def _check_dbt() -> Iterator[Check]:
    dbt = find_dbt()
    if dbt is None:
        remedy = "activate the environment where dbt lives, and install lineal there: `pip install lineal`"
        yield Check("dbt", "fail", "no dbt on PATH", remedy)
        return
    yield Check(
        "dbt", "ok" if dbt.version else "warn", f"{dbt.version or 'unknown version'} at {dbt.executable}", dbt.remedy
    )
    if dbt.python is None:
        remedy = "only dbt-core, a Python package, loads plugins: `pip install dbt-core` and its adapter beside lineal"
        yield Check("plugin", "warn", f"{dbt.executable} is no Python script", remedy)
        return
    seen = plugin_seen_by(dbt)
    remedy = (
        f"install lineal where dbt lives: `{dbt.python} -m pip install lineal` (pipx: `pipx inject dbt-core lineal`)"
    )
    yield Check("plugin", "ok" if seen.is_seen else "fail", seen.found, None if seen.is_seen else seen.remedy or remedy)


def _check_transport(place: Place) -> Iterator[Check]:
    settings = place.settings
    try:
        require_transport(settings)
    except LinealError as error:
        found, _, remedy = str(error).partition("; ")
        yield Check("transport", "fail", found, remedy or None)
        return
    yield Check("transport", "ok", f"{settings.destination.name} ({settings.reason})")
    # Loaded only now: a broken environment should still get the lines above.
    from lineal_producer.probe import probe_doors

    try:
        probes = probe_doors()
    except LinealError as error:
        found, _, remedy = str(error).rpartition("; ")
        yield Check("receiver", "fail", found, remedy)
        return
    for probe in probes:
        yield Check("receiver", probe.verdict, probe.found, probe.remedy)


def _check_outbox(place: Place) -> Iterator[Check]:
    folder = place.settings.state_dir
    existing = next(path for path in (folder, *folder.parents) if os.access(path, os.F_OK))
    if not os.access(existing, os.W_OK):
        remedy = "set LINEAL_STATE_DIR to a folder that can be written to"
        yield Check("outbox", "fail", f"{existing} can't be written to", remedy)
    told = outbox_status(place)
    if told["waiting"]:
        verdict: Verdict = "warn"
        found = f"{told['waiting']} {_wait(told['waiting'])} in {told['outbox']}"
        yield Check("outbox", verdict, found, "`lineal-dbt flush` sends them")
    else:
        yield Check("outbox", "ok", f"nothing waits in {told['outbox']}")
    if told["waitingForOthers"]:
        found = f"{told['waitingForOthers']} {_wait(told['waitingForOthers'])} for other destinations"
        yield Check("outbox", "warn", found, "run `lineal-dbt flush` with the configuration that they were made with")
    if told["rejected"]:
        first = told["answers"][0]
        refused = "event was" if told["rejected"] == 1 else "events were"
        found = f"{told['rejected']} {refused} refused, most with {first['status']}: {first['answer'][:200]}"
        yield Check("outbox", "warn", found, "`lineal-dbt status` shows all; `lineal-dbt flush --rejected` tries again")


def _wait(runs: int) -> str:
    return "run waits" if runs == 1 else "runs wait"


def _check_volume(place: Place) -> Check:
    folder = place.settings.state_dir
    if not place.settings.in_container:
        return Check("volume", "ok", "not in a container")
    existing = next(path for path in (folder, *folder.parents) if os.access(path, os.F_OK))
    if existing.stat().st_dev != Path("/").stat().st_dev:
        return Check("volume", "ok", f"{folder} is on a volume")
    remedy = f"mount a volume at {folder}, or set LINEAL_STATE_DIR to one; or raise LINEAL_BUDGET_SECONDS"
    return Check("volume", "warn", f"in a container, and {folder} dies with it: so does what waits there", remedy)


def _check_columns(project_dir: Path, are_read: bool) -> Check:
    try:
        artifacts = read_artifacts(project_dir)
    except ArtifactError as error:
        return Check("columns", "warn", f"{error.path}: {error.reason}", error.remedy)
    nodes = {**artifacts.manifest["nodes"], **(artifacts.manifest.get("sources") or {})}
    kinds = ("model", "seed", "snapshot", "source")
    relations = [key for key, node in nodes.items() if node.get("resource_type") in kinds]
    known = [key for key in relations if key in artifacts.catalog.columns]
    columns = sum(len(artifacts.catalog.columns[key]) for key in known)
    counted = f"columns ({columns})" if columns else "columns"
    found = f"{len(known)} of {len(relations)} relations have their {counted} in catalog.json"
    if len(known) == len(relations) or are_read:
        return Check(
            "columns", "ok", f"{found}; the others are read while dbt runs" if len(known) < len(relations) else found
        )
    return Check("columns", "warn", found, "unset LINEAL_READ_COLUMNS, or run `dbt docs generate`")
