# The two commands of the README are `make demo` and `make test`.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/.installed
PIP := $(BIN)/python -m pip --disable-pip-version-check -q

.PHONY: demo test test-slow lint dist clean

# Everything comes from the lock with its hash, wheels alone; `sh requirements/lock` renews it.
$(INSTALLED): pyproject.toml requirements/dev.txt
	$(PYTHON) -m venv $(VENV)
	$(PIP) install --only-binary :all: --require-hashes -r requirements/dev.txt
	$(PIP) install --no-deps --no-build-isolation -e .
	@touch $@

demo: $(INSTALLED)
	@PATH="$(CURDIR)/$(BIN):$$PATH" sh scripts/demo.sh

test: lint
	$(BIN)/pytest -n auto -m "not slow" --cov --cov-report=term:skip-covered

lint: $(INSTALLED)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

# Oracles, browser, long fuzzing, cluster. DLPlan has no wheel for all it needs, so this builds from source.
test-slow: $(INSTALLED)
	$(PIP) install -e '.[dev,docs,fd,oracle,up,cluster,browser]'
	$(BIN)/pytest -m slow

# Wheel, source and bill of materials; equal commits give equal bytes.
dist: $(INSTALLED)
	SOURCE_DATE_EPOCH=$$(git log -1 --format=%ct) $(BIN)/python -m hatchling build -c -d dist
	$(BIN)/python scripts/dependencies.py sbom > dist/trailmark.cdx.json

clean:
	rm -rf dist $(VENV) demo artefacts .coverage .pytest_cache .mypy_cache .ruff_cache
