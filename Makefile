# Two commands on a fresh machine that has Python 3.11+ and make: `make demo` and `make test`.
# PYTHON=/path/to/python3.12 picks an interpreter, VENV=folder another place for the environment,
# ARGS="..." goes to what is run: `make test ARGS="tests/laws -x"`.

PYTHON ?= python3
VENV ?= .venv
DEMO ?= demo-output
ARGS ?=

VENV_PYTHON := $(VENV)/bin/python
NOX := $(VENV_PYTHON) -m nox --error-on-missing-interpreters -s
NOX_ARGS := $(if $(ARGS),-- $(ARGS))

.DEFAULT_GOAL := help
.PHONY: help demo test nojit fuzz lint types imports docs bench check hooks clean

help:  ## list the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-9s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

# --- environments: a stamp says what is installed, so that a second make is quick ---

$(VENV)/.made:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
	  echo "Condyle needs Python 3.11 or newer; '$(PYTHON)' is $$($(PYTHON) --version 2>/dev/null || echo not there)."; \
	  echo "Name another one: make $(MAKECMDGOALS) PYTHON=/path/to/python3.12"; exit 1; } >&2
	@echo "Making $(VENV)"
	@$(PYTHON) -m venv $(VENV)
	@$(VENV_PYTHON) -m pip install --quiet --disable-pip-version-check --upgrade 'pip>=25.1'
	@touch $@

$(VENV)/.condyle: $(VENV)/.made pyproject.toml
	@echo "Installing Condyle into $(VENV)"
	@$(VENV_PYTHON) -m pip install --quiet --disable-pip-version-check --editable .
	@touch $@

$(VENV)/.group-%: $(VENV)/.condyle pyproject.toml
	@echo "Installing the $* tools into $(VENV)"
	@$(VENV_PYTHON) -m pip install --quiet --disable-pip-version-check --group $*
	@touch $@

# --- what a person wants ---

demo: $(VENV)/.condyle  ## run the built-in knee, print its summary and where the report is
	@$(VENV)/bin/condyle run planar-knee --out $(DEMO) $(ARGS)

test: $(VENV)/.group-dev  ## the tests
	@$(NOX) test $(NOX_ARGS)

nojit fuzz lint types imports: $(VENV)/.group-dev
	@$(NOX) $@ $(NOX_ARGS)

nojit:  ## the small cases as plain Python
fuzz:  ## mutated model files, some minutes; ARGS=300 for fewer
lint:  ## style; ARGS=--fix mends
types:  ## strict types
imports:  ## who may import whom

check: lint types imports test  ## what a change must pass

docs: $(VENV)/.group-dev $(VENV)/.group-docs  ## the documentation, into docs/_build/html
	@$(NOX) docs $(NOX_ARGS)

bench: $(VENV)/.group-dev $(VENV)/.group-bench  ## against peers and a plain loop
	@$(NOX) bench $(NOX_ARGS)

hooks: $(VENV)/.group-dev  ## have git check each commit
	@$(VENV_PYTHON) -m pre_commit install

clean:  ## remove what was made here, but not the environment
	@rm -rf $(DEMO) docs/_build docs/auto_* build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .nox .import_linter_cache
	@find src tests docs benchmarks -type d -name __pycache__ -prune -exec rm -rf {} +
