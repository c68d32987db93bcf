"""The console script `lineal-dbt`."""

from __future__ import annotations


def start() -> int:
    """Run `lineal-dbt`; Ctrl-C ends it without a word, while what it needs is still being loaded, too."""
    try:
        from lineal_producer.cli import main
    except KeyboardInterrupt:
        return 130
    return main()
