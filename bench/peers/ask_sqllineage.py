"""sqllineage over a project: each model as a CREATE TABLE AS, with the project's schema as its metadata."""

import logging
import sys

from common import Answers, project, run
from sqllineage.core.metadata.dummy import DummyMetaDataProvider
from sqllineage.core.models import Column, Table
from sqllineage.runner import LineageRunner

DIALECTS = {"postgres": "postgres", "snowflake": "snowflake", "duckdb": "duckdb", "bigquery": "bigquery"}


def answer(answers: Answers) -> None:
    logging.disable(logging.CRITICAL)
    known = {}
    for parts, columns in project["schema"]:
        for named in (parts, parts[-2:]):
            known[".".join(named).lower()] = [name.lower() for name in columns]
    metadata = DummyMetaDataProvider(known)
    for number, model in enumerate(project["models"]):
        runner = LineageRunner(
            f"create table lineal_bench.target as {model['sql']}",
            dialect=DIALECTS.get(project["dialect"], "ansi"),
            metadata_provider=metadata,
        )
        try:
            paths = runner.get_column_lineage(exclude_path_ending_in_subquery=True)
        except Exception as error:  # whatever it raises, it has no answer
            answers.failed(number, error)
            continue
        if not paths:
            answers.failed(number, "nothing")
        for source, *_, target in paths:
            if target.raw_name == "*":
                answers.failed(number, "a star")
            elif isinstance(source, Column) and isinstance(source.parent, Table):
                answers.edge(number, target.raw_name, source.parent.raw_name, source.raw_name)


sys.exit(run(answer))
