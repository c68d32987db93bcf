"""Trees of lines, whatever the graph is like."""

from __future__ import annotations

import io
from collections.abc import Mapping

from lineal_receiver.cli.asking.paper import LINES, PLAIN, Paper
from lineal_receiver.cli.asking.tree import Below, Node, draw

WIDE = Paper(io.StringIO(), width=None, colours=False, signs=LINES)


def lines(graph: Mapping[str, list[str]], root: str, paper: Paper = WIDE, **texts: str) -> list[str]:
    def look(key: str) -> Node:
        return Node(key, text=texts.get(key, ""))

    def below(key: str) -> list[Below[str]]:
        return [Below(child, "identity") for child in graph.get(key, [])]

    return list(draw(root, look, below, paper))


def test_a_tree_with_the_sql_of_its_nodes() -> None:
    drawn = lines({"total": ["net", "vat"], "net": ["gross"]}, "total", total="net + vat", net="gross / 1.2")

    assert drawn == [
        "total",
        "│  = net + vat",
        "├─ net  identity",
        "│  │  = gross / 1.2",
        "│  └─ gross  identity",
        "└─ vat  identity",
    ]


def test_a_fault_keeps_its_lines_and_obeys_no_control_characters() -> None:
    def look(key: str) -> Node:
        return Node(key, fault="no column x\n\n  LINE 7:\x1b[2J select x\n             ^" if key == "task" else "")

    drawn = list(draw("task", look, lambda key: [Below("query")] if key == "task" else [], WIDE))

    assert drawn == ["task", "│  ! no column x", "│      LINE 7:\\x1b[2J select x", "│                 ^", "└─ query"]


def test_a_fault_that_is_too_long_is_folded() -> None:
    narrow = Paper(io.StringIO(), width=40, colours=False, signs=LINES)
    drawn = list(draw("task", lambda key: Node(key, fault="a word " * 8), lambda _: [], narrow))

    assert drawn == ["task", "   ! a word a word a word a word a word", "     a word a word a word"]


def test_what_was_opened_above_is_not_opened_again() -> None:
    drawn = lines({"a": ["b", "c"], "b": ["d"], "c": ["d"], "d": ["e"]}, "a")

    assert drawn == [
        "a",
        "├─ b  identity",
        "│  └─ d  identity",
        "│     └─ e  identity",
        "└─ c  identity",
        "   └─ d  identity  see above",
    ]


def test_a_leaf_that_comes_again_has_nothing_above_to_see() -> None:
    assert lines({"a": ["b", "c"], "b": ["d"], "c": ["d"]}, "a")[-1] == "   └─ d  identity"


def test_a_circle_ends() -> None:
    assert lines({"a": ["b"], "b": ["a"]}, "a") == ["a", "└─ b  identity", "   └─ a  identity  see above"]


def test_a_ladder_of_diamonds_has_a_line_an_edge_and_depth_has_no_limit() -> None:
    rungs = 5_000
    graph = {str(n): [str(n + 1), f"{n + 1}x"] for n in range(rungs)} | {f"{n}x": [str(n + 1)] for n in range(rungs)}

    edges = sum(len(children) for key, children in graph.items() if key != "0x")
    assert len(lines(graph, "0")) == 1 + edges


def test_sql_is_folded_to_the_width_of_a_terminal() -> None:
    narrow = Paper(io.StringIO(), width=40, colours=False, signs=PLAIN)
    sql = "coalesce(orders.amount_in_cents, 0) / 100 * rates.rate"

    drawn = lines({"a": ["b"]}, "a", narrow, a=sql, b=sql)

    assert drawn == [
        "a",
        "|  = coalesce(orders.amount_in_cents, 0)",
        "|    / 100 * rates.rate",
        "`- b  identity",
        "      = coalesce(orders.amount_in_cents,",
        "        0) / 100 * rates.rate",
    ]
    assert max(map(len, drawn)) == 40


def test_names_cannot_command_the_terminal() -> None:
    assert lines({}, "\x1b[2Jname\n") == ["\\x1b[2Jname\\n"]
