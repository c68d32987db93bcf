"""What openlineage-dbt tells wrongly or not at all is told: each of its known faults by a test named after it.

Those that need more than this project: a killed dbt in `test_plugin_events.py`, freshness in `test_ways_in.py`,
counted rows in `test_postgres_events.py`, artifacts of dbt 2.x in `tests/unit/producer/test_results.py`, Snowflake's
accounts and adapters that nobody knows in `tests/unit/producer/test_naming.py`.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from typing import Any

import pytest

from .faulty_project import MODELS, new_faulty_project
from .plugin_project import Project, Ran, new_project, settled
from .ways import Event, by_key, edges, identity

SPAN = ("--event-time-start", "2026-01-01", "--event-time-end", "2026-01-04")
RAW, CITIES = "tiny.main.raw_orders", "tiny.main.raw_cities"


@dataclass(frozen=True, slots=True)
class Told:
    """One build as the plugin, `emit` and `consume` tell it, and a later `dbt run` of one model."""

    ran: Ran
    plugin: list[Event]
    emit: list[Event]
    consume: list[Event]
    rerun: list[Event]
    namespace: str

    def end(self, job: str) -> Event:
        """How a node's run ended, by the end of its job's name."""
        (found,) = [event for event in self.plugin if event["job"]["name"].endswith(f".{job}") and is_end(event)]
        return found

    def edges(self, model: str) -> set[tuple[str, str, str, str]]:
        """What the columns of a model's output come from: column ('' of all rows), dataset, column, kind."""
        return {(name, source, column, kind) for _, name, _, source, column, _, kind, _ in edges(self.end(model))}

    def values(self, model: str) -> set[tuple[str, str, str]]:
        """The same without what only decides the rows, or how values are grouped and ordered."""
        told = edges(self.end(model))
        return {(name, source, column) for _, name, _, source, column, kind, _, _ in told if kind == "DIRECT"}


def is_end(event: Event) -> bool:
    return event.get("eventType") in ("COMPLETE", "FAIL", "ABORT")


def _told(project: Project, name: str, *command: str, lineal: bool = False, **more: str) -> tuple[Ran, list[Event]]:
    path = project.root.parent / f"{name}.ndjson"
    env = {**project.to_file(), "OPENLINEAGE__TRANSPORT__LOG_FILE_PATH": str(path), **more}
    ran = (project.lineal if lineal else project.dbt)(*command, **env)
    return ran, settled([{"eventType": None, **json.loads(line)} for line in path.read_bytes().splitlines()])


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Told:
    project = new_faulty_project(tmp_path_factory.mktemp("faulty"))
    ran, plugin = _told(project, "plugin", "--log-format-file", "json", "build", *SPAN)
    emitted, emit = _told(project, "emit", "emit", lineal=True)
    consumed, consume = _told(project, "consume", "consume", "logs/dbt.log", lineal=True)
    assert (emitted.code, emitted.err, consumed.code, consumed.err) == (0, "", 0, "")
    _, rerun = _told(project, "rerun", "run", "--select", "totals", "of_source", LINEAL_READ_COLUMNS="0")
    return Told(ran, plugin, emit, consume, rerun, f"duckdb://{project.root / 'tiny.duckdb'}")


# Which runs there are


def test_a_model_is_two_jobs_for_run_and_build(told: Told) -> None:
    assert told.end("totals")["job"]["name"] == "tiny.main.tiny.totals"
    jobs = {event["job"]["name"] for event in told.rerun if "run" in event}
    assert jobs == {"dbt-run-tiny", "tiny.main.tiny.totals", "tiny.main.tiny.of_source"}


def test_log_mode_gives_a_third_name_and_a_run_for_every_statement(told: Told) -> None:
    assert by_key(told.consume).keys() == by_key(told.plugin).keys()
    runs = Counter(event["job"]["name"] for event in told.plugin if is_end(event))
    assert {job: count for job, count in runs.items() if count > 1} == {"tiny.main.tiny.days": 3}  # its batches


def test_events_come_in_bulk_after_dbt_has_ended(told: Told) -> None:
    order = [(event["job"]["name"], event["eventType"]) for event in told.plugin]
    assert order[0] == ("dbt-run-tiny", "START")
    assert order.index(("tiny.main.tiny.starred", "COMPLETE")) < order.index(("tiny.main.tiny.totals", "START"))
    times = [event["eventTime"] for event in told.plugin if event["job"]["name"].endswith((".starred", ".totals"))]
    assert times == sorted(times)


