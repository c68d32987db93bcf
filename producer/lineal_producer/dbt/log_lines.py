"""Lines of dbt's JSON log: one event each, and what they say of the command and of its nodes."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from lineal_producer.dbt.fields import mapping_of, text_of

_KNOWN: Final = {
    *("run", "build", "seed", "snapshot", "test", "retry", "clone", "freshness", "compile", "parse", "docs", "list"),
    *("ls", "show", "deps", "debug", "clean", "init", "run-operation"),
}
_VALUED: Final = {
    "--profiles-dir": "profiles_dir",
    "--profile": "profile",
    "--target": "target",
    "-t": "target",
    "--selector": "selector",
    "--target-path": "target_path",
    "--project-dir": "project_dir",
    "--state": "state",
    "--defer-state": "defer_state",
    **dict.fromkeys(("--log-format", "--log-format-file", "--log-level", "--log-level-file", "--log-path"), ""),
    **dict.fromkeys(("--threads", "--vars", "--printer-width", "--warn-error-options"), ""),
    **dict.fromkeys(("--event-time-start", "--event-time-end", "--indirect-selection", "--log-file-max-bytes"), ""),
}
_LISTED: Final = {
    **dict.fromkeys(("--select", "-s", "--models", "--model", "-m"), "select"),
    "--exclude": "exclude",
    **dict.fromkeys(("--resource-type", "--resource-types"), "resource_types"),
    **dict.fromkeys(("--exclude-resource-type", "--exclude-resource-types"), "exclude_resource_types"),
}
_FLAGS: Final = {"--full-refresh": "full_refresh", "-f": "full_refresh", "--empty": "empty", "--defer": "defer"}


@dataclass(frozen=True, slots=True)
class Line:
    """One event of the log; `info` and `data` are dbt's."""

    name: str
    info: Mapping[str, Any]
    data: Mapping[str, Any]

    @property
    def invocation_id(self) -> str:
        """The command that it is of."""
        return text_of(self.info, "invocation_id") or ""

    @property
    def at(self) -> str | None:
        """When it was written."""
        return text_of(self.info, "ts")

    @property
    def thread(self) -> str:
        """The thread of dbt's that wrote it."""
        return text_of(self.info, "thread") or text_of(self.info, "thread_name") or ""

    @property
    def node(self) -> Mapping[str, Any]:
        """The node that it is about, empty when it is about none."""
        return mapping_of(self.data, "node_info")


def read_line(line: bytes) -> Line | None:
    """The event in a line, None for anything else."""
    if not line.lstrip().startswith(b"{"):
        return None
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return None
    info = found.get("info") if isinstance(found, dict) else None
    if not isinstance(info, dict) or not isinstance(info.get("name"), str):
        return None
    data = found.get("data")
    return Line(info["name"], info, data if isinstance(data, dict) else {})


def read_arguments(command: str) -> dict[str, Any]:
    """dbt's arguments from its command line as the log has it, under the names of run_results.json."""
    try:
        words = shlex.split(command)
    except ValueError:  # the log has lost the quotes that were there
        words = command.split()
    found: dict[str, Any] = {}
    at = 1
    while at < len(words):
        option, equals, value = words[at].partition("=")
        at += 1
        if option in _FLAGS:
            found[_FLAGS[option]] = True
        elif option in _VALUED:
            if not equals and at < len(words):
                value, at = words[at], at + 1
            if _VALUED[option]:
                found[_VALUED[option]] = value
        elif option in _LISTED:
            listed = found.setdefault(_LISTED[option], [])
            listed.extend([value] if equals else [])
            while not equals and at < len(words) and not words[at].startswith("-"):
                listed.append(words[at])
                at += 1
        elif "which" not in found and words[at - 1] in _KNOWN:
            found["which"] = words[at - 1]
    return found


def whole_numbers(value: Any) -> Any:
    """The value with whole numbers as such: a log may write 3.0 for 3."""
    if isinstance(value, Mapping):
        return {key: whole_numbers(item) for key, item in value.items()}
    return int(value) if isinstance(value, float) and value.is_integer() else value
