"""The order in which nodes are built, and which of them a selection means."""

import fnmatch
from collections.abc import Iterable, Mapping
from typing import Any

from lineal_producer.dbt.fields import field_of, text_of, texts

Nodes = Mapping[str, Any]


def in_order(nodes: Nodes) -> list[str]:
    """The unique ids, each after all that it depends on; a cycle (dbt allows none) is cut where it is met."""
    ordered: list[str] = []
    done: set[str] = set()
    for start in nodes:
        pending = [(start, False)]
        while pending:
            unique_id, expanded = pending.pop()
            if expanded:
                ordered.append(unique_id)
            elif unique_id in nodes and unique_id not in done:
                done.add(unique_id)
                pending.append((unique_id, True))
                pending.extend((parent, False) for parent in reversed(depends_on(nodes[unique_id])))
    return ordered


def depends_on(node: Any) -> list[str]:
    """The unique ids that a node reads."""
    return texts(field_of(field_of(node, "depends_on"), "nodes"))


def select(nodes: Nodes, wanted: Iterable[str]) -> set[str]:
    """The unique ids that dbt's simple selectors mean: `name`, `+name`, `name+`, `a*`, `tag:x`, `path:x`, `package:x`.

    Space-separated selectors add up, as with dbt; no selector means every node.
    """
    criteria = [criterion for text in wanted for criterion in text.split()]
    if not criteria:
        return set(nodes)
    children: dict[str, list[str]] = {}
    for unique_id, node in nodes.items():
        for parent in depends_on(node):
            children.setdefault(parent, []).append(unique_id)
    chosen: set[str] = set()
    for criterion in criteria:
        core = criterion.strip("+")
        found = {unique_id for unique_id, node in nodes.items() if _matches(core, unique_id, node)}
        chosen |= found
        if criterion.startswith("+"):
            chosen |= _reached(found, lambda one: depends_on(nodes[one]) if one in nodes else [])
        if criterion.endswith("+"):
            chosen |= _reached(found, lambda one: children.get(one, []))
    return chosen & set(nodes)


def _reached(start: set[str], following: Any) -> set[str]:
    seen: set[str] = set()
    pending = list(start)
    while pending:
        for one in following(pending.pop()):
            if one not in seen:
                seen.add(one)
                pending.append(one)
    return seen


def _matches(criterion: str, unique_id: str, node: Any) -> bool:
    method, separator, value = criterion.partition(":")
    if separator and method == "tag":
        return value in texts(field_of(node, "tags"))
    if separator and method == "package":
        return text_of(node, "package_name") == value
    if separator and method == "resource_type":
        return text_of(node, "resource_type") == value
    path = (text_of(node, "original_file_path") or "").replace("\\", "/")
    if separator and method == "path":
        return path == value or path.startswith(value.rstrip("/") + "/") or fnmatch.fnmatchcase(path, value)
    names = (text_of(node, "name") or "", unique_id, ".".join(texts(field_of(node, "fqn"))))
    return any(fnmatch.fnmatchcase(name, criterion) for name in names)
