"""Names over time: what is followed forwards from a write is found backwards from the name that it leads to."""

from datetime import datetime, timedelta, timezone
from uuid import UUID

from hypothesis import given
from hypothesis import strategies as st

from lineal_receiver.api.v1.renames import History, Span
from lineal_receiver.ids import EPOCH
from lineal_receiver.store.read_renames import RenameRow

NOON = datetime(2026, 3, 2, 12, tzinfo=timezone.utc)
NAMES = [UUID(int=number) for number in range(1, 6)]
A, B, C = NAMES[:3]


def at(seconds: int) -> datetime:
    """A time of the story."""
    return NOON + timedelta(seconds=seconds)


@given(
    st.lists(
        st.tuples(st.sampled_from(NAMES), st.sampled_from(NAMES), st.integers(0, 30)), unique_by=lambda row: row[2]
    ),
    st.sampled_from(NAMES),
    st.integers(0, 30),
    st.integers(0, 31),
)
def test_every_write_belongs_to_the_one_name_that_it_is_followed_to(
    told: list[tuple[UUID, UUID, int]], name: UUID, written: int, asked: int
) -> None:
    now = max(written, asked)
    history = History(RenameRow(old, new, at(time)) for old, new, time in told if time <= now)
    place = history.follow(name, at(written), written=True)
    found = [
        other
        for other in NAMES
        for span in history.trace(other, at(now))
        if span.name == name and span.since <= at(written) <= span.until
    ]
    # at the time of its last rename a name still is what it was, and is followed from
    moving = {old for old, _, time in told if time == now}
    assert set(found) - {name} - moving <= {place}
    assert place is None or place in found


def test_a_trace_ends_where_the_name_stood_for_something_else() -> None:
    history = History([RenameRow(A, B, at(1)), RenameRow(A, B, at(5)), RenameRow(B, C, at(9))])
    assert history.trace(C) == [
        Span(C, at(9)),
        Span(B, at(5), at(9)),
        Span(A, at(1) + timedelta(microseconds=1), at(5)),
    ]
    assert history.trace(B, at(4)) == [Span(B, at(1), at(4)), Span(A, until=at(1))]
    assert history.trace(B) == [Span(B, at(9) + timedelta(microseconds=1))]
    assert history.trace_all(B) == [Span(A, EPOCH, at(5)), Span(B)]
