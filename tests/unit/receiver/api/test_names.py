"""v1 names of jobs: the parent's, a dot, and the child's own."""

from uuid import UUID

import pytest

from lineal_receiver.api.v1.names import build_name
from lineal_receiver.store.read_jobs import JobNameRow

A, B, C = UUID(int=1), UUID(int=2), UUID(int=3)


def _family(*rows: tuple[UUID, str, UUID | None]) -> dict[UUID, JobNameRow]:
    return {job: JobNameRow(id=job, namespace="ns", name=name, parent=parent) for job, name, parent in rows}


@pytest.mark.parametrize(
    ("parent", "child", "name", "simple"),
    [
        ("dag", "task", "dag.task", "task"),
        ("dag", "dag.task", "dag.task", "task"),
        ("the.dag", "the.dag.task", "the.dag.task", "task"),
        ("dag", "dag.group.task", "dag.group.task", "group.task"),
        ("dag", "dagger.task", "dag.dagger.task", "dagger.task"),
        ("dag", "dag.", "dag.dag.", "dag."),
        ("dag", "dag", "dag.dag", "dag"),
    ],
)
def test_child_of_a_parent(parent: str, child: str, name: str, simple: str) -> None:
    named = build_name(B, _family((A, parent, None), (B, child, A)))
    assert (named.name, named.simple, named.parent_name, named.parent, named.sent) == (name, simple, parent, A, child)


def test_a_chain_takes_the_whole_name_of_each_parent() -> None:
    named = build_name(C, _family((A, "a", None), (B, "b", A), (C, "b.c", B)))
    assert (named.name, named.simple, named.parent_name) == ("a.b.c", "c", "a.b")


def test_without_a_parent_the_name_is_as_sent() -> None:
    named = build_name(A, _family((A, "a.b", None)))
    assert (named.name, named.simple, named.parent, named.parent_name) == ("a.b", "a.b", None, None)


def test_a_parent_that_is_not_known_is_left_out() -> None:
    assert build_name(B, _family((B, "b", A))).name == "b"


@pytest.mark.parametrize("start", [A, B])
def test_a_cycle_ends(start: UUID) -> None:
    named = build_name(start, _family((A, "a", B), (B, "b", A)))
    assert sorted(named.name.split(".")) == ["a", "b"]
