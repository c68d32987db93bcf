"""What v2's reads answer, for the API's description: an example of each, and problems."""

import json
from functools import cache
from pathlib import Path
from typing import Any

EXAMPLES = Path(__file__).with_name("examples.json")
"""Answers by path; of lists one is shown."""

MEDIA = {
    "/api/v2/export": "text/csv",
    "/api/v2/rejected/{id}/body": "application/octet-stream",
}
PROBLEM = {
    "type": "object",
    "properties": {
        "type": {"type": "string"},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string"},
    },
    "required": ["type", "title", "status", "detail"],
}
REFUSALS = {
    "400": ("A parameter that can't be read.", "bad-limit", "`limit` is a whole number from 1 to 1000."),
    "404": ("Nothing of this name.", "no-such-node", "Nothing is known of the dataset 'db / shop.orders'."),
    "503": ("PostgreSQL is away: ask again after `Retry-After`.", "", "PostgreSQL can't be asked just now."),
}
TITLES = {"400": "Bad Request", "404": "Not Found", "503": "Service Unavailable"}


@cache
def read_examples() -> dict[str, Any]:
    """An example of each read's answer, by path."""
    examples: dict[str, Any] = json.loads(EXAMPLES.read_text(encoding="utf-8"))
    return examples


def describe_reads(described: dict[str, Any]) -> None:
    """Add to each read of v2 what it answers."""
    for path, example in read_examples().items():
        operation = described["paths"].get(path, {}).get("get")
        if operation is None:
            continue
        media = MEDIA.get(path, "application/json")
        schema = {"type": "string"} if isinstance(example, str) else {"type": "object"}
        operation["responses"] = {
            "200": {"description": "As asked.", "content": {media: {"schema": schema, "example": example}}},
            **{status: _refuse(status, *told) for status, told in REFUSALS.items()},
        }


def _refuse(status: str, text: str, kind: str, detail: str) -> dict[str, Any]:
    told = "about:blank" + (f"#{kind}" if kind else "")
    example = {"type": told, "title": TITLES[status], "status": int(status), "detail": detail}
    return {"description": text, "content": {"application/problem+json": {"schema": PROBLEM, "example": example}}}
