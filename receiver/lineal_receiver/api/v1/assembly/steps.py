"""What jobs read and write, by name."""

from lineal_receiver.store.read_datasets import fetch_dataset_names
from lineal_receiver.store.read_graph import StepRow
from lineal_receiver.store.read_jobs import JobDatasetRow
from lineal_receiver.store.read_snapshot import Connection


async def name_steps(connection: Connection, steps: list[StepRow]) -> list[JobDatasetRow]:
    """The names of what jobs read and write, sorted by them."""
    names = await fetch_dataset_names(connection, list({step.dataset_id for step in steps}))
    rows = [
        JobDatasetRow(step.job_id, step.side, step.dataset_id, *names[step.dataset_id])
        for step in steps
        if step.dataset_id in names
    ]
    return sorted(rows, key=lambda row: (row.namespace, row.name))
