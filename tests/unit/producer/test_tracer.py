"""SQL is traced in a process of its own, which nothing that happens there outlives."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from lineal_producer.worker.analyst import CACHE
from lineal_producer.worker.tracer import Tracer

SQL = ("select a from t", "duckdb", {"t": {"a": "INTEGER"}}, None, None)
LONG = f"select a from t where a in ({','.join(map(str, range(100_000)))})"  # a second of parsing
DEEP = "select " + "coalesce(" * 3000 + "a" + ", 1)" * 3000 + " from t"


@pytest.fixture
def tracer(tmp_path: Path) -> Iterator[Tracer]:
    tracer = Tracer(300.0, 0, str(tmp_path))
    yield tracer
    tracer.close()


def test_it_answers_as_the_engine_does_and_keeps_the_cache(tracer: Tracer, tmp_path: Path) -> None:
    lineage = tracer.trace(*SQL)
    assert lineage.status == "resolved"
    assert [column.name for column in lineage.columns] == ["a"]
    assert tracer.trace("this is not sql", "duckdb", {}, None, None).columns == ()
    tracer.close()
    assert (tmp_path / CACHE).exists()


def test_a_death_at_rest_costs_no_statement(tracer: Tracer) -> None:
    tracer.trace(*SQL)
    assert tracer.process_id is not None
    os.kill(tracer.process_id, signal.SIGKILL)
    os.waitid(os.P_PID, tracer.process_id, os.WEXITED | os.WNOWAIT)
    assert tracer.trace(*SQL).status == "resolved"


def test_a_statement_that_a_dead_process_left_unread_is_lost_alone(tmp_path: Path) -> None:
    tracer = Tracer(0.5, 0, str(tmp_path))
    while tracer.process_id is None:  # one that was in time
        tracer.trace(*SQL)
    os.kill(tracer.process_id, signal.SIGSTOP)
    lost = tracer.trace("select 1 -- " + "x" * 1_000_000, *SQL[1:])
    assert (lost.status, [gap.code for gap in lost.gaps]) == ("failed", ["limit_exceeded"])
    assert "took over 0.5 s" in lost.gaps[0].message
    assert tracer.process_id is None
    while tracer.trace(*SQL).status != "resolved":
        pass
    tracer.close()


def test_too_long_is_stopped(tmp_path: Path) -> None:
    tracer = Tracer(0.001, 0, str(tmp_path))
    stopped = tracer.trace(LONG, *SQL[1:])
    assert [gap.code for gap in stopped.gaps] == ["limit_exceeded"]
    tracer.close()


def test_a_process_that_cannot_load_is_told_of(tmp_path: Path) -> None:
    program = "import os, sys; os.close(1); sys.stdin.read()"
    broken = subprocess.Popen([sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    tracer = Tracer(300.0, 0, str(tmp_path), broken)
    (gap,) = tracer.trace(*SQL).gaps
    assert gap.code == "limit_exceeded"
    assert "ended before it was ready" in gap.message
    assert tracer.trace(*SQL).status == "resolved"
    tracer.close()


def test_a_statement_of_any_depth_leaves_the_next_one_alone(tracer: Tracer) -> None:
    lineage = tracer.trace(DEEP, "duckdb", {"t": {"a": "INTEGER"}}, None, None)
    assert lineage.status in ("resolved", "partial", "unresolved", "failed")
    assert tracer.trace(*SQL).status == "resolved"


def test_the_worker_itself_loads_no_parser() -> None:
    program = (
        "import sys, lineal_producer.worker.serve, lineal_producer.worker.tracer; sys.exit('sqlglot' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


@pytest.mark.parametrize(
    "broken", ["MemoryError", "RecursionError", "SystemError('error return without exception set')"]
)
def test_want_of_memory_is_told_as_such_whatever_the_interpreter_calls_it(
    broken: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stub = "import sys\nif 'lineal_producer.worker.analyst' in sys.orig_argv:\n    import sqlglot\n"
    stub += f"    def parse(*arguments, **options):\n        raise {broken}\n    sqlglot.parse = parse\n"
    (tmp_path / "sitecustomize.py").write_text(stub)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    tracer = Tracer(300.0, 0, str(tmp_path))
    lineage = tracer.trace(*SQL)
    tracer.close()
    assert (lineage.status, [gap.code for gap in lineage.gaps]) == ("failed", ["limit_exceeded"])
