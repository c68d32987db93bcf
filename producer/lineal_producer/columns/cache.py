"""Only what changed: lineages kept between runs under the hashes of all that they depend on."""

from __future__ import annotations

import contextlib
import hashlib
import os
import tempfile
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from types import TracebackType
from typing import Any

import orjson

from lineal_producer.columns.catalog import Catalog, Ref, Schema
from lineal_producer.columns.dialects import find_names
from lineal_producer.columns.model import Column, Gap, Input, ModelLineage, Own
from lineal_producer.columns.tracing import trace_with_refs
from lineal_producer.columns.versions import RULES_VERSION, sqlglot_version

FORMAT = 1
# Rows that no run has used since they were written are dropped, the oldest first, above this number.
MAX_ROWS = 20_000

Refs = tuple[Ref, ...]


def digest(*parts: object) -> str:
    """The sha256 of some JSON-like parts in hexadecimal."""
    return hashlib.sha256(orjson.dumps(parts)).hexdigest()


def sql_hash(sql: str) -> str:
    """The hash of a statement's text."""
    return hashlib.sha256(sql.encode("utf-8", "surrogatepass")).hexdigest()


def schema_hash(
    refs: Refs, dialect: str, schema: Schema | None, default_db: str | None, default_schema: str | None
) -> str:
    """The hash of what the schema says of the relations that a statement names: columns in order, and types."""
    names = find_names(dialect or "")
    if names is None:
        return digest(None)
    catalog = Catalog(names, schema, default_db, default_schema)
    tables = [catalog.find_again(ref) for ref in refs]
    return digest([(table.display, table.relation, table.columns) for table in tables])


def row_key(sql: str, dialect: str, default_db: str | None, default_schema: str | None, own: Own = None) -> str:
    """The key of a cache row: all but the schema."""
    return digest(sql_hash(sql), dialect or "", default_db, default_schema, own, sqlglot_version(), RULES_VERSION)


def lineage_hash(
    sql: str,
    dialect: str,
    schema: Schema | None,
    default_db: str | None,
    default_schema: str | None,
    refs: Refs,
    own: Own = None,
) -> str:
    """The hash of all that a lineage depends on: equal hashes, equal lineage."""
    return digest(
        row_key(sql, dialect, default_db, default_schema, own),
        schema_hash(refs, dialect, schema, default_db, default_schema),
    )


class LineageCache:
    """Traces SQL, or gives the kept lineage when nothing it depends on has changed; `parsed` and `reused` count."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.parsed = 0
        self.reused = 0
        self.dirty = False
        self.rows: dict[str, dict[str, Any]] = read_rows(path)

    def __enter__(self) -> LineageCache:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.save()

    def trace(
        self,
        sql: str,
        dialect: str,
        schema: Schema | None = None,
        default_db: str | None = None,
        default_schema: str | None = None,
        own: Own = None,
    ) -> ModelLineage:
        """The lineage of a statement, as `lineal_producer.columns.trace` gives it."""
        key = row_key(sql, dialect, default_db, default_schema, own)
        kept = self.find_kept(self.rows.get(key), dialect, schema, default_db, default_schema)
        if kept is not None:
            self.reused += 1
            return kept
        self.parsed += 1
        lineage, refs = trace_with_refs(sql, dialect, schema, default_db, default_schema, own)
        self.rows.pop(key, None)
        self.rows[key] = {
            "refs": refs,
            "schema_hash": schema_hash(refs, dialect, schema, default_db, default_schema),
            "ref_relations": lineage.relations,
            "out_columns": [column.name for column in lineage.columns],
            "lineage": asdict(lineage),
        }
        self.dirty = True
        return lineage

    def find_kept(
        self,
        row: dict[str, Any] | None,
        dialect: str,
        schema: Schema | None,
        default_db: str | None,
        default_schema: str | None,
    ) -> ModelLineage | None:
        """A row's lineage, None when there is no row, the schema has changed, or the row can't be read."""
        if row is None:
            return None
        try:
            refs = tuple(tuple((name, quoted) for name, quoted in ref) for ref in row["refs"])
            if schema_hash(refs, dialect, schema, default_db, default_schema) != row["schema_hash"]:
                return None
            return lineage_from(row["lineage"])
        except (TypeError, KeyError, ValueError, AttributeError, IndexError):
            return None

    def save(self) -> None:
        """Writes the cache beside its place and moves it there; a disk that refuses costs only the next run's time."""
        if not self.dirty:
            return
        rows = dict(list(self.rows.items())[-MAX_ROWS:])
        with contextlib.suppress(OSError):
            write_atomically(self.path, orjson.dumps({"format": FORMAT, "rows": rows}))
            self.dirty = False


def write_atomically(path: Path, content: bytes) -> None:
    """Replaces a file so that a reader sees the old or the new one, never a part."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=path.name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        Path(temporary).replace(path)
    except OSError:
        Path(temporary).unlink(missing_ok=True)
        raise


def read_rows(path: Path) -> dict[str, dict[str, Any]]:
    """The rows of a cache file; none of what isn't there or can't be read."""
    try:
        content = orjson.loads(path.read_bytes())
        rows = content["rows"] if content["format"] == FORMAT else {}
        return rows if isinstance(rows, dict) else {}
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return {}


def lineage_from(data: dict[str, Any]) -> ModelLineage:
    """A lineage from its kept form."""
    return ModelLineage(
        data["status"],
        data["target"],
        tuple(Column(**{**column, "inputs": inputs_from(column["inputs"])}) for column in data["columns"]),
        inputs_from(data["rows"]),
        tuple(Gap(**gap) for gap in data["gaps"]),
        tuple(tuple(relation) for relation in data["relations"]),
    )


def inputs_from(data: Iterable[dict[str, Any]]) -> tuple[Input, ...]:
    """Inputs from their kept form."""
    return tuple(Input(**{**item, "relation": tuple(item["relation"])}) for item in data)
