"""A script cut into statements."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lineal_receiver.postgres.statements import Statement, split_statements


@pytest.mark.parametrize(
    ("script", "statements"),
    [
        ("", []),
        ("  \n;;\n-- nothing\n/* ; */", []),
        ("select 1", [("select 1", 1)]),
        ("select 1;\n\nselect 2;\n", [("select 1", 1), ("select 2", 3)]),
        ("-- a; b\nselect 1 -- c; d\n;", [("select 1 -- c; d", 2)]),
        ("/* one;\ntwo */ select 1;", [("select 1", 2)]),
        ("select ';', 'it''s; so';select 2", [("select ';', 'it''s; so'", 1), ("select 2", 1)]),
        (r"select E'\';';select 2", [(r"select E'\';'", 1), ("select 2", 1)]),
        ('select 1 as "a;""b";select 2', [('select 1 as "a;""b"', 1), ("select 2", 1)]),
        ("do $$ begin; end $$;select 2", [("do $$ begin; end $$", 1), ("select 2", 1)]),
        ("do $a$ x; $$ y; $$ $a$;\nselect 2", [("do $a$ x; $$ y; $$ $a$", 1), ("select 2", 2)]),
        ("prepare p as select $1;select 2", [("prepare p as select $1", 1), ("select 2", 1)]),
    ],
)
def test_cuts(script: str, statements: list[tuple[str, int]]) -> None:
    assert list(split_statements(script)) == [Statement(sql=sql, line=line) for sql, line in statements]


PIECES = st.sampled_from(
    ["select 1", "select ';'", "do $x$;$x$", 'select ";"', "select 1 /* ; */ + 1", "select 2 -- ;\n+ 1"]
)


@given(st.lists(PIECES), st.sampled_from([";", ";\n", ";\n\n-- between; them\n"]))
def test_joining_then_cutting_gives_the_pieces(pieces: list[str], join: str) -> None:
    script = join.join([*pieces, ""])
    found = list(split_statements(script))
    assert [statement.sql for statement in found] == pieces
    lines = script.split("\n")
    assert all(lines[statement.line - 1].startswith(statement.sql.split("\n")[0]) for statement in found if join != ";")
