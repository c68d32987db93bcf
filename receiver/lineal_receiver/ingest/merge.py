"""From events to what they assert: pure, the same for any order, repeats and batches. The rules: `docs/merge.md`."""

from collections.abc import Iterable
from datetime import timezone
from typing import Any
from uuid import UUID

from lineal_receiver.ids import (
    AHEAD,
    DROPPED,
    DROPPED_AHEAD,
    EPOCH,
    NONE,
    ahead_key,
    content_id,
    dataset_id,
    first_key,
    job_id,
    namespace_id,
    register_key,
    run_scope,
    run_uuid,
    version_id,
    version_name_id,
)
from lineal_receiver.ingest.builds import BuildMemo, Stated, Subject, state_explicit, state_nothing
from lineal_receiver.ingest.canonical import write_canonical
from lineal_receiver.ingest.commands import fold_command
from lineal_receiver.ingest.envelope import Facet
from lineal_receiver.ingest.event import AT_ONCE, FUTURE, NAMES_FOR_GOOD, NO_VERSION, Event, Facets
from lineal_receiver.ingest.explicit import Entry, Explicit, Name, read_explicit
from lineal_receiver.ingest.facts import (
    SIDES,
    Changes,
    EndFacets,
    FacetKey,
    FacetValue,
    IoFacts,
    JobFacts,
    RunFacts,
    Statement,
    Told,
    Version,
)
from lineal_receiver.ingest.joins import build_seen, earliest, latest, newest
from lineal_receiver.ingest.times import parse_time
from lineal_receiver.ingest.validate import is_deletion

RANKS = {"START": 0, "RUNNING": 1, "OTHER": 1, None: 1, "FAIL": 2, "ABORT": 2, "COMPLETE": 2}
ENDS = {"FAIL": 0, "ABORT": 1, "COMPLETE": 2}
STREAMS = ("STREAMING", "SERVICE")
# What a dataset is shown with comes from the write that is in force, never from the newest event.
GATED = frozenset({"schema", "columnLineage", "lineage", "lineal_lineage", "lifecycleStateChange", "symlinks"})

MOST_SYMLINKS = 100
"""So many other names of one dataset are looked at in one facet."""


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


