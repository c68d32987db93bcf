"""Commit, branch and origin, as git itself tells them."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from lineal_producer.dbt.git import read_git


def git(folder: Path, *arguments: str) -> str:
    identity = ["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "init.defaultBranch=main"]
    command = ["git", *identity, *arguments]
    return subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True).stdout.strip()


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    folder = tmp_path / "repository"
    folder.mkdir()
    git(folder, "init", "-q")
    git(folder, "commit", "-q", "--allow-empty", "-m", "one")
    return folder


def test_a_folder_inside_a_repository(repository: Path) -> None:
    git(repository, "remote", "add", "origin", "https://ann:secret@example.org/shop.git")
    git(repository, "checkout", "-q", "-b", "feature/new")
    inside = repository / "a" / "b"
    inside.mkdir(parents=True)
    sha = git(repository, "rev-parse", "HEAD")
    assert read_git(inside) == {
        "sha": sha,
        "url": "https://example.org/shop.git",
        "branch": "feature/new",
        "folder": "a/b",
    }


def test_a_hidden_folder_keeps_its_dot(repository: Path) -> None:
    inside = repository / ".demo" / "shop"
    inside.mkdir(parents=True)
    found = read_git(inside)
    assert found is not None
    assert found.get("folder") == ".demo/shop"


@pytest.mark.parametrize("version", [2, 3, 4])
def test_a_project_that_git_ignores_or_does_not_know_is_in_no_repository(repository: Path, version: int) -> None:
    for name in ("shop", "new", "ignored", "ignored/shop"):
        (repository / name).mkdir()
        (repository / name / "dbt_project.yml").write_text("name: shop\n")
    (repository / ".gitignore").write_text("ignored/\n")
    git(repository, "add", "shop", ".gitignore")
    if version == 3:  # which only a file to be added later asks for
        (repository / "later").write_text("")
        git(repository, "add", "--intent-to-add", "later")
    git(repository, "update-index", "--index-version", str(version))
    told = {name: read_git(repository / name) for name in ("shop", "new", "ignored", "ignored/shop")}
    assert told["shop"] is not None
    assert told["shop"].get("folder") == "shop"
    found = {name for name, each in told.items() if each is not None}
    assert found == ({"shop"} if version < 4 else set(told)), "of names cut short it can't be told"


def test_a_project_at_the_top_is_not_taken_for_one_below(repository: Path) -> None:
    (repository / "shop").mkdir()
    for folder in (repository, repository / "shop"):
        (folder / "dbt_project.yml").write_text("name: shop\n")
    git(repository, "add", "shop/dbt_project.yml")
    assert read_git(repository) is None
    git(repository, "add", "dbt_project.yml")
    assert read_git(repository) is not None


def test_packed_references_and_no_origin(repository: Path) -> None:
    git(repository, "pack-refs", "--all")
    assert read_git(repository) == {
        "sha": git(repository, "rev-parse", "HEAD"),
        "url": None,
        "branch": "main",
        "folder": "",
    }


def test_a_detached_head_has_no_branch(repository: Path) -> None:
    git(repository, "checkout", "-q", "--detach")
    assert read_git(repository) == {
        "sha": git(repository, "rev-parse", "HEAD"),
        "url": None,
        "branch": None,
        "folder": "",
    }


def test_a_worktree_shares_what_its_repository_has(repository: Path, tmp_path: Path) -> None:
    git(repository, "remote", "add", "origin", "git@example.org:shop.git")
    git(repository, "worktree", "add", "-q", "-b", "other", str(tmp_path / "tree"))
    told = read_git(tmp_path / "tree")
    sha = git(repository, "rev-parse", "HEAD")
    assert told == {"sha": sha, "url": "git@example.org:shop.git", "branch": "other", "folder": ""}


def test_no_repository_and_a_broken_one_are_nothing(tmp_path: Path) -> None:
    assert read_git(tmp_path) is None
    (tmp_path / ".git").mkdir()
    assert read_git(tmp_path) is None
