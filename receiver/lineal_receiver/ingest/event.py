"""An accepted event: what it says, who it is about, and which of its facets can be believed."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from lineal_receiver.ids import job_id, run_uuid
from lineal_receiver.ingest.envelope import Envelope, Facet
from lineal_receiver.ingest.validate import Finding, Verdict, is_deletion

FUTURE = 1 << 0
# Of events that stand for commands; no record has them.
AT_ONCE = 1 << 28
"""What the run is said to have written counts though it hasn't ended."""
NAMES_FOR_GOOD = 1 << 27
"""What the run is said to read and write counts as named before its end."""
NO_VERSION = 1 << 29
"""No version of the job is declared."""
TOLERANCE = timedelta(minutes=10)
LARGE = 1024 * 1024
"""Bodies beyond so many bytes have a transaction of their own."""

Facets = dict[str, Facet]


@dataclass(frozen=True, slots=True)
class Event:
    """An accepted event, ready to be kept."""

    kind: str
    event_type: str | None
    time: datetime
    id: bytes
    flags: int
    body: bytes
    job: UUID | None
    run: UUID | None
    content: dict[str, Any]
    facets: dict[str, Facets]
    invalid: frozenset[str]
    findings: tuple[Finding, ...] = ()
    again: "Callable[[], Event] | None" = field(default=None, compare=False, repr=False)
    """Reads the event from its body once more; None: `forget_tree` leaves it whole."""

    def with_tree(self) -> "Event":
        """The event with all that `forget_tree` let go of, for another attempt."""
        return self if self.content or self.again is None else self.again()

    def forget_tree(self) -> None:
        """Let go of what was parsed of a large event once its rows are made: it takes several times the body."""
        if len(self.body) > LARGE and self.again is not None:
            self.content.clear()
            self.facets.clear()

    def facet(self, holder: str, key: str) -> dict[str, Any] | None:
        """The value of a facet at `holder` (a pointer), where it can be believed and isn't a deletion."""
        found = self.facets.get(holder, {}).get(key)
        if found is None or found.pointer in self.invalid or is_deletion(found):
            return None
        return found.value if isinstance(found.value, dict) else None


def build_event(envelope: Envelope, verdict: Verdict, received_at: datetime) -> Event:
    """The event of a body that was taken."""
    if verdict.time is None:
        raise ValueError("a refused event can't be kept")
    content = envelope.event
    facets: dict[str, Facets] = {}
    for sent in envelope.facets:
        bare = verdict.readable.get(sent.pointer)
        facet = sent if bare is None else replace(sent, value=bare)
        facets.setdefault(facet.pointer.rpartition("/")[0], {})[facet.key] = facet
    job = job_id(content["job"]["namespace"], content["job"]["name"]) if verdict.kind != "dataset" else None
    run = run_uuid(content["run"]["runId"])[0] if verdict.kind == "run" else None
    future = FUTURE if verdict.time.instant > received_at + TOLERANCE else 0
    return Event(
        kind=verdict.kind,
        event_type=content.get("eventType") if verdict.kind == "run" else None,
        time=verdict.time.instant,
        id=envelope.id,
        flags=envelope.flags | verdict.flags | future,
        body=envelope.body,
        job=job,
        run=run,
        content=content,
        facets=facets,
        invalid=verdict.invalid,
        findings=verdict.findings,
    )
