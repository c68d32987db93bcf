"""Commands on a disk without room, and where nothing can be written: what can be sent is sent, the rest is one line."""

from __future__ import annotations

import resource
import shutil
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from .plugin_project import LONG, Project, Ran, kinds, new_project, settled
from .plugin_receiver import Receiver, running, silent_address

TOLD = 10  # the events of the project's build


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Project:
    project = new_project(tmp_path_factory.mktemp("full"))
    ran = project.dbt("--log-format-file", "json", "build", LINEAL_DISABLED="1")
    assert ran.code == 0, ran.out
    return project


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with running(Receiver()) as receiver:
        yield receiver


def _without_room(project: Project, room: int, *arguments: str, log: str | None = None, **env: str) -> Ran:
    """Run `lineal-dbt` where no file can grow beyond `room` bytes."""
    command = [str(Path(sys.executable).parent / "lineal-dbt"), *arguments]
    done = subprocess.run(
        command,
        cwd=project.root,
        # Without bytecode: Python would leave half of it.
        env=project.environment(PYTHONDONTWRITEBYTECODE="1", **env),
        input=log,
        capture_output=True,
        text=True,
        timeout=LONG,
        check=False,
        preexec_fn=partial(resource.setrlimit, resource.RLIMIT_FSIZE, (room, room)),
    )
    return Ran(done.returncode, done.stdout, done.stderr, 0.0)


@pytest.mark.parametrize(("room", "command"), [(0, ("emit",)), (1_000, ("emit",)), (0, ("consume", "logs/dbt.log"))])
def test_what_cannot_be_written_down_is_sent(
    built: Project, receiver: Receiver, room: int, command: tuple[str, ...]
) -> None:
    ran = _without_room(built, room, *command, **built.to_http(receiver.url))
    assert (ran.code, len(settled(receiver.accepted))) == (0, TOLD), ran.err
    assert ran.out.endswith(f"{TOLD} events sent\n")
    assert len(ran.err.splitlines()) == 1
    assert "can be written to" in ran.err
    assert built.waiting() == []


def test_what_can_neither_be_written_down_nor_sent_is_told_as_lost(built: Project) -> None:
    with silent_address() as address:
        ran = _without_room(built, 0, "emit", **built.to_http(address.url))
    assert ran.code == 1
    assert "0 events sent, the rest is lost: run it again, because" in ran.out
    assert "Traceback" not in ran.err


def test_a_stream_goes_on(built: Project, receiver: Receiver) -> None:
    log = (built.root / "logs" / "dbt.log").read_text()
    ran = _without_room(built, 0, "consume", log=log, **built.to_http(receiver.url))
    assert (ran.code, ran.out) == (0, log)
    assert kinds(receiver.accepted, "tiny.totals") == ["START", "COMPLETE"]
    assert len(ran.err.splitlines()) == 1


def test_a_folder_that_is_a_file_is_no_place_and_no_fault(built: Project, receiver: Receiver) -> None:
    state = built.root.parent / "no_state"
    state.write_text("")
    target = built.root / "target" / "lineal"
    shutil.rmtree(target, ignore_errors=True)
    target.write_text("")
    try:
        ran = built.lineal("emit", LINEAL_STATE_DIR=str(state), **built.to_http(receiver.url))
    finally:
        target.unlink()
    assert (ran.code, len(settled(receiver.accepted))) == (0, TOLD), ran.err
    assert len(ran.err.splitlines()) == 1
