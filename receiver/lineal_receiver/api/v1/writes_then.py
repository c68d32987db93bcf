"""Which writes of datasets were in force at a time, by the names of that time."""

from collections.abc import Iterable
from datetime import datetime
from uuid import UUID

from lineal_receiver.api.v1.builds_then import PENDING
from lineal_receiver.api.v1.identities import Identities
from lineal_receiver.api.v1.renames import Span
from lineal_receiver.ids import NONE
from lineal_receiver.store.read_builds_at import BuildAt, fetch_drops
from lineal_receiver.store.read_declared import fetch_declared
from lineal_receiver.store.read_writers import list_writers
from lineal_receiver.store.read_writes_at import (
    JobWrite,
    NameAt,
    fetch_ended,
    fetch_job_writes,
)

Standing = dict[tuple[UUID, UUID], JobWrite]
"""By (dataset, job), as they were called then: the write in force."""


class WritesThen:
    """Finds what was in force at the time of a read's names."""

    def __init__(self, identities: Identities) -> None:
        self.identities, self.at = identities, identities.at
        self._connection = identities.connection

    async def find_writes(self, made: list[tuple[UUID, UUID]]) -> Standing:
        """Of what jobs ever wrote (job, dataset): the writes in force then."""
        spans = await self._find_spans({dataset for _, dataset in made})
        places: list[UUID] = []
        asked: list[tuple[int, UUID, datetime, datetime, UUID]] = []
        for job, dataset in made:
            for place, span in spans[dataset]:
                asked.append((len(places), dataset, span.since, span.until, job))
                places.append(place)
        return await self._find_standing(await fetch_job_writes(self._connection, asked), places)

    async def _find_spans(self, datasets: set[UUID]) -> dict[UUID, list[tuple[UUID, Span]]]:
        """By name as it was written: what was called so, and when."""
        roots = await self.identities.find_roots(datasets)
        await self.learn(roots.values())
        spans = self.identities.history.find_spans(set(roots.values()), self.at)
        return {dataset: spans.get(roots[dataset], []) for dataset in sorted(datasets)}

    async def _find_standing(self, writes: list[JobWrite], places: list[UUID]) -> Standing:
        """The newest of the writes of each dataset by each job, of those that nothing had ended."""
        roots = await self.identities.find_roots(write.job_id for write in writes)
        newest: Standing = {}
        for write in sorted(writes, key=age_of):
            newest[places[write.place], roots[write.job_id]] = write
        spans = await self.identities.trace((dataset, self.at) for dataset, _ in newest)
        asked = [
            (place, span.name, span.since, span.until, write.job_id, write.effective_at, write.rank not in PENDING)
            for place, ((dataset, _), write) in enumerate(newest.items())
            for span in spans[dataset, self.at]
            if span.until > write.effective_at
        ]
        ended = await fetch_ended(self._connection, asked)
        return {key: write for place, (key, write) in enumerate(newest.items()) if place not in ended}

    async def find_all(self, datasets: Iterable[UUID]) -> Standing:
        """What is in force of these datasets, of all jobs, or of DatasetEvents where no job's write is."""
        datasets = list(datasets)
        _, names = await self.number(datasets)
        return await self._find_all_writes(datasets) | await self.find_declared({name for _, name, *_ in names})

    async def _find_all_writes(self, datasets: Iterable[UUID]) -> Standing:
        """The writes in force of these datasets by all jobs."""
        _, names = await self.number(datasets)
        pairs = await list_writers(self._connection, list({name for _, name, *_ in names}))
        return await self.find_writes([pair for pair in pairs if pair[0] != NONE])

    async def find_declared(self, names: set[UUID]) -> Standing:
        """What DatasetEvents told last of what was called by any of these names, where no job's write was in force."""
        places: list[UUID] = []
        asked: list[NameAt] = []
        for dataset, spans in (await self._find_spans(names)).items():
            for place, span in spans:
                asked.append((len(places), dataset, span.since, span.until))
                places.append(place)
        declared = await self._find_standing(await fetch_declared(self._connection, asked), places)
        written = await self._find_all_writes({dataset for dataset, _ in declared})
        made = {dataset for dataset, _ in written}
        return {key: write for key, write in declared.items() if key[0] not in made}

    async def find_drops(self, datasets: Iterable[UUID]) -> dict[UUID, datetime]:
        """When these were dropped last, by then, of those that were."""
        places, names = await self.number(datasets)
        return {places[place]: at for place, at in (await fetch_drops(self._connection, names)).items()}

    def follow(self, root: UUID, when: datetime) -> UUID:
        """What was called at this read's time what was read under this name before; its renames were looked up."""
        return self.identities.history.follow(root, when, written=False) or root

    async def learn(self, roots: Iterable[UUID]) -> None:
        """Look up the renames of these names, if there are any at all."""
        if self.identities.renames:
            await self.identities.learn(list(roots))

    async def number(self, datasets: Iterable[UUID]) -> tuple[list[UUID], list[tuple[int, UUID, datetime, datetime]]]:
        """Datasets, and their names until then, each with the place of its dataset among them."""
        places = list(dict.fromkeys(datasets))
        spans = await self.identities.trace((dataset, self.at) for dataset in places)
        return places, [
            (place, span.name, span.since, span.until)
            for place, dataset in enumerate(places)
            for span in spans[dataset, self.at]
        ]


def age_of(write: JobWrite | BuildAt) -> tuple[int, datetime, UUID, UUID]:
    """A key by which what counts of several writes is the greatest."""
    return write.rank, write.effective_at, write.dataset_id, write.job_id
