"""Walks from dataset to dataset, through the jobs that make the one from the other: never inputs times outputs."""

from dataclasses import dataclass, field
from typing import Protocol
from uuid import UUID

from lineal_receiver.api.v1.names_now import NamesNow
from lineal_receiver.api.v1.names_then import NamesThen
from lineal_receiver.ids import NONE
from lineal_receiver.store.read_hidden import Hidden
from lineal_receiver.store.read_snapshot import Connection
from lineal_receiver.store.read_uses import (
    UseRow,
    fetch_uses_of_jobs,
    look_over_uses,
    step_both_ways,
    step_over_uses,
)
from lineal_receiver.store.together import all_together

MOST_USES = 20_000
FIRST_LIMIT = MOST_USES + 1
"""Of the first step of a walk."""
FAR = 3
"""So many steps are more than one look at all that lies ahead."""


class UseSteps(Protocol):
    """Steps over what jobs make of what; each says whether `limit` rows were too few."""

    async def step(self, datasets: list[UUID], limit: int, *, upstream: bool) -> tuple[list[UseRow], bool]:
        """What makes `datasets`, or what they are used for."""

    async def of_jobs(self, jobs: list[UUID], limit: int) -> tuple[list[UseRow], bool]:
        """What `jobs` make of what."""


@dataclass(frozen=True, slots=True)
class Ahead:
    """All that any way leads to from a dataset; None where that is more than may be looked at.

    near: what the first steps from it give, upstream (True) and downstream (False).
    """

    start: UUID
    upstream: bool = False
    rows: list[UseRow] | None = None
    near: dict[bool, list[UseRow]] = field(default_factory=dict)


async def look_ahead(connection: Connection, start: UUID, *, upstream: bool) -> Ahead:
    """What lies ahead of a dataset, in a store in which no name counts as another."""
    return Ahead(start, upstream, await look_over_uses(connection, [start], upstream=upstream))


async def look_near(connection: Connection, start: UUID, ways: tuple[bool, ...]) -> Ahead:
    """What lies beside a dataset, in a store in which no name counts as another."""
    steps = [step_over_uses(connection, [start], FIRST_LIMIT, FIRST_LIMIT, upstream=upstream) for upstream in ways]
    return Ahead(start, near=dict(zip(ways, await all_together(connection, steps), strict=True)))


class UsesNow:
    """What is in force now, by the names that stand for it; ahead: what was looked up already."""

    def __init__(self, names: NamesNow, ahead: Ahead | None = None) -> None:
        self._names, self._identities, self._ahead = names, names.identities, ahead

    async def step(self, datasets: list[UUID], limit: int, *, upstream: bool) -> tuple[list[UseRow], bool]:
        """What makes `datasets`, or what they are used for."""
        rows = self._find_near(datasets, limit, upstream=upstream)
        if rows is None:
            every = await self._identities.expand(datasets)
            rows = await step_over_uses(self._identities.connection, every, limit, limit, upstream=upstream)
        near, wanted = await self._names.fold_uses(rows, datasets, [], limit), set(datasets)
        return [use for use in near if (use.target if upstream else use.source) in wanted], len(rows) == limit

    def _find_near(self, datasets: list[UUID], limit: int, *, upstream: bool) -> list[UseRow] | None:
        """What was looked up already of just this step."""
        ahead = self._ahead
        if ahead is None or self._identities.any or ([ahead.start], FIRST_LIMIT) != (datasets, limit):
            return None
        return ahead.near.get(upstream)

    async def step_both(self, datasets: list[UUID], each: int) -> tuple[list[UseRow], list[UseRow]]:
        """What makes `datasets`, and what they are used for, `each` of a dataset and side."""
        every, wanted = await self._identities.expand(datasets), set(datasets)
        most = 2 * each * len(every)
        up, down = await step_both_ways(self._identities.connection, every, each, most)
        if not self._identities.any:
            return up, down
        near = await self._names.fold_uses(list(dict.fromkeys([*up, *down])), datasets, [], most)
        return [use for use in near if use.target in wanted], [use for use in near if use.source in wanted]

    async def of_jobs(self, jobs: list[UUID], limit: int) -> tuple[list[UseRow], bool]:
        """What `jobs` make of what."""
        rows = await fetch_uses_of_jobs(self._identities.connection, await self._identities.expand_jobs(jobs), limit)
        wanted = set(jobs)
        uses = await self._names.fold_uses(rows, [], jobs, limit)
        return [use for use in uses if use.job in wanted], len(rows) == limit

    async def look(self, datasets: list[UUID], depth: int, *, upstream: bool) -> UseSteps:
        """Steps in one direction, looked up at once where the way is long and the graph small."""
        if depth >= FAR and not self._identities.any:
            ahead = self._ahead
            if ahead is not None and not ahead.near and ([ahead.start], ahead.upstream) == (datasets, upstream):
                rows = ahead.rows
            else:
                rows = await look_over_uses(self._identities.connection, datasets, upstream=upstream)
            if rows is not None:
                return _UsesAhead(rows)
        return self


