"""A project that is made of several, each saying of its nodes all that dbt lets it say."""

from __future__ import annotations

import subprocess
from pathlib import Path

from .plugin_project import Project, new_project

# Somebody's name in SQL, in a test, in a hook and in what DuckDB says of a value.
PERSON = "Ann Somebody"
PEOPLE = f"id,name\n1,{PERSON}\n2,bo\n"
VENDOR = {
    "dbt_project.yml": "name: vendor\nversion: 1.0.0\nmodels: {vendor: {+schema: sold}}\n",
    "seeds/people.csv": PEOPLE,
    "models/persons.sql": "{{ config(materialized='table') }} select id, name as person from {{ ref('people') }}",
    "models/orders.sql": "select id from {{ ref('persons') }}",
    "models/vendor.yml": "models: [{name: persons, columns: [{name: id, data_tests: [not_null]}]}]\n",
}
# What dbt-loom and its kin are: a plugin of dbt's that tells models of projects which run elsewhere.
MESH = """
from dbt.contracts.graph.node_args import ModelNodeArgs
from dbt.plugins.manifest import PluginNodes
from dbt.plugins.manager import dbt_hook, dbtPlugin


class Mesh(dbtPlugin):
    @dbt_hook
    def get_nodes(self):
        nodes = PluginNodes()
        nodes.add_model(
            ModelNodeArgs(
                name="cities", package_name="upstream", identifier="all_cities", schema="main", database="tiny",
                relation_name='"tiny"."main"."all_cities"',
            )
        )
        return nodes


plugins = [Mesh]
"""
FILES = {
    "dbt_project.yml": (
        "name: tiny\nversion: 1.0.0\nprofile: tiny\n"
        "on-run-start: create or replace table main.all_cities as select 1 as id, 'rome' as city\n"
    ),
    "packages.yml": "packages: [{local: ../vendor}]\n",
    "models/orders.sql": (
        "{{ config(materialized='table', tags=['nightly'], group='sales',"
        f" post_hook=\"select '{PERSON}'\") }}}}"
        " select o.id, p.person, c.city from {{ ref('raw_orders') }} o join {{ ref('vendor', 'persons') }} p"
        f" on o.id = p.id and p.person <> '{PERSON}' left join {{{{ ref('upstream', 'cities') }}}} c on c.id = o.id"
    ),
    "models/totals.sql": (
        f"select id, case when person = '{PERSON}' then 1 else 2 end as kind from {{{{ ref('orders') }}}}"
    ),
    "models/priced.sql": "select id, price from {{ source('files', 'prices') }}",
    "models/kept.sql": (
        "{{ config(materialized='external', location='kept.parquet') }} select id from {{ ref('priced') }}"
    ),
    "macros/logged.sql": (
        "{% materialization logged, adapter='duckdb' %}"
        "{% call statement('main') %} create or replace table {{ this }} as {{ sql }} {% endcall %}"
        "{% do adapter.commit() %}"
        "{{ return({'relations': [this.incorporate(type='table')]}) }}{% endmaterialization %}\n"
    ),
    "models/logged.sql": "{{ config(materialized='logged') }} select id, price * 2 as twice from {{ ref('priced') }}",
    "models/grown.sql": (
        "{{ config(materialized='incremental', unique_key='id') }} select id from {{ source('files', 'prices') }}"
    ),
    "models/misspelt.sql": (
        f"{{{{ config(materialized='table') }}}} selec '{PERSON}' form {{{{ ref('orders') }}}} wehre"
    ),
    "models/failing.sql": (
        "{{ config(materialized='table') }} select person::int as id from {{ ref('vendor', 'persons') }}"
    ),
    "models/hours.sql": "{{ config(event_time='ts') }} select 1 as id, timestamp '2026-01-01 10:00:00' as ts",
    "models/days.sql": (
        "{{ config(materialized='incremental', incremental_strategy='microbatch', event_time='ts',"
        " begin='2026-01-01', batch_size='day') }} select id, ts from {{ ref('hours') }}"
    ),
    "models/schema.yml": (
        "groups: [{name: sales, owner: {name: ana, email: ana@example.org}}]\n"
        "models:\n"
        "  - name: orders\n    description: What was ordered.\n"
        "    config: {contract: {enforced: true}, meta: {owner: bo}}\n"
        "    columns:\n"
        "      - {name: id, data_type: integer, description: The key., config: {tags: [key]}, data_tests: [not_null]}\n"
        "      - {name: person, data_type: varchar, config: {tags: [pii]}, data_tests: [{accepted_values: {arguments:"
        f" {{values: ['{PERSON}', bo]}}}}}}]}}\n"
        "      - {name: city, data_type: varchar}\n"
        "sources:\n"
        "  - name: files\n    config: {meta: {external_location: 'files/{name}.csv', owner: [cy, {name: di}]}}\n"
        "    tables:\n      - name: prices\n        description: What it costs.\n        config: {tags: [raw]}\n"
        "        columns: [{name: price, description: In cents., config: {tags: [money]}}]\n"
    ),
    "files/prices.csv": "id,price\n1,10\n",
}
SPAN = ("--event-time-start", "2026-01-01", "--event-time-end", "2026-01-02")


def new_wide_project(folder: Path) -> Project:
    """The project in a new folder and in a git repository, its packages beside it, with what a mesh tells."""
    project = new_project(folder)
    project.write(FILES)
    Project(folder / "vendor").write(VENDOR)
    Project(folder / "mesh").write({"dbt_mesh.py": MESH})
    project.env["PYTHONPATH"] = str(folder / "mesh")
    git = ("git", "-c", "user.name=a", "-c", "user.email=a@example.org")
    for step in (
        ("init", "--quiet", "--initial-branch", "main"),
        ("remote", "add", "origin", "https://ana:s3cr3t@git.example/team/shop.git"),
        ("add", "."),
        ("commit", "--quiet", "--message", "first"),
    ):
        subprocess.run([*git, *step], cwd=project.root, check=True, capture_output=True)
    deps = project.dbt("deps")
    assert deps.code == 0, deps.out
    return project
