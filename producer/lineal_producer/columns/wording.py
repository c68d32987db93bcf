"""Words of one database that say nothing about columns, or say it otherwise than the grammar expects."""

from __future__ import annotations

import re
from collections.abc import Callable

from lineal_producer.columns.creations import Words
from lineal_producer.columns.functions import UNKNOWN_AGGREGATES
from lineal_producer.columns.recovery import Edit

# Where what JSON_TABLE takes instead of a missing value begins.
FALLBACKS = frozenset({"DEFAULT", "NULL", "ERROR", "EMPTY", "TRUE", "FALSE", "UNKNOWN", "IGNORE"})
# The words before WRAPPER.
WRAPPING = frozenset({"WITH", "WITHOUT", "CONDITIONAL", "UNCONDITIONAL", "ARRAY"})
# What a list of names or keys may follow.
KEYWORDS = frozenset({"ORDER BY", "GROUP BY", "SELECT", "FROM", "WHERE", "WITH", ";"})
PLAIN_NAME = re.compile(r'\w+|"[^"]+"')
Rule = Callable[[Words], list[Edit]]


def at(found: Words, *wanted: str) -> list[int]:
    """The places where some words follow one another."""
    size = len(wanted)
    return [place for place in range(len(found.words) - size + 1) if tuple(found.words[place : place + size]) == wanted]


def place_of(found: Words, first: int, last: int) -> tuple[int, int]:
    """Where the text of the tokens from the first up to the last begins and ends."""
    return found.tokens[first].start, found.tokens[last - 1].end + 1


def merge_deletes(found: Words) -> list[Edit]:
    """Oracle's MERGE … UPDATE … DELETE WHERE: one more condition of the branch."""
    edits: list[Edit] = []
    for place in at(found, "DELETE", "WHERE"):
        depth = 0
        for before in range(place - 1, -1, -1):
            word = found.words[before]
            depth += (word == ")") - (word == "(")
            if depth == 0 and word in ("WHERE", "SET"):
                edits.append((*place_of(found, place, place + 2), "and" if word == "WHERE" else "where"))
                break
    return edits


def columns_called_all(found: Words) -> list[Edit]:
    """A column called all in DuckDB's ORDER BY, which the grammar takes for ORDER BY ALL: in brackets it is none."""
    edits: list[Edit] = []
    for place in at(found, "ALL"):
        start = place
        while start > 1 and found.words[start - 1] == ".":
            start -= 2
        named = start < place or found.tokens[place].token_type.name == "IDENTIFIER"
        if named and in_order(found, start) and found.words[place + 1 : place + 2] not in (["."], ["("]):
            edits.append((*place_of(found, start, place + 1), f"({found.between(start, place + 1)})"))
    return edits


def in_order(found: Words, place: int) -> bool:
    """Whether a key of ORDER BY begins at a place."""
    depth = 0
    for before in range(place - 1, -1, -1):
        word = found.words[before]
        depth += (word == ")") - (word == "(")
        if depth < 0 or (depth == 0 and word in KEYWORDS):
            return word == "ORDER BY" and found.words[place - 1] in ("ORDER BY", ",")
    return False


def partitioned_joins(found: Words) -> list[Edit]:
    """Oracle's PARTITION BY (keys) before an outer join, filling gaps in each partition: each key's value gives rows.

    The keys become a condition of the join, beside its own.
    """
    edits: list[Edit] = []
    for place in at(found, "PARTITION BY", "("):
        end = found.closing(place + 1)
        on = end
        while on < len(found.words) and found.words[on] not in ("ON", "USING", ")", ";", "WHERE"):
            on = found.closing(on) if found.words[on] == "(" else on + 1
        is_join = found.words[end : end + 1] and found.words[end] in ("RIGHT", "LEFT", "FULL", "ON", "JOIN")
        if not is_join or found.words[on : on + 1] != ["ON"]:
            continue
        # Bare keys are the partitioned table's, whose name or alias stands before them.
        table, keys = found.between(place - 1, place), found.between(place + 2, end - 1)
        names = [key.strip() for key in keys.split(",")]
        names = [f"{table}.{name}" if PLAIN_NAME.fullmatch(name) and table != ")" else name for name in names]
        edits.append((*place_of(found, place, end), ""))
        edits.append((*place_of(found, on, on + 1), f"on ({', '.join(names)}) is not null and"))
    return edits


def json_fallbacks(found: Words) -> list[Edit]:
    """JSON_TABLE's words about what is missing or broken: they name no column, only a constant to take instead."""
    edits: list[Edit] = []
    for place in at(found, "JSON_TABLE", "("):
        last = found.closing(place + 1)
        for here in range(place + 2, last - 1):
            if found.words[here] == "EXISTS" and found.words[here + 1] == "PATH":
                edits.append((*place_of(found, here, here + 1), ""))
            if found.words[here] != "ON" or found.words[here + 1] not in ("EMPTY", "ERROR", "MISMATCH"):
                continue
            start = here - 1
            while start > place and found.words[start] not in FALLBACKS:
                start -= 1
            edits.append((*place_of(found, start, here + 2), ""))
    return edits


