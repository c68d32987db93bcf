"""The facets that datasets are shown with: the current write's, else the newest of each name."""

from uuid import UUID

from lineal_receiver.api.v1.assembly.runs import LARGEST_LISTED_FACET
from lineal_receiver.ids import NONE, run_scope
from lineal_receiver.store.read_datasets import DatasetRow, ReaderRow, fetch_readers
from lineal_receiver.store.read_facets import FacetKey, FacetRow, fetch_facets
from lineal_receiver.store.read_snapshot import Connection

MOST_READERS = 5


async def fetch_dataset_facets(
    connection: Connection, datasets: list[DatasetRow], names: tuple[str, ...] | None = None
) -> dict[UUID, list[FacetRow]]:
    """The facets of each dataset, those that show last: a reader's, then what writers said, then the current write's.

    Readers' are those of the runs behind the lineage in force, of up to MOST_READERS jobs.
    """
    readers = [
        (row.dataset_id, run_scope(row.job_id, row.run_id)) for row in await _fetch_readers(connection, datasets)
    ]
    said = [(row.id, NONE) for row in datasets]
    writes = {
        row.id: (row.id, run_scope(row.write_job, row.write_run))
        for row in datasets
        if row.write_job is not None and row.write_run is not None
    }
    read = await fetch_facets(connection, readers, "di", LARGEST_LISTED_FACET, names)
    newest = await fetch_facets(connection, said, "dw", LARGEST_LISTED_FACET, names)
    current = await fetch_facets(connection, list(writes.values()), "wo", LARGEST_LISTED_FACET, names)
    found: dict[UUID, list[FacetRow]] = {row.id: [] for row in datasets}
    for key in readers:
        found[key[0]] += read.get(key, [])
    for row in datasets:
        found[row.id] += _sort(newest.get((row.id, NONE), []))
        found[row.id] += _sort(_current(current, writes.get(row.id)))
    return found


async def _fetch_readers(connection: Connection, datasets: list[DatasetRow]) -> list[ReaderRow]:
    return await fetch_readers(connection, [row.id for row in datasets], MOST_READERS)


def _current(current: dict[FacetKey, list[FacetRow]], key: FacetKey | None) -> list[FacetRow]:
    return [] if key is None else current.get(key, [])


def _sort(facets: list[FacetRow]) -> list[FacetRow]:
    return sorted(facets, key=lambda facet: facet.side in "wo")
