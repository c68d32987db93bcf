"""What events assert, as rows that can be joined in any order: minima, maxima, unions and registers (max by key)."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from functools import cached_property
from hashlib import sha256
from typing import NamedTuple
from uuid import UUID

from lineal_receiver.ids import namespace_id
from lineal_receiver.ingest.command_facts import CommandFacts
from lineal_receiver.ingest.joins import earliest, newest

IoKey = tuple[UUID, UUID, UUID, str]
FacetKey = tuple[UUID, UUID, str, str]
ClaimKey = tuple[UUID, UUID, UUID, UUID, str, bool]
RenameKey = tuple[UUID, UUID, UUID, UUID, bool]
StatementKey = tuple[UUID, UUID, str, bool, bytes]


@dataclass(slots=True)
class RunFacts:
    """Facts and registers of a run; a placeholder was only named by others. seen_at: its newest event of now.

    ahead: an event is from the future; the last item of `end` says so of that.
    """

    external_id: str | None = None
    start_at: datetime | None = None
    running_at: datetime | None = None
    first_at: datetime | None = None
    last_at: datetime | None = None
    mentioned_at: datetime | None = None
    seen_at: datetime | None = None
    typed: bool = False
    end: tuple[bytes, datetime, int, tuple[UUID, ...], bool] | None = None
    ends_seen: int = 0
    parent: tuple[bytes, UUID, UUID, UUID | None, UUID | None] | None = None
    nominal: tuple[bytes, datetime | None, datetime | None] | None = None
    streaming: tuple[bytes, bool] | None = None
    location: tuple[bytes, str] | None = None
    ahead: bool = False

    @property
    def future(self) -> bool:
        """Whether what dates it is from the future: the end, or all events of a run without one."""
        return not self.placeholder and (self.seen_at is None if self.end is None else self.end[4])

    @property
    def placeholder(self) -> bool:
        """Whether no event of the run itself is among these."""
        return self.first_at is None


@dataclass(slots=True)
class JobFacts:
    """Facts and registers of a job; ahead: of JobEvents from the future."""

    namespace: UUID
    created_at: datetime | None = None
    seen_at: datetime | None = None
    ahead_at: datetime | None = None
    mentioned_at: datetime | None = None
    parent: tuple[bytes, UUID] | None = None
    streaming: tuple[bytes, bool] | None = None
    ahead_streaming: tuple[bytes, bool] | None = None


@dataclass(slots=True)
class IoFacts:
    """What a run, or a static event, said of a dataset; ahead: only by events from the future."""

    said_at: datetime
    named_at: datetime | None = None
    stated: tuple[bytes, datetime] | None = None
    subset: bool = False
    lifecycle: tuple[bytes, str | None] | None = None
    schema: tuple[bytes, bytes] | None = None
    build: tuple[bytes, bytes] | None = None
    ahead: bool = True


class Edge(NamedTuple):
    """One input field of an output field; target_field '' is the whole output. A tuple, as an event has many."""

    target_field: str
    source_dataset: UUID
    source_field: str
    type: str
    subtype: str
    masking: bool
    expression: str | None


class ColumnStatus(NamedTuple):
    """What is known of an output column."""

    field: str
    position: int
    status: str
    reason: str | None
    message: str | None
    expression: str | None


@dataclass(frozen=True, slots=True)
class Build:
    """One reading of what makes a dataset's columns, with the id of all of it."""

    id: bytes
    model_id: str
    job: UUID
    dataset: UUID
    sql_hash: str | None
    schema_hash: str | None
    lineage_hash: str | None
    out_columns: tuple[str, ...]
    ref_relations: str
    dialect: str | None
    sqlglot_version: str | None
    rules_version: str | None
    status: str
    error_message: str | None
    edge_set: bytes
    edges: tuple[Edge, ...]
    columns: tuple[ColumnStatus, ...]

    def count_columns(self) -> list[tuple[str, str | None, int]]:
        """How many columns have which status, for which reason, in order."""
        counts = Counter((column.status, column.reason) for column in self.columns)
        in_order = sorted(counts, key=lambda one: (one[0], one[1] is not None, one[1] or ""))
        return [(*known, counts[known]) for known in in_order]


