"""Others in the way: the transaction is tried again, of whatever size its events are, and gives what it would have."""

import json
from typing import Any

import asyncpg
import pytest

from lineal_receiver.ingest.event import LARGE
from lineal_receiver.ingest.intake import Accepted, Intake
from lineal_receiver.ingest.persist import Vault
from lineal_receiver.ingest.schemas import read_bundle
from lineal_receiver.ingest.validate import Judge
from lineal_receiver.postgres.pool import open_pool

from .commands import command
from .conftest import read_state
from .events import dataset, lineage, run_event, schema

# The last table that a transaction writes is in its way, so often; sequences aren't taken back with a transaction.
IN_THE_WAY = """
create schema way;
create sequence way.attempts;
create function way.fail() returns trigger language plpgsql as $$
begin
    if nextval('way.attempts') <= {times} then
        raise exception 'in the way' using errcode = '{code}';
    end if;
    return new;
end
$$;
create trigger way before insert on event_hour for each row execute function way.fail();
"""


def large() -> dict[str, Any]:
    """An event of more than 1 MiB."""
    names = [f"column_{number}_{'x' * 200}" for number in range(1_500)]
    made = dataset("b", schema=schema(*names), columnLineage=lineage(**{name: f"a.{name}" for name in names}))
    return run_event("COMPLETE", 5, 1, inputs=[dataset("a")], outputs=[made])


@pytest.mark.parametrize(("code", "times"), [("40001", 1), ("40P01", 3)])
async def test_a_large_event_is_tried_again(pool: asyncpg.Pool, database_url: str, code: str, times: int) -> None:
    event = json.dumps(large()).encode()
    said = command("put_namespace", 1, namespace="n", owner="o" * (LARGE + 1), description=None)
    assert len(event) > LARGE < len(said.body)
    async with Vault(pool) as vault:
        assert await Intake(Judge(read_bundle()), vault).take(event) == Accepted(new=True)
        assert await vault.keep(said)
    undisturbed = await read_state(pool)
    async with open_pool(database_url) as disturbed:
        await disturbed.execute(IN_THE_WAY.format(code=code, times=times))
        async with Vault(disturbed) as vault:
            assert await Intake(Judge(read_bundle()), vault).take(event) == Accepted(new=True)
            assert vault.meters.retried == times
            await disturbed.execute("alter sequence way.attempts restart")
            assert await vault.keep(said.with_tree())
            assert vault.meters.retried == 2 * times
        assert await read_state(disturbed) == undisturbed
