"""The answer of `upstream` and `downstream` as trees: of a column by columns, of a table or job by tables."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from lineal_receiver.cli.asking.naming import Names, say_kinds, say_run
from lineal_receiver.cli.asking.tree import Below, Node

LAST_KNOWN = "last known"
UNSHOWN = "traced, to columns that aren't shown here (--rows shows those that only decide)"
Answer: TypeAlias = dict[str, Any]
Column: TypeAlias = tuple[str, str | None]
"""The id of a dataset and the name of a column; without one, the rows of the dataset."""


class ColumnGraph:
    """Columns and what they are made of (upstream), or what is made of them."""

    def __init__(self, answer: Answer, names: Names, *, upstream: bool, root: Column) -> None:
        self._names, self._upstream, self._root = names, upstream, root
        self._datasets = {dataset["id"]: dataset for dataset in answer["datasets"]}
        self._columns = {
            (dataset["id"], column["name"]): column for dataset in answer["datasets"] for column in dataset["columns"]
        }
        self._ties: dict[Column, dict[Column, _Tie]] = defaultdict(lambda: defaultdict(_Tie))
        self._made: dict[Column, str] = {}
        near, far = ("target", "source") if upstream else ("source", "target")
        for edge in answer["columnEdges"]:
            ends = {end: (edge[end]["dataset"], edge[end]["field"]) for end in ("source", "target")}
            tie = self._ties[ends[near]][ends[far]]  # several jobs may say the same
            tie.kinds += edge["kinds"]
            tie.last_known |= edge["lastKnown"]
            if edge["expression"]:
                self._made.setdefault(ends["target"], edge["expression"])

    def look(self, key: Column) -> Node:
        """A column, what is known of it, and the SQL that makes it; of what lies downstream of a column not its own."""
        dataset, name = key
        named = self._datasets[dataset]
        if name is None:
            return Node(f"{self._names.dataset(named)} (rows)")
        column = self._columns.get((dataset, name), {})
        own = key == self._root and not self._upstream
        made = column.get("expression") or self._made.get(key) or ""
        text = "" if own or made == name else made  # a column that is passed on under its own name says so by its kind
        known = bool(self._upstream and self._ties.get(key))
        words = _say_status(column, partly=known)
        if key == self._root and self._upstream and not known and column.get("status") == "traced":
            words = UNSHOWN
        return Node(self._names.dataset({**named, "field": name}), words, text)

    def is_told(self, key: Column) -> bool:
        """Whether a column that is made of none says why: it is constant, unresolved, or traced to what isn't shown."""
        return bool(self.look(key).words)

    def below(self, key: Column) -> Sequence[Below[Column]]:
        """What a column is made of, or what is made of it; upstream, the rows of its dataset too."""
        dataset, name = key
        rows: Column = (dataset, None)
        under = [Below(other, tie.say()) for other, tie in self._ties.get(key, {}).items()]
        under.sort(key=lambda one: self.look(one.key).name)
        if self._upstream and name is not None and rows in self._ties:
            return [*under, Below(rows)]
        return under


@dataclass(slots=True)
class _Tie:
    """How two columns are linked, by all jobs together."""

    kinds: list[dict[str, Any]] = field(default_factory=list)
    last_known: bool = False

    def say(self) -> str:
        """Its kinds in words."""
        return ", ".join([say_kinds(self.kinds), *([LAST_KNOWN] if self.last_known else [])])


def _say_status(column: dict[str, Any], *, partly: bool) -> str:
    if column.get("status") == "constant":
        return "constant"
    if column.get("status") == "unresolved":
        reason = column["reason"] or "no reason given"
        said = column["message"] or column["sentence"] or ""
        return f"{'not all known' if partly else 'not known'} ({reason}{': ' + said if said else ''})"
    return ""


class TableGraph:
    """Datasets and the jobs between them; keys are the ids of datasets and jobs."""

    def __init__(self, answer: Answer, names: Names, *, upstream: bool) -> None:
        self._names = names
        self._datasets = {dataset["id"]: dataset for dataset in answer["datasets"]}
        self._jobs = {job["id"]: job for job in answer["jobs"]}
        self._below: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
        near, far = ("target", "source") if upstream else ("source", "target")
        for edge in answer["tableEdges"]:
            job = edge["job"]
            said = f"by {self._jobs[job]['name']}" if job in self._jobs else "as was stated"
            if edge[near] is not None and edge[far] is not None:
                self._below[edge[near]][edge[far]].append(said)
            elif edge[near] is not None and job is not None:
                self._below[edge[near]].setdefault(job, [])
            if job is not None and edge[far] is not None:
                self._below[job].setdefault(edge[far], [])

    def look(self, key: str) -> Node:
        """A dataset; or a job, with how its last run ended."""
        if key in self._jobs:
            job = self._jobs[key]
            return Node(f"job {job['name']}", say_run(job["lastRun"]))
        dataset = self._datasets[key]
        return Node(self._names.dataset(dataset), (dataset["lifecycle"] or "").lower() if dataset["droppedAt"] else "")

    def below(self, key: str) -> Sequence[Below[str]]:
        """What a dataset is written from (upstream) or what is written from it, and by which jobs."""
        under = [Below(other, ", ".join(dict.fromkeys(said))) for other, said in self._below.get(key, {}).items()]
        return sorted(under, key=lambda one: self.look(one.key).name)


def list_columns(answer: Answer) -> Iterator[Column]:
    """The columns of the dataset that was asked for."""
    for dataset in answer["datasets"]:
        if dataset["id"] == answer["target"]["id"]:
            yield from ((dataset["id"], column["name"]) for column in dataset["columns"])
