"""Where tables of one connection live: a namespace, and how a table's parts become a name in it."""

import re
from typing import Any, Literal, NamedTuple

Shape = Literal["database.schema.table", "schema.table", "table", "glue"]
_SNOWFLAKE_PLAIN = re.compile(r"[A-Z_][A-Z0-9_$]*\Z")


class Store(NamedTuple):
    """One namespace and its way of naming tables."""

    namespace: str
    shape: Shape = "database.schema.table"
    database: str | None = None  # written in place of the database that dbt or the SQL says
    quote: bool = False  # parts that need quotes in SQL keep them in the name (Snowflake's rule)
    elsewhere: str | None = None  # the namespace that openlineage-dbt gives, where it differs

    def name(self, database: str | None, schema: str | None, identifier: str) -> str:
        """The dataset's name of a table."""
        if self.shape == "glue":
            return f"table/{schema}/{identifier}"
        if self.shape == "table":
            return identifier
        parts = [schema, identifier]
        if self.shape == "database.schema.table":
            parts.insert(0, self.database or database)
        return ".".join(self._written(part) for part in parts if part)

    def _written(self, part: str) -> str:
        if not self.quote or _SNOWFLAKE_PLAIN.match(part):
            return part
        return '"' + part.replace('"', '""') + '"'

    def to_json(self) -> dict[str, Any]:
        """The store as JSON, for the outbox."""
        return {
            "namespace": self.namespace,
            "shape": self.shape,
            "database": self.database,
            "quote": self.quote,
            "elsewhere": self.elsewhere,
        }

    @staticmethod
    def from_json(data: dict[str, Any]) -> "Store":
        """The store that `to_json` wrote."""
        return Store(data["namespace"], data["shape"], data["database"], data["quote"], data["elsewhere"])
