"""Which receiver the events go to, told apart without its credentials: what waits for one is never sent to another."""

from __future__ import annotations

import contextlib
import hashlib
import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple
from urllib.parse import urlsplit, urlunsplit

_PREFIX: Final = "OPENLINEAGE__TRANSPORT"
# What tells one destination from another, by kind; anything else in a transport's configuration is how, not where to.
_WHERE: Final = {
    "http": ("url", "endpoint"),
    "async_http": ("url", "endpoint"),
    "datadog": ("site",),
    "kafka": ("topic", "config"),
    "msk-iam": ("topic", "config"),
    "file": ("log_file_path", "append"),
    "amazon_datazone_api": ("domainid", "region", "endpointoverride"),
    "gcplineage": ("project_id", "location"),
}
_BROKERS: Final = ("bootstrap.servers", "metadata.broker.list")
_HTTP: Final = re.compile(r"https?://[^/?#]", re.IGNORECASE)
_NO_TYPE: Final = (
    "the OpenLineage transport has no `type`; set OPENLINEAGE_URL, OPENLINEAGE__TRANSPORT__TYPE "
    "or `type:` in openlineage.yml"
)


class Destination(NamedTuple):
    """A transport's kind and where it leads, without credentials; `problem` says why its file can't be read."""

    kind: str
    name: str
    problem: str | None = None

    @property
    def hash(self) -> str:
        """Sixteen hex digits that tell this destination from another."""
        return hashlib.sha256(f"{self.kind}\n{self.name}".encode()).hexdigest()[:16]


def read_destination(env: Mapping[str, str], config_file: Path | None, cwd: Path) -> Destination:
    """The destination that the environment and the configuration file name, the way openlineage-python merges them."""
    from_file, problem = _file_transport(config_file)
    config = _env_transport(env)
    _merge(config, from_file)  # the file wins, as it does in openlineage-python
    if not config.get("type") and (url := env.get("OPENLINEAGE_URL")):
        config = {"type": "http", "url": url, "endpoint": env.get("OPENLINEAGE_ENDPOINT")}
    if config.get("type") == "composite" and (url := env.get("OPENLINEAGE_URL")):
        children = config.setdefault("transports", {})
        if isinstance(children, dict):
            children.setdefault(
                "default_http", {"type": "http", "url": url, "endpoint": env.get("OPENLINEAGE_ENDPOINT")}
            )
    kind = str(config.get("type") or "unknown")
    problem = problem or (None if config.get("type") else _NO_TYPE) or _url_problem(config)
    return Destination(kind, describe(config, cwd), problem)


def _url_problem(config: Mapping[str, Any]) -> str | None:
    """What is wrong with the URL of an HTTP transport, anywhere in the configuration; None when nothing is."""
    if config.get("type") in ("composite", "transform"):
        children = config.get("transports", config.get("transport"))
        listed = children.values() if isinstance(children, dict) else children if isinstance(children, list) else []
        listed = [children] if config.get("type") == "transform" else listed
        return next((found for one in listed if isinstance(one, dict) and (found := _url_problem(one))), None)
    url = config.get("url")
    if config.get("type") not in ("http", "async_http") or url is None or _HTTP.match(str(url).strip()):
        return None
    place = str(url).strip().rpartition("@")[2].rpartition("://")[2].split("?")[0]
    return f"the URL of the OpenLineage transport is no http:// or https:// one; write http://{place or 'host:port'}"


def describe(config: Mapping[str, Any], cwd: Path) -> str:
    """Where a transport's configuration leads, as one line without credentials."""
    kind = str(config.get("type") or "unknown")
    if kind in ("composite", "transform"):
        children = config.get("transports", config.get("transport"))
        listed = (
            [children] if kind == "transform" else list(children.values()) if isinstance(children, dict) else children
        )
        parts = [describe(child, cwd) for child in listed or [] if isinstance(child, dict)]
        return f"{kind}({', '.join(sorted(parts))})"
    lowered = {str(key).lower(): value for key, value in config.items()}
    where = [_place(kind, key, lowered.get(key), cwd) for key in _WHERE.get(kind, ())]
    return " ".join([kind, *(part for part in where if part)])


def _place(kind: str, key: str, value: Any, cwd: Path) -> str:
    if key == "endpoint":
        return str(value or "api/v1/lineage")
    if value is None:
        return ""
    if key == "url":
        return without_credentials(str(value))
    if key == "log_file_path" and "://" not in str(value):
        return str(cwd / str(value))
    if key == "append":
        return "" if value in (True, "true") else "one file an event"
    if key == "config":
        brokers = [str(value[name]) for name in _BROKERS if isinstance(value, dict) and name in value]
        return ",".join(brokers)
    return str(value) if kind else ""


def without_credentials(url: str) -> str:
    """The URL without user, password, query and fragment."""
    try:
        parts = urlsplit(url.strip())
    except ValueError:
        return "<not a URL>"
    return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path.rstrip("/"), "", ""))


def _file_transport(config_file: Path | None) -> tuple[dict[str, Any], str | None]:
    if config_file is None:
        return {}, None
    import yaml  # type: ignore[import-untyped] # its stubs are no dependency of ours

    try:
        content = yaml.safe_load(config_file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        mark = getattr(error, "problem_mark", None)
        where = f" (line {mark.line + 1}, column {mark.column + 1})" if mark else ""
        return {}, f"{config_file} is not valid YAML{where}; correct it"
    if isinstance(content, dict) and "transport" not in content:
        return {}, None  # other settings of openlineage-python, beside a transport in the environment
    transport = content.get("transport") if isinstance(content, dict) else None
    if content is not None and not isinstance(transport, dict):
        return {}, f"{config_file}: `transport:` must hold a mapping with a `type`; correct it"
    return dict(transport or {}), None


def _env_transport(env: Mapping[str, str]) -> dict[str, Any]:
    config: dict[str, Any] = {}
    for name in sorted((name for name in env if name.startswith(_PREFIX)), reverse=True):
        value: Any = env[name]
        with contextlib.suppress(ValueError):  # a plain string, as openlineage-python takes it
            value = json.loads(value)
        keys = [key.lower() for key in name.split("__")[1:]]
        target: dict[str, Any] = config
        for key in keys[:-1]:
            if not isinstance(target.get(key), dict):
                target[key] = {}
            target = target[key]
        target[keys[-1]] = value
    transport = config.get("transport")
    return transport if isinstance(transport, dict) else {}


def _merge(base: dict[str, Any], over: Mapping[str, Any]) -> None:
    for key, value in over.items():
        if isinstance(value, dict) and isinstance(base.get(key), dict):
            _merge(base[key], value)
        else:
            base[key] = value
