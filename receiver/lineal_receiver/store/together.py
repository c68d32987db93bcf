"""Reads that don't wait for each other, in one round trip: to ask costs more than to look up a few rows.

A read stays what it is, a coroutine that asks one statement after another. Those that are run together are each run up
to their next question; the questions go out as one statement, made of theirs; then each goes on with its answer.
"""

import re
from collections.abc import Coroutine, Generator, Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypeAlias, TypeVar, overload

import asyncpg

A = TypeVar("A")
B = TypeVar("B")
C = TypeVar("C")
D = TypeVar("D")
E = TypeVar("E")
Read: TypeAlias = Coroutine[Any, Any, A]
Question: TypeAlias = tuple[str, tuple[object, ...]]
Rows: TypeAlias = list[Any]

MOST_SHAPES = 1_000
MOST_LISTS = 12
"""Rows of more columns come as rows: they are few, and a list has its price, too."""
PARAMETER = re.compile(r"\$(\d+)")


class Reader:
    """A connection for one read at a time; `together` runs several reads of it at once."""

    def __init__(self, connection: Any) -> None:
        self._connection = connection
        self._together = False

    @property
    def opened_at(self) -> float:
        """Since when the connection stands, in seconds of this process's clock."""
        at: float = self._connection.opened_at
        return at

    async def fetch(self, sql: str, *arguments: object) -> Rows:
        """The rows that a statement gives."""
        if self._together:
            return (await _Wait([(sql, arguments)]))[0]
        rows: Rows = await self._connection.fetch(sql, *arguments)
        return rows

    async def fetchrow(self, sql: str, *arguments: object) -> Any:
        """The first row that a statement gives, if it gives one."""
        if self._together:
            return next(iter(await self.fetch(sql, *arguments)), None)
        return await self._connection.fetchrow(sql, *arguments)

    async def fetchval(self, sql: str, *arguments: object) -> Any:
        """The first value of the first row that a statement gives, if it gives one."""
        if self._together:
            row = await self.fetchrow(sql, *arguments)
            return None if row is None else row[0]
        return await self._connection.fetchval(sql, *arguments)

    async def run(self, reads: tuple[Read[Any], ...]) -> tuple[Any, ...]:
        """What each of these reads gives, in their order. What the first that fails raises ends the others, too."""
        within, self._together = self._together, True
        waiting: dict[int, Read[Any]] = dict(enumerate(reads))
        answers: dict[int, list[Rows]] = {}
        given: dict[int, Any] = {}
        try:
            while waiting:
                questions: dict[int, list[Question]] = {}
                for number, read in list(waiting.items()):
                    try:
                        questions[number] = read.send(answers.get(number))
                    except StopIteration as end:  # noqa: PERF203 - how a coroutine says that it is done
                        given[number] = end.value
                        del waiting[number]
                answers = await self._ask(questions, within=within) if questions else {}
        finally:
            self._together = within
            for read in reads:
                read.close()
        return tuple(given[number] for number in range(len(reads)))

    async def _ask(self, questions: dict[int, list[Question]], *, within: bool) -> dict[int, list[Rows]]:
        """The answers; of reads that are themselves part of one that is run with others, asked with those."""
        every = [question for group in questions.values() for question in group]
        rows = iter(await _Wait(every) if within else await self._fetch_all(every))
        return {number: [next(rows) for _ in group] for number, group in questions.items()}

    async def _fetch_all(self, questions: list[Question]) -> list[Rows]:
        if len(questions) == 1:
            ((sql, arguments),) = questions
            return [await self._connection.fetch(sql, *arguments)]
        shapes = [await self._find_shape(sql) for sql, _ in questions]
        statement = join(tuple((sql, shape.lists) for (sql, _), shape in zip(questions, shapes, strict=True)))
        joined = statement, *(one for _, arguments in questions for one in arguments)
        try:
            row = await self._connection.fetchrow(*joined)
        except asyncpg.InternalClientError:  # rows in rows of a type that this connection has never met: it asks now
            for sql, _ in questions:
                await self._connection.prepare(sql)
            row = await self._connection.fetchrow(*joined)
        values = iter(row)
        return [shape.build([next(values) for _ in range(shape.lists or 1)]) for shape in shapes]

    async def _find_shape(self, sql: str) -> "Shape":
        """How the rows of a statement look, which PostgreSQL tells once."""
        shape = _SHAPES.get(sql)
        if shape is None:
            columns = (await self._connection.prepare(sql)).get_attributes()
            wide = len(columns) > MOST_LISTS or any(column.type.kind == "array" for column in columns)
            shape = Shape(build_row(tuple(column.name for column in columns)), 0 if wide else len(columns))
            if len(_SHAPES) < MOST_SHAPES:
                _SHAPES[sql] = shape
        return shape


