"""`lineal-dbt emit`: tells of a dbt command after the fact, from what it left in target/."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from lineal_producer.dbt.artifacts import Artifacts, Catalog, read_artifacts, read_run_results, read_sources, target_of
from lineal_producer.dbt.commands import Where, describe_command
from lineal_producer.dbt.deferring import with_deferred
from lineal_producer.dbt.fields import mapping_of, text_of
from lineal_producer.dbt.hooks import COMMANDS
from lineal_producer.dbt.results import Finished
from lineal_producer.delivery import Delivery, counted, deliver
from lineal_producer.errors import ArtifactError
from lineal_producer.outbox_place import add_project_arguments, find_place, require_transport

_SECONDS: Final = 600.0
_FIRST: Final = "run `dbt build` first"
_NOBODY: Final = "00000000-0000-0000-0000-000000000000"  # every command would be one run
_OVERWRITES: Final = frozenset({"generate", "docs", "docs generate", "compile", "parse", "list", "ls", "show"})


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the command's options to its parser."""
    add_project_arguments(parser)
    parser.add_argument("--target-dir", type=Path, help="folder of the artifacts (default: the project's target/)")
    add_connection_arguments(parser)


def add_connection_arguments(parser: argparse.ArgumentParser) -> None:
    """The options that say which connection dbt used, where that isn't what dbt itself would use here."""
    parser.add_argument("--profiles-dir", type=Path, help="folder of profiles.yml (default: where dbt looks)")
    parser.add_argument("--profile", help="the profile (default: the project's)")
    parser.add_argument("--target", help="the profile's target (default: dbt's)")


def where_of(arguments: argparse.Namespace) -> Where:
    """What the options say."""
    target = arguments.target_dir or target_of(arguments.project_dir)
    return Where(arguments.project_dir, target, arguments.profiles_dir, arguments.profile, arguments.target)


def run(arguments: argparse.Namespace) -> int:
    """Runs the command: 0 when all that the artifacts tell was delivered, else 1."""
    place = find_place(arguments.project_dir)
    require_transport(place.settings)
    where = where_of(arguments)
    artifacts, problem = _read(where)
    warnings = list(artifacts.warnings)
    is_whole = problem is None
    for results in find_results(artifacts, warnings):
        args = mapping_of(results, "args")
        identity = text_of(mapping_of(results, "metadata"), "invocation_id") or ""
        manifest = with_deferred(artifacts.manifest, args, where.project_dir, warnings)
        invocation = describe_command(place.settings, where, manifest, identity, args)
        finished = Finished(
            replace(artifacts, manifest=manifest), results, invocation, warnings, place.settings.hooked_only
        )
        told = list(finished.tell())
        if not told:
            sys.stdout.write(f"dbt {invocation['command']} {identity}: nothing to tell\n")
            continue
        delivery = deliver(place, where.target_dir, identity, told, _SECONDS)
        is_whole = report(f"dbt {invocation['command']} {identity}", delivery) and is_whole
    if problem is not None:
        warnings = [f"{problem}; only the command itself is told"]
    for warning in warnings:
        sys.stderr.write(f"warning: {warning}\n")
    return 0 if is_whole else 1


def _read(where: Where) -> tuple[Artifacts, ArtifactError | None]:
    """The artifacts; without a manifest that can be read, an empty one and why, if there is anything else to tell."""
    try:
        return read_artifacts(where.project_dir, where.target_dir), None
    except ArtifactError as error:
        if not os.access(where.target_dir / "run_results.json", os.F_OK):
            raise
        manifest: dict[str, Any] = {"metadata": {}, "nodes": {}, "sources": {}}
        return Artifacts(where.project_dir, where.target_dir, manifest, None, Catalog.empty(), ()), error


def report(what: str, delivery: Delivery) -> bool:
    """Say what became of a command's events; whether all is well."""
    told = [f"{what}: {counted(delivery.sent, 'event')} sent"]
    if delivery.refused:
        told.append(f"{delivery.refused} refused (`lineal-dbt status` shows the answers)")
    if not delivery.is_complete:
        left = "the rest waits for `lineal-dbt flush`" if delivery.is_kept else "the rest is lost: run it again"
        told.append(f"{left}{f', because {delivery.problem}' if delivery.problem else ''}")
    sys.stdout.write(", ".join(told) + "\n")
    return delivery.is_complete and not delivery.refused


def find_results(artifacts: Artifacts, warnings: list[str]) -> list[Mapping[str, Any]]:
    """The results that belong to the manifest: of nodes, of sources' freshness; ArtifactError when none do."""
    found: list[Mapping[str, Any]] = []
    problems: list[ArtifactError] = []
    for name, read in (("run_results.json", read_run_results), ("sources.json", read_sources)):
        path = artifacts.target / name
        if not os.access(path, os.F_OK):
            continue
        try:
            results = read(artifacts.target, warnings)
        except ArtifactError as error:
            warnings.append(f"{error}; going on without it")
            problems.append(error)
            continue
        problem = None if results is None else _problem(path, results, text_of(artifacts.metadata, "invocation_id"))
        if problem is not None:
            problems.append(problem)
        elif results is not None:
            found.append(results)
    if not found:
        raise problems[0] if problems else ArtifactError(artifacts.target, "there is no run_results.json", _FIRST)
    return found


def _problem(path: Path, results: Mapping[str, Any], told: str | None) -> ArtifactError | None:
    """Why results can't be told with this manifest, None when they can."""
    which = text_of(mapping_of(results, "args"), "which")
    if which in _OVERWRITES:
        command = "docs generate" if which in ("generate", "docs") else which
        reason = f"`dbt {command}` has overwritten what the run before it left"
        return ArtifactError(path, reason, "run `lineal-dbt emit` before it, or give it another --target-path")
    if which is not None and which not in COMMANDS:
        return ArtifactError(path, f"`dbt {which}` builds and checks nothing", _FIRST)
    identity = text_of(mapping_of(results, "metadata"), "invocation_id")
    if identity is None or identity == _NOBODY:
        return ArtifactError(path, "it doesn't tell its invocation_id", "run `dbt build` again")
    if told is not None and identity != told:
        reason = f"is of another command ({identity}) than manifest.json ({told})"
        return ArtifactError(path, reason, "run `lineal-dbt emit` right after the command, before any other")
    return None