def replaced_rows(found: Words) -> list[Edit]:
    """Databricks' INSERT … REPLACE ON (condition) query: which rows give way changes nothing about those that come."""
    edits: list[Edit] = []
    for place in at(found, "REPLACE", "ON", "("):
        start = place - 2 if found.words[place - 2] == "AS" else place
        body = found.closing(place + 2)
        edits.append((*place_of(found, start, body), ""))
        end = found.closing(body) if found.words[body : body + 1] == ["("] else len(found.words)
        named = end + 1 if found.words[end : end + 1] == ["AS"] else end
        if named < len(found.words) and found.words[named].isidentifier():
            edits.append((*place_of(found, end, named + 1), ""))
    return edits


def parameters(found: Words) -> list[Edit]:
    """ClickHouse's aggregate(parameters)(arguments), of which the parameters are constants."""
    edits: list[Edit] = []
    for place in at(found, "("):
        end = found.closing(place)
        called = found.between(place - 1, place) if place else ""
        if found.words[end : end + 1] == ["("] and UNKNOWN_AGGREGATES.fullmatch(called):
            edits.append((*place_of(found, place, end), ""))
    return edits


def merge_tops(found: Words) -> list[Edit]:
    """T-SQL's MERGE TOP (n): fewer of the same rows."""
    edits: list[Edit] = []
    for place in at(found, "MERGE", "TOP", "("):
        end = found.closing(place + 2)
        end += found.words[end : end + 1] == ["PERCENT"]
        edits.append((*place_of(found, place + 1, end), ""))
    return edits


def kept_partitions(found: Words) -> list[Edit]:
    """Spark's INSERT OVERWRITE … PARTITION (…) IF NOT EXISTS: whether at all, not what."""
    edits: list[Edit] = []
    for place in at(found, "PARTITION", "("):
        end = found.closing(place + 1)
        if found.words[end : end + 3] == ["IF", "NOT", "EXISTS"]:
            edits.append((*place_of(found, end, end + 3), ""))
    return edits


def nested_paths(found: Words) -> list[Edit]:
    """Oracle's NESTED '…' COLUMNS, where the word PATH may be left out."""
    places = [place for place in at(found, "NESTED") if found.text[found.tokens[place].end + 1 :].lstrip()[:1] == "'"]
    return [(*place_of(found, place, place + 1), "nested path") for place in places]


def error_logs(found: Words) -> list[Edit]:
    """LOG ERRORS …: rows that can't be put in go elsewhere."""
    edits: list[Edit] = []
    for place in at(found, "LOG", "ERRORS"):
        end = next((here for here in range(place, len(found.words)) if found.words[here] == ";"), len(found.words))
        edits.append((*place_of(found, place, end), ""))
    return edits


def json_wrappers(found: Words) -> list[Edit]:
    """JSON_QUERY's WITH WRAPPER: brackets around what is found."""
    edits: list[Edit] = []
    for place in at(found, "WRAPPER"):
        start = place
        while start and found.words[start - 1] in WRAPPING:
            start -= 1
        edits.append((*place_of(found, start, place + 1), ""))
    return edits


def ordinalities(found: Words) -> list[Edit]:
    """XMLTABLE's column FOR ORDINALITY: numbers, as those of an identity."""
    inside = [(place, found.closing(place + 1)) for place in at(found, "XMLTABLE", "(")]
    places = [place for place in at(found, "FOR", "ORDINALITY") if any(a < place < b for a, b in inside)]
    return [(*place_of(found, place, place + 2), "int generated always as identity") for place in places]


def translations(found: Words) -> list[Edit]:
    """TRANSLATE(text USING character set): the text."""
    edits: list[Edit] = []
    for place in at(found, "TRANSLATE", "("):
        last = found.closing(place + 1) - 1
        if found.words[last - 2 : last - 1] == ["USING"]:
            edits.append((*place_of(found, last - 2, last), ", '', ''"))
    return edits


def subsets(found: Words) -> list[Edit]:
    """MATCH_RECOGNIZE's SUBSET name = (variables): one more name for the rows of some variables."""
    edits: list[Edit] = []
    for place in at(found, "SUBSET"):
        here = place + 1
        variables: dict[str, str] = {}
        while found.words[here + 1 : here + 3] == ["=", "("]:
            variables[found.words[here]] = found.words[here + 3]
            here = found.closing(here + 2)
            here += found.words[here : here + 1] == [","]
        if not variables:
            continue
        edits.append((*place_of(found, place, here), ""))
        named = [spot for spot in range(len(found.words) - 1) if found.words[spot + 1] == "."]
        mine = [spot for spot in named if found.words[spot] in variables and found.words[spot - 1] != "."]
        edits += [(*place_of(found, spot, spot + 1), variables[found.words[spot]]) for spot in mine]
    return edits
