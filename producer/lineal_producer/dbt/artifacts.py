"""Reads what dbt leaves in target/: manifest.json, run_results.json, catalog.json; errors are one sentence."""

import json
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lineal_producer.clock import read_time
from lineal_producer.descriptions import Relation
from lineal_producer.errors import ArtifactError
from lineal_producer.settings import target_path_of_dbt

NEWEST_MANIFEST = 12
NEWEST_RESULTS = 6
NEWEST_SOURCES = 3
Columns = list[tuple[str, str | None]]

_VERSION = re.compile(r"/v(\d+)\.json$")
_TARGET_PATH = re.compile(r"""^target-path:\s*["']?([^"'#\n]+?)["']?\s*(?:#.*)?$""", re.MULTILINE)
_FIRST = "run `dbt compile` or `dbt build` first"
_ELSEWHERE = f"{_FIRST}, or give the folder of the dbt project with --project-dir"
_AGAIN = "run `dbt compile` or `dbt build` again"


@dataclass(frozen=True, slots=True)
class Catalog:
    """The columns and the spelling of relations at the time of `dbt docs generate`, `made`."""

    columns: Mapping[str, Columns]
    relations: Mapping[str, Relation]
    made: str | None = None

    @staticmethod
    def empty() -> "Catalog":
        """The catalog of a project that has none."""
        return Catalog({}, {})


@dataclass(frozen=True, slots=True)
class Artifacts:
    """One project's target/; `warnings` tell what could not be used."""

    project_dir: Path
    target: Path
    manifest: dict[str, Any]
    version: int | None
    catalog: Catalog
    warnings: tuple[str, ...]

    @property
    def metadata(self) -> dict[str, Any]:
        """The manifest's metadata."""
        return dict(self.manifest["metadata"])


def target_of(project_dir: Path) -> Path:
    """Where the project's artifacts are by DBT_TARGET_PATH, else its dbt_project.yml; `target` when neither says."""
    if told := target_path_of_dbt():
        return project_dir / told
    try:
        text = (project_dir / "dbt_project.yml").read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        text = ""
    found = _TARGET_PATH.search(text)
    if found is None or "{{" in found.group(1):
        return project_dir / "target"
    return project_dir / found.group(1).strip()


def read_artifacts(project_dir: Path, target: Path | None = None) -> Artifacts:
    """The manifest and the catalog of a project; ArtifactError when there is no manifest to read."""
    if not project_dir.is_dir():
        raise ArtifactError(project_dir, "no such folder", "give the folder of a dbt project with --project-dir")
    target = target or target_of(project_dir)
    path = target / "manifest.json"
    if not path.is_file():
        is_project = os.access(project_dir / "dbt_project.yml", os.F_OK)
        raise ArtifactError(target, "there is no manifest.json", _FIRST if is_project else _ELSEWHERE)
    manifest = _read_object(path, _AGAIN)
    warnings: list[str] = []
    version = _check_manifest(path, manifest, warnings)
    return Artifacts(project_dir, target, manifest, version, read_catalog(target, warnings), tuple(warnings))


def read_catalog(target: Path, warnings: list[str]) -> Catalog:
    """catalog.json, empty when there is none; one that can't be read is told and left out."""
    path = target / "catalog.json"
    if not os.access(path, os.F_OK):
        return Catalog.empty()
    try:
        found = _read_object(path, "run `dbt docs generate` again")
    except ArtifactError as broken:
        warnings.append(f"{broken}; going on without it")
        return Catalog.empty()
    columns: dict[str, Columns] = {}
    relations: dict[str, Relation] = {}
    for part in ("nodes", "sources"):
        entries = found.get(part)
        for unique_id, entry in (entries if isinstance(entries, dict) else {}).items():
            read = _catalog_entry(entry)
            if read is None:
                warnings.append(f"{path}: the entry of {unique_id} can't be read; going on without it")
            else:
                columns[unique_id], relations[unique_id] = read
    metadata = found.get("metadata")
    return Catalog(columns, relations, read_time(metadata.get("generated_at")) if isinstance(metadata, dict) else None)


