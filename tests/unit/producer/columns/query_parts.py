"""Random queries over two tables, each with a twin that also gives every row's identity.

A query is one text in which `«plain¦probed»` marks where the twin differs: the twin has one more column, `__p`, that
names the rows of the tables behind a row of the result. A step that cannot say it leaves it out (`identity` is False).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from hypothesis import strategies as st

SCHEMA = {
    "t": {"id": "INTEGER", "k": "INTEGER", "a": "INTEGER", "b": "INTEGER"},
    "u": {"uid": "INTEGER", "k": "INTEGER", "v": "INTEGER", "w": "INTEGER"},
}
CHOICE = re.compile(r"«([^«»¦]*)¦([^«»¦]*)»")


@dataclass(frozen=True)
class Query:
    """A query as marked text, with the names of its outputs; `key` is unique in it, so that windows have one order."""

    text: str
    outputs: tuple[str, ...]
    key: str | None
    identity: bool = True

    @property
    def sql(self) -> str:
        """The query itself."""
        return resolved(self.text, 1)

    @property
    def probed(self) -> str:
        """The query with the identity of every row as one more column."""
        return resolved(self.text, 2)

    def fresh(self, name: str) -> str:
        """A name that no output has yet."""
        while name in self.outputs:
            name += "x"
        return name

    def without_key(self, key: str | None = None) -> Query:
        """The same rows, of which nothing is unique any more."""
        return replace(self, key=key)


def resolved(text: str, side: int) -> str:
    """The text with one side of every mark, from the inside out."""
    while "«" in text:
        text = CHOICE.sub(lambda match: match[side], text)
    return text


def probe(expression: str) -> str:
    """The identity of a row as one more column of the twin."""
    return f"«¦, {expression} as __p»"


def members(column: str) -> str:
    """The identity of a row that stands for many."""
    return f"coalesce(md5(list({column} order by {column})::varchar), '-')"


BASE = (
    Query("select *«¦, 't' || rowid as __p» from t", ("id", "k", "a", "b"), "id"),
    Query("select *«¦, 'u' || rowid as __p» from u", ("uid", "k", "v", "w"), "uid"),
)
EXPRESSIONS = (
    "{x}",
    "{x} + {y} * 3",
    "case when {x} > 4 then {y} else 0 end",
    "case when {x} > {y} then 'm' else 'n' end",
    "case {x} when {y} then 1 when 3 then {z} end",
    "if({x} > 3, {y}, {z})",
    "coalesce({x}, {y})",
    "nullif({x}, {y})",
    "greatest({x}, {y})",
    "concat({x}, '-', {y})",
    "{x} between {y} and {z}",
    "{x} in ({y}, 3)",
    "list_transform([{x}, {y}], lambda i: i + 1)",
    "[i + {y} for i in [{x}, 2] if i > {z}]",
    "[{x}, {y}][2]",
    "{{'p': {x}, 'q': {y}}}.q",
    "struct_pack(p := {x}, q := {{'r': {y}}}).q.r",
    "json_object('p', {x}, 'q', {y})->>'q'",
    "map {{'p': {x}}}['p']",
    "md5({x}::varchar)",
    "date '2024-01-01' + {x}",
    "(select max(u.v) from u where u.k = {x})",
    "(select count(*) from u where u.w > {x})",
    "exists (select 1 from u where u.k = {x} and u.v > {y})",
    "{x} in (select u.w from u where u.k > {y})",
    "(select list(s.w order by s.w, s.uid) from u s where s.k < {x})",
    "(with c as (select v + {x} as m from u where uid = 3) select m from c)",
    "(select sum(s.v) from u s join u z on s.k = z.w and z.uid > {x})",
    "(select max(c.n) from (select count(*) as n from u where u.k > {x} group by u.w having max(u.v) > {y}) c)",
    "{x} > all (select u.w from u where u.k = {y})",
    "{x} = any (select u.k from u)",
    "({x}, {y}) = ({z}, 4)",
    "list_filter([{x}, {y}, 5], lambda i: i > {z})",
    "list_reduce([{x}, {y}, 1], lambda m, i: m + i)",
    "list_sort([{x}, {y}])[1]",
    "map_from_entries([('p', {x}), ('q', {y})])['q']",
    "json_extract(json_object('p', json_object('q', {x}), 'r', {y}), '$.p.q')",
    "array_value({x}, {y})[2]",
    "({x}::varchar)[:1] || {y}",
    "({x}::varchar).concat('-', {y})",
    "try_cast({x} || '1' as integer) + {y}",
    "case when exists (select 1 from u where u.w = {x}) then {y} else {z} end",
    "nullif(coalesce({x}, {y}), {z})",
    "union_value(p := {x})::varchar",
    "row({x}, {y})[2]",
    "list_transform([{{'p': {x}, 'q': {y}}}], lambda i: i.q + {z})[1]",
    "list_transform(list_filter([{{'p': {x}, 'q': {y}}}], lambda i: i.p > {z}), lambda i: i.q)",
    "len(list_filter([{{'p': {x}, 'q': {y}}}, {{'p': 4, 'q': {z}}}], lambda i: i.q > 3))",
    "[i.p for i in [{{'p': {x}, 'q': {y}}}, {{'p': 4, 'q': {z}}}] if i.q > 3]",
    "list_sort([{{'p': {x}, 'q': {y}}}, {{'p': {z}, 'q': 1}}])[1].q",
    "7",
)
AGGREGATES = (
    "sum({x})",
    "max({x} + {y})",
    "count({x})",
    "count(*)",
    "count(distinct {x})",
    "sum({x}) filter (where {y} > 4)",
    "string_agg({x}::varchar, ',' order by {x}, {y})",
    "list({x} order by {y}, {x})[1]",
    "arg_max({x}, {y} * 100 + {x})",
    "min_by({{'p': {x}, 'q': {z}}}, {y} * 100 + {x} * 11 + {z}).p",
    "count(*) filter (where {x} > {y})",
    "histogram({x})::varchar",
    "bool_or({x} > {y})",
    "quantile_cont({x}, 0.5)",
    "percentile_disc(0.5) within group (order by {x})",
    "product(case {x} when 3 then {y} else 1 end)",
    "first({x} order by {y}, {x})",
    "max({x}) - min({y}) filter (where {z} > 2)",
    "sum((select max(u.v) from u where u.k = {x}))",
    "sum(case when {x} > 5 then {y} end)",
    "coalesce(max({x}), min({y}))",
    "list_transform(list({{'p': {x}, 'q': {y}}} order by {x}, {y}), lambda i: i.q)",
    "len(list_transform(list_filter(list({{'p': {x}, 'q': {z}}}), lambda i: i.p > 3), lambda i: i.q))",
    "list_sort(list({{'p': {x}, 'q': {y}}}))[1].q",
)
WINDOWS = (
    "sum({x}) over (partition by {y} order by q.{key})",
    "lag({x}) over (order by q.{key})",
    "row_number() over (partition by {y} order by q.{key})",
    "first_value({x}) over (partition by {y} order by q.{key} desc)",
    "rank() over (order by {x})",
    "count(*) over (partition by {x})",
    "max({x}) over w",
    "sum({x}) filter (where {y} > 3) over w",
    "ntile(3) over (partition by {x} order by q.{key})",
    "lead({x}, 2, {y}) over (order by q.{key})",
    "nth_value({x}, 2) over (partition by {y} order by q.{key} rows between 2 preceding and 2 following)",
    "sum({x}) over (order by q.{key} rows between 1 preceding and 1 following exclude current row)",
    "last_value({x} ignore nulls) over (partition by {y} order by q.{key})",
    "percent_rank() over (partition by {x} order by {y})",
    "coalesce(lag({x}) over (order by q.{key}), {y})",
    "sum({x}) over (w rows 1 preceding)",
    "string_agg({x}::varchar, ',' order by {y}, q.{key}) over (partition by {z})",
)


def numeric(column: str) -> str:
    """Any column as a number that keeps its differences."""
    return f"(hash({column}) % 11)::integer"


@st.composite
def columns_of(draw: st.DrawFn, inner: Query) -> dict[str, str]:
    """Three columns of a query as numbers."""
    return {name: numeric(f"q.{draw(st.sampled_from(inner.outputs))}") for name in "xyz"}
