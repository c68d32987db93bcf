"""An event that was under way when its worker was killed is repeated byte for byte, whatever is known by then."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import cast

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lineal_producer import records
from lineal_producer.columns import trace
from lineal_producer.known import Known
from lineal_producer.worker.courier import Courier
from lineal_producer.worker.pump import Pump
from lineal_producer.worker.spool import Spool
from lineal_producer.worker.tracer import Tracer

from ...acceptance.plugin_project import eventually
from ...acceptance.plugin_receiver import Receiver, running
from .samples import described, invocation, node, raw_orders

SQL = 'select * from "shop"."raw"."Orders 2"'
FIRST = described(node("model", "first", compiled_code=SQL, depends_on=["source.shop.raw.orders"]), raw_orders())
SECOND = described(
    node("model", "second", compiled_code='select id from "shop"."main"."first"', depends_on=["model.shop.first"]),
    node("model", "first"),
)
AT = [f"2026-01-31T10:20:{second}.000000Z" for second in range(30, 40)]
READ = ("shop", "raw", "Orders 2")
RECORDS: list[records.Record] = [
    records.invocation_start(AT[0], invocation()),
    records.node_start(AT[1], FIRST),
    records.columns_read("source.shop.raw.orders", READ, [("id", "BIGINT"), ("n", "TEXT")], "adapter"),
    records.columns_read("model.shop.first", ("shop", "main", "first"), [("id", "BIGINT"), ("n", "TEXT")], "adapter"),
    records.node_end(AT[2], "model.shop.first", "success"),
    records.node_start(AT[3], SECOND),
    records.columns_read("model.shop.second", ("shop", "main", "second"), [("id", "BIGINT")], "adapter"),
    records.node_end(AT[4], "model.shop.second", "success"),
    records.invocation_end(AT[5], success=True),
]
LINES = [records.to_line(record) for record in RECORDS]


class Here:
    """Traces in this process, where a worker that is given up may still be tracing while the next one begins."""

    trace = staticmethod(trace)


@pytest.fixture(scope="module")
def receiver(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Receiver]:
    with pytest.MonkeyPatch.context() as patch, running(Receiver()) as receiver:
        patch.chdir(tmp_path_factory.mktemp("here"))
        patch.setenv("NO_PROXY", "127.0.0.1")
        patch.setenv("OPENLINEAGE__TRANSPORT__TYPE", "http")
        patch.setenv("OPENLINEAGE__TRANSPORT__URL", receiver.url)
        patch.setenv("OPENLINEAGE__TRANSPORT__TIMEOUT", "300")
        yield receiver


@settings(max_examples=12, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(written=st.integers(2, len(LINES) - 1), accepted=st.integers(0, 4))
def test_a_repeat_is_the_same_bytes(
    tmp_path_factory: pytest.TempPathFactory, receiver: Receiver, written: int, accepted: int
) -> None:
    path = tmp_path_factory.mktemp("outbox") / "run.ndjson"
    path.write_bytes(b"".join(LINES[:written]))
    receiver.bodies.clear()
    receiver.accepted.clear()
    receiver.answer = lambda _: 201 if len(receiver.accepted) < accepted else 503
    due = [line for line, record in enumerate(RECORDS[:written]) if record["kind"] != "columns"]
    attempts = min(accepted + 1, len(due))  # the one that is not accepted is under way when the worker dies
    live(path, receiver, attempts)
    before = list(receiver.bodies)
    path.write_bytes(b"".join(LINES))
    receiver.answer = lambda _: 201
    live(path, receiver, None)
    assert len(receiver.accepted) == 6
    seen: dict[tuple[str, str], set[bytes]] = {}
    for body in receiver.bodies:
        event = json.loads(body)
        seen.setdefault((event["run"]["runId"], event["eventType"]), set()).add(body)
    assert len(seen) == 6
    assert {len(bodies) for bodies in seen.values()} == {1}
    assert len(before) >= attempts


def live(path: Path, receiver: Receiver, attempts: int | None) -> None:
    """One worker's life: until all is sent, or until the receiver was asked so often."""
    courier, spool = Courier(), Spool(path)
    assert spool.claim()
    pump = Pump(spool, courier, cast("Tracer", Here()), live=False, known=Known())
    try:
        pump.read()
        if attempts is None:
            while not pump.build.ended:
                pump.step()
            assert courier.wait_idle(300)
        else:
            until = time.monotonic() + 300
            while len(receiver.bodies) < attempts and time.monotonic() < until:
                pump.step(0.01)
            eventually(lambda: len(receiver.bodies) >= attempts)
    finally:
        pump.close()
        courier.close(300)
        spool.release()