@dataclass(frozen=True, slots=True)
class FacetValue:
    """A facet's register: `body` None is a tombstone."""

    key: bytes
    at: datetime
    body: bytes | None


SIDES = frozenset("jwd")
"""Of jobs, and of datasets by their writers and readers: these facets are mostly those of the run before."""


@dataclass
class EndFacets:
    """The facets that one end of a run carries, of `SIDES`, with their content; they are kept together."""

    at: datetime
    facets: dict[FacetKey, bytes] = field(default_factory=dict)

    @property
    def members(self) -> list[tuple[UUID, str, str, bytes]]:
        """(entity, side, name, content), sorted. Which run's they are isn't in it."""
        return sorted((entity, side, name, body) for (entity, _, side, name), body in self.facets.items())

    @cached_property
    def id(self) -> bytes:
        """The id of the set, by its content."""
        hashed = sha256()
        for entity, side, name, body in self.members:
            text = name.encode()
            hashed.update(b"".join((entity.bytes, side.encode(), len(text).to_bytes(4, "big"), text, body)))
        return hashed.digest()


@dataclass(frozen=True, slots=True)
class Told:
    """What a `lineage` facet states of a dataset, or (dataset none) that it was given: sources, build, deletion."""

    key: bytes | None
    deleted_key: bytes | None = None
    sources: tuple[UUID, ...] | None = None
    build: bytes | None = None

    def join(self, other: "Told") -> "Told":
        """Both, as registers."""
        said = self if (self.key or b"") >= (other.key or b"") else other
        deleted = max(self.deleted_key or b"", other.deleted_key or b"") or None
        return Told(said.key, deleted, said.sources, said.build)


@dataclass(frozen=True, slots=True)
class Statement:
    """What one static event said of lineage, by its kind: a build, sources, or what a JobEvent names on one side.

    Its key: dataset or none, job or none, kind, whether from the future, register key. Kinds: b a build, t told by a
    `lineage` facet, n that this is told no more, w all was written anew, i inputs, o outputs, s a schema.
    """

    build: bytes | None = None
    schema: bytes | None = None
    datasets: tuple[UUID, ...] = ()


@dataclass(frozen=True, slots=True)
class Version:
    """A job's inputs, outputs and place of its code, and when a JobEvent, or a stream, first declared them.

    at: None if only events from the future did.
    """

    inputs: tuple[UUID, ...]
    outputs: tuple[UUID, ...]
    location: str | None
    at: datetime | None

    def join(self, at: datetime | None) -> "Version":
        """The same, declared at another time, too."""
        return replace(self, at=earliest(self.at, at))


