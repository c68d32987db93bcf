"""Redaction over HTTP and by the command line: dry runs, what was done, and who did it."""

import asyncio
import io
import json
from typing import Any

import pytest

from lineal_receiver.cli.main import main
from lineal_receiver.ingest.verify import verify

from .conftest import Client, dataset, path

TEXT = "postgres://u:hunter2@host"


async def ask(client: Client, status: int = 200, **body: Any) -> Any:
    response = await client.http.post("/api/v2/redact", json=body)
    assert response.status_code == status, response.text
    return response.json()


async def fill(client: Client) -> None:
    await client.run("load", 1, outputs=[dataset("t_4711-0815", "a", lineage={"a": ["raw.a"]})])
    sql = {"sql": {"query": "select '4711-0815'"}}
    await client.run("load", 2, at=1, inputs=[dataset("raw")], outputs=[dataset("u", "a")], job_facets=sql)
    await client.http.post("/api/v1/lineage", json={"no event": "4711-0815"})


async def check(url: str) -> None:
    out = io.StringIO()
    assert (await verify(url, out=out, err=io.StringIO())).findings == 0, out.getvalue()


async def test_over_http(client: Client, database_url: str) -> None:
    await fill(client)
    dry = await ask(client, text="4711-0815", dryRun=True)
    assert (dry["dryRun"], dry["records"], dry["rejected"], len(dry["ids"]), dry["id"]) == (True, 2, 1, 2, None)
    assert {"dataset": 1, "facet_body": 1}.items() <= dry["rows"].items()
    assert await client.get("/api/v2/redact") == {"redactions": [], "next": None}
    done = await ask(client, text="4711-0815", why="a ticket", by="ann")
    assert (done["dryRun"], done["records"], done["rejected"]) == (False, 2, 1)
    shown = (await client.get("/api/v2/redact"))["redactions"]
    assert shown == [
        {
            "id": done["id"], "at": done["at"], "what": "text", "by": "ann", "why": "a ticket", "record": None,
            "pointers": [], "records": 2, "rejected": 1,
        }
    ]  # fmt: skip
    events = (await client.get("/api/v1/events/lineage"))["events"]
    assert "4711-0815" not in json.dumps(events)
    assert [out["name"] for event in events for out in event["outputs"]] == ["u", "t_***"]
    await client.get(path("namespaces", "data", "datasets", "t_4711-0815"), status=404)
    assert (await client.get(path("namespaces", "data", "datasets", "t_***")))["fields"][0]["name"] == "a"
    assert (await ask(client, text="4711-0815"))["id"] is None
    await fill(client)
    assert (await client.get("/api/v1/search", q="4711"))["totalCount"] == 0
    await check(database_url)
    record = await ask(client, record=dry["ids"][0], pointers=["/producer"], why="no")
    assert (record["records"], record["rejected"]) == (1, 0)
    page = await client.get("/api/v2/redact", limit="1")
    assert (page["redactions"][0]["what"], page["redactions"][0]["record"]) == ("pointers", dry["ids"][0])
    rest = await client.get("/api/v2/redact", limit="1", cursor=page["next"])
    assert ([row["what"] for row in rest["redactions"]], rest["next"]) == (["text"], None)
    await check(database_url)


async def test_what_looks_like_a_secret_is_asked_for_as_it_is(client: Client, database_url: str) -> None:
    # Scrubbing takes the password out of the request's body as of any other: it mustn't become a search for ***.
    sql = {"sql": {"query": f"-- {TEXT.replace(':', ' : ')}"}}
    await client.run("load", 1, job_facets=sql)
    assert (await ask(client, text="?password=hunter2"))["records"] == 0
    found = await ask(client, text="hunter2@host", why="see https://x?password=abc")
    assert found["records"] == 1
    assert (await client.get("/api/v2/redact"))["redactions"][0]["why"] == "see https://x?password=***"
    await check(database_url)


@pytest.mark.parametrize(
    "body",
    [{}, {"text": 5}, {"text": "abc"}, {"text": "namespace"}, {"text": "abcd", "dryRun": "yes"},
     {"text": "abcd", "why": 1}, {"text": "abcd", "why": "is abcd"}, {"record": "abcdef", "pointers": ["/job"]},
     {"record": "abcdef"}],
)  # fmt: skip
async def test_what_makes_no_sense_is_refused_with_words(client: Client, body: Any) -> None:
    await fill(client)
    assert (await ask(client, status=422, **body))["detail"]
    assert (await client.get("/api/v2/redact"))["redactions"] == []


async def test_the_command_line_does_the_same(
    client: Client, database_url: str, capsys: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def lineal(*words: str, said: str = "") -> tuple[int, str]:
        monkeypatch.setattr("sys.stdin", io.StringIO(said))
        code = await asyncio.to_thread(main, ["redact", *words, "--database-url", database_url])
        shown = capsys.readouterr()
        return code, shown.out + shown.err

    await fill(client)
    capsys.readouterr()
    assert await lineal("list") == (0, "nothing was ever taken out\n")
    code, shown = await lineal("text", "--dry-run", said="4711-0815\n")
    assert (code, shown.splitlines()[0]) == (0, "records would be changed: 2, refused bodies: 1")
    assert "rows of dataset that hold it: 1" in shown
    identity = shown.splitlines()[1].strip()
    code, shown = await lineal("text", "--by", "ann", "--why", "a ticket", said="4711-0815")
    assert (code, shown.splitlines()[0]) == (0, "records changed: 2, refused bodies: 1")
    code, shown = await lineal("record", identity, "/producer", "--json")
    assert (code, json.loads(shown)["records"]) == (0, 1)
    code, shown = await lineal("list")
    assert [line.split("  ", 1)[1] for line in shown.splitlines()][1] == (
        "a text, by ann; records 2, refused bodies 1: a ticket"
    )
    assert await lineal("text", said="abc") == (
        2, "lineal: the text must have 4 to 10,000 characters, not only blanks\n",
    )  # fmt: skip
    assert (await lineal("text", "--file", "/nowhere/to/be/found"))[0] == 2
    await check(database_url)
