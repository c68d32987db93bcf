"""The only reader of the environment in the producer: every LINEAL_* and OPENLINEAGE_* variable that counts."""

from __future__ import annotations

import math
import os
import re
import sys
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

from lineal_producer.destination import Destination, read_destination
from lineal_producer.errors import SettingsError

CONFIG_NAME: Final = "openlineage.yml"
_TRANSPORT_LINE: Final = re.compile(
    r"^(transport|\"transport\"|'transport')\s*:|^\{.*[\"']?transport[\"']?\s*:", re.MULTILINE
)
_PARENTS: Final = ("OPENLINEAGE_PARENT_ID", "OPENLINEAGE_ROOT_PARENT_ID", "OPENLINEAGE_CONTEXT")
_CONTAINER_MARKS: Final = (Path("/.dockerenv"), Path("/run/.containerenv"))
_NO_HOME: Final = Path(os.devnull) / "no-home"  # where nothing can be: records then go to target/
_KEPT_OUT: Final = "DBT_ENV_SECRET_"
_TRUE: Final = {"1", "true", "yes", "on"}
_FALSE: Final = {"", "0", "false", "no", "off"}


class Settings(NamedTuple):
    """What the environment asks of the producer; durations in seconds, sizes in bytes.

    A named tuple, as others that dbt's own process loads: a frozen dataclass takes five times as long to make.
    """

    configured: bool
    reason: str
    config_file: Path | None
    destination: Destination
    state_dir: Path
    budget_seconds: float
    linger_seconds: float
    analysis_seconds: float
    analysis_bytes: int
    read_columns: bool
    read_seconds: float
    outbox_bytes: int
    outbox_seconds: float
    hooked_only: bool
    sql_mode: str
    namespace_map: str | None
    job_namespace: str
    job_name: str | None
    parent_env: Mapping[str, str]
    in_container: bool

    @property
    def outbox(self) -> Path:
        """The folder of this destination's records."""
        return self.state_dir / "outbox" / self.destination.hash

    @classmethod
    def of_process(cls, project_root: Path | None = None) -> Settings:
        """The settings of this process, in its working directory."""
        return cls.from_env(os.environ, Path.cwd(), project_root)

    @classmethod
    def from_env(cls, env: Mapping[str, str], cwd: Path, project_root: Path | None = None) -> Settings:
        """The settings that `env` gives to a dbt run in `cwd`; SettingsError names a value that can't be used."""
        config_file = find_config(env, cwd, project_root)
        configured, reason = _configured(env, cwd, project_root, config_file)
        return cls(
            configured=configured,
            reason=reason,
            config_file=config_file,
            destination=read_destination(env, config_file, cwd) if configured else Destination(kind="none", name=""),
            state_dir=cwd / _state_dir(env),
            budget_seconds=_number(env, "LINEAL_BUDGET_SECONDS", 5.0),
            linger_seconds=_number(env, "LINEAL_LINGER_SECONDS", 60.0),
            analysis_seconds=_number(env, "LINEAL_ANALYSIS_SECONDS", 30.0),
            analysis_bytes=int(_number(env, "LINEAL_ANALYSIS_MB", 2048.0) * 1024 * 1024),
            read_columns=_switch(env, "LINEAL_READ_COLUMNS", default=True),
            read_seconds=_number(env, "LINEAL_READ_SECONDS", 5.0),
            outbox_bytes=int(_number(env, "LINEAL_OUTBOX_MB", 1024.0) * 1024 * 1024),
            outbox_seconds=_number(env, "LINEAL_OUTBOX_DAYS", 30.0) * 86_400,
            hooked_only=_choice(env, "LINEAL_EMIT", ("all", "hooked")) == "hooked",
            sql_mode=_choice(env, "LINEAL_SQL", ("full", "hash", "none")),
            namespace_map=env.get("LINEAL_NAMESPACE_MAP") or None,
            job_namespace=env.get("OPENLINEAGE_NAMESPACE") or "dbt",
            job_name=env.get("OPENLINEAGE_DBT_JOB_NAME") or None,
            parent_env={name: env[name] for name in _PARENTS if name in env},
            in_container="KUBERNETES_SERVICE_HOST" in env or any(os.access(mark, os.F_OK) for mark in _CONTAINER_MARKS),
        )


def target_path_of_dbt() -> str | None:
    """dbt's own setting for the folder of its artifacts, which wins over the project's."""
    return os.environ.get("DBT_TARGET_PATH") or None


def variables_of_dbt() -> Mapping[str, str]:
    """The environment as dbt's profiles ask it with `env_var`, and where dbt's own options may stand."""
    return dict(os.environ)


