"""sqlglot.lineage over a project: every output column asked for."""

import sys

from common import Answers, project, run
from sqlglot import exp, parse_one
from sqlglot.errors import SqlglotError
from sqlglot.lineage import lineage
from sqlglot.optimizer.qualify import qualify


def answer(answers: Answers) -> None:
    for number, model in enumerate(project["models"]):
        options = {"schema": project["nested"], "dialect": project["dialect"]}
        try:
            tree = qualify(
                parse_one(model["sql"], read=project["dialect"]),
                **options,
                db=model["schema"],
                catalog=model["database"],
                validate_qualify_columns=False,
            )
            names = tree.named_selects if isinstance(tree, exp.Query) else []
        except (SqlglotError, ValueError) as error:
            answers.failed(number, error)
            continue
        for name in names:
            try:
                node = lineage(name, model["sql"], **options)
            except (SqlglotError, ValueError, KeyError) as error:
                answers.failed(number, error)
                continue
            answers.column(number, name)
            for part in node.walk():
                if not part.downstream and isinstance(part.expression, exp.Table):
                    answers.edge(number, name, part.expression.name, part.name.rpartition(".")[2])


sys.exit(run(answer))
