"""`make soak` in small: server and PostgreSQL killed under load, nothing lost, and the tables that the log gives."""

import subprocess
import sys
from pathlib import Path

import pytest

TOOL = Path(__file__).parents[2] / "tools" / "soak.py"


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="kills by process id as Linux does")
def test_nothing_is_lost_and_nothing_differs_after_kills() -> None:
    options = ["--seconds", "4", "--clients", "4", "--kills", "2", "--again", "40", "--seed", "7"]
    done = subprocess.run([sys.executable, str(TOOL), *options], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    said = done.stdout.splitlines()
    assert "kills: 1 of the server, 1 of the postgres" in done.stdout
    assert said[-1].endswith("of these lost 0; verify ended with 0")
    assert any(line.endswith("all as it should be") for line in said)
