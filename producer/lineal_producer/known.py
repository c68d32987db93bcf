"""The columns of every relation, as far as they are known, best source first."""

from collections.abc import Mapping

from lineal_producer import records
from lineal_producer.columns import ModelLineage
from lineal_producer.descriptions import InputNode, Node
from lineal_producer.naming.files import external_paths

Columns = list[tuple[str, str | None]]
Key = tuple[str, ...]  # a relation's parts that are known
# Gaps of a whole model that stand for columns whose names are not known.
_HIDING = {
    "ambiguous_column",
    "limit_exceeded",
    "opaque_function",
    "parser_error",
    "star_without_schema",
    "unknown_column",
    "unknown_relation",
    "unsupported_statement",
}
Schema = dict[str | tuple[str, ...], Mapping[str, str]]


class Known:
    """Columns by dbt's unique id: computed or read in this run, then contract or seed header, catalog, earlier runs'.

    YAML columns are documentation: they never say what a star stands for.
    """

    def __init__(
        self,
        catalog: Mapping[str, Columns] | None = None,
        kept: Mapping[Key, Columns] | None = None,
        *,
        rebuilding: bool = True,
    ) -> None:
        """`kept`: what earlier runs read. `rebuilding`: nodes that are learned of are built in this run.

        What the catalog and earlier runs tell of these is then older than they are.
        """
        self._rebuilding = rebuilding
        self._catalog = dict(catalog or {})
        self._kept = dict(kept or {})
        self._read_relations: dict[Key, Columns] = {}
        self._computed: dict[str, Columns] = {}
        self._read: dict[str, Columns] = {}

    def take(self, record: records.Columns) -> None:
        """Takes a record of columns for what its source is worth."""
        columns: Columns = [(name, kind) for name, kind in record["columns"]]
        if record["source"] != "catalog":
            self.read(record["unique_id"], columns)
            self._read_relations[_key(record["relation"])] = columns
        elif record["unique_id"] not in self._computed:
            self._catalog[record["unique_id"]] = columns

    def read(self, unique_id: str, columns: Columns) -> None:
        """Takes columns that the database told in this run."""
        self._read[unique_id] = columns

    def computed(self, unique_id: str, columns: Columns) -> None:
        """Takes the complete output columns that this run's SQL gives."""
        self._computed[unique_id] = columns

    def learn(self, node: Node, lineage: ModelLineage) -> None:
        """Takes a model's output columns from its lineage, when they are all there."""
        if self._rebuilding:
            self._catalog.pop(node["unique_id"], None)
            if node["relation"] is not None:
                self._kept.pop(_key(node["relation"]), None)
        if lineage.status != "failed" and lineage.columns and _all_there(lineage):
            types = {column["name"].casefold(): column["type"] for column in node["columns"] if node["contract"]}
            self.computed(
                node["unique_id"], [(column.name, types.get(column.name.casefold())) for column in lineage.columns]
            )

    def columns(self, unique_id: str) -> Columns | None:
        """All columns of a node, with types where they are known; None when nothing is sure."""
        computed, read = self._computed.get(unique_id), self._read.get(unique_id)
        if read is not None and computed is not None:
            # The database's spelling and types; where the two differ (an incremental model that ignores new
            # columns) a reader's star stands for what is there.
            return read
        return read or computed or self._catalog.get(unique_id)

    def of_input(self, each: InputNode) -> Columns | None:
        """All columns of a relation that a node reads."""
        unique_id = each["unique_id"]
        this_run = self._read.get(unique_id) or self._computed.get(unique_id)
        if this_run is not None:
            return this_run
        if each["complete"]:
            return [(column["name"], column["type"]) for column in each["columns"]]
        return self._catalog.get(unique_id) or self._kept.get(_key(each["relation"]))

    def schema(self, node: Node) -> Schema:
        """The `schema` argument of `columns.trace` for a node: what it reads, and itself for `{{ this }}`."""
        schema: Schema = {}
        own = self._read.get(node["unique_id"]) or self._catalog.get(node["unique_id"])
        if node["relation"] is not None and (own := own or self._kept.get(_key(node["relation"]))):
            schema[_key(node["relation"])] = {name: kind or "" for name, kind in own}
        for each in node["inputs"]:
            columns = self.of_input(each)
            if columns:
                told = {name: kind or "" for name, kind in columns}
                schema[_key(each["relation"])] = told
                # dbt writes files into the SQL by their path
                schema |= {(path,): told for path in external_paths(each["external_location"] or "")}
        return schema

    def to_keep(self) -> dict[Key, Columns]:
        """What later runs may go by: all that was read, in this run last, but of relations that were built since."""
        earlier = {key: columns for key, columns in self._kept.items() if key not in self._read_relations}
        return {**earlier, **self._read_relations}

    def add_itself(self, schema: Schema, node: Node, lineage: ModelLineage) -> bool:
        """Whether `schema` got the model's own columns now: by its lineage, where nothing better had told them."""
        if (
            node["relation"] is None
            or _key(node["relation"]) in schema
            or not _all_there(lineage, but="ambiguous_column")
        ):
            return False
        schema[_key(node["relation"])] = {column.name: "" for column in lineage.columns}
        return True


def _all_there(lineage: ModelLineage, but: str = "") -> bool:
    """Whether every output column has a name: no star was left as it is. `but`: a code that is let pass."""
    return not any(gap.column is None and gap.code in _HIDING and gap.code != but for gap in lineage.gaps)


def _key(relation: tuple[str | None, str | None, str]) -> Key:
    return tuple(part for part in relation if part is not None)
