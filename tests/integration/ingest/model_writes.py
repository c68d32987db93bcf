"""What the rules say of what one run, or one statement without a run, said of one dataset."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from .model_records import Facet, Key, Name, RunKey, Teller, Word, find_above, name_of, newest

FAILED, PENDING, EFFECTIVE = 0, 1, 2
Source = tuple[Name, str]


@dataclass(frozen=True)
class Build:
    """One reading of where an output's columns come from."""

    edges: frozenset[tuple[str, Source]] = frozenset()
    statuses: tuple[tuple[str, str], ...] = ()
    status: str = "resolved"
    sql: str | None = None
    schema: str | None = None


@dataclass(frozen=True)
class Write:
    """What one teller said of one output."""

    teller: Teller
    dataset: Name
    said: tuple[tuple[Word, dict[str, Any]], ...]

    @property
    def kind(self) -> int:
        """Its class: FAILED, PENDING or EFFECTIVE."""
        end = self.teller.end
        if self.teller.run is None:
            return EFFECTIVE
        if end is None:
            return EFFECTIVE if self.teller.streaming else PENDING
        if end.kind != "COMPLETE" or all(word.failed or word.at > end.at for word, _ in self.said):
            return FAILED
        return PENDING if self.announced else EFFECTIVE

    @property
    def announced(self) -> bool:
        """Whether the end that decides names outputs, but not this one."""
        end = self.teller.end
        at_end = {name_of(one) for one in end.names("outputs")} if end and end.kind == "COMPLETE" else set()
        return bool(at_end) and self.dataset not in at_end

    @property
    def gated(self) -> list[tuple[Word, dict[str, Any]]]:
        """What counts of schema, lineage and lifecycle: nothing that a FAIL or ABORT says."""
        return [(word, one) for word, one in self.said if not word.failed]

    @property
    def at(self) -> datetime:
        """When it took effect: the run's end, of a stream its newest event, of another open run its start."""
        run = self.teller
        if run.run is None:
            return max(word.at for word, _ in self.said)
        if run.end or run.streaming:
            return run.end.at if run.end else run.last_at
        return run.started or run.first_at

    @property
    def order(self) -> Key:
        """What makes one write newer than another: those from the future are older than all others."""
        ids = tuple(255 - byte for one in self.teller.ids for byte in one)
        return not self.future, self.at, ids, b"" if self.teller.run else self.said[0][0].id

    @property
    def future(self) -> bool:
        """Whether it claims to be from the future."""
        return self.teller.future if self.teller.run else self.said[0][0].future

    @property
    def began(self) -> datetime:
        """The time of its run's first event; a static event begins and ends at its time."""
        return self.teller.first_at if self.teller.run else self.at

    @property
    def parent(self) -> RunKey | None:
        """The run above that of the write."""
        return find_above(self.teller)[0] if self.teller.run else None

    @property
    def lifecycle(self) -> str | None:
        """CREATE, OVERWRITE, DROP and so on, if stated."""
        return (newest(self.gated, "lifecycleStateChange") or {}).get("lifecycleStateChange")

    @property
    def whole(self) -> bool:
        """Whether it isn't about a part of the dataset only."""
        return not any((one.get("outputFacets") or {}).get("subset") for _, one in self.gated)

    @property
    def schema(self) -> Facet | None:
        """The newest schema; one without fields says nothing."""
        stated = [(w, {"facets": {"s": s}}) for w, one in self.gated if (s := schema_in(one)) is not None]
        return newest(stated, "s")

    @property
    def fields(self) -> list[str]:
        """The names of its schema's fields."""
        return [field["name"] for field in (self.schema or {}).get("fields", [])]

    @property
    def build(self) -> Build | None:
        """The newest reading of its columns that replaces others; a facet that is deleted is one without edges."""
        found = [
            (*word.rank, build != Build(), word.id, build)
            for word, one in self.gated
            if (build := self._read(one.get("facets") or {})) is not None
        ]
        return max(found, key=lambda one: one[:4])[4] if found else None

    def _read(self, facets: dict[str, Any]) -> Build | None:
        told, own = facets.get("columnLineage"), facets.get("lineal_lineage")
        if told and told.get("_deleted"):
            return Build()
        fields = (told or {}).get("fields", {})
        if not fields and own is None:
            return None
        edges = {
            (field, (name_of(source), source["field"]))
            for field, stated in fields.items()
            for source in stated["inputFields"]
        }
        beside = (facets.get("schema") or {}).get("fields", [])  # what another event of the run states isn't looked at
        statuses = dict.fromkeys((column["name"] for column in beside), "silent")
        statuses |= {field: "traced" if stated["inputFields"] else "constant" for field, stated in fields.items()}
        if own:
            statuses |= {column["name"]: column["status"] for column in own["columns"]}
        return Build(
            frozenset(edges),
            tuple(sorted(statuses.items())),
            *((own["status"], own.get("sqlHash"), own.get("schemaHash")) if own else ()),
        )


def schema_in(thing: dict[str, Any]) -> Facet | None:
    """The schema that was stated of a dataset, or that it was deleted; one without fields is none."""
    stated: Facet | None = (thing.get("facets") or {}).get("schema")
    return stated if stated and (stated.get("fields") or stated.get("_deleted")) else None


def list_writes(tellers: Iterable[Teller]) -> list[Write]:
    """All that was said of outputs: by runs one a run and dataset; each static event stands for itself."""
    found = []
    for teller in tellers:
        said: dict[tuple[Name, bytes | None], list[tuple[Word, dict[str, Any]]]] = {}
        for word in teller.words:
            for one in word.names("outputs"):
                said.setdefault((name_of(one), None if teller.run else word.id), []).append((word, one))
        found += [Write(teller, dataset, tuple(words)) for (dataset, _), words in said.items()]
    return found


def sources_of(teller: Teller) -> set[Name]:
    """What it reads; the newest JobEvent that names inputs replaces those of the one before."""
    named = [(word.key, {name_of(one) for one in word.names("inputs")}) for word in teller.words]
    if teller.run is None:
        return _newest_named(named)
    return {name for (_, names), word in zip(named, teller.words, strict=True) if not word.failed for name in names}


def is_withdrawn(write: Write) -> bool:
    """Whether a newer JobEvent named outputs without this one."""
    if write.teller.run is not None or write.teller.job is None:
        return False
    named = [(word.key, {name_of(one) for one in word.names("outputs")}) for word in write.teller.words]
    return write.dataset not in _newest_named(named)


def _newest_named(named: Sequence[tuple[Key, set[Name]]]) -> set[Name]:
    """Of those who named anything the newest; several of one time together."""
    last = max((key for key, names in named if names), default=None)
    return {name for key, names in named if key == last for name in names}
