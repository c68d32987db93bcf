"""GET /metrics: what the server counts, in Prometheus' text format."""

import time
from collections.abc import Iterable, Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import Response

from lineal_receiver.api.kept import KeptAnswers
from lineal_receiver.ingest.meters import FLAGS, Histogram, Meters
from lineal_receiver.store.read_health import count_dead_letters, ping

TYPE = "text/plain; version=0.0.4; charset=utf-8"
KINDS, RESULTS = ("run", "job", "dataset", "command"), ("accepted", "duplicate", "deferred")

router = APIRouter()

Samples = Iterable[tuple[Mapping[str, str], float]]


@router.get("/metrics", include_in_schema=False)
async def metrics(request: Request) -> Response:
    """Counters since the start, and how the database is now: a scrape is answered without it, too."""
    state = request.app.state
    up = await ping(state.pool) is None
    letters = await count_dead_letters(state.pool) if up else None
    parts = [*_intake(state.vault.meters, state.vault.waiting), *_database(state.pool, up=up, letters=letters)]
    return Response("".join([*parts, *_answers(state.kept), *_process()]), media_type=TYPE)


def _intake(meters: Meters, waiting: int) -> Iterable[str]:
    received = {(kind, result): 0 for kind in KINDS for result in RESULTS} | {("unknown", "rejected"): 0}
    received |= meters.received
    yield _family(
        "lineage_events_received_total",
        "counter",
        "Events and commands by what became of them; deferred: answered 503, to be sent again.",
        (({"kind": kind, "result": result}, n) for (kind, result), n in sorted(received.items())),
    )
    yield _family(
        "lineage_events_rejected_total",
        "counter",
        "Refused bodies by the first rule that they break.",
        (({"reason": rule}, n) for rule, n in sorted(meters.rejected.items())),
    )
    yield _family(
        "lineage_events_flagged_total",
        "counter",
        "Accepted events with something odd about them.",
        (({"flag": name}, meters.flags[name]) for name in FLAGS),
    )
    yield _histogram("lineage_intake_seconds", "From a body to its answer.", meters.intake_seconds)
    yield _histogram("lineage_commit_seconds", "Transactions that keep events.", meters.commit_seconds)
    yield _histogram("lineage_batch_events", "Events that shared a transaction.", meters.batch_events)
    yield _histogram("lineage_event_lag_seconds", "From an event's time to its receipt.", meters.lag_seconds)
    yield _single(
        "lineage_batches_retried_total", "counter", "Transactions tried again, others being in the way.", meters.retried
    )
    yield _single("lineage_backlog_events", "gauge", "Events that wait for a transaction.", waiting)


def _database(pool: Any, *, up: bool, letters: int | None) -> Iterable[str]:
    idle, size = pool.get_idle_size(), pool.get_size()
    yield _single("lineage_database_up", "gauge", "1 if PostgreSQL answers.", int(up))
    if letters is not None:
        yield _single("lineage_dead_letters", "gauge", "Refused bodies that no replay has taken yet.", letters)
    yield _family(
        "lineage_pool_connections",
        "gauge",
        "Connections to PostgreSQL.",
        (({"state": "idle"}, idle), ({"state": "busy"}, size - idle)),
    )
    yield _single("lineage_pool_connections_max", "gauge", "As many there may be.", pool.get_max_size())


def _answers(kept: KeptAnswers) -> Iterable[str]:
    yield _family(
        "lineage_answers_total",
        "counter",
        "Answers about lineage; kept: given again, nothing having been committed since; made: worked out.",
        (({"from": "kept"}, kept.hits), ({"from": "made"}, kept.misses)),
    )
    yield _single("lineage_answers_kept", "gauge", "Answers that are kept.", len(kept))
    yield _single("lineage_answers_kept_bytes", "gauge", "Memory that these take up, about.", kept.bytes)


def _process() -> Iterable[str]:
    yield _family("lineage_build_info", "gauge", "The version of Lineal.", [({"version": version("lineal")}, 1)])
    yield _single("process_cpu_seconds_total", "counter", "CPU time of the server.", time.process_time())
    status = Path("/proc/self/status")
    for line in status.read_text().splitlines() if status.exists() else ():
        if line.startswith("VmRSS:"):
            kilobytes = int(line.split()[1])
            yield _single("process_resident_memory_bytes", "gauge", "Memory of the server.", kilobytes * 1024)


def _single(name: str, kind: str, text: str, value: float) -> str:
    return _family(name, kind, text, [({}, value)])


def _family(name: str, kind: str, text: str, samples: Samples) -> str:
    lines = [f"# HELP {name} {text}", f"# TYPE {name} {kind}"]
    lines += [f"{name}{_labels(labels)} {_number(value)}" for labels, value in samples]
    return "\n".join(lines) + "\n"


def _histogram(name: str, text: str, histogram: Histogram) -> str:
    lines, count = [f"# HELP {name} {text}", f"# TYPE {name} histogram"], 0
    for bound, n in zip((*histogram.bounds, None), histogram.counts, strict=True):
        count += n
        lines.append(f'{name}_bucket{{le="{"+Inf" if bound is None else _number(bound)}"}} {count}')
    lines += [f"{name}_sum {_number(histogram.total)}", f"{name}_count {count}"]
    return "\n".join(lines) + "\n"


def _labels(labels: Mapping[str, str]) -> str:
    pairs = [f'{key}="{_escape(value)}"' for key, value in labels.items()]
    return "{" + ",".join(pairs) + "}" if pairs else ""


def _escape(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")


def _number(value: float) -> str:
    return repr(float(value)) if value != int(value) else str(int(value))
