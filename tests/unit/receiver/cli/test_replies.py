"""What commands say where no receiver answers, in words alone."""

import socket

import pytest

from lineal_receiver.cli.main import main


def _closed_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return int(taken.getsockname()[1])


@pytest.mark.parametrize(
    "command",
    [
        ["rejected", "list"],
        ["rejected", "replay"],
        ["alias", "lint"],
        ["horizon", "show"],
        ["redact", "list"],
        ["search", "orders"],
    ],
    ids=" ".join,
)
def test_nobody_answering_is_told_in_words(command: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    url = f"http://127.0.0.1:{_closed_port()}"
    assert main([*command, "--url", url]) != 0
    told = capsys.readouterr().err
    assert url in told
    assert "Connection refused" in told
    assert "Errno" not in told
