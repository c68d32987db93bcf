"""Which processes belong to a cluster, and that no other is ever signalled."""

import os
import shutil
import signal
import subprocess
from pathlib import Path

import pytest

from lineal_receiver.postgres.embedded import start_embedded
from lineal_receiver.postgres.processes import find_postmaster, find_processes, signal_postmaster, wait_until_gone

from .conftest import wait_for


def test_a_live_server_is_found_by_what_runs(made_dir: Path) -> None:
    cluster = made_dir / "cluster"
    with start_embedded(made_dir) as server:
        found = find_processes(cluster)
        assert found[server.pid] == os.getpid()
        assert len(found) > 3
        assert set(found.values()) == {os.getpid(), server.pid}
        (cluster / "postmaster.pid").rename(cluster / "hidden")
        assert find_postmaster(cluster) == server.pid
        (cluster / "hidden").rename(cluster / "postmaster.pid")
        assert find_processes(made_dir) == {}
    assert find_postmaster(cluster) is None


@pytest.mark.skipif(shutil.which("ps") is None, reason="ps isn't installed")
def test_without_proc_the_postmaster_is_found_by_ps(made_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cluster = made_dir / "cluster"
    with start_embedded(made_dir) as server:
        monkeypatch.setattr("sys.platform", "darwin")
        assert find_processes(cluster) == {server.pid: os.getpid()}
        assert find_postmaster(cluster) == server.pid
        assert find_processes(made_dir / "clus") == {}
        monkeypatch.undo()


@pytest.mark.parametrize("platform", ["linux", "darwin"])
def test_others_are_never_signalled(made_dir: Path, platform: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.platform", platform)
    stranger = subprocess.Popen(["/bin/sleep", "600"], cwd=made_dir.parent)
    assert not signal_postmaster(made_dir.parent, stranger.pid, signal.SIGKILL)
    assert stranger.poll() is None
    stranger.kill()
    stranger.wait()
    assert not signal_postmaster(made_dir.parent, stranger.pid, signal.SIGKILL)


def test_a_postmaster_of_another_directory_is_another(made_dir: Path) -> None:
    with start_embedded(made_dir) as server:
        assert not signal_postmaster(made_dir.parent, server.pid, signal.SIGKILL)
        assert signal_postmaster(made_dir / "cluster", server.pid, signal.SIGUSR2)
        assert server.pid in find_processes(made_dir / "cluster")


def test_waiting_ends(made_dir: Path) -> None:
    with start_embedded(made_dir):
        assert not wait_until_gone(made_dir / "cluster", 0.05)
    assert wait_until_gone(made_dir / "cluster", 0.05)


def test_the_children_of_a_killed_postmaster_are_no_postmaster(made_dir: Path) -> None:
    with start_embedded(made_dir) as server:
        before = server.pid
        child = next(pid for pid, parent in find_processes(made_dir / "cluster").items() if parent == before)
        os.kill(child, signal.SIGSTOP)  # so that it stays
        os.kill(before, signal.SIGKILL)
        wait_for(lambda: find_processes(made_dir / "cluster").get(child, before) != before, "the child's new parent")
        assert find_postmaster(made_dir / "cluster") in {None, server.pid}
        os.kill(child, signal.SIGCONT)
        wait_for(lambda: server.pid != before, "a new postmaster")
