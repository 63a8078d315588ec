# The door: each target sets up what it needs and calls CMake or a script of tools/. `make help` lists them.
# Build folders are build/PRESET, with the presets of CMakePresets.json.

.PHONY: help build demo quick check check-all bench bless validate format layers setup install clean

help:
	@echo 'make demo       compile and run the example kernels on this CPU, and check their results'
	@echo 'make build      build the library and the command (build/release)'
	@echo 'make quick      the tests worth running before each commit (under a minute once built)'
	@echo 'make check      everything: gcc and clang builds, all tests, sanitizers, include rules, spacing'
	@echo 'make check-all  the same, with no suite sampled'
	@echo 'make bench      measure (writes JSON)'
	@echo 'make bless      rewrite golden files; review the diff like code'
	@echo 'make validate   give emitted code to the tools of its target (spirv-val)'
	@echo 'make format     settle all spacing'
	@echo 'make layers     check the include rules of docs/design.md'
	@echo 'make clean      remove all builds'
	@echo 'make install    install to PREFIX (default /usr/local)'

setup:
	@tools/setup

build: setup
	@tools/build release

demo: setup
	@tools/build release tessera_command tessera_demo
	@TESSERA=build/release/tessera examples/demo

quick: setup
	@tools/check --quick

check:
	@tools/setup --check
	@tools/check

check-all:
	@tools/setup --check
	@TSR_ALL=1 tools/check

bench: build
	@TESSERA=build/release/tessera bench/run
	@TESSERA=build/release/tessera bench/cpu.sh
	@TESSERA=build/release/tessera bench/spirv.sh
	@TESSERA=build/release/tessera bench/glsl.sh

bless: build
	@TSR_BLESS=1 ctest --test-dir build/release --output-on-failure
	@git diff --stat 2>/dev/null || true

validate: build
	@tools/vulkan-testbed >/dev/null
	@ctest --test-dir build/release --output-on-failure -R '^(emit|vulkan)/'

format:
	@tools/format

layers:
	@tools/layers

PREFIX ?= /usr/local
install: build
	@cmake --install build/release --prefix $(PREFIX)

clean:
	rm -rf build
