"""A small shop as manifest.json has it, for the tests of what is made of it."""

from __future__ import annotations

import copy
from typing import Any

from lineal_producer.dbt.nodes import describe_invocation, describe_node
from lineal_producer.descriptions import Invocation, Node
from lineal_producer.naming import namespaces

INVOCATION_ID = "0b7a2f5e-6c1d-4f0e-9a51-2f3d4c5b6a70"


def node(kind: str, name: str, **fields: Any) -> dict[str, Any]:
    """A node of manifest v12, a stored one unless `fields` say otherwise."""
    materialized = fields.pop("materialized", {"model": "table", "snapshot": "snapshot", "seed": "seed"}.get(kind))
    depends_on = fields.pop("depends_on", [])
    config = {"materialized": materialized, **fields.pop("config", {})}
    return {
        "unique_id": f"{kind}.shop.{name}",
        "resource_type": kind,
        "package_name": "shop",
        "name": name,
        "alias": name,
        "database": "shop",
        "schema": "main",
        "relation_name": f'"shop"."main"."{name}"',
        "original_file_path": f"models/{name}.sql",
        "language": "sql",
        "description": "",
        "columns": {},
        "config": config,
        "depends_on": {"nodes": depends_on, "macros": []},
        "tags": [],
        "meta": {},
        "checksum": {"name": "sha256", "checksum": "c0ffee"},
        **fields,
    }


def manifest(*nodes: dict[str, Any], adapter: str = "duckdb", version: int = 12) -> dict[str, Any]:
    """A manifest of these nodes and sources."""
    return {
        "metadata": {
            "dbt_schema_version": f"https://schemas.getdbt.com/dbt/manifest/v{version}.json",
            "dbt_version": "1.11.0",
            "adapter_type": adapter,
            "project_name": "shop",
            "invocation_id": INVOCATION_ID,
        },
        "nodes": {each["unique_id"]: each for each in nodes if each["resource_type"] != "source"},
        "sources": {each["unique_id"]: each for each in nodes if each["resource_type"] == "source"},
        "groups": {},
    }


def raw_orders(**fields: Any) -> dict[str, Any]:
    """A source whose table has another name than dbt gives it."""
    source = node(
        "source",
        "orders",
        identifier="Orders 2",
        schema="raw",
        relation_name='"shop"."raw"."Orders 2"',
        source_name="raw",
        config={},
        **fields,
    )
    return {**source, "unique_id": "source.shop.raw.orders"}


def described(each: dict[str, Any], *others: dict[str, Any], adapter: str = "duckdb") -> Node:
    """The record of a node among others."""
    return describe_node(copy.deepcopy(each), manifest(each, *others, adapter=adapter))


def invocation(adapter: str = "duckdb", **fields: Any) -> Invocation:
    """A `dbt build` on /srv/shop.duckdb, or with other credentials of another adapter."""
    credentials = fields.pop("credentials", {"type": adapter, "path": "/srv/shop.duckdb"})
    defaults: dict[str, Any] = {
        "invocation_id": INVOCATION_ID,
        "project": "shop",
        "command": "build",
        "dbt_version": "1.11.0",
        "adapter": adapter,
        "target": "dev",
        "lineal_version": "0.1.0",
        "namespaces": namespaces(credentials, "/srv", "shop", fields.pop("namespace_map", None)),
    }
    return describe_invocation(**{**defaults, **fields})
