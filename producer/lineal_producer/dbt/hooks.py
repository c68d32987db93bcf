"""From dbt's events to records: what happens in dbt's own process, and nothing more than that."""

from __future__ import annotations

import gc
import threading
from collections import deque
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from lineal_producer.border import attempt, guard, warn_once
from lineal_producer.clock import now
from lineal_producer.errors import SettingsError
from lineal_producer.settings import Settings

if TYPE_CHECKING:
    from lineal_producer.dbt.session import Session

# Commands that build, check or fill something; the others fire the same events and mean nothing by them.
COMMANDS: Final = frozenset({"run", "build", "seed", "snapshot", "test", "retry", "clone", "freshness"})
_began: Final[deque[str]] = deque(maxlen=1)  # when the last invocation was attached to
_sessions: Final[dict[str, Session | None]] = {}
_opening: Final = threading.Lock()  # dbt's threads meet their first nodes at the same time


def attach() -> None:
    """Listen to the invocation that dbt has begun, when its command counts and a transport is configured."""
    if _command() in COMMANDS and _settings() is not None:
        note_begin()
        callbacks = _event_manager().callbacks
        if on_event not in callbacks:
            callbacks.append(on_event)
        _load()


def note_begin() -> None:
    """dbt is about to begin: what the plugin would notice by itself, told by who starts dbt."""
    _began.append(now())


def on_event(event: Any) -> None:
    """dbt's callback: one cheap look at the name, then the few events that count, none of which may fail."""
    action = _ACTIONS.get(event.info.name)
    if action is None:
        return
    # A collection of all that dbt holds takes a tenth of a second: that is for a moment when no node waits for us.
    collects = gc.isenabled()
    gc.disable()
    try:
        guard(lambda: _dispatch(action, event))
    finally:
        if collects:
            gc.enable()


def _dispatch(action: str, event: Any) -> None:
    invocation_id = event.info.invocation_id
    if invocation_id not in _sessions:
        with _opening:
            if invocation_id not in _sessions:
                _sessions[invocation_id] = _open_session(invocation_id)
    session = _sessions[invocation_id]
    if session is not None:
        getattr(session, action)(event)
        if action == "end":
            _sessions[invocation_id] = None


_ACTIONS: Final = {
    "NodeExecuting": "start_node",
    "NodeFinished": "end_node",
    "JinjaLogDebug": "read_log",
    "JinjaLogInfo": "read_log",
    "MainEncounteredError": "fail",
    "CommandCompleted": "end",
}


def _open_session(invocation_id: str) -> Session | None:
    command = _command()
    settings = _settings() if command in COMMANDS else None
    if settings is None:
        return None
    return _load()(settings, invocation_id, command, _began.pop() if _began else now())


def _load() -> type[Session]:
    """Most of what we load, which commands that build nothing do without."""
    from lineal_producer.dbt.session import Session

    return Session


def _settings() -> Settings | None:
    flags = _flags()
    root = getattr(flags, "PROJECT_DIR", None)
    try:
        settings = Settings.of_process(Path(root) if root else None)
    except SettingsError as error:
        warn_once(f"Lineal: {error}; no lineage is emitted")
        return None
    if not settings.configured:
        attempt(lambda: _debug(f"Lineal: {settings.reason}"))
        return None
    if settings.destination.problem:
        warn_once(f"Lineal: {settings.destination.problem}; no lineage is emitted")
        return None
    return settings


def _debug(text: str) -> None:
    """A debug line of dbt's own: `dbt --debug` and logs/dbt.log show it."""
    try:
        from dbt_common.events.base_types import EventLevel
        from dbt_common.events.functions import fire_event
        from dbt_common.events.types import Note
    except ImportError:  # before dbt 1.8
        from dbt.events.base_types import EventLevel
        from dbt.events.functions import fire_event
        from dbt.events.types import Note
    fire_event(Note(msg=text), level=EventLevel.DEBUG)


def _command() -> str:
    return str(getattr(_flags(), "WHICH", ""))


def _flags() -> Any:
    from dbt.flags import get_flags

    return get_flags()


def _event_manager() -> Any:
    try:
        from dbt_common.events.event_manager_client import get_event_manager
    except ImportError:
        from dbt.events import functions

        return functions.EVENT_MANAGER
    return get_event_manager()
