"""Settings from flags, variables and defaults."""

from dataclasses import fields
from pathlib import Path

import pytest

from lineal_receiver.errors import SettingInvalid
from lineal_receiver.settings import DESCRIPTIONS, Settings, default_data_dir, read_settings, variable


def test_defaults_are_safe() -> None:
    settings = read_settings({})
    assert settings.host == "127.0.0.1"
    assert settings.port == 5000
    assert settings.database_url is None
    assert settings.insecure_listen is False
    assert settings.data_dir.is_absolute()


def test_every_setting_is_read_from_its_variable() -> None:
    values = {
        "database_url": ("postgresql://u:p@h/d", "postgresql://u:p@h/d"),
        "data_dir": ("/srv/lineal", Path("/srv/lineal")),
        "host": ("::1", "::1"),
        "port": ("0", 0),
        "insecure_listen": ("yes", True),
        "max_body_bytes": ("1024", 1024),
        "body_seconds": ("2.5", 2.5),
        "strict": ("on", True),
        "rejected_bytes": ("4096", 4096),
        "hot_days": ("0", 0),
        "wait_seconds": ("0", 0.0),
        "pool_size": ("3", 3),
        "answer_bytes": ("0", 0),
        "statement_seconds": ("0.5", 0.5),
        "log_level": ("DEBUG", "debug"),
        "log_format": ("json", "json"),
    }
    assert values.keys() == {field.name for field in fields(Settings)}
    settings = read_settings({variable(name): text for name, (text, _) in values.items()})
    assert {name: getattr(settings, name) for name in values} == {name: value for name, (_, value) in values.items()}


def test_every_setting_is_described_with_what_holds_if_nobody_says() -> None:
    assert list(DESCRIPTIONS) == [field.name for field in fields(Settings)]
    defaults = read_settings({})
    for name, text in DESCRIPTIONS.items():
        if name not in {"database_url", "data_dir"}:
            value = getattr(defaults, name)
            assert text.endswith(f"({value:g})" if isinstance(value, float) else f"({0 if value is False else value})")


def test_a_flag_wins_and_a_missing_one_says_nothing() -> None:
    environment = {"LINEAL_PORT": "1234", "LINEAL_HOST": "::1"}
    settings = read_settings(environment, port=0, host=None)
    assert (settings.port, settings.host) == (0, "::1")


def test_a_data_directory_by_flag_wins_over_a_database_in_a_variable() -> None:
    environment = {"LINEAL_DATABASE_URL": "postgresql://h/d"}
    assert read_settings(environment, data_dir=Path("here"), database_url=None).database_url is None
    assert read_settings(environment, data_dir=None, database_url=None).database_url == "postgresql://h/d"


def test_empty_variables_say_nothing() -> None:
    assert read_settings({"LINEAL_PORT": "", "LINEAL_DATABASE_URL": " "}) == read_settings({})


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("LINEAL_PORT", "65536"),
        ("LINEAL_PORT", "-1"),
        ("LINEAL_PORT", "http"),
        ("LINEAL_INSECURE_LISTEN", "perhaps"),
        ("LINEAL_MAX_BODY_BYTES", "0"),
        ("LINEAL_MAX_BODY_BYTES", "1MB"),
        ("LINEAL_POOL_SIZE", "0"),
        ("LINEAL_HOT_DAYS", "-1"),
        ("LINEAL_STATEMENT_SECONDS", "nan"),
        ("LINEAL_STATEMENT_SECONDS", "0"),
        ("LINEAL_LOG_LEVEL", "loud"),
    ],
)
def test_what_can_not_be_used_is_named(name: str, text: str) -> None:
    with pytest.raises(SettingInvalid, match=f"^{name} is '{text}', but it must be ") as caught:
        read_settings({name: text})
    assert caught.value.exit_code == 2


def test_the_password_is_not_shown() -> None:
    assert "geheim" not in repr(read_settings({"LINEAL_DATABASE_URL": "postgresql://u:geheim@h/d"}))


def test_the_data_folder_of_the_user(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.geteuid", lambda: 1000)
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setenv("HOME", "/home/ada")
    assert default_data_dir({}) == Path("/home/ada/.local/share/lineal")
    assert default_data_dir({"XDG_DATA_HOME": "/data"}) == Path("/data/lineal")
    assert default_data_dir({"XDG_DATA_HOME": "relative"}) == Path("/home/ada/.local/share/lineal")
    monkeypatch.setattr("sys.platform", "darwin")
    assert default_data_dir({}) == Path("/home/ada/Library/Application Support/lineal")
    monkeypatch.setattr("os.geteuid", lambda: 0)
    assert default_data_dir({}) == Path("/var/lib/lineal")
