"""The history of names: intervals between renames, followed forwards in time, so that it ends."""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable
from datetime import datetime
from uuid import UUID

from lineal_receiver.store.read_renames import RenameRow

MOST_STEPS = 64


class History:
    """Renames between roots: what a name became, and when it was given to something else."""

    def __init__(self, renames: Iterable[RenameRow]) -> None:
        away: dict[UUID, list[tuple[datetime, UUID]]] = defaultdict(list)
        into: dict[UUID, list[datetime]] = defaultdict(list)
        for row in renames:
            if row.old_id != row.new_id:
                away[row.old_id].append((row.at, row.new_id))
                into[row.new_id].append(row.at)
        self._away = {name: sorted(found) for name, found in away.items()}
        self._into = {name: sorted(found) for name, found in into.items()}

    def follow(self, name: UUID, at: datetime, *, written: bool) -> UUID | None:
        """What is called now what was called `name` at this time.

        Written at this very time counts as before the rename. None: what was `written` there was replaced by something
        that was given its name; who only read it goes on to read what has the name.
        """
        first = True
        for _ in range(MOST_STEPS):
            times = self._away.get(name, [])
            index = _find(times, at, after=not first)
            moved = times[index] if index < len(times) else None
            given = self._into.get(name, [])
            taken = given[there] if (there := bisect_right(given, at)) < len(given) else None
            if taken is not None and (moved is None or taken < moved[0]):
                return None if written else name
            if moved is None:
                return name
            at, name, first = moved[0], moved[1], False
        return name

    def follow_last(self, name: UUID) -> UUID:
        """What is called now what was called `name` until it was renamed last."""
        times = self._away.get(name)
        if not times:
            return name
        at, became = times[-1]
        return self.follow(became, at, written=False) or became

    def is_gone(self, name: UUID, at: datetime | None) -> bool:
        """Whether a name was renamed, and neither written (last at this time) nor given to something since."""
        away = self._away.get(name)
        if not away:
            return False
        last = away[-1][0]
        back = self._into.get(name)
        return (at is None or at <= last) and (not back or back[-1] <= last)

    def __bool__(self) -> bool:
        return bool(self._away)


def _find(times: list[tuple[datetime, UUID]], at: datetime, *, after: bool) -> int:
    """The first of `times` at `at` or later, or, if `after`, later."""
    moments = [time for time, _ in times]
    return bisect_right(moments, at) if after else bisect_left(moments, at)
