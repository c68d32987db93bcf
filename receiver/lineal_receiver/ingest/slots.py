"""Choose what is in force of (dataset, job): pure, from writes that are stored, the same whenever it is asked."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

EMPTIES = ("OVERWRITE", "TRUNCATE")
BETTER = {"unresolved": 0, "partial": 1, "resolved": 2}


@dataclass(frozen=True, slots=True)
class BuildMark:
    """What the choice needs to know of a build."""

    id: bytes
    sql_hash: str | None
    schema_hash: str | None
    sqlglot_version: str | None
    rules_version: str | None
    status: str
    columns: int


@dataclass(frozen=True, slots=True)
class Write:
    """One write of the group, and the build that it carries, if any."""

    run: UUID
    effective_at: datetime
    lifecycle: str | None
    build: BuildMark | None


@dataclass(frozen=True, slots=True)
class StandIn:
    """A build of the same SQL that was in use before."""

    build: BuildMark
    effective_at: datetime


def count_together(writes: Sequence[Write], dropped_at: datetime | None) -> list[Write]:
    """Of writes of one job under one parent, newest first, those that make up what is there now.

    Back to the last OVERWRITE or TRUNCATE; a DROP of the name ends what was before it.
    """
    group: list[Write] = []
    for write in writes:
        if dropped_at is not None and write.effective_at < dropped_at:
            break
        if write.lifecycle == "DROP":
            continue
        group.append(write)
        if write.lifecycle in EMPTIES:
            break
    return group


def newest_builds(group: Iterable[Write]) -> list[BuildMark]:
    """The newest build of each SQL in the group, newest first; builds that don't say their SQL all count."""
    chosen: dict[object, BuildMark] = {}
    for write in group:
        if write.build is not None:
            chosen.setdefault(write.build.sql_hash or write.build.id, write.build)
    return list(chosen.values())


def stand_in(base: BuildMark, candidates: Iterable[StandIn], dropped_at: datetime | None) -> bytes:
    """The build that stands for `base`: a better one of the same SQL, read by the same rules from the same columns."""
    best, rank = base, BETTER[base.status]
    if base.sql_hash is None:
        return base.id
    for candidate in candidates:
        build = candidate.build
        same_rules = (build.sqlglot_version, build.rules_version) == (base.sqlglot_version, base.rules_version)
        same_columns = build.schema_hash == base.schema_hash or base.schema_hash is None or base.columns == 0
        dropped = dropped_at is not None and candidate.effective_at < dropped_at
        if same_rules and same_columns and not dropped and BETTER[build.status] > rank:
            best, rank = build, BETTER[build.status]
    return best.id
