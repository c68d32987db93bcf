"""The tags of a job, a dataset or a field: those of its newest `tags` facet, and those that were added by the API."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from lineal_receiver.api.answers import read_json
from lineal_receiver.ids import EPOCH
from lineal_receiver.store.read_facets import FacetRow
from lineal_receiver.store.read_tags import TaggedRow


class Tags:
    """The tags of one entity by field; field '' is the whole."""

    def __init__(self, facets: Iterable[FacetRow] = (), rows: Iterable[TaggedRow] = ()) -> None:
        added = {(row.field, row.tag): row.added_at for row in rows}
        for field, tag, at in _read_facet(facets):
            known = added.get((field, tag))
            added[field, tag] = at if known is None or (at is not None and at > known) else known
        removed = {(row.field, row.tag): row.removed_at for row in rows}
        self._fields: dict[str, list[str]] = {}
        for (field, tag), at in sorted(added.items(), key=lambda item: item[0]):
            gone = removed.get((field, tag))
            if at is not None and (gone is None or at >= gone):
                self._fields.setdefault(field, []).append(tag)

    @property
    def on_fields(self) -> bool:
        """Whether any field has a tag."""
        return any(field for field in self._fields)

    def of(self, field: str = "") -> list[str]:
        """The tags of a field, or of the whole, sorted."""
        return self._fields.get(field, [])


def _read_facet(facets: Iterable[FacetRow]) -> list[tuple[str, str, datetime | None]]:
    """(field, tag, since) of the last `tags` facet among these."""
    newest = next((facet for facet in reversed(list(facets)) if facet.name == "tags"), None)
    body = read_json(newest.body) if newest is not None else None
    listed = body.get("tags") if isinstance(body, dict) else None
    found = []
    for item in listed if isinstance(listed, list) else ():
        name = _build_name(item)
        if name is not None and newest is not None:
            field = item.get("field")
            since = EPOCH if newest.future else newest.at  # a removal goes before what the future says
            found.append((field if isinstance(field, str) else "", name, since))
    return found


def _build_name(item: Any) -> str | None:
    """A tag of OpenLineage has a key and a value; Marquez's has a name: the key, and the value if it says more."""
    key = item.get("key") if isinstance(item, dict) else None
    if not isinstance(key, str):
        return None
    value = item.get("value")
    return f"{key}:{value}" if isinstance(value, str) and value.lower() not in ("", "true") else key


UNTAGGED = Tags()
