"""From an output's facets to a build: edges between fields, what is known of each column, and the id of both."""

from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from sys import intern
from typing import Any
from uuid import UUID

import orjson

from lineal_receiver.ids import content_id, dataset_id
from lineal_receiver.ingest.envelope import Facet
from lineal_receiver.ingest.explicit import Entry, state_columns
from lineal_receiver.ingest.facts import Build, ColumnStatus, Edge

WHOLE_OUTPUT = ""

Resolve = Callable[[str, str], UUID]


MEMO_SIZE = 1_000
MEMO_BYTES = 32 * 1024
ROWS_AT_ONCE = 1_000


@dataclass(frozen=True, slots=True)
class Stated:
    """A build, and the names that it mentions (namespace and name, as they are known here)."""

    build: Build
    names: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Subject:
    """Whose build it is: the job, the dataset, what the model is called, and the namespace of unnamed datasets."""

    job: UUID
    dataset: UUID
    model_id: str
    unnamed: str


@dataclass(slots=True)
class BuildMemo:
    """Builds that were computed before: they follow from content alone, and most events repeat it."""

    known: OrderedDict[tuple[object, ...], Stated | None] = field(default_factory=OrderedDict)

    def build(self, subject: Subject, facets: tuple[Facet | None, Facet | None, Facet | None]) -> Stated | None:
        """What `columnLineage`, Lineal's own facet and `schema` state (each None if it isn't believed)."""
        key = (subject, *(facet and facet.id for facet in facets))
        if key in self.known:
            self.known.move_to_end(key)
            return self.known[key]
        stated = state_lineage(subject, *(facet.value if facet else None for facet in facets))
        if sum(len(facet.body) for facet in facets if facet) <= MEMO_BYTES:
            self.known[key] = stated
            if len(self.known) > MEMO_SIZE:
                self.known.popitem(last=False)
        return stated


def state_lineage(
    subject: Subject,
    column_lineage: dict[str, Any] | None,
    own: dict[str, Any] | None,
    schema: dict[str, Any] | None,
) -> Stated | None:
    """The build that these facets state, or None where they state nothing.

    An empty columnLineage that no facet of ours vouches for says nothing.
    """
    names: dict[tuple[str, str], UUID] = {}

    def resolve(namespace: str, name: str) -> UUID:
        named = (namespace or subject.unnamed, name)
        if named not in names:
            names[named] = dataset_id(*named)
        return names[named]

    fields = [column["name"] for column in (schema or {}).get("fields") or []]
    build = _build(subject, column_lineage, own, fields, resolve)
    return None if build is None else Stated(build, tuple(names))


def state_nothing(subject: Subject) -> Stated:
    """The build of a deletion: nothing is known to be made from anything, and nothing is open."""
    build = _build(subject, None, {"status": "resolved", "columns": []}, [], lambda *_: subject.dataset)
    if build is None:
        raise AssertionError  # Lineal's own facet always makes one
    return Stated(build, ())


def state_explicit(
    subject: Subject, entry: Entry, own: dict[str, Any] | None, schema: dict[str, Any] | None
) -> Stated | None:
    """The build that a `lineage` facet states of a target, or None where it says nothing of columns.

    Of Lineal's own facet beside it (`own`) only what things are called is read.
    """
    said = state_columns(entry, [column["name"] for column in (schema or {}).get("fields") or []])
    if said is None:
        return None
    lineage, statuses = said
    open_ones = sum(column["status"] == "unresolved" for column in statuses)
    status = "resolved" if not open_ones else "unresolved" if open_ones == len(statuses) else "partial"
    names = {key: own[key] for key in ("modelId", "relations") if own is not None and key in own}
    return state_lineage(subject, lineage, {**names, "status": status, "columns": statuses}, None)


def _build(
    subject: Subject,
    column_lineage: dict[str, Any] | None,
    own: dict[str, Any] | None,
    schema_fields: list[str],
    resolve: Resolve,
) -> Build | None:
    fields = (column_lineage or {}).get("fields", {})
    whole = (column_lineage or {}).get("dataset") or []
    if own is None and not fields and not whole:
        return None
    edges = _edges(fields, whole, resolve)
    columns = _reported_columns(fields, schema_fields)
    if own is not None:
        columns = _own_columns(own, fields, columns)
    status = own["status"] if own is not None else _overall(columns)
    facet = own or {}
    relations = {
        str(resolve(relation["namespace"], relation["name"])): relation["modelId"]
        for relation in facet.get("relations", [])
        if relation.get("modelId")
    }
    gaps = "; ".join(f"{gap['code']}: {gap['message']}" for gap in facet.get("gaps", []))
    edge_set = _hash_rows(edges, columns)
    described: dict[str, Any] = {
        "model_id": str(facet.get("modelId") or subject.model_id),
        "sql_hash": facet.get("sqlHash"),
        "schema_hash": facet.get("schemaHash"),
        "lineage_hash": facet.get("lineageHash"),
        "dialect": facet.get("dialect"),
        "sqlglot_version": facet.get("sqlglotVersion"),
        "rules_version": facet.get("rulesVersion"),
        "status": status,
        "error_message": gaps or None,
    }
    ref_relations = orjson.dumps(relations, option=orjson.OPT_SORT_KEYS).decode()
    identity = content_id(
        orjson.dumps(
            [str(subject.job), str(subject.dataset), described, ref_relations, edge_set.hex()],
            option=orjson.OPT_SORT_KEYS,
        )
    )
    return Build(
        id=identity,
        job=subject.job,
        dataset=subject.dataset,
        out_columns=tuple(column.field for column in columns),
        ref_relations=ref_relations,
        edge_set=edge_set,
        edges=edges,
        columns=columns,
        **described,
    )


