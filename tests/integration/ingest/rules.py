"""docs/merge.md as a fold over a set of events, without a store: runs, what is in force of datasets, and names.

Written from that page alone, apart from `model.py`, so that what one of them misreads the other may not. This one is
small where that one is deep (readings by SQL, versions), and knows what that one doesn't: symlinks, renames, deletions.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import datetime, timezone
from functools import cached_property
from typing import Any
from uuid import UUID

import orjson

from lineal_receiver.ids import NONE, job_id
from lineal_receiver.ingest.envelope import open_envelope

FAILED, PENDING, EFFECTIVE = 0, 1, 2
ENDS = {"FAIL": "FAILED", "ABORT": "ABORTED", "COMPLETE": "COMPLETED"}
RANKS = {"START": 0, "RUNNING": 1, "OTHER": 1}
NEVER = datetime.min.replace(tzinfo=timezone.utc)
Facet = dict[str, Any]
Name = str
Edge = tuple[Name, str, str | None]


@dataclass(frozen=True, eq=False)
class Word:
    """One event."""

    event: dict[str, Any]
    id: bytes

    @cached_property
    def at(self) -> datetime:
        return datetime.fromisoformat(self.event["eventTime"])

    @property
    def kind(self) -> str | None:
        return self.event.get("eventType")

    @property
    def key(self) -> tuple[datetime, int, bytes]:
        """What makes one word newer than another."""
        return self.at, self.rank, self.id

    @property
    def rank(self) -> int:
        return RANKS.get(self.kind or "", 2)

    def named(self, side: str) -> list[dict[str, Any]]:
        return self.event.get(side) or []

    @property
    def job(self) -> Name:
        return str(self.event["job"]["name"])


def newest_facet(pairs: Iterable[tuple[Word, Facet | None]]) -> Facet | None:
    """What the newest word that says something says; a value goes before a deletion of the same time."""
    said = [(word.at, word.rank, not facet.get("_deleted"), word.id, facet) for word, facet in pairs if facet]
    return max(said, key=lambda one: one[:4])[4] if said else None


def says(key: str, facet: Facet | None) -> bool:
    """Whether a facet says anything: a schema without fields and lineage without columns don't."""
    if facet is None or facet.get("_deleted"):
        return facet is not None
    return {"schema": bool(facet.get("fields")), "columnLineage": bool(facet.get("fields"))}.get(key, True)


@dataclass
class Run:
    """All words of one run."""

    job: Name
    id: str
    words: list[Word]

    @cached_property
    def end(self) -> Word | None:
        """The earliest end; at one time FAIL before ABORT before COMPLETE."""
        ends = [word for word in self.words if word.kind in ENDS]
        return min(ends, key=lambda word: (word.at, list(ENDS).index(word.kind or ""), word.id), default=None)

    @property
    def started(self) -> datetime | None:
        for kind in ("START", "RUNNING"):
            if times := [word.at for word in self.words if word.kind == kind]:
                return min(times)
        return None

    @property
    def first(self) -> datetime:
        return min(word.at for word in self.words)

    def _facet(self, entity: str, key: str) -> Facet | None:
        return newest_facet((word, (word.event[entity].get("facets") or {}).get(key)) for word in self.words)

    @property
    def parent(self) -> tuple[Name, str] | None:
        said = [(word, (word.event["run"].get("facets") or {}).get("parent")) for word in self.words]
        named = {word: (one["job"]["name"], one["run"]["runId"]) for word, one in said if one}
        told = [word for word, key in named.items() if key != (self.job, self.id)]
        return named[max(told, key=lambda word: word.key)] if told else None

    @property
    def streaming(self) -> bool:
        found = self._facet("job", "jobType")
        return found is not None and found["processingType"] in ("STREAMING", "SERVICE")

    @property
    def at(self) -> datetime:
        """How new what it wrote is."""
        if self.end:
            return self.end.at
        if self.streaming:
            return max(word.at for word in self.words)
        return self.started or self.first

    def state(self, has_ended: Callable[[tuple[Name, str], "Run"], bool]) -> str:
        if self.end:
            return ENDS[self.end.kind or ""]
        if self.parent and has_ended(self.parent, self):
            return "OPEN_PARENT_ENDED"
        return "RUNNING" if any(word.kind for word in self.words) else "NEW"

    def counts(self, word: Word) -> bool:
        """Whether what it names was written, for all that is known: not what only a failure, or a late word, names."""
        return word.kind not in ("FAIL", "ABORT") and (self.end is None or word.at <= self.end.at)

    def kind_of(self, name: Name) -> int:
        naming = [word for word in self.words if name in names(word.named("outputs"))]
        if (self.end and self.end.kind != "COMPLETE") or not any(map(self.counts, naming)):
            return FAILED
        if self.end:
            told = names(self.end.named("outputs"))
            return EFFECTIVE if not told or name in told else PENDING
        return EFFECTIVE if self.streaming else PENDING

    @property
    def inputs(self) -> set[Name]:
        """What it read, for all that is known: not what only a failure names."""
        told = [word for word in self.words if word.kind not in ("FAIL", "ABORT")]
        return {name for word in told for name in names(word.named("inputs"))}

    @property
    def outputs(self) -> set[Name]:
        return {name for word in self.words for name in names(word.named("outputs"))}


