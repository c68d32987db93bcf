"""The shortest ways between two places of a graph, one after the other."""

from collections.abc import Callable, Hashable, Iterable
from heapq import heappop, heappush
from itertools import count
from typing import TypeVar

MOST_LOOKED_AT = 20_000

Place = TypeVar("Place", bound=Hashable)
Step = TypeVar("Step")


def find_ways(
    start: Iterable[Place],
    beside: Callable[[Place], Iterable[tuple[Step, Place]]],
    far: Callable[[Place], int | None],
    limit: int,
) -> tuple[list[list[Step]], bool]:
    """Up to `limit` ways, the shortest first, none through a place twice; whether looking was given up before the end.

    beside: the steps from a place. far: how many steps it is from the end at least, None where no way leads there.
    """
    order = count()  # of ways that are as long, the one that is nearest to the end, else the one that was met first
    waiting: list[tuple[int, int, int, Place, list[Step], frozenset[Place]]] = []
    for place in start:
        left = far(place)
        if left is not None:
            heappush(waiting, (left, left, next(order), place, [], frozenset({place})))
    ways: list[list[Step]] = []
    looked = 0
    while waiting and len(ways) < limit:
        looked += 1
        if looked > MOST_LOOKED_AT:
            return ways, True
        _, _, _, place, steps, met = heappop(waiting)
        if far(place) == 0 and steps:
            ways.append(steps)
            continue
        for step, following in beside(place):
            left = far(following)
            if left is not None and following not in met:
                way = [*steps, step]
                heappush(waiting, (len(way) + left, left, next(order), following, way, met | {following}))
    return ways, bool(waiting)
