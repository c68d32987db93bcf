"""The shop's lineage as it was derived by hand, and the copy of the project that tests build."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb

SHOP = Path(__file__).parents[2] / "examples" / "shop"
EDGES = Path(__file__).with_name("shop_edges.json")
ANSWERS = SHOP / "answers.json"
OURS = ("LINEAL_", "OPENLINEAGE_", "DBT_", "SHOP_", "PYTHONDONTWRITEBYTECODE")


@dataclass(frozen=True, slots=True)
class Column:
    """A column by its relation, written `schema.table`, and its name."""

    relation: str
    name: str


@dataclass(frozen=True, slots=True)
class Edge:
    """One column edge of one kind, `DIRECT/IDENTITY` for example."""

    target: Column
    source: Column
    kind: str


@dataclass(frozen=True, slots=True)
class MartTruth:
    """All that is known of one mart: its edges, what masks, what is constant, and what decides its rows."""

    edges: frozenset[Edge]
    masked: frozenset[tuple[Column, Column]]
    constant: frozenset[str]
    rows: frozenset[tuple[Column, str]]

    @property
    def columns(self) -> frozenset[str]:
        """The mart's columns, with edges or constant."""
        return self.constant | {edge.target.name for edge in self.edges}


@dataclass(frozen=True, slots=True)
class Answer:
    """One question about one column, and every edge of its answer."""

    id: str
    direction: str
    column: Column
    edges: frozenset[Edge]
    exposures: frozenset[str]

    def walk(self, everything: Iterable[Edge]) -> frozenset[Edge]:
        """The edges among all of a project that lead up or down from this answer's column."""
        edges, found, ahead = list(everything), set[Edge](), {self.column}
        upstream = self.direction == "upstream"
        while ahead:
            step = {edge for edge in edges if (edge.target if upstream else edge.source) in ahead} - found
            found |= step
            ahead = {edge.source if upstream else edge.target for edge in step}
        return frozenset(found)


def read_marts() -> dict[str, MartTruth]:
    """The hand-written edges of four marts, by `schema.table`."""
    return {name: _mart(name, content) for name, content in json.loads(EDGES.read_text())["marts"].items()}


def read_answers() -> list[Answer]:
    """The answers that the example ships."""
    return [
        Answer(
            id=answer["id"],
            direction=answer["direction"],
            column=_column(answer["column"]),
            edges=frozenset(
                Edge(_column(step["target"]), _column(step["source"]), kind)
                for step in answer["steps"]
                for kind in step["kinds"]
            ),
            exposures=frozenset(answer.get("exposures", ())),
        )
        for answer in json.loads(ANSWERS.read_text())["answers"]
    ]


def copy_shop(target: Path) -> Path:
    """A copy of the example without what a run leaves behind."""
    left_behind = shutil.ignore_patterns("data", "target", "logs", "__pycache__", "*.duckdb")
    return shutil.copytree(SHOP, target, ignore=left_behind)


def clean_environment(**extra: str) -> dict[str, str]:
    """This process's environment without what would configure dbt, the producer or the shop."""
    return {name: value for name, value in os.environ.items() if not name.startswith(OURS)} | extra


def generate(project: Path, *args: str) -> str:
    """Runs the project's generator and gives what it printed."""
    command = [sys.executable, "generate.py", *args]
    return subprocess.run(
        command, cwd=project, env=clean_environment(), check=True, capture_output=True, text=True
    ).stdout


def dbt(project: Path, *args: str, **env: str) -> subprocess.CompletedProcess[str]:
    """Runs the environment's own dbt in a project's folder, where its relative paths begin; no user's settings.

    It waits for the worker as long as a busy machine may take.
    """
    patient = dict.fromkeys(("LINEAL_BUDGET_SECONDS", "LINEAL_LINGER_SECONDS", "LINEAL_READ_SECONDS"), "300")
    env = {"HOME": str(project.parent)} | patient | env
    command = [str(Path(sys.executable).with_name("dbt")), "--no-use-colors", *args]
    return subprocess.run(
        command, cwd=project, env=clean_environment(**env), capture_output=True, text=True, check=False
    )


def file_transport(events: Path) -> dict[str, str]:
    """The variables that make the plugin write its events to a file, and keep its state beside it."""
    return {
        "OPENLINEAGE__TRANSPORT__TYPE": "file",
        "OPENLINEAGE__TRANSPORT__LOG_FILE_PATH": str(events),
        "OPENLINEAGE__TRANSPORT__APPEND": "true",
        "LINEAL_STATE_DIR": str(events.with_name("state")),
    }


def artifact(project: Path, name: str) -> dict[str, Any]:
    """One of dbt's artifacts, `manifest` or `run_results`."""
    content: dict[str, Any] = json.loads((project / "target" / f"{name}.json").read_text())
    return content


def query(project: Path, sql: str) -> list[tuple[Any, ...]]:
    """Runs one statement in the project's database."""
    with duckdb.connect(str(project / "data" / "shop.duckdb")) as connection:
        rows: list[tuple[Any, ...]] = connection.execute(sql).fetchall()
    return rows


def read_columns(project: Path) -> dict[str, dict[str, str]]:
    """The types of every column in the database, by relation (`schema.table`) and name, in order."""
    rows = query(
        project,
        "select table_schema || '.' || table_name, column_name, data_type from information_schema.columns"
        " order by table_schema, table_name, ordinal_position",
    )
    found: dict[str, dict[str, str]] = {}
    for relation, column, kind in rows:
        found.setdefault(relation, {})[column] = kind
    return found


def _column(text: str) -> Column:
    relation, _, name = text.rpartition(".")
    return Column(relation, name)


def _mart(name: str, content: dict[str, list[list[str]]]) -> MartTruth:
    edges = [(target, Column(relation, column), kinds) for target, relation, column, kinds in content["edges"]]
    return MartTruth(
        edges=frozenset(Edge(Column(name, target), source, kind) for target, source, kinds in edges for kind in kinds),
        masked=frozenset((Column(name, target), Column(rel, column)) for target, rel, column in content["masked"]),
        constant=frozenset(str(column) for column in content["constant"]),
        rows=frozenset((Column(rel, column), kind) for rel, column, kinds in content["rows"] for kind in kinds),
    )
