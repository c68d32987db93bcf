"""Rank what is trusted as if it weren't from the future, whatever its events' flags say."""

from dataclasses import dataclass, field
from uuid import UUID

from lineal_receiver.ids import NONE
from lineal_receiver.ingest.facts import Changes
from lineal_receiver.store import write_trusted
from lineal_receiver.store.connection import Connection

Pair = tuple[UUID, UUID]


@dataclass(frozen=True, slots=True)
class Ranked:
    """What is ranked anew: runs (job, run), and what static events said (dataset, job)."""

    runs: set[Pair] = field(default_factory=set)
    stated: set[Pair] = field(default_factory=set)


async def settle_trusted(connection: Connection, changes: Changes) -> Ranked:
    """Keep what is trusted, and take it out of the future; nothing is sent where these changes have neither."""
    trusted = changes.commands.trusted
    runs = {(job, run) for dataset, job, run in trusted if dataset == NONE}
    runs |= {key for key, run in changes.runs.items() if run.future}
    stated = {dataset for dataset, _, _ in trusted if dataset != NONE}
    stated |= {dataset for (dataset, _, run, _), io in changes.io.items() if run == NONE and io.future}
    if not runs and not stated:
        return Ranked()
    if trusted:
        await write_trusted.insert_trusted(connection, sorted(trusted))
    return Ranked(
        await write_trusted.settle_runs(connection, sorted(runs)) if runs else set(),
        await write_trusted.settle_statements(connection, sorted(stated)) if stated else set(),
    )
