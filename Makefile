# Everything a newcomer needs: `make run` and `make test` set up what they miss.

PYTHON ?= python3
VENV   ?= .venv
# Processes that share the tests, a file at a time; each brings up a Postgres and an embedding model of its own. Files are
# taken in their own order: the slow ones in a browser come early, the quick ones even out the end. Three keep two cores busy,
# with one thread for the model in each: more would only wait for one another.
TESTERS ?= 3
BIN    := $(VENV)/bin
STAMP  := $(VENV)/.installed
PIP    := $(BIN)/python -m pip --disable-pip-version-check

.PHONY: run test test-cases check format fuzz-api test-model bench bench-console eval-everyday eval-poisoning eval-integrity eval-load eval-review eval-harness eval-import eval-ladder eval-locomo eval-beam eval-answers eval-longmemeval demo worker chromium clean bench-api eval-peers eval-guards eval-adaptive eval-scale eval-soak eval-rolling eval-cases eval eval-full

run: $(STAMP)  ## start the console on http://localhost:8501
	$(BIN)/python app.py

demo: $(STAMP)  ## a throw-away installation with some months of made-up data, on http://localhost:8502 (DEMO_PORT=…)
	$(BIN)/python -m demo $(if $(DEMO_PORT),--port $(DEMO_PORT))

worker: $(STAMP)  ## a worker of its own; start the console with CHRONOMEMORY_WORKER=false then
	$(BIN)/python -m core.entrypoints.worker

test: $(STAMP)-dev chromium  ## every test but those that need a real model, or the hard cases beside the repository
	OMP_NUM_THREADS=1 $(BIN)/python -m pytest -m "not model and not cases" -n $(TESTERS) --dist loadfile --no-loadscope-reorder

test-cases: $(STAMP)-dev  ## CASES=folder [LEDGER=postgres]: the hard cases, one test each, and the table of what became of them
	CHRONOMEMORY_CASES="$(CASES)" CHRONOMEMORY_TEST_LEDGER="$(LEDGER)" $(BIN)/python -m pytest -q --tb=short tests/cases

check: $(STAMP)-dev  ## what CI checks beside the tests
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m eval.figures --check

format: $(STAMP)-dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

fuzz-api: $(STAMP)-dev  ## FUZZ=n: every route of the OpenAPI documents, n random requests of each kind and caller
	FUZZ_EXAMPLES=$(or $(FUZZ),100) $(BIN)/python -m pytest -q --timeout 3600 tests/api/test_schema.py

test-model: $(STAMP)-model chromium  ## the six steps against a real server with a real, weak model
	REQUIRE_MODEL=1 $(BIN)/python -m pytest -m model tests/model

eval: $(STAMP)-integrity chromium  ## [DATA=folder] [ONLY="name …"]: the claims that take minutes, measured: one table; README, eval/RESULTS.md and pictures anew
	PEERS_VENVS="$(PEERS_VENVS)" $(BIN)/python -m eval.proof $(if $(DATA),--data "$(DATA)") $(foreach one,$(ONLY),--only $(one))

eval-full: $(STAMP)-integrity chromium  ## DATA=folder [PEERS_VENVS=folder]: every claim, hours; what its data or peers are missing for is named
	PEERS_VENVS="$(PEERS_VENVS)" $(BIN)/python -m eval.proof --full --data "$(DATA)"

eval-cases: $(STAMP)-dev chromium  ## CASES=folder [OUT=file]: how many of the hard cases hold
	$(BIN)/python -m eval.hard_cases --cases "$(CASES)" $(if $(OUT),--out "$(OUT)")

bench: $(STAMP)-dev  ## recall, writing and start-up, measured
	$(BIN)/python -m eval.bench $(if $(OUT),--out $(OUT))

bench-console: $(STAMP)-dev chromium  ## pages, key presses and sessions at once with 10,000 held items and 100,000 memories
	$(BIN)/python -m eval.bench_console $(if $(OUT),--out $(OUT))

