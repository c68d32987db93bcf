"""Command records to ingest among events: builders by hand, and a strategy that makes them meet `events.py`."""

from datetime import datetime, timezone
from typing import Any
from uuid import UUID

from hypothesis import strategies as st

from lineal_receiver.ingest.commands import build_command
from lineal_receiver.ingest.event import Event

from .events import JOBS, RUN, TABLES, minutes

WAREHOUSE = "postgres://db.example:5432"
NIGHTLY = "nightly"


def command(action: str, minute: int, nonce: int = 0, **arguments: Any) -> Event:
    """A command, `minute` minutes after ten; two with the same nonce are one."""
    at = datetime(2026, 3, 1, 10 + minute // 60, minute % 60, tzinfo=timezone.utc)
    return build_command(action, at, arguments, UUID(int=nonce))


def _put_dataset(
    minute: int, nonce: int, name: str, fields: list[str], kind: str, run: int | None, **said: Any
) -> Event:
    return command(
        "put_dataset",
        minute,
        nonce,
        namespace=WAREHOUSE,
        name=name,
        type=kind,
        physicalName=f"public.{name}",
        source="warehouse",
        url="postgres://db",
        schemaLocation="https://registry.example/1" if kind == "STREAM" else None,
        fields=[{"name": field, "type": "text", "tags": ["PII"] if field == "x" else []} for field in fields],
        runId=None if run is None else f"{RUN}{run:02}",
        job=None if run is None else {"namespace": NIGHTLY, "name": "load"},
        **said,
    )


def _names(tables: list[str]) -> list[dict[str, str]]:
    return [{"namespace": WAREHOUSE, "name": name} for name in tables]


def _put_job(minute: int, nonce: int, name: str, inputs: list[str], outputs: list[str], run: int | None) -> Event:
    return command(
        "put_job",
        minute,
        nonce,
        job={"namespace": NIGHTLY, "name": name},
        type="STREAM" if nonce % 5 == 0 else "BATCH",
        inputs=_names(inputs),
        outputs=_names(outputs),
        location=f"https://code.example/{nonce % 2}",
        description=None,
        runId=None if run is None else f"{RUN}{run:02}",
    )


def _run(action: str, minute: int, nonce: int, name: str, run: int, state: str, at: int | None) -> Event:
    arguments: dict[str, Any] = {"job": {"namespace": NIGHTLY, "name": name}, "runId": f"{RUN}{run:02}"}
    if action == "create_run":
        arguments |= {"args": {"a": str(nonce)}, "declared": {"inputs": _names(["a"]), "outputs": _names(["b"])}}
    else:
        arguments |= {"state": state, "at": None if at is None else f"2026-03-01T10:{at:02}:00Z"}
    return command(action, minute, nonce, **arguments)


def _delete(minute: int, nonce: int, name: str, at: int | None) -> Event:
    kind = "job" if name in JOBS else "dataset" if name in TABLES else "namespace"
    space = {"job": NIGHTLY, "dataset": WAREHOUSE}.get(kind, name)
    newest = None if at is None else f"2026-03-01T{10 + at // 60:02}:{at % 60:02}:00Z"
    return command("delete", minute, nonce, kind=kind, namespace=space, name=name, at=newest, ids=["0" * 16])


def _trust(minute: int, nonce: int, name: str, run: int | None) -> Event:
    if name in JOBS:
        found = None if run is None else f"{RUN}{run:02}"
        return command("trust", minute, nonce, job={"namespace": NIGHTLY, "name": name}, runId=found)
    return command("trust", minute, nonce, dataset={"namespace": WAREHOUSE, "name": name})


tables, jobs, nonces, runs = st.sampled_from(TABLES), st.sampled_from(JOBS), st.integers(0, 9), st.integers(1, 3)
words = st.sampled_from(["one", "two", None])
tags = st.sampled_from(["PII", "GOLD"])

tagging = st.builds(
    lambda action, minute, nonce, name, field, tag: command(
        action,
        minute,
        nonce,
        kind="job" if name in JOBS else "dataset",
        namespace=NIGHTLY if name in JOBS else WAREHOUSE,
        name=name,
        field=field if name in TABLES else None,
        tag=tag,
    ),
    st.sampled_from(["add_tag", "remove_tag"]), minutes, nonces, tables | jobs, st.sampled_from([None, "x"]), tags,
)  # fmt: skip

commands = st.one_of(
    tagging,
    st.builds(_trust, minutes, nonces, tables | jobs, st.none() | runs),
    st.builds(_delete, minutes, nonces, tables | jobs | st.sampled_from([NIGHTLY, WAREHOUSE]), st.none() | minutes),
    st.builds(
        lambda minute, nonce, owner, text: command(
            "put_namespace", minute, nonce, namespace=WAREHOUSE, owner=owner, description=text
        ),
        minutes, nonces, st.sampled_from(["ann", "bob"]), words,
    ),
    st.builds(
        lambda minute, nonce, url, text: command(
            "put_source", minute, nonce, name="warehouse", type="POSTGRESQL", url=url, description=text
        ),
        minutes, nonces, st.sampled_from(["postgres://db", "postgres://other"]), words,
    ),
    st.builds(lambda minute, nonce, tag, text: command("put_tag", minute, nonce, name=tag, description=text),
              minutes, nonces, tags, words),
    st.builds(
        _put_dataset, minutes, nonces, tables, st.lists(st.sampled_from(["x", "y"]), max_size=2, unique=True),
        st.sampled_from(["DB_TABLE", "STREAM"]), st.none() | runs, description=words,
        tags=st.lists(tags, max_size=2),
    ),
    st.builds(_put_job, minutes, nonces, jobs, st.lists(tables, max_size=2), st.lists(tables, max_size=1),
              st.none() | runs),
    st.builds(_run, st.sampled_from(["create_run", "mark_run"]), minutes, nonces, jobs, runs,
              st.sampled_from(["START", "COMPLETE", "FAIL", "ABORT"]), st.none() | st.integers(0, 59)),
)  # fmt: skip
