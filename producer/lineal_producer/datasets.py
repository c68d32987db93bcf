"""Which dataset each relation in a node's SQL is: the node's own, one that dbt says it reads, or any other."""

from collections.abc import Sequence

from lineal_producer.descriptions import InputNode, Node, Relation
from lineal_producer.naming import Namespaces
from lineal_producer.naming.adapters import match_key

Dataset = tuple[str, str]

# Spark's `parquet.`path``, and what DuckDB takes for a file.
_FORMATS = {"parquet", "csv", "json", "delta", "orc", "avro", "text", "iceberg"}
_ENDINGS = (".parquet", ".csv", ".csv.gz", ".csv.zst", ".tsv", ".json", ".jsonl", ".ndjson", ".json.gz", ".xlsx")


class Datasets:
    """The datasets of one node; relations of its SQL are found by their parts, in the adapter's notion of equal."""

    def __init__(self, node: Node, namespaces: Namespaces) -> None:
        self._namespaces = namespaces
        self.own = self._dataset(node["relation"], node["external_location"])
        self.inputs: list[tuple[InputNode, Dataset]] = []
        self._known: list[tuple[tuple[str | None, ...], Dataset, str]] = []
        self._files: dict[Dataset, str] = {}
        for each in node["inputs"]:
            dataset = self._dataset(each["relation"], each["external_location"])
            if dataset is not None:
                self.inputs.append((each, dataset))
                self._remember(each["relation"], dataset, each["unique_id"])
                if each["external_location"]:
                    self._files[dataset] = each["unique_id"]
        if node["relation"] is not None and self.own is not None:
            self._remember(node["relation"], self.own, node["unique_id"])

    def find(self, relation: Sequence[str]) -> tuple[Dataset, str | None]:
        """The dataset that a relation of the SQL names, and dbt's id of it when dbt knows it."""
        wanted = self._key((None, None, *relation)[-3:])
        fitting = [known for known in self._known if _fits(wanted, known[0])]
        if len({dataset for _, dataset, _ in fitting}) > 1:
            completed = self._key(self._completed(relation))
            fitting = [known for known in fitting if _fits(completed, known[0])] or fitting[:1]
        if fitting:
            return fitting[0][1], fitting[0][2]
        files = self._namespaces.external(relation[-1]) if self._is_file(relation) else None
        if files is not None:
            return files, self._files.get(files)
        return self._namespaces.dataset(*self._completed(relation)), None

    def _is_file(self, relation: Sequence[str]) -> bool:
        """Whether the SQL reads files: by a function (one part), or where a path stands for a table."""
        path = relation[-1]
        by_format = len(relation) > 1 and relation[-2].lower() in _FORMATS and "/" in path
        if len(relation) > 1 and not by_format and self._namespaces.adapter != "duckdb":
            return False
        return "/" in path or path.lower().endswith(_ENDINGS)

    def elsewhere(self, relation: Relation) -> Dataset | None:
        """The name that another integration gives a relation, None where it is the same."""
        return self._namespaces.elsewhere(*relation)

    def _dataset(self, relation: Relation | None, location: str | None) -> Dataset | None:
        files = self._namespaces.external(location) if location else None
        if files is not None or relation is None:
            return files
        return self._namespaces.dataset(*relation)

    def _remember(self, relation: Relation, dataset: Dataset, unique_id: str) -> None:
        self._known.append((self._key(relation), dataset, unique_id))

    def _key(self, parts: Sequence[str | None]) -> tuple[str | None, ...]:
        return tuple(match_key(part, self._namespaces.adapter) for part in parts)

    def _completed(self, relation: Sequence[str]) -> Relation:
        database, schema, identifier = (None, None, *relation)[-3:]
        return database or self._namespaces.database, schema or self._namespaces.schema, identifier or ""


def _fits(wanted: Sequence[str | None], known: Sequence[str | None]) -> bool:
    """Whether every part that both have is equal; SQL may leave out the database and the schema."""
    return wanted[-1] == known[-1] and all(
        a is None or b is None or a == b for a, b in zip(wanted[:-1], known[:-1], strict=True)
    )
