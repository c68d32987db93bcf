"""Column lineage of a dbt project's models: CPU seconds beside sqlglot's parse and qualify, edges and gaps beside them.

    python bench/columns.py             examples/shop, built for this in a temporary folder, and the wide model below
    python bench/columns.py TARGET…     each a folder with manifest.json and, if there is one, catalog.json
    python bench/columns.py --wide      1,500 columns through a union of seven branches and twelve CTEs
    python bench/columns.py --peers …   each peer as well, in an environment that this makes with pip (minutes);
                                        --environments FOLDER keeps these for the next time

An edge is an output column and a source column of a relation that the model's SQL reads; what rows depend on is not
counted. "also ours" are a peer's edges that this engine has too. A gap is what a tool says that it doesn't know.
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
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import sqlglot
from column_peers import PEERS, Edge, environment, plain, run_peer
from sqlglot import exp
from sqlglot.errors import SqlglotError
from sqlglot.optimizer.qualify import qualify

from lineal_producer.columns import trace
from lineal_producer.columns.cache import LineageCache

Schema = dict[tuple[str, ...], dict[str, str]]


@dataclass(frozen=True)
class Model:
    """One model's compiled SQL and where it lives."""

    id: str
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
    target: Path | None = None


@dataclass
class Figures:
    """What a run over a project cost and gave."""

    cpu: float = 0.0
    columns: int = 0
    edges: int = 0
    gaps: int = 0
    also_ours: int | None = None


def read_project(target: Path) -> Project:
    """A project from its target folder, or the folder that has it."""
    if not (target / "manifest.json").is_file() and (target / "target").is_dir():
        target = target / "target"
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
        Model(name, sql, node.get("database"), node.get("schema"))
        for name, node in manifest["nodes"].items()
        if node["resource_type"] == "model" and (sql := node.get("compiled_code") or node.get("compiled_sql"))
    ]
    name = target.parent.name if target.name == "target" else str(target)
    return Project(name, manifest["metadata"].get("adapter_type") or "", models, schema, target)


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
    return Project("1,500 columns, 7 branches, 12 CTEs", "duckdb", [Model("wide", sql, None, None)], schema)


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


def our_edges(project: Project) -> set[Edge]:
    """This engine's edges as those of peers are compared."""
    return {
        (number, plain(column.name), plain(item.relation[-1]), plain(item.column.partition(".")[0]))
        for number, model in enumerate(project.models)
        for column in trace(model.sql, project.dialect, project.schema, model.database, model.schema).columns
        for item in column.inputs
    }


def description(project: Project) -> dict[str, Any]:
    """What a peer's script is told of a project."""
    return {
        "dialect": project.dialect,
        "target": str(project.target.resolve()) if project.target else None,
        "models": [asdict(model) for model in project.models],
        "schema": [[list(parts), columns] for parts, columns in project.schema.items()],
        "nested": nested(project.schema),
    }


def show(name: str, figures: Figures, base: float) -> None:
    """One line of a project's table."""
    ratio = figures.cpu / base if base else 0.0
    ours = "" if figures.also_ours is None else f" {figures.also_ours:6} also ours"
    counts = f"{figures.columns:6} columns {figures.edges:7} edges {figures.gaps:5} gaps"
    print(f"  {name:18} {figures.cpu:8.3f} s {ratio:7.2f} x  {counts}{ours}", flush=True)


def show_peers(project: Project, base: float, environments: Path) -> None:
    """A line for each peer that installs and can read the project."""
    ours = our_edges(project)
    for peer in PEERS:
        if peer.needs_target and project.target is None:
            continue
        found = run_peer(peer, environment(peer, environments), description(project))
        if isinstance(found, str):
            print(f"  {peer.name:18} {found}", flush=True)
            continue
        edges = {(number, name, table, source) for number, name, table, source in found["edges"]}
        figures = Figures(found["cpu"], found["columns"], len(edges), found["gaps"], len(edges & ours))
        show(peer.name, figures, base)


def main() -> None:
    """Prints one table a project."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("targets", nargs="*", type=Path)
    parser.add_argument("--wide", action="store_true")
    parser.add_argument("--peers", action="store_true")
    parser.add_argument("--environments", type=Path)
    arguments = parser.parse_args()
    by_default = not arguments.targets and not arguments.wide
    projects = [read_project(target) for target in arguments.targets]
    projects += [shop_project()] if by_default else []
    projects += [wide_project()] if arguments.wide or by_default else []
    runs = [("parse + qualify", parse_and_qualify), ("lineal", lineal), ("lineal, unchanged", lineal_unchanged)]
    with TemporaryDirectory() as scratch:
        for project in projects:
            print(f"{project.name}: {len(project.models)} models, {project.dialect}")
            base = 0.0
            for name, run in runs:
                figures = measure(run, project)
                base = base or figures.cpu
                show(name, figures, base)
            if arguments.peers:
                show_peers(project, base, arguments.environments or Path(scratch))


if __name__ == "__main__":
    main()
