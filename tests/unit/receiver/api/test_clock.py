"""The time of commands."""

from datetime import datetime, timedelta, timezone

from lineal_receiver.api.v1.writes.keeping import LATEST, TICK, Clock


def test_no_two_commands_have_the_same_time() -> None:
    clock = Clock()
    times = [clock.tick() for _ in range(1000)]
    assert times == sorted(set(times))


def test_a_time_that_is_past_changes_nothing() -> None:
    clock, begun = Clock(), datetime.now(timezone.utc)
    assert clock.tick(begun - timedelta(days=9)) >= begun


def test_what_lies_ahead_moves_the_command_that_must_be_later_and_no_other() -> None:
    clock, ahead = Clock(), datetime(2999, 1, 1, tzinfo=timezone.utc)
    assert [clock.tick(ahead), clock.tick(ahead)] == [ahead + TICK, ahead + 2 * TICK]
    assert clock.tick() < datetime.now(timezone.utc) + timedelta(seconds=9)
    assert clock.tick(ahead + TICK) == ahead + 2 * TICK
    nearer = datetime.now(timezone.utc) + timedelta(minutes=9)
    assert clock.tick(nearer) == nearer + TICK


def test_nothing_is_later_than_the_last_instant() -> None:
    clock = Clock()
    assert [clock.tick(LATEST), clock.tick(LATEST - TICK), clock.tick(LATEST - TICK)] == [LATEST] * 3
    assert clock.tick() < datetime.now(timezone.utc) + timedelta(seconds=9)