def names(found: list[dict[str, Any]]) -> set[Name]:
    return {one["name"] for one in found}


@dataclass(frozen=True)
class Build:
    """Where columns come from: edges (source, its field, field or None for the rows), and fields with their status."""

    edges: frozenset[Edge]
    fields: frozenset[tuple[str, str]]


@dataclass
class Write:
    """What a run, or a static word, said of an output."""

    name: Name
    job: Name | None
    run: Run | None
    kind: int
    at: datetime
    began: datetime
    facets: dict[str, Facet]
    subset: bool
    inputs: set[Name] = field(default_factory=set)
    beside: list[Facet] = field(default_factory=list)

    @property
    def order(self) -> tuple[Any, ...]:
        """The newest is the greatest; at one time that of the least job id, then run id."""
        job = job_id("nightly", self.job) if self.job else NONE
        return self.at, -job.int, -(UUID(self.run.id).int if self.run else 0)

    @property
    def change(self) -> str | None:
        found = self.facets.get("lifecycleStateChange")
        return None if found is None or found.get("_deleted") else found["lifecycleStateChange"]

    @property
    def came_from(self) -> Name | None:
        return self.facets["lifecycleStateChange"]["previousIdentifier"]["name"] if self.change == "RENAME" else None

    @property
    def schema(self) -> list[str] | None:
        """The fields that it states; none where the schema is deleted; None where nothing is said."""
        found = self.facets.get("schema")
        if found is None or not (found.get("_deleted") or found.get("fields")):
            return None
        return [one["name"] for one in found.get("fields") or []]

    @property
    def build(self) -> Build | None:
        found = self.facets.get("columnLineage")
        if found is None:
            return None
        fields, whole = found.get("fields") or {}, found.get("dataset") or []
        edges = {(one["name"], one["field"], key) for key, value in fields.items() for one in value["inputFields"]}
        rows = {(one["name"], one["field"], None) for one in whole}
        statuses = dict.fromkeys((one["name"] for one in self.beside), "silent")
        statuses |= {key: "traced" if value["inputFields"] else "constant" for key, value in fields.items()}
        return Build(frozenset(edges | rows), frozenset(statuses.items()))

    @property
    def parent(self) -> Any:
        return self.run and self.run.parent


def writes_of(run: Run) -> list[Write]:
    """What it said of each output; what a FAIL or ABORT says of a schema, of columns or of a change never counts."""
    found = []
    for name in run.outputs:
        named = [(word, one) for word in run.words for one in word.named("outputs") if one["name"] == name]
        gated = [(word, one, one.get("facets") or {}) for word, one in named if word.kind not in ("FAIL", "ABORT")]
        told: dict[str, Facet] = {}
        beside: list[Facet] = []
        for key in {key for _, _, facets in gated for key in facets}:
            said = [(word, facets[key]) for word, _, facets in gated if says(key, facets.get(key))]
            if facet := newest_facet(said):
                told[key] = facet
                holder = next(facets for _, _, facets in gated if facets.get(key) is facet)
                if key == "columnLineage" and not facet.get("_deleted"):
                    beside = (holder.get("schema") or {}).get("fields") or []
        subset = any((one.get("outputFacets") or {}).get("subset") for _, one, _ in gated)
        found.append(Write(name, run.job, run, run.kind_of(name), run.at, run.first, told, subset, run.inputs, beside))
    return found


def static_write(word: Word) -> Write:
    one = word.event["dataset"]
    facets = {key: facet for key, facet in (one.get("facets") or {}).items() if facet is not None}
    return Write(one["name"], None, None, EFFECTIVE, word.at, word.at, facets, False)


