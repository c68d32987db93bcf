"""Which namespace and name a relation has, for one connection of dbt.

What dbt's own process loads has named tuples: a frozen dataclass takes five times as long to make, a millisecond.
"""

import json
import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from lineal_producer.naming.adapters import STORES_UPPER, stored
from lineal_producer.naming.credentials import Credentials
from lineal_producer.naming.files import external_dataset
from lineal_producer.naming.store import Store

Dataset = tuple[str, str]
# Where a profile names none.
_DATABASES = {
    "athena": "awsdatacatalog",
    "databricks": "hive_metastore",
    "fabricspark": "default",
    "starrocks": "default_catalog",
}
# Whose `database` is nothing that a table's name has: the schema again, or what the adapter takes no notice of.
_DATABASE_FIELDS = {"fabricspark": "lakehouse", "starrocks": "catalog"}
# Of adapters without a rule: the port that dbt's own object, or its driver, has where a profile names none.
_PORTS = {"doris": 9030, "singlestore": 3306, "starrocks": 3306, "vertica": 5433}
_DSN = re.compile(r"\s*([^\s,:/]+).*?(?::(\d+))?\s*", re.DOTALL)
_LAKE = re.compile(r"(ducklake|iceberg):(?:(postgres|mysql|sqlite|duckdb):)?//")


class Namespaces(NamedTuple):
    """Names relations of one connection; `warning` says what the user should know about the names."""

    adapter: str
    default: Store
    database: str | None = None  # of the connection, for a name that has none
    schema: str | None = None
    databases: Mapping[str, Store] = MappingProxyType({})
    template: str | None = None
    renames: Mapping[str, str] = MappingProxyType({})
    cwd: str = "."
    external_root: str = "."  # of dbt-duckdb's external models
    warning: str | None = None

    def dataset(self, database: str | None, schema: str | None, identifier: str) -> Dataset:
        """(namespace, name) of a relation whose parts are in stored case; parts left out are the connection's."""
        database, schema = database or self.database, schema or self.schema
        store = self._store(database, schema)
        return self._renamed(store.namespace), store.name(database, schema, identifier)

    def external(self, location: str) -> Dataset | None:
        """(namespace, name) of files: a path, a quoted path or a `read_parquet(...)`; None when no path is in it."""
        named = external_dataset(location.replace("{external_root}", self.external_root), self.cwd)
        return None if named is None else (self._renamed(named[0]), named[1])

    def elsewhere(self, database: str | None, schema: str | None, identifier: str) -> Dataset | None:
        """The name that openlineage-dbt gives the relation, None where it is the same."""
        store = self._store(database, schema)
        if store.elsewhere is None or store.namespace in self.renames:
            return None
        return store.elsewhere, ".".join(part for part in (database, schema, identifier) if part)

    def catalog(self, database: str | None) -> tuple[str, str, str] | None:
        """(kind, framework of its tables, name) of the catalog that lists a database's tables; None without one."""
        database = database or self.database
        if self.adapter == "databricks" and database and database.casefold() != "hive_metastore":
            return "unity", "delta", database
        if self.adapter in {"athena", "glue"}:
            return "glue", "hive", (database if self.adapter == "athena" and database else "awsdatacatalog")
        found = _LAKE.match(self._store(database, None).namespace) if self.adapter == "duckdb" and database else None
        if found is None or database is None:
            return None
        framework, kept = found.groups()
        return ("rest" if framework == "iceberg" else kept or "duckdb"), framework, database

    def _store(self, database: str | None, schema: str | None) -> Store:
        if self.adapter == "sqlite":  # a file for each schema
            database = schema
        if database is None:
            return self.default
        known = self.databases.get(database.casefold())
        if known is not None:
            return known
        if self.template is not None:
            return Store(self.template.format(database=database), self.default.shape)
        if self.adapter == "databricks" and database.casefold() == "hive_metastore":
            return Store(self.default.elsewhere or self.default.namespace)
        if self.adapter == "duckdb":
            # A database that the profile doesn't tell of (attached by SQL): its own name, not the main file's.
            return Store(self.default.namespace)
        return self.default

    def _renamed(self, namespace: str) -> str:
        return self.renames.get(namespace, namespace)

    def to_json(self) -> dict[str, Any]:
        """The namespaces as JSON, for the outbox."""
        return {
            "adapter": self.adapter,
            "default": self.default.to_json(),
            "database": self.database,
            "schema": self.schema,
            "databases": {name: store.to_json() for name, store in self.databases.items()},
            "template": self.template,
            "renames": dict(self.renames),
            "cwd": self.cwd,
            "external_root": self.external_root,
            "warning": self.warning,
        }

    @staticmethod
    def from_json(data: Mapping[str, Any]) -> "Namespaces":
        """The namespaces that `to_json` wrote."""
        return Namespaces(
            adapter=data["adapter"],
            default=Store.from_json(data["default"]),
            database=data["database"],
            schema=data["schema"],
            databases={name: Store.from_json(store) for name, store in data["databases"].items()},
            template=data["template"],
            renames=dict(data["renames"]),
            cwd=data["cwd"],
            external_root=data["external_root"],
            warning=data["warning"],
        )


