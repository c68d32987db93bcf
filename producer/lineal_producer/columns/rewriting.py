"""Clauses that the grammar doesn't know, in words that it does: the same columns and conditions, said otherwise."""

from __future__ import annotations

import re
from itertools import pairwise

from lineal_producer.columns.creations import Words
from lineal_producer.columns.dialects import Names
from lineal_producer.columns.recovery import UNREADABLE, Edit, edited
from lineal_producer.columns.wording import (
    Rule,
    at,
    columns_called_all,
    error_logs,
    json_fallbacks,
    json_wrappers,
    kept_partitions,
    merge_deletes,
    merge_tops,
    nested_paths,
    ordinalities,
    parameters,
    partitioned_joins,
    place_of,
    replaced_rows,
    subsets,
    translations,
)

UNLOAD = re.compile(r"\bunload\s*\((.*)\)\s*to\s*'[^']*'[^;]*", re.IGNORECASE | re.DOTALL)
CALLED_ALL = re.compile(r"""\border\s+by\b.*?(?:\.\s*"?all\b|"all")""", re.IGNORECASE | re.DOTALL)
CLICKHOUSE = frozenset({"clickhouse"})
SPARKS = frozenset({"spark", "databricks", "hive", "spark2"})
BIGQUERY = frozenset({"bigquery"})
TSQL = frozenset({"tsql", "fabric"})
ORACLE = frozenset({"oracle"})
DUCKDB = frozenset({"duckdb"})
# The operators of T-SQL's compound assignments.
COMPOUND = frozenset("+-*/%&|^")
# What ends the list of a LIMIT.
AFTER_LIMIT = frozenset({"UNION", "INTERSECT", "EXCEPT", "SETTINGS", "FORMAT", "OFFSET", ")", ";", "WITH"})
# What is inside one another is rewritten from the inside out.
MAX_ROUNDS = 50
QUERY_STARTS = frozenset({"SELECT", "WITH", "FROM", "("})


def rewritten(sql: str, names: Names) -> str:
    """A text with every clause replaced for which the grammar has other words; the text itself where there is none."""
    upper = sql.upper()
    wanted = [rule for words, dialects, rule in RULES if names.dialect in dialects and all(w in upper for w in words)]
    for rule in wanted:
        for _ in range(MAX_ROUNDS if rule is with_expressions else 1):
            before, sql = sql, applied(rule, sql, names)
            if sql == before:
                break
    return sql


def applied(rule: Rule, sql: str, names: Names) -> str:
    """A text with a rule's edits; the text itself where it can't be read."""
    try:
        tokens = names.grammar.tokenize(sql)
    except UNREADABLE:
        return sql
    return edited(sql, 0, len(sql), rule(Words(sql, tokens, [token.text.upper() for token in tokens])))


def unmistakable(sql: str, names: Names) -> str:
    """A text without what the grammar reads as something else."""
    return applied(columns_called_all, sql, names) if names.dialect in DUCKDB and CALLED_ALL.search(sql) else sql


def named_windows(found: Words) -> list[Edit]:
    """WINDOW name AS (…) where the grammar doesn't know it: each window where it is used, or begins another."""
    edits: list[Edit] = []
    windows: dict[str, str] = {}
    for place in at(found, "WINDOW"):
        here = place + 1
        while found.words[here + 1 : here + 3] == ["AS", "("]:
            end = found.closing(here + 2)
            base = windows.get(found.words[here + 3], "")
            inside = found.between(here + (4 if base else 3), end - 1)
            windows[found.words[here]] = f"{base} {inside}".strip()
            here = end + 1 if found.words[end : end + 1] == [","] else end
        if here > place + 1:
            edits.append((*place_of(found, place, here), ""))
    for place in at(found, "OVER") if windows else []:
        first, *second = found.words[place + 1 : place + 3] or [""]
        if first in windows:
            edits.append((*place_of(found, place + 1, place + 2), f"({windows[first]})"))
        elif first == "(" and second and second[0] in windows:
            edits.append((*place_of(found, place + 2, place + 3), windows[second[0]]))
    return edits


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


def prior_outputs(found: Words) -> list[Edit]:
    """PRIOR column outside CONNECT BY: the column in the row before, as a function's value."""
    ends = at(found, "CONNECT", "BY") or at(found, "CONNECT BY")
    places = [place for place in at(found, "PRIOR") if not any(end < place for end in ends)]
    return [(*place_of(found, place, place + 2), f"prior({found.between(place + 1, place + 2)})") for place in places]


def removed_duplicates(found: Words) -> list[Edit]:
    """Redshift's MERGE … REMOVE DUPLICATES: rows that match are replaced, the others put in."""
    written = "when matched then update set * when not matched then insert *"
    return [(*place_of(found, place, place + 2), written) for place in at(found, "REMOVE", "DUPLICATES")]


