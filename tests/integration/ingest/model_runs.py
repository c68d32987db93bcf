"""What the rules say of runs: state, times, parents, inputs and outputs."""

from collections.abc import Mapping, Sequence
from typing import Any

from .model_records import ENDS, RunKey, Teller, above, find_above, name_of
from .model_writes import FAILED, list_writes

STATES = {"FAIL": "FAILED", "ABORT": "ABORTED", "COMPLETE": "COMPLETED"}
ONLY_NAMED = {"state": "NEW", "only named": True, "started": None, "ended": None, "inputs": [], "outputs": []}


def expect_runs(tellers: Sequence[Teller]) -> dict[RunKey, dict[str, Any]]:
    """Every run by (job, run id), those that others only name as parents, too."""
    runs = {(teller.job, teller.run): teller for teller in tellers if teller.job and teller.run}
    found = {(job, run): _expect_run(told, runs) for (job, run), told in runs.items() if job and run}
    for told in runs.values():
        for word in told.words:
            for key in above(word.body["run"].get("facets", {}).get("parent")):
                if key is not None:
                    found.setdefault(key, dict(ONLY_NAMED))
    return found


def _expect_run(run: Teller, runs: Mapping[Any, Teller]) -> dict[str, Any]:
    parent, root = find_above(run)
    seen = {word.kind for word in run.words if word.kind in ENDS}
    started, end = run.started, run.end
    passed = (end.at - started).total_seconds() if end and started else None
    if end:
        state = STATES[end.kind or ""]
    elif any(_has_ended(key, run, runs) for key in (parent, root) if key):
        state = "OPEN_PARENT_ENDED"
    else:
        state = "RUNNING" if any(word.kind for word in run.words) else "NEW"
    return {
        "state": state,
        "ends": sorted(kind for kind in seen if kind),
        "conflict": len(seen) > 1,
        "started": started,
        "ended": end.at if end else None,
        "duration": passed if passed is not None and passed >= 0 else None,
        "backwards": passed is not None and passed < 0,
        "first": run.first_at,
        "last": run.last_at,
        "streaming": run.streaming,
        "only named": False,
        "future": run.future,
        "parent": parent,
        "root": root,
        "inputs": sorted({name_of(one) for word in run.words for one in word.names("inputs")}),
        "outputs": sorted(write.dataset for write in list_writes([run]) if write.kind > FAILED and not write.announced),
    }


def _has_ended(key: RunKey, below: Teller, runs: Mapping[Any, Teller]) -> bool:
    """Whether a run has: the one of that job, or, where that said nothing, of any other: they misname parents' jobs."""
    meant = [runs[key]] if key in runs else [run for run in runs.values() if run.run == key[1]]
    return any(run.end is not None and run is not below for run in meant)
