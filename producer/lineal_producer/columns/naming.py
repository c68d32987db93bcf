"""The names that databases give to columns without one."""

from __future__ import annotations

import re
from collections.abc import Callable

from sqlglot import exp

from lineal_producer.columns.dialects import Names
from lineal_producer.columns.functions import function_name
from lineal_producer.columns.text import text_of

PLAIN_OPERATORS = (exp.Add, exp.Sub, exp.Mul, exp.Div, exp.Mod, exp.GT, exp.GTE, exp.LT, exp.LTE, exp.EQ, exp.NEQ)
DUCKDB_OPERATORS: dict[type[exp.Expr], str] = {
    exp.Add: "+",
    exp.Sub: "-",
    exp.Mul: "*",
    exp.Div: "/",
    exp.Mod: "%",
    exp.IntDiv: "//",
    exp.Pow: "**",
    exp.GT: ">",
    exp.GTE: ">=",
    exp.LT: "<",
    exp.LTE: "<=",
    exp.EQ: "=",
    exp.NEQ: "!=",
    exp.DPipe: "||",
    exp.Like: "~~",
    exp.ILike: "~~*",
    exp.Is: "IS",
}
DUCKDB_FORMS: dict[type[exp.Expr], str] = {
    exp.Neg: "(-({}))",
    exp.Not: "(NOT {})",
    exp.Between: "({} BETWEEN {} AND {})",
}
# What PostgreSQL calls its types in the names of columns.
POSTGRES_TYPES = {
    "int": "int4",
    "integer": "int4",
    "bigint": "int8",
    "smallint": "int2",
    "boolean": "bool",
    "double precision": "float8",
    "real": "float4",
    "decimal": "numeric",
    "char": "bpchar",
}
POSTGRES_WORDS: dict[type[exp.Expr], str] = {
    exp.Array: "array",
    exp.Coalesce: "coalesce",
    exp.Nullif: "nullif",
    exp.CurrentDate: "current_date",
    exp.Count: "count",
    exp.Exists: "exists",
    exp.Corr: "corr",
    exp.Tuple: "row",
    exp.Trim: "btrim",
    exp.AtTimeZone: "timezone",
    exp.Interval: "interval",
    exp.Overlaps: "overlaps",
}
# Functions of which PostgreSQL has several spellings that the grammar does not tell apart, the commonest first.
POSTGRES_SPELLINGS: dict[type[exp.Expr], tuple[str, ...]] = {
    exp.CurrentTimestamp: ("current_timestamp", "now"),
    exp.StrPosition: ("position", "strpos"),
    exp.Ceil: ("ceil", "ceiling"),
    exp.Length: ("length", "char_length", "character_length"),
    exp.Pow: ("power", "pow"),
    exp.Variance: ("variance", "var_samp"),
    exp.Substring: ("substring", "substr"),
    exp.Extract: ("extract", "date_part"),
    exp.Mod: ("mod",),
    exp.Hex: ("to_hex",),
    exp.ArrayPosition: ("array_position",),
}
# They are operators, too, which have no name.
OPERATORS_TOO = (exp.Mod, exp.Pow)
SPARK_FUNCTIONS = frozenset({exp.Sum, exp.Max, exp.Min, exp.Avg, exp.Count, exp.Upper, exp.Lower, exp.Abs, exp.Length})
CLICKHOUSE_OPERATORS: dict[type[exp.Expr], str] = {
    exp.Add: "plus",
    exp.Sub: "minus",
    exp.Mul: "multiply",
    exp.Div: "divide",
    exp.Mod: "modulo",
    exp.Neg: "negate",
    exp.EQ: "equals",
    exp.NEQ: "notEquals",
    exp.GT: "greater",
    exp.GTE: "greaterOrEquals",
    exp.LT: "less",
    exp.LTE: "lessOrEquals",
    exp.And: "and",
    exp.Or: "or",
    exp.Not: "not",
    exp.DPipe: "concat",
    exp.Like: "like",
}
QUOTES = ("'", '"')
QUOTED = re.compile(r"""'(?:[^']|'')*'|"(?:[^"]|"")*"|[^'"]+|['"]""")
POSTGRES_LIKE = frozenset({"postgres", "redshift", "materialize", "risingwave"})


def default_name(node: exp.Expr, position: int, names: Names) -> str:
    """What an unnamed projection is called; its text where the database has no rule that can be told from the SQL."""
    if names.dialect in POSTGRES_LIKE:
        return postgres_name(node, names)
    if names.dialect == "bigquery":
        return f"f{position}_"
    if names.dialect in ("trino", "presto", "athena"):
        return f"_col{position}"
    own = OWN_NAMES.get(names.dialect)
    if own is not None:
        return own(node)
    if names.dialect == "mysql" and isinstance(node, exp.Literal):
        return node.name
    if not names.dialect:
        inner = node.this if isinstance(node, exp.Cast) else None
        if isinstance(inner, exp.Column):
            return inner.name
    return text_of(node, names.grammar) or node.key


