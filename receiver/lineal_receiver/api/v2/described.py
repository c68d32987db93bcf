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
REFUSALS_OF_WRITES = {
    "409": ("It can't be done beside what there is.", "", "The new name counts as the old one."),
    "413": ("A body that is larger than the limit.", "", "The body is larger than 33554432 bytes."),
    "415": ("A body that isn't JSON by its type or coding.", "", "The content type is 'text/plain', not JSON."),
    "422": ("A body, or a name, that can't be used.", "", "The request body must not be null"),
}
TITLES = {
    "400": "Bad Request",
    "404": "Not Found",
    "409": "Conflict",
    "413": "Content Too Large",
    "415": "Unsupported Media Type",
    "422": "Unprocessable Entity",
    "503": "Service Unavailable",
}


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
            **{status: refuse(status) for status in REFUSALS},
        }


def refuse(status: str) -> dict[str, Any]:
    """How a refusal with this status looks."""
    text, kind, detail = (REFUSALS | REFUSALS_OF_WRITES)[status]
    told = "about:blank" + (f"#{kind}" if kind else "")
    example = {"type": told, "title": TITLES[status], "status": int(status), "detail": detail}
    return {"description": text, "content": {"application/problem+json": {"schema": PROBLEM, "example": example}}}
