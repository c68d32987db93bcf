"""What is deleted is in no list and no total as these are stored, in stores from before that was so, too."""

from typing import Any

import asyncpg
import orjson

from lineal_receiver.ingest.persist import Vault
from lineal_receiver.resources import find_data

from .asking import Ask
from .commands import command
from .events import dataset, run_event
from .ways import keep

LISTED = """
select 'dataset' as kind, name, hidden from dataset
union all
select 'job', j.name, s.hidden from job_state as s join job as j on j.id = s.job_id
order by 1, 2
"""
TOTALS = """
select kind, scope = '00000000-0000-0000-0000-000000000000' as everywhere, n
from total
where kind in ('jobs', 'datasets')
order by 1, 2
"""
AS_BEFORE = """
update dataset set hidden = false where name = 'b';
update job_state set hidden = false where job_id in (select id from job where name = 'load');
update total set n = n + 1 where kind = 'datasets';
insert into total (scope, kind, n)
select scope, 'jobs', 1
from (select namespace_id as scope from job union select '00000000-0000-0000-0000-000000000000') as space;
"""


async def test_a_store_with_deletions_is_listed_as_one_that_they_come_to_now(pool: asyncpg.Pool, ask: Ask) -> None:
    event = run_event("COMPLETE", 1, inputs=[dataset("a")], outputs=[dataset("b")])
    later: dict[str, Any] = {"at": "2026-03-01T10:02:00Z", "ids": []}  # than all that was seen
    async with Vault(pool) as vault:
        await keep(vault, orjson.dumps(event))
        for nonce, (kind, named) in enumerate((("dataset", dataset("b")), ("job", event["job"])), start=1):
            names = {key: named[key] for key in ("namespace", "name")}
            await keep(vault, command("delete", 5, nonce, kind=kind, **names, **later))
    listed, totals = await ask(LISTED), await ask(TOTALS)
    assert listed == [("dataset", "a", False), ("dataset", "b", True), ("job", "load", True)]
    assert totals == [("datasets", False, 1), ("datasets", True, 1)]
    async with pool.acquire() as connection:
        await connection.execute(AS_BEFORE)
    assert await ask(TOTALS) != totals
    async with pool.acquire() as connection:
        await connection.execute((find_data("migrations") / "0025_list_what_is_there.sql").read_text("utf-8"))
    assert (await ask(LISTED), await ask(TOTALS)) == (listed, totals)
