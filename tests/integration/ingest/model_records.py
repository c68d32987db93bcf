"""The rules of docs/merge.md once more, as plain as can be: who told what, and when.

The `model_*` files know nothing of the product but its ids. They take a set of records and say what the API must
answer. They may be slow: they are to be obvious.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from lineal_receiver.ids import NONE, job_id, run_uuid
from lineal_receiver.ingest.envelope import open_envelope

Name = tuple[str, str]
Facet = dict[str, Any]
Key = tuple[Any, ...]
RunKey = tuple[Name, str]

RANKS = {"START": 0, "RUNNING": 1, "OTHER": 1}
ENDS = {"FAIL": 0, "ABORT": 1, "COMPLETE": 2}
LAST = 2


def name_of(thing: dict[str, Any]) -> Name:
    """The namespace and name of a job or dataset."""
    return thing["namespace"], thing["name"]


@dataclass(frozen=True)
class Word:
    """What one event says."""

    at: datetime
    kind: str | None
    future: bool
    body: dict[str, Any]

    @property
    def rank(self) -> tuple[datetime, int]:
        """What orders words: time, then rank (a START first, ends and static events last)."""
        return self.at, RANKS.get(self.kind or "", LAST if "run" not in self.body or self.kind in ENDS else 1)

    @property
    def id(self) -> bytes:
        """What decides between words of one time and rank."""
        return open_envelope(content_of(self.body).encode()).id

    @property
    def key(self) -> Key:
        """What orders words in full."""
        return *self.rank, self.id

    @property
    def failed(self) -> bool:
        """Whether it only says that something went wrong."""
        return self.kind in ("FAIL", "ABORT")

    def names(self, side: str) -> list[dict[str, Any]]:
        """The inputs or outputs that it names; a DatasetEvent names its dataset as an output."""
        if "dataset" in self.body:
            return [self.body["dataset"]] if side == "outputs" else []
        return self.body.get(side) or []


@dataclass
class Teller:
    """Whoever tells: a run, or the JobEvents of a job (no run), or the DatasetEvents of a dataset (no job)."""

    job: Name | None
    run: str | None
    words: list[Word] = field(default_factory=list)

    @property
    def ids(self) -> tuple[bytes, bytes]:
        """What decides between tellers of one time: of the least what it says counts."""
        return (job_id(*self.job) if self.job else NONE).bytes, (UUID(self.run) if self.run else NONE).bytes

    @property
    def future(self) -> bool:
        """Whether any event of it claims to be from the future."""
        return any(word.future for word in self.words)

    @property
    def end(self) -> Word | None:
        """The end that decides: the earliest; at one time FAIL before ABORT before COMPLETE."""
        ends = [word for word in self.words if word.kind in ENDS]
        return min(ends, key=lambda word: (word.at, ENDS[word.kind or ""], word.id), default=None)

    @property
    def first_at(self) -> datetime:
        """The time of its first event."""
        return min(word.at for word in self.words)

    @property
    def last_at(self) -> datetime:
        """The time of its newest event."""
        return max(word.at for word in self.words)

    @property
    def started(self) -> datetime | None:
        """The earliest START, else the earliest RUNNING."""
        for kind in ("START", "RUNNING"):
            if times := [word.at for word in self.words if word.kind == kind]:
                return min(times)
        return None

    @property
    def streaming(self) -> bool:
        """Whether the newest jobType that it gave says so."""
        told = self.facet("job", "jobType") or {}
        return str(told.get("processingType")).upper() in ("STREAMING", "SERVICE")

    def facet(self, of: str, name: str) -> Facet | None:
        """The newest facet of its run or job."""
        return newest([(word, word.body[of]) for word in self.words if of in word.body], name)


def newest(said: Iterable[tuple[Word, dict[str, Any]]], name: str, holder: str = "facets") -> Facet | None:
    """The newest facet of a name among what was said; a null says nothing, one that is deleted has `_deleted`."""
    told = [
        (*word.rank, not facet.get("_deleted"), word.id, facet)
        for word, thing in said
        if (facet := (thing.get(holder) or {}).get(name)) is not None
    ]
    return max(told, key=lambda one: one[:4])[4] if told else None


def content_of(thing: Any) -> str:
    """A record as text, the same for the same content."""
    return json.dumps(thing, sort_keys=True)


def gather(records: Iterable[dict[str, Any]], now: datetime) -> list[Teller]:
    """All that tell, from a set of events; what comes twice counts once."""
    tellers: dict[tuple[Name | None, Any], Teller] = {}
    for text in sorted({content_of(record) for record in records}):
        body = json.loads(text)
        at = datetime.fromisoformat(body["eventTime"].replace("Z", "+00:00"))
        word = Word(at, body.get("eventType"), at > now, body)
        if "dataset" in body:
            teller = Teller(None, None)
            key: tuple[Name | None, Any] = (None, name_of(body["dataset"]))
        else:
            run = str(run_uuid(body["run"]["runId"])[0]) if "run" in body else None
            teller = Teller(name_of(body["job"]), run)
            key = (teller.job, run)
        tellers.setdefault(key, teller).words.append(word)
    return list(tellers.values())


def above(facet: Facet | None) -> tuple[RunKey | None, RunKey | None]:
    """The parent and the root that a parent facet names."""
    if facet is None:
        return None, None
    root = facet.get("root")
    return _run_key(facet), _run_key(root) if root else None


def _run_key(named: Facet) -> RunKey:
    return name_of(named["job"]), str(run_uuid(named["run"]["runId"])[0])


def find_above(run: Teller) -> tuple[RunKey | None, RunKey | None]:
    """The parent and the root of a run, by its newest parent facet that doesn't name the run itself."""
    said = [(word, word.body["run"]) for word in run.words if "run" in word.body]
    own = (run.job, run.run)
    told = [(word, one) for word, one in said if above((one.get("facets") or {}).get("parent"))[0] != own]
    return above(newest(told, "parent"))
