"""Whether anything was committed since a read: which transactions PostgreSQL shows, in words that can be compared."""

import time
from dataclasses import dataclass

from lineal_receiver.store.read_snapshot import Connection, Pool, connected


@dataclass(frozen=True, slots=True)
class Stamp:
    """What a snapshot shows. connected_at: since when the connection that told it stands; told_at: not later than told.

    Both in seconds of this process's clock.
    """

    text: str
    connected_at: float
    told_at: float

    def still_holds(self, now: "Stamp") -> bool:
        """Whether a snapshot of `now` shows what this one did.

        Each transaction that ends changes the text, and none brings an earlier one back but a crash, after which ids
        of lost transactions are given again. A crash ends all connections: one that stood before saw none.
        """
        return self.text == now.text and now.connected_at <= self.told_at


# A standby's snapshots don't name what is under way.
FETCH_STAMP = """
select
    case
        when not pg_is_in_recovery() then extract(epoch from pg_postmaster_start_time()) || ' ' || pg_current_snapshot()
    end as stamp
"""


async def fetch_stamp(connection: Connection) -> Stamp | None:
    """The stamp of a connection's snapshot; None of a server that can't tell."""
    told_at = time.monotonic()
    text = await connection.fetchval(FETCH_STAMP)
    return None if text is None else Stamp(text, connection.opened_at, told_at)


async def ask_stamp(pool: Pool) -> Stamp | None:
    """The stamp of what there is now. ReadFailed as a snapshot."""
    async with connected(pool) as connection:
        return await fetch_stamp(connection)
