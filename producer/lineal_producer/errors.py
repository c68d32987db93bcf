"""What can go wrong in the producer, each with the data that its sentence is made of.

LinealError                 the root; `str(error)` is one sentence with the remedy
├── SettingsError           a setting that can't be used
├── NotConfigured           no OpenLineage transport is configured
├── TransportError          the transport can't be built from its configuration
├── ArtifactError           a file of dbt's that is missing or can't be read
└── OutboxError             a folder or file of the outbox that can't be used
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


class LinealError(Exception):
    """Anything that the producer refuses; its text is one sentence that a user can act on."""


@dataclass
class SettingsError(LinealError):
    """A setting that can't be used."""

    name: str
    value: str
    expected: str

    def __str__(self) -> str:
        return f"{self.name}={self.value!r}: expected {self.expected}"


@dataclass
class NotConfigured(LinealError):
    """No OpenLineage transport is configured; `reason` says what was looked at."""

    reason: str

    def __str__(self) -> str:
        return self.reason


@dataclass
class TransportError(LinealError):
    """The transport can't be built from its configuration."""

    kind: str
    reason: str

    def __str__(self) -> str:
        return f"OpenLineage transport {self.kind!r}: {self.reason}; correct the transport's configuration"


@dataclass
class ArtifactError(LinealError):
    """A file of dbt's that is missing or can't be read."""

    path: Path
    reason: str
    remedy: str

    def __str__(self) -> str:
        return f"{self.path}: {self.reason}; {self.remedy}"


@dataclass
class OutboxError(LinealError):
    """A folder or file of the outbox that can't be used."""

    path: Path
    reason: str

    def __str__(self) -> str:
        return f"{self.path}: {self.reason}; set LINEAL_STATE_DIR to a folder that can be written to"