bench-api: $(STAMP)-dev  ## recall over HTTP: requests a second and latency with 500 and 100,000 memories, 1 to 32 clients
	$(BIN)/python -m eval.bench_api $(if $(OUT),--out $(OUT))

eval-everyday: $(STAMP)-dev  ## CASES=file.jsonl: facts learned and questions answered without a model, scored
	$(BIN)/python -m eval.everyday_product --cases $(CASES) $(if $(OUT),--out $(OUT))

eval-poisoning: $(STAMP)-dev  ## CORPUS=file.jsonl [LAUNDER=n]: what of attack texts enters memory, straight and laundered
	$(BIN)/python -m eval.poisoning --corpus $(CORPUS) $(if $(LAUNDER),--launder $(LAUNDER)) $(if $(OUT),--out $(OUT))

eval-integrity: $(STAMP)-integrity  ## the public integrity suite against the real stores and the real write path
	$(BIN)/python -m eval.integrity $(if $(OUT),--out $(OUT))

eval-load: $(STAMP)-dev  ## what a generated month leaves for a reviewer to decide
	$(BIN)/python -m eval.reviewer_load $(if $(OUT),--out $(OUT))

eval-review: $(STAMP)-dev  ## two scripted reviewers clear a queue with known answers; no item may be decided wrongly
	$(BIN)/python -m eval.review_sitting $(if $(OUT),--out $(OUT))

eval-harness: $(STAMP)-dev  ## twelve decisions a session over a made-up enterprise history: right when acting, asks, whipsaws
	$(BIN)/python -m eval.harness $(if $(OUT),--out $(OUT))

eval-import: $(STAMP)-dev  ## PATHS="folder …": how outside files that nobody wrote for this project are read
	$(BIN)/python -m eval.import_real $(PATHS) $(if $(OUT),--out $(OUT))

eval-ladder: $(STAMP)-dev  ## from flat vectors to the full product, a rung an idea, on a small and a large made-up history
	$(BIN)/python -m eval.ladder $(if $(OUT),--out $(OUT))

eval-locomo: $(STAMP)-dev  ## DATA=locomo10.json [CACHE=folder] [OUT=file]: retrieval through the product's own recall, by category
	$(BIN)/python -m eval.locomo --data "$(DATA)" $(if $(CACHE),--cache "$(CACHE)") $(if $(OUT),--out "$(OUT)")

eval-beam: $(STAMP)-dev  ## DATA=beam_100k.jsonl.gz [CACHE=folder] [OUT=file]: message recall and knowledge updates
	$(BIN)/python -m eval.beam --data "$(DATA)" $(if $(CACHE),--cache "$(CACHE)") $(if $(OUT),--out "$(OUT)")

eval-answers: $(STAMP)-dev  ## DATA=locomo10.json [CACHE=folder] [OUT=file]: token-F1 of answers, with a model when a key is set
	$(BIN)/python -m eval.answers --data "$(DATA)" $(if $(CACHE),--cache "$(CACHE)") $(if $(OUT),--out "$(OUT)")

eval-longmemeval: $(STAMP)-dev  ## DATA=file.json [TURNS=raw] [CACHE=folder] [OUT=file]: LongMemEval-shaped data beside a plain RAG baseline
	$(BIN)/python -m eval.longmemeval --data "$(DATA)" $(if $(TURNS),--turns $(TURNS)) $(if $(CACHE),--cache "$(CACHE)") $(if $(OUT),--out "$(OUT)")

PEERS_VENVS ?= .peers

eval-peers: $(STAMP)-dev  ## [PEERS=mem0,langgraph] [PEERS_VENVS=folder] [SMALL=1] [OUT=file]: other memory layers beside this one
	PEERS_VENVS="$(PEERS_VENVS)" $(BIN)/python -m eval.peers.environments $(if $(PEERS),--peers $(PEERS))
	PEERS_VENVS="$(PEERS_VENVS)" $(BIN)/python -m eval.peers.run $(if $(PEERS),--peers $(PEERS)) $(if $(SMALL),--small) $(if $(OUT),--out $(OUT))