def _catalog_entry(entry: Any) -> tuple[Columns, Relation] | None:
    try:
        told = sorted(entry["columns"].values(), key=lambda column: int(column["index"]))
        columns: Columns = [(str(column["name"]), column.get("type")) for column in told]
        place = entry["metadata"]
        return columns, (place.get("database"), place.get("schema"), str(place["name"]))
    except (AttributeError, KeyError, TypeError, ValueError):
        return None


def read_run_results(target: Path, warnings: list[str] | None = None) -> dict[str, Any]:
    """run_results.json as it is; ArtifactError when it is missing or broken."""
    path = target / "run_results.json"
    if not path.is_file():
        raise ArtifactError(target, "there is no run_results.json", "run `dbt build` first")
    results = _read_object(path, "run `dbt build` again")
    if not isinstance(results.get("results"), list):
        raise ArtifactError(path, "it has no list of results", "run `dbt build` again")
    _version_of(path, results, NEWEST_RESULTS, warnings)
    return results


def read_sources(target: Path, warnings: list[str] | None = None) -> dict[str, Any] | None:
    """What `dbt source freshness` found, with its command; None without it, ArtifactError when it is broken."""
    path = target / "sources.json"
    if not os.access(path, os.F_OK):
        return None
    found = _read_object(path, "run `dbt source freshness` again")
    if not isinstance(found.get("results"), list):
        raise ArtifactError(path, "it has no list of results", "run `dbt source freshness` again")
    _version_of(path, found, NEWEST_SOURCES, warnings)
    return {**found, "args": {"which": "freshness"}}


def _read_object(path: Path, remedy: str) -> dict[str, Any]:
    try:
        found = json.loads(path.read_bytes())
    except OSError as broken:
        raise ArtifactError(path, f"can't be read ({broken.strerror})", "check its permissions") from broken
    except (ValueError, RecursionError) as broken:
        raise ArtifactError(path, f"is not whole JSON ({broken})", remedy) from broken
    if not isinstance(found, dict):
        raise ArtifactError(path, "is not a JSON object", remedy)
    return found


def _check_manifest(path: Path, manifest: dict[str, Any], warnings: list[str]) -> int | None:
    """The manifest's version; entries that aren't nodes are taken out and told."""
    metadata = manifest.get("metadata")
    if not isinstance(metadata, dict) or not isinstance(manifest.get("nodes"), dict):
        raise ArtifactError(path, "is not a manifest of dbt: it has no metadata or no nodes", _AGAIN)
    version = _version_of(path, manifest, NEWEST_MANIFEST, warnings)
    for part in ("nodes", "sources"):
        entries = manifest.get(part)
        kept = entries if isinstance(entries, dict) else {}
        manifest[part] = {key: node for key, node in kept.items() if _is_node(node)}
        broken = kept.keys() - manifest[part].keys()
        warnings.extend(f"{path}: {key} can't be read as a node; going on without it" for key in sorted(broken))
    return version


def _version_of(path: Path, artifact: dict[str, Any], newest: int, warnings: list[str] | None) -> int | None:
    """The version that an artifact tells; one that isn't known is told and read as the newest that is."""
    metadata = artifact.get("metadata")
    found = _VERSION.search(str(metadata.get("dbt_schema_version"))) if isinstance(metadata, dict) else None
    version = int(found.group(1)) if found else None
    told = [] if warnings is None else warnings
    if version is None:
        told.append(f"{path}: its version is not told; read as v{newest}")
    elif version > newest:
        told.append(f"{path}: {path.stem} v{version} is newer than v{newest}, the newest known; read as that")
    return version


def _is_node(node: Any) -> bool:
    return (
        isinstance(node, dict)
        and isinstance(node.get("unique_id"), str)
        and isinstance(node.get("resource_type"), str)
        and isinstance(node.get("config") or {}, dict)
        and isinstance(node.get("depends_on") or {}, dict)
        and isinstance(node.get("columns") or {}, dict)
    )
