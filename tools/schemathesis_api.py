"""schemathesis on a receiver that holds the example shop's build: every operation that the API describes is asked.

    python tools/schemathesis_api.py [--examples 10] [--seed 1] [--keep FOLDER]

The receiver is that of `lineal demo`, on its embedded PostgreSQL. schemathesis lives in an environment of its own: it
needs Python 3.11, and an older jsonschema-rs than the receiver gets. What it sends is the same for the same seed. No
answer may be a 5xx, have a status, content type or header that isn't described, or another shape than is.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("schemathesis==4.32.5", "hypothesis==6.170.17")
PYTHONS = (sys.executable, "python3.13", "python3.12", "python3.11")
CHECKS = (
    "not_a_server_error",
    "status_code_conformance",
    "content_type_conformance",
    "response_headers_conformance",
    "response_schema_conformance",
)
PATIENCE_SECONDS = 300
LIMITS = ("--request-timeout", str(PATIENCE_SECONDS), "--suppress-health-check", "all", "--warnings", "off")
KEEPING = ("--generation-database", "none", "--continue-on-failure", "--no-color")


def main(arguments: list[str]) -> int:
    """Ask everything; 1 if an answer isn't as it should be."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--examples", type=int, default=10, metavar="N", help="requests drawn of each operation (10)")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="what is drawn (1)")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="a folder for the environment, kept")
    told = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as scratch:
        programs = install((told.keep or Path(scratch)).absolute() / "schemathesis")
        if programs is None:
            print("not here: schemathesis needs Python 3.11 or newer")
            return 0
        with demo(Path(scratch)) as url:
            command = [programs / "schemathesis", "run", f"{url}/openapi.json", *LIMITS, *KEEPING]
            command += ["--checks", ",".join(CHECKS), "--phases", "examples,coverage,fuzzing"]
            command += ["--max-examples", str(told.examples), "--seed", str(told.seed)]
            return subprocess.run(command, cwd=scratch, env=clean(), check=False).returncode


def install(place: Path) -> Path | None:
    """The folder of the environment's programs; None if no Python here is new enough."""
    newer = "import sys; sys.exit(sys.version_info < (3, 11))"
    found = (path for name in PYTHONS if (path := shutil.which(name)))
    python = next((path for path in found if subprocess.run([path, "-c", newer], check=False).returncode == 0), None)
    if python is None:
        return None
    subprocess.run([python, "-m", "venv", place], check=True)
    pip = [place / "bin" / "python", "-m", "pip", "--disable-pip-version-check", "-q"]
    subprocess.run([*pip, "install", *PACKAGES], check=True)
    return place / "bin"


@contextmanager
def demo(folder: Path) -> Iterator[str]:
    """The address of the demo's receiver while it is up."""
    command = [sys.executable, "-m", "lineal_receiver.cli", "demo", "--dir", folder / "demo"]
    with subprocess.Popen(command, cwd=folder, env=clean(), stdout=subprocess.PIPE, text=True) as child:
        said = []
        try:
            for line in child.stdout or ():
                said.append(line)
                if found := re.match(r"in a browser +(http://\S+?)/?$", line):
                    yield found[1]
                    return
            raise SystemExit(f"the demo ended: {''.join(said)[-1_000:]}")
        finally:
            child.send_signal(signal.SIGINT)


def clean() -> dict[str, str]:
    """The environment: nothing for this machine goes through a proxy, and sets have one order."""
    return {**os.environ, "PYTHONHASHSEED": "0", "NO_PROXY": "127.0.0.1,localhost", "no_proxy": "127.0.0.1,localhost"}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
