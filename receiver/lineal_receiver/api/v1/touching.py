"""The jobs beside datasets, found among all that ever touched these."""

from uuid import UUID

from lineal_receiver.api.v1.identities import Identities
from lineal_receiver.api.v1.steps import DatasetSteps
from lineal_receiver.store.read_past_graph import list_jobs_that_touched


async def step_to_touching(
    identities: Identities, by: DatasetSteps, datasets: list[UUID], limit: int
) -> tuple[list[UUID], bool]:
    """The jobs that, by these steps, read or wrote any of `datasets`; whether `limit` rows were too few."""
    wanted = set(datasets)
    touched = await list_jobs_that_touched(identities.connection, await identities.expand(datasets), limit)
    jobs = list(dict.fromkeys((await identities.find_roots(touched)).values()))
    steps, cut = await by.step_to_datasets(jobs, limit)
    found = dict.fromkeys(step.job_id for step in steps if step.dataset_id in wanted)
    return list(found), cut or len(touched) == limit