class UsesThen:
    """What was in force at a time, by the names of then."""

    def __init__(self, names: NamesThen) -> None:
        self._names = names

    async def step(self, datasets: list[UUID], limit: int, *, upstream: bool) -> tuple[list[UseRow], bool]:
        """What made `datasets`, or what they were used for."""
        uses, cut = await self._list_uses(datasets, limit)
        wanted = set(datasets)
        return [use for use in uses if (use.target if upstream else use.source) in wanted], cut

    async def _list_uses(self, datasets: list[UUID], limit: int) -> tuple[list[UseRow], bool]:
        jobs, few = await self._names.step_to_jobs(datasets, limit)
        made, cut = await self._names.step_to_uses(jobs, limit)
        declared, more = await self._names.step_to_declared(datasets, limit)
        return [*made, *declared], few or cut or more

    async def step_both(self, datasets: list[UUID], each: int) -> tuple[list[UseRow], list[UseRow]]:
        """What made `datasets`, and what they were used for, `each` of a dataset, taken together."""
        uses, _ = await self._list_uses(datasets, each * max(1, len(datasets)))
        wanted = set(datasets)
        return [use for use in uses if use.target in wanted], [use for use in uses if use.source in wanted]

    async def of_jobs(self, jobs: list[UUID], limit: int) -> tuple[list[UseRow], bool]:
        """What `jobs` made of what."""
        return await self._names.step_to_uses(jobs, limit)

    async def look(self, datasets: list[UUID], depth: int, *, upstream: bool) -> UseSteps:  # noqa: ARG002 - as UsesNow
        """Steps in one direction: nothing is looked up ahead."""
        return self


class _UsesAhead:
    """Steps through what was looked up at once."""

    def __init__(self, rows: list[UseRow]) -> None:
        self._rows = rows

    async def step(self, datasets: list[UUID], limit: int, *, upstream: bool) -> tuple[list[UseRow], bool]:
        wanted = set(datasets)
        found = [use for use in self._rows if (use.target if upstream else use.source) in wanted]
        return found[:limit], len(found) >= limit

    async def of_jobs(self, jobs: list[UUID], limit: int) -> tuple[list[UseRow], bool]:
        wanted = set(jobs)
        found = [use for use in self._rows if use.job in wanted]
        return found[:limit], len(found) >= limit


@dataclass(slots=True)
class Reach:
    """What a walk in one direction has met: datasets and jobs with their distance, and what leads there."""

    datasets: dict[UUID, int] = field(default_factory=dict)
    jobs: dict[UUID, int] = field(default_factory=dict)
    uses: dict[UseRow, None] = field(default_factory=dict)
    cut: bool = False


async def walk_uses(
    connection: Connection,
    uses: UsesNow | UsesThen,
    start: dict[UUID, int],
    depth: int,
    room: int,
    *,
    upstream: bool,
    hidden: Hidden | None = None,
) -> Reach:
    """What lies within `depth` steps of `start` (datasets with their distance), at most `room` datasets and jobs."""
    reach = Reach(datasets=dict(start))
    steps = await uses.look(list(start), depth, upstream=upstream)
    hidden = hidden or Hidden(connection)
    frontier = list(start)
    first = max(start.values(), default=0)
    for distance in range(first + 1, first + depth + 1):
        if not frontier or reach.cut:
            break
        found, few = await steps.step(frontier, MOST_USES - len(reach.uses) + 1, upstream=upstream)
        reach.cut = reach.cut or few
        gone = await hidden.among(end for use in found for end in use if end is not None)
        frontier = []
        for use in sorted(found, key=_order):
            if gone and gone & set(use):
                continue
            end = use.source if upstream else use.target
            new = [end] if end not in (None, NONE) and end not in reach.datasets else []
            new += [use.job] if use.job != NONE and use.job not in reach.jobs else []
            if len(new) > room + len(start) - len(reach.datasets) - len(reach.jobs):
                reach.cut = True
                continue
            reach.uses.setdefault(use)
            if use.job != NONE:
                reach.jobs.setdefault(use.job, distance)
            if end is not None and end != NONE and end not in reach.datasets:
                reach.datasets[end] = distance
                frontier.append(end)
    return reach


def _order(use: UseRow) -> tuple[UUID, UUID, UUID]:
    return use.target, use.job, use.source or NONE
