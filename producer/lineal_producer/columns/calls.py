"""What a call in FROM says by itself: its name, its arguments, the names of its columns."""

from __future__ import annotations

import re
from dataclasses import replace

import sqlglot
from sqlglot import exp

from lineal_producer.columns.dialects import Ident, Names
from lineal_producer.columns.facts import TRANSFORMATION
from lineal_producer.columns.recovery import UNREADABLE
from lineal_producer.columns.relation import Hole, OutCol, Relation
from lineal_producer.columns.rowsets import DUCKDB_JSON, OUTPUTS, SPARK_OUTPUTS, TSQL_OUTPUTS
from lineal_producer.columns.text import text_of
from lineal_producer.columns.values import Problem, Shape, Value, constant, merge

# How a text begins that lists columns with their types.
DECLARATION = re.compile(r"\s*[`\"]?\w+[`\"]?\s+[A-Za-z]")


def sql_name(node: exp.Expr) -> str:
    """A function's SQL name in lower case."""
    if isinstance(node, (exp.Anonymous, exp.AnonymousAggFunc)):
        return str(node.name).lower()
    if isinstance(node, exp.Dot) and isinstance(node.args.get("expression"), exp.Expr):
        return sql_name(node.args["expression"])
    if isinstance(node, exp.GenerateSeries):
        # The grammar reads DuckDB's range as generate_series without its end.
        return "range" if node.args.get("is_end_exclusive") else "generate_series"
    return node.key


def inline_of(node: exp.Expr) -> exp.Expr:
    """Spark's inline_outer as the inline that the grammar knows: it only keeps rows without elements."""
    named = isinstance(node, exp.Anonymous) and node.name.lower() == "inline_outer" and len(node.expressions) == 1
    return exp.Inline(this=node.expressions[0].copy()) if named else node


def file_paths(arguments: list[exp.Expr]) -> list[str]:
    """The constant paths that a file function reads, none when any of them is computed."""
    first = arguments[0] if arguments else None
    nodes = first.expressions if isinstance(first, exp.Array) else [first]
    paths = [node.name for node in nodes if isinstance(node, exp.Literal) and node.is_string]
    return list(dict.fromkeys(paths)) if len(paths) == len(nodes) else []


def listed_columns(arguments: list[exp.Expr]) -> list[tuple[str, str]] | None:
    """The columns and types that `columns = {…}` of DuckDB's readers tells, None where it doesn't tell all of them."""
    told = [node.args["expression"] for node in arguments if is_option(node, "columns")]
    # Folders called key=value add columns.
    folders = any("=" in path for path in file_paths(arguments))
    folders = folders or any(is_option(node, "hive_partitioning") for node in arguments)
    if len(told) != 1 or not isinstance(told[0], exp.Struct) or folders:
        return None
    pairs = [part for part in told[0].expressions if isinstance(part, exp.PropertyEQ)]
    texts = [(part.this.name, part.expression.name) for part in pairs if isinstance(part.expression, exp.Literal)]
    return texts if texts and len(texts) == len(told[0].expressions) else None


def declared_columns(arguments: list[exp.Expr], names: Names) -> list[tuple[str, str]] | None:
    """The columns and types by which file functions tell them, None where none does."""
    if names.dialect == "duckdb":
        return listed_columns(arguments)
    for node in arguments[1:]:
        if not isinstance(node, exp.Literal) or not DECLARATION.match(node.name):
            continue
        try:
            read = sqlglot.parse_one(f"create table x ({node.name})", read=names.grammar)
        except UNREADABLE:
            continue
        listed = read.this.expressions if isinstance(read.this, exp.Schema) else []
        defined = [part for part in listed if isinstance(part, exp.ColumnDef)]
        return [(part.name, text_of(part.kind, names.grammar) if part.kind else "") for part in defined] or None
    return None


