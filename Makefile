# One verb for each thing a person or a CI job does here. `make` alone lists them.
#
# Versions live in tools/pins/ and nowhere else. A verb installs what it needs: the stamp files below are older than
# the pins when something has to be installed again.

SHELL := bash
.SHELLFLAGS := -eu -o pipefail -c
.DELETE_ON_ERROR:
.SUFFIXES:
.NOTPARALLEL:
MAKEFLAGS += --warn-undefined-variables --no-builtin-rules --no-print-directory
.DEFAULT_GOAL := help

PYTHON ?= python3
export PYTHON
ARGS ?=

PINS  := tools/pins
STEP  := tools/step.sh
BIN   := .venv/bin
TOOLS := .tools/venv/bin

# Stamps stand in the folder they speak for, so that deleting it deletes them.
APT_DEMO  := .tools/apt-demo
APT_TEST  := .tools/apt-test
RUNTIME   := .venv/.runtime
DEV       := .venv/.dev
TOOLCHAIN := .tools/venv/.installed
FLOOR     := .tools/floor/.installed

BASELINE  := proto/baseline.binpb

# Where the Python side finds the C++ tool. Tests that need it are skipped while it is not built, unless
# INTERLOCK_REQUIRE_CPP is set; those that need a program of Debian while it is missing, unless
# INTERLOCK_REQUIRE_TOOLS is set.
CPP_TOOL  = INTERLOCK_CPP=$(CURDIR)/build/$(1)/bin/interlock-cpp

.PHONY: help
help: ## List the verbs
	@awk -F ':.*## ' '/^##@/ { print "\n" substr($$0, 5) } \
		/^[a-z-]+:.*## / { printf "  make %-18s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
	@echo
	@echo '  ARGS="..." goes to the program behind pytest, bench and fuzz.'

##@ For everybody

.PHONY: demo
demo: $(RUNTIME) ## Set up Python, verify a real two-dispatch graph, and show a race in a broken one
	@tools/demo.sh

.PHONY: test
test: check ## Set up everything and run all checks and tests (what CI runs)

.PHONY: setup
setup: $(APT_TEST) $(DEV) $(TOOLCHAIN) ## Install system packages, .venv and .tools

##@ Every day

.PHONY: format
format: $(TOOLCHAIN) ## Rewrite Python, C++ and proto files in the house style
	@$(STEP) 'format python' $(SHELL) -c '$(TOOLS)/ruff format . && $(TOOLS)/ruff check --fix-only .'
	@$(STEP) 'format proto' $(TOOLS)/buf format --write
	@$(STEP) 'format c++' tools/clang-format.sh -i

.PHONY: lint
lint: $(TOOLCHAIN) ## Check style, schema rules and formatting without changing a file
	@$(STEP) 'lint pins' $(TOOLS)/python tools/check_pins.py
	@$(STEP) 'lint python' $(TOOLS)/ruff check .
	@$(STEP) 'lint python format' $(TOOLS)/ruff format --check .
	@$(STEP) 'lint proto' $(TOOLS)/buf lint
	@$(STEP) 'lint proto format' $(TOOLS)/buf format --diff --exit-code
	@$(STEP) 'lint c++ format' tools/clang-format.sh --dry-run -Werror

.PHONY: types
types: $(DEV) ## Check types with mypy
	@$(STEP) 'types' $(BIN)/mypy

.PHONY: pytest
pytest: $(DEV) ## Run the Python tests (with the C++ tool too, if it is built)
	@$(STEP) --tail 1 'pytest' env $(call CPP_TOOL,dev) $(BIN)/python -m pytest $(ARGS)

.PHONY: test-floor
test-floor: $(FLOOR) ## Run the Python tests on the oldest supported dependencies
	@$(STEP) --tail 1 'pytest on the oldest versions' env $(call CPP_TOOL,dev) .tools/floor/bin/python -m pytest $(ARGS)

.PHONY: build
build: $(APT_TEST) ## Configure and build the C++ library, tool and tests
	@$(STEP) 'configure dev' cmake --preset dev
	@$(STEP) 'build dev' cmake --build --preset dev

.PHONY: cpptest
cpptest: build ## Build and run the C++ tests
	@$(STEP) --tail 3 'ctest dev' ctest --preset dev

.PHONY: sanitize
sanitize: $(APT_TEST) ## Build and run the C++ tests with address and undefined-behaviour sanitizers
	@$(STEP) 'configure asan' cmake --preset asan
	@$(STEP) 'build asan' cmake --build --preset asan
	@$(STEP) --tail 3 'ctest asan' ctest --preset asan