def _hash_rows(edges: Sequence[Edge], columns: Sequence[ColumnStatus]) -> bytes:
    """The id of these rows, made in pieces: written out as a whole, those of a large event take much memory."""
    hashed = sha256(b"[")
    every: tuple[tuple[bytes, Sequence[tuple[Any, ...]]], ...] = ((b"[", edges), (b",[", columns))
    for before, rows in every:
        hashed.update(before)
        for start in range(0, len(rows), ROWS_AT_ONCE):
            text = orjson.dumps([tuple(row) for row in rows[start : start + ROWS_AT_ONCE]], default=str)
            hashed.update((b"," if start else b"") + text[1:-1])
        hashed.update(b"]")
    hashed.update(b"]")
    return hashed.digest()


def _edges(fields: dict[str, Any], whole: list[dict[str, Any]], resolve: Resolve) -> tuple[Edge, ...]:
    """All edges, sorted by their keys."""
    edges = _edges_of(WHOLE_OUTPUT, whole, {}, resolve)
    for target in sorted(fields):
        if target != WHOLE_OUTPUT:
            edges += _edges_of(target, fields[target]["inputFields"], fields[target], resolve)
    return tuple(edges)


def _edges_of(target: str, sources: list[dict[str, Any]], stated: dict[str, Any], resolve: Resolve) -> list[Edge]:
    """The edges of an output field; where two say the same kind, masking is united and the least text kept."""
    merged: dict[tuple[int, str, str, str], Edge] = {}
    for source in sources:
        # What is said again and again is there once: texts are most of a large event's edges.
        dataset, name = resolve(source["namespace"], source["name"]), intern(source["field"])
        for said in source.get("transformations") or [_deprecated(stated)]:
            kind, subtype = intern(said["type"].upper()), intern((said.get("subtype") or "").upper())
            key = (dataset.int, name, kind, subtype)  # a number is compared faster, and in the same order
            text, masking = said.get("description") or None, bool(said.get("masking"))
            known = merged.get(key)
            if known is not None:
                masking = masking or known.masking
                text = min((t for t in (text, known.expression) if t is not None), default=None)
            merged[key] = Edge(target, dataset, name, kind, subtype, masking, text)
    return [edge for _, edge in sorted(merged.items())]


def _deprecated(stated: dict[str, Any]) -> dict[str, Any]:
    """The transformation that columnLineage before 1-1-0 states for the whole output field: a direct one."""
    kind = str(stated.get("transformationType") or "").upper()
    return {
        "type": "DIRECT",
        "subtype": {"IDENTITY": "IDENTITY", "MASKED": "TRANSFORMATION"}.get(kind, ""),
        "masking": kind == "MASKED",
        "description": stated.get("transformationDescription"),
    }


def _own_columns(
    own: dict[str, Any], fields: dict[str, Any], reported: Iterable[ColumnStatus]
) -> tuple[ColumnStatus, ...]:
    """The columns of Lineal's facet, and then those that only columnLineage or the schema names."""
    columns: dict[str, ColumnStatus] = {}
    for column in own["columns"]:
        name, status, reason = column["name"], column["status"], column.get("reason")
        inputs = fields.get(name, {}).get("inputFields")
        if status == "traced" and not inputs and not column.get("self"):
            status, reason = "unresolved", "not_reported"
        columns.setdefault(
            name,
            ColumnStatus(name, len(columns), status, reason, column.get("message"), column.get("expression")),
        )
    for column in reported:
        if column.field not in columns:
            columns[column.field] = ColumnStatus(column.field, len(columns), column.status, column.reason, None, None)
    return tuple(columns.values())


def _reported_columns(fields: dict[str, Any], schema_fields: list[str]) -> tuple[ColumnStatus, ...]:
    """What columnLineage alone says of the columns in the schema and of its own."""
    rows = []
    for position, name in enumerate(dict.fromkeys([*schema_fields, *sorted(fields)])):
        stated = fields.get(name)
        if stated is None:
            rows.append(ColumnStatus(name, position, "unresolved", "not_reported", None, None))
        elif name == WHOLE_OUTPUT:
            rows.append(ColumnStatus(name, position, "unresolved", "unnamed_field", None, None))
        else:
            status = "traced" if stated["inputFields"] else "constant"
            rows.append(ColumnStatus(name, position, status, None, None, stated.get("transformationDescription")))
    return tuple(rows)


def _overall(columns: tuple[ColumnStatus, ...]) -> str:
    unresolved = sum(column.status == "unresolved" for column in columns)
    if not unresolved:
        return "resolved"
    return "unresolved" if unresolved == len(columns) else "partial"
