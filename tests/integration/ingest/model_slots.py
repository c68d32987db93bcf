"""What the rules say is in force of a dataset and a job: its slot, and what follows from slots."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from .model_datasets import find_drop
from .model_records import Name, Teller
from .model_writes import EFFECTIVE, FAILED, PENDING, Build, Source, Write, is_withdrawn, sources_of

RANK = {"unresolved": 0, "partial": 1, "resolved": 2}
WORST_FIRST = ("unresolved", "traced", "constant", "silent")
CUTS = ("OVERWRITE", "TRUNCATE")


@dataclass
class Slot:
    """What is in force: the tables read, and by column its sources (True: only the last known) and status."""

    tables: set[Name] = field(default_factory=set)
    edges: set[tuple[str, Source, bool]] = field(default_factory=set)
    statuses: dict[str, str] = field(default_factory=dict)


def expect_slots(writes: Sequence[Write]) -> dict[Name | None, Slot]:
    """The slots of one dataset, by job; that of statements without a job only where there is no other."""
    by_job: dict[Name | None, list[Write]] = defaultdict(list)
    for write in sorted(writes, key=lambda w: w.order):
        if write.kind > FAILED and write.lifecycle != "DROP" and not is_withdrawn(write):
            by_job[write.teller.job].append(write)
    drop = find_drop(writes)
    slots = {}
    for job, found in by_job.items():
        newest = _candidates(found)[-1]
        if (drop is None or newest.at >= drop) and not _overwritten(newest, writes):
            slots[job] = _fill(found, drop)
    return {job: slot for job, slot in slots.items() if job is not None} or slots


def _overwritten(write: Write, writes: Sequence[Write]) -> bool:
    """Whether another job wrote all of the dataset anew in a run that began after this one had ended."""
    return write.kind == EFFECTIVE and any(
        other.kind == EFFECTIVE
        and other.lifecycle == "OVERWRITE"
        and other.whole
        and not other.future
        and other.teller.job != write.teller.job
        and write.at < other.began
        for other in writes
    )


def _fill(writes: Sequence[Write], drop: datetime | None) -> Slot:
    """A slot from its candidates: table edges from the newest, column edges from the newest that carries a reading.

    What column edges come from, the last known apart, is among the tables.
    """
    slot = Slot()
    for write in _since(_group(_candidates(writes)), drop):
        slot.tables |= sources_of(write.teller)
    read = _candidates(_without_past_statements([w for w in writes if w.build and w.build.status != "failed"]))
    together, read = _since(_group(read), drop), _since(read, drop)
    newest_of_sql = {(write.build and write.build.sql) or write.order: write for write in together}
    chosen = [_best(write, read) for write in newest_of_sql.values()]
    for build in chosen:
        _unite(slot, build)
    if chosen and all(build.status == "unresolved" for build in chosen):
        known = [w.build for w in read if w.kind == EFFECTIVE and w.build and w.build.status != "unresolved"]
        slot.edges |= {(*edge, True) for build in known[-1:] for edge in build.edges}
    slot.tables |= {source[0] for _, source, last_known in slot.edges if not last_known}
    return slot


def _since(writes: Sequence[Write], drop: datetime | None) -> list[Write]:
    """Those that no DROP ended."""
    return [write for write in writes if drop is None or write.at >= drop]


def _without_past_statements(writes: Sequence[Write]) -> list[Write]:
    """Of static events only the newest: they leave no history; at one time a deletion comes before what is told."""
    stated = [write for write in writes if write.teller.run is None]
    newest = max(stated, key=lambda w: (not w.future, w.at, w.build != Build(), w.order), default=None)
    return [write for write in writes if write.teller.run or write is newest]


def _candidates(writes: Sequence[Write]) -> list[Write]:
    """Effective writes; pending ones only if there is no effective one."""
    return [w for w in writes if w.kind == EFFECTIVE] or [w for w in writes if w.kind == PENDING]


def _group(candidates: Sequence[Write]) -> list[Write]:
    """The newest, with all effective ones under its parent run back to the last that replaced everything."""
    if not candidates:
        return []
    last = candidates[-1]
    if last.kind != EFFECTIVE or last.parent is None:
        return [last]
    together: list[Write] = []
    for write in candidates:
        if write.parent == last.parent:
            together = [write] if write.lifecycle in CUTS else [*together, write]
    return together


def _best(write: Write, read: Sequence[Write]) -> Build:
    own = write.build or Build()
    if own.sql is None:
        return own
    same = [
        w.build
        for w in read
        if w.build and w.build.sql == own.sql and (own.schema is None or w.build.schema == own.schema)
    ]
    return max(reversed(same), key=lambda build: RANK[build.status])


def _unite(slot: Slot, build: Build) -> None:
    slot.edges |= {(*edge, False) for edge in build.edges}
    for column, status in build.statuses:
        slot.statuses[column] = min(status, slot.statuses.get(column, status), key=WORST_FIRST.index)


def expect_reads(job: Name, tellers: Sequence[Teller], slots: dict[Name, dict[Name | None, Slot]]) -> set[Name]:
    """What a job reads: the inputs of its slots; of a job that never wrote anything those of its newest run."""
    if any(word.names("outputs") for teller in tellers if teller.job == job for word in teller.words):
        return {table for found in slots.values() for table in (found[job].tables if job in found else ())}
    own = [Write(teller, job, tuple((word, {}) for word in teller.words)) for teller in tellers if teller.job == job]
    reading = [w for w in own if sources_of(w.teller)]
    candidates = [w for w in reading if w.kind == EFFECTIVE] or [w for w in reading if w.kind == PENDING]
    return sources_of(max(candidates, key=lambda w: w.order).teller) if candidates else set()