def test_seeds_have_no_events_and_are_no_inputs(told: Told) -> None:
    assert told.end("raw_orders.seed")["outputs"][0]["name"] == RAW
    assert [given["name"] for given in told.end("starred")["inputs"]] == [RAW]


def test_a_snapshot_is_dropped_from_the_inputs_of_its_reader(told: Told) -> None:
    assert told.end("kept.snapshot")["outputs"][0]["name"] == "tiny.main.kept"
    assert [given["name"] for given in told.end("of_snapshot")["inputs"]] == ["tiny.main.kept"]
    assert ("dbt_valid_from", "tiny.main.kept", "dbt_valid_from", "IDENTITY") in told.edges("of_snapshot")


def test_generic_tests_are_lumped_together_and_lost_on_seeds_and_snapshots(told: Told) -> None:
    tests = {event["job"]["name"].split(".test.tiny.")[1]: event for event in told.plugin if _is_test(event)}
    assert {name.split(".")[0]: [given["name"] for given in event["inputs"]] for name, event in tests.items()} == {
        "unique_raw_orders_id": [RAW],
        "not_null_kept_id": ["tiny.main.kept"],
        "not_null_totals_total": ["tiny.main.totals"],
        "accepted_values_totals_total__1": ["tiny.main.totals"],
        "no_debt": ["tiny.main.totals"],  # a singular one
    }


def _is_test(event: Event) -> bool:
    return ".test.tiny." in event["job"]["name"] and is_end(event)


def test_a_test_with_failures_is_complete(told: Told) -> None:
    ends = {
        event["job"]["name"].split(".test.tiny.")[1].split(".")[0]: event for event in told.plugin if _is_test(event)
    }
    failed = ends["accepted_values_totals_total__1"]
    (assertion,) = failed["inputs"][0]["inputFacets"]["dataQualityAssertions"]["assertions"]
    assert (failed["eventType"], assertion["success"], assertion["column"]) == ("FAIL", False, "total")
    assert failed["run"]["facets"]["errorMessage"]["message"] == "Got 2 results, configured to fail if != 0"
    assert {event["eventType"] for name, event in ends.items() if name != "accepted_values_totals_total__1"} == {
        "COMPLETE"
    }


def test_tests_write_a_dataset_that_is_nowhere_and_cut_the_graph(told: Told) -> None:
    assert [event["outputs"] for event in told.plugin if _is_test(event)] == [[]] * 5
    assert told.end("totals")["outputs"][0]["name"] == "tiny.main.totals"


def test_unit_tests_are_not_found(told: Told) -> None:
    event = told.end("totals.adds_up")
    assert (event["eventType"], [given["name"] for given in event["inputs"]]) == ("COMPLETE", ["tiny.main.totals"])
    assert "extractionError" not in event["run"]["facets"]
    assert event["job"]["facets"]["jobType"]["jobType"] == "UNIT_TEST"


def test_exposures_are_unknown(told: Told) -> None:
    (board,) = [event for event in told.plugin if event["job"]["name"].startswith("exposure.")]
    assert [given["name"] for given in board["inputs"]] == ["tiny.main.totals"]


def test_a_skipped_node_breaks_the_integration(told: Told) -> None:
    for events in (told.plugin, told.emit, told.consume):
        assert [event for event in events if event["job"]["name"].endswith(".skipped")] == []


def test_partial_success_loses_the_whole_run(told: Told) -> None:
    for events in (told.plugin, told.emit, told.consume):
        days = [event for event in events if event["job"]["name"].endswith(".days") and is_end(event)]
        times = {event["run"]["facets"]["nominalTime"]["nominalStartTime"][:10]: event["eventType"] for event in days}
        assert times == {"2026-01-01": "COMPLETE", "2026-01-02": "FAIL", "2026-01-03": "COMPLETE"}
    assert by_key(told.emit).keys() == by_key(told.plugin).keys()


def test_there_is_no_event_of_the_invocation_in_artifacts(told: Told) -> None:
    ends = [
        [event["eventType"] for event in events if event["job"]["name"] == "dbt-run-tiny"]
        for events in (told.plugin, told.emit, told.consume)
    ]
    assert ends == [["START", "FAIL"]] * 3


# What failed


