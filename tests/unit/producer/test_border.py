"""Whatever fails on our side stays there, and is told once."""

from __future__ import annotations

import logging
import subprocess
import sys

import pytest

from lineal_producer.border import attempt, guard, sentence


def fail() -> None:
    raise ValueError("first line\nsecond line")


def test_a_failure_is_told_once_in_a_line(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING, logger="lineal"):
        guard(fail)
        guard(fail)
    assert [record.getMessage() for record in caplog.records] == [
        "Lineal: ValueError: first line; lineage of this run may be incomplete, dbt goes on"
    ]


def test_interrupts_are_not_ours_to_keep() -> None:
    def interrupt() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        guard(interrupt)


def test_attempts_give_one_or_the_other() -> None:
    assert attempt(lambda: 3) == (3, None)
    given, error = attempt(fail)
    assert given is None
    assert isinstance(error, ValueError)
    assert sentence(error) == "ValueError: first line"


def test_dbts_process_loads_nothing_heavy() -> None:
    program = (
        "import sys; import dbt_lineal, lineal_producer.dbt.hooks, lineal_producer.dbt.session;"
        "heavy = {name.partition('.')[0] for name in sys.modules} & {'sqlglot', 'openlineage'};"
        "print(sorted(heavy), [plugin.__name__ for plugin in dbt_lineal.plugins])"
    )
    done = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    assert done.stdout.strip() == "[] ['LinealPlugin']"
