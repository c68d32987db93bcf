"""Describes a dbt command that is over, or runs elsewhere, from what its artifacts or its log say of it."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, cast

from lineal_producer.border import warn_once
from lineal_producer.dbt.fields import mapping_of, text_of
from lineal_producer.dbt.git import read_git
from lineal_producer.dbt.invocation import SELECTORS, package_version, read_parents
from lineal_producer.dbt.nodes import adapter_of, describe_invocation
from lineal_producer.dbt.profiles import Asked, name_connection, read_connection, read_yaml
from lineal_producer.descriptions import Invocation
from lineal_producer.naming import parse_namespace_map
from lineal_producer.settings import Settings, default_profiles_dir, expanded, variables_of_dbt


@dataclass(frozen=True, slots=True)
class Where:
    """The folders and the connection that a command line names; None for what it doesn't."""

    project_dir: Path
    target_dir: Path
    profiles_dir: Path | None = None
    profile: str | None = None
    target: str | None = None


def describe_command(
    settings: Settings, where: Where, manifest: Mapping[str, Any], invocation_id: str, args: Mapping[str, Any]
) -> Invocation:
    """The command as a record; `args` are dbt's own, as run_results.json has them. Warns of names that aren't sure."""
    metadata = mapping_of(manifest, "metadata")
    project = project_name(manifest, where.project_dir)
    adapter = adapter_of(manifest)
    connection = read_connection(where.project_dir, _asked(where, args))
    names = name_connection(connection, adapter, project, str(Path.cwd()), _checked_map(settings))
    if names.warning:
        warn_once(f"Lineal: {names.warning}")
    parent, root = read_parents(settings)
    root_folder = where.project_dir.absolute()
    return describe_invocation(
        invocation_id=invocation_id,
        project=project,
        command=text_of(args, "which") or "unknown",
        dbt_version=text_of(metadata, "dbt_version") or "unknown",
        adapter=names.adapter if adapter == "unknown" else adapter,
        namespaces=names,
        target=connection.target,
        project_root=str(root_folder),
        target_path=str(where.target_dir.absolute()),
        job_namespace=settings.job_namespace,
        job_name=settings.job_name,
        parent=parent,
        root=root,
        git=read_git(root_folder),
        selectors={name: args[name] for name in SELECTORS if args.get(name)},
        sql_mode=cast('Literal["full", "hash", "none"]', settings.sql_mode),
        lineal_version=package_version("lineal"),
    )


def project_name(manifest: Mapping[str, Any], project_dir: Path) -> str:
    """The project's name: the manifest's, the package that has its id, dbt_project.yml's, or the folder's."""
    metadata = mapping_of(manifest, "metadata")
    if told := text_of(metadata, "project_name"):
        return told
    packages = {text_of(node, "package_name") for node in mapping_of(manifest, "nodes").values()}
    identity = text_of(metadata, "project_id")
    for package in sorted(package for package in packages if package):
        if hashlib.md5(package.encode(), usedforsecurity=False).hexdigest() == identity:
            return package
    project = read_yaml(project_dir / "dbt_project.yml")
    named = project.get("name") if isinstance(project, Mapping) else None
    return str(named) if named else project_dir.resolve().name


def _asked(where: Where, args: Mapping[str, Any]) -> Asked:
    """What the command line says, else what dbt was told, else where dbt itself looks."""
    variables = variables_of_dbt()
    folders: list[Path] = []
    if where.profiles_dir is not None:
        folders.append(where.profiles_dir)
    else:
        told = [text_of(args, "profiles_dir"), variables.get("DBT_PROFILES_DIR")]
        folders += [expanded(folder) for folder in told if folder]
        last = default_profiles_dir()
        folders += [Path(), where.project_dir, *([last] if last else [])]
    given = mapping_of(args, "vars")
    return Asked(
        profiles_dirs=tuple(dict.fromkeys(folder.absolute() for folder in folders)),
        environment=variables,
        profile=where.profile or text_of(args, "profile") or variables.get("DBT_PROFILE"),
        target=where.target or text_of(args, "target") or variables.get("DBT_TARGET"),
        variables=given,
    )


def _checked_map(settings: Settings) -> str | None:
    try:
        parse_namespace_map(settings.namespace_map)
    except ValueError as error:
        warn_once(f"Lineal: {error}; datasets keep the names that the connection gives them")
        return None
    return settings.namespace_map
