"""Errors say what is wrong in one sentence and keep what it is about."""

import inspect
import re
from pathlib import Path

import pytest

from lineal_receiver import errors
from lineal_receiver.errors import LinealError, PortTaken, SettingInvalid

CLASSES = [value for value in vars(errors).values() if inspect.isclass(value) and issubclass(value, LinealError)]


@pytest.mark.parametrize("cls", CLASSES, ids=lambda cls: cls.__name__)
def test_every_error_is_in_the_drawing_and_speaks_from_its_data(cls: type[LinealError]) -> None:
    assert re.search(rf"^[│ ├└─]*{cls.__name__}\b", errors.__doc__ or "", re.MULTILINE)
    flags = {name for name, field in getattr(cls, "__dataclass_fields__", {}).items() if field.type in (bool, "bool")}
    names = [name for name in getattr(cls, "__dataclass_fields__", {}) if name not in flags]
    said = str(cls(**{name: 7.5 if name == "seconds" else f"<{name}>" for name in names}))
    assert "\n" not in said
    assert not re.search(r"[{}]", said)
    for name in names:
        assert ("7.5" if name == "seconds" else f"<{name}>") in said


def test_data_is_not_taken_for_a_template() -> None:
    assert "'{port}'" in str(SettingInvalid(name="X", value="{port}", expected="a  port"))
    assert "a  port" in str(SettingInvalid(name="X", value="y", expected="a  port"))


def test_data_is_kept() -> None:
    error = PortTaken(host="127.0.0.1", port=5000)
    assert (error.host, error.port, error.exit_code) == ("127.0.0.1", 5000, 2)
    assert str(error).startswith("Port 5000 on 127.0.0.1 is taken")


@pytest.mark.parametrize("cls", CLASSES, ids=lambda cls: cls.__name__)
def test_exit_codes_are_the_documented_ones(cls: type[LinealError]) -> None:
    assert cls.exit_code in {1, 2, 3}


def test_a_command_to_copy_is_quoted_for_the_shell() -> None:
    said = str(errors.OtherMajor(path=Path("/a b"), found="15", wanted="18"))
    assert said.startswith("/a b holds a PostgreSQL 15 cluster")
    assert "lineal upgrade --data-dir '/a b' " in said


def test_paths_are_shown_plainly() -> None:
    assert str(errors.DirectoryNotOurs(path=Path("/a b"))).startswith("/a b is not empty")
