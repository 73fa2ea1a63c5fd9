# Everything that is done with this repository; each target works alone, first thing, on a fresh machine.

PREFIX ?= /usr/local
DESTDIR ?=

SWIFT ?= swift
# The Swift libraries are linked in: the programs start faster, and run where Swift is not installed.
RELEASE = -c release --static-swift-stdlib
PROGRAMS = sequence sequence-agent
SOURCES = Package.swift Sources Tests examples

# What the programs are put through, as in ARGS="--only kills --kills 500".
ARGS ?=

.PHONY: build run test test-threads torture release install uninstall deps deps-build deps-desktops format lint clean

## build: the programs, for development
build: deps-build
	$(SWIFT) build

## run: an example sequence, with notifications where there is a desktop
run: release
	@examples/demo.sh "$$($(SWIFT) build $(RELEASE) --show-bin-path 2>/dev/null)/sequence"

## test: all tests
test: deps
	$(SWIFT) build --build-tests
	$(SWIFT) test --skip-build --no-parallel

## test-threads: all tests under Thread Sanitizer
test-threads: deps
	$(SWIFT) build --build-tests --sanitize=thread --scratch-path .build-threads
	TSAN_OPTIONS="halt_on_error=1 handle_segv=0" $(SWIFT) test --skip-build --no-parallel --sanitize=thread --scratch-path .build-threads

## torture: the released programs through kills, failing system calls, full disks, damaged stores and the like
torture: deps release
	@for program in recording-server torture; do $(SWIFT) build $(RELEASE) --product $$program || exit 1; done
	@"$$($(SWIFT) build $(RELEASE) --show-bin-path 2>/dev/null)/torture" $(ARGS)

## release: the programs, optimised, with the Swift libraries linked in
release: deps-build
	@for program in $(PROGRAMS); do $(SWIFT) build $(RELEASE) --product $$program || exit 1; done

## install: the programs below PREFIX
install: release
	install -d "$(DESTDIR)$(PREFIX)/bin" "$(DESTDIR)$(PREFIX)/libexec/sequence"
	install -m 755 -s "$$($(SWIFT) build $(RELEASE) --show-bin-path 2>/dev/null)/sequence" "$(DESTDIR)$(PREFIX)/bin/sequence"
	install -m 755 -s "$$($(SWIFT) build $(RELEASE) --show-bin-path 2>/dev/null)/sequence-agent" "$(DESTDIR)$(PREFIX)/libexec/sequence/sequence-agent"

uninstall:
	rm -f "$(DESTDIR)$(PREFIX)/bin/sequence" "$(DESTDIR)$(PREFIX)/libexec/sequence/sequence-agent"

## deps: the system's packages that are missing, those included that the tests need
deps:
	@scripts/install-dependencies tests

## deps-build: the libraries only that the programs are built with
deps-build:
	@scripts/install-dependencies build

## deps-desktops: also sway with mako, and GNOME Shell, which the tests run against where they are installed, and
## what takes pictures of the screen; up to 150 MB to fetch
deps-desktops:
	@scripts/install-dependencies desktops

## format: write the sources as the formatter would
format:
	$(SWIFT) format format --in-place --recursive $(SOURCES)

## lint: fail on anything that the formatter or the linter would change
lint:
	$(SWIFT) format lint --strict --recursive $(SOURCES)

clean:
	rm -rf .build .build-threads
