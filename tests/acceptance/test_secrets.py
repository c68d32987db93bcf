"""No secret of a run's environment or of its SQL is in any event, record or line of ours, whichever way it is told."""

from __future__ import annotations

import pytest

from .plugin_project import Project, kinds, new_project
from .plugin_receiver import Receiver, running, silent_address

SECRETS = ("hunter2xyz", "pa55w0rd0")
FILES = {
    "dbt_project.yml": (
        "name: tiny\nversion: 1.0.0\nprofile: tiny\n"
        f"on-run-start: select 'postgres://ana:{SECRETS[1]}@db/shop' as place\n"
    ),
    "models/connecting.sql": (
        "{{ config(materialized='table') }} select cast(concat('no: ', '{{ var(\"pass\", \"-\") }}') as int) as id,"
        f" 'host=db user=ana password={SECRETS[1]}' as place from {{{{ ref('raw_orders') }}}}"
    ),
}


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    project = new_project(tmp_path_factory.mktemp("secrets"), **FILES)
    project.env["DBT_ENV_SECRET_WAREHOUSE"] = SECRETS[0]
    return project


def test_none_of_them_is_told(project: Project) -> None:
    arguments = ("build", "--select", "raw_orders", "connecting", "--vars", f"{{pass: {SECRETS[0]}}}")
    with silent_address() as address:
        to = {"OPENLINEAGE_URL": address.url}
        ran = project.dbt(
            *("--log-format-file", "json", *arguments), **to, LINEAL_BUDGET_SECONDS="0", LINEAL_LINGER_SECONDS="0"
        )
        assert (ran.code, len(project.waiting())) == (1, 1)
        (waiting,) = project.waiting()
        assert SECRETS[0] not in "".join(
            line for line in waiting.read_text().splitlines() if '"kind":"node_end"' in line
        )
        with running(Receiver(), address) as receiver:
            assert project.lineal("flush", **to).code == 0
            for way in (("emit",), ("consume", "logs/dbt.log")):
                told = project.lineal(*way, **to)
                assert (told.code, told.err) == (0, "")
    assert kinds(receiver.accepted, "tiny.connecting") == ["START", "FAIL"] * 3
    bodies = b"".join(receiver.bodies).decode()
    assert [secret for secret in SECRETS if secret in bodies + ran.err] == []
    messages = {
        event["run"]["facets"]["errorMessage"]["message"]
        for event in receiver.accepted
        if event["job"]["name"].endswith("tiny.connecting") and event["eventType"] == "FAIL"
    }
    assert all("no: ***" in message for message in messages)
    assert "postgres://ana:***@db/shop" in bodies
    assert "host=db user=ana password=***" in bodies
    left = [path for path in project.state.rglob("*") if path.is_file()]
    assert [path for path in left if any(secret.encode() in path.read_bytes() for secret in SECRETS)] == []