.PHONY: check
check: setup ## Run every check; the order puts quick answers first
	@$(MAKE) lint
	@$(MAKE) types
	@$(MAKE) drift
	@$(MAKE) breaking
	@$(MAKE) cpptest
	@INTERLOCK_REQUIRE_CPP=1 INTERLOCK_REQUIRE_TOOLS=1 $(MAKE) pytest
	@INTERLOCK_REQUIRE_CPP=1 INTERLOCK_REQUIRE_TOOLS=1 $(MAKE) test-floor
	@$(MAKE) sanitize

##@ The schema

# The documentation of the rules is read from the package itself.
RENDER := $(if $(wildcard tools/render_docs.py),$(RUNTIME))

.PHONY: generate
generate: $(TOOLCHAIN) $(RENDER) ## Write gen/ from proto/, and the operand table of SPIR-V
	@$(STEP) 'generate' $(TOOLS)/python tools/generate.py
	@$(STEP) 'generate operands of spir-v' $(TOOLS)/python tools/make_spirv_grammar.py

.PHONY: drift
drift: $(TOOLCHAIN) $(RENDER) ## Fail when gen/ is not what `make generate` writes
	@$(STEP) 'drift' $(TOOLS)/python tools/generate.py --check
	@$(STEP) 'drift of operands of spir-v' $(TOOLS)/python tools/make_spirv_grammar.py --check

.PHONY: breaking
breaking: $(TOOLCHAIN) ## Fail when the schema breaks readers of the baseline
	@test -e $(BASELINE) || { echo 'There is no $(BASELINE); `make breaking-baseline` writes it.'; exit 1; }
	@$(STEP) 'breaking' $(TOOLS)/buf breaking --against $(BASELINE)

.PHONY: breaking-baseline
breaking-baseline: $(TOOLCHAIN) ## Make today's schema the one that `make breaking` compares with
	@$(STEP) 'breaking baseline' $(TOOLS)/buf build --as-file-descriptor-set --exclude-source-info \
		--exclude-path proto/execgraph/conformance --output $(BASELINE)

##@ Now and then

.PHONY: goldens
goldens: $(DEV) $(TOOLCHAIN) build ## Write the conformance cases: decode inputs, and goldens on which all encoders agree
	@$(BIN)/python tools/make_decode_cases.py $(ARGS)
	@$(call CPP_TOOL,dev) $(BIN)/python tools/goldens.py $(ARGS)

.PHONY: bench
bench: $(APT_TEST) $(DEV) ## Measure speed against the stated goals
	@$(STEP) 'configure release' cmake --preset release
	@$(STEP) 'build release' cmake --build --preset release
	@$(call CPP_TOOL,release) $(BIN)/python tests/bench/run.py $(ARGS)

.PHONY: fuzz
fuzz: $(APT_TEST) $(DEV) ## Damaged documents to both languages, graphs to verifier and oracle, damaged SPIR-V to its reader
	@$(STEP) 'configure asan' cmake --preset asan
	@$(STEP) 'build asan' cmake --build --preset asan
	@$(call CPP_TOOL,asan) $(BIN)/python tests/fuzz/run.py $(ARGS)

.PHONY: clean
clean: ## Remove everything that is built or installed here
	@rm -rf build dist .venv .tools .mypy_cache .ruff_cache .pytest_cache .hypothesis
	@find python tests tools gen -name __pycache__ -type d -prune -exec rm -rf {} +

# What is installed, and when it has to be installed again.

$(APT_DEMO): $(PINS)/apt-demo.txt tools/system-packages.sh
	@$(STEP) 'system packages' tools/system-packages.sh demo
	@mkdir -p $(@D) && touch $@

$(APT_TEST): $(PINS)/apt-test.txt tools/system-packages.sh | $(APT_DEMO)
	@$(STEP) 'system packages for c++' tools/system-packages.sh test
	@touch $@

$(RUNTIME): $(PINS)/runtime.txt pyproject.toml tools/venv.sh | $(APT_DEMO)
	@$(STEP) 'install interlock' tools/venv.sh .venv -r $(PINS)/runtime.txt -e .
	@touch $@

$(DEV): $(PINS)/test.txt $(PINS)/betterproto.txt $(PINS)/dev.txt $(RUNTIME)
	@$(STEP) 'install test dependencies' tools/venv.sh .venv -r $(PINS)/runtime.txt -r $(PINS)/test.txt -r $(PINS)/dev.txt
	@touch $@

$(TOOLCHAIN): $(PINS)/tools.txt $(PINS)/betterproto.txt tools/venv.sh | $(APT_DEMO)
	@$(STEP) 'install generators and linters' tools/venv.sh .tools/venv -r $(PINS)/tools.txt
	@touch $@

$(FLOOR): $(PINS)/floor.txt $(PINS)/test.txt $(PINS)/betterproto.txt pyproject.toml tools/venv.sh | $(APT_DEMO)
	@$(STEP) 'install the oldest versions' tools/venv.sh .tools/floor -r $(PINS)/floor.txt -r $(PINS)/test.txt -e .
	@touch $@
