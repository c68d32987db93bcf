"""What earlier runs left: sent, left alone, or given up with a word."""

from __future__ import annotations

import json
import os
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from lineal_producer import records
from lineal_producer.locks import try_lock
from lineal_producer.settings import Settings
from lineal_producer.worker.backlog import drop_expired, flush, waiting_files
from lineal_producer.worker.courier import Courier
from lineal_producer.worker.rejected import Rejected, add_entry, read_entries
from lineal_producer.worker.serve import serve
from lineal_producer.worker.spool import Spool
from lineal_producer.worker.tracer import Tracer

from ...acceptance.plugin_receiver import Receiver, running
from .samples import described, invocation, node, raw_orders

NODE = described(node("model", "orders", compiled_code="select 1 as id"))
AT = "2026-01-31T10:20:30.000000Z"


@pytest.fixture
def receiver(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Receiver]:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with running(Receiver()) as receiver:
        monkeypatch.setenv("OPENLINEAGE__TRANSPORT__TYPE", "http")
        monkeypatch.setenv("OPENLINEAGE__TRANSPORT__URL", receiver.url)
        yield receiver


@pytest.fixture
def courier(receiver: Receiver) -> Iterator[Courier]:
    courier = Courier()
    yield courier
    courier.close()


@pytest.fixture
def tracer() -> Iterator[Tracer]:
    tracer = Tracer(300, 0, "")
    yield tracer
    tracer.close()


def left(path: Path, *, ended: bool) -> Path:
    """The records of a run, with or without its end."""
    told: list[records.Record] = [records.invocation_start(AT, invocation()), records.node_start(AT, NODE)]
    if ended:
        told += [records.node_end(AT, NODE["unique_id"], "success"), records.invocation_end(AT, success=True)]
    path.write_bytes(b"".join(records.to_line(record) for record in told))
    return path


def soon() -> float:
    """Long enough for a machine that does much else."""
    return time.monotonic() + 300


def states(receiver: Receiver) -> list[str]:
    return [f"{event['job']['name'].rpartition('.')[2]} {event['eventType']}" for event in receiver.accepted]


def test_a_run_that_ended_is_sent_and_removed(
    tmp_path: Path, receiver: Receiver, courier: Courier, tracer: Tracer
) -> None:
    path = left(tmp_path / "a.ndjson", ended=True)
    told = flush([path], courier, tracer, soon())
    assert (told.sent, told.waiting, told.busy) == (1, 0, 0)
    assert states(receiver) == ["dbt-run-shop START", "orders START", "orders COMPLETE", "dbt-run-shop COMPLETE"]
    assert list(tmp_path.glob("a.*")) == []