def snowflake_path(node: exp.JSONExtract) -> str:
    """Snowflake's name of `a:b[0].c`: the text in capitals."""
    base = text_of(node.this, "snowflake").upper()
    path = ""
    for part in node.expression.expressions if isinstance(node.expression, exp.JSONPath) else []:
        if isinstance(part, exp.JSONPathSubscript):
            path += f"[{part.this}]"
        elif isinstance(part, exp.JSONPathKey):
            key = f'"{part.this}"' if part.args.get("quoted") else str(part.this).upper()
            path += f".{key}" if path else key
    return f"{base}:{path}"


def snowflake_name(node: exp.Expr) -> str:
    """Snowflake's text of an expression."""
    if isinstance(node, exp.JSONExtract) and node.args.get("variant_extract"):
        return snowflake_path(node)
    return upper_name(text_of(node, "snowflake") or node.key, spaced=True)


def oracle_name(node: exp.Expr) -> str:
    """Oracle's text of an expression."""
    return upper_name(text_of(node, "oracle") or node.key, spaced=False)


def upper_name(text: str, spaced: bool) -> str:
    """Snowflake's and Oracle's rule: the text in capital letters but for what is in quotes; Oracle drops blanks."""
    parts = [part if part[:1] in QUOTES else part.upper() for part in QUOTED.findall(text)]
    return "".join(part if spaced or part[:1] in QUOTES else part.replace(" ", "") for part in parts)


def clickhouse_name(node: exp.Expr) -> str:
    """ClickHouse's text of the commonest expressions: operators are functions."""
    while isinstance(node, exp.Paren):
        node = node.this
    if isinstance(node, exp.Column):
        return ".".join(part.name for part in node.parts)
    if type(node) in CLICKHOUSE_OPERATORS:
        parts = node.flatten() if isinstance(node, exp.Connector) else node.iter_expressions()
        return f"{CLICKHOUSE_OPERATORS[type(node)]}({', '.join(clickhouse_name(part) for part in parts)})"
    text = text_of(node, "clickhouse") or node.key
    if isinstance(node, exp.AggFunc) and isinstance(node.this, exp.Expr) and len(list(node.iter_expressions())) == 1:
        name, bracket, _ = text.partition("(")
        return f"{name}({clickhouse_name(node.this)})" if bracket and node.this.key != "distinct" else text
    return text


def duckdb_name(node: exp.Expr) -> str:
    """DuckDB's text of the commonest expressions: functions in small letters, operators in parentheses."""
    while isinstance(node, exp.Paren):
        node = node.this
    if isinstance(node, exp.Count) and isinstance(node.this, exp.Star):
        return "count_star()"
    if isinstance(node, exp.Boolean):
        return "true" if node.this else "false"
    operation = duckdb_operation(node)
    if operation:
        return operation
    text = text_of(node, "duckdb") or node.key
    if isinstance(node, exp.Window) and not node.args.get("spec") and not node.args.get("partition_by"):
        called = duckdb_name(node.this)
        return f"{called} OVER ()" if not node.args.get("order") and not node.args.get("alias") else text
    plain = isinstance(node, exp.Func) and not isinstance(node, (exp.Connector, exp.Cast, exp.Case, exp.Coalesce))
    arguments = list(node.iter_expressions())
    name, bracket, _ = text.partition("(")
    if plain and bracket and name.replace("_", "").isalnum() and not isinstance(node.this, (exp.Distinct, exp.Order)):
        return f"{name.lower()}({', '.join(duckdb_name(part) for part in arguments)})"
    return text.replace(" AS TEXT)", " AS VARCHAR)") if isinstance(node, exp.Cast) else text


def duckdb_operation(node: exp.Expr) -> str:
    """DuckDB's text of an operator; empty for what is none."""
    inner = node.this if isinstance(node, exp.Not) else None
    if isinstance(inner, exp.Is):
        return f"({duckdb_name(inner.this)} IS NOT {duckdb_name(inner.expression)})"
    if isinstance(node, exp.Connector):
        return f"({f' {node.key.upper()} '.join(duckdb_name(part) for part in node.flatten())})"
    if isinstance(node, exp.In) and node.expressions:
        return f"({duckdb_name(node.this)} IN ({', '.join(duckdb_name(part) for part in node.expressions)}))"
    if type(node) in DUCKDB_OPERATORS:
        operator = DUCKDB_OPERATORS[type(node)]
        operator = f"!{operator}" if node.args.get("negate") else operator
        return f"({duckdb_name(node.this)} {operator} {duckdb_name(node.expression)})"
    if type(node) in DUCKDB_FORMS and not (isinstance(node, exp.Neg) and isinstance(node.this, exp.Literal)):
        return DUCKDB_FORMS[type(node)].format(*(duckdb_name(part) for part in node.iter_expressions()))
    return ""


