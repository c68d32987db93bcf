"""Random queries in PostgreSQL's own words, each with a twin that gives every row's identity: see `query_parts`."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import strategies as st

from .query_parts import Query, probe, resolved

BASE = (
    Query("select *«¦, 't' || ctid::text as __p» from t", ("id", "k", "a", "b"), "id"),
    Query("select *«¦, 'u' || ctid::text as __p» from u", ("uid", "k", "v", "w"), "uid"),
)
EXPRESSIONS = (
    "{x} + {y} * 3",
    "case when {x} > {y} then 'm' else 'n' end",
    "coalesce({x}, {y})",
    "nullif({x}, {y})",
    "greatest({x}, {y})",
    "concat_ws('-', {x}, {y})",
    "{x} between symmetric {y} and {z}",
    "{x} is distinct from {y}",
    "(array[{x}, {y}])[2]",
    "(array[{x}, {y}, {z}])[1:2]",
    "array_position(array[{x}, {y}], {z})",
    "jsonb_build_object('p', {x}, 'q', {y}) ->> 'q'",
    "jsonb_build_object('p', jsonb_build_object('r', {x}), 'q', {y}) #>> '{{p,r}}'",
    "jsonb_build_array({x}, {y}) -> 1",
    "(to_jsonb(q) ->> '{name}')",
    "(row({x}, {y})::pair).second",
    "q::text",
    "(q).{name}::text",
    "md5({x}::text)",
    "date '2024-01-01' + {x}",
    "date_part('day', date '2024-01-01' + {x})",
    "extract(epoch from timestamp '2024-01-01' + {x} * interval '1 day')",
    "substring(({x} * 1000)::text from 1 for 2)",
    "overlay('abcdef' placing {x}::text from 2)",
    "position({x}::text in {y}::text)",
    "{x}::text like '%' || {y}::text",
    "to_char({x}, '09')",
    "format('%s/%s', {x}, {y})",
    "(select max(u.v) from u where u.k = {x})",
    "(select count(*) from u where u.w > {x})",
    "(select count(*) filter (where u.w > {x}) from u)",
    "array(select u.v from u where u.k < {x} order by u.v, u.uid)",
    "exists (select 1 from u where u.k = {x} and u.v > {y})",
    "{x} in (select u.w from u where u.k > {y})",
    "{x} > all (select u.w from u where u.k = {y} and u.w is not null)",
    "{x} = any (array[{y}, {z}])",
    "({x}, {y}) in (select u.v, u.w from u)",
    "({x}, {y}) < ({z}, 4)",
    "(select s.v from u s where s.k >= {x} order by s.w desc nulls last, s.uid limit 1)",
    "(with c as (select v + {x} as m from u where uid = 3) select m from c)",
    "(select string_agg(s.w::text, ',' order by s.w, s.uid) from u s join u z on s.k = z.w and z.uid > {x})",
    "(select sum(e) from unnest(array[{x}, {y}]) as r(e) where e > {z})",
    "(select j ->> 'p' from jsonb_array_elements(jsonb_build_array(jsonb_build_object('p', {x}, 'q', {y}))) j)",
    "(select max(n.value::text) from jsonb_each(jsonb_build_object('p', {x}, 'q', {y})) n where n.key = 'q')",
    "(select v.n from (values ({x}, 1), ({y}, 2)) v(n, m) where v.m = 2)",
    "num_nulls({x}, {y})",
    "7",
)
AGGREGATES = (
    "sum({x})",
    "max({x} + {y})",
    "count({x})",
    "count(*)",
    "count(distinct {x})",
    "sum({x}) filter (where {y} > 4)",
    "string_agg({x}::text, ',' order by {x}, {y})",
    "(array_agg({x} order by {y}, {x}))[1]",
    "jsonb_object_agg(coalesce({x}, 0), {y} order by {x}, {y})::text",
    "(jsonb_agg(jsonb_build_object('p', {x}, 'q', {y}) order by {x}, {y}) -> 0) ->> 'q'",
    "bool_or({x} > {y})",
    "percentile_cont(0.5) within group (order by {x})",
    "percentile_disc(0.5) within group (order by {x}) filter (where {y} > 2)",
    "mode() within group (order by {x})",
    "rank(3) within group (order by {x})",
    "regr_count({x}, {y})",
    "max({x}) - min({y}) filter (where {z} > 2)",
    "sum((select max(u.v) from u where u.k = {x}))",
    "sum(case when {x} > 5 then {y} end)",
    "every({x} > 2)",
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
    "sum({x}) over (order by {y} range between 2 preceding and 1 following exclude ties)",
    "count({x}) over (order by {y} groups between 1 preceding and current row)",
    "percent_rank() over (partition by {x} order by {y})",
    "sum({x}) over (w rows 1 preceding)",
    "string_agg({x}::text, ',') over (partition by {z} order by q.{key})",
)
CONDITIONS = (
    "{x} > 4",
    "{x} > {y} or {z} = 2",
    "{x} in (select u.v from u)",
    "{x} not in (select u.w from u where u.w is not null and u.k = {y})",
    "not exists (select 1 from u where u.k > {x} and u.v = {y})",
    "{x} > (select avg(u.v) from u)",
    "({x}, {y}) in (select u.v, u.w from u)",
    "{x} = any (select u.k from u where u.w < {y})",
    "coalesce({x} > {y}, true)",
)


def numeric(column: str) -> str:
    """Any column as a number that keeps its differences."""
    return f"(hashtext(({column})::text) % 11)"


def members(column: str) -> str:
    """The identity of a row that stands for many."""
    return f"coalesce(md5(string_agg({column}, ',' order by {column})), '-')"


@st.composite
def parts_of(draw: st.DrawFn, inner: Query) -> dict[str, str]:
    """Three columns of a query as numbers, and the name of one."""
    names = st.sampled_from(inner.outputs)
    return {**{part: numeric(f"q.{draw(names)}") for part in "xyz"}, "name": draw(names)}


def listed(inner: Query) -> str:
    """All columns of a query, behind which its identity may follow."""
    return ", ".join(f"q.{name}" for name in inner.outputs)


@st.composite
def projected(draw: st.DrawFn, inner: Query) -> Query:
    """Some expressions over a query; without the identity among its columns, so that whole rows have none of it."""
    names = list(inner.outputs if draw(st.booleans()) else ())
    columns = [f"q.{name} as {name}" for name in names]
    for _ in range(draw(st.integers(1, 3))):
        name = inner.fresh(f"e{len(names)}")
        columns.append(f"{draw(st.sampled_from(EXPRESSIONS)).format(**draw(parts_of(inner)))} as {name}")
        names.append(name)
    own = any("q::text" in column or "to_jsonb(q)" in column for column in columns)
    text = f"select {', '.join(columns)}{'' if own else probe('q.__p')} from ({inner.text}) q"
    key = inner.key if inner.key in names else None
    if own:
        return Query(resolved(text, 1), tuple(names), key, identity=False)
    return Query(text, tuple(names), key, inner.identity)


@st.composite
def filtered(draw: st.DrawFn, inner: Query) -> Query:
    """Some rows of a query."""
    condition = draw(st.sampled_from(CONDITIONS)).format(**draw(parts_of(inner)))
    return replace(inner, text=f"select * from ({inner.text}) q where {condition}")


@st.composite
def grouped(draw: st.DrawFn, inner: Query) -> Query:
    """Aggregates of a query, by keys, sets of keys or none."""
    parts = draw(parts_of(inner))
    aggregate = draw(st.sampled_from(AGGREGATES)).format(**parts)
    g, h = (f"q.{draw(st.sampled_from(inner.outputs))}" for _ in range(2))
    form = draw(st.integers(0, 3))
    p = probe(members("q.__p"))
    if form == 0:
        return Query(f"select {aggregate} as agg{p} from ({inner.text}) q", ("agg",), None, inner.identity)
    having = f" having max({parts['y']}) > 2" if draw(st.booleans()) else ""
    if form == 1 and g != h:
        by = draw(st.sampled_from(("grouping sets (({g}, {h}), ({g}), ())", "rollup ({g}, {h})", "cube ({g}, {h})")))
        told = probe(f"{members('q.__p')} || grouping({g}, {h})")
        text = f"select {g} as g, {h} as h, grouping({g}, {h}) as gr, {aggregate} as agg{told} from ({inner.text}) q"
        return Query(f"{text} group by {by.format(g=g, h=h)}", ("g", "h", "gr", "agg"), None, inner.identity)
    keys = draw(st.sampled_from(("1", "g", g)))
    keys = g if keys == "g" and "g" in inner.outputs else keys
    text = f"select {g} as g, {aggregate} as agg{p} from ({inner.text}) q group by {keys}{having}"
    return Query(text, ("g", "agg"), None, inner.identity)


@st.composite
def windowed(draw: st.DrawFn, inner: Query) -> Query:
    """A window over a query that has a unique key, or the first row of each of its groups."""
    if inner.key is None:
        return inner
    parts = draw(parts_of(inner))
    if draw(st.integers(0, 3)) == 0:
        text = f"select distinct on ({parts['x']}) * from ({inner.text}) q order by {parts['x']}, q.{inner.key} desc"
        return replace(inner, text=text)
    window = draw(st.sampled_from(WINDOWS)).format(**parts, key=inner.key)
    name = inner.fresh("win")
    named = f"window w as (partition by {parts['z']} order by q.{inner.key})"
    text = f"select {listed(inner)}, {window} as {name}{probe('q.__p')} from ({inner.text}) q {named}"
    made = Query(text, (*inner.outputs, name), inner.key, inner.identity)
    if draw(st.booleans()):
        made = replace(made, text=f"select * from ({text}) q where {numeric(f'q.{name}')} > 0")
    return made


@st.composite
def joined(draw: st.DrawFn, inner: Query) -> Query:
    """A query joined with a table, with a query that sees it, or by USING."""
    parts = draw(parts_of(inner))
    name = inner.fresh("jv")
    names = (*inner.outputs, name)
    kind = draw(st.sampled_from(("join", "left join", "right join", "full join", "lateral", "using", "series")))
    p = probe("concat(q.__p, '+', u.ctid)")
    if kind == "lateral":
        side = draw(st.sampled_from(("cross join lateral", "left join lateral")))
        inside = f"select u.v as m«¦, u.ctid::text as __q» from u where u.k >= {parts['x']} order by u.uid limit 2"
        on = " on true" if side.startswith("left") else ""
        text = f"select {listed(inner)}, l.m as {name}{probe('concat(q.__p, chr(43), l.__q)')}"
        return Query(f"{text} from ({inner.text}) q {side} ({inside}) l{on}", names, None, inner.identity)
    if kind == "series":
        e, rows = inner.fresh("je"), f"unnest(array[{parts['x']}, {parts['y']}], array[{parts['z']}])"
        text = f"select {listed(inner)}, s.e as {name}, s.n as {e}{probe('concat(q.__p, chr(43), s.o)')}"
        text += f" from ({inner.text}) q, {rows} with ordinality as s(e, n, o)"
        return Query(text, (*names, e), None, inner.identity)
    if kind == "using":
        side = draw(st.sampled_from(("join", "left join", "right join", "full join")))
        key = inner.outputs[0]
        left = f"(select {numeric('q.' + key)} as j0{probe('q.__p')} from ({inner.text}) q)"
        right = "(select k % 5 as j0, w«¦, ctid as rn» from u)"
        text = f"select j0, w{probe('concat(l.__p, chr(43), r.rn)')} from {left} l {side} {right} r using (j0)"
        return Query(text, ("j0", "w"), None, inner.identity)
    text = f"select {listed(inner)}, u.v as {name}{p} from ({inner.text}) q {kind} u on {parts['x']} = {numeric('u.k')}"
    return Query(text, names, None, inner.identity)


@st.composite
def combined(draw: st.DrawFn, inner: Query) -> Query:
    """Set operations, recursion, CTEs that hide tables, names given by place."""
    parts = draw(parts_of(inner))
    choice = draw(st.integers(0, 4))
    if choice == 0:
        picked = [draw(st.sampled_from(("v", "w", "k", "uid"))) for _ in inner.outputs]
        other = ", ".join(f"{column}::text" for column in picked)
        first, second = (f"select {other} from u where {condition}" for condition in ("k > 3", "w > 2"))
        mine = ", ".join(f"{output}::text as {output}" for output in inner.outputs)
        words = draw(st.sampled_from((("union all", "except"), ("union", "union all"), ("except all", "intersect"))))
        text = f"select {mine} from ({inner.text}) q {words[0]} {first} {words[1]} {second}"
        return Query(resolved(text, 1), inner.outputs, None, identity=False)
    if choice == 1:
        anchor = f"select {parts['x']} as n, {parts['y']} as m, 1 as d{probe('q.__p')} from ({inner.text}) q"
        step = f"select m, n + 1, d + 1{probe('r.__p || chr(62)')} from r where d < 3 and n < 9"
        text = f"with recursive r as ({anchor} union all {step}) select n, m{probe('__p')} from r"
        return Query(text, ("n", "m"), None, inner.identity)
    if choice == 2:
        text = f"with u as materialized ({inner.text}) select {listed(inner)}{probe('q.__p')} from u q"
        return replace(inner, text=text)
    if choice == 3:
        renamed = tuple(f"r{place}" for place in range(len(inner.outputs)))
        text = f"select {', '.join(renamed)}{probe('__p')} from ({inner.text}) q({', '.join(renamed)})"
        key = renamed[inner.outputs.index(inner.key)] if inner.key in inner.outputs else None
        return Query(text, renamed, key, inner.identity)
    text = f"select v.word as word, {parts['y']} as m{probe('q.__p || v.n')} from ({inner.text}) q"
    text += f" join (values (1, 'one'), (2, 'two'), (3, 'three')) as v(n, word) on v.n = {parts['x']}"
    return Query(text, ("word", "m"), None, inner.identity)


@st.composite
def queries(draw: st.DrawFn) -> Query:
    """A query of a few steps over a table."""
    query = draw(st.sampled_from(BASE))
    for _ in range(draw(st.integers(1, 4))):
        query = draw(draw(st.sampled_from((projected, filtered, grouped, windowed, joined, combined)))(query))
    return query