@dataclass(slots=True)
class Changes:
    """All that a set of events asserts, a row a key; ahead: the jobs, or none, of those from the future."""

    namespaces: dict[UUID, tuple[str, datetime]] = field(default_factory=dict)
    job_names: dict[UUID, tuple[UUID, str]] = field(default_factory=dict)
    dataset_names: dict[UUID, tuple[UUID, str, datetime]] = field(default_factory=dict)
    jobs: dict[UUID, JobFacts] = field(default_factory=dict)
    runs: dict[tuple[UUID, UUID], RunFacts] = field(default_factory=dict)
    io: dict[IoKey, IoFacts] = field(default_factory=dict)
    schemas: dict[bytes, str] = field(default_factory=dict)
    bodies: dict[bytes, tuple[bytes, date]] = field(default_factory=dict)
    builds: dict[bytes, Build] = field(default_factory=dict)
    facets: dict[FacetKey, FacetValue] = field(default_factory=dict)
    end_facets: dict[tuple[UUID, UUID], dict[bytes, EndFacets]] = field(default_factory=dict)
    reader_schemas: dict[tuple[UUID, UUID], tuple[bytes, bytes]] = field(default_factory=dict)
    named_versions: dict[IoKey, tuple[bytes, UUID]] = field(default_factory=dict)
    versions: dict[tuple[UUID, UUID], Version] = field(default_factory=dict)
    ahead_versions: dict[tuple[UUID, UUID, UUID], datetime] = field(default_factory=dict)
    told: dict[tuple[UUID, UUID, UUID], Told] = field(default_factory=dict)
    statements: dict[StatementKey, Statement] = field(default_factory=dict)
    alias_namespaces: dict[UUID, str] = field(default_factory=dict)
    alias_names: dict[UUID, tuple[UUID, str]] = field(default_factory=dict)
    claims: dict[ClaimKey, datetime] = field(default_factory=dict)
    renames: dict[RenameKey, datetime] = field(default_factory=dict)
    ahead: set[UUID] = field(default_factory=set)
    hours: Counter[tuple[datetime, str, str]] = field(default_factory=Counter)
    commands: CommandFacts = field(default_factory=CommandFacts)

    def add_namespace(self, identity: UUID, name: str, at: datetime) -> None:
        """A namespace was named at this time."""
        _, known = self.namespaces.get(identity, (name, at))
        self.namespaces[identity] = (name, min(known, at))

    def add_dataset(self, identity: UUID, namespace: UUID, name: str, at: datetime) -> None:
        """A dataset was named at this time."""
        _, _, known = self.dataset_names.get(identity, (namespace, name, at))
        self.dataset_names[identity] = (namespace, name, min(known, at))

    def add_alias_name(self, identity: UUID, namespace: str, name: str) -> None:
        """A dataset was named as an alias, which doesn't list it."""
        space = namespace_id(namespace)
        self.alias_namespaces[space] = namespace
        self.alias_names[identity] = (space, name)

    def only_aliases(self) -> Iterable[tuple[UUID, tuple[UUID, str]]]:
        """The datasets that are named as aliases and not otherwise, with (namespace, name)."""
        return (item for item in self.alias_names.items() if item[0] not in self.dataset_names)

    def add_claim(self, key: ClaimKey, at: datetime) -> None:
        """(alias, declarer, job, run, side, future) was said then; alias none: what was said before is withdrawn."""
        self.claims[key] = max(at, self.claims.get(key, at))

    def add_rename(self, key: RenameKey, at: datetime) -> None:
        """(old, new, job, run, future): new was called old before, as was said at this time."""
        self.renames[key] = max(at, self.renames.get(key, at))

    def add_reader_schema(self, dataset: UUID, job: UUID, key: bytes, schema: bytes) -> None:
        """A job read a dataset with this schema."""
        known = self.reader_schemas.get((dataset, job))
        self.reader_schemas[dataset, job] = newest(known, (key, schema)) or (key, schema)

    def add_facet(self, key: FacetKey, value: FacetValue) -> None:
        """A facet's register, which the greater key wins."""
        known = self.facets.get(key)
        if known is None or value.key > known.key:
            self.facets[key] = value

    def add_told(self, key: tuple[UUID, UUID, UUID], told: Told) -> None:
        """A `lineage` facet of (job, run, dataset or none) said so."""
        known = self.told.get(key)
        self.told[key] = told if known is None else known.join(told)

    def add_version(self, job: UUID, identity: UUID, version: Version) -> None:
        """A job version was declared; the earliest time stays."""
        known = self.versions.get((job, identity))
        self.versions[job, identity] = version if known is None else known.join(version.at)

    def add_ahead_version(self, job: UUID, identity: UUID, run: UUID, at: datetime) -> None:
        """A stream's run, or none, declared a version from the future; the earliest time stays."""
        self.ahead_versions[job, identity, run] = min(at, self.ahead_versions.get((job, identity, run), at))

    def add_body(self, identity: bytes, text: bytes, day: date) -> None:
        """A facet's text was seen on this day."""
        _, known = self.bodies.get(identity, (text, day))
        self.bodies[identity] = (text, max(known, day))

    def real_runs(self) -> Iterable[tuple[UUID, UUID]]:
        """The runs of which there are events."""
        return (key for key, run in self.runs.items() if not run.placeholder)
