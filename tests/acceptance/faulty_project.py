"""A project of all that openlineage-dbt is known to tell wrongly, or not at all."""

from __future__ import annotations

from pathlib import Path

from .plugin_project import Project, new_project

PROFILES = """
tiny:
  target: "{{ var('where', 'dev') }}"
  outputs:
    dev:
      {type: duckdb, path: "{{ env_var('TINY_NAME', 'tiny') | as_text }}.duckdb", attach: [{path: side.duckdb}]}
    prod: {type: snowflake, account: "{{ env_var('NOBODY_SETS_THIS') | some_filter }}"}
"""
MODELS = {
    # the style guide's pattern: stars through CTEs to the end
    "starred": "with src as (select * from {{ ref('raw_orders') }}), final as (select * from src) select * from final",
    "narrowed": "with x as (select * from {{ ref('raw_orders') }}) select amount from X",
    "nested": (
        "with a as (select id from {{ ref('raw_orders') }}), b as (with a2 as (select id from a) select id from a2)"
        " select id from b where id in (select id from a)"
    ),
    "joined": (
        "select customer, city from {{ ref('raw_orders') }} o join {{ ref('raw_cities') }} c on o.customer = c.who"
        " where amount > 0"
    ),
    "united": "select customer from {{ ref('raw_orders') }} union all select who from {{ ref('raw_cities') }}",
    "unnamed": (
        "select id + amount, (select max(city) from {{ ref('raw_cities') }}) as top, count(*) as n, 7 as seven"
        " from {{ ref('raw_orders') }} group by 1"
    ),
    "chosen": (
        "select case when customer = 'ann' then amount end as c,"
        " sum(amount) over (partition by customer order by id) as w from {{ ref('raw_orders') }}"
    ),
    "unnested": "select id, unnest(string_split(customer, 'n')) as part from {{ ref('raw_orders') }}",
    "pivoted": (
        "select * from (pivot {{ ref('raw_orders') }} on customer in ('ann', 'bob') using sum(amount) group by id)"
    ),
    "replaced": "select * exclude (customer) replace (amount * 2 as amount) from {{ ref('raw_orders') }}",
    "passing": "{{ config(materialized='ephemeral') }} select * from {{ ref('raw_orders') }}",
    "passed": "select id from {{ ref('passing') }}",
    "renamed": "{{ config(alias='Called Otherwise') }} select id from {{ ref('raw_orders') }}",
    "of_source": "select * from {{ source('raw', 'lines') }}",
    "of_snapshot": "select id, dbt_valid_from from {{ ref('kept') }}",
    "aside": "{{ config(database='side') }} select id from {{ ref('raw_orders') }}",
    "grown": (
        "{{ config(materialized='incremental', unique_key='id') }} select id, amount from {{ ref('raw_orders') }}"
        "{% if is_incremental() %} where id > (select max(id) from {{ this }}){% endif %}"
    ),
    "failing": "{{ config(materialized='table') }} select customer::int as c, amount from {{ ref('raw_orders') }}",
    "skipped": "select c from {{ ref('failing') }}",
    "uncompiled": "select {{ run_query('select nothing from nowhere') }} as id from {{ ref('raw_orders') }}",
    "misspelt": "{{ config(materialized='table') }} selec id form {{ ref('raw_orders') }} wehre",
    "hours": (
        "{{ config(event_time='ts') }} select 1 as id, timestamp '2026-01-02 10:00:00' as ts"
        " union all select 2, timestamp '2026-01-01 10:00:00'"
    ),
    "days": (
        "{{ config(materialized='incremental', incremental_strategy='microbatch', event_time='ts', begin='2026-01-01',"
        " batch_size='day') }} select id, ts, case when id = 1 then ts::varchar::int end as x from {{ ref('hours') }}"
    ),
}
FILES = {
    "profiles.yml": PROFILES,
    "seeds/raw_cities.csv": "who,city\nann,rome\nbob,oslo\n",
    "models/totals.sql": "select customer, sum(amount) as total from {{ ref('starred') }} group by customer",
    "models/orders.sql": "select * from {{ ref('raw_orders') }}",
    "models/schema.yml": (
        "models:\n  - name: starred\n    columns: [{name: AMOUNT, description: Paid.}, {name: id}]\n"
        "    config: {meta: {owner: [ana, {name: bo}]}}\n"
        "  - name: totals\n    columns:\n      - name: total\n"
        "        data_tests: [not_null, {accepted_values: {arguments: {values: [1]}}}]\n"
        "seeds:\n  - name: raw_orders\n    columns: [{name: id, data_tests: [unique]}]\n"
    ),
    "models/python.py": "def model(dbt, session):\n    return session.sql('select 1 as id')\n",
    "models/sources.yml": ("sources: [{name: raw, schema: main, tables: [{name: lines, identifier: Raw Lines}]}]\n"),
    "models/exposures.yml": (
        "exposures:\n  - {name: board, type: dashboard, owner: {name: ana}, depends_on: [ref('totals')]}\n"
    ),
    "models/unit.yml": (
        "unit_tests:\n  - name: adds_up\n    model: totals\n    given:\n      - input: ref('starred')\n"
        "        rows: [{customer: a, amount: 1}, {customer: a, amount: 2}]\n"
        "    expect: {rows: [{customer: a, total: 3}]}\n"
    ),
    "snapshots/kept.yml": (
        "snapshots:\n  - name: kept\n    relation: ref('starred')\n"
        "    config: {strategy: check, unique_key: id, check_cols: all}\n"
        "    columns: [{name: id, data_tests: [not_null]}]\n"
    ),
    "tests/no_debt.sql": "select * from {{ ref('totals') }} where total < 0",
    "dbt_project.yml": (
        "name: tiny\nversion: 1.0.0\nprofile: tiny\n"
        "on-run-start: 'create or replace table main.\"Raw Lines\" as select 1 as id'\n"
    ),
    **{f"models/{name}.sql": sql for name, sql in MODELS.items()},
}


def new_faulty_project(folder: Path) -> Project:
    """The project in a new folder."""
    project = new_project(folder)
    project.write(FILES)
    return project
