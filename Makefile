PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
MEMBERS := reflact-core reflact-cli $(sort $(patsubst %/pyproject.toml,%,$(wildcard reflact-envs/*/pyproject.toml reflact-backends/*/pyproject.toml)))
PACKAGES := $(notdir $(wildcard $(MEMBERS:%=%/src/reflact*)))
EDITABLE := $(foreach member,$(MEMBERS) .,-e $(member))
PIP := $(BIN)/python -m pip --disable-pip-version-check

.PHONY: install sync demo test test-core test-env test-slow check lint format type arch docs wheels new-env bump constraints clean

install: $(VENV)/.installed  ## everything a developer or a first-time user needs, in .venv

$(VENV)/.installed: constraints.txt requirements-dev.txt pyproject.toml $(MEMBERS:%=%/pyproject.toml)
	@test -x $(BIN)/python || $(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "ReflACT needs Python 3.11 or newer, not $$($(PYTHON) -V); say which: make $(MAKECMDGOALS) PYTHON=python3.11"; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@echo "Installing ReflACT and its tools into $(VENV): about 100 MB the first time …"
	@set -e; start=$$(date +%s); \
	$(PIP) install -q -c constraints.txt hatchling editables; \
	$(PIP) install -q --no-build-isolation -c constraints.txt -r requirements-dev.txt $(EDITABLE); \
	echo "Installed in $$(( $$(date +%s) - start )) s."
	@touch $@

sync:  ## the same with uv
	uv sync --all-packages --all-extras

demo: install  ## fetch the embedded model once, and train a skill with it
	@$(BIN)/python -m reflact_backend_local fetch
	@$(BIN)/reflact train examples/demo.yaml --out outputs/demo-$$(date +%Y%m%d-%H%M%S)

test: install  ## all tests that need neither minutes nor a model
	$(BIN)/python -m pytest -n 2 -m "not slow and not live"

test-core: install
	$(BIN)/python -m pytest reflact-core/tests -m "not slow and not live"

test-env: install  ## make test-env ENV=searchqa
	$(BIN)/python -m pytest reflact-envs/$(ENV) -m "not slow and not live"

test-slow: install  ## wheels in clean environments, the embedded model
	$(BIN)/python -m pytest -n 2 --dist loadscope -m "slow and not live"

check: lint type arch test

lint: install
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

format: install
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

type: install
	$(BIN)/mypy $(PACKAGES:%=-p %)

arch: install
	$(BIN)/lint-imports

docs: install  ## write the generated reference pages anew
	$(BIN)/python docs/generate.py

wheels: install
	@mkdir -p dist
	@for member in $(MEMBERS) .; do $(PIP) wheel -q --no-deps --no-build-isolation -w dist ./$$member; done

new-env: install  ## make new-env NAME=capitals
	$(BIN)/reflact new env $(NAME) --dir reflact-envs/$(NAME)

bump: install  ## make bump V=0.2.0
	PYTHONPATH=tests $(BIN)/python tests/packaging/bump.py $(V)

constraints: install  ## pin what is installed now
	@echo "# The versions all this is tested with. \`make constraints\` writes them anew from the environment." > constraints.txt
	@$(PIP) freeze --exclude-editable | grep '==' | LC_ALL=C sort -f >> constraints.txt

clean:
	rm -rf $(VENV) dist build
