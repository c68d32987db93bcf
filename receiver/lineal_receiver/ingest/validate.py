"""Judge an event: refused with a pointer, a rule and what was expected, or taken with the facets that don't hold."""

from collections import OrderedDict
from dataclasses import dataclass, field, replace
from typing import Any

from lineal_receiver.ids import NONE, run_uuid
from lineal_receiver.ingest.envelope import Envelope, Facet
from lineal_receiver.ingest.faults import Fault, explain
from lineal_receiver.ingest.schemas import Bundle, Schema
from lineal_receiver.ingest.times import EXPECTED_TIME, ReadTime, parse_time

NO_SCHEMA_URL = 1 << 4
NULL_FACET = 1 << 5
NAIVE_TIME = 1 << 6
ZONE_IN_BRACKETS = 1 << 7
RUN_ID_NOT_UUID = 1 << 8
RUN_ID_SPELLED_ODDLY = 1 << 9
INVALID_FACET = 1 << 10
INVALID_CORE = 1 << 11
TIME_SPELLED_ODDLY = 1 << 12
NULL_MEMBERS = 1 << 13

DELETABLE = ("job", "dataset")

# Facets that no schema is published for: what can't be read of them isn't the sender's fault.
UNOFFICIAL = ("parentRun",)

MEMO_SIZE = 20_000


@dataclass(frozen=True, slots=True)
class Finding:
    """A facet that its schema refuses: which, by what version, and why, with pointers from the facet on."""

    facet: Facet
    version: str
    faults: tuple[Fault, ...]

    def place(self) -> list[Fault]:
        """The faults with pointers from the event on."""
        return [replace(fault, pointer=self.facet.pointer + fault.pointer) for fault in self.faults]


@dataclass(frozen=True, slots=True)
class Verdict:
    """What was found: faults refuse the event; `findings` are the facets that their schemas refuse.

    Of these `invalid` (pointers) aren't believed; `readable` (by pointer) are, without their null members.
    """

    kind: str
    time: ReadTime | None
    faults: tuple[Fault, ...]
    invalid: frozenset[str]
    flags: int
    findings: tuple[Finding, ...] = ()
    readable: dict[str, dict[str, Any]] = field(default_factory=dict)


@dataclass(slots=True)
class Judge:
    """The schemas, and the verdicts on facets that were seen before (by content, so they can't go stale)."""

    bundle: Bundle
    memo: OrderedDict[tuple[bytes, str, str], bool] = field(default_factory=OrderedDict)
    explained: OrderedDict[tuple[bytes, str, str], tuple[str, tuple[Fault, ...]]] = field(default_factory=OrderedDict)

    def judge(self, envelope: Envelope) -> Verdict:
        """The verdict on an event; lenient in a closed list of ways, each with its flag."""
        event = envelope.event
        kind, fault = tell_kind(event)
        if fault is not None:
            return Verdict(kind, None, (fault,), frozenset(), 0)
        flags = self._official_flags(envelope)
        core = self._lenient_core(envelope)
        schema = self.bundle.events[kind]
        if not schema.holds(core):
            return Verdict(kind, None, tuple(explain(schema, core)), frozenset(), flags)
        time = parse_time(event["eventTime"])
        if time is None:
            shown = f"{event['eventTime'][:80]!r} is not a time"
            return Verdict(kind, None, (Fault("/eventTime", "format", EXPECTED_TIME, shown),), frozenset(), flags)
        refused = [facet for facet in envelope.facets if not self._holds(facet)]
        flags |= _odd_times(time) | _odd_run_id(event if kind == "run" else {})
        flags |= INVALID_FACET if any(facet.key not in UNOFFICIAL for facet in refused) else 0
        readable = {facet.pointer: value for facet in refused if (value := self._read_without_nulls(facet)) is not None}
        flags |= NULL_MEMBERS if readable else 0
        invalid = frozenset(facet.pointer for facet in refused) - readable.keys()
        return Verdict(kind, time, (), invalid, flags, tuple(self._explain(facet) for facet in refused), readable)

    def _read_without_nulls(self, facet: Facet) -> dict[str, Any] | None:
        """The facet without its members that are null, if only these stand against it."""
        schema = self._choose(facet)
        if schema is None or not isinstance(facet.value, dict) or b"null" not in facet.body:
            return None
        try:
            bare = without_nulls(facet.value)
        except RecursionError:
            return None
        return bare if isinstance(bare, dict) and schema.holds(bare) else None

    def _explain(self, facet: Facet) -> Finding:
        seen = (facet.id, facet.entity, facet.key)
        found = self.explained.get(seen)
        if found is None:
            schema = self._choose(facet)
            found = ("", ()) if schema is None else (schema.version, tuple(explain(schema, facet.value)))
            self.explained[seen] = found
            if len(self.explained) > MEMO_SIZE:
                self.explained.popitem(last=False)
        return Finding(facet, *found)

    def _choose(self, facet: Facet) -> Schema | None:
        schemas = self.bundle.facets.get((facet.entity, facet.key))
        if schemas is None:
            return None
        return schemas.choose(facet.value.get("_schemaURL") if isinstance(facet.value, dict) else None)

    def _official_flags(self, envelope: Envelope) -> int:
        """What of the core the official schema refuses and we take."""
        flags = 0 if "schemaURL" in envelope.event else NO_SCHEMA_URL | INVALID_CORE
        if envelope.null_facets:
            flags |= NULL_FACET | INVALID_CORE
            if any((entity, key) in self.bundle.facets for entity, key in envelope.null_facets.values()):
                flags |= INVALID_FACET
        if any((facet.entity, facet.key) in self.bundle.facets and find_base_fault(facet) for facet in envelope.facets):
            flags |= INVALID_CORE
        return flags

    def _lenient_core(self, envelope: Envelope) -> dict[str, Any]:
        """The core of the event with known facets made whole: those are judged by their own schema, and kept anyway."""
        core = envelope.core
        if "schemaURL" not in envelope.event:
            core["schemaURL"] = ""
        for facet in envelope.facets:
            if (facet.entity, facet.key) not in self.bundle.facets:
                continue
            holder: Any = core
            for part in facet.pointer.split("/")[1:-1]:
                holder = holder[int(part) if isinstance(holder, list) else part]
            whole = {"_producer": "", "_schemaURL": ""}
            if isinstance(facet.value, dict) and "_producer" not in facet.value:
                del whole["_producer"]  # who says it is asked of every facet
            holder[facet.key] = whole
        return core

    def _holds(self, facet: Facet) -> bool:
        if (facet.entity, facet.key) not in self.bundle.facets or is_deletion(facet):
            return True
        seen = (facet.id, facet.entity, facet.key)
        verdict = self.memo.get(seen)
        if verdict is None:
            schema = self._choose(facet)
            verdict = schema is None or schema.holds(facet.value)
            self.memo[seen] = verdict
            if len(self.memo) > MEMO_SIZE:
                self.memo.popitem(last=False)
        return verdict