def namespaces(
    credentials: Any, cwd: str, project: str, namespace_map: Mapping[str, str] | str | None = None
) -> Namespaces:
    """The namespaces of a connection: `credentials` are dbt's object or the output of a profile as a dict.

    `cwd` is dbt's working directory, against which relative paths are read. Never raises: an adapter without a rule,
    or without the fields that its rule needs, gets a generic namespace and a warning.
    """
    renames = parse_namespace_map(namespace_map) if isinstance(namespace_map, str) else dict(namespace_map or {})
    fields = Credentials(credentials)
    adapter = fields.adapter
    named = _DATABASE_FIELDS.get(adapter, "database")
    database, schema = (_folded(fields.text(name), adapter) for name in (named, "schema"))
    database = database or _DATABASES.get(adapter)
    # One of the two is needed, and dbt's own process pays for every import.
    if adapter == "duckdb":
        from lineal_producer.naming.duckdb import duckdb_stores

        main, databases, template = duckdb_stores(fields, cwd, project)
        return Namespaces(
            adapter=adapter,
            default=main,
            database=main.database or database,
            schema=schema,
            databases=databases,
            template=template,
            renames=renames,
            cwd=cwd,
            external_root=fields.text("external_root") or ".",
        )
    from lineal_producer.naming.servers import sqlite_stores, store_of

    store = store_of(fields)
    if store is not None:
        databases, template = sqlite_stores(fields) if adapter == "sqlite" else ({}, None)
        return Namespaces(adapter, store, database, schema, databases, template, renames, cwd)
    generic = _generic(fields)
    warning = _warning(adapter, generic, renames)
    return Namespaces(adapter, Store(generic), database, schema, renames=renames, cwd=cwd, warning=warning)


def _folded(part: str | None, adapter: str) -> str | None:
    """A profile's spelling as stored: dbt quotes it on no adapter that folds to upper case, on all others it does."""
    return None if part is None else stored(part, quoted=adapter not in STORES_UPPER, adapter=adapter)


def _generic(credentials: Credentials) -> str:
    host, port = credentials.host, credentials.port(_PORTS.get(credentials.adapter))
    if credentials.adapter == "exasol":  # `host`, `host:port`, several hosts, each with its certificate's fingerprint
        found = _DSN.fullmatch(credentials.text("dsn") or "")
        host, port = (found[1], found[2] or "8563") if found else (None, None)
    if host is None:
        return credentials.adapter
    return f"{credentials.adapter}://{host}" + (f":{port}" if port else "")


def _warning(adapter: str, namespace: str, renames: Mapping[str, str]) -> str | None:
    if namespace in renames:
        return None
    return (
        f"no OpenLineage name is known for this connection of adapter {adapter}: its datasets get the namespace "
        f"{namespace}; choose another with LINEAL_NAMESPACE_MAP={namespace}=..."
    )


def parse_namespace_map(text: str | None) -> dict[str, str]:
    """LINEAL_NAMESPACE_MAP: a JSON object or `computed=wanted` pairs with commas between; else ValueError."""
    text = (text or "").strip()
    if not text:
        return {}
    if text.startswith("{"):
        try:
            parsed = json.loads(text)
        except ValueError as error:
            raise ValueError(f"LINEAL_NAMESPACE_MAP: not valid JSON ({error})") from None
        if not isinstance(parsed, dict) or not all(isinstance(value, str) for value in parsed.values()):
            raise ValueError('LINEAL_NAMESPACE_MAP: a JSON object of texts is expected, {"computed": "wanted"}')
        return parsed
    pairs = [pair.strip() for pair in text.split(",") if pair.strip()]
    wrong = next((pair for pair in pairs if "=" not in pair), None)
    if wrong is not None:
        raise ValueError(f"LINEAL_NAMESPACE_MAP: {wrong!r} has no '='; write computed=wanted, commas between pairs")
    return {key.strip(): value.strip() for key, _, value in (pair.partition("=") for pair in pairs)}
