"""What uses a run's relations outside of dbt, and the SQL of its hooks: told once, at the run's end."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Any, Final

from lineal_producer.dbt.fields import field_of, mapping_of, text_of, texts
from lineal_producer.dbt.nodes import describe_inputs, owners_of
from lineal_producer.dbt.post_hook import HOOK_CALL

if TYPE_CHECKING:
    from lineal_producer.descriptions import Described, Exposure, Hook

_NODE_HOOKS: Final = (("pre-hook", "pre_hook"), ("post-hook", "post_hook"))
_RUN_HOOKS: Final = ("on-run-start", "on-run-end")


def describe_exposures(
    manifest: Any, adapter: str, ran: Collection[str], described: Described | None = None
) -> list[Exposure]:
    """The exposures that read a node which `ran`; `described` as in `describe_node`."""
    told: list[Exposure] = []
    for exposure in mapping_of(manifest, "exposures").values():
        inputs = describe_inputs(exposure, manifest, adapter, described)
        if any(each["unique_id"] in ran for each in inputs):
            told.append(_exposure(exposure, inputs, manifest))
    return told


def _exposure(exposure: Any, inputs: Any, manifest: Any) -> Exposure:
    config = field_of(exposure, "config")
    owner = field_of(exposure, "owner")
    named = text_of(owner, "name") or (texts(field_of(owner, "email")) or [""])[0]
    owners = [*([named] if named else []), *owners_of(exposure, manifest)]
    return {
        "unique_id": text_of(exposure, "unique_id") or "",
        "type": text_of(exposure, "type"),
        "url": text_of(exposure, "url"),
        "maturity": text_of(exposure, "maturity"),
        "description": text_of(exposure, "description"),
        "tags": list(dict.fromkeys(texts(field_of(exposure, "tags")) + texts(field_of(config, "tags")))),
        "owners": list(dict.fromkeys(owners)),
        "path": text_of(exposure, "original_file_path"),
        "inputs": inputs,
    }


def describe_hooks(manifest: Any, ran: Collection[str]) -> list[Hook]:
    """The SQL around this run: rendered of on-run hooks, which dbt keeps, as it is written of the nodes that `ran`."""
    found: dict[tuple[str, str], list[str]] = {}
    for unique_id, node in mapping_of(manifest, "nodes").items():
        if text_of(node, "resource_type") == "operation":
            when = next((tag for tag in texts(field_of(node, "tags")) if tag in _RUN_HOOKS), None)
            sql = text_of(node, "compiled_code") or text_of(node, "compiled_sql")
            if when is not None and sql is not None:
                found.setdefault((when, sql), []).append(str(unique_id))
        elif unique_id in ran:
            for when, sql in _of_node(node):
                found.setdefault((when, sql), []).append(str(unique_id))
    return [{"when": when, "sql": sql, "nodes": sorted(nodes)} for (when, sql), nodes in sorted(found.items())]


def _of_node(node: Any) -> list[tuple[str, str]]:
    config = field_of(node, "config")
    told: list[tuple[str, str]] = []
    for written, name in _NODE_HOOKS:
        hooks = field_of(config, written) or field_of(config, name) or []
        for hook in hooks if isinstance(hooks, list | tuple) else [hooks]:
            sql = hook if isinstance(hook, str) else text_of(hook, "sql")
            if sql and sql.strip() and HOOK_CALL not in sql:
                told.append((written, sql))
    return told