def without_nulls(value: Any) -> Any:
    """The value without members of objects that are null, at any depth; items of lists stay."""
    if isinstance(value, dict):
        return {key: without_nulls(item) for key, item in value.items() if item is not None}
    return [without_nulls(item) for item in value] if isinstance(value, list) else value


def find_base_fault(facet: Facet) -> Fault | None:
    """What a facet lacks of what the core schema asks of every facet."""
    value = facet.value
    if not isinstance(value, dict):
        return Fault(facet.pointer, "type", "type object", "the facet isn't an object")
    for key in ("_producer", "_schemaURL"):
        if key not in value:
            return Fault(f"{facet.pointer}/{key}", "required", f"{key!r} to be there", f"{key!r} is missing")
        if not isinstance(value[key], str):
            return Fault(f"{facet.pointer}/{key}", "type", "type string", f"{key!r} isn't a string")
    if facet.entity in DELETABLE and not isinstance(value.get("_deleted", False), bool):
        return Fault(f"{facet.pointer}/_deleted", "type", "type boolean", "'_deleted' isn't true or false")
    return None


def is_deletion(facet: Facet) -> bool:
    """Whether a facet says that there is none any more; only jobs' and datasets' facets can be deleted."""
    return facet.entity in DELETABLE and isinstance(facet.value, dict) and facet.value.get("_deleted") is True


def tell_kind(event: dict[str, Any]) -> tuple[str, Fault | None]:
    """Which of the three kinds an event is, by the keys that are there, and why it is none."""
    if "run" in event and "job" in event:
        return "run", None
    if "dataset" in event:
        if "job" not in event:
            return "dataset", None
        shown = "it has 'job' and 'dataset' but no 'run', so it is a JobEvent and a DatasetEvent at once"
        return "job", Fault("", "oneOf", "either 'job' or 'dataset', or 'run' with 'job'", shown)
    if "job" in event:
        return "job", None
    missing, shown = ("/job", "'job' is missing") if "run" in event else ("", "'run', 'job' and 'dataset' are missing")
    return "run", Fault(missing, "required", "'run' and 'job', or 'job' alone, or 'dataset' alone", shown)


def _odd_times(time: ReadTime) -> int:
    flags = (NAIVE_TIME if time.naive else 0) | (ZONE_IN_BRACKETS if time.bracketed else 0)
    return flags | (TIME_SPELLED_ODDLY if time.odd else 0)


def _odd_run_id(event: dict[str, Any]) -> int:
    if not event:
        return 0
    sent = event["run"]["runId"]
    run, external = run_uuid(sent)
    if external == str(NONE):
        return 0  # a UUID, but not one that a run can be kept by
    if external is not None:
        return RUN_ID_NOT_UUID
    return 0 if str(run) == sent else RUN_ID_SPELLED_ODDLY
