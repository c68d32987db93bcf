"""The example project, built once a session by a real dbt with the plugin; tests that change it work on a copy."""

from pathlib import Path

import pytest

from .shop_truth import copy_shop, dbt, file_transport, generate


@pytest.fixture(scope="session")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the project after its first build; dbt's log (`build.log`) and `events.ndjson` lie in it."""
    project = copy_shop(tmp_path_factory.mktemp("shop") / "project")
    generate(project)
    built = dbt(project, "build", "--show-all-deprecations", **file_transport(project / "events.ndjson"))
    assert built.returncode == 0, built.stdout
    (project / "build.log").write_text(built.stdout)
    return project
