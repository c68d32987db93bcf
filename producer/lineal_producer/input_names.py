"""Names what the column engine found: the dataset and the field of every input, spelled as its database does."""

from lineal_producer.columns import Input
from lineal_producer.datasets import Dataset, Datasets
from lineal_producer.descriptions import Node
from lineal_producer.known import Known

Read = dict[Dataset, str | None]


class InputNames:
    """Dataset and field names of the engine's inputs, each relation looked up once."""

    def __init__(self, node: Node, datasets: Datasets, known: Known) -> None:
        self._datasets = datasets
        self._found: dict[tuple[str, ...], Dataset] = {}
        self._known = known
        self._node = node
        self._spelled: dict[Dataset, dict[str, str]] = {}
        self.own = datasets.own
        self.read: Read = {}

    def dataset(self, relation: tuple[str, ...]) -> Dataset:
        """The dataset of a relation; `read` remembers it."""
        found = self._found.get(relation)
        if found is None:
            found, unique_id = self._datasets.find(relation)
            self._found[relation] = found
            self.read.setdefault(found, unique_id)
            self._spelled.setdefault(found, self._spelling(unique_id))
        return found

    def _spelling(self, unique_id: str | None) -> dict[str, str]:
        if unique_id is None:
            return {}
        each = next((one for one in self._node["inputs"] if one["unique_id"] == unique_id), None)
        columns = self._known.of_input(each) if each else self._known.columns(unique_id)
        spelled: dict[str, str] = {}
        for name, _ in columns or []:
            spelled.setdefault(name.casefold(), name)
            spelled[name] = name
        return spelled

    def field(self, one: Input) -> tuple[str, str, str]:
        """(namespace, name, field) of an input, the field as the database spells it."""
        dataset = self.dataset(one.relation)
        spelled = self._spelled[dataset]
        name = spelled.get(one.column) or spelled.get(one.column.casefold()) or one.column
        return dataset[0], dataset[1], name
