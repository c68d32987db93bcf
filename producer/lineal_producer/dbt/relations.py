"""Where a node of dbt is stored: its relation in the database's own case, or the files it reads or writes."""

from __future__ import annotations

from string import Template
from typing import TYPE_CHECKING, Any

from lineal_producer.dbt.fields import field_of, mapping_of, plain, text_of, texts
from lineal_producer.naming.adapters import relation_from_name, relation_from_parts

if TYPE_CHECKING:
    from lineal_producer.descriptions import Relation, Storage

EXTERNAL_ROOT = "{external_root}"
_LAKE_ADAPTERS = {"athena", "databricks", "fabricspark", "glue", "spark"}  # their tables are files, in a format each
_TABLE_FORMATS = {"delta", "iceberg", "hudi"}
_STORED_AS_ROWS = {"table", "incremental", "snapshot", "seed"}
_STORED = {"model", "seed", "snapshot", "source"}


def relation_of(node: Any, adapter: str) -> Relation | None:
    """The relation of a stored node; None for tests, ephemeral models and whatever else is never stored."""
    if (
        text_of(node, "resource_type") not in _STORED
        or text_of(field_of(node, "config"), "materialized") == "ephemeral"
    ):
        return None
    name = text_of(node, "relation_name")
    named = relation_from_name(name, adapter) if name else None
    if named is not None:
        return named
    identifier = text_of(node, "identifier") or text_of(node, "alias") or text_of(node, "name")
    if identifier is None:
        return None
    quoting = field_of(node, "quoting") or field_of(field_of(node, "config"), "quoting") or {}
    wanted = {part: field_of(quoting, part) for part in ("database", "schema", "identifier")}
    return relation_from_parts(text_of(node, "database"), text_of(node, "schema"), identifier, adapter, wanted)


def deferred_relation(node: Any, adapter: str, compiled_code: str | None) -> tuple[Relation, str] | None:
    """The relation of another environment that a reader's SQL names instead of the node's own (`--defer`)."""
    deferred = field_of(node, "defer_relation")
    if deferred is None:
        return None
    name = text_of(deferred, "relation_name")
    own = text_of(node, "relation_name")
    if name is None or compiled_code is None or name not in compiled_code or (own and own in compiled_code):
        return None
    relation = relation_from_name(name, adapter)
    return None if relation is None else (relation, name)


def storage_of(node: Any, adapter: str) -> Storage | None:
    """The table format that a node's configuration names, or that its adapter has of itself; None elsewhere."""
    config = field_of(node, "config")
    if text_of(config, "materialized") not in _STORED_AS_ROWS:
        return None
    table, files = (
        (text_of(config, name) or "").lower()
        for name in ("table_type" if adapter == "athena" else "table_format", "file_format")
    )
    if table in _TABLE_FORMATS and adapter not in _LAKE_ADAPTERS:
        return {"layer": table, "format": None}
    if adapter not in _LAKE_ADAPTERS:
        return None
    if adapter == "athena":  # Parquet is its own default
        return {"layer": table or "hive", "format": (text_of(config, "format") or "parquet").lower()}
    layer = table if table in _TABLE_FORMATS else files or ("delta" if adapter == "databricks" else "")
    if layer in _TABLE_FORMATS:
        return {"layer": layer, "format": "parquet" if layer == "delta" else None}
    return {"layer": "hive", "format": layer} if layer else None


def external_location(node: Any) -> str | None:
    """The files behind a source with `external_location` or an `external` model, as they are written in SQL."""
    if text_of(node, "resource_type") == "source":
        return _source_location(node)
    config = field_of(node, "config")
    if text_of(config, "materialized") != "external":
        return None
    location = text_of(config, "location")
    if location is not None and "{{" not in location:
        return location
    name = text_of(node, "alias") or text_of(node, "name")
    if mapping_of(config, "options").get("partition_by"):
        return f"{EXTERNAL_ROOT}/{name}"
    return f"{EXTERNAL_ROOT}/{name}.{text_of(config, 'format') or 'parquet'}"


def _source_location(source: Any) -> str | None:
    config = field_of(source, "config")
    known: dict[str, Any] = {}
    for meta in (mapping_of(source, "source_meta"), mapping_of(source, "meta"), mapping_of(config, "meta")):
        known |= plain(meta)
    for name in ("external_location", "formatter", "plugin"):
        value = field_of(config, name)
        known |= {} if value is None else {name: value}
    location = known.get("external_location")
    if not isinstance(location, str) or "plugin" in known:
        return None
    identity = {name: text_of(source, name) for name in ("name", "identifier", "schema", "database")}
    known = {**identity, "tags": texts(field_of(source, "tags")), **known}
    try:
        if known.get("formatter") == "oldstyle":
            return location % known
        if known.get("formatter") == "template":
            return Template(location).safe_substitute(known)
        return location.format_map(known)
    except (KeyError, ValueError, IndexError, TypeError):
        return location  # dbt itself says what is wrong with it
