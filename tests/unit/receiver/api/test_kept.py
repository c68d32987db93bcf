"""Which finished answers are kept, and which of them still hold."""

from lineal_receiver.api.kept import BESIDES, Finished, KeptAnswers, Key
from lineal_receiver.store.read_stamp import Stamp

STAMP = Stamp("1 7:9:7,8", connected_at=5.0, told_at=10.0)


def key(name: str) -> Key:
    return b"/", name.encode()


def made(size: int, stamp: Stamp | None = STAMP) -> Finished:
    return Finished(b"x" * size, None, '"t"', stamp)


def test_those_go_that_were_not_asked_for_the_longest() -> None:
    kept = KeptAnswers(10 * (BESIDES + 2 + 98))
    for name in "abcdefghij":
        kept.keep(key(name), made(98))
    assert (len(kept), kept.bytes) == (10, kept.most_bytes)
    assert kept.find(key("a")) is not None
    kept.keep(key("k"), made(98))
    assert [name for name in "abcdefghijk" if kept.find(key(name)) is None] == ["b"]
    assert (len(kept), kept.bytes) == (10, kept.most_bytes)


def test_a_later_answer_takes_the_place_of_the_earlier() -> None:
    kept = KeptAnswers(100_000)
    kept.keep(key("a"), made(900))
    kept.keep(key("a"), made(40))
    assert (len(kept), kept.bytes) == (1, BESIDES + 2 + 40)
    assert kept.find(key("a")) == made(40)


def test_what_would_drive_out_all_others_is_not_kept_nor_what_it_replaces() -> None:
    kept = KeptAnswers(8 * (BESIDES + 2 + 100))
    kept.keep(key("a"), made(100))
    assert len(kept) == 1
    kept.keep(key("a"), made(101))
    assert (kept.find(key("a")), kept.bytes) == (None, 0)


def test_nothing_is_kept_where_none_may_be_or_where_the_server_can_not_tell() -> None:
    for kept, answer in ((KeptAnswers(0), made(0)), (KeptAnswers(100_000), made(0, None))):
        kept.keep(key("a"), answer)
        assert (len(kept), kept.bytes, kept.find(key("a"))) == (0, 0, None)


def test_an_answer_holds_while_the_same_transactions_are_shown() -> None:
    assert STAMP.still_holds(Stamp(STAMP.text, connected_at=5.0, told_at=20.0))
    assert STAMP.still_holds(Stamp(STAMP.text, connected_at=10.0, told_at=20.0))
    assert not STAMP.still_holds(Stamp("1 7:10:7,8", connected_at=5.0, told_at=20.0))
    assert not STAMP.still_holds(Stamp("1 7:9:8", connected_at=5.0, told_at=20.0))


def test_after_a_crash_ids_may_come_again_so_the_connection_must_have_stood_before() -> None:
    assert not STAMP.still_holds(Stamp(STAMP.text, connected_at=10.5, told_at=20.0))
