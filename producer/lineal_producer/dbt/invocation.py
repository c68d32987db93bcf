"""Describes the dbt command that is running, from dbt's own objects and the settings."""

from __future__ import annotations

import re
import sys
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, cast

from lineal_producer.border import warn_once
from lineal_producer.dbt.git import read_git
from lineal_producer.dbt.nodes import describe_invocation
from lineal_producer.naming import Namespaces, namespaces
from lineal_producer.runs import parse_parents
from lineal_producer.settings import Settings

if TYPE_CHECKING:
    from lineal_producer.descriptions import Invocation, RunRef

_VERSION: Final = re.compile(r"^Version: (\S+)", re.MULTILINE)
SELECTORS: Final = (
    "select",
    "exclude",
    "selector",
    "full_refresh",
    "resource_types",
    "exclude_resource_types",
    "empty",
    "defer",
)


def describe_running(settings: Settings, invocation_id: str, command: str, config: Any) -> Invocation:
    """The running command, of which `config` is dbt's own configuration, as a record."""
    names = _namespaces(settings, config)
    if names.warning:
        warn_once(f"Lineal: {names.warning}")
    parent, root = read_parents(settings)
    root_folder = Path(config.project_root).absolute()
    return describe_invocation(
        invocation_id=invocation_id,
        project=config.project_name,
        command=command,
        dbt_version=_dbt_version(),
        adapter=config.credentials.type,
        namespaces=names,
        target=getattr(config, "target_name", None),
        project_root=str(root_folder),
        target_path=str(config.target_path),
        job_namespace=settings.job_namespace,
        job_name=settings.job_name,
        parent=parent,
        root=root,
        git=read_git(root_folder),
        selectors=_selectors(config),
        sql_mode=cast('Literal["full", "hash", "none"]', settings.sql_mode),
        lineal_version=package_version("lineal"),
    )


def _dbt_version() -> str:
    """As dbt has it in memory: asking for its package takes a millisecond."""
    told = getattr(sys.modules.get("dbt.version"), "__version__", None)
    return told if isinstance(told, str) else package_version("dbt-core")


def package_version(package: str) -> str:
    """The installed version of a package, empty when it isn't installed as one."""
    try:
        head = distribution(package).read_text("METADATA") or ""
    except PackageNotFoundError:
        return ""
    found = _VERSION.search(head)  # the library's own way reads the whole file, which takes dbt a millisecond
    return found[1] if found else ""


def _namespaces(settings: Settings, config: Any) -> Namespaces:
    cwd = str(Path.cwd())
    try:
        return namespaces(config.credentials, cwd, config.project_name, settings.namespace_map)
    except ValueError as error:
        warn_once(f"Lineal: {error}; datasets keep the names that the connection gives them")
        return namespaces(config.credentials, cwd, config.project_name)


def read_parents(settings: Settings) -> tuple[RunRef | None, RunRef | None]:
    """The parent and the root that the environment names; none, with a warning, when it can't be read."""
    try:
        return parse_parents(settings.parent_env)
    except (ValueError, TypeError) as error:
        warn_once(f"Lineal: {error}; the runs of this invocation get no parent")
        return None, None


def _selectors(config: Any) -> dict[str, Any]:
    arguments = getattr(config, "args", None)
    found = {name: getattr(arguments, name, getattr(arguments, name.upper(), None)) for name in SELECTORS}
    return {name: list(value) if isinstance(value, tuple) else value for name, value in found.items() if value}
