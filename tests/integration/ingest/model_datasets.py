"""What the rules say of datasets: schema, versions, whether they were dropped."""

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime, timezone
from typing import Any

from .model_records import Name, Teller, Word, name_of
from .model_writes import EFFECTIVE, PENDING, Write, schema_in

Version = tuple[str | None, list[str], str]
EVER = datetime.min.replace(tzinfo=timezone.utc)


def find_drop(writes: Sequence[Write]) -> datetime | None:
    """When a dataset was dropped last; one from the future drops nothing."""
    drops = [w.at for w in writes if w.kind == EFFECTIVE and w.lifecycle == "DROP" and not w.future]
    return max(drops, default=None)


def list_alive(writes: Sequence[Write], kind: int) -> list[Write]:
    """The writes of a class that no DROP ended, the newest last; one that is to drop it is a write until it has."""
    drop = find_drop(writes)
    alive = [w for w in writes if w.kind == kind and (drop is None or w.at >= drop)]
    return sorted((w for w in alive if kind == PENDING or w.lifecycle != "DROP"), key=lambda w: w.order)


def expect_dataset(name: Name, writes: Sequence[Write], tellers: Sequence[Teller]) -> dict[str, Any]:
    """A dataset as it is now; `writes` are all of it."""
    drop = find_drop(writes)
    live = [w for w in writes if w.kind == EFFECTIVE and not (w.lifecycle == "DROP" and not w.future)]
    sane = [w.at for w in live if not w.future] or [w.at for w in live]
    written = max(sane, default=None)
    newest = max(live, key=lambda w: w.order, default=None)
    under_way = any(w.kind == PENDING for w in writes)
    deleted = drop is not None and (written is None or drop > written)
    fields = sorted(_find_fields(name, writes, tellers, drop))
    return {
        "deleted": deleted,
        "lifecycle": "DROP" if deleted else _find_lifecycle(newest, live),
        "written": None if newest is None or newest.teller.run is None else written,
        "fields": fields,
        "current": True,
        "description": _find_description(name, tellers),
        "versions": expect_versions(writes) or ([] if under_way else [(None, fields, "")]),
    }


def _find_lifecycle(newest: Write | None, live: Sequence[Write]) -> str:
    """What the newest write did; a static event that doesn't say leaves what was said by one before it."""
    if newest is None or newest.teller.run:
        return (newest and newest.lifecycle) or ""
    stated = [w for w in live if w.teller.run is None and w.teller.job == newest.teller.job and w.lifecycle]
    return max(stated, key=lambda w: w.order).lifecycle or "" if stated else ""


def _find_fields(name: Name, writes: Sequence[Write], tellers: Sequence[Teller], drop: datetime | None) -> list[str]:
    written = find_written_fields(writes)
    return _as_read(name, tellers, drop) if written is None else written


def find_written_fields(writes: Sequence[Write]) -> list[str] | None:
    """The fields that the writes of a dataset state; None if none does."""
    for kind in (EFFECTIVE, PENDING):
        stated = [write for write in list_alive(writes, kind) if write.schema is not None]
        if stated:
            return max(stated, key=lambda w: (*w.order[:3], "_deleted" not in (w.schema or {}), *w.order[3:])).fields
    return None


def _as_read(name: Name, tellers: Sequence[Teller], drop: datetime | None) -> list[str]:
    """The union of what each reading job saw last, since a DROP."""
    seen: dict[Name, tuple[Any, list[str]]] = {}
    for teller in tellers:
        for word, one in _read_by(teller, name):
            facet = schema_in(one)
            if facet is None or teller.job is None or word.failed or (drop is not None and word.at < drop):
                continue
            order = (not word.future, *word.rank, not facet.get("_deleted"), word.id)
            if teller.job not in seen or order > seen[teller.job][0]:
                seen[teller.job] = order, [field["name"] for field in facet.get("fields", [])]
    return list({field for _, fields in seen.values() for field in fields})


def _read_by(teller: Teller, name: Name) -> list[tuple[Word, dict[str, Any]]]:
    return [(word, one) for word in teller.words for one in word.names("inputs") if name_of(one) == name]


def _find_description(name: Name, tellers: Sequence[Teller]) -> str | None:
    """The newest that a writer gave, else a reader; it doesn't depend on how the run ended."""
    for side in ("outputs", "inputs"):
        said = [
            (not word.future, *word.rank, not facet.get("_deleted"), word.id, facet)
            for teller in tellers
            for word in teller.words
            for one in word.names(side)
            if name_of(one) == name and (facet := (one.get("facets") or {}).get("documentation")) is not None
        ]
        if said and (text := max(said, key=lambda one: one[:5])[5].get("description")):
            return str(text)
    return None


def expect_versions(writes: Sequence[Write]) -> list[Version]:
    """One for each effective write, the newest first: its run, its fields, what it did."""
    effective = sorted((w for w in writes if w.kind == EFFECTIVE), key=_version_order)
    found = [
        (_version_order(w), (w.teller.run, sorted(_fields_of(w, effective)), w.lifecycle or ""))
        for w in effective
        if w.teller.run
    ]
    statements: dict[Any, list[Write]] = defaultdict(list)
    for write in effective:
        if not write.teller.run:
            statements[write.teller.job, write.lifecycle == "DROP"].append(write)
    for stated in statements.values():
        found += _expect_stated(stated, effective)
    return [version for _, version in sorted(found, reverse=True)]


def _expect_stated(writes: Sequence[Write], effective: Sequence[Write]) -> list[tuple[Any, Version]]:
    """What static events of one job, or of none, leave: a version for each schema, and the newest if it states none.

    Of those that drop the dataset the newest alone.
    """
    newest = writes[-1]
    kept = writes if newest.lifecycle != "DROP" else writes[-1:]
    by_schema = {tuple(sorted(w.fields)): w for w in kept if w.schema is not None}
    if newest.schema is not None:
        by_schema.pop(tuple(sorted(newest.fields)))
    lifecycle = next((w.lifecycle for w in reversed(writes) if w.lifecycle), "")
    found = [(_version_order(w), (None, list(fields), "")) for fields, w in by_schema.items()]
    return [*found, (_version_order(newest), (None, sorted(_fields_of(newest, effective)), lifecycle))]


def _version_order(write: Write) -> Any:
    return *write.order[:2], write.lifecycle != "DROP", *write.order[2:]


def _fields_of(write: Write, effective: Sequence[Write]) -> list[str]:
    """The fields that a write states, else those of the newest schema until then, back to a DROP."""
    if write.schema is not None:
        return write.fields
    drop = max((w.at for w in effective if w.lifecycle == "DROP" and w.at < write.at), default=EVER)
    stated = [w for w in effective if w.schema is not None and w.lifecycle != "DROP" and drop <= w.at <= write.at]
    return stated[-1].fields if stated else []
