"""Units of time and other words among a function's arguments, which look like columns or hide one."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sqlglot import exp

from lineal_producer.columns.facts import TRANSFORMATION, chain
from lineal_producer.columns.functions import function_name, words
from lineal_producer.columns.scope import Bound, Scope
from lineal_producer.columns.values import Value, constant, unknown

if TYPE_CHECKING:
    from lineal_producer.columns.walk import Walk

UNITS = words(
    """
    year years yyyy yyy yy y yr yrs quarter quarters qtr qtrs qq q month months mon mons mm m week weeks wk ww w isoweek
    iso_week dayofyear day_of_year yearday doy dy days day_of_month dayofmonth day dd d dayofweek day_of_week dow dw
    weekday hour hours hr hrs hh h minute minutes min mins mi n second seconds sec secs ss s millisecond milliseconds
    msec msecs ms mil mils microsecond microseconds microsec microsecs usec usecs mcs us nanosecond nanoseconds nsec
    nanosec nanosecs ns epoch epoch_second epoch_millisecond epoch_microsecond epoch_nanosecond century centuries cent
    c decade decades dec decs millennium millenniums millennia isodow isoyear era julian yearweek year_of_week yow
    yearofweek yearofweekiso weekiso week_iso dayofweekiso dayofweek_iso dow_iso timezone timezone_hour
    timezone_minute date time timezone_region timezone_abbr
    """
)
DATE_FUNCTION = re.compile(
    r"(?:^|_)(?:date|time)|^extract|_trunc|last_day|next_day|first_day|diff$|tumble|interval", re.IGNORECASE
)
# Conversions to dates, whose first argument is the value.
CONVERSION = re.compile(r"(?:try_|safe_)?(?:to|parse|from|as|str|convert)_")
# Words that a function takes somewhere among its arguments.
WORDS = {
    "trunc": frozenset(word for word in UNITS if len(word) > len("dd")),
    "get_format": words("date time datetime timestamp"),
    "vector_distance": words("cosine euclidean euclidean_squared l2_squared dot manhattan hamming jaccard"),
    "normalize": words("nfc nfd nfkc nfkd"),
}
# Where a unit is a value like any other, so that a column may hold it.
COMPUTED_UNITS = frozenset(
    {
        "postgres",
        "redshift",
        "duckdb",
        "trino",
        "presto",
        "athena",
        "clickhouse",
        "databricks",
        "spark",
        "spark2",
        "hive",
    }
)
# Where IS compares any two values.
COMPARED_BY_IS = frozenset({"sqlite", ""})
# How `x IS OF (type)` is read.
TYPE_TEST = "of"


def is_word(node: exp.Expr, function: exp.Expr, scope: Scope) -> bool:
    """Whether an argument that looks like a column is a word that the function knows, and no known column."""
    if not isinstance(node, exp.Column) or node.args.get("table") or not isinstance(node.this, exp.Identifier):
        return False
    name = function_name(function)
    if name not in WORDS and not isinstance(function, (exp.Anonymous, exp.TimestampDiff)):
        return False
    if node.this.args.get("quoted"):
        return False
    word = node.name.lower()
    is_one = node is not function.this and word in WORDS.get(name, ())
    if not is_one and isinstance(function, exp.Anonymous) and len(function.expressions) > 1:
        # The first argument of a date function that the grammar knows by name only.
        is_dated = DATE_FUNCTION.search(name) is not None and CONVERSION.match(name) is None
        is_one = node is function.expressions[0] and word in UNITS and is_dated
    if isinstance(function, exp.TimestampDiff):
        # ClickHouse's unit comes first, where the grammar expects a value.
        is_one = scope.names.dialect == "clickhouse" and node is function.this and word in UNITS
    return is_one and scope.definite(scope.names.ident(node.this)) is None


def timed(walk: Walk, node: exp.Expr, kind: int, masking: bool, bound: Bound) -> None:
    """A function that the grammar knows to take a unit: where that is no unit, it is a column of which it made one."""
    walk.plain(node, kind, masking, bound)
    unit = node.this if isinstance(node, exp.Extract) else node.args.get("unit")
    if isinstance(unit, (exp.Var, exp.Literal)) and unit.name.lower() not in UNITS:
        walk.add(lost_column(unit.name, walk.scope), chain(TRANSFORMATION, kind), masking)


def lost_column(name: str, scope: Scope) -> Value:
    """What a name means whose letters' case is lost; nothing where it can only be a unit written as text."""
    names, wanted = scope.names, name.lower()
    if names.dialect not in COMPUTED_UNITS or not wanted.isidentifier():
        return constant()
    sources = [source for level in scope.chain() for source in level.visible()]
    found = {column.name for source in sources for column in source.relation.columns if column.name.lower() == wanted}
    found = found or {key for key in scope.aliases if key.lower() == wanted}
    if len(found) == 1:
        return scope.resolve([names.make(found.pop(), quoted=True)])
    if found or any(source.relation.is_open for source in sources):
        return unknown("ambiguous_column", f"{wanted} may be a unit of time or a column that holds one")
    return constant()


def is_(walk: Walk, node: exp.Expr, kind: int, masking: bool, bound: Bound) -> None:
    """IS: what stands behind it is a word, as in IS NORMALIZED, even where it looks like a column."""
    tested = node.args.get("expression")
    is_type = isinstance(tested, exp.Anonymous) and tested.name.lower() == TYPE_TEST
    if is_type or (isinstance(tested, exp.Column) and walk.evaluator.names.dialect not in COMPARED_BY_IS):
        walk.push([node.this], chain(TRANSFORMATION, kind), masking, bound)
        return
    walk.plain(node, kind, masking, bound)
