"""The archive horizon: what is older when it comes is kept, counted and listed, and nothing follows from it."""

import asyncio
import io
from typing import Any

import pytest

from lineal_receiver.cli.main import main
from lineal_receiver.ingest.verify import verify

from .conftest import Client, dataset, path


async def put(client: Client, at: Any, status: int = 200, **said: Any) -> Any:
    response = await client.http.put("/api/v2/horizon", json={"at": at, **said})
    assert response.status_code == status, response.text
    return response.json()


async def check(url: str) -> None:
    out = io.StringIO()
    report = await verify(url, out=out, err=io.StringIO())
    assert report.findings == 0, out.getvalue()


async def counted(client: Client) -> tuple[int, int, float]:
    """Accepted and late events as the summary has them, and the late ones of the server's counters."""
    events = (await client.get("/api/v2/summary"))["events"]
    said = (await client.http.get("/metrics")).text
    line = next(line for line in said.splitlines() if line.startswith('lineage_events_flagged_total{flag="late"}'))
    return events["accepted"], events["late"], float(line.split()[-1])


async def test_without_a_horizon_an_event_of_any_age_is_folded(client: Client, database_url: str) -> None:
    assert await client.get("/api/v2/horizon") == {"horizon": None, "late": 0}
    await client.run("load", 1, at=-40 * 365 * 86_400, outputs=[dataset("t", "a")])
    assert (await client.get(path("namespaces", "data", "datasets", "t")))["name"] == "t"
    assert await counted(client) == (1, 0, 0)


async def test_what_is_older_when_it_comes_is_kept_and_not_folded(client: Client, database_url: str) -> None:
    await client.run("load", 1, event="START", at=-60, inputs=[dataset("raw")])
    said = await put(client, "2026-03-02T12:00:00Z", by="ann", why="year's end")
    assert {key: said["horizon"][key] for key in ("at", "by", "why")} == {
        "at": "2026-03-02T12:00:00Z", "by": "ann", "why": "year's end",
    }  # fmt: skip
    run = await client.run("load", 1, at=-1, outputs=[dataset("t", "a")])  # its run stays open
    await client.run("load", 1, at=-1, outputs=[dataset("t", "a")])  # a repeat is one
    await client.run("other", 2, at=-0.000001, outputs=[dataset("u", "a")])
    await client.run("load", 3, at=0, outputs=[dataset("v", "a")])  # of the very time
    assert [row["name"] for row in (await client.get(path("namespaces", "data", "datasets")))["datasets"]] == [
        "raw", "v",
    ]  # fmt: skip
    assert (await client.get(f"/api/v1/jobs/runs/{run}"))["state"] == "RUNNING"
    await client.get(path("namespaces", "jobs", "jobs", "other"), status=404)
    assert await counted(client) == (5, 2, 2)  # the command is accepted, too
    events = (await client.get("/api/v1/events/lineage"))["events"]
    assert len(events) == 4
    await check(database_url)
    assert (await client.get("/api/v2/horizon"))["late"] == 2


async def test_what_was_late_stays_so_when_the_horizon_moves(client: Client, database_url: str) -> None:
    await put(client, "2026-03-02")
    await client.run("load", 1, at=-86_400, outputs=[dataset("t", "a")])
    assert (await client.http.delete("/api/v2/horizon", params={"why": "a mistake"})).json()["horizon"] is None
    assert (await client.http.delete("/api/v2/horizon")).status_code == 404
    await client.run("load", 1, at=-86_400, outputs=[dataset("t", "a")])
    await client.run("load", 2, at=-86_400, outputs=[dataset("u", "a")])
    assert [row["name"] for row in (await client.get(path("namespaces", "data", "datasets")))["datasets"]] == ["u"]
    await put(client, "2026-03-05")
    assert await counted(client) == (5, 1, 1)
    await check(database_url)


async def test_what_is_late_revives_nothing_that_was_deleted(client: Client, database_url: str) -> None:
    await client.run("load", 1, at=0, outputs=[dataset("t", "a")])
    assert (await client.http.delete(path("namespaces", "data", "datasets", "t"))).status_code == 200
    await put(client, "2026-03-05")
    await client.run("load", 1, at=60, event="OTHER", outputs=[dataset("t", "a")])
    await client.get(path("namespaces", "data", "datasets", "t"), status=404)
    await check(database_url)


async def test_late_records_are_listed_page_by_page(client: Client) -> None:
    await put(client, "2026-03-05")
    for run in range(5):
        await client.run("load", run, at=run)
    found, cursor = [], None
    while True:
        page = await client.get("/api/v2/late", limit="2", **({"cursor": cursor} if cursor else {}))
        assert page["totalCount"] == 5
        found += [row["eventTime"] for row in page["late"]]
        cursor = page["next"]
        if cursor is None:
            break
    assert found == [f"2026-03-02T12:00:0{second}Z" for second in (4, 3, 2, 1, 0)]
    await client.get("/api/v2/late", limit="none", status=400)
    await client.get("/api/v2/late", cursor="none", status=400)


@pytest.mark.parametrize("at", [None, "", "yesterday", 5, "2999-01-01", "2026-02-30"])
async def test_a_horizon_that_is_no_time_of_the_past_is_refused(client: Client, at: Any) -> None:
    assert (await put(client, at, status=422))["detail"]
    assert (await put(client, "2026-03-02", status=422, why=5))["detail"]
    assert await client.get("/api/v2/horizon") == {"horizon": None, "late": 0}


async def test_the_command_line_does_the_same(client: Client, database_url: str, capsys: Any) -> None:
    async def lineal(*words: str) -> tuple[int, str]:
        code = await asyncio.to_thread(main, ["horizon", *words, "--database-url", database_url])
        said = capsys.readouterr()
        return code, said.out + said.err

    assert await lineal("show") == (0, "no horizon: events of any age are folded; 0 late records\n")
    assert await lineal("clear") == (2, "lineal: there is no horizon: events of any age are folded\n")
    code, said = await lineal("set", "2026-03-05", "--by", "ann", "--why", "year's end")
    assert (code, said) == (0, "from now on events before 2026-03-05T00:00:00Z are kept and not folded\n")
    code, said = await lineal("set", "2999-01-01")
    assert (code, said.startswith("lineal: 'at' is in the future")) == (2, True)
    await client.run("load", 1)
    code, said = await lineal("show")
    assert said.startswith("events before 2026-03-05T00:00:00Z are kept and not folded (by ann, ")
    assert said.endswith("): year's end; 1 late records\n")
    code, said = await lineal("late")
    assert (code, said.splitlines()[-1]) == (0, "1 of 1")
    assert "2026-03-02T12:00:00Z  run COMPLETE" in said
    code, said = await lineal("late", "--json")
    assert '"eventTime": "2026-03-02T12:00:00Z"' in said
    assert await lineal("clear", "--why", "no more") == (0, "from now on events of any age are folded\n")
