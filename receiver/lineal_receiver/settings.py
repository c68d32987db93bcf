"""What the receiver can be told, and the only place where it reads the environment.

Flags win over variables, variables over defaults. A data directory given by flag wins over a database in a variable.
"""

import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from lineal_receiver.errors import SettingInvalid

LOG_LEVELS = ("debug", "info", "warning", "error")
LOG_FORMATS = ("auto", "text", "json")


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Every setting; each field is read from the variable `LINEAL_` + its name in capitals."""

    database_url: str | None = field(default=None, repr=False)  # holds a password
    data_dir: Path
    host: str = "127.0.0.1"
    port: int = 5000
    insecure_listen: bool = False
    max_body_bytes: int = 32 * 1024 * 1024
    body_seconds: float = 60.0
    strict: bool = False
    rejected_bytes: int = 536_870_912
    hot_days: int = 7
    wait_seconds: float = 300.0
    pool_size: int = 10
    answer_bytes: int = 33_554_432
    statement_seconds: float = 60.0
    log_level: str = "info"
    log_format: str = "auto"


DESCRIPTIONS = {
    "database_url": "a PostgreSQL of your own: postgresql://user:password@host:5432/database (none: the embedded one)",
    "data_dir": "where the embedded PostgreSQL keeps its data (the user's data folder; as root /var/lib/lineal)",
    "host": "the address to listen on (127.0.0.1)",
    "port": "the port to listen on; 0 takes a free one (5000)",
    "insecure_listen": "1 allows another address than loopback although there are no tokens (0)",
    "max_body_bytes": "the largest event or batch that is taken, in bytes, unpacked (33554432)",
    "body_seconds": "how long a client may take to send a request, in seconds (60)",
    "strict": "1 refuses everything that is not exactly as OpenLineage's schemas and RFC 3339 and 4122 say (0)",
    "rejected_bytes": "while refused bodies take up less than this, they are kept whole (536870912)",
    "hot_days": "days before today whose events get a partition of the log each; 0 makes none (7)",
    "wait_seconds": "how long to wait at the start for a PostgreSQL that can't be reached; 0 doesn't wait (300)",
    "pool_size": "connections to PostgreSQL, at most (10)",
    "answer_bytes": "so many bytes of finished answers about lineage are kept; 0 keeps none (33554432)",
    "statement_seconds": "after how many seconds a statement is cancelled (60)",
    "log_level": "debug, info, warning or error (info)",
    "log_format": "text, json, or auto: text on a terminal, json elsewhere (auto)",
}
"""What each setting is, for `--help` and the manual; in brackets what holds if nobody says."""


def read_settings(environment: Mapping[str, str] | None = None, **flags: Any) -> Settings:
    """The settings from `environment` (the process's, if None) and `flags`, where a flag that is None says nothing.

    SettingInvalid names the variable and what it must be.
    """
    environment = os.environ if environment is None else environment
    values: dict[str, Any] = {"data_dir": default_data_dir(environment)}
    for name in (entry.name for entry in fields(Settings)):
        text = environment.get(variable(name), "").strip()
        if text:
            values[name] = _parse(name, text)
    given = {name: value for name, value in flags.items() if value is not None}
    if "data_dir" in given and "database_url" not in given:
        values["database_url"] = None
    return replace(Settings(**values), **given)


def variable(name: str) -> str:
    """The environment variable of a setting."""
    return f"LINEAL_{name.upper()}"


def default_data_dir(environment: Mapping[str, str]) -> Path:
    """Where the data goes if nobody says: the user's data folder, root's /var/lib/lineal."""
    if os.geteuid() == 0:
        return Path("/var/lib/lineal")
    try:
        home = Path.home()
    except RuntimeError:  # a uid without an account and without HOME, as some containers run
        return Path("/var/lib/lineal")
    if sys.platform == "darwin":
        return home / "Library" / "Application Support" / "lineal"
    base = Path(environment.get("XDG_DATA_HOME", ""))
    return (base if base.is_absolute() else home / ".local" / "share") / "lineal"


def _parse(name: str, text: str) -> Any:
    parse, expected = PARSERS.get(name, (str, "text"))
    try:
        return parse(text)
    except ValueError as error:
        raise SettingInvalid(name=variable(name), value=text, expected=expected) from error


def parse_port(text: str) -> int:
    """A TCP port; 0 takes a free one."""
    port = int(text)
    if not 0 <= port <= 65535:
        raise ValueError(text)
    return port


def _parse_flag(text: str) -> bool:
    choices = {"1": True, "true": True, "yes": True, "on": True, "0": False, "false": False, "no": False, "off": False}
    if text.lower() not in choices:
        raise ValueError(text)
    return choices[text.lower()]


def _parse_positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise ValueError(text)
    return number


def _parse_count(text: str) -> int:
    number = int(text)
    if number < 0:
        raise ValueError(text)
    return number


def _parse_wait(text: str) -> float:
    return 0.0 if float(text) == 0 else _parse_seconds(text)


def _parse_seconds(text: str) -> float:
    seconds = float(text)
    if not 0.001 <= seconds <= 86_400:
        raise ValueError(text)
    return seconds


def _parse_choice(choices: tuple[str, ...]) -> Callable[[str], str]:
    def parse(text: str) -> str:
        if text.lower() not in choices:
            raise ValueError(text)
        return text.lower()

    return parse


PARSERS: dict[str, tuple[Callable[[str], Any], str]] = {
    "data_dir": (lambda text: Path(text).expanduser(), "a folder"),
    "port": (parse_port, "a port from 0 to 65535"),
    "insecure_listen": (_parse_flag, "1 or 0"),
    "max_body_bytes": (_parse_positive, "a number of bytes from 1"),
    "body_seconds": (_parse_seconds, "seconds from 0.001 to 86400"),
    "strict": (_parse_flag, "1 or 0"),
    "rejected_bytes": (_parse_positive, "a number of bytes from 1"),
    "wait_seconds": (_parse_wait, "seconds from 0 to 86400"),
    "hot_days": (_parse_count, "a number of days from 0"),
    "pool_size": (_parse_positive, "a number of connections from 1"),
    "answer_bytes": (_parse_count, "a number of bytes from 0"),
    "statement_seconds": (_parse_seconds, "seconds from 0.001 to 86400"),
    "log_level": (_parse_choice(LOG_LEVELS), "one of " + ", ".join(LOG_LEVELS)),
    "log_format": (_parse_choice(LOG_FORMATS), "one of " + ", ".join(LOG_FORMATS)),
}


def process_environment() -> dict[str, str]:
    """The environment as it is, for those who start other programs."""
    return dict(os.environ)


def wants_colours(environment: Mapping[str, str] | None = None) -> bool:
    """Whether a terminal may be given colours: NO_COLOR (no-color.org) isn't set, and it isn't a dumb one."""
    environment = os.environ if environment is None else environment
    return not environment.get("NO_COLOR") and environment.get("TERM") != "dumb"
