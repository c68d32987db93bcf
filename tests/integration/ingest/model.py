"""The whole model: from a set of events to what the API must answer."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from .model_datasets import expect_dataset, find_written_fields
from .model_records import Name, Teller, gather, name_of
from .model_runs import expect_runs
from .model_slots import WORST_FIRST, Slot, expect_reads, expect_slots
from .model_writes import list_writes

Answers = dict[str, dict[Any, Any]]


def expect(records: Sequence[dict[str, Any]], now: datetime) -> Answers:
    """All answers."""
    tellers = gather(records, now)
    writes = list_writes(tellers)
    names = list_datasets(tellers)
    of = {name: [write for write in writes if write.dataset == name] for name in names}
    slots = {name: expect_slots(of[name]) for name in names}
    jobs = {teller.job for teller in tellers if teller.job is not None}
    datasets = {name: expect_dataset(name, of[name], tellers) for name in names}
    return {
        "runs": expect_runs(tellers),
        "datasets": datasets,
        "columns": {
            name: _expect_columns(
                slots[name],
                {*datasets[name]["fields"], *named_as_sources(name, slots)},
                find_written_fields(of[name]) or [],
            )
            for name in names
        },
        "jobs": {
            job: {
                "inputs": sorted(expect_reads(job, tellers, slots)),
                "outputs": sorted(name for name in names if job in slots[name]),
            }
            for job in jobs
            if any(word.names("outputs") for teller in tellers if teller.job == job for word in teller.words)
        },
    }


def list_datasets(tellers: Sequence[Teller]) -> set[Name]:
    """Every dataset that was named as an input or output."""
    return {
        name_of(one)
        for teller in tellers
        for word in teller.words
        for side in ("inputs", "outputs")
        for one in word.names(side)
    }


def named_as_sources(name: Name, slots: dict[Name, dict[Name | None, Slot]]) -> set[str]:
    """The columns of a dataset that others are made from."""
    edges = [edge for found in slots.values() for slot in found.values() for edge in slot.edges]
    return {source[1] for _, source, _ in edges if source[0] == name}


def _expect_columns(slots: dict[Name | None, Slot], fields: set[str], written: Sequence[str]) -> dict[str, Any]:
    """By column: its status, the worst of all slots, and its sources (True: only the last known).

    What the schema has and no slot tells of isn't reported.
    """
    found: dict[str, Any] = {}
    found_any = any(slot.statuses for slot in slots.values())
    for slot in slots.values():
        for column, status in slot.statuses.items():
            before = found.setdefault(column, (status, set()))
            found[column] = (min(status, before[0], key=WORST_FIRST.index), before[1])
    for field in fields:
        found.setdefault(field, ("unresolved" if found_any and field in written else None, set()))
    for slot in slots.values():
        for column, source, last_known in slot.edges:
            found.setdefault(column, (None, set()))[1].add((source, last_known))
    return {
        column: (
            "unresolved" if status == "silent" else status,
            sorted({(*name, field, last and ((name, field), False) not in sources) for (name, field), last in sources}),
        )
        for column, (status, sources) in found.items()
    }
