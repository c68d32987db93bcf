"""How things are called in an answer for people: without the namespace that most of them share."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Names:
    """Names as seen from a namespace, which is left out of those in it."""

    namespace: str

    def dataset(self, named: Mapping[str, Any]) -> str:
        """A dataset, or a column of it if `field` names one."""
        field = named.get("field")
        path = named["name"] if field is None else f"{named['name']}.{field}"
        return path if named["namespace"] == self.namespace else f"{named['namespace']}:{path}"


def say_kinds(kinds: list[dict[str, Any]]) -> str:
    """The kinds of an edge in words: `aggregation, conditional, masked`."""
    words = [(kind["subtype"] or kind["type"]).lower().replace("_", " ") for kind in kinds]
    masked = ["masked"] if any(kind["masking"] for kind in kinds) else []
    return ", ".join([*dict.fromkeys(words), *masked])


def say_run(run: Mapping[str, Any] | None) -> str:
    """A job's last run in words: `failed 2026-03-02 12:00`."""
    if run is None:
        return ""
    return f"{run['stateText']} {say_time(run['endedAt'] or run['startedAt'])}".rstrip()


def say_time(time: str | None) -> str:
    """An API's time to the minute, in UTC."""
    return "" if time is None else time[:16].replace("T", " ")


def say_duration(milliseconds: int | None) -> str:
    """A duration as a person says it."""
    if milliseconds is None:
        return ""
    seconds = milliseconds / 1000
    if seconds < 60:
        return f"{seconds:.1f} s"
    minutes, seconds = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min {seconds} s"


def count(number: int, noun: str) -> str:
    """`1 column`, `2 columns`."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