class History:
    """Which name became which, and when."""

    def __init__(self, writes: Iterable[Write]) -> None:
        effective = [write for write in writes if write.kind == EFFECTIVE]
        self.moves = sorted({(w.at, w.came_from, w.name) for w in effective if w.came_from and w.came_from != w.name})

    def follow(self, name: Name, since: datetime, until: datetime | None = None) -> Name | None:
        """What a thing that was called so is called later (before `until`); None if another took its name."""
        own = True
        while True:
            given = {at for at, _, new in self.moves if new == name}
            away = [
                (at, new)
                for at, old, new in self.moves
                if old == name and (at > since or (own and at == since and at not in given))
            ]
            leaves, called = min(away, default=(None, name))
            if leaves is not None and until is not None and leaves >= until:
                leaves = None
            if any(since < at and (leaves is None or at < leaves) and (until is None or at < until) for at in given):
                return None
            if leaves is None:
                return name
            name, since, own = called, leaves, False

    def now(self, write: Write) -> Name | None:
        return self.follow(write.name, write.at)


@dataclass
class Slot:
    """What is in force of a table and a job."""

    sources: set[Name]
    builds: list[Build]


class State:
    """All that follows from a set of events."""

    def __init__(self, events: Iterable[dict[str, Any]]) -> None:
        known = {open_envelope(orjson.dumps(event)).id: event for event in events}  # a repeat says nothing new
        words = [Word(event, content) for content, event in known.items()]
        told: dict[tuple[Name, str], list[Word]] = defaultdict(list)
        for word in words:
            if "run" in word.event:
                told[word.job, word.event["run"]["runId"]].append(word)
        self.runs = {key: Run(*key, said) for key, said in told.items()}
        self.writes = [write for run in self.runs.values() for write in writes_of(run)]
        self.writes += [static_write(word) for word in words if "dataset" in word.event]
        self.history = History(self.writes)
        self.words = words

    # -- runs

    def has_ended(self, key: tuple[Name, str], below: Run) -> bool:
        """Whether a run has; where its job said nothing of it, any other of that id counts, for jobs are misnamed."""
        meant = [self.runs[key]] if key in self.runs else [run for run in self.runs.values() if run.id == key[1]]
        return any(run.end is not None and run is not below for run in meant)

    def expect_run(self, run: Run) -> dict[str, Any]:
        ended = run.end.at if run.end else None
        lasts = ended and run.started and ended >= run.started
        return {
            "state": run.state(self.has_ended),
            "started": run.started,
            "ended": ended,
            "duration": (ended - run.started).total_seconds() if ended and run.started and lasts else None,
            "parent": run.parent,
        }

    # -- tables

    def of(self, name: Name) -> list[Write]:
        """Writes of what is called so now."""
        return [write for write in self.writes if self.history.now(write) == name]

    def ended(self, write: Write) -> bool:
        """Whether a DROP ended it: a later one, of the name that it had then."""
        return any(
            drop.change == "DROP"
            and drop.kind == EFFECTIVE
            and drop.at > write.at
            and self.history.follow(write.name, write.at, drop.at) == drop.name
            for drop in self.writes
        )

    def alive(self, name: Name) -> list[Write]:
        return [write for write in self.of(name) if not self.ended(write) and write.kind != FAILED]

    def is_deleted(self, name: Name) -> bool:
        drops = [w.at for w in self.writes if w.kind == EFFECTIVE and w.change == "DROP" and w.name == name]
        given = [at for at, _, new in self.history.moves if new == name]
        here = [w.at for w in self.writes if w.kind == EFFECTIVE and w.change != "DROP" and w.name == name]
        dropped = bool(drops) and max(drops) > max([*here, *given], default=NEVER)
        return dropped or self.leads_to(name) != name

    def leads_to(self, name: Name) -> Name:
        """What is asked for by a name: what became of it, where it was renamed away and not made again."""
        gone = [at for at, old, _ in self.history.moves if old == name]
        if not gone:
            return name
        here = [w.at for w in self.writes if w.kind == EFFECTIVE and w.name == name]
        here += [at for at, _, new in self.history.moves if new == name]
        if any(self.history.follow(name, at) == name for at in here):
            return name
        return self.history.follow(name, max(gone)) or name

    def fields(self, name: Name) -> list[str]:
        drop = ("DROP", EFFECTIVE)
        written = [w for w in self.alive(name) if w.schema is not None and (w.change, w.kind) != drop]
        for kind in (EFFECTIVE, PENDING):  # what is pending isn't carried along by a RENAME
            if stated := [
                write for write in written if write.kind == kind and (kind == EFFECTIVE or write.name == name)
            ]:
                return sorted(max(stated, key=lambda write: write.order).schema or [])
        return sorted(self._read(name))

    def _read(self, name: Name) -> set[str]:
        """The fields that its readers saw last, since a DROP."""
        drops = [w.at for w in self.writes if w.name == name and w.kind == EFFECTIVE and w.change == "DROP"]
        since = max(drops, default=NEVER)
        last: dict[Name, tuple[Any, Facet]] = {}
        for word in self.words:
            for one in word.named("inputs"):
                seen = (one.get("facets") or {}).get("schema")
                if word.kind in ("FAIL", "ABORT") or word.at < since:
                    continue
                if one["name"] == name and seen and seen.get("fields"):
                    last[word.job] = max(last.get(word.job, (word.key, seen)), (word.key, seen), key=lambda p: p[0])
        return {one["name"] for _, seen in last.values() for one in seen["fields"]}

    def slots(self, name: Name) -> dict[Name | None, Slot]:
        found: dict[Name | None, Slot] = {}
        alive = self.alive(name)
        for job in {write.job for write in alive}:
            own = [write for write in alive if write.job == job and write.change != "DROP"]
            effective = [write for write in own if write.kind == EFFECTIVE]
            group = together(effective or own)
            if not group or self._overwritten(group[-1], name):
                continue
            carrying = [write for write in effective if write.build] or [write for write in own if write.build]
            builds = [self._moved(write.build, write.at) for write in together(carrying) if write.build]
            sources = {self._at_home(source, write.at) for write in group for source in write.inputs}
            sources |= {source for build in builds for source, _, _ in build.edges}
            found[job] = Slot(sources, builds)
        if any(found):
            found.pop(None, None)
        return found

    def _overwritten(self, write: Write, name: Name) -> bool:
        return any(
            other.kind == EFFECTIVE
            and other.change == "OVERWRITE"
            and not other.subset
            and other.job != write.job
            and other.began > write.at
            for other in self.of(name)
        )

    def _at_home(self, source: Name, at: datetime) -> Name:
        """What a source is called now."""
        return self.history.follow(source, at) or source

    def _moved(self, build: Build, at: datetime) -> Build:
        edges = {(self._at_home(source, at), column, to) for source, column, to in build.edges}
        return Build(frozenset(edges), build.fields)

    @cached_property
    def sources(self) -> set[tuple[Name, str]]:
        """The columns that others are made from."""
        slots = [slot for name in {write.name for write in self.writes} for slot in self.slots(name).values()]
        return {(source, column) for slot in slots for build in slot.builds for source, column, _ in build.edges}

    def expect_table(self, name: Name) -> dict[str, Any]:
        meant = self.leads_to(name)
        life = {"deleted": self.is_deleted(name), "target": meant}
        if meant == name:  # what a name that leads elsewhere shows as its own fields is left open
            life["fields"] = self.fields(name)
        return life | self._graph(meant)

    def _graph(self, name: Name) -> dict[str, Any]:
        slots = self.slots(name)
        statuses: dict[str, set[str]] = {one: set() for one in self.fields(name)}
        for slot in slots.values():
            for build in slot.builds:
                for column, status in build.fields:
                    statuses.setdefault(column, set()).add(status)
        for source, column in self.sources:
            if source == name:
                statuses.setdefault(column, set())
        made = any(w.kind == EFFECTIVE and w.change != "DROP" and w.name == name for w in self.writes)
        missing = "unresolved" if slots or made else "source"
        return {
            "tables": sorted(
                (source, job or "", name) for job, slot in slots.items() for source in slot.sources or {""}
            ),
            "columns": sorted(
                {
                    (source, column, to or "", job or "")
                    for job, slot in slots.items()
                    for build in slot.builds
                    for source, column, to in build.edges
                }
            ),
            "statuses": {
                column: next((s for s in ("unresolved", "traced", "constant") if s in told), missing)
                for column, told in statuses.items()
            },
        }


def together(writes: list[Write]) -> list[Write]:
    """The newest write with those that count with it: of its parent run, back to what replaced all before."""
    ordered = sorted(writes, key=lambda write: write.order)
    if not ordered or ordered[-1].kind != EFFECTIVE or ordered[-1].parent is None:
        return ordered[-1:]
    family = [write for write in ordered if write.parent == ordered[-1].parent]
    replaced = [i for i, write in enumerate(family) if write.change in ("OVERWRITE", "TRUNCATE")]
    return family[max(replaced, default=0) :]
