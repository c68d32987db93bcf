"""Names for completion, asked of a running receiver."""

import json
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import quote, urlencode

from lineal_receiver.cli.address import split_url
from lineal_receiver.cli.asking.completing import MOST, Name


class NamesOverHttp:
    """Knows the names that a receiver does."""

    def __init__(self, base: str, seconds: float) -> None:
        self._base, self._seconds = base, seconds

    def list_namespaces(self) -> list[str]:
        """Every namespace."""
        return [one["name"] for one in self._read("/api/v1/namespaces", limit=MOST)["namespaces"]]

    def find(self, text: str, namespace: str | None, *, jobs: bool) -> list[Name]:
        """Tables or jobs with this in their name; without a text all of a namespace."""
        if text:
            asked = {"q": text, "kind": "job" if jobs else "dataset", "limit": MOST}
            found = self._read("/api/v2/search", **asked | ({"namespace": namespace} if namespace else {}))["results"]
        elif namespace is not None:
            noun = "jobs" if jobs else "datasets"
            found = self._read(f"/api/v1/namespaces/{quote(namespace, safe='')}/{noun}", limit=MOST)[noun]
        else:
            found = []
        return [(one["namespace"], one["name"]) for one in found]

    def list_columns(self, table: Name) -> list[str]:
        """The columns of a table."""
        answer = self._read("/api/v2/lineage", namespace=table[0], name=table[1], depth=0)
        return [column["name"] for one in answer["datasets"] for column in one["columns"]]

    def _read(self, path: str, **query: object) -> Any:
        asking = f"{self._base}{path}?{urlencode(query)}"
        with urllib.request.urlopen(asking, timeout=self._seconds) as answer:  # noqa: S310 - http or https: split_url saw to it
            return json.load(answer)


@contextmanager
def open_http(url: str, seconds: float) -> Iterator[NamesOverHttp]:
    """The names that the receiver at an address knows."""
    parts = split_url(url)
    yield NamesOverHttp(f"{parts.scheme}://{parts.netloc}{parts.path.rstrip('/')}", seconds)
