"""Clauses that the grammar doesn't know, in words that it does: the same columns and conditions, said otherwise."""

from __future__ import annotations

import re
from collections.abc import Callable

from lineal_producer.columns.creations import Words
from lineal_producer.columns.dialects import Names
from lineal_producer.columns.recovery import UNREADABLE, Edit, edited

UNLOAD = re.compile(r"\bunload\s*\((.*)\)\s*to\s*'[^']*'[^;]*", re.IGNORECASE | re.DOTALL)
CLICKHOUSE = frozenset({"clickhouse"})
SPARKS = frozenset({"spark", "databricks", "hive", "spark2"})
BIGQUERY = frozenset({"bigquery"})
TSQL = frozenset({"tsql", "fabric"})
# What ends the list of a LIMIT.
AFTER_LIMIT = frozenset({"UNION", "INTERSECT", "EXCEPT", "SETTINGS", "FORMAT", "OFFSET", ")", ";", "WITH"})
QUERY_STARTS = frozenset({"SELECT", "WITH", "FROM", "("})
# Where what JSON_TABLE takes instead of a missing value begins.
FALLBACKS = frozenset({"DEFAULT", "NULL", "ERROR", "EMPTY", "TRUE", "FALSE", "UNKNOWN", "IGNORE"})


def rewritten(sql: str, names: Names) -> str:
    """A text with every clause replaced for which the grammar has other words; the text itself where there is none."""
    upper = sql.upper()
    wanted = [rule for words, dialects, rule in RULES if names.dialect in dialects and all(w in upper for w in words)]
    for rule in wanted:
        try:
            tokens = names.grammar.tokenize(sql)
        except UNREADABLE:
            return sql
        found = Words(sql, tokens, [token.text.upper() for token in tokens])
        sql = edited(sql, 0, len(sql), rule(found))
    return sql


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


def named_windows(found: Words) -> list[Edit]:
    """WINDOW name AS (…) where the grammar doesn't know it: each window where it is used."""
    edits: list[Edit] = []
    windows: dict[str, str] = {}
    for place in at(found, "WINDOW"):
        here = place + 1
        while found.words[here + 1 : here + 3] == ["AS", "("]:
            end = found.closing(here + 2)
            windows[found.words[here]] = found.between(here + 2, end)
            here = end + 1 if found.words[end : end + 1] == [","] else end
        if here > place + 1:
            edits.append((*place_of(found, place, here), ""))
    places = at(found, "OVER")
    used = [place for place in places if found.words[place + 1 : place + 2] and found.words[place + 1] in windows]
    return edits + [(*place_of(found, place + 1, place + 2), windows[found.words[place + 1]]) for place in used]


def using_aliases(found: Words) -> list[Edit]:
    """JOIN … USING (columns) AS alias: the alias names nothing but the merged columns."""
    edits: list[Edit] = []
    aliases: set[str] = set()
    for place in at(found, "USING", "("):
        end = found.closing(place + 1)
        if found.words[end : end + 1] == ["AS"] and end + 1 < len(found.words):
            aliases.add(found.words[end + 1])
            edits.append((*place_of(found, end, end + 2), ""))
    qualified = [place for place in range(1, len(found.words) - 1) if found.words[place + 1] == "."]
    mine = [place for place in qualified if found.words[place] in aliases and found.words[place - 1] != "."]
    return edits + [(*place_of(found, place, place + 2), "") for place in mine]


def directories(found: Words) -> list[Edit]:
    """INSERT OVERWRITE DIRECTORY: files are written, which the query alone describes."""
    edits: list[Edit] = []
    for place in at(found, "INSERT", "OVERWRITE"):
        if "DIRECTORY" not in found.words[place + 2 : place + 4]:
            continue
        end = place + 3
        while end < len(found.words) and found.words[end] not in ("SELECT", "WITH", "FROM", "TABLE", "VALUES"):
            end = found.closing(end) if found.words[end] == "(" else end + 1
        edits.append((*place_of(found, place, end), ""))
    return edits


def second_limits(found: Words) -> list[Edit]:
    """ClickHouse's LIMIT n BY … LIMIT m: only the first says by what."""
    edits: list[Edit] = []
    for place in at(found, "LIMIT"):
        depth = 0
        by = False
        for here in range(place + 1, len(found.words)):
            word = found.words[here]
            depth += (word == "(") - (word == ")")
            if depth < 0 or (depth == 0 and word in AFTER_LIMIT):
                break
            by = by or (depth == 0 and word == "BY")
            if depth == 0 and word == "LIMIT":
                if by:
                    end = here + 1
                    while end < len(found.words) and found.words[end] not in AFTER_LIMIT - {"OFFSET", "WITH"}:
                        end += 1
                    edits.append((*place_of(found, here, end), ""))
                break
    return edits


