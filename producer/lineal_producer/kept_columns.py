"""Columns that earlier runs of a project read from the database: the last source, where nothing better tells them."""

from __future__ import annotations

import contextlib
import json
import os
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from lineal_producer.known import Columns, Key

FORMAT: Final = 1
_MOST: Final = 20_000  # relations; those that no run has read for longest are dropped first
_NAME: Final = "known.json"


def read_kept(folder: Path) -> dict[Key, Columns]:
    """The columns by relation, those read last at the end; none of a file that isn't there or can't be read."""
    try:
        content = json.loads((folder / _NAME).read_bytes())
        entries = content["relations"] if content["format"] == FORMAT else []
        return {_key(relation): _columns(columns) for relation, columns in entries}
    except (OSError, ValueError, TypeError, KeyError):
        return {}


def _key(relation: Any) -> Key:
    if not isinstance(relation, list) or not all(isinstance(part, str) for part in relation):
        raise TypeError("a relation is a list of texts")
    return tuple(relation)


def _columns(columns: Any) -> Columns:
    return [(str(name), None if kind is None else str(kind)) for name, kind in columns]


def write_kept(folder: Path, kept: Mapping[Key, Columns]) -> None:
    """Keep columns for later runs, the file whole or as it was; a disk that refuses costs no more than that."""
    newest = list(kept.items())[-_MOST:]
    content = json.dumps({"format": FORMAT, "relations": newest}).encode()
    with contextlib.suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
        descriptor, part = tempfile.mkstemp(dir=folder, prefix=_NAME)
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(content)
            Path(part).replace(folder / _NAME)
        except OSError:
            Path(part).unlink(missing_ok=True)
            raise
