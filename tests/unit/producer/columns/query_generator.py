"""Random queries of some steps over two tables, and statements that change a third table from them."""

from __future__ import annotations

from dataclasses import dataclass

from hypothesis import strategies as st

from .query_parts import BASE, Query, columns_of
from .query_shapes import aliased, chosen, hiding, multiplied, summed
from .query_steps import (
    combined,
    filtered,
    grouped,
    joined,
    merged,
    narrowed,
    projected,
    reshaped,
    turned,
    windowed,
)

STEPS = (projected, filtered, grouped, windowed, joined, merged, combined, narrowed, reshaped, turned)
MORE = (aliased, hiding, multiplied, summed, chosen)

# What statements change: a table with a key, whose rows are told apart by it.
TARGET = {"did": "INTEGER", "da": "INTEGER", "db": "INTEGER"}


@dataclass(frozen=True)
class Statement:
    """A statement that changes the target from what a query gives."""

    sql: str


@st.composite
def statements(draw: st.DrawFn) -> Statement:
    """MERGE, UPDATE … FROM and INSERT over a query of one or two steps."""
    query = draw(st.sampled_from(BASE))
    for _ in range(draw(st.integers(0, 2))):
        query = draw(draw(st.sampled_from((projected, filtered, grouped, windowed, reshaped)))(query))
    parts = {name: text.replace("q.", "s.", 1) for name, text in draw(columns_of(query)).items()}
    # One row for each key, whichever rows the query gives.
    numbered = f"select *, row_number() over (order by {', '.join(query.outputs)}) as sid from ({query.sql}) i"
    source = f"(select * from ({numbered}) n where sid < 12) s"
    form = draw(st.integers(0, 3))
    if form == 0:
        condition = draw(st.sampled_from(("", f" and d.db > 2 and {parts['y']} > 1")))
        more = ", db = d.da" if draw(st.booleans()) else ""
        return Statement(f"update d set da = {parts['x']}{more} from {source} where d.did = s.sid{condition}")
    if form == 1:
        columns, values = draw(
            st.sampled_from(
                (("did, db", f"100 + s.sid, {parts['x']}"), ("db, did, da", f"{parts['y']}, 200 + s.sid, 7"))
            )
        )
        return Statement(f"insert into d ({columns}) select {values} from {source} where {parts['z']} > 2")
    if form == 2:
        return Statement(
            f"insert into d by name select 100 + s.sid as did, {parts['x']} + {parts['y']} as da from {source}"
        )
    whens = [
        f"when matched and {parts['z']} > 7 then delete",
        f"when matched and d.da > {parts['y']} then update set da = {parts['x']}",
        f"when matched then update set da = d.db, db = {parts['y']}",
        f"when not matched and {parts['x']} > 2 then insert (did, db) values (s.sid, {parts['z']})",
        "when not matched by source and da > 4 then update set db = da + 1",
    ]
    kept = [when for when in whens if draw(st.booleans())] or whens[2:3]
    return Statement(f"merge into d using {source} on d.did = s.sid {' '.join(kept)}")


@st.composite
def queries(draw: st.DrawFn) -> Query:
    """A query of a few steps over a table."""
    query = draw(st.sampled_from(BASE))
    for _ in range(draw(st.integers(1, 4))):
        query = draw(draw(st.sampled_from((*STEPS, *MORE)))(query))
    return query
