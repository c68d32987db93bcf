"""What the server counts of its intake, in memory: for /metrics. Nothing here is state; a restart begins at zero."""

from bisect import bisect_left
from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from lineal_receiver.ingest.envelope import DUPLICATE_KEYS, HUGE_NUMBER, UNSTORABLE_TEXT
from lineal_receiver.ingest.event import FUTURE, Event
from lineal_receiver.ingest.validate import (
    INVALID_CORE,
    INVALID_FACET,
    NAIVE_TIME,
    NO_SCHEMA_URL,
    NULL_FACET,
    NULL_MEMBERS,
    RUN_ID_NOT_UUID,
    RUN_ID_SPELLED_ODDLY,
    TIME_SPELLED_ODDLY,
    ZONE_IN_BRACKETS,
)
from lineal_receiver.store.write_log import LATE

FLAGS = {
    "future": FUTURE,
    "duplicate_keys": DUPLICATE_KEYS,
    "unstorable_text": UNSTORABLE_TEXT,
    "no_schema_url": NO_SCHEMA_URL,
    "null_facet": NULL_FACET,
    "naive_time": NAIVE_TIME,
    "zone_in_brackets": ZONE_IN_BRACKETS,
    "run_id_not_uuid": RUN_ID_NOT_UUID,
    "run_id_spelled_oddly": RUN_ID_SPELLED_ODDLY,
    "invalid_facet": INVALID_FACET,
    "invalid_core": INVALID_CORE,
    "time_spelled_oddly": TIME_SPELLED_ODDLY,
    "null_members": NULL_MEMBERS,
    "late": LATE,
    "huge_number": HUGE_NUMBER,
}
LATENCIES = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
LAGS = (1.0, 5.0, 15.0, 60.0, 300.0, 900.0, 3600.0, 21600.0, 86400.0, 604800.0)
SIZES = (1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0)


@dataclass(slots=True)
class Histogram:
    """How many values lie at or below each bound, their sum and number."""

    bounds: tuple[float, ...]
    counts: list[int] = field(init=False)
    total: float = 0.0

    def __post_init__(self) -> None:
        self.counts = [0] * (len(self.bounds) + 1)

    def add(self, value: float) -> None:
        """Count one value."""
        self.counts[bisect_left(self.bounds, value)] += 1
        self.total += value


@dataclass(slots=True)
class Meters:
    """Counters by (kind, result), by the rule that was broken, by flag; seconds and sizes."""

    received: Counter[tuple[str, str]] = field(default_factory=Counter)
    rejected: Counter[str] = field(default_factory=Counter)
    flags: Counter[str] = field(default_factory=Counter)
    retried: int = 0
    intake_seconds: Histogram = field(default_factory=lambda: Histogram(LATENCIES))
    commit_seconds: Histogram = field(default_factory=lambda: Histogram(LATENCIES))
    batch_events: Histogram = field(default_factory=lambda: Histogram(SIZES))
    lag_seconds: Histogram = field(default_factory=lambda: Histogram(LAGS))

    def kept(self, event: Event, received_at: datetime, *, new: bool) -> None:
        """An event is known to be kept; what it is like counts once."""
        self.received[event.kind, "accepted" if new else "duplicate"] += 1
        if not new:
            return
        self.lag_seconds.add(max(timedelta(0), received_at - event.time).total_seconds())
        if event.flags:
            self.flags.update(name for name, bit in FLAGS.items() if event.flags & bit)

    def deferred(self, event: Event) -> None:
        """An event is to be sent again: it isn't known to be kept."""
        self.received[event.kind, "deferred"] += 1

    def refused(self, rule: str) -> None:
        """A body was refused for breaking this rule, the first of several."""
        self.received["unknown", "rejected"] += 1
        self.rejected[rule] += 1
