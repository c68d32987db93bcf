"""What a receiver's refusals say, and why none answers, in words."""

import http.client
import json


def say_why_away(error: OSError | http.client.HTTPException) -> str:
    """Why a request got no answer: the system's words, without its numbers."""
    cause = getattr(error, "reason", "") or error
    return str(getattr(cause, "strerror", None) or cause) or type(error).__name__


def read_detail(said: bytes) -> str | None:
    """What a refusal says, of problem details or of Marquez's errors; None where it isn't one."""
    try:
        found = json.loads(said)
        detail = found.get("detail") or found.get("message")
    except (ValueError, AttributeError):
        return None
    return detail if isinstance(detail, str) else None
