"""What commands assert beyond what events do, as rows that can be joined in any order."""

from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from lineal_receiver.ingest.joins import join_seen, latest, newest

Text = tuple[bytes, str | None]


@dataclass(slots=True)
class NamespaceFacts:
    """Registers of a namespace."""

    updated_at: datetime
    owner: Text | None = None
    description: Text | None = None


@dataclass(frozen=True, slots=True)
class SourceFacts:
    """A data source as it was put; the newest key wins, the earliest creation stays."""

    name: str
    key: bytes
    type: str
    url: str
    description: str | None
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True, slots=True)
class Tombstone:
    """An entity was deleted: its kind, its namespace, and what had been seen of it."""

    kind: str
    namespace: UUID
    mark: bytes


@dataclass(frozen=True, slots=True)
class Order:
    """An operator's alias of a name, or (target None) the end of it."""

    kind: str
    target: UUID | None
    key: bytes
    at: datetime


@dataclass(frozen=True, slots=True)
class Horizon:
    """The time from which on events are folded (None: all are), who set it, when and why."""

    key: bytes
    at: datetime | None
    set_at: datetime
    made_by: str
    why: str


@dataclass(frozen=True, slots=True)
class Redaction:
    """What was taken out of the log: a text, or what pointers into one record name. The text itself isn't told."""

    at: datetime
    what: str
    made_by: str
    why: str
    record: bytes | None
    pointers: tuple[str, ...]
    records: int
    rejected: int


@dataclass(slots=True)
class CommandFacts:
    """All that a set of commands asserts beyond what events do, a row a key."""

    namespaces: dict[UUID, NamespaceFacts] = field(default_factory=dict)
    sources: dict[UUID, SourceFacts] = field(default_factory=dict)
    tags: dict[UUID, tuple[str, Text | None]] = field(default_factory=dict)
    tagged: dict[tuple[UUID, str, str], tuple[datetime | None, datetime | None]] = field(default_factory=dict)
    declarations: dict[UUID, tuple[bytes, str]] = field(default_factory=dict)
    schema_locations: dict[bytes, str] = field(default_factory=dict)
    versions: dict[tuple[UUID, UUID, bool, bytes], tuple[bytes, datetime]] = field(default_factory=dict)
    static_seen: dict[tuple[UUID, UUID, bool], bytes] = field(default_factory=dict)
    tombstones: dict[UUID, Tombstone] = field(default_factory=dict)
    trusted: set[tuple[UUID, UUID, UUID]] = field(default_factory=set)
    orders: dict[UUID, Order] = field(default_factory=dict)
    ordered_names: dict[UUID, tuple[str, UUID, str]] = field(default_factory=dict)
    ordered_namespaces: dict[UUID, str] = field(default_factory=dict)
    routes: set[tuple[UUID, UUID]] = field(default_factory=set)
    horizon: Horizon | None = None
    redactions: dict[bytes, Redaction] = field(default_factory=dict)

    def set_horizon(self, horizon: Horizon) -> None:
        """The horizon was set, or taken away."""
        if self.horizon is None or horizon.key > self.horizon.key:
            self.horizon = horizon

    def order(self, identity: UUID, order: Order) -> None:
        """A name was ordered to count as another, or not to any more."""
        known = self.orders.get(identity)
        if known is None or order.key > known.key:
            self.orders[identity] = order

    def put_namespace(self, identity: UUID, at: datetime, owner: Text | None, description: Text | None) -> None:
        """A namespace's owner and description were said."""
        known = self.namespaces.setdefault(identity, NamespaceFacts(at))
        known.updated_at = max(known.updated_at, at)
        known.owner = newest(known.owner, owner)
        known.description = newest(known.description, description)

    def put_source(self, identity: UUID, source: SourceFacts) -> None:
        """A source was put."""
        known = self.sources.get(identity)
        if known is None:
            self.sources[identity] = source
            return
        newer, older = (source, known) if source.key > known.key else (known, source)
        created = min(newer.created_at, older.created_at)
        self.sources[identity] = SourceFacts(
            newer.name, newer.key, newer.type, newer.url, newer.description, created, newer.updated_at
        )

    def put_tag(self, identity: UUID, name: str, description: Text | None) -> None:
        """A tag was described, or (None) only used."""
        _, known = self.tags.get(identity, (name, None))
        self.tags[identity] = (name, newest(known, description))

    def tag(self, entity: UUID, field_name: str, tag: str, *, added: datetime | None, removed: datetime | None) -> None:
        """A tag was added to, or removed from, an entity or one of its fields."""
        before = self.tagged.get((entity, field_name, tag), (None, None))
        self.tagged[entity, field_name, tag] = (latest(before[0], added), latest(before[1], removed))

    def declare(self, job: UUID, key: bytes, body: str) -> None:
        """A job was put with this."""
        self.declarations[job] = newest(self.declarations.get(job), (key, body)) or (key, body)

    def add_version(self, place: tuple[UUID, UUID, bool, bytes], key: bytes, at: datetime) -> None:
        """A static event stated, at (dataset, job or none, whether from the future), this schema."""
        self.versions[place] = newest(self.versions.get(place), (key, at)) or (key, at)

    def see(self, dataset: UUID, job: UUID, seen: bytes, *, future: bool) -> None:
        """A static event of a job, or of none, named a dataset."""
        place = (dataset, job, future)
        self.static_seen[place] = join_seen(self.static_seen.get(place), seen)

    def delete(self, entity: UUID, tombstone: Tombstone) -> None:
        """An entity was deleted."""
        known = self.tombstones.get(entity)
        mark = join_seen(known.mark if known else None, tombstone.mark)
        self.tombstones[entity] = Tombstone(tombstone.kind, tombstone.namespace, mark)
