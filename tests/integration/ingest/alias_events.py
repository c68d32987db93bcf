"""Records about names: symlinks that are claimed, contested and withdrawn, in events that meet each other."""

from typing import Any

from hypothesis import strategies as st

from lineal_receiver.ingest.event import Event

from .commands import command
from .events import dataset, dataset_event, facet, job_event, run_event, schema

NAMES = ("a", "b", "c", "d", "e")
minutes = st.integers(0, 6)


def symlinks(*names: str) -> dict[str, Any]:
    """A symlinks facet; the names are of the warehouse."""
    named = [{"namespace": "postgres://db.example:5432", "name": name, "type": "TABLE"} for name in names]
    return facet(identifiers=named)


links = st.lists(st.sampled_from(NAMES), max_size=2).map(lambda names: symlinks(*names)) | st.sampled_from(
    [facet(_deleted=True), None]
)


def datasets_with_links() -> st.SearchStrategy[dict[str, Any]]:
    """Datasets, some of which say what else they are called, or withdraw it."""
    facets = st.fixed_dictionaries(
        {}, optional={"symlinks": links, "schema": st.sampled_from([schema("x"), schema("x", "y")])}
    )
    return st.builds(lambda name, found: dataset(name, **found), st.sampled_from(NAMES), facets)


def _later(event: dict[str, Any]) -> dict[str, Any]:
    return event | {"eventTime": event["eventTime"].replace("2026", "2999")}


alias_events = st.builds(
    run_event,
    st.sampled_from(["START", "RUNNING", "COMPLETE", "COMPLETE", "FAIL", "ABORT"]),
    minutes,
    st.integers(1, 3),
    st.sampled_from(("load", "mend")),
    st.none() | st.lists(datasets_with_links(), max_size=2),
    st.none() | st.lists(datasets_with_links(), max_size=2),
)
static_alias_events = st.builds(dataset_event, minutes, datasets_with_links()) | st.builds(
    job_event,
    minutes,
    st.sampled_from(("load", "mend")),
    st.lists(datasets_with_links(), max_size=1),
    st.lists(datasets_with_links(), max_size=1),
)
SPACES = ("postgres://db.example:5432", "hive://meta.example", "nightly", "weekly")
spaces = st.sampled_from(SPACES)


def _order(remove: bool, kind: str, minute: int, nonce: int, old: tuple[str, str], new: tuple[str, str]) -> Event:
    names = [{"namespace": space, "name": name} for space, name in (old, new)]
    ends = [{"namespace": name["namespace"]} for name in names] if kind == "namespace" else names
    if remove:
        return command("remove_alias", minute, nonce, kind=kind, old=ends[0])
    return command("put_alias", minute, nonce, kind=kind, old=ends[0], new=ends[1])


alias_commands = st.builds(
    _order,
    st.sampled_from([False, False, True]),
    st.sampled_from(["namespace", "dataset", "job"]),
    minutes,
    st.integers(10, 13),
    st.tuples(spaces, st.sampled_from((*NAMES[:3], "load"))),
    st.tuples(spaces, st.sampled_from((*NAMES[:3], "mend"))),
)
any_alias_event = alias_events | static_alias_events
alias_event_sets = st.lists(any_alias_event | any_alias_event | any_alias_event.map(_later), min_size=2, max_size=12)
