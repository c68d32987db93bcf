"""One more step of a query: what it selects, filters, groups, joins and reshapes."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import strategies as st

from .query_parts import AGGREGATES, EXPRESSIONS, WINDOWS, Query, columns_of, members, numeric, probe, resolved


@st.composite
def projected(draw: st.DrawFn, inner: Query) -> Query:
    """Some expressions over a query."""
    names = list(inner.outputs if draw(st.booleans()) else ())
    columns = [f"q.{name} as {name}" for name in names]
    for _ in range(draw(st.integers(1, 3))):
        name = inner.fresh(f"e{len(names)}")
        columns.append(f"{draw(st.sampled_from(EXPRESSIONS)).format(**draw(columns_of(inner)))} as {name}")
        names.append(name)
    text = f"select {', '.join(columns)}{probe('q.__p')} from ({inner.text}) q"
    return Query(text, tuple(names), inner.key if inner.key in names else None, inner.identity)


@st.composite
def filtered(draw: st.DrawFn, inner: Query) -> Query:
    """Some rows of a query, by a condition or a subquery."""
    parts = draw(columns_of(inner))
    condition = draw(
        st.sampled_from(
            (
                "{x} > 4",
                "{x} > {y} or {z} = 2",
                "{x} in (select u.v from u)",
                "{x} not in (select u.w from u where u.w is not null and u.k = {y})",
                "exists (select 1 from u where u.w = {x})",
                "not exists (select 1 from u where u.k > {x} and u.v = {y})",
                "{x} > (select avg(u.v) from u)",
                "({x}, {y}) in (select u.v, u.w from u)",
            )
        )
    )
    text = f"select * from ({inner.text}) q where {condition.format(**parts)}"
    return replace(inner, text=text)


@st.composite
def grouped(draw: st.DrawFn, inner: Query) -> Query:
    """Aggregates of a query, by one key, several or none."""
    parts = draw(columns_of(inner))
    aggregate = draw(st.sampled_from(AGGREGATES)).format(**parts)
    g, h = (f"q.{draw(st.sampled_from(inner.outputs))}" for _ in range(2))
    p = probe(members("q.__p"))
    form = draw(st.integers(0, 4))
    if form == 0:
        return Query(f"select {aggregate} as agg{p} from ({inner.text}) q", ("agg",), None, inner.identity)
    having = f" having max({parts['y']}) > 2" if draw(st.booleans()) else ""
    names = ("g", "agg")
    if form == 1:
        text = f"select {g} as g, {aggregate} as agg{p} from ({inner.text}) q group by all{having}"
        return Query(text, names, None, inner.identity)
    if form == 2:
        sets = f"grouping sets (({g}, {h}), ({g}), ())"
        identity = probe(f"{members('q.__p')} || grouping({g}, {h})")
        text = f"select {g} as g, {h} as h, {aggregate} as agg{identity} from ({inner.text}) q group by {sets}"
        return Query(text, ("g", "h", "agg"), None, inner.identity and g != h)
    text = f"select {g} as g, {aggregate} as agg{p} from ({inner.text}) q group by 1{having}"
    return Query(text, names, None, inner.identity)


@st.composite
def windowed(draw: st.DrawFn, inner: Query) -> Query:
    """A window over a query that has a unique key to order by."""
    if inner.key is None:
        return inner
    parts = draw(columns_of(inner))
    window = draw(st.sampled_from(WINDOWS)).format(**parts, key=inner.key)
    name = inner.fresh("win")
    named = f" window w as (partition by {parts['z']} order by q.{inner.key})"
    text = f"select q.*, {window} as {name}{{last}} from ({inner.text}) q{named}"
    # The identity has to stay the last column.
    columns = ", ".join(f"q.{output}" for output in inner.outputs)
    text = text.replace("{last}", probe("q.__p")).replace("select q.*", f"select {columns}", 1)
    if draw(st.booleans()):
        text += f" qualify row_number() over (partition by {parts['x']} order by q.{inner.key}) < 3"
    return Query(text, (*inner.outputs, name), inner.key, inner.identity)


@st.composite
def joined(draw: st.DrawFn, inner: Query) -> Query:
    """A query joined with a table."""
    kind = draw(
        st.sampled_from(
            (
                "join",
                "left join",
                "right join",
                "semi join",
                "anti join",
                "full join",
                "cross join",
                "asof join",
                "lateral",
            )
        )
    )
    parts = draw(columns_of(inner))
    on = f" on {parts['x']} = {numeric('u.k')}"
    if kind in ("semi join", "anti join"):
        return replace(inner, text=f"select * from ({inner.text}) q {kind} u{on}")
    columns = ", ".join(f"q.{name}" for name in inner.outputs)
    name = inner.fresh("jv")
    names = (*inner.outputs, name)
    p = probe("concat(q.__p, '+', u.rowid)")
    if kind == "lateral":
        inside = f"select sum(u.v) as m«¦, {members('u.rowid')} as __q» from u where u.k > {parts['x']}"
        text = f"select {columns}, l.m as {name}{probe('q.__p || l.__q')} from ({inner.text}) q, lateral ({inside}) l"
        return Query(text, names, inner.key, inner.identity)
    if kind == "asof join":
        on = f" on {parts['x']} >= u.uid"
    elif kind == "cross join":
        on = ""
        kind = "join (select *«¦, rowid as rn» from u where u.w > 6)"
        p = probe("concat(q.__p, '+', u.rn)")
        text = f"select {columns}, u.v as {name}{p} from ({inner.text}) q {kind} u on true"
        return Query(text, names, None, inner.identity)
    text = f"select {columns}, u.v as {name}{p} from ({inner.text}) q {kind} u{on}"
    return Query(text, names, inner.key if kind == "asof join" else None, inner.identity)


@st.composite
def merged(draw: st.DrawFn, inner: Query) -> Query:
    """A join by USING."""
    kind = draw(st.sampled_from(("join", "left join", "right join", "full join")))
    name = inner.outputs[0]
    other = f"(select {numeric('k')} as {name}, w«¦, rowid as rn» from u)"
    left = f"(select {numeric('q.' + name)} as {name}{probe('q.__p')} from ({inner.text}) q)"
    text = f"select {name}, w{probe('concat(l.__p, chr(43), r.rn)')} from {left} l {kind} {other} r using ({name})"
    return Query(text, (name, "w") if name != "w" else ("w",), None, inner.identity) if name != "w" else inner


@st.composite
def combined(draw: st.DrawFn, inner: Query) -> Query:
    """A set operation with a query of the same width over another table."""
    operation = draw(st.sampled_from(("union all", "union", "except", "intersect", "by name")))
    columns = ", ".join(f"{name}::varchar as {name}" for name in inner.outputs)
    if operation == "by name":
        first = inner.outputs[0]
        others = f"select v::varchar as {first}, w as {inner.fresh('bn')}«¦, 'n' || rowid as __p» from u where k > 3"
        text = f"select {columns}{probe('__p')} from ({inner.text}) c union all by name {others}"
        names = (*inner.outputs, inner.fresh("bn"))
        # The twin's identity is not the last column here, which the reader has to know by name.
        return Query(text, names, None, inner.identity)
    picked = [draw(st.sampled_from(("v", "w", "k", "1"))) for _ in inner.outputs]
    other = ", ".join(f"{column}::varchar" for column in picked)
    right = f"select {other}«¦, 'r' || rowid as __p» from u"
    keeps = operation == "union all"
    text = f"with c as ({inner.text}), d as ({right}) select {columns}{probe('__p')} from c {operation} select * from d"
    return Query(text, inner.outputs, None, inner.identity and keeps)


@st.composite
def narrowed(draw: st.DrawFn, inner: Query) -> Query:
    """DISTINCT, DISTINCT ON, QUALIFY, LIMIT."""
    name = draw(st.sampled_from(inner.outputs))
    choice = draw(st.integers(0, 3))
    if choice == 0:
        grouping = f"«select distinct q.{name} as {name}¦select q.{name} as {name}, {members('q.__p')} as __p»"
        text = f"{grouping} from ({inner.text}) q«¦ group by q.{name}»"
        return Query(text, (name,), None, inner.identity)
    if inner.key is None:
        return inner
    x = numeric(f"q.{name}")
    if choice == 1:
        return replace(inner, text=f"select distinct on ({x}) * from ({inner.text}) q order by {x}, q.{inner.key}")
    if choice == 2:
        window = f"row_number() over (partition by q.{name} order by q.{inner.key})"
        return replace(inner, text=f"select * from ({inner.text}) q qualify {window} = 1")
    return replace(inner, text=f"select * from ({inner.text}) q order by {x} desc, q.{inner.key} limit 4")


@st.composite
def reshaped(draw: st.DrawFn, inner: Query) -> Query:
    """Lists, structs and stars taken apart."""
    parts = draw(columns_of(inner))
    name = draw(st.sampled_from(inner.outputs))
    columns = ", ".join(f"q.{output}" for output in inner.outputs)
    e, n = inner.fresh("el"), inner.fresh("num")
    choice = draw(st.integers(0, 6))
    if choice == 0:
        array = f"unnest([{parts['x']}, {parts['y']}]) x(e)"
        text = f"select {columns}, x.e as {e}{probe('q.__p')} from ({inner.text}) q, {array}"
        return Query(text, (*inner.outputs, e), None, inner.identity)
    if choice == 1:
        struct = f"{{'p': {parts['x']}, 'r': {{'o': {parts['y']}}}}} as st"
        s = f"select {columns}, {struct}{probe('q.__p')} from ({inner.text}) q"
        text = f"select q.st.p as {e}, q.st.r.o as {n}{probe('q.__p')} from ({s}) q"
        return Query(text, (e, n), None, inner.identity)
    if choice == 2:
        return replace(inner, text=f"select * replace ({parts['x']} as {name}) from ({inner.text}) q").without_key(
            inner.key if inner.key != name else None
        )
    if choice == 3 and len(inner.outputs) > 1:
        rest = tuple(output for output in inner.outputs if output != name)
        text = f"select * exclude ({name}) from ({inner.text}) q"
        return Query(text, rest, inner.key if inner.key in rest else None, inner.identity)
    if choice == 4:
        renamed = tuple(e if output == name else output for output in inner.outputs)
        text = f"select * rename ({name} as {e}) from ({inner.text}) q"
        return Query(text, renamed, e if inner.key == name else inner.key, inner.identity)
    if choice == 5:
        text = f"select columns(lambda c: c = '{name}') as {e}{probe('q.__p')} from ({inner.text}) q"
        return Query(text, (e,), None, inner.identity)
    more = f"{parts['x']} as {e}, {e} + {parts['y']} as {n}{probe('q.__p')}"
    text = f"select {columns}, {more} from ({inner.text}) q where {e} > 1"
    return Query(text, (*inner.outputs, e, n), inner.key, inner.identity)


@st.composite
def turned(draw: st.DrawFn, inner: Query) -> Query:
    """PIVOT, UNPIVOT, recursion and VALUES."""
    parts = draw(columns_of(inner))
    choice = draw(st.integers(0, 3))
    if choice == 0:
        source = f"select {parts['x']} as g, {parts['y']} % 3 as h, {parts['z']} as m from ({inner.text}) q"
        text = f'select g, "0" as zero, "1" as one from (pivot ({source}) on h in (0, 1, 2) using sum(m) group by g) q'
        return Query(resolved(text, 1), ("g", "zero", "one"), None, identity=False)
    if choice == 1:
        source = f"select {parts['x']} as g, {parts['y']} as h{probe('q.__p')} from ({inner.text}) q"
        text = (
            f"select what, much{probe('__p || what')} from ({source}) unpivot include nulls (much for what in (g, h))"
        )
        return Query(text, ("what", "much"), None, inner.identity)
    if choice == 2:
        anchor = f"select {parts['x']} as n, {parts['y']} as m, 1 as d{probe('q.__p')} from ({inner.text}) q"
        step = f"select m, n + 1, d + 1{probe('r.__p || chr(62)')} from r where d < 3 and n < 9"
        text = f"with recursive r as ({anchor} union all {step}) select n, m from r"
        text = text.replace("select n, m from r", f"select n, m{probe('__p')} from r")
        return Query(text, ("n", "m"), None, inner.identity)
    values = "(values (1, 'one'), (2, 'two'), (3, 'three')) as v(n, word)"
    more = f"v.word as word, {parts['y']} as m{probe('q.__p || v.n')}"
    text = f"select {more} from ({inner.text}) q join {values} on v.n = {parts['x']}"
    return Query(text, ("word", "m"), None, inner.identity)
