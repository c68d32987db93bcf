"""Column lineage of a dbt project's models: CPU seconds beside sqlglot's parse and qualify, edges and gaps beside them.

    python bench/columns.py                examples/shop, built for this in a temporary folder, and the wide model below
    python bench/columns.py TARGET…        each a folder with manifest.json and, if there is one, catalog.json
    python bench/columns.py --wide         1,500 columns through a union of seven branches and twelve CTEs

`sqlglot.lineage` is run too with --peers; it takes minutes on large projects.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError
from sqlglot.lineage import lineage as sqlglot_lineage
from sqlglot.optimizer.qualify import qualify

from lineal_producer.columns import trace
from lineal_producer.columns.cache import LineageCache

Schema = dict[tuple[str, ...], dict[str, str]]


@dataclass(frozen=True)
class Model:
    """One model's compiled SQL and where it lives."""

    sql: str
    database: str | None
    schema: str | None


@dataclass(frozen=True)
class Project:
    """A project's models and what its catalog knows."""

    name: str
    dialect: str
    models: list[Model]
    schema: Schema


@dataclass
class Figures:
    """What a run over a project cost and gave."""

    cpu: float = 0.0
    columns: int = 0
    edges: int = 0
    gaps: int = 0


def read_project(target: Path) -> Project:
    """A project from its target folder."""
    manifest = json.loads((target / "manifest.json").read_text())
    catalog_path = target / "catalog.json"
    catalog = json.loads(catalog_path.read_text()) if catalog_path.is_file() else {"nodes": {}, "sources": {}}
    schema: Schema = {}
    for node in [*catalog["nodes"].values(), *catalog["sources"].values()]:
        place = node["metadata"]
        columns = sorted(node["columns"].values(), key=lambda column: column["index"])
        parts = tuple(part for part in (place.get("database"), place["schema"], place["name"]) if part)
        schema[parts] = {column["name"]: column["type"] for column in columns}
    models = [
        Model(sql, node.get("database"), node.get("schema"))
        for node in manifest["nodes"].values()
        if node["resource_type"] == "model" and (sql := node.get("compiled_code") or node.get("compiled_sql"))
    ]
    return Project(str(target), manifest["metadata"].get("adapter_type") or "", models, schema)


def shop_project() -> Project:
    """The example, built and documented by a real dbt."""
    with TemporaryDirectory() as folder:
        place = Path(folder) / "shop"
        left_behind = shutil.ignore_patterns("data", "target", "logs", "__pycache__")
        shutil.copytree(Path(__file__).parents[1] / "examples" / "shop", place, ignore=left_behind)
        ours = ("LINEAL_", "OPENLINEAGE_", "DBT_", "SHOP_")
        env = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
        dbt = str(Path(sys.executable).with_name("dbt"))
        for command in (
            [sys.executable, "generate.py"],
            [dbt, "--quiet", "build"],
            [dbt, "--quiet", "docs", "generate"],
        ):
            subprocess.run(command, cwd=place, env=env, check=True, stdout=subprocess.DEVNULL)
        project = read_project(place / "target")
    return Project("examples/shop", project.dialect, project.models, project.schema)


def wide_project() -> Project:
    """The widest model that has to stay within ten seconds."""
    names = [f"c{number}" for number in range(1500)]
    columns = ", ".join(names)
    branches = " union all ".join(f"select {columns} from t{number} where c1 > 0" for number in range(7))
    ctes = [f"s0 as ({branches})"]
    for step in range(1, 12):
        kept = ", ".join(f"coalesce({name}, 0) + 1 as {name}" if step % 2 else name for name in names)
        ctes.append(f"s{step} as (select {kept} from s{step - 1})")
    sql = f"with {', '.join(ctes)} select * from s11"
    schema: Schema = {(f"t{number}",): dict.fromkeys(names, "INT") for number in range(7)}
    return Project("1,500 columns, 7 branches, 12 CTEs", "duckdb", [Model(sql, None, None)], schema)


