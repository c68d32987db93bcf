"""What the environment asks for, and when the producer is configured at all."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from lineal_producer.errors import SettingsError
from lineal_producer.settings import Settings, default_profiles_dir, expanded


def settings_of(cwd: Path, project: Path | None = None, **env: str) -> Settings:
    return Settings.from_env({"HOME": str(cwd / "home"), **env}, cwd, project)


@pytest.mark.parametrize(
    "env",
    [
        {"OPENLINEAGE_URL": "http://receiver"},
        {"OPENLINEAGE__TRANSPORT": '{"type": "console"}'},
        {"OPENLINEAGE__TRANSPORT__TYPE": "console"},
    ],
)
def test_a_variable_of_the_client_configures(tmp_path: Path, env: dict[str, str]) -> None:
    assert settings_of(tmp_path, **env).configured
    for switch in ("LINEAL_DISABLED", "OPENLINEAGE_DISABLED"):
        off = settings_of(tmp_path, **env, **{switch: "true"})
        assert not off.configured
        assert switch in off.reason
        assert settings_of(tmp_path, **env, **{switch: "false"}).configured


def test_nothing_configures_and_the_reason_names_all_places(tmp_path: Path) -> None:
    told = settings_of(tmp_path, tmp_path / "project", OPENLINEAGE_CONFIG="named.yml")
    assert not told.configured
    for place in ("OPENLINEAGE_URL", "named.yml", "project/openlineage.yml", "home/.openlineage/openlineage.yml"):
        assert place in told.reason


@pytest.mark.parametrize(
    "place", ["named.yml", "openlineage.yml", "project/openlineage.yml", "home/.openlineage/openlineage.yml"]
)
def test_a_file_with_a_transport_configures(tmp_path: Path, place: str) -> None:
    path = tmp_path / place
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("tags: {run: {a: b}}\n")
    env = {"OPENLINEAGE_CONFIG": "named.yml"} if place == "named.yml" else {}
    assert not settings_of(tmp_path, tmp_path / "project", **env).configured
    path.write_text("transport:\n  type: console\n")
    told = settings_of(tmp_path, tmp_path / "project", **env)
    assert told.configured
    assert told.config_file == path
    assert told.destination.kind == "console"


def test_the_first_file_wins_as_it_does_for_the_client(tmp_path: Path) -> None:
    (tmp_path / "project").mkdir()
    (tmp_path / "openlineage.yml").write_text("transport: {type: console}\n")
    (tmp_path / "project" / "openlineage.yml").write_text("transport: {type: noop}\n")
    assert settings_of(tmp_path, tmp_path / "project").config_file == tmp_path / "openlineage.yml"


def test_defaults_and_values(tmp_path: Path) -> None:
    plain = settings_of(tmp_path)
    assert (plain.budget_seconds, plain.linger_seconds, plain.analysis_seconds, plain.read_columns) == (5, 60, 30, True)
    assert (plain.sql_mode, plain.hooked_only, plain.job_namespace) == ("full", False, "dbt")
    told = settings_of(
        tmp_path,
        LINEAL_BUDGET_SECONDS="0",
        LINEAL_READ_COLUMNS="0",
        LINEAL_SQL="HASH",
        LINEAL_EMIT="hooked",
        LINEAL_OUTBOX_MB="1",
    )
    assert (told.budget_seconds, told.read_columns, told.sql_mode, told.hooked_only) == (0, False, "hash", True)
    assert told.outbox_bytes == 1024 * 1024


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("LINEAL_BUDGET_SECONDS", "soon"),
        ("LINEAL_BUDGET_SECONDS", "-1"),
        ("LINEAL_BUDGET_SECONDS", "nan"),
        ("LINEAL_READ_COLUMNS", "maybe"),
        ("LINEAL_SQL", "some"),
        ("LINEAL_EMIT", "never"),
    ],
)
def test_a_value_that_cannot_be_used_is_named(tmp_path: Path, name: str, value: str) -> None:
    with pytest.raises(SettingsError, match=f"{name}='{value}': expected "):
        settings_of(tmp_path, **{name: value})


def test_the_state_directory(tmp_path: Path) -> None:
    assert settings_of(tmp_path, LINEAL_STATE_DIR=str(tmp_path / "s")).state_dir == tmp_path / "s"
    url = {"OPENLINEAGE_URL": "http://receiver"}
    told = settings_of(tmp_path, LINEAL_STATE_DIR=str(tmp_path / "s"), **url)
    assert told.outbox == tmp_path / "s" / "outbox" / told.destination.hash


def test_a_relative_home_is_taken_from_where_dbt_runs(tmp_path: Path) -> None:
    settings = Settings.from_env({"HOME": "mine", "XDG_STATE_HOME": ""}, tmp_path)
    assert settings.state_dir.is_relative_to(tmp_path / "mine")


def test_without_a_home_there_is_no_state_directory_and_no_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def nobody(_: int) -> None:
        raise KeyError("getpwuid(): uid not found")

    monkeypatch.delenv("HOME", raising=False)
    monkeypatch.setattr("pwd.getpwuid", nobody)
    settings = Settings.from_env({"OPENLINEAGE_URL": "http://127.0.0.1:1"}, tmp_path)
    assert settings.state_dir == Path(os.devnull) / "no-home" / ".local" / "state" / "lineal"
    assert default_profiles_dir() is None
    assert expanded("~/profiles") == Path("~/profiles")
    named = Settings.from_env({"LINEAL_STATE_DIR": "/srv/lineal"}, tmp_path)
    assert (named.configured, named.state_dir) == (False, Path("/srv/lineal"))
