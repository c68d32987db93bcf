"""What an event says of the datasets that it lists: pure."""

from collections.abc import Iterable
from typing import Any
from uuid import UUID

from lineal_receiver.ids import (
    EPOCH,
    NONE,
    ahead_key,
    content_id,
    dataset_id,
    first_key,
    run_scope,
    version_name_id,
)
from lineal_receiver.ingest.asserting import Assertions, is_gone
from lineal_receiver.ingest.builds import Subject, state_nothing
from lineal_receiver.ingest.canonical import write_canonical
from lineal_receiver.ingest.envelope import Facet
from lineal_receiver.ingest.event import NAMES_FOR_GOOD, Facets
from lineal_receiver.ingest.explicit import Name
from lineal_receiver.ingest.facts import (
    IoFacts,
)
from lineal_receiver.ingest.joins import build_seen, earliest, newest
from lineal_receiver.ingest.validate import is_deletion

# What a dataset is shown with comes from the write that is in force, never from the newest event.
GATED = frozenset({"schema", "columnLineage", "lineage", "lineal_lineage", "lifecycleStateChange", "symlinks"})

MOST_SYMLINKS = 100
"""So many other names of one dataset are looked at in one facet."""


class DatasetAssertions(Assertions):
    """What an event says of its inputs and outputs, or of its dataset."""

    def _fold_datasets(
        self, listed: list[dict[str, Any]], side: str, pointer: str, told: Iterable[Name] = ()
    ) -> list[UUID]:
        """One side's datasets; a dataset that is listed twice has the facets of both (the later one's win).

        `told` are those that a `lineage` facet names, whether they are listed or not.
        """
        listed = [*listed, *({"namespace": namespace, "name": name} for namespace, name in told)]
        holders: dict[UUID, tuple[dict[str, Any], list[str]]] = {}
        for index, named in enumerate(listed):
            at = pointer if self.event.kind == "dataset" else f"{pointer}/{index}"
            identity = self._name_dataset(named["namespace"], named["name"])
            holders.setdefault(identity, (named, []))[1].append(at)
        for identity, (named, places) in holders.items():
            self._fold_dataset(identity, named, places, side)
        return sorted(holders)

    def _fold_dataset(self, identity: UUID, named: dict[str, Any], places: list[str], side: str) -> None:
        time = self.event.time
        own = self._united(places, "facets")
        extra = self._united(places, "inputFacets" if side == "i" else "outputFacets")
        run = self._find_holder(own, side)
        row = self.changes.io.setdefault((identity, self.job, run, side), IoFacts(time))
        row.said_at = min(row.said_at, time)
        row.ahead = row.ahead and self.ahead
        if self.static:
            seen = build_seen(first_key(time), (self.event.id,))
            self.changes.commands.see(identity, self.job, seen, future=self.ahead)
        self._register_facets(identity, run, side, own, extra)
        self._name_version(identity, own, side, run)
        if self.failed:
            self._state_lineage(identity, named, own, row, side)
            return
        row.named_at = earliest(row.named_at, EPOCH if self.event.flags & NAMES_FOR_GOOD else time)
        row.stated = newest(row.stated, (self.key, time)) if self.static else None
        if self.static and side == "o" and row.stated == (self.key, time):
            row.schema = None  # a static event's is that of the newest; older ones' are past versions
        subset = self._believed(extra, "subset") is not None
        row.subset = row.subset or subset
        self._state_schema(identity, own, row, side)
        self._state_lifecycle(identity, own, row, side, whole=not subset)
        self._state_lineage(identity, named, own, row, side)
        if "symlinks" in own:
            self._claim_names(identity, own["symlinks"], side, run)

    def _register_facets(self, identity: UUID, run: UUID, side: str, own: Facets, extra: Facets) -> None:
        scope = run_scope(self.job, run)
        for name, facet in own.items():
            if name in GATED and self.failed:
                continue
            letter = "d" if side == "i" else "w"
            self._register(identity, scope, letter, name, facet)
            if name not in GATED:
                self._register_newest(identity, letter, name, facet)
        for name, facet in extra.items():
            self._register(identity, scope, side, name, facet)

    def _state_lifecycle(self, identity: UUID, own: Facets, row: IoFacts, side: str, *, whole: bool) -> None:
        lifecycle = self._believed(own, "lifecycleStateChange")
        if lifecycle is not None and side == "o":
            change = lifecycle["lifecycleStateChange"]
            row.lifecycle = newest(row.lifecycle, (self.key, change))
            if change == "RENAME":
                self._rename(identity, lifecycle.get("previousIdentifier"))
            elif change == "OVERWRITE" and whole:
                self._state(identity, "w")
        elif is_gone(own, "lifecycleStateChange"):
            row.lifecycle = newest(row.lifecycle, (self.gone, None))

    def _rename(self, identity: UUID, before: dict[str, Any] | None) -> None:
        """What a dataset was called before; a name that is the same says nothing."""
        if not before:
            return
        space = before["namespace"] or f"unnamed://{self.job_namespace}"
        old = dataset_id(space, before["name"])
        if old != identity:
            self.changes.add_alias_name(old, space, before["name"])
            self.changes.add_rename((old, identity, self.job, self.run, self.ahead), self.event.time)

    def _claim_names(self, identity: UUID, facet: Facet, side: str, run: UUID) -> None:
        """The other names that a dataset says it has; a name is no alias of itself."""
        said = (identity, self.job, run, side, self.ahead)
        if is_deletion(facet):
            self.changes.add_claim((NONE, *said), self.event.time)
            return
        believed = self._believed({"symlinks": facet}, "symlinks") or {}
        for named in (believed.get("identifiers") or [])[:MOST_SYMLINKS]:
            space = named["namespace"] or f"unnamed://{self.job_namespace}"
            alias = dataset_id(space, named["name"])
            if alias == identity:
                continue
            self.changes.add_alias_name(alias, space, named["name"])
            self.changes.add_claim((alias, *said), self.event.time)

    def _name_version(self, identity: UUID, facets: Facets, side: str, run: UUID) -> None:
        """Which version the event says that it read or wrote; a failed run's outputs are no versions."""
        stated = self._believed(facets, "version")
        if stated is None or (self.failed and side == "o"):
            return
        key = (identity, self.job, run, side)
        named = (self.key, version_name_id(str(stated["datasetVersion"])))
        self.changes.named_versions[key] = newest(self.changes.named_versions.get(key), named) or named

    def _state_schema(self, identity: UUID, facets: Facets, row: IoFacts, side: str) -> None:
        fields = (self._believed(facets, "schema") or {}).get("fields") or []
        location = (self._believed(facets, "lineal_dataset") or {}).get("schemaLocation")
        gone = is_gone(facets, "schema")
        if not fields and not isinstance(location, str) and not gone:
            return
        key = self.gone if gone else self.key
        text = write_canonical(fields)
        body = content_id(text)
        if isinstance(location, str):  # the same fields at another place are another schema
            body = content_id(text + b"\0" + location.encode())
            self.changes.commands.schema_locations[body] = location
        self.changes.schemas[body] = text.decode()
        if not self.static or side == "i":
            row.schema = newest(row.schema, (key, body))
        elif row.stated is not None and row.stated[0] == self.key:
            row.schema = (key, body)
        if self.static and side == "o" and self._find_holder(facets, side) == self.run:
            self.changes.commands.add_version((identity, self.job, self.ahead, body), key, self.event.time)
            self._state(identity, "s", key, schema=body)
        if side == "i":
            self.changes.add_reader_schema(identity, self.job, ahead_key(key) if self.ahead else key, body)

    def _state_lineage(self, identity: UUID, named: dict[str, Any], facets: Facets, row: IoFacts, side: str) -> None:
        if side != "o":
            return
        unnamed = f"unnamed://{self.job_namespace}"
        subject = Subject(self.job, identity, f"{named['namespace'] or unnamed}/{named['name']}", unnamed)
        column_lineage, own, schema = (
            facets[key] if self._believed(facets, key) is not None else None
            for key in ("columnLineage", "lineal_lineage", "schema")
        )
        if column_lineage is None and own is None:
            if is_gone(facets, "columnLineage") and not self.failed:
                self._state_build(identity, facets, row, (self.gone, self._keep_build(state_nothing(subject))))
            return
        stated = self.memo.build(subject, (column_lineage, own, schema))
        if stated is None:
            return
        build = self._keep_build(stated)
        if not self.failed and not (self.static and stated.build.status == "failed"):
            self._state_build(identity, facets, row, (self.key, build))

    def _state_build(self, identity: UUID, facets: Facets, row: IoFacts, build: tuple[bytes, bytes]) -> None:
        row.build = newest(row.build, build)
        if self._find_holder(facets, "o") == self.run:
            self._state(identity, "b", build[0], build=build[1])