def spark_name(node: exp.Expr) -> str:
    """Spark's text of the commonest expressions: functions in small letters, operators in brackets."""
    while isinstance(node, exp.Paren):
        node = node.this
    if isinstance(node, exp.Column):
        return node.name
    if isinstance(node, exp.Count) and isinstance(node.this, exp.Star):
        return "count(1)"
    if isinstance(node, PLAIN_OPERATORS):
        operator = text_of(node, "spark").removeprefix(text_of(node.this, "spark")).split()[0]
        return f"({spark_name(node.this)} {operator} {spark_name(node.expression)})"
    if type(node) in SPARK_FUNCTIONS and not isinstance(node.this, exp.Distinct):
        return f"{node.key}({spark_name(node.this)})"
    return text_of(node, "spark") or node.key


def postgres_name(node: exp.Expr, names: Names) -> str:
    """PostgreSQL's rule: the function, the cast column or type, `case`, else `?column?`."""
    name, _ = postgres_figure(node, names)
    return name or "?column?"


def spellings_in(sql: str) -> frozenset[str]:
    """Those of the spellings that a text has."""
    text = sql.lower()
    spellings = (name for names in POSTGRES_SPELLINGS.values() for name in names)
    return frozenset(name for name in spellings if name in text and re.search(rf"\b{name}\b", text))


def postgres_word(node: exp.Expr, names: Names) -> str | None:
    """What a function is called that the grammar writes otherwise, empty for an operator; None for any other node."""
    if type(node) in POSTGRES_SPELLINGS:
        known = POSTGRES_SPELLINGS[type(node)]
        written = [name for name in known if name in names.words]
        return written[0] if written else "" if isinstance(node, OPERATORS_TOO) else known[0]
    if isinstance(node, exp.Cast) and isinstance(node.this, exp.IntDiv):
        return "div"
    if isinstance(node, exp.Trim) and node.args.get("position") in ("LEADING", "TRAILING"):
        return "ltrim" if node.args["position"] == "LEADING" else "rtrim"
    return POSTGRES_WORDS.get(type(node))


def postgres_figure(node: exp.Expr, names: Names) -> tuple[str, bool]:
    """A name, and whether it is better than that of a type or a CASE; no name where there is none."""
    while isinstance(node, (exp.Paren, exp.Window, exp.Filter, exp.WithinGroup, exp.Bracket, exp.Collate)):
        node = node.this
    if isinstance(node, exp.Dot) and isinstance(node.args.get("expression"), exp.Expr):
        node = node.args["expression"]
    if isinstance(node, (exp.Identifier, exp.Column)):
        return node.name, True
    word = postgres_word(node, names)
    if word is not None:
        return word, bool(word)
    if isinstance(node, (exp.Cast, exp.Case)):
        inner = node.this if isinstance(node, exp.Cast) else node.args.get("default")
        name, good = postgres_figure(inner, names) if inner is not None else ("", False)
        weak = type_name(node.args["to"]) if isinstance(node, exp.Cast) else "case"
        return (name, True) if good else (weak, False)
    if isinstance(node, exp.Subquery):
        first = next(iter(node.this.expressions), None) if isinstance(node.this, exp.Select) else None
        return (first.alias or postgres_figure(first, names)[0], True) if first is not None else ("", False)
    if isinstance(node, exp.Func) and not isinstance(node, (exp.Connector, exp.Binary)):
        named = function_name(node) if isinstance(node, exp.Anonymous) else written_name(node)
        return named.lower(), True
    return "", False


def type_name(kind: exp.Expr) -> str:
    """A type as PostgreSQL's catalog calls it."""
    text = kind.sql(dialect="postgres").lower().partition("[")[0]
    return POSTGRES_TYPES.get(text.partition("(")[0], text.partition("(")[0])


def written_name(node: exp.Expr) -> str:
    """A function's name as PostgreSQL writes it."""
    return (text_of(node, "postgres") or node.key).partition("(")[0]


OWN_NAMES: dict[str, Callable[[exp.Expr], str]] = {
    "duckdb": duckdb_name,
    "spark": spark_name,
    "databricks": spark_name,
    "clickhouse": clickhouse_name,
    "snowflake": snowflake_name,
    "oracle": oracle_name,
}
