"""Where the outbox of this place is, for the commands that look into it."""

from __future__ import annotations

import argparse
import os
from dataclasses import dataclass
from pathlib import Path

from lineal_producer.dbt.artifacts import target_of
from lineal_producer.errors import ArtifactError, NotConfigured
from lineal_producer.outbox import RECORDS
from lineal_producer.settings import Settings, point_client_to_config
from lineal_producer.worker.backlog import waiting_files
from lineal_producer.worker.rejected import REJECTED


@dataclass(frozen=True, slots=True)
class Place:
    """The settings and the folders that hold this destination's records."""

    settings: Settings
    folders: tuple[Path, ...]

    def waiting(self) -> list[Path]:
        """Record files, the oldest first."""
        return waiting_files(list(self.folders))

    def rejected(self) -> list[Path]:
        """Files with refused events."""
        return [
            path
            for folder in self.folders
            if os.access(folder, os.R_OK)
            for path in sorted(folder.glob(f"*{REJECTED}"))
            if path.is_file()
        ]

    def of_others(self) -> list[Path]:
        """Record files that wait for other destinations."""
        root = self.settings.state_dir / "outbox"
        found = root.glob(f"*/*{RECORDS}") if os.access(root, os.R_OK) else ()
        return [path for path in found if path.parent not in self.folders]


def add_project_arguments(parser: argparse.ArgumentParser) -> None:
    """The option that says which project is meant."""
    parser.add_argument("--project-dir", type=Path, default=Path(), help="folder of the dbt project (default: here)")


def find_place(project_dir: Path) -> Place:
    """The outbox as a dbt run in this project would have it; ArtifactError when there is no such folder."""
    if not project_dir.is_dir():
        raise ArtifactError(project_dir, "no such folder", "give the folder of a dbt project with --project-dir")
    settings = Settings.of_process(project_dir)
    return Place(settings, (settings.outbox, target_of(project_dir) / "lineal" / "outbox" / settings.destination.hash))


def require_transport(settings: Settings) -> None:
    """NotConfigured unless events have somewhere to go."""
    if not settings.configured:
        raise NotConfigured(settings.reason)
    if settings.destination.problem:
        raise NotConfigured(settings.destination.problem)
    point_client_to_config(settings)
