"""Make `.venv` and install Lineal into it: `python3 tools/make_venv.py [demo|dev]`.

Standard library only: it runs before anything is installed.
Nothing is compiled (wheels only), so neither a compiler nor Python's headers are needed.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
SUPPORTED = ((3, 10), (3, 13))
WANTED = {"demo": [".[demo]"], "dev": [".[demo]", "--group", "dev"]}


class SetupError(Exception):
    """What is missing and how to get it, in one sentence."""


def find_python() -> str:
    """An interpreter of a supported version: $PYTHON, this one, else python3.13 … python3.10 on the PATH."""
    asked = os.environ.get("PYTHON")
    names = [asked] if asked else [sys.executable, *(f"python3.{minor}" for minor in range(13, 9, -1))]
    seen = []
    for name in names:
        path = shutil.which(name)
        if path is None:
            continue
        code = "import sys; print('%d.%d' % sys.version_info[:2])"
        answer = subprocess.run([path, "-c", code], capture_output=True, text=True, check=False)
        version = tuple(int(part) for part in answer.stdout.strip().split(".")) if answer.returncode == 0 else (0, 0)
        if SUPPORTED[0] <= version <= SUPPORTED[1]:
            return path
        seen.append(f"{name} is {answer.stdout.strip() or 'broken'}")
    found = "; ".join(seen) or f"{asked or 'no python'} was not found"
    raise SetupError(
        f"Lineal needs Python 3.10 to 3.13, but {found}. Install one and call make again with PYTHON=/path/to/python3.x"
    )


def make_venv(python: str) -> Path:
    """The venv's interpreter; the venv is made anew if it is missing or broken."""
    inside = VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    if (
        inside.exists()
        and subprocess.run([inside, "-m", "pip", "--version"], capture_output=True, check=False).returncode == 0
    ):
        return inside
    say(f"making {VENV.name} with {python}")
    probe = subprocess.run([python, "-c", "import venv, ensurepip"], capture_output=True, text=True, check=False)
    if probe.returncode != 0:
        raise SetupError(
            f"{python} cannot make virtual environments: install its venv package (apt install python3-venv) "
            "and call make again"
        )
    made = subprocess.run([python, "-m", "venv", "--clear", str(VENV)], capture_output=True, text=True, check=False)
    if made.returncode != 0:
        raise SetupError(f"making {VENV} failed: {last_line(made.stdout + made.stderr)}")
    return inside


def install(python: Path, what: str) -> None:
    """Install once per content of pyproject.toml; a second call costs nothing."""
    stamp = VENV / f".installed-{what}"
    content = hashlib.sha256((ROOT / "pyproject.toml").read_bytes()).hexdigest()
    stamps = [stamp] if what == "dev" else [stamp, VENV / ".installed-dev"]
    if any(s.exists() and s.read_text() == content for s in stamps):
        return
    for label, words in (
        ("a newer pip", ["--upgrade", "pip>=25.1"]),
        ("the build backend", ["hatchling>=1.27", "editables>=0.5"]),
        (
            f"Lineal and what it needs ({what})",
            ["--no-build-isolation", "--only-binary", ":all:", "--no-binary", "lineal", "--editable", *WANTED[what]],
        ),
    ):
        say(f"installing {label}")
        run_pip(python, words)
    stamp.write_text(content)


def run_pip(python: Path, words: list[str]) -> None:
    command = [
        str(python),
        "-m",
        "pip",
        "install",
        "--quiet",
        "--disable-pip-version-check",
        "--progress-bar",
        "off",
        *words,
    ]
    began = time.monotonic()
    child = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    while True:
        try:
            output, _ = child.communicate(timeout=15)
            break
        except subprocess.TimeoutExpired:
            say(f"… still installing ({time.monotonic() - began:.0f} s)")
    if child.returncode != 0:
        sys.stderr.write(output)
        raise SetupError(
            f"pip could not install {' '.join(words[-3:])}: see its lines above (no network? set PIP_INDEX_URL to a "
            "mirror that you reach) and call make again"
        )


def last_line(text: str) -> str:
    lines = [line for line in text.splitlines() if line.strip()]
    return lines[-1] if lines else "no message"


def say(line: str) -> None:
    sys.stdout.write(f"setup: {line}\n")
    sys.stdout.flush()


def main(arguments: list[str]) -> int:
    what = arguments[0] if arguments else "dev"
    if what not in WANTED:
        sys.stderr.write(f"setup: {what!r} is not one of {', '.join(WANTED)}\n")
        return 2
    began = time.monotonic()
    try:
        install(make_venv(find_python()), what)
    except SetupError as error:
        sys.stderr.write(f"setup: {error}\n")
        return 1
    except KeyboardInterrupt:
        return 130
    if time.monotonic() - began > 2:
        say(f"ready after {time.monotonic() - began:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