def test_a_failed_model_has_no_outputs_and_no_message(told: Told) -> None:
    for events in (told.plugin, told.emit, told.consume):
        (event,) = [each for each in events if each["job"]["name"].endswith(".failing") and is_end(each)]
        assert event["eventType"] == "FAIL"
        assert [output["name"] for output in event["outputs"]] == ["tiny.main.failing"]
        assert "Could not convert string 'ann' to INT32" in event["run"]["facets"]["errorMessage"]["message"]


def test_a_model_that_does_not_compile_is_a_key_error(told: Told) -> None:
    for events in (told.plugin, told.emit, told.consume):
        (event,) = [each for each in events if each["job"]["name"].endswith(".uncompiled") and is_end(each)]
        assert (event["eventType"], event["inputs"][0]["name"]) == ("FAIL", RAW)
        assert "nowhere does not exist" in event["run"]["facets"]["errorMessage"]["message"]


def test_a_syntax_error_is_silence(told: Told) -> None:
    event = told.end("misspelt")
    lineage = event["outputs"][0]["facets"]["lineal_lineage"]
    assert (event["eventType"], lineage["status"]) == ("FAIL", "failed")
    assert [gap["code"] for gap in lineage["gaps"]] == ["parser_error"]


def test_dbts_exit_code_is_lost_and_its_errors_are_hidden(told: Told) -> None:
    assert (told.ran.code, told.ran.err) == (1, "")
    assert "Completed with 4 errors, 1 partial success" in told.ran.out


# Profiles


def test_a_profile_with_jinja_or_another_targets_unset_variable_ends_it(told: Told) -> None:
    for events in (told.plugin, told.emit, told.consume):
        named = {output["namespace"] for event in events for output in event["outputs"]}
        assert named == {told.namespace, told.namespace.replace("tiny.duckdb", "side.duckdb")}


def test_a_profile_without_a_path_keeps_dbt_from_running(tmp_path_factory: pytest.TempPathFactory) -> None:
    project = new_project(tmp_path_factory.mktemp("pathless"))
    project.write({"profiles.yml": "tiny: {target: dev, outputs: {dev: {type: duckdb}}}\n"})
    ran, events = _told(project, "pathless", "seed")
    assert (ran.code, ran.err) == (0, "")
    outputs = {(output["namespace"], output["name"]) for event in events for output in event["outputs"]}
    assert outputs == {("inmemory://tiny", "memory.main.raw_orders")}


def test_an_attached_database_gets_the_namespace_of_the_first(told: Told) -> None:
    event = told.end("aside")
    (output,) = event["outputs"]
    assert (output["namespace"], output["name"]) == (told.namespace.replace("tiny.", "side."), "side.main.aside")
    assert [(given["namespace"], given["name"]) for given in event["inputs"]] == [(told.namespace, RAW)]


# Datasets


def test_an_ephemeral_model_is_an_input_that_does_not_exist(told: Told) -> None:
    assert [given["name"] for given in told.end("passed")["inputs"]] == [RAW]
    assert told.edges("passed") == {("id", RAW, "id", "IDENTITY")}
    assert not [event for event in told.plugin if event["job"]["name"].endswith(".passing")]


def test_inputs_lack_what_the_column_lineage_reads(told: Told) -> None:
    for events in (told.plugin, told.emit, told.consume, told.rerun):
        for event in events:
            read = {(namespace, name) for _, _, namespace, name, _, _, _, _ in edges(event)}
            assert read <= {(given["namespace"], given["name"]) for given in event["inputs"]}, event["job"]["name"]


def test_alias_and_identifier_are_ignored(told: Told) -> None:
    assert told.end("renamed")["outputs"][0]["name"] == "tiny.main.Called Otherwise"
    assert [given["name"] for given in told.end("of_source")["inputs"]] == ["tiny.main.Raw Lines"]
    names = [each["name"] for event in told.plugin for each in (event["job"], *event["inputs"], *event["outputs"])]
    assert not [name for name in names if "None" in name]


def test_the_schema_has_documented_columns_only_in_the_case_of_the_yaml(told: Told) -> None:
    facets = told.end("starred")["outputs"][0]["facets"]
    fields = [(field["name"], field["type"], field.get("description")) for field in facets["schema"]["fields"]]
    assert fields == [("id", "INTEGER", None), ("customer", "VARCHAR", None), ("amount", "INTEGER", "Paid.")]
    assert facets["ownership"]["owners"] == [{"name": "ana"}, {"name": "bo"}]  # a list, which once ended the run


