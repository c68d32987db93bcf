"""What our post-hook logs: the columns of the relation that was just built, as one line of JSON."""

from __future__ import annotations

import json
from typing import Any, Final

from lineal_producer import records
from lineal_producer.dbt.fields import field_of

HOOK_MARK: Final = "lineal_columns"
HOOK_CALL: Final = "lineal.emit"


def read_hook_line(text: str) -> records.Columns | None:
    """The record in a logged line, None when the line isn't ours."""
    try:
        line = json.loads(text)
        found = line.get(HOOK_MARK) if isinstance(line, dict) else None
        if not isinstance(found, dict):
            return None
        relation = (found.get("database"), found.get("schema"), str(found["identifier"]))
        columns = [(str(name), kind) for name, kind in found["columns"]]
        return records.columns_read(str(found["unique_id"]), relation, columns, "post_hook")
    except (ValueError, KeyError, TypeError):
        return None


def is_hooked(node: Any) -> bool:
    """Whether a node of dbt's, or of manifest.json, has our post-hook."""
    config = field_of(node, "config")
    hooks = field_of(config, "post-hook") or field_of(config, "post_hook") or []
    listed = hooks if isinstance(hooks, list | tuple) else [hooks]
    return any(HOOK_CALL in str(field_of(hook, "sql", hook)) for hook in listed)
