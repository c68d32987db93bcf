"""Where a list goes on, as text that clients hand back as they got it."""

import base64
import binascii
import json
from datetime import datetime
from typing import Any

from lineal_receiver.api.refusals import problem


def write_cursor(*parts: str) -> str:
    """A cursor of these parts."""
    return base64.urlsafe_b64encode(json.dumps(parts).encode()).decode().rstrip("=")


def read_cursor(cursor: str | None) -> tuple[datetime, bytes] | None:
    """The time and id in a cursor; 400 if it isn't one that we wrote."""
    if not cursor:
        return None
    try:
        found: Any = json.loads(base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))
        at, identity = found
        return datetime.fromisoformat(at), bytes.fromhex(identity)
    except (ValueError, TypeError, binascii.Error):
        raise problem(400, "bad-cursor", "The cursor isn't one that an answer of this list gave as 'next'.") from None
