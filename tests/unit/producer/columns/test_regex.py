"""Patterns over names: the matches are Python's, but no pattern takes long."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lineal_producer.columns import trace
from lineal_producer.columns.regex import compile_like, compile_regex

ATOMS = st.sampled_from(["a", "b", "_", ".", "[ab]", "[^a_]", r"\w", r"\d", r"\_", "^", "$", r"\b"])
PATTERNS = st.recursive(
    ATOMS,
    lambda inner: st.one_of(
        st.tuples(inner, inner).map("".join),
        st.tuples(inner, inner).map(lambda two: f"({two[0]}|{two[1]})"),
        st.tuples(inner, st.sampled_from(["*", "+", "?", "{2}", "{1,3}", "{2,}", "*?"])).map(
            lambda two: f"(?:{two[0]}){two[1]}"
        ),
    ),
    max_leaves=8,
)


@given(PATTERNS, st.text("ab_1", max_size=8))
def test_a_pattern_matches_what_python_matches(pattern: str, name: str) -> None:
    compiled = compile_regex(pattern)
    assert compiled is not None
    # What a loop around nothing takes differs between Python and the databases: whether there is a match does not.
    assert (compiled.search(name) is None) == (re.search(pattern, name) is None)


@pytest.mark.parametrize(
    ("pattern", "name", "groups"),
    [
        ("(net|gross)_(.*)", "net_amount", ["net_amount", "net", "amount"]),
        ("(?i)^ID", "id_x", ["id"]),
        (r"(?<first>\w+?)_", "a_b_c", ["a_", "a"]),
        (r"a\.b", "a.b", ["a.b"]),
        ("a{2,3}", "caaaad", ["aaa"]),
        ("a{x}", "a{x}", ["a{x}"]),
        ("", "abc", [""]),
        ("[]a]+", "x]a", ["]a"]),
        ("x", "abc", None),
    ],
)
def test_groups(pattern: str, name: str, groups: list[str] | None) -> None:
    compiled = compile_regex(pattern)
    assert compiled is not None
    assert compiled.groups(name) == groups


@pytest.mark.parametrize(
    "pattern",
    [
        "(",
        ")",
        "*a",
        "a(?=b)",
        r"(a)\1",
        r"\pL",
        "[a",
        "[[:digit:]]",
        "a\\",
        "a{3,2}",
        "(((a{9}){9}){9}){9}",
        "a" * 1001,
    ],
)
def test_what_is_not_read_is_no_pattern(pattern: str) -> None:
    assert compile_regex(pattern) is None


@pytest.mark.parametrize("pattern", ["(a+)+$", "(a|aa)+$", "(a?){40}a{40}$", "^a*a*a*a*a*a*a*a*$"])
def test_a_pattern_that_hangs_others_is_answered(pattern: str) -> None:
    names = {"a" * 60 + "b": "INT", "a" * 80: "INT"}
    lineage = trace(f"select columns('{pattern}') from t", "duckdb", {"t": names})
    assert [column.name for column in lineage.columns] == ["a" * 80]


def test_like_with_many_wildcards() -> None:
    assert compile_like("%a" * 40 + "b%", ignore_case=False).search("a" * 120) is None
    assert compile_like("%A" * 40 + "%%%", ignore_case=True).search("a" * 120) is not None
    assert compile_like("%a" * 400, ignore_case=False).search("a" * 120) is None
    assert compile_like("a_c", ignore_case=False).search("xabc") is None
