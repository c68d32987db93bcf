"""Reads an adapter's credentials, an object of dbt's or a dict of a profile, without ever giving a secret away."""

from collections.abc import Mapping
from typing import Any, NamedTuple

# What a profile may write for a field; dbt's own objects already have the first spelling.
_SPELLINGS: dict[str, tuple[str, ...]] = {
    "database": ("database", "dbname", "project", "catalog", "db", "lakehouse", "dremio_space"),
    "host": ("host", "server", "hostname"),
    "schema": ("schema", "dataset", "schema_name", "dremio_space_folder"),
    "user": (),
    "workspace_name": ("workspace_name", "workspace"),
}
_SECRETS = ("password", "pass", "token", "secret", "private_key", "keyfile")


class Credentials(NamedTuple):
    """One output of a profile, whichever form it came in."""

    source: Any

    def get(self, name: str) -> Any:
        """The field by dbt's name or a profile's spelling of it; None for what is absent, empty or a secret."""
        if name in _SECRETS:
            return None
        for spelling in _SPELLINGS.get(name, (name,)):
            value = (
                self.source.get(spelling) if isinstance(self.source, Mapping) else getattr(self.source, spelling, None)
            )
            if value is not None and value != "":
                return value
        return None

    def text(self, name: str) -> str | None:
        """The field as text, None when it is absent."""
        value = self.get(name)
        return None if value is None else str(value).strip() or None

    @property
    def adapter(self) -> str:
        """dbt's adapter type, `unknown` when the credentials don't tell."""
        return (self.text("type") or "unknown").lower()

    @property
    def host(self) -> str | None:
        """The host without scheme, user, path or port."""
        host = self.text("host")
        if host is None:
            return None
        host = host.partition("://")[2] if "://" in host else host
        host = host.partition("/")[0].rpartition("@")[2]
        if host.count(":") == 1:  # an IPv6 address has more
            host = host.partition(":")[0]
        return host or None

    def port(self, default: int | None = None) -> str | None:
        """The port as text, from its own field or the host's, else the default."""
        port = self.text("port")
        host = self.text("host") or ""
        if port is None and host.count(":") == 1 and host.rpartition(":")[2].isdigit():
            port = host.rpartition(":")[2]
        return port if port is not None else (None if default is None else str(default))
