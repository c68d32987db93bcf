"""What can be held of compose.yaml and the Dockerfile without a Docker engine: what they say, by the command line."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path
from typing import Any

import yaml

from lineal_receiver.cli.parser import build_parser
from lineal_receiver.settings import Settings

ROOT = Path(__file__).parents[2]


def compose() -> dict[str, Any]:
    document: dict[str, Any] = yaml.safe_load((ROOT / "compose.yaml").read_text())
    return document


def dockerfile() -> list[str]:
    joined = (ROOT / "Dockerfile").read_text().replace("\\\n", " ")
    return [line for line in joined.splitlines() if line and not line.startswith("#")]


def instruction(name: str) -> list[str]:
    return [line.split(maxsplit=1)[1] for line in dockerfile() if line.split(maxsplit=1)[0] == name]


def test_every_published_port_is_on_loopback() -> None:
    published = [port for service in compose()["services"].values() for port in service.get("ports", [])]

    assert published
    assert all(str(port).startswith("127.0.0.1:") for port in published)


def test_the_receivers_command_is_one_that_the_command_line_takes() -> None:
    for command in (compose()["services"]["receiver"]["command"], json.loads(instruction("CMD")[-1])):
        options = build_parser().parse_args(command)

        assert options.insecure_listen is True
        assert (options.host, options.port) == ("0.0.0.0", 5000)


def test_every_variable_of_the_receiver_is_a_setting() -> None:
    known = {f"LINEAL_{name.upper()}" for name in Settings.__dataclass_fields__}

    assert set(compose()["services"]["receiver"]["environment"]) <= known


def test_the_receiver_waits_for_a_healthy_database_whose_data_is_kept() -> None:
    services, volumes = compose()["services"], compose()["volumes"]

    assert services["receiver"]["depends_on"]["postgres"]["condition"] == "service_healthy"
    assert services["postgres"]["healthcheck"]["test"]
    mounted = {volume.split(":")[0] for volume in services["postgres"]["volumes"]}
    assert mounted <= set(volumes)


def test_the_database_is_named_the_same_on_both_sides() -> None:
    database = compose()["services"]["postgres"]["environment"]
    url = compose()["services"]["receiver"]["environment"]["LINEAL_DATABASE_URL"]

    user, password, name = (database[f"POSTGRES_{part}"] for part in ("USER", "PASSWORD", "DB"))
    assert url == f"postgresql://{user}:{password}@postgres:5432/{name}"


def test_the_image_runs_the_installed_script_as_an_ordinary_user() -> None:
    scripts = re.search(r"\[project\.scripts\]\n((?:.+\n)+)", (ROOT / "pyproject.toml").read_text())

    assert scripts
    assert json.loads(instruction("ENTRYPOINT")[0])[0] in {line.split(" = ")[0] for line in scripts[1].splitlines()}
    assert instruction("USER")[-1] not in {"root", "0"}


def test_what_the_image_copies_is_in_the_repository_and_not_ignored() -> None:
    copied = [shlex.split(line)[:-1] for line in instruction("COPY") if not line.startswith("--from")]
    kept = {line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")}

    for name in (name for names in copied for name in names):
        assert (ROOT / name).exists(), name
        assert name in kept, name