def test_more_than_memory_holds_is_sent_all_the_same(
    tmp_path: Path, receiver: Receiver, courier: Courier, tracer: Tracer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("lineal_producer.worker.sender._MOST_WAITING", 1)
    receiver.told.clear()  # the first event is under way until all others have come
    files = [left(tmp_path / f"{name}.ndjson", ended=True) for name in "ab"]
    letting_go = threading.Timer(0.3, receiver.told.set)
    letting_go.start()
    told = flush(files, courier, tracer, soon())
    letting_go.join()
    assert (told.sent, told.waiting) == (2, 0)
    assert states(receiver) == ["dbt-run-shop START", "orders START", "orders COMPLETE", "dbt-run-shop COMPLETE"] * 2


def test_what_a_slow_receiver_left_on_disk_goes_while_the_worker_lingers(
    tmp_path: Path, receiver: Receiver, tracer: Tracer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("lineal_producer.worker.sender._MOST_WAITING", 1)
    for name in ("LINEAL_BUDGET_SECONDS", "LINEAL_LINGER_SECONDS"):
        monkeypatch.setenv(name, "300")
    receiver.told.clear()
    path = left(tmp_path / "a.ndjson", ended=True)
    spool = Spool(path)
    assert spool.claim()
    letting_go = threading.Timer(0.3, receiver.told.set)
    letting_go.start()
    assert serve(Settings.of_process(), spool, tracer, tmp_path / "target") == 0
    letting_go.join()
    assert states(receiver) == ["dbt-run-shop START", "orders START", "orders COMPLETE", "dbt-run-shop COMPLETE"]
    assert not path.exists()


@pytest.mark.parametrize(
    ("made", "columns"), [("2026-01-31T10:20:29Z", ["id", "amount"]), ("2026-02-01T00:00:00Z", [])]
)
def test_columns_are_those_of_the_catalog_that_dbt_had(
    tmp_path: Path, receiver: Receiver, courier: Courier, tracer: Tracer, made: str, columns: list[str]
) -> None:
    (tmp_path / "target").mkdir()
    told = {name: {"name": name, "index": at, "type": "INTEGER"} for at, name in enumerate(("id", "amount"))}
    source = {"metadata": {"database": "shop", "schema": "raw", "name": "Orders 2"}, "columns": told}
    catalog = {"metadata": {"generated_at": made}, "sources": {"source.shop.raw.orders": source}}
    (tmp_path / "target" / "catalog.json").write_text(json.dumps(catalog))
    reading = node("model", "stg", depends_on=["source.shop.raw.orders"], compiled_code='select * from raw."Orders 2"')
    of = invocation(project_root=str(tmp_path), target_path="target")
    kept: list[records.Record] = [
        records.invocation_start(AT, of),
        records.node_start(AT, described(reading, raw_orders())),
        records.node_end(AT, "model.shop.stg", "success"),
        records.invocation_end(AT, success=True),
    ]
    (tmp_path / "a.ndjson").write_bytes(b"".join(records.to_line(record) for record in kept))
    flush([tmp_path / "a.ndjson"], courier, tracer, soon())
    (ended,) = [event for event in receiver.accepted if event["outputs"] and event["eventType"] == "COMPLETE"]
    assert list(ended["outputs"][0]["facets"]["columnLineage"]["fields"]) == columns


def test_a_run_that_was_killed_is_aborted(tmp_path: Path, receiver: Receiver, courier: Courier, tracer: Tracer) -> None:
    path = left(tmp_path / "a.ndjson", ended=False)
    with path.open("ab") as file:
        file.write(b'{"v":1,"kind":"node_e')
    flush([path], courier, tracer, soon())
    assert states(receiver) == ["dbt-run-shop START", "orders START", "orders ABORT", "dbt-run-shop ABORT"]


def test_a_run_whose_dbt_still_lives_is_left_alone(
    tmp_path: Path, receiver: Receiver, courier: Courier, tracer: Tracer
) -> None:
    path = left(tmp_path / "a.ndjson", ended=False)
    descriptor = os.open(path, os.O_RDWR)
    try:
        assert try_lock(descriptor)
        told = flush([path], courier, tracer, soon())
    finally:
        os.close(descriptor)
    assert (told.sent, told.waiting, told.busy) == (0, 0, 1)
    assert receiver.accepted == []


def test_records_of_a_newer_release_are_skipped_not_fatal(
    tmp_path: Path, receiver: Receiver, courier: Courier, tracer: Tracer
) -> None:
    path = left(tmp_path / "a.ndjson", ended=True)
    path.write_bytes(b'{"v":3,"kind":"columns"}\nnot json\n' + path.read_bytes())
    flush([path], courier, tracer, soon())
    assert len(receiver.accepted) == 4


def test_records_of_an_earlier_release_are_sent(
    tmp_path: Path, receiver: Receiver, courier: Courier, tracer: Tracer
) -> None:
    path = left(tmp_path / "a.ndjson", ended=True)
    path.write_bytes(path.read_bytes().replace(b'{"v":2,', b'{"v":1,'))
    told = flush([path], courier, tracer, soon())
    assert (told.sent, len(receiver.accepted)) == (1, 4)


def test_what_cannot_be_read_waits_and_keeps_no_other_from_being_sent(
    tmp_path: Path, receiver: Receiver, courier: Courier, tracer: Tracer, caplog: pytest.LogCaptureFixture
) -> None:
    newer, odd, other = (tmp_path / f"{name}.ndjson" for name in ("newer", "odd", "other"))
    newer.write_text('{"v": 3, "kind": "invocation_start"}\n')
    left(odd, ended=True)
    odd.with_suffix(".acks").mkdir()  # what was sent can't be noted
    left(other, ended=True)
    told = flush([newer, odd, other], courier, tracer, soon())
    assert (told.sent, told.waiting, told.busy) == (1, 2, 0)
    assert len(states(receiver)) == 4
    assert newer.exists()
    assert odd.exists()
    assert not other.exists()
    assert f"{newer}: record 0 can't be read: a record of version 3" in caplog.text
    assert f"{odd.with_suffix('.acks')}: Is a directory; its events wait" in caplog.text


def test_what_is_too_old_or_too_much_is_given_up_and_told(tmp_path: Path) -> None:
    ages = {"old": 40, "third": 3, "second": 2, "first": 1}
    for name, days in ages.items():
        path = tmp_path / f"{name}.ndjson"
        path.write_bytes(b"x" * 600_000)
        os.utime(path, (time.time() - days * 86_400,) * 2)
    settings = Settings.from_env({"HOME": str(tmp_path), "LINEAL_OUTBOX_MB": "1.3"}, tmp_path)
    told: list[str] = []
    kept = drop_expired(waiting_files([tmp_path]), settings, told.append)
    assert [path.stem for path in kept] == ["second", "first"]
    assert [path.stem for path in waiting_files([tmp_path])] == ["second", "first"]
    assert len(told) == 2
    assert "run old" in told[0]
    assert "LINEAL_OUTBOX_DAYS" in told[0]
    assert "run third" in told[1]
    assert "LINEAL_OUTBOX_MB" in told[1]


def test_refused_events_are_kept_until_they_are_accepted(tmp_path: Path) -> None:
    path = tmp_path / "a.rejected"
    for mark in ("d:1s", "d:2s", "d:3s"):
        add_entry(path, {"mark": mark, "status": 422, "answer": "no", "event": {"name": mark}})
    with path.open("ab") as file:
        file.write(b'{"torn')
    again = Rejected(path)
    assert [(door, mark) for door, mark, _ in again.entries()] == [("d", "1s"), ("d", "2s"), ("d", "3s")]
    again.acknowledge("d:1s")
    again.reject({"mark": "d:2s", "status": 400, "answer": "still no", "event": {"name": "d:2s"}})
    again.acknowledge("d:2s")
    assert again.finish() == 1
    assert {entry["mark"]: entry["answer"] for entry in read_entries(path)} == {"d:2s": "still no", "d:3s": "no"}


def test_what_is_refused_and_cannot_be_kept_stays_in_the_outbox(
    tmp_path: Path, receiver: Receiver, courier: Courier, tracer: Tracer
) -> None:
    receiver.answer = lambda event: 201 if event["eventType"] == "START" else 422
    path, other = left(tmp_path / "a.ndjson", ended=True), left(tmp_path / "b.ndjson", ended=True)
    path.with_suffix(".rejected").mkdir()
    told = flush([path, other], courier, tracer, soon())
    assert (told.sent, told.waiting) == (1, 1)
    assert waiting_files([tmp_path]) == [path]
    assert len(read_entries(other.with_suffix(".rejected"))) == 2
    path.with_suffix(".rejected").rmdir()
    receiver.answer = lambda _: 201
    assert flush([path], courier, tracer, soon()).sent == 1
    assert [state.partition(" ")[2] for state in states(receiver)].count("COMPLETE") == 2
    assert len(receiver.accepted) == 6  # what was taken the first time isn't sent again


def test_a_refused_event_after_a_torn_one_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "a.rejected"
    path.write_bytes(b'{"mark": "d:1s", "event": {"na')
    add_entry(path, {"mark": "d:2s", "status": 422, "answer": "no", "event": {}})
    assert [entry["mark"] for entry in read_entries(path)] == ["d:2s"]


def test_a_run_whose_dbt_still_lives_is_waited_for_when_asked(
    tmp_path: Path, receiver: Receiver, courier: Courier, tracer: Tracer
) -> None:
    path = left(tmp_path / "a.ndjson", ended=True)
    descriptor = os.open(path, os.O_RDWR)
    assert try_lock(descriptor)
    told = flush([path], courier, tracer, time.monotonic() + 0.3, wait=True)
    assert (told.sent, told.waiting, told.busy) == (0, 0, 1)
    ends = threading.Timer(0.3, os.close, (descriptor,))
    ends.start()
    told = flush([path], courier, tracer, soon(), wait=True)
    ends.join()
    assert (told.sent, told.waiting, told.busy) == (1, 0, 0)
    assert len(receiver.accepted) == 4


def test_a_worker_that_sends_still_is_waited_for_until_the_time_is_up(
    tmp_path: Path, receiver: Receiver, courier: Courier, tracer: Tracer
) -> None:
    path = left(tmp_path / "a.ndjson", ended=True)
    other = Spool(path)
    assert other.claim()
    told = flush([path], courier, tracer, time.monotonic() + 0.3, claim_seconds=60)
    assert (told.sent, told.waiting, told.busy) == (0, 1, 0)
    ends = threading.Timer(0.3, other.release)
    ends.start()
    told = flush([path], courier, tracer, soon(), claim_seconds=60)
    ends.join()
    assert (told.sent, told.waiting) == (1, 0)


def test_asking_whether_dbt_lives_is_not_living(tmp_path: Path) -> None:
    path = left(tmp_path / "a.ndjson", ended=True)
    asking = os.open(path, os.O_RDWR)
    try:
        assert try_lock(asking, shared=True)
        assert not Spool(path).is_alive()
    finally:
        os.close(asking)
