"""What dbt's tests check: generic, singular and unit tests, and the freshness of sources."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lineal_producer.dbt.fields import field_of, mapping_of, plain, text_of
from lineal_producer.dbt.order import depends_on

if TYPE_CHECKING:
    from lineal_producer.descriptions import Test

_TESTED = {"model", "seed", "snapshot", "source"}


def describe_test(node: Any, kind: str) -> Test:
    """What a test checks, of a source its freshness."""
    if kind == "source":
        return _freshness(node)
    config = field_of(node, "config")
    told = field_of(node, "test_metadata")
    parents = [parent for parent in depends_on(node) if parent.partition(".")[0] in _TESTED]
    name = "unit" if kind == "unit_test" else text_of(told, "name") or "singular"
    kwargs = {str(key): plain(value) for key, value in mapping_of(told, "kwargs").items() if key != "model"}
    return {
        "kind": name,
        "namespace": text_of(told, "namespace"),
        "attached_node": text_of(node, "attached_node") or (parents[-1] if len(parents) == 1 else None),
        "column": text_of(node, "column_name") or text_of(kwargs, "column_name"),
        "severity": (text_of(config, "severity") or "error").lower(),
        "kwargs": kwargs,
    }


def _freshness(source: Any) -> Test:
    """The check of a source's freshness, as a test of its own."""
    return {
        "kind": "freshness",
        "namespace": None,
        "attached_node": text_of(source, "unique_id"),
        "column": None,
        "severity": "error",
        "kwargs": {},
    }