def lineal(project: Project) -> Figures:
    """This engine."""
    figures = Figures()
    for model in project.models:
        found = trace(model.sql, project.dialect, project.schema, model.database, model.schema)
        figures.columns += len(found.columns)
        figures.edges += sum(len({(i.relation, i.column) for i in column.inputs}) for column in found.columns)
        figures.gaps += len(found.gaps)
    return figures


def lineal_unchanged(project: Project) -> Figures:
    """This engine over a project in which nothing has changed; the first run is not counted."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "cache.json"
        with LineageCache(path) as cache:
            for model in project.models:
                cache.trace(model.sql, project.dialect, project.schema, model.database, model.schema)
        start = time.process_time()
        cache = LineageCache(path)
        for model in project.models:
            cache.trace(model.sql, project.dialect, project.schema, model.database, model.schema)
        return Figures(cpu=time.process_time() - start, gaps=cache.parsed)


def nested(schema: Schema) -> dict[str, Any]:
    """A schema in sqlglot's nested form."""
    tree: dict[str, Any] = {}
    depth = max((len(parts) for parts in schema), default=1)
    for parts, columns in schema.items():
        place = tree
        for part in (("",) * (depth - len(parts)) + parts)[:-1]:
            place = place.setdefault(part, {})
        place[parts[-1]] = columns
    return tree


def parse_and_qualify(project: Project) -> Figures:
    """sqlglot's parse and qualify alone."""
    figures = Figures()
    schema = nested(project.schema)
    for model in project.models:
        names = names_of(model, project, schema)
        figures.columns += len(names)
        figures.gaps += not names
    return figures


def peer_lineage(project: Project) -> Figures:
    """sqlglot.lineage, asked for every column."""
    figures = Figures()
    schema = nested(project.schema)
    for model in project.models:
        for name in names_of(model, project, schema):
            edges = peer_edges(name, model, project, schema)
            figures.columns += 1
            figures.edges += edges or 0
            figures.gaps += edges is None
    return figures


def peer_edges(name: str, model: Model, project: Project, schema: dict[str, Any]) -> int | None:
    """How many sources sqlglot.lineage gives a column, None where it fails."""
    try:
        node = sqlglot_lineage(name, model.sql, schema=schema, dialect=project.dialect)
    except (SqlglotError, ValueError):
        return None
    return sum(1 for part in node.walk() if not part.downstream)


def names_of(model: Model, project: Project, schema: dict[str, Any]) -> list[str]:
    """The output columns of a model as sqlglot's qualify sees them, none where it fails."""
    try:
        tree = qualify(
            sqlglot.parse_one(model.sql, read=project.dialect),
            schema=schema,
            dialect=project.dialect,
            db=model.schema,
            catalog=model.database,
            validate_qualify_columns=False,
        )
    except SqlglotError:
        return []
    return tree.named_selects if isinstance(tree, exp.Query) else []


def measure(run: Callable[[Project], Figures], project: Project) -> Figures:
    """A run with its CPU time; a run that has measured itself keeps its own."""
    start = time.process_time()
    figures = run(project)
    figures.cpu = figures.cpu or time.process_time() - start
    return figures


def main() -> None:
    """Prints one table a project."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("targets", nargs="*", type=Path)
    parser.add_argument("--wide", action="store_true")
    parser.add_argument("--peers", action="store_true")
    arguments = parser.parse_args()
    by_default = not arguments.targets and not arguments.wide
    projects = [read_project(target) for target in arguments.targets]
    projects += [shop_project()] if by_default else []
    projects += [wide_project()] if arguments.wide or by_default else []
    runs = [
        ("parse + qualify", parse_and_qualify),
        ("lineal", lineal),
        ("lineal, unchanged", lineal_unchanged),
        *([("sqlglot.lineage", peer_lineage)] if arguments.peers else []),
    ]
    for project in projects:
        print(f"{project.name}: {len(project.models)} models, {project.dialect}")
        base: float | None = None
        for name, run in runs:
            figures = measure(run, project)
            base = base or figures.cpu
            ratio = figures.cpu / base if base else 0.0
            print(
                f"  {name:18} {figures.cpu:8.3f} s {ratio:6.2f} x  "
                f"{figures.columns:6} columns {figures.edges:7} edges {figures.gaps:5} gaps"
            )


if __name__ == "__main__":
    main()
