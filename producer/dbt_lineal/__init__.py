"""Lineal's dbt plugin: dbt imports this module because of its name and makes one of each class in `plugins`."""

from __future__ import annotations

from typing import Any

plugins: list[type[Any]] = []

try:
    from dbt.plugins.manager import dbtPlugin

    from lineal_producer.border import guard
except ImportError:  # no plugins in this dbt (before 1.6), or half an installation: never a reason to stop dbt
    pass
else:

    def _attach() -> None:
        from lineal_producer.dbt.hooks import attach

        attach()

    class LinealPlugin(dbtPlugin):  # type: ignore[misc] # dbt ships no types
        """Listens to dbt's events; changes nothing in dbt."""

        def initialize(self) -> None:
            """dbt calls this once a command, before it reads the project."""
            guard(_attach)

    plugins = [LinealPlugin]
