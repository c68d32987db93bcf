"""Rows of what runs and static events said of datasets; for new runs with what follows from how they ended."""

from datetime import datetime

from lineal_receiver.ingest.facts import IoFacts, IoKey, RunFacts

COMPLETE = 2


def build_said(key: IoKey, io: IoFacts) -> tuple[object, ...]:
    """What was said, in the order of `write_io.SAID`."""
    lifecycle_key, lifecycle = io.lifecycle or (None, None)
    schema_key, schema = io.schema or (None, None)
    build_key, build = io.build or (None, None)
    stated_key, stated_at = io.stated or (None, None)
    return (
        *key, io.said_at, io.named_at, stated_at, stated_key, io.subset, lifecycle, lifecycle_key, schema, schema_key,
        build, build_key, io.ahead,
    )  # fmt: skip


def derive_io(key: IoKey, io: IoFacts, run: RunFacts) -> tuple[object, ...]:
    """Class, announced, times and future of what a new run said, if nothing else is known of it than these facts.

    As `write_io` derives it of the others; the rules: `docs/merge.md`.
    """
    dataset, *_, side = key
    end_at, end_rank, outputs = run.end[1:4] if run.end is not None else (None, None, ())
    written = side == "o" and end_rank == COMPLETE and io.named_at is not None and end_at is not None
    in_time = written and io.named_at <= end_at  # type: ignore[operator] # neither is None
    announced = in_time and bool(outputs) and dataset not in outputs
    if io.named_at is None or (end_rank is not None and end_rank < COMPLETE) or (written and not in_time):
        kind = 0
    elif announced or (end_rank is None and not _streams(run)):
        kind = 1
    else:
        kind = 2
    return (kind, announced, end_at or _dated(run), _begun(run), run.future)


def _streams(run: RunFacts) -> bool:
    return run.streaming is not None and run.streaming[1]


def _begun(run: RunFacts) -> datetime | None:
    return run.first_at or run.mentioned_at


def _dated(run: RunFacts) -> datetime | None:
    """When a run that hasn't ended counts: a stream by its newest event, others by their start."""
    if _streams(run):
        return run.seen_at or run.last_at or run.mentioned_at
    times = (run.start_at or run.running_at or _begun(run), run.seen_at)
    return min(at for at in times if at is not None)
