# Both `make demo` and `make test` set up .venv themselves; all they need is Python 3.11 or newer.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: demo test check docs format clean

.venv/.demo: requirements/demo.txt pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements/demo.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	touch $@

.venv/.dev: requirements/dev.txt .venv/.demo
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements/dev.txt
	touch $@

demo: .venv/.demo  ## measure a real agent's loss, and fix it with one call
	$(BIN)/python examples/demo/demo.py

test: .venv/.dev  ## every test but those inside frameworks (make frameworks); one process for each core
	$(BIN)/python -m pytest --numprocesses auto --dist loadfile --ignore tests/frameworks

check: .venv/.dev  ## format, lint, types
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

docs: .venv/.dev  ## the reference of commands, from what --help prints
	$(BIN)/python docs/generate.py

.PHONY: bench peers
.venv/.bench: requirements/bench.txt .venv/.dev
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements/bench.txt
	touch $@

bench: .venv/.bench  ## timings beside their floors, in one run
	mkdir -p benchmarks/work
	$(BIN)/python -m pytest benchmarks --quiet -o timeout=900 --benchmark-quiet \
		--benchmark-json=benchmarks/work/timings.json
	@$(BIN)/python benchmarks/table.py benchmarks/work/timings.json

peers: .venv/.bench  ## other products on the same inputs (SEEDS=20: all of them on 20 seeds)
	@echo "Other products go into benchmarks/peers/work, each group into an environment of its own:"
	@echo "about 1.1 GB, then a run of some ten minutes. Ctrl-C loses nothing: make peers goes on."
	@$(BIN)/python benchmarks/peers/environments.py
	@$(BIN)/python benchmarks/peers/compare.py run $(if $(SEEDS),--seeds $(SEEDS))

.PHONY: audit-bench
audit-bench: .venv/.bench  ## a scan's time and memory: the corpora, and SESSIONS=1000 generated ones
	@$(BIN)/python -m benchmarks.audit.speed $(SESSIONS)

.PHONY: history
history: .venv/.dev  ## what survives of a made run of 300 turns, tier by tier (some two minutes)
	@$(BIN)/python -m benchmarks.history.history

.PHONY: reproduce
reproduce: .venv/.demo  ## the one-week plan in one command (under two minutes), and its report
	@$(BIN)/python -m benchmarks.replay.reproduce \
		$(if $(MODEL),--model '$(MODEL)') $(if $(MODEL_NAME),--model-name '$(MODEL_NAME)')

.PHONY: load
load: .venv/.bench  ## streams through the proxy, beside a floor and a peer (some five minutes)
	@$(BIN)/python benchmarks/proxy/load.py

.PHONY: audit-check
CORPORA ?= .corpora
audit-check: .venv/.dev  ## precision and recall of every check (some ten minutes)
	@mkdir -p benchmarks/work
	@$(BIN)/python benchmarks/audit/measure.py --json benchmarks/work/audit.json \
		$(if $(wildcard $(CORPORA)),--corpora $(CORPORA))

.PHONY: cli-check
cli-check: .venv/.dev  ## a real coding CLI (opencode, 360 MB from npm, kept in ~/.cache) under ullage run
	$(BIN)/python examples/coding_cli/check.py --install

.PHONY: survey
.venv/.survey: requirements/survey.txt .venv/.dev
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements/survey.txt
	touch $@

survey: .venv/.survey  ## probe every harness in examples/probe (HARNESS="agno langchain": these only)
	@echo "An environment for each harness goes into benchmarks/survey/work: about 5 GB, then a run of"
	@echo "an hour or less. Ctrl-C loses nothing: make survey goes on. It writes docs/reference/survey.md."
	@$(BIN)/python -m benchmarks.survey.survey $(HARNESS)

.PHONY: adapters
adapters: .venv/.survey  ## every adapter in its own environment: its tests, and probes before and after
	@echo "An environment for each adapter goes into benchmarks/adapters/work: some 2 GB, then a run of"
	@echo "some ten minutes. Ctrl-C loses nothing: make adapters goes on. It writes"
	@echo "docs/reference/adapters.md (HARNESS=\"agno langchain\": these only)."
	@$(BIN)/python -m benchmarks.adapters.adapters $(HARNESS)

.PHONY: frameworks
# Apart from .venv: the tests there show that ullage needs no framework. Every package is pinned, so
# none is looked for (--no-deps): that takes pip minutes.
FRAMEWORKS := .venv-frameworks/bin/python
.venv-frameworks/.ready: requirements/frameworks.txt requirements/dev.txt requirements/demo.txt pyproject.toml
	$(PYTHON) -m venv .venv-frameworks
	$(FRAMEWORKS) -m pip install --quiet --disable-pip-version-check --no-deps -r requirements/frameworks.txt
	$(FRAMEWORKS) -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	touch $@

frameworks: .venv-frameworks/.ready  ## the taps inside real agent frameworks and SDKs
	$(FRAMEWORKS) -m pytest --numprocesses auto --dist loadfile tests/frameworks tests/tap/test_sdk.py

.PHONY: fifty-orders fifty-orders-page
FIFTY_ORDERS := .venv-fifty-orders/bin/python
.venv-fifty-orders/.ready: requirements/fifty-orders.txt requirements/demo.txt pyproject.toml
	$(PYTHON) -m venv .venv-fifty-orders
	$(FIFTY_ORDERS) -m pip install --quiet --disable-pip-version-check --no-deps -r requirements/fifty-orders.txt
	$(FIFTY_ORDERS) -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	touch $@

fifty-orders: .venv-fifty-orders/.ready  ## carry out docs/fifty-orders.md in AutoGen, and compare
	$(FIFTY_ORDERS) -m pytest tests/frameworks/test_fifty_orders.py

fifty-orders-page: .venv-fifty-orders/.ready  ## write what its commands print into docs/fifty-orders.md
	$(FIFTY_ORDERS) docs/carry_out.py docs/fifty-orders.md

format: .venv/.dev
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

clean:
	rm -rf .venv .venv-frameworks .venv-fifty-orders .demo dist