class _Fold:
    """Adds one event's assertions to the changes."""

    def __init__(self, event: Event, changes: Changes, memo: BuildMemo) -> None:
        self.event = event
        self.changes = changes
        self.memo = memo
        self.static = event.kind != "run"
        self.rank = 2 if self.static else RANKS[event.event_type]
        self.key = register_key(event.time, self.rank, event.id)
        self.gone = register_key(event.time, self.rank, bytes(16))  # a tombstone's: a value beats it at a tie
        self.ahead = bool(event.flags & FUTURE)
        self.wide_key, self.wide_gone = (ahead_key(key) if self.ahead else key for key in (self.key, self.gone))
        self.job = event.job or NONE
        self.run = event.run or (AHEAD if self.ahead else NONE)
        self.failed = event.event_type in ("FAIL", "ABORT")
        self.job_namespace = event.content["job"]["namespace"] if event.job else ""
        self.explicit = read_explicit(event)

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

    def _fold_job(self) -> None:
        job = self._name_job(self.event.content["job"])
        job.created_at = earliest(job.created_at, self.event.time)
        if not self.ahead:
            job.seen_at = latest(job.seen_at, self.event.time)
        elif self.static:
            job.ahead_at = latest(job.ahead_at, self.event.time)
        streaming = self._says_streaming()
        if streaming is not None:
            job.streaming = newest(job.streaming, (self.wide_key, streaming))
            if self.ahead and self.static:
                job.ahead_streaming = newest(job.ahead_streaming, (self.key, streaming))
        for name, facet in self.event.facets.get("/job/facets", {}).items():
            if self.run != NONE:
                self._register(self.job, self.run, "j", name, facet)
            self._register_newest(self.job, "j", name, facet)

    def _says_streaming(self) -> bool | None:
        """Whether the event says that its job streams; None if it says nothing."""
        kind = self.event.facet("/job/facets", "jobType")
        return None if kind is None else str(kind["processingType"]).upper() in STREAMS

    def _name_job(self, named: dict[str, Any]) -> JobFacts:
        namespace = self._name_namespace(named["namespace"])
        identity = job_id(named["namespace"], named["name"])
        self.changes.job_names[identity] = (namespace, named["name"])
        return self.changes.jobs.setdefault(identity, JobFacts(namespace))

    def _name_namespace(self, name: str) -> UUID:
        identity = namespace_id(name)
        self.changes.add_namespace(identity, name, self.event.time)
        return identity

    def _fold_run(self) -> None:
        event, time = self.event, self.event.time
        run = self.changes.runs.setdefault((self.job, self.run), RunFacts())
        run.external_id = run.external_id or run_uuid(event.content["run"]["runId"])[1]
        run.first_at, run.last_at = earliest(run.first_at, time), latest(run.last_at, time)
        run.typed = run.typed or event.event_type is not None
        run.ahead = run.ahead or self.ahead
        run.seen_at = run.seen_at if self.ahead else latest(run.seen_at, time)
        if event.event_type == "START":
            run.start_at = earliest(run.start_at, time)
        elif event.event_type == "RUNNING":
            run.running_at = earliest(run.running_at, time)
        elif event.event_type in ENDS:
            run.ends_seen |= 1 << ENDS[event.event_type]
        for name, facet in event.facets.get("/run/facets", {}).items():
            self._register(self.job, self.run, "r", name, facet)
        self._fold_run_registers(run)

    def _fold_run_registers(self, run: RunFacts) -> None:
        streaming = self._says_streaming()
        if self.event.flags & AT_ONCE:
            streaming = True
        if streaming is not None:
            run.streaming = newest(run.streaming, (self.key, streaming))
        place = self.event.facet("/job/facets", "sourceCodeLocation")
        if place is not None:
            run.location = newest(run.location, (self.key, str(place["url"])))
        nominal = self.event.facet("/run/facets", "nominalTime")
        if nominal is not None:
            start, end = parse_time(nominal.get("nominalStartTime")), parse_time(nominal.get("nominalEndTime"))
            if start is not None or end is not None:
                times = (start.instant if start else None, end.instant if end else None)
                run.nominal = newest(run.nominal, (self.key, *times))
        parent = self.event.facet("/run/facets", "parent") or self.event.facet("/run/facets", "parentRun")
        if parent is not None:
            self._fold_parent(run, parent)

    def _fold_parent(self, run: RunFacts, parent: dict[str, Any]) -> None:
        named, above = parent["job"], ""
        if job_id(named["namespace"], named["name"]) == self.job:
            if run_uuid(parent["run"]["runId"])[0] == self.run:
                return
            above = named["name"].rpartition(".")[0]  # a task of old Airflow names itself there, with its DAG's run
        parent_job, parent_run = self._mention_run({**parent, "job": {**named, "name": above or named["name"]}})
        root = self._mention_run(parent["root"]) if parent.get("root") else (None, None)
        run.parent = newest(run.parent, (self.key, parent_job, parent_run, *root))
        if parent_job != self.job:
            job = self.changes.jobs[self.job]
            job.parent = newest(job.parent, (self.wide_key, parent_job))

    def _mention_run(self, named: dict[str, Any]) -> tuple[UUID, UUID]:
        job = self._name_job(named["job"])
        job.mentioned_at = earliest(job.mentioned_at, self.event.time)
        run, external = run_uuid(named["run"]["runId"])
        identity = job_id(named["job"]["namespace"], named["job"]["name"])
        facts = self.changes.runs.setdefault((identity, run), RunFacts())
        facts.external_id = facts.external_id or external
        facts.mentioned_at = earliest(facts.mentioned_at, self.event.time)
        return identity, run

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

    def _name_dataset(self, namespace: str, name: str) -> UUID:
        """A dataset's id; one in an empty namespace belongs to its job's, so that strangers don't meet."""
        space = namespace or f"unnamed://{self.job_namespace}"
        identity = dataset_id(space, name)
        self.changes.add_dataset(identity, self._name_namespace(space), name, self.event.time)
        return identity

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

    def _find_holder(self, facets: Facets, side: str) -> UUID:
        """The run, or what stands for it: static events that drop a dataset are writes apart from others."""
        if self.static and side == "o":
            lifecycle = self._believed(facets, "lifecycleStateChange") or {}
            if lifecycle.get("lifecycleStateChange") == "DROP":
                return DROPPED_AHEAD if self.ahead else DROPPED
        return self.run

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
        elif _is_gone(own, "lifecycleStateChange"):
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

    def _united(self, places: list[str], name: str) -> Facets:
        united: Facets = {}
        for place in places:
            united.update(self.event.facets.get(f"{place}/{name}", {}))
        return united

    def _believed(self, facets: Facets, key: str) -> dict[str, Any] | None:
        facet = facets.get(key)
        if facet is None or facet.pointer in self.event.invalid or is_deletion(facet):
            return None
        return facet.value if isinstance(facet.value, dict) else None

    def _state_schema(self, identity: UUID, facets: Facets, row: IoFacts, side: str) -> None:
        fields = (self._believed(facets, "schema") or {}).get("fields") or []
        location = (self._believed(facets, "lineal_dataset") or {}).get("schemaLocation")
        gone = _is_gone(facets, "schema")
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
            if _is_gone(facets, "columnLineage") and not self.failed:
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

    def _state(self, identity: UUID, kind: str, key: bytes | None = None, **said: Any) -> None:
        """What a static event said of lineage, to be found as of its time when others have come."""
        if self.static:
            place = (identity, self.job, kind, self.ahead, key or self.key)
            self.changes.statements[place] = Statement(**said)

    def _keep_build(self, stated: Stated) -> bytes:
        for namespace, name in stated.names:
            self._name_dataset(namespace, name)
        self.changes.builds[stated.build.id] = stated.build
        return stated.build.id

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

    def _facets_of(self, identity: UUID) -> Facets:
        """What the event says of a target in the place where it is listed."""
        if self.event.kind == "dataset":
            return self.event.facets.get("/dataset/facets", {})
        places = [
            f"/outputs/{index}"
            for index, named in enumerate(self.event.content.get("outputs") or [])
            if self._name_dataset(named["namespace"], named["name"]) == identity
        ]
        return self._united(places, "facets")

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

    def _register(self, entity: UUID, scope: UUID, side: str, name: str, facet: Facet) -> None:
        """A facet of what one run, or a static event, said."""
        self._keep_facet((entity, scope, side, name), facet, self.gone if is_deletion(facet) else self.key)

    def _register_newest(self, entity: UUID, side: str, name: str, facet: Facet) -> None:
        """A facet of all that was ever said."""
        key = self.wide_gone if is_deletion(facet) else self.wide_key
        self._keep_facet((entity, NONE, side, name), facet, key)

    def _keep_facet(self, place: FacetKey, facet: Facet, key: bytes) -> None:
        if is_deletion(facet):
            self.changes.add_facet(place, FacetValue(key, self.event.time, None))
            return
        self.changes.add_body(facet.id, facet.body, self.event.time.astimezone(timezone.utc).date())
        if self.event.event_type in ENDS and place[1] != NONE and place[2] in SIDES:
            ends = self.changes.end_facets.setdefault((self.job, self.run), {})
            ends.setdefault(key, EndFacets(self.event.time)).facets.setdefault(place, facet.id)
        else:
            self.changes.add_facet(place, FacetValue(key, self.event.time, facet.id))


def _is_gone(facets: Facets, key: str) -> bool:
    """Whether a facet is deleted here."""
    return key in facets and is_deletion(facets[key])
