"""A cursor is what an answer gave; anything else is refused, whatever is in it."""

import base64
import json
from typing import Any
from uuid import UUID

import pytest

Z, NUL, ALONE = str(UUID(int=0)), "\0", "\ud800"
EARLY, LATE, NAIVE = "0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00", "2026-01-01T00:00:00"
LISTS = ("unresolved", "runs", "attention", "events", "rejected", "late", "redact", "search")


def cursor(*parts: object) -> str:
    return base64.urlsafe_b64encode(json.dumps(parts).encode()).decode().rstrip("=")


WRONG = {
    "no base64": "?", "no list": base64.urlsafe_b64encode(b"{}").decode(), "nothing": cursor(),
    "odd digit": cursor("²"),
    "one part": cursor(NUL), "two parts": cursor(NAIVE, "00"), "NUL in two": cursor(NUL, NUL),
    "before all times": cursor(EARLY, "00"), "after all times": cursor(LATE, "00"),
    "before all times, of runs": cursor(EARLY, Z, Z), "after all times, of runs": cursor(LATE, Z, Z, True),
    "NUL in four": cursor("slots", Z, Z, NUL), "a lone surrogate": cursor("slots", Z, Z, ALONE),
    "no such part": cursor("else", Z, Z, "x"),
}  # fmt: skip


@pytest.mark.parametrize("wrong", WRONG)
async def test_what_no_answer_gave_is_refused(shared: Any, wrong: str) -> None:
    for path in LISTS:
        response = await shared.http.get(f"/api/v2/{path}", params={"q": "a", "cursor": WRONG[wrong]})
        assert response.status_code == 400, (path, response.text)
        assert response.headers["content-type"] == "application/problem+json"


async def test_nul_in_a_reason_finds_nothing(shared: Any) -> None:
    assert (await shared.get("/api/v2/unresolved", reason=NUL))["columns"] == []
