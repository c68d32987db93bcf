"""`lineal-dbt` in odd places: one sentence and an exit code, whatever is missing."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

MAIN = [sys.executable, "-m", "lineal_producer.cli"]


def _run(*arguments: str, cwd: Path, **env: str) -> subprocess.CompletedProcess[str]:
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("LINEAL_", "OPENLINEAGE_"))}
    clean |= {"HOME": str(cwd), **env}
    return subprocess.run([*MAIN, *arguments], cwd=cwd, env=clean, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("command", ["status", "flush", "doctor"])
@pytest.mark.skipif(sys.platform == "win32", reason="a folder in use can't be removed there")
def test_a_working_directory_that_is_gone_is_one_sentence(tmp_path: Path, command: str) -> None:
    program = f"import os; os.rmdir(os.getcwd()); os.execv({MAIN[0]!r}, {[*MAIN, command]!r})"
    gone = tmp_path / "gone"
    gone.mkdir()
    done = subprocess.run([MAIN[0], "-c", program], cwd=gone, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.splitlines() == ["lineal-dbt: No such file or directory; is the working directory still there?"]


def test_a_reader_that_has_seen_enough_is_no_error(tmp_path: Path) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    try:
        done = subprocess.run(
            [*MAIN, "status"], cwd=tmp_path, stdout=writing, stderr=subprocess.PIPE, text=True, check=False
        )
    finally:
        os.close(writing)
    assert (done.returncode, done.stderr) == (1, "")


def test_a_terminal_without_the_letters_of_a_path_gets_their_escapes(tmp_path: Path) -> None:
    folder = tmp_path / "käse"
    folder.mkdir()
    done = _run("status", cwd=tmp_path, LINEAL_STATE_DIR=str(folder), PYTHONIOENCODING="ascii")
    assert (done.returncode, done.stderr) == (0, "")
    assert "k\\xe4se" in done.stdout


@pytest.mark.parametrize("given", ["-1", "nan", "inf", "soon"])
def test_seconds_that_are_none_are_refused(tmp_path: Path, given: str) -> None:
    done = _run("flush", f"--seconds={given}", cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr.endswith("argument --seconds: expected a number of seconds that is not negative\n")


@pytest.mark.skipif(sys.platform != "linux", reason="capabilities are Linux's")
def test_a_home_that_cannot_be_entered_is_as_good_as_an_empty_one(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    home.chmod(0)
    command = [*MAIN, "status", "--format", "json"]
    if os.geteuid() == 0:  # root enters everything unless it gives that up
        command = ["setpriv", "--bounding-set", "-all", "--inh-caps", "-all", *command]
    env = {**os.environ, "HOME": str(home), "OPENLINEAGE_URL": "http://127.0.0.1:9"}
    done = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, check=False)
    home.chmod(0o700)
    assert (done.returncode, done.stderr) == (0, "")
    assert '"configured": true' in done.stdout


@pytest.mark.parametrize("command", ["status", "flush", "doctor"])
def test_a_project_that_is_not_there_is_told(tmp_path: Path, command: str) -> None:
    done = _run(command, "--project-dir", "nowhere", cwd=tmp_path)
    assert done.returncode == 1
    told = done.stdout if command == "doctor" else done.stderr
    assert "nowhere: no such folder" in told
    assert "give the folder of a dbt project with --project-dir" in told.splitlines()[-1]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("transport: [", "openlineage.yml is not valid YAML (line 2, column 1)"),
        ("transport: http", "openlineage.yml: `transport:` must hold a mapping with a `type`"),
        ("transport: {type: http, url: 5}", "the URL of the OpenLineage transport is no http:// or https:// one"),
    ],
)
def test_a_configuration_that_cannot_be_used_is_told_by_every_command(tmp_path: Path, content: str, said: str) -> None:
    (tmp_path / "openlineage.yml").write_text(content + "\n")
    for command in ("status", "flush", "doctor"):
        done = _run(command, cwd=tmp_path)
        assert done.returncode == 1
        assert len([line for line in (done.stdout + done.stderr).splitlines() if said in line]) == 1


def test_a_transport_of_no_known_kind_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "openlineage.yml").write_text("transport: {type: nope}\n")
    done = _run("flush", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("lineal-dbt: the OpenLineage transport: ")
    assert done.stderr.endswith("; correct the transport's configuration\n")
    assert len(done.stderr.splitlines()) == 1
