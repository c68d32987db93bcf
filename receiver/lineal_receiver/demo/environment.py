"""The environment of the demo's children: the user's, without what would steer dbt, OpenLineage or Lineal elsewhere."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

CLEARED = ("LINEAL_", "OPENLINEAGE_", "DBT_", "SHOP_")
LOOPBACK = "127.0.0.1,localhost,::1"


def write_config(config: Path, url: str) -> None:
    """Say where events go, as a dbt user would."""
    config.write_text(f"transport:\n  type: http\n  url: {url}\n", encoding="utf-8")


def clean_environment(inherited: Mapping[str, str]) -> dict[str, str]:
    """`inherited` without LINEAL_*, OPENLINEAGE_*, DBT_* and with loopback kept away from every proxy."""
    kept = {name: value for name, value in inherited.items() if not name.upper().startswith(CLEARED)}
    kept.pop("PYTHONPATH", None)
    for name in ("NO_PROXY", "no_proxy"):
        before = inherited.get(name, "")
        kept[name] = f"{before},{LOOPBACK}" if before else LOOPBACK
    return kept


def dbt_environment(inherited: Mapping[str, str], config: Path, state: Path, home: Path) -> dict[str, str]:
    """The transport's configuration as a file, which a user's own in the home folder can't overrule, unlike a URL.

    The rest keeps the demo inside its folder.
    """
    return {
        **clean_environment(inherited),
        "OPENLINEAGE_CONFIG": str(config),
        "LINEAL_STATE_DIR": str(state),
        "LINEAL_BUDGET_SECONDS": "60",  # the figures are read when dbt has ended: wait for the last event
        "DBT_SEND_ANONYMOUS_USAGE_STATS": "false",
        "DBT_USER_CONFIG_DIR": str(home),
        "DO_NOT_TRACK": "1",
    }
