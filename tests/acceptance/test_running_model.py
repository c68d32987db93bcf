"""What the receiver shows of a model while dbt still runs it."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import quote

from .plugin_project import eventually, new_project
from .real_receiver import get, receiver

JOB = "/api/v1/namespaces/dbt/jobs/tiny.main.tiny.totals"
MODEL = (
    "{{{{ config(pre_hook=\"{{{{ wait_for('{flag}') }}}}\") }}}}\n"
    "select customer, sum(amount) as total from {{{{ ref('orders') }}}} group by 1"
)


def test_it_is_running_with_its_inputs_and_columns(database_url: str, tmp_path: Path) -> None:
    flag = tmp_path / "go"
    project = new_project(tmp_path)
    project.write({"models/totals.sql": MODEL.format(flag=flag)})
    with receiver(database_url, tmp_path / "receiver.log") as url:
        dbt = project.start("build", OPENLINEAGE_URL=url)
        eventually(lambda: any(job["name"].endswith(".totals") for job in get(url, "/api/v1/jobs")["jobs"]))
        job = get(url, JOB)
        assert dbt.poll() is None

        assert job["latestRun"]["state"] == "RUNNING"
        assert [entry["name"] for entry in job["inputs"]] == ["tiny.main.orders"]
        assert [entry["name"] for entry in job["outputs"]] == ["tiny.main.totals"]
        dataset = job["outputs"][0]
        node = f"datasetField:{quote(dataset['namespace'], safe='')}:{dataset['name']}:total"
        (total,) = [
            entry["data"]
            for entry in get(url, "/api/v1/column-lineage", nodeId=node)["graph"]
            if entry["data"]["field"] == "total"
        ]
        assert [(i["dataset"], i["field"]) for i in total["inputFields"]] == [("tiny.main.orders", "amount")]
        assert dbt.poll() is None, "all of this was asked while the model ran"

        flag.touch()
        dbt.communicate(timeout=60)
        eventually(lambda: get(url, JOB)["latestRun"]["state"] == "COMPLETED")
