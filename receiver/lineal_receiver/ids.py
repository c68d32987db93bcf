"""Ids as hashes of content: the same name or body has the same id everywhere, without a look-up or a sequence.

Run ids that aren't UUIDs become name-based ones, as in Marquez (MD5, no namespace). See `docs/merge.md`.
"""

import re
from collections.abc import Iterable
from datetime import datetime, timedelta, timezone
from functools import lru_cache
from hashlib import md5, sha256
from uuid import UUID

# The driver's UUIDs, which rows have too: Python's in every way, but made, hashed and compared in C, ten times as fast.
from asyncpg.pgproto import pgproto

NONE: UUID = pgproto.UUID(bytes(16))

# What stands in the place of a run where a static event spoke; NONE: any that isn't one of these (0001, 0008). No run
# has one of these ids: one that is sent counts as text.
AHEAD: UUID = pgproto.UUID("57a71c00-0000-0000-0000-000000000001")
"""Static events from the future."""
DROPPED: UUID = pgproto.UUID("57a71c00-0000-0000-0000-000000000002")
"""Static events that drop a dataset."""
DROPPED_AHEAD: UUID = pgproto.UUID("57a71c00-0000-0000-0000-000000000003")
"""Static events from the future that drop a dataset."""
STATIC = (NONE, AHEAD, DROPPED, DROPPED_AHEAD)
EPOCH = datetime(1, 1, 1, tzinfo=timezone.utc)

_HYPHENATED = re.compile(r"[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}")
_PLAIN = re.compile(r"[0-9a-fA-F]{32}")
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")


def storable(text: str) -> str:
    """`text` as PostgreSQL can hold it: NUL and lone surrogates written out as `\\u0000`, `\\ud800`."""
    return _UNSTORABLE.sub(lambda found: f"\\u{ord(found.group()):04x}", text)


def namespace_id(name: str) -> UUID:
    """The id of the namespace called `name`."""
    return _named("namespace", name)


def job_id(namespace: str, name: str) -> UUID:
    """The id of the job `name` in `namespace`."""
    return _named("job", namespace, name)


def dataset_id(namespace: str, name: str) -> UUID:
    """The id of the dataset `name` in `namespace`."""
    return _named("dataset", namespace, name)


def version_name_id(name: str) -> UUID:
    """The id of the name of a dataset's version, as the `version` facet gives it."""
    return _named("dataset version", name)


def source_id(name: str) -> UUID:
    """The id of the data source called `name`."""
    return _named("source", name)


def tag_id(name: str) -> UUID:
    """The id of the tag called `name`."""
    return _named("tag", name)


def run_scope(job: UUID, run: UUID) -> UUID:
    """The id under which what was said during one run of one job is kept."""
    return _make(sha256(b"run" + job.bytes + run.bytes).digest())


def run_uuid(text: str) -> tuple[UUID, str | None]:
    """The UUID of a run id, and the id as it was sent where that isn't a UUID, or one of ours."""
    bare = text.strip().lower().removeprefix("urn:uuid:")
    if bare.startswith("{") and bare.endswith("}"):
        bare = bare[1:-1]
    if (_HYPHENATED.fullmatch(bare) or _PLAIN.fullmatch(bare)) and (found := pgproto.UUID(bare)) not in STATIC:
        return found, None
    digest = md5(text.encode("utf-8", "surrogatepass"), usedforsecurity=False).digest()
    return _make(UUID(bytes=digest, version=3).bytes), storable(text)


def content_id(body: bytes) -> bytes:
    """The 32-byte id of canonical content."""
    return sha256(body).digest()


def register_key(event_time: datetime, rank: int, content_hash: bytes) -> bytes:
    """A key that orders assertions bytewise: by time, then rank, then content (`event_time` has a zone)."""
    return microseconds(event_time).to_bytes(8, "big") + bytes((rank,)) + content_hash[:16]


def ahead_key(key: bytes) -> bytes:
    """The key, among several runs', of what is said from the future: below that of any time after the year 1 began."""
    return bytes(8) + key


def first_key(event_time: datetime) -> bytes:
    """The least of the keys at a time and after it."""
    return microseconds(event_time).to_bytes(8, "big")


def time_of(key: bytes) -> datetime:
    """The time that a key begins with."""
    return EPOCH + timedelta(microseconds=int.from_bytes(key[:8], "big"))


def microseconds(time: datetime) -> int:
    """Microseconds from the year 1 to `time`, exactly."""
    passed = time - EPOCH
    return (passed.days * 86_400 + passed.seconds) * 1_000_000 + passed.microseconds


@lru_cache(maxsize=65_536)
def _named(kind: str, *parts: str) -> UUID:
    hashed = sha256()
    for part in (kind, *parts):
        encoded = storable(part).encode()
        hashed.update(len(encoded).to_bytes(4, "big"))
        hashed.update(encoded)
    return _make(hashed.digest())


def version_id(job: UUID, inputs: Iterable[UUID], outputs: Iterable[UUID], location: str | None) -> UUID:
    """The id of a job's version: the same inputs, outputs and place of its code are the same version."""
    hashed = sha256(b"version" + job.bytes)
    for side in (inputs, outputs):
        hashed.update(b"|" + b"".join(dataset.bytes for dataset in sorted(side)))
    hashed.update(b"|" + (location or "").encode())
    return _make(hashed.digest())


def unwritten_version(dataset: UUID, schema: bytes | None) -> UUID:
    """The version of a dataset that nobody is known to have written, as `write_version()` in SQL gives it."""
    return _make(sha256(dataset.bytes + NONE.bytes + NONE.bytes + (schema or b"")).digest())


def _make(digest: bytes) -> UUID:
    made: UUID = pgproto.UUID(digest[:16])
    return made
