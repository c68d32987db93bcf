"""From events to what they assert: pure, the same for any order, repeats and batches. The rules: `docs/merge.md`."""

from collections.abc import Iterable
from uuid import UUID

from lineal_receiver.ids import (
    NONE,
    register_key,
    version_id,
)
from lineal_receiver.ingest.asserting import ENDS
from lineal_receiver.ingest.builds import BuildMemo, Subject, state_explicit
from lineal_receiver.ingest.commands import fold_command
from lineal_receiver.ingest.event import NO_VERSION, Event
from lineal_receiver.ingest.explicit import Entry, Explicit, Name
from lineal_receiver.ingest.facts import (
    Changes,
    Told,
    Version,
)
from lineal_receiver.ingest.fold_datasets import DatasetAssertions
from lineal_receiver.ingest.fold_runs import RunAssertions


def collect(events: Iterable[Event], memo: BuildMemo | None = None) -> Changes:
    """All that these events assert; `memo` remembers builds from one call to the next."""
    changes = Changes()
    memo = memo if memo is not None else BuildMemo()
    for event in events:
        count_hour(event, changes)
        for said in fold_command(event, changes) if event.kind == "command" else (event,):
            _Fold(said, changes, memo).fold()
    return changes


def count_hour(event: Event, changes: Changes) -> None:
    """An event of this hour was accepted."""
    hour = event.time.replace(minute=0, second=0, microsecond=0)
    changes.hours[hour, event.kind, event.event_type or ""] += 1


class _Fold(RunAssertions, DatasetAssertions):
    """Adds one event's assertions to the changes."""

    def fold(self) -> None:
        event = self.event
        if self.ahead:
            self.changes.ahead.add(self.job)
        if event.job is not None:
            self._fold_job()
        if event.run is not None:
            self._fold_run()
        if event.kind == "dataset":
            named = self.explicit or Explicit()
            self._fold_datasets([event.content["dataset"]], "o", "/dataset")
            for source in named.sources():
                self._name_dataset(*source)
        else:
            named = self.explicit or Explicit()
            inputs = self._fold_datasets(event.content.get("inputs") or [], "i", "/inputs", named.sources())
            outputs = self._fold_datasets(event.content.get("outputs") or [], "o", "/outputs", named.entries)
            self._fold_statement(inputs, outputs)
        if self.explicit is not None and not self.failed:
            self._fold_told(self.explicit)

    def _fold_told(self, explicit: Explicit) -> None:
        """What `lineage` facets state: registers of their own, which go before columnLineage and inputs."""
        if explicit.given:
            self.changes.add_told((self.job, self.run, NONE), Told(self.key, sources=()))
            self._state(NONE, "t")
        elif explicit.deleted:
            self.changes.add_told((self.job, self.run, NONE), Told(None, self.gone))
            self._state(NONE, "n", self.gone)
        for name in explicit.deleted_targets:
            identity = self._name_dataset(*name)
            self.changes.add_told((self.job, self.run, identity), Told(None, self.gone))
            self._state(identity, "n", self.gone)
        for name, entry in explicit.entries.items():
            identity = self._name_dataset(*name)
            sources = tuple(sorted({self._name_dataset(*source) for source in entry.sources()}))
            told = Told(self.key, None, sources, self._state_told(identity, name, entry))
            holder = self._find_holder(self._facets_of(identity), "o")
            self.changes.add_told((self.job, holder, identity), told)
            if holder == self.run:
                self._state(identity, "t", datasets=sources, build=told.build)

    def _state_told(self, identity: UUID, name: Name, entry: Entry) -> bytes | None:
        facets = self._facets_of(identity)
        unnamed = f"unnamed://{self.job_namespace}"
        subject = Subject(self.job, identity, f"{name[0] or unnamed}/{name[1]}", unnamed)
        schema, own = (self._believed(facets, key) for key in ("schema", "lineal_lineage"))
        stated = state_explicit(subject, entry, own, schema)
        return None if stated is None else self._keep_build(stated)

    def _fold_statement(self, inputs: list[UUID], outputs: list[UUID]) -> None:
        event = self.event
        if event.event_type in ENDS:
            rank = ENDS[event.event_type]
            end = (register_key(event.time, rank, event.id), event.time, rank, tuple(outputs), self.ahead)
            run = self.changes.runs[self.job, self.run]
            run.end = end if run.end is None else min(run.end, end)
        for kind, named in (("i", inputs), ("o", outputs)):
            if named:
                self._state(NONE, kind, datasets=tuple(named))
        declares = event.kind == "job" and not event.flags & NO_VERSION
        if declares or (self._says_streaming() and (inputs or outputs)):
            place = event.facet("/job/facets", "sourceCodeLocation")
            location = str(place["url"]) if place else None
            identity = version_id(self.job, inputs, outputs, location)
            version = Version(tuple(inputs), tuple(outputs), location, None if self.ahead else event.time)
            self.changes.add_version(self.job, identity, version)
            if self.ahead:
                self.changes.add_ahead_version(self.job, identity, event.run or NONE, event.time)
