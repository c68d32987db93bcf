"""What a graph of a time shows of its jobs and datasets: what stored facts tell of then, and nothing that came later.

Of a facet the newest is kept, and what each run said: one from after that time is left out, unless the run of then said
it, too.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any
from uuid import UUID

from lineal_receiver.api.v1.assembly.dataset_tags import fetch_tagged_names
from lineal_receiver.api.v1.assembly.nodes import DATASET_DATA_FACETS, JOB_DATA_FACETS, group_steps
from lineal_receiver.api.v1.assembly.runs import LARGEST_LISTED_FACET, LARGEST_NESTED_FACET, assemble_runs
from lineal_receiver.api.v1.names import fetch_names
from lineal_receiver.api.v1.names_then import NamesThen
from lineal_receiver.api.v1.shapes.datasets import build_dataset_data
from lineal_receiver.api.v1.shapes.jobs import build_job_node_data
from lineal_receiver.api.v1.shapes.tags import Tags
from lineal_receiver.ids import NONE
from lineal_receiver.store.read_datasets import fetch_datasets
from lineal_receiver.store.read_facets import FacetKey, FacetRow, fetch_facets
from lineal_receiver.store.read_graph import StepRow
from lineal_receiver.store.read_jobs import JobRow, fetch_jobs
from lineal_receiver.store.read_runs import RunRow, fetch_latest_runs_at
from lineal_receiver.store.read_snapshot import Connection
from lineal_receiver.store.read_tags import TaggedRow


async def assemble_job_data_then(
    connection: Connection, then: NamesThen, jobs: list[UUID], steps: list[StepRow]
) -> dict[UUID, dict[str, Any]]:
    """The data of job nodes at a time; `steps` are the jobs' inputs and outputs then."""
    rows = await fetch_jobs(connection, jobs)
    names = await fetch_names(connection, list(rows))
    latest = await fetch_latest_then(connection, rows, then.at)
    keys = [(name, NONE) for row in rows.values() for name in row.names]
    keys += [(run.job_id, run.run_id) for run in latest.values()]
    facets = await fetch_facets(connection, keys, "j", LARGEST_LISTED_FACET, JOB_DATA_FACETS)
    runs = await assemble_runs(connection, list(latest.values()), LARGEST_NESTED_FACET, then.at)
    datasets = await group_steps(connection, steps)
    data = {}
    for job, row in rows.items():
        run = latest.get(job)
        keys = [*([] if run is None else [(run.job_id, run.run_id)]), *((name, NONE) for name in row.names)]
        shown = replace(row, updated_at=row.created_at if run is None else run.last_at)
        newest = None if run is None else runs[run.job_id, run.run_id]
        data[job] = build_job_node_data(shown, names[job], datasets[job], _say(facets, keys, then.at), newest)
    return data


async def fetch_latest_then(connection: Connection, jobs: dict[UUID, JobRow], at: datetime) -> dict[UUID, RunRow]:
    """The run of each job that had begun last, as it stood then."""
    found = await fetch_latest_runs_at(connection, [name for job in jobs.values() for name in job.names], at)
    latest: dict[UUID, RunRow] = {}
    for asked, job in jobs.items():
        begun = [found[name] for name in job.names if name in found]
        if begun:
            latest[asked] = _stand(max(begun, key=lambda run: run.start_at or run.running_at or run.first_at), at)
    return latest


def _stand(run: RunRow, at: datetime) -> RunRow:
    """A run by what had been said of it at a time."""
    times = (run.first_at, run.start_at, run.running_at, run.end_at, run.last_at)
    started, running = (time if time is not None and time <= at else None for time in (run.start_at, run.running_at))
    over = run.end_at is not None and run.end_at <= at
    return replace(
        run,
        start_at=started,
        running_at=running,
        last_at=max((time for time in times if time is not None and time <= at), default=at),
        typed=run.typed and (over or started is not None or running is not None),
        end_at=run.end_at if over else None,
        end_rank=run.end_rank if over else None,
        version_id=run.version_id if over else None,
    )


def _say(facets: dict[FacetKey, list[FacetRow]], keys: Sequence[FacetKey], at: datetime) -> list[FacetRow]:
    """The facets under these keys that had been said by then, the last key's over the first's."""
    return [row for key in keys for row in facets.get(key, []) if row.at is not None and row.at <= at]


async def assemble_dataset_data_then(
    connection: Connection, then: NamesThen, datasets: list[UUID]
) -> dict[UUID, dict[str, Any]]:
    """The data of dataset nodes at a time."""
    rows = await fetch_datasets(connection, datasets)
    schemas, newest = await then.find_schemas(rows), await then.find_newest(rows)
    scopes = {dataset: (write.dataset_id, (write.job_id, write.run_id)) for dataset, write in newest.items()}
    keys = [(name, NONE) for row in rows.values() for name in row.names]
    facets = await fetch_facets(connection, [*keys, *scopes.values()], "dw", LARGEST_LISTED_FACET, DATASET_DATA_FACETS)
    tagged = await fetch_tagged_names(connection, list(rows.values()))
    data = {}
    for dataset, row in rows.items():
        write = newest.get(dataset)
        own: list[FacetKey] = [scopes[dataset]] if dataset in scopes else []
        own += [(name, NONE) for name in row.names]
        said = sorted(_say(facets, own, then.at), key=lambda facet: facet.side)
        shown = replace(
            row,
            fields=schemas.get(dataset),
            written_at=None if write is None else write.effective_at,
            updated_at=row.created_at if write is None else write.effective_at,
            lifecycle=None if write is None else write.lifecycle,
            moved_at=None,
        )
        data[dataset] = build_dataset_data(shown, said, Tags(said, _tag(tagged[row.id], then.at)))
    return data


def _tag(rows: list[TaggedRow], at: datetime) -> list[TaggedRow]:
    """What had been added and removed by then."""

    def by_then(time: datetime | None) -> datetime | None:
        return time if time is not None and time <= at else None

    return [replace(row, added_at=by_then(row.added_at), removed_at=by_then(row.removed_at)) for row in rows]
