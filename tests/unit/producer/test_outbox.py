"""Records on their way out: written, locked, read again, acknowledged; and where nothing can be written."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from lineal_producer.outbox import Outbox
from lineal_producer.worker.spool import Spool


class Ear:
    """Stands where the child's pipe is and where the user reads."""

    def __init__(self) -> None:
        self.lines: list[bytes] = []
        self.told: list[str] = []


@pytest.fixture
def ear() -> Ear:
    return Ear()


def outbox_in(ear: Ear, *folders: Path) -> Outbox:
    outbox = Outbox(folders, "run", ear.told.append)
    outbox.connect(ear.lines.append)
    return outbox


def test_records_are_in_the_file_and_the_reader_is_woken(tmp_path: Path, ear: Ear) -> None:
    outbox = outbox_in(ear, tmp_path / "a")
    outbox.append(b'{"one": 1}\n')
    outbox.append(b'{"two": 2}\n', durable=True)
    assert (tmp_path / "a" / "run.ndjson").read_bytes() == b'{"one": 1}\n{"two": 2}\n'
    assert ear.lines == [b"\n", b"\n"]
    assert (tmp_path / "a" / "run.ndjson").stat().st_mode & 0o077 == 0
    outbox.close()
    assert ear.told == []


def test_what_must_last_is_synced_while_dbt_goes_on(tmp_path: Path, ear: Ear, monkeypatch: pytest.MonkeyPatch) -> None:
    file, synced, changed, sync = tmp_path / "run.ndjson", [0], threading.Condition(), os.fsync

    def seen(descriptor: int) -> None:
        size = os.fstat(descriptor).st_size
        sync(descriptor)
        with changed:
            synced.append(size)
            changed.notify_all()

    monkeypatch.setattr(os, "fsync", seen)
    outbox = outbox_in(ear, tmp_path)
    for _ in range(50):
        outbox.append(b'{"one": 1}\n', durable=True)
    with changed:
        assert changed.wait_for(lambda: synced[-1] == file.stat().st_size == 50 * 11, 300)
    outbox.append(b'{"two": 2}\n', durable=True)
    with changed:
        assert changed.wait_for(lambda: synced[-1] == 51 * 11, 300)
    outbox.close()


def test_the_file_is_locked_until_dbt_lets_go(tmp_path: Path, ear: Ear) -> None:
    outbox = outbox_in(ear, tmp_path)
    outbox.append(b"{}\n")
    spool = Spool(tmp_path / "run.ndjson")
    assert spool.is_alive()
    outbox.close()
    assert not spool.is_alive()


def test_the_next_folder_is_taken_and_told(tmp_path: Path, ear: Ear) -> None:
    (tmp_path / "file").write_text("")
    outbox = outbox_in(ear, tmp_path / "file" / "in", tmp_path / "b")
    assert outbox.path == tmp_path / "b" / "run.ndjson"
    assert len(ear.told) == 1
    assert f"records are kept in {tmp_path / 'b'} instead" in ear.told[0]
    outbox.close()


def test_without_any_folder_the_reader_gets_the_records(tmp_path: Path, ear: Ear) -> None:
    (tmp_path / "file").write_text("")
    outbox = outbox_in(ear, tmp_path / "file" / "in", tmp_path / "file" / "or")
    outbox.append(b'{"one": 1}\n')
    outbox.close()
    assert outbox.path is None
    assert ear.lines == [b'{"one": 1}\n']
    assert len(ear.told) == 1
    assert "memory only" in ear.told[0]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs the system's own full disk, /dev/full")
def test_a_full_disk_sends_the_record_to_the_reader(tmp_path: Path, ear: Ear) -> None:
    (tmp_path / "run.ndjson").symlink_to("/dev/full")
    outbox = outbox_in(ear, tmp_path)
    outbox.append(b'{"one": 1}\n')
    outbox.append(b'{"two": 2}\n')
    outbox.close()
    assert ear.lines == [b'{"one": 1}\n', b'{"two": 2}\n']
    assert len(ear.told) == 1
    assert "No space left" in ear.told[0]


def test_a_spool_reads_what_was_added_and_leaves_a_torn_line(tmp_path: Path) -> None:
    path = tmp_path / "run.ndjson"
    path.write_bytes(b"a\nb\nhal")
    spool = Spool(path)
    assert list(spool.read()) == [(0, b"a\n"), (1, b"b\n")]
    with path.open("ab") as file:
        file.write(b"f\n")
    assert list(spool.read()) == [(2, b"half\n")]
    assert list(spool.read()) == []


def test_a_record_added_by_the_reader_closes_a_torn_line(tmp_path: Path) -> None:
    path = tmp_path / "run.ndjson"
    path.write_bytes(b"a\ntorn")
    spool = Spool(path)
    list(spool.read())
    spool.append(b"end\n")
    assert list(spool.read()) == [(1, b"torn\n"), (2, b"end\n")]


def test_one_reader_at_a_time_and_acknowledgements_outlive_it(tmp_path: Path) -> None:
    path = tmp_path / "run.ndjson"
    path.write_bytes(b"a\n")
    first, second = Spool(path), Spool(path)
    assert first.claim()
    assert not second.claim()
    first.acknowledge("door:0s")
    first.release()
    assert second.claim()
    assert second.sent == {"door:0s"}
    second.reject({"mark": "door:1s", "status": 422, "answer": "no", "event": {}})
    second.remove()
    second.release()
    assert os.listdir(tmp_path) == ["run.rejected"]  # noqa: PTH208 - names are what counts


def test_an_event_is_sent_in_its_first_form_until_every_door_has_it(tmp_path: Path) -> None:
    path = tmp_path / "run.ndjson"
    path.write_bytes(b"a\n")
    first = Spool(path)
    assert first.claim()
    assert first.keep("0s", ["x", "y"], {"n": 1, "text": "\u00e4\u2028"}) == {"n": 1, "text": "\u00e4\u2028"}
    first.acknowledge("x:0s")
    first.release()
    with (tmp_path / "run.events").open("ab") as file:
        file.write(b'1s {"torn": ')
    second = Spool(path)
    assert second.claim()
    assert second.keep("0s", ["y"], {"n": 2}) == {"n": 1, "text": "\u00e4\u2028"}
    assert second.keep("1s", ["y"], {"n": 3}) == {"n": 3}
    second.acknowledge("y:0s")
    second.release()
    third = Spool(path)
    assert third.claim()
    assert third.keep("1s", ["y"], {"n": 4}) == {"n": 3}
    third.acknowledge("y:1s")
    assert (tmp_path / "run.events").read_bytes() == b""  # it takes no room any more
    assert (tmp_path / "run.events").stat().st_mode & 0o077 == 0
    third.remove()
    third.release()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs the system's own full disk, /dev/full")
def test_an_event_goes_where_a_full_disk_keeps_it_from_being_written_down(tmp_path: Path) -> None:
    path = tmp_path / "run.ndjson"
    path.write_bytes(b"a\n")
    (tmp_path / "run.events").touch()
    spool = Spool(path)
    assert spool.claim()
    full = os.open("/dev/full", os.O_WRONLY)
    for descriptor in (spool._events, spool._acks):
        assert descriptor is not None
        os.dup2(full, descriptor)
    os.close(full)
    assert spool.keep("0s", ["x"], {"n": 1}) == {"n": 1}
    spool.acknowledge("x:0s")
    assert spool.sent == {"x:0s"}
    spool.release()
