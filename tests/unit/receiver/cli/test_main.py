"""The border with the user: one sentence, an exit code, and no traceback."""

import subprocess
import sys
from pathlib import Path

import pytest

from lineal_receiver.cli import commands, main
from lineal_receiver.errors import StoreTooOld
from lineal_receiver.settings import DESCRIPTIONS, variable

COMMANDS = (
    *("serve", "ingest", "migrate", "verify", "rejected", "upgrade", "demo", "completion", "version"),
    *("upstream", "downstream", "impact", "path", "runs", "search", "unresolved", "diff", "export"),
)


def run(*arguments: str, **environment: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-m", "lineal_receiver.cli", *arguments],
        capture_output=True,
        text=True,
        env={"PATH": "/usr/bin:/bin", "HOME": "/nonexistent", **environment},
        check=False,
    )


def test_help_teaches_and_names_every_command() -> None:
    done = run("--help")
    assert done.returncode == 0
    for word in (*COMMANDS, "exit codes"):
        assert word in done.stdout


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main([command, "--help"])
    assert caught.value.code == 0
    assert capsys.readouterr().out.startswith(f"usage: lineal {command}")


def test_the_variables_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["serve", "--help"])
    said = capsys.readouterr().out
    assert all(variable(name) in said for name in DESCRIPTIONS)


def test_the_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["version"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("lineal ")
    assert lines[1].startswith("PostgreSQL 18.")


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["fly"],
        ["ingest"],
        ["serve", "--port", "70000"],
        ["serve", "--database-url", "postgresql://h/d", "--data-dir", "x"],
        ["serve", "--log-level", "loud"],
    ],
)
def test_wrong_usage_is_2(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(arguments)
    assert caught.value.code == 2
    assert "usage: lineal" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "usage", "said"),
    [
        ("upstream a --urll b", "lineal upstream", "unrecognized arguments: --urll b; did you mean --url?"),
        (
            "rejected list --limitt=3",
            "lineal rejected list",
            "unrecognized arguments: --limitt=3; did you mean --limit?",
        ),
        ("search a --xyz", "lineal search", "unrecognized arguments: --xyz"),
        ("rejected lst", "lineal rejected", "; did you mean list?"),
        ("upstreem", "lineal", "; did you mean upstream?"),
        ("--debg serve", "lineal", "unrecognized arguments: --debg; did you mean --debug?"),
    ],
)
def test_a_typo_is_told_with_the_usage_of_its_command(
    words: str, usage: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as caught:
        main(words.split())
    assert caught.value.code == 2
    told = capsys.readouterr().err
    assert told.startswith(f"usage: {usage} [-h]")
    assert told.endswith(f"{said}\n")


def test_a_known_error_is_one_sentence() -> None:
    done = run("migrate", "--database-url", "postgresql://u:geheim@127.0.0.1:1/d")
    assert done.returncode == 3
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert done.stderr.startswith("lineal: Can't connect to PostgreSQL at 127.0.0.1:1/d: the connection is refused.")
    assert "geheim" not in done.stderr


def test_a_wrong_variable_is_2_and_named() -> None:
    done = run("serve", LINEAL_PORT="many")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "lineal: LINEAL_PORT is 'many', but it must be a port from 0 to 65535.\n"


@pytest.mark.parametrize(
    "words",
    [
        "--debug migrate --database-url {url}",
        "migrate --debug --database-url {url}",
        "migrate --database-url {url} --debug",
        "--debug rejected list --database-url {url}",
        "rejected --debug list --database-url {url}",
        "rejected list --database-url {url} --debug",
    ],
)
def test_debug_shows_the_traceback_wherever_it_stands(words: str) -> None:
    done = run(*words.format(url="postgresql://u:geheim@127.0.0.1:1/d").split())
    assert done.returncode == 3
    assert "Traceback" in done.stderr
    assert "geheim" not in done.stderr


@pytest.mark.parametrize("words", ["--version", "serve --version", "rejected --version", "rejected list --version"])
def test_the_version_is_told_wherever_it_is_asked(words: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(words.split())
    assert caught.value.code == 0
    assert capsys.readouterr().out.startswith("lineal ")


def fail_with(monkeypatch: pytest.MonkeyPatch, error: BaseException) -> None:
    def fail(_options: object) -> int:
        raise error

    monkeypatch.setattr(commands, "run_version", fail)


def test_a_fault_of_ours_goes_to_a_file(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    fail_with(monkeypatch, ZeroDivisionError("by nothing"))
    assert main(["version"]) == 1
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    report = Path(said.strip().rpartition(" ")[2])
    assert "ZeroDivisionError: by nothing" in report.read_text(encoding="utf-8")
    report.unlink()


def test_a_missing_extra_says_how_to_install_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    fail_with(monkeypatch, ModuleNotFoundError("No module named 'asyncpg'", name="asyncpg"))
    assert main(["version"]) == 2
    assert "pip install 'lineal[receiver]'" in capsys.readouterr().err


@pytest.mark.parametrize(("error", "code"), [(KeyboardInterrupt(), 130), (StoreTooOld("h", "13.1", 14), 3)])
def test_codes(monkeypatch: pytest.MonkeyPatch, error: BaseException, code: int) -> None:
    fail_with(monkeypatch, error)
    assert main(["version"]) == code


def test_without_the_extra_help_and_sentence_still_work(tmp_path: Path) -> None:
    """As after a plain `pip install lineal`: the receiver's packages can't be imported."""
    for package in ("asyncpg", "fastapi", "structlog", "uvicorn", "starlette"):
        (tmp_path / f"{package}.py").write_text(f"raise ModuleNotFoundError(name={package!r})")
    assert run("--help", PYTHONPATH=str(tmp_path)).returncode == 0
    done = run("serve", PYTHONPATH=str(tmp_path))
    assert done.returncode == 2
    assert "pip install 'lineal[receiver]'" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_reader_that_goes_away_is_no_error() -> None:
    done = subprocess.run(
        ["/bin/sh", "-c", f"{sys.executable} -m lineal_receiver.cli version | true"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stderr == ""
