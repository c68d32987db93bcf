"""Where a project's sources are kept, read from the files of its `.git` folder: no git is started."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from lineal_producer.destination import without_credentials

if TYPE_CHECKING:
    from lineal_producer.descriptions import Git

_LEVELS: Final = 20
_PROJECT: Final = "dbt_project.yml"
_INDEX_LIMIT: Final = 1 << 24  # bytes: a larger one would take dbt too long
_FULL_NAMES: Final = {b"\0\0\0\2", b"\0\0\0\3"}  # versions of an index that write each name whole
_NAME_LENGTH: Final = 0xFFF


def read_git(folder: Path) -> Git | None:
    """Commit, branch and the origin's URL (without credentials) of the repository that holds `folder`, else None.

    None, too, of a project that the repository around it ignores, or doesn't know yet: nobody would find it there.
    """
    try:
        place = next((place for place in [folder, *folder.parents][:_LEVELS] if (place / ".git").exists()), None)
        if place is None:
            return None
        found = _git_folder(place)
        inside = "" if folder == place else folder.relative_to(place).as_posix()
        if (folder / _PROJECT).is_file() and not _is_tracked(found, f"{inside}/{_PROJECT}".removeprefix("/")):
            return None
        head = (found / "HEAD").read_text(encoding="utf-8").strip()
        shared = _shared(found)
        reference = head.removeprefix("ref: ") if head.startswith("ref: ") else None
        sha = _resolve(found, shared, reference) if reference else head
        return {
            "sha": sha,
            "url": _origin(shared),
            "branch": reference.removeprefix("refs/heads/") if reference else None,
            "folder": inside,
        }
    except (OSError, UnicodeDecodeError):
        return None


def _git_folder(place: Path) -> Path:
    git = place / ".git"
    if git.is_dir():
        return git
    return place / git.read_text(encoding="utf-8").strip().removeprefix("gitdir: ")  # a worktree or a submodule


def _is_tracked(git: Path, path: str) -> bool:
    """Whether the index has a file; True where it can't tell."""
    index = git / "index"
    if not index.is_file() or index.stat().st_size > _INDEX_LIMIT or any(git.glob("sharedindex.*")):
        return True
    content, name = index.read_bytes(), path.encode()
    if content[4:8] not in _FULL_NAMES:
        return True
    at = content.find(name + b"\0")
    while at >= 0:
        # The name's length stands right before it, or before two more bytes: this is no other name's end.
        if any(
            int.from_bytes(content[at - back : at - back + 2], "big") & _NAME_LENGTH == len(name) for back in (2, 4)
        ):
            return True
        at = content.find(name + b"\0", at + 1)
    return False


def _shared(git: Path) -> Path:
    common = git / "commondir"
    return git / common.read_text(encoding="utf-8").strip() if common.is_file() else git


def _resolve(git: Path, shared: Path, reference: str) -> str | None:
    for folder in (git, shared):
        if (folder / reference).is_file():
            return (folder / reference).read_text(encoding="utf-8").strip()
    packed = shared / "packed-refs"
    if packed.is_file():
        for line in packed.read_text(encoding="utf-8").splitlines():
            sha, _, name = line.partition(" ")
            if name == reference:
                return sha
    return None


def _origin(shared: Path) -> str | None:
    config = shared / "config"
    if not config.is_file():
        return None
    section, url = "", None
    for line in map(str.strip, config.read_text(encoding="utf-8").splitlines()):
        if line.startswith("["):
            section = line
        elif section == '[remote "origin"]' and line.partition("=")[0].strip() == "url":
            url = line.partition("=")[2].strip()
    return without_credentials(url) if url and "://" in url else url
