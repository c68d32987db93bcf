"""The facets that datasets are shown with: the current write's, else the newest of each name."""

from uuid import UUID

from lineal_receiver.api.v1.assembly.runs import LARGEST_LISTED_FACET
from lineal_receiver.ids import NONE
from lineal_receiver.store.read_datasets import DatasetRow, ReaderRow, fetch_readers
from lineal_receiver.store.read_facets import FacetRow, fetch_facets, find_deleted
from lineal_receiver.store.read_snapshot import Connection

MOST_READERS = 5


async def fetch_dataset_facets(
    connection: Connection, datasets: list[DatasetRow], names: tuple[str, ...] | None = None
) -> dict[UUID, list[FacetRow]]:
    """The facets of each dataset, a later row over an earlier one: readers', the current write's, writers'.

    What writers said outside a write (documentation) is the newest, or deleted; schemas and lineage are the current
    write's own.
    Readers' are those of the runs behind the lineage in force, of up to MOST_READERS jobs.
    """
    roots = {name: row.id for row in datasets for name in row.names}
    readers = [(row.dataset_id, (row.job_id, row.run_id)) for row in await _fetch_readers(connection, datasets)]
    said = [(name, NONE) for name in roots]
    writes = {
        row.id: (row.written_id, (row.write_job, row.write_run))
        for row in datasets
        if row.write_job is not None and row.write_run is not None
    }
    read = await fetch_facets(connection, readers, "di", LARGEST_LISTED_FACET, names)
    newest = await fetch_facets(connection, said, "dw", LARGEST_LISTED_FACET, names)
    current = await fetch_facets(connection, list(writes.values()), "wo", LARGEST_LISTED_FACET, names)
    gone = await find_deleted(connection, list(roots))
    found: dict[UUID, list[FacetRow]] = {row.id: [] for row in datasets}
    for key in readers:
        found[roots[key[0]]] += _keep(read.get(key, []), key[0], gone)
    for row in datasets:
        said_of = [facet for name in _written_last(row) for facet in newest.get((name, NONE), [])]
        found[row.id] += [facet for facet in said_of if facet.side == "d"]
        if row.id in writes:
            found[row.id] += _keep(current.get(writes[row.id], []), row.written_id, gone)
        found[row.id] += [facet for facet in said_of if facet.side == "w"]
    return found


def _keep(facets: list[FacetRow], name: UUID, gone: set[tuple[UUID, str, str]]) -> list[FacetRow]:
    """What one run said of a name, without what was deleted since."""
    return [facet for facet in facets if (name, facet.side, facet.name) not in gone]


async def _fetch_readers(connection: Connection, datasets: list[DatasetRow]) -> list[ReaderRow]:
    return await fetch_readers(connection, [name for row in datasets for name in row.names], MOST_READERS)


def _written_last(dataset: DatasetRow) -> list[UUID]:
    """A dataset's names, the one that it was written under last at the end."""
    return sorted(dataset.names, key=lambda name: name == dataset.written_id)