class _Wait:
    """Questions that whoever runs the read answers."""

    def __init__(self, questions: list[Question]) -> None:
        self._questions = questions

    def __await__(self) -> Generator[list[Question], list[Rows], list[Rows]]:
        return (yield self._questions)


class Row(tuple[Any, ...]):
    """Values by place and by name, as the driver gives them."""

    __slots__ = ()
    places: dict[Any, int]

    def __getitem__(self, key: Any) -> Any:
        return tuple.__getitem__(self, self.places.get(key, key))

    def keys(self) -> Iterable[str]:
        """The names of the values."""
        return self.places


@dataclass(frozen=True, slots=True)
class Shape:
    """How the rows of a statement look, and come: as so many lists, one a column; 0: as an array of rows.

    Lists of many rows cost less, but such of arrays would have to be of one length.
    """

    row: type[Row]
    lists: int

    def build(self, values: list[Any]) -> Rows:
        """The rows, of a list for each of their columns, or of one array of rows."""
        rows = values[0] if self.lists == 0 else () if values[0] is None else zip(*values, strict=True)
        return list(map(self.row, rows))


_SHAPES: dict[str, Shape] = {}


def build_row(names: tuple[str, ...]) -> type[Row]:
    """Rows whose values have these names."""
    return type("Row", (Row,), {"__slots__": (), "places": {name: at for at, name in enumerate(names)}})


@lru_cache(maxsize=MOST_SHAPES)
def join(statements: tuple[tuple[str, int], ...]) -> str:
    """One statement that gives the rows of each of these, whose parameters are counted on, in so many lists."""
    parts, before = [], 0
    for number, (sql, lists) in enumerate(statements):
        own = max((int(place) for place in PARAMETER.findall(sql)), default=0)
        shifted = PARAMETER.sub(lambda found, by=before: f"${int(found[1]) + by}", sql)  # type: ignore[misc]
        if lists:
            gathered = ", ".join(f"array_agg(r.c{place})" for place in range(lists))
            columns = ", ".join(f"c{place}" for place in range(lists))
            parts.append(f"(select {gathered} from ({shifted}) as r ({columns})) as r{number}")  # noqa: S608 - of constants
        else:
            parts.append(f"(select array(select r from ({shifted}) as r)) as r{number}")  # noqa: S608 - of constants
        before += own
    return f"select * from {' cross join '.join(parts)}"  # noqa: S608 - of constants


@overload
async def together(connection: Any, a: Read[A], b: Read[B], /) -> tuple[A, B]: ...
@overload
async def together(connection: Any, a: Read[A], b: Read[B], c: Read[C], /) -> tuple[A, B, C]: ...
@overload
async def together(connection: Any, a: Read[A], b: Read[B], c: Read[C], d: Read[D], /) -> tuple[A, B, C, D]: ...
@overload
async def together(
    connection: Any, a: Read[A], b: Read[B], c: Read[C], d: Read[D], e: Read[E], /
) -> tuple[A, B, C, D, E]: ...
async def together(connection: Any, *reads: Read[Any]) -> tuple[Any, ...]:
    """What each of these reads of a snapshot's connection gives; none may need what another gives."""
    reader: Reader = connection
    return await reader.run(reads)


async def all_together(connection: Any, reads: Iterable[Read[A]]) -> list[A]:
    """The same for as many reads as there are, all of one kind."""
    reader: Reader = connection
    return list(await reader.run(tuple(reads)))
