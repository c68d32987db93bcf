"""Which thing a word on the command line means: names in full, names cut short, and near misses."""

from collections.abc import Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from lineal_receiver.cli.asking.source import Asker, Query
from lineal_receiver.errors import NameAmbiguous, NameUnknown

MOST_FOUND = 200
MOST_SHOWN = 20
MOST_HINTS = 5
SHORTEST_PIECE = 3
ENDS = (".", "/", ":")


@dataclass(frozen=True, slots=True, order=True)
class Target:
    """A dataset, one of its columns (`field`), or a job."""

    namespace: str
    name: str
    field: str | None = None
    is_job: bool = False

    @property
    def path(self) -> str:
        """Its name without the namespace."""
        return self.name if self.field is None else f"{self.name}.{self.field}"

    def __str__(self) -> str:
        return f"{self.namespace}:{self.path}"

    def query(self, prefix: str = "") -> Query:
        """The parameters that name it: `namespace`, or `fromNamespace` with the prefix `from`."""
        names = ("namespace", "name", "field")
        keys = [prefix + name.capitalize() if prefix else name for name in names]
        told: Query = dict(zip(keys, (self.namespace, self.name, self.field), strict=True))
        return told | ({"type": "job"} if self.is_job else {})


async def find_target(asker: Asker, text: str, *, job: bool = False) -> Target:
    """What `text` names: `namespace:name`, with `.column` behind it, or the end of one (`orders.amount`).

    NameAmbiguous if it is the end of several, NameUnknown, with the nearest names, of none.
    """
    found = await _find_whole(asker, text, job=job) if ":" in text else None
    if found is not None:
        return found
    matches = await _find_ends(asker, text, job=job) or ([] if job else await _find_unstated(asker, text))
    if len(matches) == 1:
        return matches[0]
    if matches:
        more = f"\n  and {len(matches) - MOST_SHOWN} more" if len(matches) > MOST_SHOWN else ""
        listed = "".join(f"\n  {match}" for match in matches[:MOST_SHOWN])
        raise NameAmbiguous(name=text, listed=listed + more)
    near = await _find_near(asker, text, job)
    hint = " Did you mean one of these?" + "".join(f"\n  {name}" for name in near) if near else ""
    raise NameUnknown(name=text, hint=hint or " `lineal search` looks for parts of names.")


async def _find_whole(asker: Asker, text: str, *, job: bool) -> Target | None:
    table, _, column = text.rpartition(".")
    if job:
        ids = [f"job:{text}"]
    else:
        ids = [f"dataset:{text}", *([f"datasetField:{table}:{column}"] if column and ":" in table else [])]
    for node in ids:
        query = {"nodeId": node, "depth": 1, "columns": "none", "limit": 1}
        answer = await asker.read("/api/v2/lineage", query)
        if answer is not None:
            told = answer["target"]
            return Target(told["namespace"], told["name"], told.get("field"), job)
    return None


async def _find_ends(asker: Asker, text: str, *, job: bool) -> list[Target]:
    """What ends with the text at a dot, slash or colon; exact names before those in other case, wholes before ends."""
    found = await _search(asker, text, job)
    tiers: list[list[Target]] = [[], [], [], []]
    for target in found:
        tier = _rank(target.path, text)
        if tier is not None:
            tiers[tier].append(target)
    best = next((tier for tier in tiers if tier), [])
    tables = [target for target in best if target.field is None]
    return sorted(set(tables or best))


async def _find_unstated(asker: Asker, text: str) -> list[Target]:
    """Columns that no schema states, as of sources: searches don't find them, the end of a table's name is known."""
    table, dot, column = text.rpartition(".")
    owners = await _find_ends(asker, table, job=False) if dot and table else []
    return [
        Target(owner.namespace, owner.name, column)
        for owner in owners[:MOST_SHOWN]
        if owner.field is None and column in await _columns(asker, owner)
    ]


def _rank(path: str, text: str) -> int | None:
    if path == text:
        return 0
    if path.endswith(tuple(end + text for end in ENDS)):
        return 1
    path, text = path.casefold(), text.casefold()
    if path == text:
        return 2
    return 3 if path.endswith(tuple(end + text for end in ENDS)) else None


async def _search(asker: Asker, text: str, job: bool) -> list[Target]:
    kinds = ["job"] if job else ["dataset", "column"]
    answer = await asker.read("/api/v2/search", {"q": text, "kind": kinds, "limit": MOST_FOUND})
    return [] if answer is None else [_read(result) for result in answer["results"]]


def _read(result: dict[str, Any]) -> Target:
    return Target(result["namespace"], result["name"], result.get("field"), result["kind"] == "job")


async def _find_near(asker: Asker, text: str, job: bool) -> list[str]:
    """Names that differ from the text by little: of columns of its table, if that is known, else of all."""
    table, _, column = text.rpartition(".")
    owner = await _find_table(asker, table) if table and not job else None
    if owner is not None:
        columns = await _columns(asker, owner)
        near = get_close_matches(column, columns, MOST_HINTS) or columns[:MOST_HINTS]
        return [str(Target(owner.namespace, owner.name, name)) for name in near]
    known: dict[str, Target] = {}
    dots = text.count(".")
    for piece in _pieces(text):
        for target in await _search(asker, piece, job):
            alike = str(target) if ":" in text else ".".join(target.path.split(".")[-dots - 1 :])
            known.setdefault(alike, target)
    return [str(known[name]) for name in get_close_matches(text, known, MOST_HINTS)]


async def _find_table(asker: Asker, text: str) -> Target | None:
    """The one table that the text names."""
    whole = await _find_whole(asker, text, job=False) if ":" in text else None
    found = [whole] if whole is not None else await _find_ends(asker, text, job=False)
    return found[0] if len(found) == 1 and found[0].field is None else None


async def _columns(asker: Asker, table: Target) -> list[str]:
    answer = await asker.read(
        "/api/v2/lineage", {**table.query(), "depth": 1, "columns": "all", "withRows": "true", "limit": 1}
    )
    shown = answer["datasets"] if answer else []
    return [column["name"] for dataset in shown if dataset["distance"] == 0 for column in dataset["columns"]]


def _pieces(text: str) -> Iterator[str]:
    """Parts of a misspelt name that its spelling may still share with the right one."""
    words = [word for word in text.replace(":", ".").replace("/", ".").split(".") if word]
    for word in reversed(words):
        for piece in dict.fromkeys((word, word[: len(word) // 2], word[len(word) // 2 :])):
            if len(piece) >= SHORTEST_PIECE:
                yield piece