def default_profiles_dir() -> Path | None:
    """Where dbt looks for profiles.yml at last, None without a home."""
    return _expanded("~/.dbt")


def expanded(folder: str) -> Path:
    """A folder as dbt takes it, its `~` replaced where that can be told."""
    return _expanded(folder) or Path(folder)


@cache
def secrets_of_dbt() -> tuple[str, ...]:
    """The values that dbt itself keeps out of its logs, the longest first."""
    found = {value.strip() for name, value in os.environ.items() if name.startswith(_KEPT_OUT)}
    return tuple(sorted(filter(None, found), key=lambda value: (-len(value), value)))


def child_environment(settings: Settings) -> dict[str, str]:
    """This process's environment for a child, which finds the configuration file that counts here."""
    return dict(os.environ) | _config_variable(settings)


def point_client_to_config(settings: Settings) -> None:
    """Make openlineage-python read the file that counts here: a project's own is one that it doesn't look for."""
    os.environ.update(_config_variable(settings))


def _config_variable(settings: Settings) -> dict[str, str]:
    return {} if settings.config_file is None else {"OPENLINEAGE_CONFIG": str(settings.config_file)}


def find_config(env: Mapping[str, str], cwd: Path, project_root: Path | None) -> Path | None:
    """The OpenLineage configuration file that counts: the first readable one of those that `_candidates` gives."""
    return next(
        (path for path in _candidates(env, cwd, project_root) if os.access(path, os.R_OK) and path.is_file()), None
    )


def _candidates(env: Mapping[str, str], cwd: Path, project_root: Path | None) -> list[Path]:
    named = env.get("OPENLINEAGE_CONFIG")
    folders = [cwd, *([cwd / project_root] if project_root else []), _home(env) / ".openlineage"]
    return [*([cwd / named] if named else []), *(folder / CONFIG_NAME for folder in dict.fromkeys(folders))]


def _configured(
    env: Mapping[str, str], cwd: Path, project_root: Path | None, config_file: Path | None
) -> tuple[bool, str]:
    for name in ("LINEAL_DISABLED", "OPENLINEAGE_DISABLED"):
        if env.get(name, "").strip().lower() not in _FALSE:
            return False, f"{name} is set: no lineage is emitted; unset it to emit"
    for name in sorted(env):
        if (name == "OPENLINEAGE_URL" or name.startswith("OPENLINEAGE__TRANSPORT")) and env[name]:
            return True, f"{name} is set"
    if config_file is not None and _TRANSPORT_LINE.search(config_file.read_text(encoding="utf-8", errors="replace")):
        return True, f"{config_file} has a transport"
    places = ", ".join(str(path) for path in _candidates(env, cwd, project_root))
    return False, (
        "no OpenLineage transport is configured, so no lineage is emitted; "
        f"set OPENLINEAGE_URL or OPENLINEAGE__TRANSPORT__TYPE, or write a `transport:` into one of {places}"
    )


def _home(env: Mapping[str, str]) -> Path:
    home = env.get("USERPROFILE") if sys.platform == "win32" else env.get("HOME")
    return Path(home) if home else _expanded("~") or _NO_HOME


def _expanded(path: str) -> Path | None:
    """A path with its `~` replaced, None where nobody knows that home: of a container's user without a name."""
    try:
        return Path(path).expanduser()
    except RuntimeError:
        return None


def _state_dir(env: Mapping[str, str]) -> Path:
    if named := env.get("LINEAL_STATE_DIR"):
        return (_expanded(named) or Path(named)).absolute()
    if sys.platform == "win32":
        return Path(env.get("LOCALAPPDATA") or _home(env) / "AppData" / "Local") / "lineal"
    if sys.platform == "darwin":
        return _home(env) / "Library" / "Application Support" / "lineal"
    return Path(env.get("XDG_STATE_HOME") or _home(env) / ".local" / "state") / "lineal"


def _number(env: Mapping[str, str], name: str, default: float) -> float:
    text = env.get(name, "").strip()
    if not text:
        return default
    try:
        value = float(text)
    except ValueError:
        raise SettingsError(name, text, "a number that is not negative") from None
    if not math.isfinite(value) or value < 0:
        raise SettingsError(name, text, "a number that is not negative")
    return value


def _switch(env: Mapping[str, str], name: str, *, default: bool) -> bool:
    text = env.get(name, "").strip().lower()
    if not text:
        return default
    if text not in _TRUE | _FALSE:
        raise SettingsError(name, text, "1 or 0")
    return text in _TRUE


def _choice(env: Mapping[str, str], name: str, choices: tuple[str, ...]) -> str:
    text = env.get(name, "").strip().lower() or choices[0]
    if text not in choices:
        raise SettingsError(name, text, " or ".join(choices))
    return text
