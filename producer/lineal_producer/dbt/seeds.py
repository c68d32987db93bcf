"""The columns of nodes as the project documents them, and of seeds as their files' headers have them."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lineal_producer.dbt.fields import field_of, mapping_of, plain, text_of, texts
from lineal_producer.naming.adapters import stored

if TYPE_CHECKING:
    from lineal_producer.descriptions import ColumnDoc


def documented(node: Any) -> list[ColumnDoc]:
    """The columns that the project tells of a node."""
    columns = mapping_of(node, "columns")
    return [
        {
            "name": text_of(column, "name") or str(key),
            "type": text_of(column, "data_type"),
            "description": text_of(column, "description"),
            "tags": texts(field_of(column, "tags") or field_of(field_of(column, "config"), "tags")),
        }
        for key, column in columns.items()
    ]


def read_header(seed: Any) -> list[str]:
    """The header of a seed's file; nothing when the file isn't here (artifacts of another machine)."""
    root, path = text_of(seed, "root_path"), text_of(seed, "original_file_path")
    if root is None or path is None:
        return []
    try:
        with (Path(root) / path).open(encoding="utf-8-sig", newline="") as file:
            return next(csv.reader(file, delimiter=text_of(field_of(seed, "config"), "delimiter") or ","), [])
    except (OSError, ValueError, TypeError, csv.Error):
        return []


def seed_columns(seed: Any, adapter: str) -> list[ColumnDoc]:
    """All columns of a seed: its file's header, which may have been told with it, and what is configured of them."""
    config, header = field_of(seed, "config"), field_of(seed, "header")
    types = {name.casefold(): kind for name, kind in plain(mapping_of(config, "column_types")).items()}
    by_name = {column["name"].casefold(): column for column in documented(seed)}
    quoted = field_of(config, "quote_columns", adapter != "snowflake")
    columns: list[ColumnDoc] = []
    for written in read_header(seed) if header is None else header:
        told = by_name.get(written.casefold())
        columns.append(
            {
                "name": stored(written, quoted=bool(quoted), adapter=adapter),
                "type": types.get(written.casefold()) or (told["type"] if told else None),
                "description": told["description"] if told else None,
                "tags": told["tags"] if told else [],
            }
        )
    return columns
