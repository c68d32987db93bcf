"""The connection that a dbt command used, from profiles.yml: read without dbt, and no more of it than names need."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from lineal_producer.naming import Namespaces, namespaces, parse_namespace_map
from lineal_producer.naming.store import Store

_EXPRESSION: Final = re.compile(r"\{\{-?\s*(.*?)\s*-?\}\}", re.DOTALL)
_TEXT: Final = r"""(?:'([^']*)'|"([^"]*)")"""
_CALL: Final = re.compile(
    rf"(env_var|var)\(\s*{_TEXT}\s*(?:,\s*(?:default\s*=\s*)?(?:{_TEXT}|([\w.]+))\s*)?\)((?:\s*\|\s*\w+)*)"
)
_FILTERS: Final = {"as_number", "as_bool", "as_native", "as_text", "int", "string", "trim", "lower", "upper"}


@dataclass(frozen=True, slots=True)
class Asked:
    """What decides which connection is meant, as far as it was told; `variables` are dbt's and the environment's."""

    profiles_dirs: tuple[Path, ...]
    environment: Mapping[str, str]
    profile: str | None = None
    target: str | None = None
    variables: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Connection:
    """One output of a profile, and the name of its target; `problem` says why there is none."""

    output: Mapping[str, Any] | None
    target: str | None
    problem: str | None = None


class Output(dict[str, Any]):
    """A profile's output in which some fields could not be rendered; `missed` are those that were asked for."""

    def __init__(self, fields: Mapping[str, Any], unrendered: set[str]) -> None:
        super().__init__(fields)
        self._unrendered = unrendered
        self.missed: set[str] = set()

    def get(self, key: str, default: Any = None) -> Any:
        """The field, None for one that could not be rendered."""
        if key in self._unrendered:
            self.missed.add(key)
        return super().get(key, default)


def read_connection(project_dir: Path, asked: Asked) -> Connection:
    """The connection of a project by the first profiles.yml that has its profile."""
    project = read_yaml(project_dir / "dbt_project.yml")
    configured = project.get("profile") if isinstance(project, Mapping) else None
    name = asked.profile or (_render(configured, asked) if isinstance(configured, str) else None)
    files = list(dict.fromkeys(folder / "profiles.yml" for folder in asked.profiles_dirs))
    found = [(path, content) for path in files if isinstance(content := read_yaml(path), Mapping)]
    if not found:
        return Connection(None, asked.target, f"no profiles.yml in {', '.join(str(path.parent) for path in files)}")
    if name is None:  # the artifacts alone: a file with one profile can only mean that
        profiles = [key for key in found[0][1] if key != "config"]
        name = profiles[0] if len(profiles) == 1 else None
    for path, content in found:
        profile = content.get(name)
        if isinstance(profile, Mapping):
            return _connection(path, str(name), profile, asked)
    return Connection(None, asked.target, f"{found[0][0]} has no profile {name!r}")


def _connection(path: Path, name: str, profile: Mapping[str, Any], asked: Asked) -> Connection:
    told = profile.get("target")
    target = asked.target or (_render(told, asked) if isinstance(told, str) else None) or "default"
    outputs = profile.get("outputs")
    output = outputs.get(target) if isinstance(outputs, Mapping) else None
    if not isinstance(output, Mapping):
        return Connection(None, target, f"profile {name!r} in {path} has no output {target!r}")
    rendered = {str(key): _render(value, asked) for key, value in output.items()}
    unrendered = {key for key, value in output.items() if value is not None and rendered[str(key)] is None}
    return Connection(Output(rendered, unrendered), target)


def name_connection(
    connection: Connection, adapter: str, project: str, cwd: str, namespace_map: str | None
) -> Namespaces:
    """The namespaces of a connection; a generic one, with a warning, when it isn't known."""
    renames = parse_namespace_map(namespace_map)
    output, problem = connection.output, connection.problem
    if output is not None:
        kind = str(output.get("type") or "")
        if kind == adapter or adapter == "unknown":
            named = namespaces(output, cwd, project, namespace_map)
            missed = sorted(output.missed) if isinstance(output, Output) else []
            unknown = f"{_listed(missed)} of the profile can't be told here"
            if "path" not in missed:  # without it DuckDB's would be a database in memory
                if missed and named.warning is None and named.default.namespace not in renames:
                    return _warned(named, f"{unknown}, and names may need it")
                return named
            problem = unknown
        else:
            problem = f"the profile is for {kind or 'no adapter'}, the artifacts are of {adapter}"
    warning = (
        f"{problem}: datasets get the namespace {adapter}; give --profiles-dir, --profile and --target, "
        f"or name it with LINEAL_NAMESPACE_MAP={adapter}=..."
    )
    return Namespaces(
        adapter, Store(adapter), renames=renames, cwd=cwd, warning=None if adapter in renames else warning
    )


def _warned(named: Namespaces, warning: str) -> Namespaces:
    return Namespaces.from_json({**named.to_json(), "warning": warning})


def _listed(names: list[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def read_yaml(path: Path) -> Any:
    """The content of a YAML file, None when it isn't there or can't be read."""
    import yaml  # type: ignore[import-untyped] # its stubs are no dependency of ours

    try:
        return yaml.safe_load(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, yaml.YAMLError):
        return None


def _render(value: Any, asked: Asked) -> Any:
    """A value as `_rendered` gives it, None when it can't be told."""
    try:
        return _rendered(value, asked)
    except LookupError:
        return None


def _rendered(value: Any, asked: Asked) -> Any:
    """A value with its `env_var` and `var` replaced; LookupError for other Jinja and for what isn't set."""
    if isinstance(value, Mapping):
        return {key: _rendered(item, asked) for key, item in value.items()}
    if isinstance(value, list):
        return [_rendered(item, asked) for item in value]
    if not isinstance(value, str) or "{" not in value:
        return value
    if "{%" in value:
        raise LookupError(value)
    return "".join(_pieces(value, asked))


def _pieces(text: str, asked: Asked) -> Iterator[str]:
    at = 0
    for found in _EXPRESSION.finditer(text):
        yield text[at : found.start()]
        yield _value(found.group(1), asked)
        at = found.end()
    yield text[at:]


def _value(expression: str, asked: Asked) -> str:
    call = _CALL.fullmatch(expression)
    if call is None:
        raise LookupError(expression)
    kind, *quoted, bare, filters = call.groups()
    name, default = quoted[0] or quoted[1] or "", next((one for one in (*quoted[2:], bare) if one is not None), None)
    known: Mapping[str, Any] = asked.environment if kind == "env_var" else asked.variables
    value = known.get(name, default)
    applied = [one.strip() for one in filters.split("|") if one.strip()]
    if value is None or not _FILTERS.issuperset(applied):
        raise LookupError(expression)
    text = str(value)
    for one in applied:
        text = {"trim": text.strip(), "lower": text.lower(), "upper": text.upper()}.get(one, text)
    return text