def compound_assignments(found: Words) -> list[Edit]:
    """T-SQL's SET column += value, and that of a variable: it is itself read, too."""
    edits: list[Edit] = []
    for place in range(1, len(found.words) - 1):
        if found.words[place] not in COMPOUND or found.words[place + 1] != "=":
            continue
        start = place - 1
        while start > 1 and found.words[start - 1] == ".":
            start -= 2
        start -= found.words[start - 1] == "@"
        read = found.between(start, place)
        edits.append((*place_of(found, place, place + 2), f"= {read} {found.words[place]}"))
    return edits


def positions(found: Words) -> list[Edit]:
    """DuckDB's INSERT … BY POSITION: what INSERT does anyway."""
    return [(*place_of(found, place, place + 2), "") for place in at(found, "BY", "POSITION")]


def with_expressions(found: Words) -> list[Edit]:
    """BigQuery's WITH(name AS expression, …, result): a query of the result over one query a name."""
    for place in reversed(at(found, "WITH", "(")):
        last = found.closing(place + 1) - 1
        commas = [here for here in outer(found, place + 2, last) if found.words[here] == ","]
        bounds = [place + 1, *commas, last]
        parts = [(start + 1, end) for start, end in pairwise(bounds)]
        query = ""
        for start, end in parts[:-1]:
            if found.words[start + 1 : start + 2] != ["AS"]:
                return []
            below = f" from ({query})" if query else ""
            star = "*, " if query else ""
            query = f"select {star}{found.between(start + 2, end)} as {found.between(start, start + 1)}{below}"
        if query and last < len(found.words):
            # The innermost first: the text around it is rewritten once more.
            written = f"(select {found.between(*parts[-1])} from ({query}))"  # noqa: S608  # parsed, never run
            return [(*place_of(found, place, last + 1), written)]
    return []


def outer(found: Words, start: int, end: int) -> list[int]:
    """The places between two that are in no brackets."""
    places: list[int] = []
    depth = 0
    for place in range(start, end):
        depth -= found.words[place] in (")", "]")
        if depth == 0:
            places.append(place)
        depth += found.words[place] in ("(", "[")
    return places


RULES: tuple[tuple[tuple[str, ...], frozenset[str], Rule], ...] = (
    (("MERGE", "DELETE"), ORACLE, merge_deletes),
    (("USING", "AS"), frozenset({"postgres", "oracle"}), using_aliases),
    (("WINDOW", "OVER"), frozenset({"snowflake", "redshift"}), named_windows),
    (("INSERT", "DIRECTORY"), SPARKS, directories),
    (("LIMIT", "BY"), CLICKHOUSE, second_limits),
    (("(", ")"), CLICKHOUSE, parameters),
    (("|>",), BIGQUERY | SPARKS, pipe_steps),
    (("OPENROWSET", "BULK"), TSQL, rowsets),
    (("JSON_TABLE", "ON"), frozenset({"mysql", "oracle", "postgres"}), json_fallbacks),
    (("JSON_TABLE", "EXISTS"), frozenset({"mysql", "oracle", "postgres"}), json_fallbacks),
    (("JSON_TABLE", "NESTED"), ORACLE, nested_paths),
    (("INSERT", "REPLACE", "ON"), SPARKS, replaced_rows),
    (("PARTITION", "EXISTS"), SPARKS, kept_partitions),
    (("REMOVE", "DUPLICATES"), frozenset({"redshift"}), removed_duplicates),
    (("SNAPSHOT", "CLONE"), BIGQUERY, snapshots),
    (("PARTITION", "JOIN"), ORACLE, partitioned_joins),
    (("PRIOR", "CONNECT"), frozenset({"redshift", "snowflake"}), prior_outputs),
    (("LOG", "ERRORS"), ORACLE, error_logs),
    (("JSON_QUERY", "WRAPPER"), ORACLE | TSQL | frozenset({"postgres"}), json_wrappers),
    (("XMLTABLE", "ORDINALITY"), ORACLE | frozenset({"postgres"}), ordinalities),
    (("TRANSLATE", "USING"), ORACLE, translations),
    (("MATCH_RECOGNIZE", "SUBSET"), ORACLE | frozenset({"snowflake", "trino", "athena"}), subsets),
    (("MERGE", "TOP"), TSQL, merge_tops),
    (("SET", "="), TSQL, compound_assignments),
    (("SELECT", "@", "="), TSQL, compound_assignments),
    (("WITH",), BIGQUERY, with_expressions),
    (("INSERT", "POSITION"), DUCKDB, positions),
    (("UNLOAD",), frozenset({"redshift", "athena", "trino"}), unloads),
)
