"""The console scripts, asked to end before they have begun."""

import subprocess
import sys
from importlib.metadata import entry_points

import pytest

PROGRAM = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)  # whatever the suite ignores
from {module} import {name}

class Asked:
    def find_spec(self, name, path=None, target=None):
        del sys.meta_path[0]
        signal.raise_signal(signal.SIGINT)

sys.meta_path.insert(0, Asked())
sys.exit({name}())
"""


@pytest.mark.parametrize(("script", "said"), [("lineal", "lineal: interrupted\n"), ("lineal-dbt", "")])
def test_ctrl_c_while_it_loads_shows_no_traceback(script: str, said: str) -> None:
    (entry,) = entry_points(group="console_scripts", name=script)
    program = PROGRAM.format(module=entry.module, name=entry.attr)
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stdout, ended.stderr) == (130, "", said)
