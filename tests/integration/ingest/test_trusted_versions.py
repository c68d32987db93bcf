"""Versions that streams and JobEvents declare from the future stand last until whoever declared them is trusted."""

from itertools import permutations

import asyncpg
import pytest

from .asking import Ask, Send
from .events import dataset, facet, job_event, run_event
from .test_future import ahead, trust, trust_job

VERSIONS = """
select array(select d.name from dataset as d where d.id = any(v.outputs) order by d.name), v.future
from job_version as v
order by v.future, v.created_at desc, 1
"""
STREAM = {"jobType": facet(processingType="STREAMING", integration="FLINK")}
SAID = (
    run_event("RUNNING", 1, 1, outputs=[dataset("a")], job_facets=STREAM),
    ahead(run_event("RUNNING", 0, 2, outputs=[dataset("b")], job_facets=STREAM)),
    ahead(run_event("RUNNING", 1, 2, outputs=[dataset("c")], job_facets=STREAM), day=2),
    ahead(job_event(2, "load", [], [dataset("d")]), day=3),
)


@pytest.mark.parametrize("trusted", [None, 2], ids=["the job", "its run"])
async def test_versions_are_trusted_with_whoever_declared_them(
    send: Send, ask: Ask, pool: asyncpg.Pool, trusted: int | None
) -> None:
    await send(*SAID)
    both = ["b", "c"]
    assert await ask(VERSIONS) == [(["a"], False), (["d"], True), (["c"], True), (["b"], True), (both, True)]
    await trust(pool, trust_job("load", trusted))
    if trusted:
        assert await ask(VERSIONS) == [(["c"], False), (["b"], False), (both, False), (["a"], False), (["d"], True)]
    else:
        assert await ask(VERSIONS) == [(["d"], False), (["a"], False), (["c"], True), (["b"], True), (both, True)]


@pytest.mark.parametrize("order", list(permutations(range(3))))
async def test_it_does_not_matter_when_it_is_trusted(
    send: Send, ask: Ask, pool: asyncpg.Pool, order: tuple[int, ...]
) -> None:
    for each in order:
        if each == 2:
            await trust(pool, trust_job("load", 2))
        else:
            await send(SAID[1 + each])
    assert await ask(VERSIONS) == [(["c"], False), (["b"], False), (["b", "c"], False)]
