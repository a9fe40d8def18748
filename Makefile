# The two commands of the README are `make demo` and `make test`.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/.installed
PIP := $(BIN)/python -m pip --disable-pip-version-check -q

.PHONY: demo test test-slow lint clean

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

clean:
	rm -rf $(VENV) demo artefacts .coverage .pytest_cache .mypy_cache .ruff_cache
