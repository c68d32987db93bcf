# Every target only calls what also works without make. `make` alone lists them.
PY := .venv/bin/python
PYTHON3 := $(or $(PYTHON),$(shell for p in python3 python3.13 python3.12 python3.11 python3.10; do command -v $$p && break; done),python3)
SETUP = @command -v "$(PYTHON3)" >/dev/null || { echo "setup: $(PYTHON3) was not found. Install Python 3.10 to 3.13 and call make again, with PYTHON=/path/to/python3.x if it isn't on the PATH" >&2; exit 1; }; \
	"$(PYTHON3)" tools/make_venv.py

.DEFAULT_GOAL := help
.PHONY: help setup setup-demo demo serve test explore check format bench dbt-versions schemathesis soak page shots build clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: ## .venv with everything for developing
	$(SETUP) dev

setup-demo: ## .venv with what the demo needs
	$(SETUP) demo

demo: setup-demo ## dbt build of examples/shop -> receiver -> answers (ONCE=1: exit afterwards)
	@.venv/bin/lineal demo $(if $(ONCE),--once)

serve: setup-demo ## the receiver alone, on its own PostgreSQL
	@.venv/bin/lineal serve

test: setup ## all tests, on a real PostgreSQL and a real dbt
	@$(PY) -m pytest -q $(ARGS)

explore: setup ## the tests that draw their inputs, with new ones (PROFILE=deep: 3,000 of each that says no number itself)
	@$(PY) -m pytest -q -m hypothesis --hypothesis-profile=$(or $(PROFILE),explore) $(ARGS)

check: setup ## ruff, mypy --strict, import-linter, the page's types and tests
	$(PY) -m ruff check .
	$(PY) -m ruff format --check .
	$(PY) -m mypy
	.venv/bin/lint-imports --no-cache
	@$(PY) tools/build_page.py --check

format: setup ## write the code in the house's format
	$(PY) -m ruff check --fix .
	$(PY) -m ruff format .

bench: setup ## every measurement, one after the other
	@for what in bench/*.py bench/receiver; do echo "== $$what"; $(PY) $$what || exit 1; done

dbt-versions: setup ## Lineal beside each minor version of dbt-core (ARGS="1.8 1.11": beside these)
	@$(PY) tools/dbt_versions.py $(ARGS)

schemathesis: setup ## schemathesis on the API of a receiver that holds the shop (ARGS="--examples 200 --seed 7")
	@$(PY) tools/schemathesis_api.py $(ARGS)

soak: setup ## ten minutes of load with kills, then `lineal verify` (ARGS="--seconds 60": shorter)
	@$(PY) tools/soak.py $(ARGS)

page: setup ## the page at /, built anew where its sources changed
	@$(PY) tools/build_page.py --dev

shots: setup ## the pictures in docs/images, by the browser's tests
	@LINEAL_SHOTS=docs/images $(PY) -m pytest -q tests/acceptance/browser

build: setup ## wheel and sdist into dist/
	@LINEAL_PAGE=required $(PY) -m build --outdir dist .

clean: ## remove what the targets made, the demo's data too
	rm -rf .venv .demo dist receiver/lineal_receiver/static receiver/ui/node_modules .mypy_cache .ruff_cache .pytest_cache .hypothesis