def stack_columns(node: exp.Expr) -> list[list[exp.Expr]] | None:
    """The expressions of each column of stack(n, …), None for another function or when n isn't a number."""
    if sql_name(node) != "stack":
        return None
    count, *cells = argument_nodes(node)
    if not isinstance(count, exp.Literal) or not count.name.isdigit() or int(count.name) < 1:
        return None
    width = -(-len(cells) // int(count.name))
    return [cells[position::width] for position in range(width)]


def argument_nodes(node: exp.Expr) -> list[exp.Expr]:
    """A function's arguments."""
    if isinstance(node, exp.Dot):
        node = node.args["expression"]
    return [part for part in node.iter_expressions() if not isinstance(part, (exp.OpenJSONColumnDef, exp.JSONSchema))]


def json_table_columns(node: exp.Expr, names: Names) -> list[tuple[Ident, bool]]:
    """The columns that JSON_TABLE declares, and whether each is FOR ORDINALITY."""
    columns = [column for column in node.find_all(exp.JSONColumnDef) if column.name]
    return [(names.make(column.name), bool(column.args.get("ordinality"))) for column in columns]


def xml_table_columns(node: exp.Expr, names: Names) -> list[tuple[Ident, bool]]:
    """The columns that XMLTABLE declares, and whether each is FOR ORDINALITY; without any its own one."""
    columns = [part for part in node.args.get("columns") or [] if isinstance(part, exp.ColumnDef)]
    found = [(names.ident(part.this), is_counter(part)) for part in columns]
    return found or [(names.make("column_value"), False)]


def is_counter(column: exp.ColumnDef) -> bool:
    """Whether a declared column only counts."""
    return bool(column.args.get("ordinality")) or column.find(exp.GeneratedAsIdentityColumnConstraint) is not None


def output_names(name: str, dialect: str) -> tuple[str, ...]:
    """The columns that a function's rows have by themselves, none where the dialect names them otherwise."""
    if dialect in ("duckdb", "sqlite") and name in ("json_each", "json_tree"):
        return DUCKDB_JSON
    if dialect in ("spark", "databricks") and name in SPARK_OUTPUTS:
        return SPARK_OUTPUTS[name]
    if dialect in ("tsql", "fabric") and name in TSQL_OUTPUTS:
        return TSQL_OUTPUTS[name]
    if dialect in ("trino", "presto", "athena") and name == "generate_series":
        return OUTPUTS["sequence"]
    return OUTPUTS.get(name, ())


def is_option(node: exp.Expr, name: str) -> bool:
    """Whether an argument is an option of a name that is not switched off."""
    if not isinstance(node, (exp.EQ, exp.PropertyEQ, exp.Kwarg)) or node.this.name.lower() != name:
        return False
    value = node.args.get("expression")
    return not (isinstance(value, exp.Boolean) and not value.this)


def with_file_name(relation: Relation) -> Relation:
    """DuckDB's read functions with filename = true: one more column, which is in no file."""
    name = "filename"
    column = OutCol(name, name, constant())
    if relation.is_open:
        return Relation([Hole(relation, frozenset({name})), column])
    known = any(item.key == name for item in relation.columns)
    return relation if known else Relation([*relation.items, column], relation.rows, relation.problems)


def value_structure(node: exp.Values, dialect: str) -> str:
    """The names and types that ClickHouse's VALUES may begin with, as text; empty where it doesn't."""
    first = node.expressions[0] if node.expressions else None
    parts = first.expressions if isinstance(first, exp.Tuple) else []
    if dialect != "clickhouse" or len(parts) < 2 or not isinstance(parts[1], exp.Tuple):
        return ""
    return parts[0].name if isinstance(parts[0], exp.Literal) and parts[0].is_string else ""


def value_rows(node: exp.Values, dialect: str) -> list[exp.Expr]:
    """The rows of VALUES."""
    return list(node.expressions[0].expressions[1:] if value_structure(node, dialect) else node.expressions)


def row_parts(row: exp.Expr) -> list[exp.Expr]:
    """The expressions of one row of VALUES; MySQL writes ROW before each."""
    parts = row.expressions if isinstance(row, exp.Tuple) else [row]
    if len(parts) == 1 and isinstance(parts[0], exp.Anonymous) and parts[0].name.lower() == "row":
        return list(parts[0].expressions)
    return list(parts)


def exploded(value: Value, array: Shape | None) -> list[OutCol | Hole]:
    """The columns of Spark's explode: a map's keys and values, an array's elements; either of what isn't known."""
    if array is None or array.element is None:
        return [Hole(Relation(), whole=value, matches=lambda name: name in ("key", "value", "col"))]
    names = ("key", "value") if array.pairs else ("col",)
    return [OutCol(name, name, part) for name, part in zip(names, by_pair(value, array, len(names)), strict=True)]


def by_pair(value: Value, array: Shape | None, width: int) -> list[Value]:
    """What each column of an exploded array or map is: of a map built in the query the key and the value apart."""
    if array is None or array.pair is None or width != len(array.pair):
        return [value] * width
    return [part.reshaped(TRANSFORMATION) for part in array.pair]


def with_inputs(relation: Relation, value: Value) -> Relation:
    """A relation each of whose columns depends on a value too."""
    items: list[OutCol | Hole] = []
    for item in relation.items:
        if isinstance(item, OutCol):
            items.append(OutCol(item.name, item.key, item.value.plus(value)))
        else:
            items.append(replace(item, whole=merge((item.whole or constant(), value))))
    return Relation(items, relation.rows, relation.problems)


def opaque(message: str, code: str = "opaque_function") -> Relation:
    """A relation of which nothing is known."""
    return Relation([Hole(Relation(), problem=Problem(code, message))])
