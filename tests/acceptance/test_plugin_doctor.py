"""`lineal-dbt` as a user runs it: doctor, macros, the wrapper's edges."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from .plugin_project import Project, new_project
from .plugin_receiver import Receiver, running, silent_address


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return new_project(tmp_path)


def _doctor(project: Project, **env: str) -> tuple[int, dict[str, dict[str, str]]]:
    ran = project.lineal("doctor", "--format", "json", **env)
    return ran.code, {check["name"]: check for check in json.loads(ran.out)}


def test_all_is_well(project: Project) -> None:
    with running(Receiver()) as receiver:
        assert project.dbt("build", OPENLINEAGE_URL=receiver.url).code == 0
        code, checks = _doctor(project, OPENLINEAGE_URL=receiver.url)
        text = project.lineal("doctor", OPENLINEAGE_URL=receiver.url).out
    assert code == 0, checks
    for name in ("dbt", "plugin", "transport", "receiver", "outbox", "columns"):
        assert checks[name]["verdict"] == "ok", checks[name]
        assert f"ok    {name}" in text
    assert receiver.accepted[0]["job"]["name"] == "dbt-run-tiny"
    assert checks["columns"]["found"].startswith("0 of 3 relations")


def test_no_transport_and_no_target_are_told_with_their_remedies(project: Project) -> None:
    code, checks = _doctor(project)
    assert code == 1
    assert checks["transport"]["verdict"] == "fail"
    assert "OPENLINEAGE_URL" in checks["transport"]["remedy"]
    assert checks["columns"]["verdict"] == "warn"
    assert "dbt build" in checks["columns"]["remedy"]


def test_a_receiver_that_is_not_there_fails(project: Project) -> None:
    with silent_address() as address:
        project.env["OPENLINEAGE_URL"] = address.url
        assert project.dbt("build", LINEAL_BUDGET_SECONDS="0", LINEAL_LINGER_SECONDS="0").code == 0
        code, checks = _doctor(project)
    assert code == 1
    assert checks["receiver"]["verdict"] == "fail"
    assert "can't be reached" in checks["receiver"]["found"]
    assert checks["outbox"]["verdict"] == "warn"
    assert "1 run waits" in checks["outbox"]["found"]
    assert checks["outbox"]["remedy"] == "`lineal-dbt flush` sends them"


@pytest.mark.parametrize(
    ("readiness", "verdict", "found"),
    [((200, "{}"), "ok", "is ready"), ((503, '{"reason": "no database"}'), "fail", "not ready: no database")],
)
def test_a_receiver_is_asked_whether_it_is_ready(
    project: Project, readiness: tuple[int, str], verdict: str, found: str
) -> None:
    with running(Receiver()) as receiver:
        receiver.readiness = readiness
        _, checks = _doctor(project, OPENLINEAGE_URL=receiver.url)
    assert checks["receiver"]["verdict"] == verdict
    assert found in checks["receiver"]["found"]
    assert receiver.asked == 0, "no event is sent to find out"


def test_a_url_without_a_scheme_is_told(project: Project) -> None:
    code, checks = _doctor(project, OPENLINEAGE_URL="me:secret@localhost:5000")
    assert (code, checks["transport"]["verdict"]) == (1, "fail")
    assert checks["transport"]["found"] == "the URL of the OpenLineage transport is no http:// or https:// one"
    assert checks["transport"]["remedy"] == "write http://localhost:5000"


def test_a_broken_transport_fails(project: Project) -> None:
    code, checks = _doctor(project, OPENLINEAGE__TRANSPORT__TYPE="http")
    assert code == 1
    assert "`url` key not passed" in checks["receiver"]["found"]


@pytest.mark.parametrize("append", ["true", "false"])
def test_a_file_transport_whose_folder_is_missing_fails(project: Project, append: str) -> None:
    file = {"OPENLINEAGE__TRANSPORT__LOG_FILE_PATH": "no/such/file", "OPENLINEAGE__TRANSPORT__APPEND": append}
    code, checks = _doctor(project, **{**project.to_file(), **file})
    assert code == 1
    assert checks["receiver"]["remedy"] == f"mkdir -p {project.root / 'no/such'}"


def test_errors_are_one_sentence(project: Project) -> None:
    for arguments in (["flush"], ["doctor", "--project-dir", "nowhere"], ["status"]):
        ran = project.lineal(*arguments)
        assert "Traceback" not in ran.err
    assert project.lineal("flush").code == 1
    assert project.lineal("flush").err.startswith("lineal-dbt: no OpenLineage transport is configured")
    assert project.lineal("nothing-of-ours", "--help").code == 2
    assert "doctor" in project.lineal("--help").out
