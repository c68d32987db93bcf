"""Make the store what its log says: after a change of rules, a restore, or another hand's."""

from contextlib import AsyncExitStack
from dataclasses import dataclass, field

from lineal_receiver.errors import LinealError
from lineal_receiver.ingest.refold import Unfoldable, refold
from lineal_receiver.ingest.schemas import read_bundle
from lineal_receiver.ingest.shadowing import shadowing
from lineal_receiver.ingest.validate import Judge
from lineal_receiver.ingest.verify import check_migrated
from lineal_receiver.postgres.pool import connect
from lineal_receiver.store import compare, shadow, swap
from lineal_receiver.store.read_sessions import count_others
from lineal_receiver.store.write_redactions import own_log
from lineal_receiver.store.write_statistics import analyze


@dataclass(eq=False)
class ServersRunning(LinealError):
    """Other sessions of Lineal's ({others}) are on this database, and go by what they know: stop them first."""

    others: int
    exit_code = 2


@dataclass(slots=True)
class Mended:
    """How many records were folded, those that can't be, and how many rows of each table went and came."""

    records: int = 0
    unfoldable: list[Unfoldable] = field(default_factory=list)
    rows: dict[str, tuple[int, int]] = field(default_factory=dict)


async def mend(address: str) -> Mended:
    """Fold the log of the store at `address` beside it, and give each table the rows by which it differs.

    One transaction; where a record can't be folded, nothing is changed. NothingToVerify, ServersRunning, VerifyRunning.
    """
    judge, mended = Judge(read_bundle()), Mended()
    async with AsyncExitStack() as stack:
        live, beside = await connect(address), await connect(address)
        stack.push_async_callback(live.close)
        stack.push_async_callback(beside.close)
        await check_migrated(live)
        others = await count_others(live, [live.get_server_pid(), beside.get_server_pid()])
        if others:
            raise ServersRunning(others=others)
        schema = await shadow.find_live_schema(live) or "public"
        await stack.enter_async_context(shadowing(beside))
        async with live.transaction():
            await own_log(live)
            async for step in refold(live, beside, judge):
                mended.records = step.done
                mended.unfoldable += step.unfoldable
            if mended.unfoldable:
                return mended
            await analyze(beside)
            for table in await compare.fetch_tables(beside, shadow.SCHEMA):
                if table.name != "log":
                    swapped = await swap.swap_table(live, schema, shadow.SCHEMA, table)
                    if swapped.removed or swapped.added:
                        mended.rows[table.name] = (swapped.removed, swapped.added)
    return mended
