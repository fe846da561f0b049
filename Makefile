# Each target does all its own set-up on a fresh machine; a stamp makes the second run instant.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMPS := $(VENV)/.stamps
EDITABLE := --editable 'packages/lacuna[agents,parquet]' $(foreach name,lab collect scale,--editable packages/lacuna-$(name))

.PHONY: demo test test-all test-today attack lint types format transcripts api-docs lock locked sbom audit clean

demo: $(STAMPS)/run
	@bash examples/demo.sh $(BIN)/lacuna

# Four tests at a time: many wait for a browser or a server. Those of one file stay together; those of
# training run after torch was installed, in test-today.
test: $(STAMPS)/dev
	@$(BIN)/python -m pytest -n 4 --dist loadfile -m "not long" --ignore tests/train

# Every test there is, training included: about half an hour on two cores.
test-all: $(STAMPS)/train
	@$(BIN)/python -m pytest -n 4 --dist loadfile

# Training and export at toy size on the CPU, and the long tests whose turn is today.
test-today: $(STAMPS)/train
	@$(BIN)/python -m pytest -n 4 --dist loadfile -m "not long" tests/train
	@$(BIN)/python -m pytest -n 4 --dist loadfile -m long --share today

# Random hostile input for about an hour; the same in short form is part of the tests.
attack: $(STAMPS)/dev
	@LACUNA_ATTACK_SECONDS=$${LACUNA_ATTACK_SECONDS:-100} $(BIN)/python -m pytest tests/attack

lint: $(STAMPS)/dev
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .

types: $(STAMPS)/dev
	@$(BIN)/mypy

format: $(STAMPS)/dev
	@$(BIN)/ruff format .
	@$(BIN)/ruff check --fix .

# What commands print, written into the documents that show it; look at the changes before you commit.
transcripts: $(STAMPS)/dev
	@$(BIN)/python docs/transcripts.py

# The reference of the JSON interface, from its own description.
api-docs: $(STAMPS)/dev
	@$(BIN)/python docs/api_reference.py

# The packages that are installed now, with the hashes of their files, into requirements-dev.txt.
lock: $(STAMPS)/dev
	@$(BIN)/python -m release.lock

# The development environment with exactly these packages; a file with another hash is refused.
locked: $(BIN)/python
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-dev.txt
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps $(EDITABLE)
	@mkdir -p $(STAMPS) && touch $(STAMPS)/run $(STAMPS)/dev

# The parts of a release as CycloneDX JSON, beside the files that are released.
sbom: $(STAMPS)/dev
	@$(BIN)/python -m release.sbom dist/sbom.cdx.json

# Known vulnerabilities of these packages; asks a public database, so it needs a network.
audit: $(BIN)/python
	@$(BIN)/python -m venv $(VENV)-audit
	@$(VENV)-audit/bin/python -m pip install --quiet --disable-pip-version-check pip-audit
	@$(VENV)-audit/bin/pip-audit --disable-pip --require-hashes -r requirements-dev.txt

clean:
	rm -rf $(VENV) $(VENV)-audit build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Lacuna needs Python 3.11 or newer; say which with: make PYTHON=python3.12 …"; exit 2; }
	@echo "Making a virtual environment in $(VENV) …"
	@$(PYTHON) -m venv $(VENV)

$(STAMPS)/run: $(BIN)/python packages/lacuna/pyproject.toml
	@echo "Installing Lacuna (once; a minute or two) …"
	@$(BIN)/python -m pip install --disable-pip-version-check --editable packages/lacuna
	@mkdir -p $(STAMPS) && touch $@

$(STAMPS)/dev: $(STAMPS)/run $(wildcard packages/*/pyproject.toml) tests/requirements.txt
	@echo "Installing the other packages and what the tests need (once) …"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check $(EDITABLE) --requirement tests/requirements.txt
	@touch $@

# torch first and of one version: what is trained is compared bit for bit.
$(STAMPS)/train: $(STAMPS)/dev
	@echo "Installing what training needs (once, some minutes) …"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check torch==2.13.0
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable 'packages/lacuna-lab[train]'
	@touch $@
