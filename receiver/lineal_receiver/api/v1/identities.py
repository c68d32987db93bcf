"""Names that count as one, looked up as a read comes by them: answers name the root, whatever name was sent."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime
from uuid import UUID

from lineal_receiver.api.v1.renames import FOREVER, History, Span
from lineal_receiver.store.read_aliases import (
    fetch_aliases,
    fetch_roots,
    have_other_names,
    list_written_under_many,
)
from lineal_receiver.store.read_columns import Column
from lineal_receiver.store.read_renames import RenameRow, fetch_renames
from lineal_receiver.store.read_snapshot import Connection

MOST_HOPS = 16
"""So many renames away names are looked for."""


class Identities:
    """The names of one read, as they are, or were at a time; without aliases and renames, the store isn't asked."""

    def __init__(self, connection: Connection, *, aliases: bool, renames: bool, at: datetime = FOREVER) -> None:
        self.connection = connection
        self.at = at
        self.aliases, self.renames = aliases, renames
        self._looked_up: set[UUID] = set()
        self._found: dict[RenameRow, None] = {}
        self.history = History(())
        self._counted: set[UUID] = set()
        self.several: set[UUID] = set()
        """Of those that were counted: the roots that were written under several names, of theirs or of a job's."""

    @property
    def any(self) -> bool:
        """Whether any name may count as another."""
        return self.aliases or self.renames

    async def find_roots(self, names: Iterable[UUID]) -> dict[UUID, UUID]:
        """The name that stands for each name, itself for most."""
        own = {name: name for name in names}
        return own | (await fetch_roots(self.connection, list(own)) if self.aliases and own else {})

    async def expand(self, roots: list[UUID]) -> list[UUID]:
        """These names, all that count as them, and all that were renamed to or from any of them."""
        if not self.any or not roots:
            return roots
        near = await self._look_up(roots)
        return list(dict.fromkeys(name for root in roots for name in near[root]))

    async def expand_columns(self, columns: list[Column]) -> list[Column]:
        """These columns under every name that their datasets have or had."""
        if not self.any or not columns:
            return columns
        near = await self._look_up(list({dataset for dataset, _ in columns}))
        return list(dict.fromkeys((name, field) for dataset, field in columns for name in near[dataset]))

    async def _look_up(self, roots: list[UUID]) -> dict[UUID, list[UUID]]:
        """By root: all names that are the same dataset now, or were once; their renames are known afterwards."""
        near = {root: [root] for root in roots}
        if self.aliases:
            for root, aliases in (await fetch_aliases(self.connection, roots)).items():
                near[root] += aliases
        if not self.renames:
            return near
        await self.learn([name for names in near.values() for name in names])
        kin: dict[UUID, set[UUID]] = {}
        for rename in self._found:
            kin.setdefault(rename.old_id, set()).add(rename.new_id)
            kin.setdefault(rename.new_id, set()).add(rename.old_id)
        for names in near.values():
            for name in names:  # grows while it is gone through
                names += sorted(kin.get(name, set()) - set(names))
        every = list({name for names in near.values() for name in names})
        if self.aliases and every:
            others = await fetch_aliases(self.connection, every)
            for names in near.values():
                names += [alias for name in list(names) for alias in others.get(name, ()) if alias not in names]
        return near

    async def learn(self, names: list[UUID]) -> None:
        """Look up what these names became and were, and these, and so on; between roots.

        What others look up at the same time counts once all of it is known.
        """
        if not self.renames:
            return
        frontier = await self._add_aliases(set(names) - self._looked_up, self._looked_up)
        met: set[UUID] = set()
        learnt: dict[RenameRow, None] = {}
        for _ in range(MOST_HOPS):
            if not frontier:
                break
            met |= frontier
            found = await fetch_renames(self.connection, list(frontier))
            roots = await self.find_roots(name for row in found for name in (row.old_id, row.new_id))
            rows = [RenameRow(roots[row.old_id], roots[row.new_id], row.at) for row in found]
            learnt |= dict.fromkeys(rows)
            known = self._looked_up | met
            near = {name for row in rows for name in (row.old_id, row.new_id)} - known
            frontier = await self._add_aliases(near, known)
        self._looked_up |= met
        self._found |= learnt
        self.history = History(row for row in self._found if row.at <= self.at)

    async def count_names(self, roots: Iterable[UUID]) -> None:
        """Find which of these were written under several names; what others find at the same time counts once known."""
        new = set(roots) - self._counted if self.aliases else set()
        self.several.update(await list_written_under_many(self.connection, list(new)))
        self._counted |= new

    async def _add_aliases(self, roots: set[UUID], known: set[UUID]) -> set[UUID]:
        """These names and their other ones: events may have renamed any of them."""
        aliases = await self.find_aliases(roots)
        return roots | {alias for found in aliases.values() for alias in found} - known

    async def find_current(self, names: dict[UUID, datetime | None]) -> dict[UUID, UUID]:
        """What is called now what these roots, last written at these times, were; most are what they were."""
        if not self.renames or not names:
            return {name: name for name in names}
        await self.learn(list(names))
        history = self.history
        return {
            name: history.follow_last(name) if history.is_gone(name, written) else name
            for name, written in names.items()
        }

    async def trace(self, wanted: Iterable[tuple[UUID, datetime]]) -> dict[tuple[UUID, datetime], list[Span]]:
        """By name and time: what was called so then, under which names until then; the newest first."""
        asked = list(dict.fromkeys(wanted))
        roots = await self.find_roots(name for name, _ in asked)
        if self.renames:
            await self.learn(list(roots.values()))
        spans = {key: self.history.trace(roots[key[0]], key[1]) for key in asked}
        aliases = await self.find_aliases(span.name for found in spans.values() for span in found)
        return {key: _name(found, aliases) for key, found in spans.items()}

    async def trace_all(self, root: UUID) -> list[Span]:
        """All that this name ever stood for, and what it was called before it was given the name."""
        if self.renames:
            await self.learn([root])
        spans = self.history.trace_all(root)
        return _name(spans, await self.find_aliases(span.name for span in spans))

    async def find_aliases(self, roots: Iterable[UUID]) -> dict[UUID, list[UUID]]:
        """The other names of each of these that has any."""
        wanted = list(dict.fromkeys(roots))
        return await fetch_aliases(self.connection, wanted) if self.aliases and wanted else {}

    async def expand_jobs(self, jobs: list[UUID]) -> list[UUID]:
        """These jobs under all their names."""
        aliases = await self.find_aliases(jobs)
        return [name for job in jobs for name in (job, *aliases.get(job, ()))]

    async def fold_columns(self, columns: list[Column]) -> list[Column]:
        """These columns, each once, under the names that stand for their datasets."""
        roots = await self.find_roots(dataset for dataset, _ in columns)
        return list(dict.fromkeys((roots[dataset], field) for dataset, field in columns))


def _name(spans: list[Span], aliases: dict[UUID, list[UUID]]) -> list[Span]:
    return [replace(span, name=name) for span in spans for name in (span.name, *aliases.get(span.name, ()))]


async def open_identities(connection: Connection, at: datetime = FOREVER) -> Identities:
    """The names as this read finds them; as they were `at` a time, if one is given."""
    aliases, renames = await have_other_names(connection)
    return Identities(connection, aliases=aliases, renames=renames, at=at)
