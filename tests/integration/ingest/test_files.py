"""Files: plain and gzip, odd lines, refusals with their place, and the same rows as over any other way."""

import gzip
import io
import json
from collections.abc import Callable
from pathlib import Path

import asyncpg
import pytest

from lineal_receiver.ingest.files import FileUnreadable, Summary, ingest_files, read_lines
from lineal_receiver.ingest.intake import Accepted, Intake
from lineal_receiver.settings import Settings

from .conftest import empty, read_state
from .events import dataset, lineage, run_event, schema

START = run_event("START", 1, inputs=[dataset("a")])
END = run_event("COMPLETE", 2, outputs=[dataset("b", schema=schema("x"), columnLineage=lineage(x="a.x"))])
BODIES = [json.dumps(START).encode(), json.dumps(END).encode()]
LIMIT = 8 * 1024
SETTINGS = Settings(data_dir=Path("unused"), max_body_bytes=LIMIT)


async def ingest(pool: asyncpg.Pool, *paths: Path | str) -> tuple[Summary, list[str], str]:
    out, err = io.StringIO(), io.StringIO()
    summary = await ingest_files(pool, [str(path) for path in paths], out=out, err=err, settings=SETTINGS)
    return summary, out.getvalue().splitlines(), err.getvalue()


@pytest.mark.parametrize(
    "write",
    [
        lambda lines: b"\n".join(lines),
        lambda lines: b"\n".join(lines) + b"\n",
        lambda lines: b"\r\n".join(lines) + b"\r\n",
        lambda lines: b"\xef\xbb\xbf" + b"\n\n  \n".join(lines) + b"\n\n",
        lambda lines: gzip.compress(b"\n".join(lines)),
        lambda lines: gzip.compress(lines[0]) + gzip.compress(b"\n" + lines[1]),
    ],
    ids=["no end", "unix", "windows", "mark and blanks", "gzip", "gzip members"],
)
async def test_every_form_of_a_file_gives_the_same_rows(
    pool: asyncpg.Pool, intake: Intake, tmp_path: Path, write: Callable[[list[bytes]], bytes]
) -> None:
    for body in BODIES:
        assert await intake.take(body) == Accepted(True)
    directly = await read_state(pool)
    await empty(pool)
    path = tmp_path / "events"
    path.write_bytes(write(BODIES))
    summary, lines, _ = await ingest(pool, path)
    assert (summary.accepted, summary.duplicate, summary.rejected) == (2, 0, 0)
    assert lines == ["2 accepted, 0 duplicate, 0 rejected"]
    assert await read_state(pool) == directly


async def test_refusals_are_named_by_line_and_the_rest_is_taken(pool: asyncpg.Pool, tmp_path: Path) -> None:
    path = tmp_path / "events.ndjson"
    huge = b'{"x": "' + b"y" * LIMIT * 2 + b'"}'
    wrong = json.dumps(START | {"eventTime": "yesterday"}).encode()
    path.write_bytes(b"\n".join([BODIES[0], b"", b"{", wrong, huge, BODIES[1], BODIES[0]]) + b"\n")
    summary, lines, _ = await ingest(pool, path)
    assert (summary.accepted, summary.duplicate, summary.rejected) == (2, 1, 3)
    assert [line.split(": ")[0] for line in lines[:-1]] == [f"rejected {path}:{number}" for number in (3, 4, 5)]
    assert "/eventTime" in lines[1]
    assert str(LIMIT) in lines[2]
    async with pool.acquire() as connection:
        rows = await connection.fetch("select rule, source, truncated from rejected order by source")
    assert [tuple(row) for row in rows] == [
        ("json", f"{path}:3", False), ("format", f"{path}:4", False), ("size", f"{path}:5", True),
    ]  # fmt: skip


async def test_many_files_are_summed(pool: asyncpg.Pool, tmp_path: Path) -> None:
    paths = [tmp_path / name for name in ("one", "two")]
    for path, body in zip(paths, BODIES, strict=True):
        path.write_bytes(body)
    summary, _, _ = await ingest(pool, *paths, paths[0])
    assert (summary.accepted, summary.duplicate) == (2, 1)


@pytest.mark.parametrize("name", ["missing", "."])
async def test_a_file_that_is_not_there_stops_before_anything(pool: asyncpg.Pool, tmp_path: Path, name: str) -> None:
    good = tmp_path / "good"
    good.write_bytes(BODIES[0])
    with pytest.raises(FileUnreadable):
        await ingest(pool, good, tmp_path / name)
    async with pool.acquire() as connection:
        assert await connection.fetchval("select count(*) from log") == 0


def test_a_gzip_that_ends_too_early_says_so(tmp_path: Path) -> None:
    path = tmp_path / "cut.gz"
    path.write_bytes(gzip.compress(b"\n".join(BODIES * 50))[:-20])
    with pytest.raises(FileUnreadable, match=str(path)):
        list(read_lines(str(path), LIMIT))


async def test_what_stands_before_a_broken_end_is_taken_and_counted(pool: asyncpg.Pool, tmp_path: Path) -> None:
    path = tmp_path / "cut.gz"
    lines = [json.dumps(run_event("START", minute % 60, run=minute % 90)).encode() for minute in range(300)]
    packed = b"".join(gzip.compress(line + b"\n") for line in lines)
    path.write_bytes(packed[:-60])
    out, err = io.StringIO(), io.StringIO()
    with pytest.raises(FileUnreadable, match="the events before that are taken"):
        await ingest_files(pool, [str(path)], out=out, err=err, settings=SETTINGS)
    async with pool.acquire() as connection:
        kept = await connection.fetchval("select count(*) from log")
    assert kept == len(set(lines[:-1]))
    assert out.getvalue() == f"{kept} accepted, {299 - kept} duplicate, 0 rejected\n"


@pytest.mark.parametrize(
    ("text", "query"), [(json.dumps(START, indent=1), "jq -c . "), (json.dumps([START]), "jq -c '.[]' ")]
)
async def test_a_file_of_another_form_is_told_how_to_become_lines(
    pool: asyncpg.Pool, tmp_path: Path, text: str, query: str
) -> None:
    path = tmp_path / "my events.json"
    path.write_text(text)
    summary, _, err = await ingest(pool, path)
    assert summary.accepted == 0
    assert err == f"{path} doesn't hold one event a line; this makes it so: {query}'{path}' | lineal ingest -\n"


def test_lines_just_within_the_limit_are_whole(tmp_path: Path) -> None:
    path = tmp_path / "lines"
    path.write_bytes(b"a" * LIMIT + b"\n" + b"b" * (LIMIT + 5) + b"\r\n" + b"c" * LIMIT)
    assert [(line.number, line.body[:1], line.whole) for line in read_lines(str(path), LIMIT)] == [
        (1, b"a", True), (2, b"b", False), (3, b"c", True),
    ]  # fmt: skip
