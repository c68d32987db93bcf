"""openlineage-sql over a project: each model as CREATE TABLE AS, for which it gives columns; it knows no schema."""

import sys

from common import Answers, project, run
from openlineage_sql import parse


def answer(answers: Answers) -> None:
    for number, model in enumerate(project["models"]):
        try:
            found = parse([f"create table lineal_bench_target as {model['sql']}"], project["dialect"], model["schema"])
        except BaseException as error:  # a panic of its Rust is no Exception
            answers.failed(number, error)
            continue
        if found is None or found.errors or not found.column_lineage:
            answers.failed(number, "nothing")
        for column in found.column_lineage if found is not None else []:
            answers.column(number, column.descendant.name)
            for source in column.lineage:
                table = source.origin.name if source.origin is not None else ""
                answers.edge(number, column.descendant.name, table, source.name)


sys.exit(run(answer))
