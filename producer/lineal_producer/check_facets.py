"""What a test of dbt found, as the assertion of an input and as the result of a run."""

from typing import Any

from lineal_producer.descriptions import InputNode, Node
from lineal_producer.privacy import hidden
from lineal_producer.records import NodeEnd

_PASSED = {"pass", "success"}


def assertion(node: Node, each: InputNode, end: NodeEnd | None) -> dict[str, Any] | None:
    """The assertion that an ended test made of an input; None for inputs that it only compares with."""
    test = node["test"]
    if test is None or end is None or end["status"] == "skipped":
        return None
    if test["attached_node"] is not None and test["attached_node"] != each["unique_id"]:
        return None
    if test["attached_node"] is None and test["kind"] not in {"singular", "unit"}:
        return None
    made: dict[str, Any] = {
        "assertion": test["kind"],
        "success": end["status"] in {"pass", "success"},
        "severity": test["severity"],
        "name": node["name"],
    }
    if test["column"]:
        made["column"] = test["column"].strip('"`')
    if end["failures"] is not None:
        made["actual"] = str(end["failures"])
    return made


def result(node: Node, end: NodeEnd, sql_mode: str) -> dict[str, Any]:
    """The result of a test's run."""
    test = node["test"]
    told: dict[str, Any] = {
        "name": node["name"],
        "status": "pass" if end["status"] in _PASSED else "skip" if end["status"] == "skipped" else "fail",
        "type": test["kind"] if test else "singular",
        "severity": test["severity"] if test else "error",
    }
    if end["failures"] is not None:
        told["actual"] = str(end["failures"])
    content = hidden(node["compiled_code"], sql_mode)
    if content:
        told |= {"content": content, "contentType": "sql"}
    return told
