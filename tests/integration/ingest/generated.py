"""Sets of records that get in each other's way: events and commands, retries, renames, the future, odd names."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import orjson
from hypothesis import strategies as st

from lineal_receiver.ingest.event import Event

from .alias_events import alias_commands, any_alias_event
from .commands import commands
from .events import TABLES, dataset, facet, lineage, run_event, run_events, schema, static_events

FUTURES = ("2999-01-01T00:00:00Z", "2999-01-02T00:00:00Z")


@dataclass(frozen=True, slots=True)
class Records:
    """Bodies of events, and commands, in the order in which they were thought of."""

    bodies: tuple[bytes, ...]
    commands: tuple[Event, ...]

    @classmethod
    def of(cls, events: Sequence[dict[str, Any]], commands: Sequence[Event] = ()) -> "Records":
        """Records of these events and commands."""
        return cls(tuple(map(orjson.dumps, events)), tuple(commands))

    def __repr__(self) -> str:
        said = [body.decode() for body in (*self.bodies, *(one.body for one in self.commands))]
        return "\n".join(["Records:", *said])


def _as_future(event: dict[str, Any], time: str) -> dict[str, Any]:
    return event | {"eventTime": time}


def _under_another_run_id(event: dict[str, Any]) -> dict[str, Any]:
    return event | {"run": {**event["run"], "runId": "manual__2026-03-01"}}


def _with_lifecycle(event: dict[str, Any], name: str, change: str, before: str) -> dict[str, Any]:
    stated: dict[str, Any] = {"lifecycleStateChange": change}
    if change == "RENAME":
        stated["previousIdentifier"] = {key: dataset(before)[key] for key in ("namespace", "name")}
    return event | {"outputs": [*(event.get("outputs") or []), dataset(name, lifecycleStateChange=facet(**stated))]}


def _with_symlink(event: dict[str, Any], name: str, other: str, gone: bool) -> dict[str, Any]:
    identifiers = [{"namespace": "hive://meta.example", "name": f"shop.{other}", "type": "TABLE"}]
    link = facet(_deleted=True) if gone else facet(identifiers=identifiers)
    return event | {"outputs": [*(event.get("outputs") or []), dataset(name, symlinks=link)]}


def _by_its_other_name(event: dict[str, Any], other: str) -> dict[str, Any]:
    """Reads what a symlink may call something else, and what stands in no namespace."""
    more = [{"namespace": "hive://meta.example", "name": f"shop.{other}"}, {"namespace": "", "name": f"/tmp/{other}"}]
    return event | {"inputs": [*(event.get("inputs") or []), *more]}


tables = st.sampled_from(TABLES)
futures = st.sampled_from(FUTURES)
odd_events = st.one_of(
    st.builds(_as_future, run_events, futures),
    st.builds(_as_future, static_events, futures),
    st.builds(_under_another_run_id, run_events),
    st.builds(
        _with_lifecycle, run_events, tables, st.sampled_from(["RENAME", "DROP", "OVERWRITE", "TRUNCATE"]), tables
    ),
    st.builds(_with_symlink, run_events, tables, tables, st.booleans()),
    st.builds(
        lambda event, *rest: _as_future(_with_symlink(event, *rest), FUTURES[0]),
        run_events,
        tables,
        tables,
        st.booleans(),
    ),
    st.builds(_by_its_other_name, run_events, tables),
)
events = st.one_of(run_events, run_events, static_events, odd_events, any_alias_event)


def record_sets(most: int) -> st.SearchStrategy[Records]:
    """Sets of up to `most` events and some commands among them."""
    return st.builds(
        Records.of,
        st.lists(events, min_size=2, max_size=most),
        st.lists(commands | alias_commands, max_size=most // 3),
    )


def burst(retries: int) -> Sequence[dict[str, Any]]:
    """One job's retries in a row, each with the ends that producers send when things go wrong."""
    found: list[dict[str, Any]] = []
    for retry in range(retries):
        target = dataset("b", schema=schema("x"), columnLineage=lineage(x=f"{TABLES[retry % 3]}.x"))
        minute = 3 * retry
        found += [
            run_event("START", minute, retry, inputs=[dataset(TABLES[retry % 3])]),
            run_event("FAIL" if retry % 2 else "COMPLETE", minute + 1, retry, outputs=[target]),
            run_event("COMPLETE", minute + 2, retry, outputs=[target]),
        ]
    return found
