"""What is known of the columns of datasets that have, or had, other names, by what they are called now.

All others are told by their slots alone; these are few, and looked up together.
"""

from collections import defaultdict
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from lineal_receiver.api.v1.columns_now import ReadingNow, find_readings_now
from lineal_receiver.api.v1.identities import Identities
from lineal_receiver.api.v1.names_now import NamesNow
from lineal_receiver.api.v1.shapes.datasets import build_fields
from lineal_receiver.ids import NONE, namespace_id
from lineal_receiver.store.read_apart import (
    SetColumn,
    list_apart,
    list_columns_of_sets,
    list_last_known,
    list_silent,
)
from lineal_receiver.store.read_column_statuses import NOT_REPORTED
from lineal_receiver.store.read_datasets import DatasetRow, fetch_datasets
from lineal_receiver.store.read_hidden import Hidden
from lineal_receiver.store.read_jobs import fetch_families
from lineal_receiver.store.read_known import Known
from lineal_receiver.store.read_unresolved import UnresolvedRow

MOST_APART, MOST_READINGS, MOST_COLUMNS = 2_000, 10_000, 200_000
OPEN, TRACED, CONSTANT, SILENT = range(4)
"""What goes before what, of several readings of one column."""


@dataclass(slots=True)
class Apart:
    """The datasets apart, by every name that they have or had.

    whole: they are all; if not, those that are left are told of under the names that they were written by.
    """

    names: NamesNow
    ids: set[UUID] = field(default_factory=set)
    whole: bool = True

    async def find_places(self) -> list[UUID]:
        """The names that stand for them now, or for something else since."""
        roots = await self.names.identities.find_roots(self.ids)
        return sorted(set(roots.values()))


async def find_apart(identities: Identities) -> Apart:
    """Which datasets are apart: none where nothing has another name."""
    names = NamesNow(identities)
    if not identities.any:
        return Apart(names)
    found = await list_apart(identities.connection, MOST_APART + 1)
    ids = await identities.expand(found[:MOST_APART])
    return Apart(names, set(ids), len(found) <= MOST_APART)


@dataclass(frozen=True, slots=True)
class Told:
    """What readings in force say of one dataset's columns."""

    dataset: DatasetRow
    readings: list[tuple[ReadingNow, SetColumn]]
    silent: set[str]

    def add_to(self, known: Known) -> None:
        """Count its columns."""
        ranks: dict[str, int] = dict.fromkeys(self.silent, SILENT)
        open_ones: dict[tuple[UUID, str], str | None] = {}
        for reading, column in self.readings:
            ranks[column.field] = min(ranks.get(column.field, SILENT), _rank(column))
            if _rank(column) == OPEN:
                open_ones.setdefault((reading.job_id, column.field), column.reason)
        for rank in ranks.values():
            status = {TRACED: "traced", CONSTANT: "constant"}.get(rank, "unresolved")
            known.add(status, NOT_REPORTED, 1, int(rank == SILENT))
        for reason in open_ones.values():
            known.add("unresolved", reason, 0, 1)
        known.looked_at += len(ranks)

    def list_open(self, last_known: set[tuple[UUID, UUID, str]]) -> list[UnresolvedRow]:
        """Its columns that can't be told, by job and name."""
        rows: dict[tuple[UUID, str], UnresolvedRow] = {}
        told = {column.field for _, column in self.readings if _rank(column) != SILENT}

        def add(reading: ReadingNow, name: str, column: SetColumn | None) -> None:
            before = (reading.written_id, reading.written_job, name) in last_known
            said = (NOT_REPORTED, None, None) if column is None else (column.reason, column.message, column.expression)
            row = UnresolvedRow(self.dataset.id, reading.job_id, name, *said, reading.effective_at, before)
            rows.setdefault((reading.job_id, name), row)

        for reading, column in self.readings:
            if _rank(column) == OPEN:
                add(reading, column.field, column)
        newest = max((reading for reading, _ in self.readings), key=_age, default=None)
        if newest is not None:
            for name in (self.silent | {column.field for _, column in self.readings}) - told:
                add(newest, name, None)
        return [rows[key] for key in sorted(rows)]


def _rank(column: SetColumn) -> int:
    if column.status == "unresolved":
        return SILENT if column.reason == NOT_REPORTED else OPEN
    return TRACED if column.status == "traced" else CONSTANT


def _age(reading: ReadingNow) -> tuple[datetime, UUID]:
    return reading.effective_at, reading.job_id


async def tell(apart: Apart, places: list[UUID], jobs_of: UUID | None = None) -> list[Told]:
    """What is known of the columns of these datasets, by their ids; or of what jobs of a namespace tell of them."""
    connection = apart.names.identities.connection
    readings = await find_readings_now(apart.names, places, MOST_READINGS)
    shown = await fetch_datasets(connection, places)
    gone = await Hidden(connection).among(reading.job_id for reading in readings)
    if jobs_of is not None:
        jobs = {reading.job_id for reading in readings}
        families = await fetch_families(connection, list(jobs))
        gone |= {job for job in jobs if job not in families or namespace_id(families[job].namespace) != jobs_of}
    kept = [reading for reading in readings if reading.job_id not in gone and reading.dataset_id in shown]
    by_set: dict[bytes, list[SetColumn]] = defaultdict(list)
    for column in await list_columns_of_sets(connection, list({one.edge_set_id for one in kept}), MOST_COLUMNS):
        by_set[column.edge_set_id].append(column)
    found: dict[UUID, list[tuple[ReadingNow, SetColumn]]] = defaultdict(list)
    for reading in kept:
        found[reading.dataset_id] += [(reading, column) for column in by_set[reading.edge_set_id]]
    return [
        Told(
            shown[place],
            found[place],
            {one["name"] for one in build_fields(shown[place].stated_fields)} - {one.field for _, one in found[place]},
        )
        for place in sorted(found)
        if found[place] and shown[place].id == place
    ]


async def list_open_apart(apart: Apart, told: list[Told]) -> list[UnresolvedRow]:
    """The columns of these datasets that can't be told, by dataset, job and name."""
    slots = {(reading.written_id, reading.written_job) for one in told for reading, _ in one.readings}
    last_known = await list_last_known(apart.names.identities.connection, sorted(slots))
    return [row for one in told for row in one.list_open(last_known)]


async def count_silent_apart(apart: Apart, places: list[UUID]) -> int:
    """How many slots in force of these datasets say nothing of columns."""
    names = apart.names
    slots = await list_silent(names.identities.connection, await names.identities.expand(places), MOST_READINGS)
    settled = await names.settle([(dataset, job, dataset) for dataset, job in slots if dataset != NONE])
    wanted = set(places)
    silent = {place[:2] for place in settled.values() if place is not None and place[0] in wanted}
    if names.moved is not None:
        told = await names.moved.find_builds(places)
        silent |= {pair for pair in await names.moved.list_writers(places) if pair not in told}
    return len(silent)