eval-guards: $(STAMP)-dev  ## CORPUS=file.jsonl [EVERY=k] [LAUNDER=n] [OUT=file]: memory guards beside the gate, on the same texts
	PEERS_VENVS="$(PEERS_VENVS)" $(BIN)/python -m eval.peers.environments --peers "" --guards
	PEERS_VENVS="$(PEERS_VENVS)" $(BIN)/python -m eval.guards --corpus $(CORPUS) $(if $(EVERY),--every $(EVERY)) $(if $(LAUNDER),--launder $(LAUNDER)) $(if $(OUT),--out $(OUT))

eval-adaptive: $(STAMP)-dev  ## CORPUS=file.jsonl [N=20] [ATTACKS=n] [OUT=file]: an attacker that sees verdicts and rewrites
	$(BIN)/python -m eval.adaptive --corpus $(CORPUS) $(if $(N),--tries $(N)) $(if $(ATTACKS),--attacks $(ATTACKS)) $(if $(OUT),--out $(OUT))

eval-scale: $(STAMP)-dev  ## [SIZES=1000,10000,100000,1000000] [WRITES=n] [FOLDER=folder] [OUT=file]: speed by the memories in all
	$(BIN)/python -m eval.scale $(if $(SIZES),--sizes $(SIZES)) $(if $(WRITES),--writes $(WRITES)) $(if $(FOLDER),--folder $(FOLDER)) $(if $(OUT),--out $(OUT))

eval-soak: $(STAMP)-dev  ## [MINUTES=60] [FOLDER=folder] [OUT=file]: mixed load with a kill every minute; nothing may be lost
	$(BIN)/python -m eval.soak $(if $(MINUTES),--minutes $(MINUTES)) $(if $(FOLDER),--folder $(FOLDER)) $(if $(OUT),--out $(OUT))

eval-rolling: $(STAMP)-dev  ## [MINUTES=8] [FOLDER=folder] [OUT=file]: two consoles and two workers restarted in turn under load
	$(BIN)/python -m eval.rolling $(if $(MINUTES),--minutes $(MINUTES)) $(if $(FOLDER),--folder $(FOLDER)) $(if $(OUT),--out $(OUT))

# A bare "torch" pulls a CUDA build of several gigabytes on Linux; the constraints name the CPU build's version, and the
# torch step goes first so that nothing else decides. See README, "Installing torch".
$(VENV)/bin/python:
	$(PYTHON) -c 'import sys; sys.exit("Python 3.11 or newer is needed") if sys.version_info < (3, 11) else None'
	$(PYTHON) -m venv $(VENV)

$(STAMP): pyproject.toml constraints.txt | $(VENV)/bin/python
	$(PIP) install -q -c constraints.txt "torch==$$(sed -n 's/^torch==//p' constraints.txt)"
	$(PIP) install -q -c constraints.txt -e .
	touch $@

$(STAMP)-dev: $(STAMP)
	$(PIP) install -q -c constraints.txt -e ".[dev]"
	touch $@

$(STAMP)-integrity: $(STAMP)-dev
	$(PIP) install -q -c constraints.txt -e ".[integrity]"
	touch $@

$(STAMP)-model: $(STAMP)-dev
	CMAKE_ARGS="-DGGML_NATIVE=OFF" $(PIP) install -q -c constraints.txt -e ".[dev,model]"
	touch $@

# The browser tests use Debian's Chromium; as root it is installed, otherwise the tests say which package is missing.
chromium:
	@command -v chromium >/dev/null || command -v google-chrome >/dev/null || { \
	  if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	    apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq chromium fonts-noto-cjk >/dev/null; \
	  else echo "Chromium is not installed (package: chromium); the browser tests will be left out." >&2; fi; }

clean:
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache build dist *.egg-info
