"""The demo's folder: made by us or refused, with room enough; nothing outside it is touched."""

from __future__ import annotations

import fcntl
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from lineal_receiver.demo.errors import DemoRefused

MARKER = ".made-by-lineal-demo"
MARKER_TEXT = "This folder was made by `lineal demo`; it may be deleted.\n"
NEEDED_BYTES = 1_000_000_000


@dataclass(frozen=True, slots=True)
class Place:
    """Where things lie below the demo's folder."""

    root: Path
    fresh: bool

    @property
    def project(self) -> Path:
        return self.root / "shop"

    @property
    def raw(self) -> Path:
        return self.root / "shop" / "data"

    @property
    def postgres(self) -> Path:
        return self.root / "postgres"

    @property
    def config(self) -> Path:
        return self.root / "openlineage.yml"

    @property
    def state(self) -> Path:
        return self.root / "state"

    @property
    def server_log(self) -> Path:
        return self.root / "receiver.log"


def open_place(root: Path) -> Place:
    """The demo's folder, made if it isn't there; a folder that the demo did not make is refused."""
    root = root.absolute()
    if root.exists() and not root.is_dir():
        raise DemoRefused(f"{root} is a file: give another folder with --dir")
    fresh = not root.exists() or not any(root.iterdir())
    if not fresh and not (root / MARKER).is_file():
        raise DemoRefused(
            f"{root} was not made by the demo, so the demo leaves it alone: give another folder with --dir"
        )
    try:
        root.mkdir(parents=True, exist_ok=True)
        (root / MARKER).write_text(MARKER_TEXT, encoding="utf-8")
    except OSError as error:
        raise DemoRefused(f"{root} cannot be written ({error.strerror}): give another folder with --dir") from error
    free = shutil.disk_usage(root).free
    if free < NEEDED_BYTES:
        raise DemoRefused(
            f"{root} has {free / 1e9:.1f} GB free and the demo wants 1 GB: make room, or give another folder with --dir"
        )
    return Place(root, fresh)


@contextmanager
def hold(place: Place) -> Iterator[None]:
    """Keep every other demo out of the folder; that one is there already is a refusal."""
    with (place.root / MARKER).open("a", encoding="utf-8") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise DemoRefused(f"another demo runs in {place.root}: stop it, or use another folder (--dir)") from error
        except OSError:
            pass  # a file system without locks: the receiver's own lock on its data is left
        yield


def copy_project(source: Path, place: Place) -> None:
    """Copy the dbt project's files over the last copy; what dbt and the generator made there stays."""
    ignore = shutil.ignore_patterns(
        "target", "logs", "data", "__pycache__", "dbt_packages", "*.duckdb", "*.wal", ".user.yml"
    )
    shutil.copytree(source, place.project, dirs_exist_ok=True, ignore=ignore)
