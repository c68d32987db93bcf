"""Which grammar and which naming rules a dialect or dbt adapter stands for."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from sqlglot import exp
from sqlglot.dialects.dialect import Dialect as Grammar
from sqlglot.dialects.dialect import NormalizationStrategy

# dbt adapter types and common other names whose SQL is another dialect's.
ADAPTERS = {
    "": "",
    "ansi": "",
    "generic": "",
    "alloydb": "postgres",
    "cockroachdb": "postgres",
    "cratedb": "postgres",
    "databricks_sql": "databricks",
    "dremio": "dremio",
    "fabric": "fabric",
    "fabricspark": "spark",
    "glue": "spark",
    "greenplum": "postgres",
    "hologres": "postgres",
    "impala": "hive",
    "layer_bigquery": "bigquery",
    "mariadb": "mysql",
    "maxcompute": "hive",
    "motherduck": "duckdb",
    "mssql": "tsql",
    "mysql5": "mysql",
    "netezza": "postgres",
    "postgresql": "postgres",
    "rockset": "postgres",
    "singlestore": "singlestore",
    "snowpark": "snowflake",
    "sparksql": "spark",
    "spark_sql": "spark",
    "sqlserver": "tsql",
    "starburst": "trino",
    "synapse": "tsql",
    "tidb": "mysql",
    "timescaledb": "postgres",
    "vertica": "postgres",
    "watsonx_presto": "presto",
    "watsonx_spark": "spark",
    "yellowbrick": "postgres",
}
LATERAL_ALIASES = frozenset(
    {"snowflake", "redshift", "databricks", "spark", "spark2", "duckdb", "clickhouse", "teradata", "exasol"}
)
# Where a CTE may read itself without the word RECURSIVE.
SILENT_RECURSION = frozenset({"tsql", "fabric", "oracle", "snowflake", "teradata", "exasol", "hive"})
# Where the database changes the letters of a name that isn't quoted, so that the answer has to as well.
STORED_LOWER = frozenset({"postgres", "redshift", "materialize", "risingwave"})
STORED_UPPER = frozenset({"snowflake", "oracle", "exasol"})


@dataclass(frozen=True, slots=True)
class Ident:
    """A name as written (`name`), as the database stores it (`stored`) and as names are compared (`key`)."""

    name: str
    stored: str
    key: str
    quoted: bool = False


@dataclass(frozen=True, slots=True)
class Names:
    """The rules of one dialect for grammar, case folding and scope."""

    dialect: str
    grammar: Grammar
    strategy: NormalizationStrategy
    # ClickHouse's setting prefer_column_name_to_alias.
    prefers_columns: bool = False
    # The words of the text, where they tell how a function is spelled.
    words: frozenset[str] = frozenset()

    @property
    def projection_mode(self) -> str:
        """What a projection's alias means to the others and to WHERE: see Scope.alias_mode."""
        if self.aliases_hide_columns:
            return "first"
        if self.dialect == "bigquery":
            return "last"
        return "lateral" if self.dialect in LATERAL_ALIASES else "never"

    @property
    def aliases_hide_columns(self) -> bool:
        """Whether an alias comes before a column of its name in the whole query."""
        return self.dialect == "clickhouse" and not self.prefers_columns

    @property
    def silent_recursion(self) -> bool:
        """Whether a CTE may be recursive without saying so."""
        return self.dialect in SILENT_RECURSION

    def fold(self, name: str, quoted: bool = False) -> str:
        """The form of a name in which two spellings of one thing are equal."""
        if self.strategy is NormalizationStrategy.CASE_SENSITIVE:
            return name
        if self.strategy is NormalizationStrategy.LOWERCASE:
            return name if quoted else name.lower()
        if self.strategy is NormalizationStrategy.UPPERCASE:
            return name if quoted else name.upper()
        return name.lower()

    def ident(self, node: exp.Expr | str) -> Ident:
        """The names of an identifier node; plain text counts as not quoted."""
        name = node if isinstance(node, str) else spelled(node)
        quoted = not isinstance(node, str) and bool(node.args.get("quoted"))
        return self.make(name, quoted)

    def make(self, name: str, quoted: bool = False) -> Ident:
        """The names of a spelling."""
        stored = name
        if self.dialect == "redshift" or (not quoted and self.dialect in STORED_LOWER):
            stored = name.lower()
        elif not quoted and self.dialect in STORED_UPPER:
            stored = name.upper()
        return Ident(name, stored, self.fold(name, quoted), quoted)


def spelled(node: exp.Expr) -> str:
    """An identifier with T-SQL's marks of temporary tables, which the grammar takes off."""
    is_global = node.args.get("global_") or node.args.get("global")
    return ("##" if is_global else "#" if node.args.get("temporary") else "") + node.name


@lru_cache(maxsize=64)
def find_names(dialect: str) -> Names | None:
    """The rules of a dialect or dbt adapter by name, None when nobody knows it."""
    wanted = (dialect or "").strip().lower()
    wanted = ADAPTERS.get(wanted, wanted)
    try:
        grammar = Grammar.get_or_raise(wanted)
    except ValueError:
        return None
    strategy = grammar.normalization_strategy
    if wanted == "mysql" or wanted == "singlestore":
        # Tables may depend on the file system, columns never do: comparing without case finds both.
        strategy = NormalizationStrategy.CASE_INSENSITIVE
    return Names(wanted, grammar, strategy)
