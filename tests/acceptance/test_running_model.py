"""What the receiver shows of a model while dbt still runs it."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.parse import quote

from .plugin_project import LONG, eventually, new_project
from .real_receiver import get, receiver

JOB = "/api/v1/namespaces/dbt/jobs/tiny.main.tiny.totals"


def traced(url: str, node: str) -> dict[str, Any] | None:
    """The column `total` as the receiver knows it, None as long as it doesn't."""
    try:
        graph = get(url, "/api/v1/column-lineage", nodeId=node)["graph"]
    except HTTPError as error:
        assert error.code == 404  # noqa: PT017 - any other answer is a fault
        return None
    return next((entry["data"] for entry in graph if entry["data"]["field"] == "total"), None)


def test_it_is_running_with_its_inputs_and_columns(database_url: str, tmp_path: Path) -> None:
    project = new_project(tmp_path)
    gate = project.hold("totals", "select customer, sum(amount) as total from {{ ref('orders') }} group by 1")
    with receiver(database_url, tmp_path / "receiver.log") as url:
        dbt = project.start("build", **project.to_http(url))
        eventually(lambda: any(job["name"].endswith(".totals") for job in get(url, "/api/v1/jobs")["jobs"]))
        job = get(url, JOB)
        assert dbt.poll() is None

        assert job["latestRun"]["state"] == "RUNNING"
        assert [entry["name"] for entry in job["inputs"]] == ["tiny.main.orders"]
        assert [entry["name"] for entry in job["outputs"]] == ["tiny.main.totals"]
        dataset = job["outputs"][0]
        node = f"datasetField:{quote(dataset['namespace'], safe='')}:{dataset['name']}:total"
        total = eventually(lambda: traced(url, node))  # a START whose lineage takes over a second goes ahead of it
        assert [(i["dataset"], i["field"]) for i in total["inputFields"]] == [("tiny.main.orders", "amount")]
        assert dbt.poll() is None, "all of this was asked while the model ran"

        gate.open()
        dbt.communicate(timeout=LONG)
        eventually(lambda: get(url, JOB)["latestRun"]["state"] == "COMPLETED")
