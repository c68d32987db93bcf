"""DataHub's SQL parser over a project, with the project's schema in its resolver."""

import logging
import sys

from common import Answers, project, run
from datahub.metadata.urns import DatasetUrn
from datahub.sql_parsing._models import _TableName
from datahub.sql_parsing.schema_resolver import SchemaResolver
from datahub.sql_parsing.sqlglot_lineage import sqlglot_lineage


def answer(answers: Answers) -> None:
    logging.disable(logging.CRITICAL)
    resolver = SchemaResolver(platform=project["dialect"])
    lower = project["dialect"] == "snowflake"
    for parts, columns in project["schema"]:
        table = _TableName(
            database=parts[-3] if len(parts) > 2 else None,
            db_schema=parts[-2] if len(parts) > 1 else None,
            table=parts[-1],
        )
        resolver.add_raw_schema_info(resolver.get_urn_for_table(table, lower=lower), columns)
    for number, model in enumerate(project["models"]):
        found = sqlglot_lineage(
            model["sql"], schema_resolver=resolver, default_db=model["database"], default_schema=model["schema"]
        )
        if found.debug_info.error is not None or found.column_lineage is None:
            answers.failed(number, "errors")
        for column in found.column_lineage or []:
            answers.column(number, column.downstream.column)
            for source in column.upstreams:
                answers.edge(number, column.downstream.column, DatasetUrn.from_string(source.table).name, source.column)


sys.exit(run(answer))
