"""What was in force at a time, under the names of that time."""

from collections import defaultdict
from collections.abc import Iterable
from datetime import datetime
from uuid import UUID

from lineal_receiver.api.v1.builds_then import choose_builds, find_runs_together
from lineal_receiver.api.v1.identities import Identities, open_identities
from lineal_receiver.api.v1.touching import step_to_touching
from lineal_receiver.api.v1.writes_then import Standing, WritesThen, age_of
from lineal_receiver.ids import NONE
from lineal_receiver.store.read_builds_at import BuildAt, fetch_newest_builds
from lineal_receiver.store.read_column_statuses import ColumnStatusRow, fetch_statuses_of_sets
from lineal_receiver.store.read_columns import Column, ColumnEdgeRow
from lineal_receiver.store.read_declared import list_declared_targets
from lineal_receiver.store.read_graph import StepRow
from lineal_receiver.store.read_hidden import Hidden
from lineal_receiver.store.read_past_columns import (
    fetch_schemas_as_read,
    fetch_schemas_at,
    list_fields_of_sets,
    step_in_sets,
)
from lineal_receiver.store.read_past_graph import ReadAlone, fetch_reads, fetch_reads_alone, list_outputs
from lineal_receiver.store.read_snapshot import Connection
from lineal_receiver.store.read_uses import UseRow
from lineal_receiver.store.read_writers import list_writers, list_writers_until, list_written
from lineal_receiver.store.read_writes_at import (
    JobWrite,
    WriteAt,
    fetch_newest_writes,
)


