"""The border with code that isn't ours: the one place where whatever goes wrong is kept from reaching dbt."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Final, TypeVar

_Given = TypeVar("_Given")

log: Final = logging.getLogger("lineal")
_said: Final[set[str]] = set()


def attempt(action: Callable[[], _Given]) -> tuple[_Given | None, Exception | None]:
    """What `action` gives and None, or None and what it raised."""
    try:
        return action(), None
    except Exception as error:
        log.debug("lineal failed", exc_info=True)
        return None, error


def guard(action: Callable[[], object]) -> None:
    """Do `action`; a failure is told once and goes no further.

    An exception in a callback would turn a model that was built into an error, one in a plugin would end dbt.
    """
    _, error = attempt(action)
    if error is not None:
        warn_once(f"Lineal: {sentence(error)}; lineage of this run may be incomplete, dbt goes on")


def warn_once(text: str) -> None:
    """Tell the user, once in the life of the process."""
    if text not in _said:
        _said.add(text)
        log.warning("%s", text)


def sentence(error: Exception) -> str:
    """An exception of someone else's in one line, without secrets."""
    from lineal_producer.privacy import without_secrets  # dbt waits for this module at every command

    return without_secrets(f"{type(error).__name__}: {(str(error).strip().splitlines() or ['no message'])[0]}")
