"""The history of names: intervals between renames, followed forwards in time, so that it ends."""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta, timezone
from uuid import UUID

from lineal_receiver.ids import EPOCH
from lineal_receiver.store.read_renames import RenameRow

MOST_STEPS = 64
FOREVER = datetime.max.replace(tzinfo=timezone.utc)
NEXT = timedelta(microseconds=1)


@dataclass(frozen=True, slots=True)
class Span:
    """A name, and from when to when (both count) a dataset was called so."""

    name: UUID
    since: datetime = EPOCH
    until: datetime = FOREVER


class History:
    """Renames between roots: what a name became, and when it was given to something else."""

    def __init__(self, renames: Iterable[RenameRow]) -> None:
        away: dict[UUID, list[tuple[datetime, UUID]]] = defaultdict(list)
        into: dict[UUID, list[tuple[datetime, UUID]]] = defaultdict(list)
        for row in renames:
            if row.old_id != row.new_id:
                away[row.old_id].append((row.at, row.new_id))
                into[row.new_id].append((row.at, row.old_id))
        self._away = {name: sorted(found) for name, found in away.items()}
        self._from = {name: sorted(found) for name, found in into.items()}
        self._into = {name: [at for at, _ in found] for name, found in self._from.items()}

    def follow(self, name: UUID, at: datetime, *, written: bool) -> UUID | None:
        """What is called now what was called `name` at this time.

        Written at this very time counts as before the rename, unless the name was given to something then, too.
        None: what was `written` there was replaced by something that was given its name; who only read it goes on to
        read what has the name.
        """
        first = True
        for _ in range(MOST_STEPS):
            times = self._away.get(name, [])
            given = self._into.get(name, [])
            index = _find(times, at, after=not first or at in given)
            moved = times[index] if index < len(times) else None
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

    def before(self, name: UUID, at: datetime) -> datetime:
        """Until when a name that is renamed at this time was what is renamed: not any more if it is given then, too."""
        return at - NEXT if at in self._into.get(name, ()) else at

    def trace(self, name: UUID, at: datetime = FOREVER) -> list[Span]:
        """What was called `name` at this time was called so, and before it so: the last name first."""
        spans: list[Span] = []
        for step in range(MOST_STEPS):
            away, given = self._away.get(name, []), self._from.get(name, [])
            left, got = _find(away, at, after=False), _find(given, at, after=step == 0)
            if got == 0 or (left > 0 and given[got - 1][0] < away[left - 1][0]):
                return [*spans, Span(name, away[left - 1][0] + NEXT if left > 0 else EPOCH, at)]
            spans.append(Span(name, given[got - 1][0], at))
            at, name = given[got - 1]
        return spans

    def trace_all(self, name: UUID) -> list[Span]:
        """All that was ever called `name`, and what it was called before it was given that name."""
        earlier = [span for at, old in self._from.get(name, []) for span in self.trace(old, at)]
        return _join([Span(name), *earlier])

    def find_spans(self, names: set[UUID], at: datetime) -> dict[UUID, list[tuple[UUID, Span]]]:
        """By name: when it was that of what is called so, or otherwise (told first), at this time."""
        spans: dict[UUID, list[tuple[UUID, Span]]] = defaultdict(list)
        for place in names | self._away.keys() | self._into.keys():
            for span in self.trace(place, at):
                spans[span.name].append((place, span))
        return spans

    def is_gone(self, name: UUID, at: datetime | None) -> bool:
        """Whether a name was renamed, and neither written (last at this time) nor given to something since."""
        away = self._away.get(name)
        if not away:
            return False
        last = away[-1][0]
        back = self._into.get(name)
        return (at is None or at <= last) and (not back or back[-1] < last)

    def __bool__(self) -> bool:
        return bool(self._away)

    def __contains__(self, name: object) -> bool:
        """Whether a name was ever renamed, or given to something."""
        return name in self._away or name in self._into


def _find(times: list[tuple[datetime, UUID]], at: datetime, *, after: bool) -> int:
    """The first of `times` at `at` or later, or, if `after`, later."""
    moments = [time for time, _ in times]
    return bisect_right(moments, at) if after else bisect_left(moments, at)


def _join(spans: list[Span]) -> list[Span]:
    """These spans, those of a name that meet or touch as one."""
    joined: list[Span] = []
    for span in sorted(spans, key=lambda one: (one.name, one.since)):
        last = joined[-1] if joined else None
        if last is not None and last.name == span.name and (last.until == FOREVER or span.since <= last.until + NEXT):
            joined[-1] = replace(last, until=max(last.until, span.until))
        else:
            joined.append(span)
    return joined
