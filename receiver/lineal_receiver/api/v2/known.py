"""How many columns there are of which it is known, or not, where they come from: by the names of now."""

from uuid import UUID

from lineal_receiver.api.v2.apart import Apart, count_silent_apart, tell
from lineal_receiver.ids import namespace_id
from lineal_receiver.store.read_datasets import fetch_datasets
from lineal_receiver.store.read_hidden import Hidden
from lineal_receiver.store.read_known import (
    AT_ONCE,
    Known,
    add_known,
    list_datasets_in,
    list_datasets_made,
    list_datasets_of_jobs,
)

MOST_COUNTED = 200_000
PLACES_AT_ONCE = 500


async def count_known(apart: Apart, *, space: UUID | None = None, jobs_of: UUID | None = None) -> tuple[Known, bool]:
    """The counts over all datasets, over those in a namespace (`space`), or of what jobs of a namespace tell.

    Whether all were looked at: MOST_COUNTED columns at most, and as many slots.
    """
    connection, known = apart.names.identities.connection, Known()
    hidden = Hidden(connection)
    if jobs_of is not None:
        pages = list_datasets_of_jobs(connection, jobs_of, MOST_COUNTED)
    elif space is not None:
        pages = list_datasets_in(connection, space)
    else:
        pages = list_datasets_made(connection)
    left = MOST_COUNTED // AT_ONCE
    async for page in pages:
        gone = apart.ids | await hidden.among(page)
        await add_known(connection, known, [name for name in page if name not in gone], jobs_of, MOST_COUNTED)
        left -= 1
        if not left or known.looked_at >= MOST_COUNTED:
            break
    places = await apart.find_places()
    for start in range(0, len(places), PLACES_AT_ONCE):
        if known.looked_at < MOST_COUNTED:
            await _add_apart(apart, known, places[start : start + PLACES_AT_ONCE], space, jobs_of)
    return known, bool(left) and known.looked_at < MOST_COUNTED and apart.whole


async def count_known_of(apart: Apart, dataset: UUID) -> tuple[Known, bool]:
    """The counts of one dataset, and whether all its columns were looked at."""
    known = Known()
    if dataset in apart.ids:
        await _add_apart(apart, known, [dataset], None, None)
    else:
        await add_known(apart.names.identities.connection, known, [dataset], None, MOST_COUNTED)
    return known, known.looked_at < MOST_COUNTED


async def _add_apart(apart: Apart, known: Known, places: list[UUID], space: UUID | None, jobs_of: UUID | None) -> None:
    if space is not None:
        shown = await fetch_datasets(apart.names.identities.connection, places)
        places = [place for place, row in shown.items() if namespace_id(row.namespace) == space]
    for told in await tell(apart, places, jobs_of):
        told.add_to(known)
    known.silent += await count_silent_apart(apart, places)
