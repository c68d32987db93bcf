"""What was in force at a time, under the names of that time."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime
from uuid import UUID

from lineal_receiver.api.v1.identities import Identities, open_identities
from lineal_receiver.api.v1.renames import Span
from lineal_receiver.api.v1.touching import step_to_touching
from lineal_receiver.ids import NONE
from lineal_receiver.store.read_column_statuses import ColumnStatusRow, fetch_statuses_of_sets
from lineal_receiver.store.read_columns import Column, ColumnEdgeRow
from lineal_receiver.store.read_declared import fetch_declared, list_declared_targets
from lineal_receiver.store.read_graph import StepRow
from lineal_receiver.store.read_past_columns import (
    fetch_schemas_as_read,
    fetch_schemas_at,
    list_fields_of_sets,
    step_in_sets,
)
from lineal_receiver.store.read_past_graph import fetch_reads, fetch_reads_alone, list_outputs
from lineal_receiver.store.read_snapshot import Connection
from lineal_receiver.store.read_uses import UseRow
from lineal_receiver.store.read_writes_at import (
    JobWrite,
    NameAt,
    WriteAt,
    fetch_builds,
    fetch_ended,
    fetch_job_writes,
    fetch_newest_writes,
)

Standing = dict[tuple[UUID, UUID], JobWrite]
"""By (dataset, job), as they were called then: the write in force."""


class NamesThen:
    """The steps of walks through what was in force at a time."""

    def __init__(self, identities: Identities) -> None:
        self.identities, self.at = identities, identities.at
        self._connection = identities.connection
        self._builds: dict[UUID, list[tuple[UUID, JobWrite]]] = {}

    async def step_to_datasets(self, jobs: list[UUID], limit: int) -> tuple[list[StepRow], bool]:
        """What `jobs` read and wrote by the runs in force then; whether `limit` rows were too few."""
        uses, cut = await self.step_to_uses(jobs, limit)
        outputs = [StepRow(use.job, use.target, "o") for use in uses if use.target != NONE]
        inputs = [StepRow(use.job, use.source, "i") for use in uses if use.source is not None]
        return list(dict.fromkeys(outputs + inputs)), cut

    async def step_to_uses(self, jobs: list[UUID], limit: int) -> tuple[list[UseRow], bool]:
        """What `jobs` made of what by the runs in force then; whether `limit` rows were too few."""
        made = await list_outputs(self._connection, await self.identities.expand_jobs(jobs), limit)
        roots = await self.identities.find_roots(job for job, _ in made)
        uses, cut = await self.list_uses(await self.find_writes(list(made)), limit)
        writers = {roots[job] for (job, _), since in made.items() if since <= self.at}
        idle = [job for job in jobs if job not in writers]
        alone = await fetch_reads_alone(self._connection, await self.identities.expand_jobs(idle), self.at, limit)
        uses += [UseRow(NONE, step.job_id, step.dataset_id) for step in await self._name_inputs(alone)]
        return list(dict.fromkeys(uses)), cut or limit in {len(made), len(alone)}

    async def list_uses(self, standing: Standing, limit: int) -> tuple[list[UseRow], bool]:
        """What these writes were made of, by inputs and columns; whether `limit` rows were too few."""
        keys = list(standing)
        builds = await self.find_builds(dataset for dataset, _ in keys)
        sets = {(dataset, job): write.edge_set_id for dataset, _ in keys for job, write in builds[dataset]}
        writes = [
            replace(write, place=place, edge_set_id=sets.get(key))
            for place, (key, write) in enumerate(standing.items())
        ]
        read = await fetch_reads(self._connection, writes, self.at, limit)
        named = await self._name_inputs(
            [(keys[place][1], dataset, writes[place].effective_at) for place, dataset in read]
        )
        uses = [
            UseRow(keys[place][0], step.job_id, step.dataset_id) for (place, _), step in zip(read, named, strict=True)
        ]
        fed = {(use.target, use.job) for use in uses}
        uses += [UseRow(dataset, job, None) for dataset, job in keys if (dataset, job) not in fed]
        return uses, len(read) == limit

    async def step_to_declared(self, datasets: list[UUID], limit: int) -> tuple[list[UseRow], bool]:
        """What DatasetEvents told of `datasets`, or of what is made from them; whether `limit` rows were too few."""
        names = await self.identities.expand(datasets)
        made = await list_declared_targets(self._connection, names, limit)
        places: list[UUID] = []
        asked: list[NameAt] = []
        for dataset, spans in (await self._find_spans({*names, *made})).items():
            for place, span in spans:
                asked.append((len(places), dataset, span.since, span.until))
                places.append(place)
        declared = await self._find_standing(await fetch_declared(self._connection, asked), places)
        uses, cut = await self.list_uses(declared, limit)
        return uses, cut or len(made) == limit

    async def _name_inputs(self, read: list[tuple[UUID, UUID, datetime]]) -> list[StepRow]:
        """Inputs (job, dataset, when it was read) as they were called at the time that is asked for."""
        roots = await self.identities.find_roots(name for job, dataset, _ in read for name in (job, dataset))
        await self._learn(roots[dataset] for _, dataset, _ in read)
        return [StepRow(roots[job], self._follow(roots[dataset], when), "i") for job, dataset, when in read]

    def _follow(self, root: UUID, when: datetime) -> UUID:
        return self.identities.history.follow(root, when, written=False) or root

    async def _learn(self, roots: Iterable[UUID]) -> None:
        if self.identities.renames:
            await self.identities.learn(list(roots))

    async def step_to_jobs(self, datasets: list[UUID], limit: int) -> tuple[list[UUID], bool]:
        """The jobs whose runs in force then read or wrote any of `datasets`."""
        return await step_to_touching(self.identities, self, datasets, limit)

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
        await self._learn(roots.values())
        spans = self.identities.history.find_spans(set(roots.values()), self.at)
        return {dataset: spans.get(roots[dataset], []) for dataset in sorted(datasets)}

    async def _find_standing(self, writes: list[JobWrite], places: list[UUID]) -> Standing:
        """The newest of the writes of each dataset by each job, of those that nothing had ended."""
        roots = await self.identities.find_roots(write.job_id for write in writes)
        newest: Standing = {}
        for write in sorted(writes, key=lambda one: (one.effective_at, one.dataset_id, one.job_id)):
            newest[places[write.place], roots[write.job_id]] = write
        spans = await self.identities.trace((dataset, self.at) for dataset, _ in newest)
        asked = [
            (place, span.name, span.since, span.until, write.job_id, write.effective_at)
            for place, ((dataset, _), write) in enumerate(newest.items())
            for span in spans[dataset, self.at]
            if span.until > write.effective_at
        ]
        ended = await fetch_ended(self._connection, asked)
        return {key: write for place, (key, write) in enumerate(newest.items()) if place not in ended}

    async def step_upstream(self, columns: list[Column], limit: int) -> tuple[list[ColumnEdgeRow], bool]:
        """The edges into `columns` then; whether `limit` rows were too few."""
        return await self._step(columns, limit, rows=False)

    async def step_to_rows(self, datasets: list[UUID], limit: int) -> tuple[list[ColumnEdgeRow], bool]:
        """What decided the rows of `datasets` then (target field ''); whether `limit` rows were too few."""
        return await self._step([(dataset, "") for dataset in datasets], limit, rows=True)

    async def _step(self, columns: list[Column], limit: int, *, rows: bool) -> tuple[list[ColumnEdgeRow], bool]:
        builds = await self.find_builds(dataset for dataset, _ in columns)
        return await self.list_edges(
            [(column, *build) for column in columns for build in builds[column[0]]], limit, rows=rows
        )

    async def list_edges(
        self, into: list[tuple[Column, UUID, JobWrite]], limit: int, *, rows: bool
    ) -> tuple[list[ColumnEdgeRow], bool]:
        """The edges into columns (column, job, write) by what these writes say; whether `limit` rows were too few."""
        asked = [
            (place, write.edge_set_id, column[1])
            for place, (column, _, write) in enumerate(into)
            if write.edge_set_id is not None
        ]
        found = await step_in_sets(self._connection, asked, limit, rows=rows)
        roots = await self.identities.find_roots(row["source_dataset"] for row in found)
        await self._learn(roots.values())
        edges: dict[ColumnEdgeRow, None] = {}
        for row in found:
            (dataset, field), job, write = into[row["place"]]
            source = self._follow(roots[row["source_dataset"]], write.effective_at)
            how = (row["type"], row["subtype"], row["masking"], row["expression"])
            edges.setdefault(ColumnEdgeRow(dataset, field, source, row["source_field"], job, *how, last_known=False))
        return list(edges), len(found) == limit

    async def find_builds(self, datasets: Iterable[UUID]) -> dict[UUID, list[tuple[UUID, JobWrite]]]:
        """By dataset: what each job had read its columns from, of what was in force; static statements' only alone."""
        wanted = [dataset for dataset in dict.fromkeys(datasets) if dataset not in self._builds]
        places, names = await self._number(wanted)
        standing = await self._find_standing(await fetch_builds(self._connection, names), places)
        self._builds |= {dataset: [] for dataset in wanted}
        for (dataset, job), write in standing.items():
            if job != NONE or not any(other != NONE for of, other in standing if of == dataset):
                self._builds[dataset].append((job, write))
        return self._builds

    async def list_fields(self, datasets: list[UUID], job: UUID | None, limit: int) -> list[Column]:
        """The columns of `datasets` that were made then, or known not to be told; where given: by one job."""
        builds = await self.find_builds(datasets)
        sets = [
            (dataset, write.edge_set_id)
            for dataset in datasets
            for maker, write in builds[dataset]
            if write.edge_set_id is not None and job in {None, maker}
        ]
        return await list_fields_of_sets(self._connection, sets, limit)

    async def find_statuses(self, columns: list[Column]) -> dict[Column, ColumnStatusRow]:
        """What was known of where these columns came from; what any build couldn't tell is unresolved."""
        builds = await self.find_builds(dataset for dataset, _ in columns)
        asked = [(*column, write.edge_set_id) for column in columns for _, write in builds[column[0]]]
        return await fetch_statuses_of_sets(
            self._connection, [(dataset, field, one) for dataset, field, one in asked if one is not None]
        )

    async def find_schemas(self, datasets: Iterable[UUID]) -> dict[UUID, str]:
        """The schemas (JSON text) that these had then: of a write since the last DROP, else as its readers saw it."""
        datasets = list(datasets)
        places, names = await self._number(datasets)
        found: dict[UUID, tuple[datetime, str]] = {}
        dropped: dict[UUID, datetime] = {}
        for row in await fetch_schemas_at(self._connection, names):
            dataset = places[row.place]
            if row.stated_at is not None and row.fields is not None:
                found[dataset] = max(found.get(dataset, (row.stated_at, row.fields)), (row.stated_at, row.fields))
            if row.dropped_at is not None:
                dropped[dataset] = max(dropped.get(dataset, row.dropped_at), row.dropped_at)
        stated = {
            dataset: fields
            for dataset, (at, fields) in found.items()
            if dataset not in dropped or at >= dropped[dataset]
        }
        return await fetch_schemas_as_read(self._connection, datasets, self.at) | stated

    async def find_newest(self, datasets: Iterable[UUID]) -> dict[UUID, WriteAt]:
        """The newest write of each of these until then, of those that have one."""
        places, names = await self._number(datasets)
        newest: dict[UUID, WriteAt] = {}
        for write in await fetch_newest_writes(self._connection, names):
            dataset = places[write.place]
            known = newest.get(dataset)
            if known is None or (not write.future, write.effective_at) > (not known.future, known.effective_at):
                newest[dataset] = write
        return newest

    async def find_called(self, root: UUID) -> UUID:
        """What was called then what is asked for by this name: itself, if it stood for anything then."""
        if not self.identities.renames or root in await self.find_newest([root]):
            return root
        history = self.identities.history
        if history.is_gone(root, None):
            return history.follow_last(root)
        ever = Identities(self._connection, aliases=self.identities.aliases, renames=True)
        await ever.learn([root])
        return next((span.name for span in ever.history.trace(root) if span.since <= self.at <= span.until), root)

    async def _number(self, datasets: Iterable[UUID]) -> tuple[list[UUID], list[tuple[int, UUID, datetime, datetime]]]:
        """Datasets, and their names until then, each with the place of its dataset among them."""
        places = list(dict.fromkeys(datasets))
        spans = await self.identities.trace((dataset, self.at) for dataset in places)
        return places, [
            (place, span.name, span.since, span.until)
            for place, dataset in enumerate(places)
            for span in spans[dataset, self.at]
        ]


async def open_names_then(connection: Connection, at: datetime) -> NamesThen:
    """Steps by the names and runs of a time."""
    return NamesThen(await open_identities(connection, at))
