"""What facets tell of a job: by what they say, however often and however much that is."""

import json
from typing import Any

import pytest

from lineal_receiver.api.v2.graph.jobs import LARGEST_KEPT, read_told


def say(name: str, **body: Any) -> tuple[str, str]:
    return name, json.dumps(body)


@pytest.mark.parametrize("length", [1, LARGEST_KEPT + 1])
def test_the_newest_of_each_name_tells(length: int) -> None:
    text = "d" * length
    facets = [
        say("documentation", description="before"),
        say("jobType", processingType="BATCH", integration="DBT", jobType="TEST"),
        say("ownership", owners=[{"name": "team:sales", "type": "OWNER"}, {"no": "name"}]),
        say("lineal_node", file="models/orders.sql"),
        say("documentation", description=text),
    ]
    for _ in range(2):
        told = read_told(facets)
        assert told.type == {"processingType": "BATCH", "integration": "DBT", "jobType": "TEST"}
        assert told.file is not None
        assert told.file["path"] == "models/orders.sql"
        assert told.description == text
        assert told.owners == [{"name": "team:sales", "type": "OWNER"}]


def test_what_is_told_next_is_told() -> None:
    first = [say("documentation", description="one"), say("documentation", description="two")]
    assert read_told(first).description == "two"
    assert read_told(reversed(first)).description == "one"
    assert read_told([*first, ("documentation", "[]")]).description is None
    assert read_told([]) == read_told(iter(()))
    assert (read_told([]).type, read_told([]).file, read_told([]).owners) == (None, None, [])
