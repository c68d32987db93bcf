"""What a strict receiver refuses besides: everything that is otherwise taken though it isn't as the standards say."""

import re

from lineal_receiver.ingest.envelope import DUPLICATE_KEYS, Envelope
from lineal_receiver.ingest.faults import MAX_ERRORS, Fault
from lineal_receiver.ingest.times import EXPECTED_TIME
from lineal_receiver.ingest.validate import (
    NAIVE_TIME,
    NO_SCHEMA_URL,
    TIME_SPELLED_ODDLY,
    UNOFFICIAL,
    ZONE_IN_BRACKETS,
    Verdict,
    find_base_fault,
)

_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", re.ASCII | re.IGNORECASE)
_TIMES = {
    NAIVE_TIME: "it has no zone",
    ZONE_IN_BRACKETS: "there is a zone in brackets after it",
    TIME_SPELLED_ODDLY: "it isn't written as RFC 3339 says",
}


def list_leniencies(envelope: Envelope, verdict: Verdict) -> list[Fault]:
    """Every rule that an event breaks which is taken otherwise."""
    event, faults = envelope.event, []
    if envelope.flags & DUPLICATE_KEYS:
        faults.append(Fault("", "uniqueKeys", "each key of an object once", "an object has a key twice"))
    if verdict.flags & NO_SCHEMA_URL:
        faults.append(Fault("/schemaURL", "required", "'schemaURL' to be there", "'schemaURL' is missing"))
    for flag, shown in _TIMES.items():
        if verdict.flags & flag:
            faults.append(Fault("/eventTime", "format", EXPECTED_TIME, f"{event['eventTime'][:80]!r}: {shown}"))
            break
    if verdict.kind == "run" and not _UUID.fullmatch(event["run"]["runId"]):
        shown = f"{event['run']['runId'][:80]!r} is none"
        faults.append(Fault("/run/runId", "format", "a UUID: 8-4-4-4-12 hexadecimal digits", shown))
    faults += [Fault(at, "type", "type object", "the facet is null") for at in envelope.null_facets]
    for finding in verdict.findings:
        faults += finding.place() if finding.facet.key not in UNOFFICIAL else []
    named = {fault.pointer for fault in faults}
    found = (find_base_fault(facet) for facet in envelope.facets)
    faults += [fault for fault in found if fault is not None and fault.pointer not in named]
    return faults[:MAX_ERRORS]
