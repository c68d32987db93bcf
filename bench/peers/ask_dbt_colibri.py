"""dbt-colibri over a project's manifest and catalog, as its own command reads them."""

import logging
import sys
from pathlib import Path

from common import Answers, project, run
from dbt_colibri.lineage_extractor.extractor import DbtColumnLineageExtractor


def answer(answers: Answers) -> None:
    logging.disable(logging.CRITICAL)
    target = Path(project["target"])
    extractor = DbtColumnLineageExtractor(str(target / "manifest.json"), str(target / "catalog.json"))
    found = extractor.extract_project_lineage()
    models = {model["id"]: number for number, model in enumerate(project["models"])}
    parents = found["lineage"]["parents"]
    for model, columns in parents.items():
        number = models.get(model)
        if number is None:
            continue
        for name, sources in columns.items():
            if name.startswith("__colibri_"):
                continue  # what rows depend on
            answers.column(number, name)
            for source in sources:
                answers.edge(number, name, source["dbt_node"].rpartition(".")[2], source["column"])
    for _ in range(len(models) - len(models.keys() & parents.keys())):
        answers.failed(-1, "nothing")


sys.exit(run(answer))
