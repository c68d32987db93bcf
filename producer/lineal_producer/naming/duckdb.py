"""DuckDB's stores: its own file, attached files and servers, MotherDuck, DuckLake, memory."""

import os
import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from lineal_producer.naming.credentials import Credentials
from lineal_producer.naming.store import Store

_MOTHERDUCK = re.compile(r"(?:md|motherduck):(?://)?([^?/]*)", re.IGNORECASE)
_URL = re.compile(r"[a-z][a-z0-9+.-]+://", re.IGNORECASE)
_KEY_VALUE = re.compile(r"(\w+)\s*=\s*('(?:[^'\\]|\\.)*'|\S+)")
_MEMORY = {"", ":memory:"}


def duckdb_stores(credentials: Credentials, cwd: str, project: str) -> tuple[Store, dict[str, Store], str | None]:
    """The default store, the stores by lower-case database name, and a namespace template for other databases."""
    path = credentials.text("path") or ":memory:"
    main = _store(path, None, cwd, project)
    databases = {_catalog_name(path).casefold(): main}
    configured = credentials.text("database")
    if configured and configured not in {"main"}:
        databases.setdefault(configured.casefold(), main)
    for attached in credentials.get("attach") or []:
        alias, store = _attached(attached, cwd, project)
        databases[alias.casefold()] = store
    template = "duckdb://md:{database}" if _MOTHERDUCK.match(path) else None
    return main, databases, template


def _attached(attached: Any, cwd: str, project: str) -> tuple[str, Store]:
    def field(name: str) -> Any:
        return attached.get(name) if isinstance(attached, Mapping) else getattr(attached, name, None)

    path = str(field("path") or "")
    options = field("options") if isinstance(field("options"), Mapping) else {}
    kind = str(field("type") or options.get("type") or "").lower() or None
    alias = str(field("alias") or "") or _catalog_name(path)
    if kind == "iceberg":
        endpoint = urlsplit(str(options.get("endpoint") or "")).hostname
        return alias, Store(
            f"iceberg://{endpoint}/{path}" if endpoint else f"iceberg://{path}", database="", quote=False
        )
    if field("is_ducklake") and "ducklake:" not in path.lower():
        path = f"ducklake:{path}"
    return alias, _store(path, kind, cwd, project)


def _store(path: str, kind: str | None, cwd: str, project: str) -> Store:
    """The store behind a path that DuckDB opens or attaches; nothing of a query string or a password stays."""
    scheme = path.partition(":")[0].lower()
    if kind in {"postgres", "postgresql"} or scheme in {"postgres", "postgresql"}:
        return _postgres(path)
    if kind == "mysql" or scheme == "mysql":
        return _mysql(path)
    if kind == "sqlite" or scheme == "sqlite":
        return Store(f"sqlite://{_real(path.removeprefix('sqlite:'), cwd)}", "table")
    if scheme == "ducklake":
        return _ducklake(path.partition(":")[2], cwd)
    found = _MOTHERDUCK.match(path)
    if found:
        database = found.group(1) or "my_db"
        return Store(f"duckdb://md:{database}", database=database)
    if path in _MEMORY:
        return Store(f"inmemory://{project}", database="memory")
    if _URL.match(path):
        return Store(f"duckdb://{_clean_url(path)}", database=_catalog_name(path))
    return Store(f"duckdb://{_real(path, cwd)}", database=_catalog_name(path))


def _catalog_name(path: str) -> str:
    """The name that DuckDB gives the database of a file: `my` for `my.db.duckdb`."""
    if path in _MEMORY:
        return "memory"
    found = _MOTHERDUCK.match(path)
    if found:
        return found.group(1) or "my_db"
    if path.lower().startswith("ducklake:"):
        path = path.partition(":")[2]
    base = os.path.basename(urlsplit(path).path if _URL.match(path) else path)  # noqa: PTH119 - may be of another system
    return base.lstrip(".").split(".")[0] or base


def _real(path: str, cwd: str) -> str:
    return os.path.realpath(os.path.join(cwd, os.path.expanduser(path)))  # noqa: PTH118, PTH111 - plain text, not opened


def _clean_url(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"


def _connection(path: str) -> dict[str, str]:
    """The fields of a libpq or MySQL connection string that name a place."""
    if _URL.match(path):
        parts = urlsplit(path)
        written = {"host": parts.hostname, "port": parts.port, "dbname": parts.path.strip("/")}
        return {name: str(value) for name, value in written.items() if value}
    fields: dict[str, str] = {name.lower(): value.strip("'") for name, value in _KEY_VALUE.findall(path)}
    place = {"dbname": fields.get("dbname") or fields.get("database") or fields.get("db")}
    place |= {"host": fields.get("host") or fields.get("hostaddr"), "port": fields.get("port")}
    return {name: value for name, value in place.items() if value}


def _postgres(path: str) -> Store:
    place = _connection(path.removeprefix("postgres:") if not _URL.match(path) else path)
    namespace = f"postgres://{place.get('host', 'localhost')}:{place.get('port', '5432')}"
    return Store(namespace, database=place.get("dbname"))


def _mysql(path: str) -> Store:
    place = _connection(path.removeprefix("mysql:") if not _URL.match(path) else path)
    return Store(f"mysql://{place.get('host', 'localhost')}:{place.get('port', '3306')}", "schema.table")


def _ducklake(metadata: str, cwd: str) -> Store:
    """A lake is known by its metadata catalog."""
    if metadata.lower().startswith(("postgres:", "postgresql:")):
        catalog = _postgres(metadata)
    elif metadata.lower().startswith("mysql:"):
        catalog = _mysql(metadata)
        place = _connection(metadata.partition(":")[2])
        catalog = Store(catalog.namespace, database=place.get("dbname"))
    elif metadata.lower().startswith("sqlite:") or not _MOTHERDUCK.match(metadata):
        file = metadata.partition(":")[2] if metadata.lower().startswith(("sqlite:", "duckdb:")) else metadata
        place_of_file = _clean_url(file) if _URL.match(file) else _real(file, cwd)
        return Store(f"ducklake://{place_of_file}", database=_catalog_name(file))
    else:
        catalog = _store(metadata, None, cwd, "")
    database = catalog.database or "ducklake"
    return Store(f"ducklake:{catalog.namespace}", database=database)
