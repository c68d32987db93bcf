"""What one event asserts, in the form in which all is kept: names, registers and statements. Pure."""

from datetime import timezone
from typing import Any
from uuid import UUID

from lineal_receiver.ids import (
    AHEAD,
    DROPPED,
    DROPPED_AHEAD,
    NONE,
    ahead_key,
    dataset_id,
    job_id,
    namespace_id,
    register_key,
)
from lineal_receiver.ingest.builds import BuildMemo, Stated
from lineal_receiver.ingest.envelope import Facet
from lineal_receiver.ingest.event import FUTURE, Event, Facets
from lineal_receiver.ingest.explicit import read_explicit
from lineal_receiver.ingest.facts import (
    SIDES,
    Changes,
    EndFacets,
    FacetKey,
    FacetValue,
    JobFacts,
    Statement,
)
from lineal_receiver.ingest.validate import is_deletion

RANKS = {"START": 0, "RUNNING": 1, "OTHER": 1, None: 1, "FAIL": 2, "ABORT": 2, "COMPLETE": 2}
ENDS = {"FAIL": 0, "ABORT": 1, "COMPLETE": 2}
STREAMS = ("STREAMING", "SERVICE")


class Assertions:
    """Adds to the changes what one event says, whatever it says it of."""

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

    def _name_dataset(self, namespace: str, name: str) -> UUID:
        """A dataset's id; one in an empty namespace belongs to its job's, so that strangers don't meet."""
        space = namespace or f"unnamed://{self.job_namespace}"
        identity = dataset_id(space, name)
        self.changes.add_dataset(identity, self._name_namespace(space), name, self.event.time)
        return identity

    def _find_holder(self, facets: Facets, side: str) -> UUID:
        """The run, or what stands for it: static events that drop a dataset are writes apart from others."""
        if self.static and side == "o":
            lifecycle = self._believed(facets, "lifecycleStateChange") or {}
            if lifecycle.get("lifecycleStateChange") == "DROP":
                return DROPPED_AHEAD if self.ahead else DROPPED
        return self.run

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


def is_gone(facets: Facets, key: str) -> bool:
    """Whether a facet is deleted here."""
    return key in facets and is_deletion(facets[key])
