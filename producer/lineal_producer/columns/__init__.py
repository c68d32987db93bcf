"""From SQL to columns: where each output column comes from, or why that could not be told."""

from lineal_producer.columns.answer import to_json
from lineal_producer.columns.model import Column, Gap, Input, ModelLineage
from lineal_producer.columns.trace import RULES_VERSION, sqlglot_version, trace

__all__ = ["RULES_VERSION", "Column", "Gap", "Input", "ModelLineage", "sqlglot_version", "to_json", "trace"]
