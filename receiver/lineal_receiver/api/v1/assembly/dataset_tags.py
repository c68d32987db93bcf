"""The tags on datasets, whichever of their names they were put on."""

from uuid import UUID

from lineal_receiver.store.read_datasets import DatasetRow
from lineal_receiver.store.read_snapshot import Connection
from lineal_receiver.store.read_tags import TaggedRow, fetch_tagged


async def fetch_tagged_names(connection: Connection, datasets: list[DatasetRow]) -> dict[UUID, list[TaggedRow]]:
    """What was added to and removed from each dataset under any name, and when last."""
    tagged = await fetch_tagged(connection, [name for row in datasets for name in row.names])
    return {
        row.id: unite_tagged(row.id, [one for name in row.names for one in tagged.get(name, [])]) for row in datasets
    }


def unite_tagged(entity: UUID, rows: list[TaggedRow]) -> list[TaggedRow]:
    """When each tag was last added and removed under any of the names that these rows are of."""
    found: dict[tuple[str, str], TaggedRow] = {}
    for row in rows:
        known = found.get((row.field, row.tag), row)
        added = [at for at in (known.added_at, row.added_at) if at is not None]
        removed = [at for at in (known.removed_at, row.removed_at) if at is not None]
        found[row.field, row.tag] = TaggedRow(
            entity, row.field, row.tag, max(added, default=None), max(removed, default=None)
        )
    return [found[key] for key in sorted(found)]
