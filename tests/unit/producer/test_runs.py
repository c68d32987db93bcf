"""Run ids and job names: the same from wherever an event comes."""

from __future__ import annotations

import json
from typing import Any
from uuid import UUID, uuid5

import pytest

from lineal_producer.descriptions import Batch
from lineal_producer.runs import (
    exposure_job_name,
    freshness_job_name,
    invocation_job_name,
    job_name,
    node_run_id,
    parse_parents,
)

from .samples import INVOCATION_ID, described, node

RUN = "6f1c0a52-9d0e-4a2b-8c3d-0123456789ab"


def test_run_id_of_a_node_is_a_uuid5_of_the_invocation() -> None:
    assert node_run_id(INVOCATION_ID, "model.shop.a") == str(uuid5(UUID(INVOCATION_ID), "model.shop.a"))


def test_each_batch_of_a_microbatch_model_is_a_run() -> None:
    batch: Batch = {"id": "20260101", "start": "2026-01-01T00:00:00Z", "end": "2026-01-02T00:00:00Z"}
    expected = str(uuid5(UUID(INVOCATION_ID), "model.shop.a|2026-01-01T00:00:00Z"))
    assert node_run_id(INVOCATION_ID, "model.shop.a", batch) == expected


def test_an_invocation_id_that_is_no_uuid_still_gives_stable_ids() -> None:
    assert node_run_id("nightly", "model.shop.a") == node_run_id("nightly", "model.shop.a")
    assert UUID(node_run_id("nightly", "model.shop.a"))


@pytest.mark.parametrize(
    ("kind", "fields", "expected"),
    [
        ("model", {}, "shop.main.shop.orders"),
        ("model", {"version": 2}, "shop.main.shop.orders.v2"),
        ("model", {"alias": "orders_alias"}, "shop.main.shop.orders"),
        ("model", {"database": None}, "main.shop.orders"),
        ("seed", {}, "shop.main.shop.orders.seed"),
        ("snapshot", {}, "shop.main.shop.orders.snapshot"),
        ("test", {"schema": "audit"}, "shop.audit.test.shop.orders"),
        ("unit_test", {"database": None}, "main.unit_test.shop.orders"),
    ],
)
def test_job_name(kind: str, fields: dict[str, Any], expected: str) -> None:
    assert job_name(described(node(kind, "orders", **fields))) == expected


def test_names_of_other_jobs() -> None:
    assert freshness_job_name("shop", "raw", "source.shop.raw.orders") == "shop.raw.source.shop.raw.orders.freshness"
    assert exposure_job_name("exposure.shop.board", "prod") == "exposure.shop.board.prod"
    assert invocation_job_name("shop") == "dbt-run-shop"
    assert invocation_job_name("shop", "nightly") == "nightly"


class TestParents:
    def test_none_without_variables(self) -> None:
        assert parse_parents({}) == (None, None)

    def test_a_parent_is_its_own_root(self) -> None:
        parent = {"namespace": "airflow", "name": "dag.task", "run_id": RUN}
        assert parse_parents({"OPENLINEAGE_PARENT_ID": f"airflow/dag.task/{RUN}"}) == (parent, parent)

    def test_namespace_may_hold_slashes(self) -> None:
        parent, _ = parse_parents({"OPENLINEAGE_PARENT_ID": f"https://airflow/eu/dag.task/{RUN}"})
        assert parent == {"namespace": "https://airflow/eu", "name": "dag.task", "run_id": RUN}

    def test_root_of_its_own(self) -> None:
        env = {"OPENLINEAGE_PARENT_ID": f"a/b/{RUN}", "OPENLINEAGE_ROOT_PARENT_ID": f"a/dag/{INVOCATION_ID}"}
        assert parse_parents(env)[1] == {"namespace": "a", "name": "dag", "run_id": INVOCATION_ID}

    @pytest.mark.parametrize("nested", [True, False])
    def test_context_wins(self, nested: bool) -> None:
        root = {"run": {"runId": INVOCATION_ID}, "job": {"namespace": "air", "name": "dag"}}
        parent: dict[str, Any] = {"run": {"runId": RUN}, "job": {"namespace": "air", "name": "dag.task"}}
        context = {"parent": {**parent, "root": root}} if nested else {"parent": parent, "root": root}
        env = {"OPENLINEAGE_CONTEXT": json.dumps(context), "OPENLINEAGE_PARENT_ID": f"x/y/{INVOCATION_ID}"}
        assert parse_parents(env) == (
            {"namespace": "air", "name": "dag.task", "run_id": RUN},
            {"namespace": "air", "name": "dag", "run_id": INVOCATION_ID},
        )

    @pytest.mark.parametrize(
        "env",
        [
            {"OPENLINEAGE_PARENT_ID": "just-a-name"},
            {"OPENLINEAGE_PARENT_ID": "ns/job/not-a-uuid"},
            {"OPENLINEAGE_ROOT_PARENT_ID": f"job/{RUN}"},
            {"OPENLINEAGE_CONTEXT": "{broken"},
            {"OPENLINEAGE_CONTEXT": "[1]"},
        ],
    )
    def test_a_broken_one_names_the_variable(self, env: dict[str, str]) -> None:
        with pytest.raises(ValueError, match=next(iter(env))):
            parse_parents(env)
