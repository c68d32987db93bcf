"""Asked to end while modules load: an exception there crashes modules in C (orjson's own import, for one)."""

import signal
import subprocess
import sys

import pytest

PROGRAM = """
import signal, sys, time
from {owner} import {name}

class Asked:
    def find_spec(self, name, path=None, target=None):
        if not name.startswith("{module}"):  # the C in it loads others
            del sys.meta_path[0]
            signal.raise_signal({number})

try:
    with {name}():
        sys.meta_path.insert(0, Asked())
        import {module}
        while True:
            time.sleep(60)
except KeyboardInterrupt:
    print("interrupted", "{module}" in sys.modules)
"""
RECEIVER = ("lineal_receiver.stopping", "interrupting")
PRODUCER = ("lineal_producer.interrupting", "interrupted_between_imports")


@pytest.mark.parametrize("module", ["orjson", "jsonschema_rs"])
@pytest.mark.parametrize(
    ("way", "number"),
    [
        (RECEIVER, signal.SIGTERM),
        (RECEIVER, signal.SIGINT),
        (RECEIVER, signal.SIGHUP),
        (PRODUCER, signal.SIGINT),
    ],
)
def test_it_is_loaded_first(way: tuple[str, str], number: signal.Signals, module: str) -> None:
    owner, name = way
    program = PROGRAM.format(owner=owner, name=name, number=int(number), module=module)
    heeding = f"import signal; signal.signal({int(number)}, signal.{_usual(number)})\n"  # whatever the suite ignores
    ended = subprocess.run([sys.executable, "-c", heeding + program], capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "interrupted True\n", "")


def _usual(number: signal.Signals) -> str:
    return "default_int_handler" if number == signal.SIGINT else "SIG_DFL"
