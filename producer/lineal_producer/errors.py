"""What can go wrong in the producer, each with the data that its sentence is made of.

    LinealError                 the root; `str(error)` is one sentence with the remedy
    ├── SettingsError           a setting that can't be used
    ├── NotConfigured           no OpenLineage transport is configured
    ├── TransportError          the transport can't be built from its configuration
    └── ArtifactError           a file of dbt's that is missing or can't be read

Plain classes: dbt's process loads them, and dataclasses take ten times as long to make.
"""

from __future__ import annotations

from pathlib import Path


class LinealError(Exception):
    """Anything that the producer refuses; its text is one sentence that a user can act on."""


class SettingsError(LinealError):
    """A setting that can't be used."""

    def __init__(self, name: str, value: str, expected: str) -> None:
        super().__init__(f"{name}={value!r}: expected {expected}")
        self.name = name
        self.value = value
        self.expected = expected


class NotConfigured(LinealError):
    """No OpenLineage transport is configured; `reason` says what was looked at and what to do."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class TransportError(LinealError):
    """The transport can't be built from its configuration."""

    def __init__(self, kind: str, reason: str) -> None:
        name = f"OpenLineage transport {kind!r}" if kind else "the OpenLineage transport"
        super().__init__(f"{name}: {reason}; correct the transport's configuration")
        self.kind = kind
        self.reason = reason


class ArtifactError(LinealError):
    """A file of dbt's that is missing or can't be read."""

    def __init__(self, path: Path, reason: str, remedy: str) -> None:
        super().__init__(f"{path}: {reason}; {remedy}")
        self.path = path
        self.reason = reason
        self.remedy = remedy
