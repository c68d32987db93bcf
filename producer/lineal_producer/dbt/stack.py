"""What dbt holds in memory while one of its events is fired: the running node, its adapter, the manifest, the result.

dbt hands none of it to a callback, so the running frames are asked; they have kept these names from dbt-core 1.5 on.
"""

from __future__ import annotations

import sys
from types import FrameType
from typing import Any, Final, NamedTuple

# Between dbt and `running_node` are at least so many frames of ours, which needn't be made and looked at.
_OWN: Final = 5  # session, hooks._dispatch, border.attempt and its action, border.guard


class Running(NamedTuple):
    """dbt's own objects around the node that runs in this thread; `result` is there when it has ended."""

    node: Any
    adapter: Any
    config: Any
    manifest: Any
    result: Any | None


def running_node() -> Running | None:
    """The node that this thread runs, None when dbt isn't running one here (or has changed its names)."""
    frame: FrameType | None = sys._getframe(_OWN)  # noqa: SLF001 - the documented way to a caller's frame
    while frame is not None:
        if frame.f_code.co_name == "call_runner":
            names = frame.f_locals
            runner, task = names.get("runner"), names.get("self")
            if runner is None or task is None:
                return None
            return Running(
                node=runner.node,
                adapter=runner.adapter,
                config=runner.config,
                manifest=getattr(task, "manifest", None),
                result=names.get("result"),
            )
        frame = frame.f_back
    return None


def command_config() -> Any | None:
    """The configuration of the command that this thread ends, None when it ended before there was one."""
    frame: FrameType | None = sys._getframe(1)  # noqa: SLF001 - as above
    while frame is not None:
        given = getattr(frame.f_locals.get("ctx"), "obj", None)
        if isinstance(given, dict) and "runtime_config" in given:
            return given["runtime_config"]
        frame = frame.f_back
    return None


def is_cancelling() -> bool:
    """Whether dbt is stopping its nodes: after Ctrl-C, an exit, or a failure with --fail-fast.

    The thread that hands out nodes does that in `run_queue`, called by `execute_nodes`, and has left it then.
    """
    return any(_has_left_its_queue(frame) for frame in sys._current_frames().values())  # noqa: SLF001 - the only way


def _has_left_its_queue(frame: FrameType | None) -> bool:
    while frame is not None:
        if frame.f_code.co_name == "run_queue":
            return False
        if frame.f_code.co_name == "execute_nodes":
            return True
        frame = frame.f_back
    return False


def is_interrupted() -> bool:
    """Whether the exception being handled here is an interrupt."""
    return isinstance(sys.exc_info()[1], KeyboardInterrupt | SystemExit)
