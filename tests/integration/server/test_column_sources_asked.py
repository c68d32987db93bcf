"""What only columnLineage names is found by every question of the command line, and `lineal verify` finds it so."""

import json
import subprocess
import sys

import httpx
import pytest

from .conftest import SECONDS, Starter

SPEC = "https://openlineage.io/spec"
PRODUCER = "https://example.org/tests"
UP = "in lake{}\nchart\n└─ mart  by draw\n   └─ src  by load\n"


def tell(url: str, number: int, job: str, target: str, source: str) -> None:
    """Send the end of a run whose target has a column x, made of the source's, and that names no inputs."""
    made = {"x": {"inputFields": [{"namespace": "lake", "name": source, "field": "x"}]}}
    facets = {
        "schema": {"_schemaURL": f"{SPEC}/facets/1-1-1/SchemaDatasetFacet.json", "fields": [{"name": "x"}]},
        "columnLineage": {"_schemaURL": f"{SPEC}/facets/1-2-0/ColumnLineageDatasetFacet.json", "fields": made},
    }
    event = {
        "eventType": "COMPLETE",
        "eventTime": f"2026-03-02T12:00:0{number}Z",
        "producer": PRODUCER,
        "schemaURL": f"{SPEC}/2-0-2/OpenLineage.json#/$defs/RunEvent",
        "run": {"runId": f"01900000-0000-7000-8000-00000000000{number}"},
        "job": {"namespace": "jobs", "name": job},
        "outputs": [
            {
                "namespace": "lake",
                "name": target,
                "facets": {name: {"_producer": PRODUCER, **facet} for name, facet in facets.items()},
            }
        ],
    }
    assert httpx.post(f"{url}/api/v1/lineage", json=event, timeout=SECONDS).status_code == 201


def lineal(*words: str) -> str:
    """What the command prints, if all is well."""
    command = [sys.executable, "-X", "utf8", "-m", "lineal_receiver.cli", *words]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", timeout=SECONDS, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture
def place(starter: Starter, database_url: str) -> tuple[str, str]:
    """Where to ask: a database in which src became mart and mart became chart."""
    server = starter.serve("--database-url", database_url)
    tell(server.url, 1, "load", "mart", "src")
    tell(server.url, 2, "draw", "chart", "mart")
    assert server.end() == 0
    return "--database-url", database_url


def test_questions_and_verify(place: tuple[str, str]) -> None:
    assert lineal("upstream", "chart", "--depth", "5", *place) == UP.format("")
    then = lineal("upstream", "chart", "--depth", "5", "--as-of", "2026-03-03", *place)
    assert then == UP.format(", as of 2026-03-03T00:00:00Z")
    assert lineal("downstream", "src", "--depth", "5", *place) == (
        "in lake\nsrc\n└─ mart  by load\n   └─ chart  by draw\n"
    )
    hit = json.loads(lineal("impact", "src", "--format", "json", *place))
    assert {one["name"] for one in hit["datasets"]} == {"mart", "chart"}
    assert lineal("path", "src", "chart", *place).startswith("src reaches chart in 2 steps, by values.\n")
    differ = lineal("diff", "chart", "--from", "2026-03-02T12:00:01Z", *place)
    assert differ.endswith("table edges\n  + mart → chart by draw\n")
    assert lineal("verify", *place).endswith(": all as it should be\n")