def pipe_steps(found: Words) -> list[Edit]:
    """BigQuery's |> SET, DROP and RENAME: a star with exceptions."""
    edits: list[Edit] = []
    for place in at(found, "|>"):
        word = found.words[place + 1] if place + 1 < len(found.words) else ""
        if word not in ("SET", "DROP", "RENAME"):
            continue
        end, parts = step_parts(found, place + 2)
        if word == "DROP":
            edits.append((*place_of(found, place + 1, end), f"select * except ({', '.join(parts)})"))
        elif word == "SET":
            pairs = [part.partition("=") for part in parts]
            replaced = ", ".join(f"{value.strip()} as {name.strip()}" for name, _, value in pairs)
            edits.append((*place_of(found, place + 1, end), f"select * replace ({replaced})"))
        else:
            pairs = [part.replace(" AS ", " as ").partition(" as ") for part in parts]
            names = [part.split()[0] for part in parts]
            renamed = ", ".join(" as ".join((name.strip(), alias.strip())) for name, _, alias in pairs if alias)
            if len(renamed.split(",")) == len(parts):
                edits.append((*place_of(found, place + 1, end), f"select * except ({', '.join(names)}), {renamed}"))
    return edits


def step_parts(found: Words, start: int) -> tuple[int, list[str]]:
    """Where a pipe's step ends, and its parts between commas."""
    parts: list[str] = []
    first = end = start
    while end < len(found.words) and found.words[end] not in ("|>", ";", ")"):
        if found.words[end] == ",":
            parts.append(found.between(first, end))
            first = end + 1
        end = found.closing(end) if found.words[end] in ("(", "[") else end + 1
    return end, [*parts, found.between(first, end)]


def rowsets(found: Words) -> list[Edit]:
    """OPENROWSET(BULK 'path', …) WITH (…): the file as a relation."""
    edits: list[Edit] = []
    for place in at(found, "OPENROWSET", "(", "BULK"):
        end = found.closing(place + 1)
        path = found.between(place + 3, place + 4)
        if found.words[end : end + 2] == ["WITH", "("]:
            end = found.closing(end + 1)
        edits.append((*place_of(found, place, end), f"read_files({path})"))
    return edits


def unloads(found: Words) -> list[Edit]:
    """UNLOAD (query) TO …: the query, which Redshift has as text."""
    # Grammars take it for a command: the words behind it are found as those of an unknown function.
    edits: list[Edit] = []
    for match in UNLOAD.finditer(found.text):
        inner = match[1]
        if inner[:1] == "'":
            inner = inner[1:-1].replace("''", "'").replace("\\'", "'")
        elif inner[:2] == "$$":
            inner = inner[2:-2]
        edits.append((match.start(), match.end(), inner))
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


def snapshots(found: Words) -> list[Edit]:
    """CREATE SNAPSHOT TABLE … CLONE …: a table like any other for who reads it, as of whatever time."""
    edits = [(*place_of(found, place, place + 1), "") for place in at(found, "SNAPSHOT", "TABLE")]
    for place in at(found, "CLONE") if edits else []:
        end = place + 2
        while found.words[end : end + 1] == ["."]:
            end += 2
        last = next((here for here in range(end, len(found.words)) if found.words[here] == ";"), len(found.words))
        if last > end:
            edits.append((*place_of(found, end, last), ""))
    return edits


def partitioned_joins(found: Words) -> list[Edit]:
    """Oracle's PARTITION BY (keys) before an outer join, filling gaps in each partition: keys decide about no row."""
    edits: list[Edit] = []
    for place in at(found, "PARTITION BY", "("):
        end = found.closing(place + 1)
        if found.words[end : end + 1] and found.words[end] in ("RIGHT", "LEFT", "FULL", "ON", "JOIN"):
            edits.append((*place_of(found, place, end), ""))
    return edits


def prior_outputs(found: Words) -> list[Edit]:
    """Redshift's PRIOR column outside CONNECT BY: the column in the row before, as a function's value."""
    ends = at(found, "CONNECT", "BY")
    places = [place for place in at(found, "PRIOR") if not any(end < place for end in ends)]
    return [(*place_of(found, place, place + 2), f"prior({found.between(place + 1, place + 2)})") for place in places]


def removed_duplicates(found: Words) -> list[Edit]:
    """Redshift's MERGE … REMOVE DUPLICATES: rows that match are replaced, the others put in."""
    written = "when matched then update set * when not matched then insert *"
    return [(*place_of(found, place, place + 2), written) for place in at(found, "REMOVE", "DUPLICATES")]


Rule = Callable[[Words], list[Edit]]
RULES: tuple[tuple[tuple[str, ...], frozenset[str], Rule], ...] = (
    (("MERGE", "DELETE"), frozenset({"oracle"}), merge_deletes),
    (("USING", "AS"), frozenset({"postgres", "oracle"}), using_aliases),
    (("WINDOW", "OVER"), frozenset({"snowflake", "redshift"}), named_windows),
    (("INSERT", "DIRECTORY"), SPARKS, directories),
    (("LIMIT", "BY"), CLICKHOUSE, second_limits),
    (("|>",), BIGQUERY | SPARKS, pipe_steps),
    (("OPENROWSET", "BULK"), TSQL, rowsets),
    (("JSON_TABLE", "ON"), frozenset({"mysql", "oracle", "postgres"}), json_fallbacks),
    (("JSON_TABLE", "EXISTS"), frozenset({"mysql", "oracle", "postgres"}), json_fallbacks),
    (("REMOVE", "DUPLICATES"), frozenset({"redshift"}), removed_duplicates),
    (("SNAPSHOT", "CLONE"), BIGQUERY, snapshots),
    (("PARTITION", "JOIN"), frozenset({"oracle"}), partitioned_joins),
    (("PRIOR", "CONNECT"), frozenset({"redshift"}), prior_outputs),
    (("UNLOAD",), frozenset({"redshift", "athena", "trino"}), unloads),
)