class NamesThen(WritesThen):
    """The steps of walks through what was in force at a time."""

    def __init__(self, identities: Identities) -> None:
        super().__init__(identities)
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
        standing = await self.find_writes(made)
        uses, cut = await self.list_uses(standing, limit)
        writers = {job for _, job in standing} | await self._find_writers(made)
        idle = [job for job in jobs if job not in writers]
        alone = await fetch_reads_alone(self._connection, await self.identities.expand_jobs(idle), self.at, limit)
        uses += await self._name_own(alone)
        return list(dict.fromkeys(uses)), cut or limit in {len(made), len(alone)}

    async def _name_own(self, alone: list[ReadAlone]) -> list[UseRow]:
        """What jobs that write nothing read, each by its newest run under any of its names."""
        roots = await self.identities.find_roots(one.job_id for one in alone)
        newest: dict[UUID, ReadAlone] = {}
        for one in sorted(alone, key=lambda row: (row.rank, row.at, row.job_id)):
            newest[roots[one.job_id]] = one
        kept = [one for one in alone if one.job_id == newest[roots[one.job_id]].job_id]
        read = [(one.job_id, one.dataset_id, one.at) for one in kept if one.dataset_id is not None]
        uses = [UseRow(NONE, step.job_id, step.dataset_id) for step in await self._name_inputs(read)]
        return uses + [UseRow(NONE, roots[one.job_id], None) for one in kept if one.dataset_id is None]

    async def _find_writers(self, made: list[tuple[UUID, UUID]]) -> set[UUID]:
        """Those jobs that had written any of this (job, dataset) by then, in force or not."""
        roots = await self.identities.find_roots(job for job, _ in made)
        return {roots[job] for job in await list_writers_until(self._connection, made, self.at)}

    async def list_uses(self, standing: Standing, limit: int) -> tuple[list[UseRow], bool]:
        """What these writes were made of, by inputs and columns; whether `limit` rows were too few."""
        keys = list(standing)
        builds = await self.find_builds(dataset for dataset, _ in keys)
        runs = await find_runs_together(self._connection, standing, await self.find_drops(one for one, _ in keys))
        writes = [
            (place, write.dataset_id, write.job_id, run)
            for place, (key, write) in enumerate(standing.items())
            for run in runs[key]
        ]
        said = _date_sources(standing, builds)
        sets = [(place, told) for place, told in said if told]
        read = await fetch_reads(self._connection, writes, sets, self.at, limit)
        named = await self._name_inputs(
            [(keys[place][1], dataset, said.get((place, told), said[place, None])) for place, dataset, told in read]
        )
        uses = [UseRow(keys[row[0]][0], step.job_id, step.dataset_id) for row, step in zip(read, named, strict=True)]
        fed = {(use.target, use.job) for use in uses}
        uses += [UseRow(dataset, job, None) for dataset, job in keys if (dataset, job) not in fed]
        return list(dict.fromkeys(uses)), len(read) == limit

    async def step_to_declared(self, datasets: list[UUID], limit: int) -> tuple[list[UseRow], bool]:
        """What DatasetEvents told of `datasets`, or of what is made from them; whether `limit` rows were too few."""
        names = await self.identities.expand(datasets)
        made = await list_declared_targets(self._connection, names, limit)
        uses, cut = await self.list_uses(await self.find_declared({*names, *made}), limit)
        return uses, cut or len(made) == limit

    async def _name_inputs(self, read: list[tuple[UUID, UUID, datetime]]) -> list[StepRow]:
        """Inputs (job, dataset, when it was read) as they were called at the time that is asked for."""
        roots = await self.identities.find_roots(name for job, dataset, _ in read for name in (job, dataset))
        await self.learn(roots[dataset] for _, dataset, _ in read)
        return [StepRow(roots[job], self.follow(roots[dataset], when), "i") for job, dataset, when in read]

    async def step_to_jobs(self, datasets: list[UUID], limit: int) -> tuple[list[UUID], bool]:
        """The jobs whose runs in force then read or wrote any of `datasets`."""
        return await step_to_touching(self.identities, self, datasets, limit)

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
        await self.learn(roots.values())
        edges: dict[ColumnEdgeRow, None] = {}
        for row in found:
            (dataset, field), job, write = into[row["place"]]
            source = self.follow(roots[row["source_dataset"]], write.effective_at)
            how = (row["type"], row["subtype"], row["masking"], row["expression"])
            edges.setdefault(
                ColumnEdgeRow(dataset, field, source, row["source_field"], job, *how, last_known=write.last_known)
            )
        return list(edges), len(found) == limit

    async def find_builds(self, datasets: Iterable[UUID]) -> dict[UUID, list[tuple[UUID, JobWrite]]]:
        """By dataset: what each job had read its columns from, of what was in force, the newest first.

        Those of static statements only alone; what was known last beside what can't be told, marked.
        """
        wanted = [dataset for dataset in dict.fromkeys(datasets) if dataset not in self._builds]
        if not wanted:
            return self._builds
        places, names = await self.number(wanted)
        called = {name for _, name, *_ in names}
        standing = await self.find_all(wanted)
        writers = defaultdict(list)
        for job, dataset in await list_writers(self._connection, sorted(called)):
            writers[dataset].append(job)
        found = await fetch_newest_builds(
            self._connection, [(*name, job) for name in names for job in writers[name[1]]]
        )
        roots = await self.identities.find_roots(build.job_id for build in found)
        newest: dict[tuple[UUID, UUID], BuildAt] = {}
        for build in sorted(found, key=age_of):
            key = (places[build.place], roots[build.job_id])
            if key in standing:
                newest[key] = build
        chosen = await choose_builds(self._connection, newest, await self.find_drops(wanted))
        told: dict[UUID, list[tuple[UUID, JobWrite]]] = {dataset: [] for dataset in wanted}
        gone = await Hidden(self._connection).among(job for _, job in chosen)
        for (dataset, job), writes in chosen.items():
            if job in gone:
                continue
            told[dataset] += [(job, write) for write in writes]
        self._builds |= told
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
        asked = [
            (*column, write.edge_set_id) for column in columns for _, write in builds[column[0]] if not write.last_known
        ]
        return await fetch_statuses_of_sets(
            self._connection, [(dataset, field, one) for dataset, field, one in asked if one is not None]
        )

    async def find_schemas(self, datasets: Iterable[UUID]) -> dict[UUID, str]:
        """The schemas (JSON text) that these had then: of a write since the last DROP, else as its readers saw it."""
        datasets = list(datasets)
        places, names = await self.number(datasets)
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
        places, names = await self.number(datasets)
        newest: dict[UUID, WriteAt] = {}
        for write in await fetch_newest_writes(self._connection, names):
            dataset = places[write.place]
            known = newest.get(dataset)
            if known is None or (not write.future, write.effective_at) > (not known.future, known.effective_at):
                newest[dataset] = write
        return newest

    async def find_called(self, root: UUID) -> UUID:
        """What was called then what is asked for by this name: itself, if it stood for anything then."""
        if not self.identities.renames:
            return root
        _, names = await self.number([root])
        if await list_written(self._connection, names):
            return root
        history = self.identities.history
        if history.is_gone(root, None):
            return history.follow_last(root)
        ever = Identities(self._connection, aliases=self.identities.aliases, renames=True)
        await ever.learn([root])
        return next((span.name for span in ever.history.trace(root) if span.since <= self.at <= span.until), root)


async def open_names_then(connection: Connection, at: datetime) -> NamesThen:
    """Steps by the names and runs of a time."""
    return NamesThen(await open_identities(connection, at))


def _date_sources(
    standing: Standing, builds: dict[UUID, list[tuple[UUID, JobWrite]]]
) -> dict[tuple[int, bytes | None], datetime]:
    """When each write (its place) was told what it is made of, as `fetch_reads` gives it.

    Inputs (None) by the write itself; columns (by edge set; the newest reading by an empty one, too) as old as their
    reading, which may be from before newer writes, and its sources called otherwise since.
    """
    said: dict[tuple[int, bytes | None], datetime] = {}
    for place, ((dataset, job), write) in enumerate(standing.items()):
        said[place, None] = write.effective_at
        for maker, reading in builds[dataset]:
            if maker == job and reading.edge_set_id is not None and not reading.last_known:
                said.setdefault((place, reading.edge_set_id), reading.effective_at)
                said.setdefault((place, b""), reading.effective_at)
    return said
