"""The names in requests about aliases: {namespace, name}, or one text as in a node id, which is cut where it exists."""

from typing import Any
from urllib.parse import quote

from lineal_receiver.api.nodes import read_node_id
from lineal_receiver.api.refusals import Refusal, problem
from lineal_receiver.ids import dataset_id, job_id, namespace_id
from lineal_receiver.store.read_orders import fetch_any_names
from lineal_receiver.store.read_snapshot import Connection

KINDS = ("namespace", "dataset", "job")
IDS = {"dataset": dataset_id, "job": job_id}
MOST_LETTERS = 4_000

Named = dict[str, str]


def bad_alias(detail: str) -> Refusal:
    """422: what is wrong with a request, and what it should be."""
    return problem(422, "bad-alias", detail)


def read_kind(value: object) -> str:
    """namespace, dataset or job."""
    if value not in KINDS:
        raise bad_alias(f"'kind' is {value!r}, but it must be one of {', '.join(KINDS)}")
    return str(value)


async def read_named(connection: Connection, kind: str, end: str, value: Any) -> Named:
    """The name that `value` says: {namespace} or {namespace, name}, or a text `namespace:name`; 422 if it says none.

    A text is cut at the colon where a name exists; if none does, where the namespace exists; else at the last colon.
    """
    if isinstance(value, dict):
        return _read_object(kind, end, value)
    if not isinstance(value, str) or not value.strip():
        shape = "{namespace}" if kind == "namespace" else "{namespace, name} or 'namespace:name'"
        raise bad_alias(f"'{end}' is missing or of a wrong type; it must be {shape}")
    if kind == "namespace":
        return _read_object(kind, end, {"namespace": value})
    readings = [reading.parts for reading in _read(value) if len(reading.parts) == 2]
    if not readings:
        raise bad_alias(f"'{end}' is {value[:200]!r}, but it must be 'namespace:name'")
    names = await fetch_any_names(connection, [IDS[kind](*parts) for parts in readings])
    spaces = await fetch_any_names(connection, [namespace_id(space) for space, _ in readings])
    known, around = set(names.values()), {space for space, _ in spaces.values()}
    best = min(readings, key=lambda parts: (parts not in known, parts[0] not in around))
    return _read_object(kind, end, {"namespace": best[0], "name": best[1]})


def _read(text: str) -> Any:
    node = read_node_id("dataset:" + quote(text, safe=":"))
    return () if node is None else node.readings


def _read_object(kind: str, end: str, value: dict[str, Any]) -> Named:
    keys = ("namespace",) if kind == "namespace" else ("namespace", "name")
    found: Named = {}
    for key in keys:
        text = value.get(key)
        if not isinstance(text, str) or not text.strip():
            raise bad_alias(f"'{end}.{key}' must be a text that isn't blank")
        if len(text) > MOST_LETTERS:
            raise bad_alias(f"'{end}.{key}' is longer than {MOST_LETTERS:,} letters")
        found[key] = text
    return found
