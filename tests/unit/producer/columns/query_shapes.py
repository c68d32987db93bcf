"""Steps in which names hide one another, rows are made of rows, and clauses meet."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import strategies as st

from .query_parts import AGGREGATES, Query, columns_of, members, numeric, probe, resolved


@st.composite
def aliased(draw: st.DrawFn, inner: Query) -> Query:
    """Aliases that hide columns, and aliases used by other outputs and clauses."""
    parts = draw(columns_of(inner))
    hidden = draw(st.sampled_from(inner.outputs))
    new = inner.fresh("al")
    rest = [name for name in inner.outputs if name != hidden]
    columns = ", ".join([f"q.{name}" for name in rest] + [f"{parts['x']} as {hidden}", f"{hidden} as {new}"])
    order = draw(st.sampled_from((f"{hidden}", f"{hidden} + 0", f"{numeric(hidden)} * 2 desc", f"{new}")))
    names = (*rest, hidden, new)
    where = f" where {numeric(hidden)} > 2" if draw(st.booleans()) else ""
    text = f"select {columns}{probe('q.__p')} from ({inner.text}) q{where}"
    key = inner.key if inner.key in rest else None
    if key is not None and draw(st.booleans()):
        text += f" order by {order if '+' not in order else numeric(hidden) + ' + 0'}, q.{key} limit 5"
    return Query(text, names, key, inner.identity)


@st.composite
def hiding(draw: st.DrawFn, inner: Query) -> Query:
    """CTEs that hide tables and one another, inside and out."""
    parts = draw(columns_of(inner))
    columns = ", ".join(f"q.{name}" for name in inner.outputs)
    name = inner.fresh("hv")
    choice = draw(st.integers(0, 3))
    if choice == 0:
        text = f"with u as ({inner.text}) select {columns}{probe('q.__p')} from u q"
        return replace(inner, text=text)
    if choice == 1:
        hidden = "(with t as (select v as a from u where uid < 4) select max(a) from t)"
        text = f"select {columns}, {hidden} + {parts['x']} as {name}{probe('q.__p')} from ({inner.text}) q"
        return Query(text, (*inner.outputs, name), inner.key, inner.identity)
    if choice == 2:
        ctes = f"c as ({inner.text}), d as (with c as (select max(w) as w from u) select * from c)"
        text = f"with {ctes} select {columns}, d.w as {name} from c q, d"
        return Query(resolved(text, 1), (*inner.outputs, name), inner.key, identity=False)
    ctes = f"c as materialized ({inner.text}), d as (select * from c)"
    text = f"with {ctes} select {columns}{probe('q.__p')} from d as q"
    return replace(inner, text=text)


@st.composite
def multiplied(draw: st.DrawFn, inner: Query) -> Query:
    """Rows made of a row: series, lists, structs in lists, several joins at once."""
    parts = draw(columns_of(inner))
    columns = ", ".join(f"q.{name}" for name in inner.outputs)
    e, n = inner.fresh("mv"), inner.fresh("mn")
    choice = draw(st.integers(0, 5))
    if choice == 0:
        series = f"range({parts['x']}, {parts['x']} + 2) g(i)"
        text = f"select {columns}, g.i as {e}{probe('q.__p')} from ({inner.text}) q, {series}"
        return Query(text, (*inner.outputs, e), None, inner.identity)
    if choice == 1:
        structs = f"[{{'p': {parts['x']}, 'q': {parts['y']}}}, {{'p': {parts['z']}, 'q': 1}}]"
        text = f"select {columns}, s.i.p as {e}, s.i.q as {n}{probe('q.__p')}"
        text += f" from ({inner.text}) q, unnest({structs}) s(i)"
        return Query(text, (*inner.outputs, e, n), None, inner.identity)
    if choice == 2:
        lists = f"unnest([{parts['x']}, {parts['y']}]) as {e}, unnest([{parts['z']}, 2]) as {n}"
        text = f"select {columns}, {lists}{probe('q.__p')} from ({inner.text}) q"
        return Query(text, (*inner.outputs, e, n), None, inner.identity)
    if choice == 3:
        on = f"{parts['x']} = {numeric('b.k')}"
        more = f"left join t c on c.id = b.uid and {numeric('c.k')} > {parts['y']}"
        text = f"select {columns}, b.v as {e}, c.b as {n}{probe('concat(q.__p, b.rowid, chr(43), c.rowid)')}"
        text += f" from ({inner.text}) q join u b on {on} {more}"
        return Query(text, (*inner.outputs, e, n), None, inner.identity)
    if choice == 4:
        nested = f"(t b join u c on b.id = c.uid and {numeric('c.w')} > 3)"
        text = f"select {columns}, b.a as {e}, c.v as {n}{probe('concat(q.__p, b.rowid, chr(43), c.rowid)')}"
        text += f" from ({inner.text}) q left join {nested} on {parts['x']} = {numeric('b.k')}"
        return Query(text, (*inner.outputs, e, n), None, inner.identity)
    inside = f"select s.v as p, {parts['y']} as r«¦, s.rowid as __q» from u s where s.k >= {parts['x']}"
    inside += " order by s.uid limit 2"
    text = f"select {columns}, l.p as {e}, l.r as {n}{probe('concat(q.__p, chr(43), l.__q)')}"
    text += f" from ({inner.text}) q left join lateral ({inside}) l on true"
    return Query(text, (*inner.outputs, e, n), None, inner.identity)


@st.composite
def summed(draw: st.DrawFn, inner: Query) -> Query:
    """Grouping in its other forms, windows over groups, windows built on windows."""
    parts = draw(columns_of(inner))
    g, h = (f"q.{draw(st.sampled_from(inner.outputs))}" for _ in range(2))
    aggregate = draw(st.sampled_from(AGGREGATES)).format(**parts)
    choice = draw(st.integers(0, 4))
    if choice == 0:
        word = draw(st.sampled_from(("cube", "rollup")))
        identity = probe(f"{members('q.__p')} || grouping({g}, {h})")
        text = f"select {g} as g, {h} as h, grouping({g}, {h}) as gr, {aggregate} as agg{identity}"
        text += f" from ({inner.text}) q group by {word} ({g}, {h})"
        return Query(text, ("g", "h", "gr", "agg"), None, inner.identity and g != h)
    if choice == 1:
        window = draw(st.sampled_from(("sum(count(*)) over ()", f"rank() over (order by max({parts['y']}))")))
        text = f"select {g} as g, {window} as w, {aggregate} as agg{probe(members('q.__p'))}"
        text += f" from ({inner.text}) q group by {g}"
        return Query(text, ("g", "w", "agg"), None, inner.identity)
    if choice == 2:
        name = inner.fresh("ga")
        text = f"select {g} as {name}, case when {aggregate} is null then 'n' end as agg"
        text += f" from ({inner.text}) q group by {name} having count(*) > 1"
        return Query(resolved(text, 1), (name, "agg"), None, identity=False)
    if choice == 3:
        text = f"select distinct {parts['x']} as g, {parts['y']} > 4 as h from ({inner.text}) q"
        return Query(resolved(text, 1), ("g", "h"), None, identity=False)
    if inner.key is None:
        return inner
    columns = ", ".join(f"q.{name}" for name in inner.outputs)
    name = inner.fresh("ww")
    windows = f"window w as (partition by {parts['x']}), w2 as (w order by q.{inner.key})"
    text = f"select {columns}, sum({parts['y']}) over (w2 rows 2 preceding) as {name}{probe('q.__p')}"
    text += f" from ({inner.text}) q {windows} qualify max({parts['z']}) over w2 > 3"
    return Query(text, (*inner.outputs, name), inner.key, inner.identity)


@st.composite
def chosen(draw: st.DrawFn, inner: Query) -> Query:
    """Columns by pattern, a condition on several of them, chains of set operations, computed limits."""
    name = draw(st.sampled_from(inner.outputs))
    columns = ", ".join(f"q.{output}" for output in inner.outputs)
    choice = draw(st.integers(0, 4))
    if choice == 0:
        text = f"select columns(* exclude ({name})) from (select {columns} from ({inner.text}) q) q"
        rest = tuple(output for output in inner.outputs if output != name)
        return Query(resolved(text, 1), rest, None, identity=False) if rest else inner
    if choice == 1:
        text = f"select * from ({inner.text}) q where columns(lambda c: c = '{name}') is not null"
        return replace(inner, text=text)
    if choice == 2:
        picked = [draw(st.sampled_from(("v", "w", "k", "uid"))) for _ in inner.outputs]
        first, second = (
            f"select {', '.join(f'{c}::varchar' for c in picked)} from u where {w}" for w in ("k > 3", "w > 2")
        )
        mine = ", ".join(f"{output}::varchar as {output}" for output in inner.outputs)
        words = draw(st.sampled_from((("union all", "except"), ("union", "union all"), ("except all", "intersect"))))
        text = f"select {mine} from ({inner.text}) q {words[0]} {first} {words[1]} {second}"
        return Query(resolved(text, 1), inner.outputs, None, identity=False)
    if choice == 3 and inner.key is not None:
        limit = "(select least(max(u.v), 5) from u where u.k > 2)"
        text = f"select * from ({inner.text}) q order by q.{inner.key} limit {limit}"
        return replace(inner, text=text)
    x = f"exists (select 1 from u where {numeric(f'q.{name}')} > u.k and u.w = any (select b from t where id < 4))"
    return replace(inner, text=f"select * from ({inner.text}) q where {x}")
