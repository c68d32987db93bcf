"""What is kept of a refused body."""

import json
from collections.abc import Sequence

from lineal_receiver.ids import content_id, storable
from lineal_receiver.ingest.faults import Fault
from lineal_receiver.store.write_rejected import RejectedRow

KEPT_OF_REFUSED = 4096


def build_row(
    body: bytes,
    faults: Sequence[Fault],
    status: int,
    source: str,
    *,
    whole: bool = True,
    size: int | None = None,
    coding: str = "",
) -> RejectedRow:
    """What is kept of a refused body; not `whole`: its beginning is at hand, and `size` is what is known of it."""
    first = faults[0]
    named = first.rule.encode(), str(status).encode(), source.encode("utf-8", "backslashreplace")
    return RejectedRow(
        id=content_id(body if whole else b"\0".join((*named, body))),
        without_body=content_id(b"\0".join((*named, b"above the quota"))),
        rule=storable(first.rule),
        pointer=storable(first.pointer),
        expected=storable(first.expected),
        message=storable(first.message),
        status=status,
        source=storable(source),
        truncated=not whole,
        body=body if whole else body[:KEPT_OF_REFUSED],
        size=len(body) if size is None else size,
        coding=coding,
        errors=describe_faults(faults),
    )


def describe_faults(faults: Sequence[Fault]) -> str:
    """Every fault as JSON that PostgreSQL takes."""
    return json.dumps(
        [
            {
                "pointer": storable(fault.pointer),
                "rule": storable(fault.rule),
                "expected": storable(fault.expected),
                "message": storable(fault.message),
            }
            for fault in faults
        ]
    )
