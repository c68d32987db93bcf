"""A project with a node of every kind, some of which fail: what the ways in are compared on."""

from __future__ import annotations

import atexit
import shutil
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from .plugin_project import Project, new_project

FILES = {
    "dbt_project.yml": (
        "name: tiny\nversion: 1.0.0\nprofile: tiny\n"
        "on-run-start: create table if not exists audit (nodes int)\n"
        "on-run-end: insert into audit values ({{ results | length }})\n"
        "models: {tiny: {totals: {+post-hook: \"select '{{ this.name }}'\"}}}\n"
    ),
    "models/passing_through.sql": "{{ config(materialized='ephemeral') }} select * from {{ ref('orders') }}",
    "models/through.sql": "select id from {{ ref('passing_through') }}",
    "models/failing.sql": "{{ config(materialized='table') }} select customer::int as c from {{ ref('raw_orders') }}",
    "models/after_failing.sql": "select * from {{ ref('failing') }}",
    "models/uncompiled.sql": "select {{ no_such_macro() }} from {{ ref('raw_orders') }}",
    "models/hours.sql": "{{ config(event_time='ts') }} select 1 as id, timestamp '2026-01-02 10:00:00' as ts",
    "models/days.sql": (
        "{{ config(materialized='incremental', incremental_strategy='microbatch', event_time='ts',"
        " begin='2026-01-01', batch_size='day') }} select id, ts from {{ ref('hours') }}"
    ),
    "models/half_days.sql": (
        "{{ config(materialized='incremental', incremental_strategy='microbatch', event_time='ts',"
        " begin='2026-01-01', batch_size='day') }} select id, ts, ts::varchar::int as never from {{ ref('hours') }}"
    ),
    "models/from_source.sql": "select id, amount * 2 as twice from {{ source('raw', 'lines') }} where amount > 0",
    "models/warned.yml": (
        "models:\n  - name: totals\n    description: What each customer paid.\n    columns:\n"
        "      - name: total\n        data_tests:\n"
        "          - accepted_values: {arguments: {values: [1]}, config: {severity: warn}}\n"
    ),
    "models/sources.yml": (
        "sources:\n  - name: raw\n    schema: main\n"
        "    config: {loaded_at_field: loaded_at, freshness: {error_after: {count: 1, period: day}}}\n"
        "    tables: [{name: lines, identifier: raw_lines}]\n"
    ),
    "models/exposures.yml": (
        "exposures:\n  - name: board\n    type: dashboard\n    url: https://bi.example/7\n"
        "    description: For the board.\n"
        "    owner: {name: ana, email: ana@example.org}\n    depends_on: [ref('totals'), ref('through')]\n"
        "  - name: unread\n    type: notebook\n    owner: {email: bo@example.org}\n"
        "    depends_on: [ref('after_failing')]\n"
    ),
    "models/unit.yml": (
        "unit_tests:\n  - name: adds_up\n    model: totals\n    given:\n      - input: ref('orders')\n"
        "        rows: [{customer: a, amount: 1}, {customer: a, amount: 2}]\n"
        "    expect: {rows: [{customer: a, total: 3}]}\n"
    ),
    "snapshots/kept.yml": (
        "snapshots:\n  - name: kept\n    relation: ref('orders')\n"
        "    config: {strategy: check, unique_key: id, check_cols: all}\n"
    ),
    "tests/no_debt.sql": "select * from {{ ref('orders') }} where amount < 0",
    "tests/unanswered.sql": "select no_such_column from {{ ref('from_source') }}",
    "macros/make_lines.sql": (
        '{% macro make_lines() %}{% do run_query("create or replace table main.raw_lines as select 1 as id, 2 as amount'
        ", timestamp '2020-01-01 00:00:00' as loaded_at\") %}{% endmacro %}"
    ),
}
SPAN = ("--event-time-start", "2026-01-01", "--event-time-end", "2026-01-03")


def new_project_of_every_kind(folder: Path) -> Project:
    """The project in a new folder, its source's table made."""
    shutil.copytree(_made(), folder / "project")
    return Project(folder / "project")


@cache
def _made() -> Path:
    """The project that is copied."""
    folder = TemporaryDirectory(prefix="lineal-tests-")
    atexit.register(folder.cleanup)
    project = new_project(Path(folder.name))
    project.write(FILES)
    made = project.dbt("run-operation", "make_lines")
    assert made.code == 0, made.out
    return project.root