def test_column_lineage_names_fields_that_the_schema_lacks(told: Told) -> None:
    for event in told.plugin:
        for output in event["outputs"]:
            facets: dict[str, Any] = output["facets"]
            known = {field["name"] for field in facets.get("schema", {}).get("fields", [])}
            assert set(facets.get("columnLineage", {}).get("fields", {})) <= known, output["name"]


def test_python_models_are_told_as_sql(told: Told) -> None:
    event = told.end("python")
    assert "sql" not in event["job"]["facets"]
    lineage = event["outputs"][0]["facets"]["lineal_lineage"]
    assert (lineage["status"], [gap["code"] for gap in lineage["gaps"]]) == ("unresolved", ["python_model"])


# Columns


def test_log_mode_has_no_column_lineage(told: Told) -> None:
    plugin, consume = by_key(told.plugin), by_key(told.consume)
    for model in MODELS.keys() - {"of_source"}:  # the columns of a source are read by the plugin alone
        for key, event in plugin.items():
            if key[1].endswith(f".{model}"):
                assert identity(consume[key]) == identity(event), key


def test_a_star_gives_nothing(told: Told) -> None:
    every = {(name, RAW, name) for name in ("id", "customer", "amount")}
    assert told.values("starred") == every
    assert told.values("replaced") == {("id", RAW, "id"), ("amount", RAW, "amount")}


def test_a_star_within_a_cte_makes_the_cte_a_dataset_also_in_another_case(told: Told) -> None:
    assert told.values("narrowed") == {("amount", RAW, "amount")}
    assert [given["name"] for given in told.end("narrowed")["inputs"]] == [RAW]


def test_nested_ctes_stop_at_an_alias(told: Told) -> None:
    assert told.edges("nested") == {("id", RAW, "id", "IDENTITY"), ("", RAW, "id", "FILTER")}


def test_an_unqualified_column_of_a_join_is_the_first_tables(told: Told) -> None:
    assert told.values("joined") == {("customer", RAW, "customer"), ("city", CITIES, "city")}


def test_joins_and_filters_are_ignored(told: Told) -> None:
    assert {edge for edge in told.edges("joined") if edge[0] == ""} == {
        ("", RAW, "amount", "FILTER"),
        ("", RAW, "customer", "JOIN"),
        ("", CITIES, "who", "JOIN"),
    }
    assert ("", "tiny.main.starred", "customer", "GROUP_BY") in told.edges("totals")


def test_a_union_adds_a_column_of_its_second_branch(told: Told) -> None:
    assert told.values("united") == {("customer", RAW, "customer"), ("customer", CITIES, "who")}
    assert set(told.end("united")["outputs"][0]["facets"]["columnLineage"]["fields"]) == {"customer"}


def test_a_column_without_a_name_is_called_0(told: Told) -> None:
    assert told.values("unnamed") == {
        ("(id + amount)", RAW, "id"),
        ("(id + amount)", RAW, "amount"),
        ("top", CITIES, "city"),
    }


def test_constants_and_counts_are_absent(told: Told) -> None:
    fields = told.end("unnamed")["outputs"][0]["facets"]["columnLineage"]["fields"]
    assert (fields["n"]["inputFields"], fields["seven"]["inputFields"]) == ([], [])


def test_conditions_and_windows_are_mixed_with_values(told: Told) -> None:
    assert told.edges("chosen") == {
        ("c", RAW, "customer", "CONDITIONAL"),
        ("c", RAW, "amount", "TRANSFORMATION"),
        ("w", RAW, "amount", "AGGREGATION"),
        ("w", RAW, "customer", "WINDOW"),
        ("w", RAW, "id", "WINDOW"),
    }


def test_unnest_is_a_dataset(told: Told) -> None:
    assert told.values("unnested") == {("id", RAW, "id"), ("part", RAW, "customer")}
    assert [given["name"] for given in told.end("unnested")["inputs"]] == [RAW]


def test_pivot_gives_nothing(told: Told) -> None:
    assert told.values("pivoted") == {("id", RAW, "id"), ("ann", RAW, "amount"), ("bob", RAW, "amount")}


def test_a_run_of_one_model_has_partial_lineage(told: Told) -> None:
    for model, source in (("totals", "tiny.main.starred"), ("of_source", "tiny.main.Raw Lines")):
        (event,) = [each for each in told.rerun if each["job"]["name"].endswith(f".{model}") and is_end(each)]
        assert set(edges(event)) == set(edges(told.end(model)))  # of a star, too, by what the build had read
        assert [given["name"] for given in event["inputs"]] == [source]
