# Everything that is done with this repository; each target works alone, first thing, on a fresh machine.

PREFIX ?= /usr/local
DESTDIR ?=

SWIFT ?= swift
# How long to look for hostile input, and where: everywhere, if it is empty.
SECONDS ?= 600
TARGET ?=
# The Swift libraries are linked in: the programs start faster, and run where Swift is not installed.
PROGRAMS = .build/programs
# How what measures them is built.
RELEASE = -c release --static-swift-stdlib
# What `make man` makes and `make install` puts below share, where manual pages and completions are looked for.
SHARED = man/man1/sequence.1 man/man5/sequence.5 bash-completion/completions/sequence \
  zsh/site-functions/_sequence_timer fish/vendor_completions.d/sequence.fish
SOURCES = Package.swift Sources Tests Benchmarks examples

# The first seed of a simulation, and how many lives it has.
SEED ?= 1
LIVES ?= 10000
# Where benchmarks have what they measure, and what they compare it with.
BENCH = $(CURDIR)/.build/bench

# What a program that measures or tortures is told, as in ARGS="--only kills --kills 500".
ARGS ?=

.PHONY: build man run test test-threads test-addresses fuzz simulate torture bench release install uninstall format lint clean
.PHONY: deps deps-build deps-bench deps-desktops deps-deb deb try-deb

## build: the programs, for development
build: deps-build
	$(SWIFT) build

## run: an example sequence, with notifications where there is a desktop
run: release
	@examples/demo.sh $(PROGRAMS)/sequence

## test: all tests
test: deps
	$(SWIFT) build --build-tests
	@SWIFT="$(SWIFT)" scripts/run-tests

## fuzz: hand TARGET, or all of sequences, durations, cards, snapshots, configuration and imports, hostile input for SECONDS each
fuzz: deps-build
	scripts/fuzz $(SECONDS) $(TARGET)

## test-threads: all tests under Thread Sanitizer
test-threads: deps
	scripts/test-under-sanitizer thread

## test-addresses: all tests under Address Sanitizer and Leak Sanitizer
test-addresses: deps
	scripts/test-under-sanitizer address

## simulate: LIVES random lives from SEED on, compared with an oracle; the first that differs is shown as a short script
simulate: deps-build
	$(SWIFT) build $(RELEASE) --product simulate
	"$$($(SWIFT) build $(RELEASE) --show-bin-path 2>/dev/null)/simulate" --seed $(SEED) --lives $(LIVES)

## bench: what it costs, beside what else there is; ARGS="--only startup" for a part, ARGS=--long for the rest too
bench: release deps-bench
	@for program in benchmark recording-server; do $(SWIFT) build $(RELEASE) --product $$program || exit 1; done
	@$(MAKE) --no-print-directory install DESTDIR= PREFIX="$(BENCH)/prefix" >/dev/null
	@Benchmarks/prepare "$(BENCH)"
	@"$$($(SWIFT) build $(RELEASE) --show-bin-path 2>/dev/null)/benchmark" --prefix "$(BENCH)" $(ARGS)

## torture: the released programs through kills, failing system calls, full disks, damaged stores and the like
torture: deps release
	@for program in recording-server torture; do \
	  $(SWIFT) build $(RELEASE) --product $$program || exit 1; \
	  cp -f "$$($(SWIFT) build $(RELEASE) --show-bin-path 2>/dev/null)/$$program" $(PROGRAMS)/; \
	done
	@$(PROGRAMS)/torture $(ARGS)

.PHONY: docs screenshots deps-docs deps-screenshots

## docs: the documentation of the libraries, for a web server, below .build
docs: deps-docs
	@SWIFT="$(SWIFT)" scripts/build-documentation .build/documentation.doccarchive

## screenshots: the pictures of the documentation anew, on screens without a monitor
screenshots: build deps-screenshots
	@scripts/screenshots "$$($(SWIFT) build --show-bin-path 2>/dev/null)"

## release: the programs as they are installed: optimised, with the Swift libraries linked in
release: deps-build
	@SWIFT="$(SWIFT)" scripts/build-release $(PROGRAMS)

## man: the pages of the manual and the completions of the shells, into .build/share
man: release
	@scripts/make-share $(PROGRAMS)/sequence .build/share

## install: the programs, the manual, the completions, and what desktops know them by, below PREFIX
install: release man
	install -d "$(DESTDIR)$(PREFIX)/bin" "$(DESTDIR)$(PREFIX)/libexec/sequence"
	@cd .build/share && for file in $(SHARED); do \
	  install -D -m 644 $$file "$(DESTDIR)$(PREFIX)/share/$$file" || exit 1; \
	done
	install -m 755 -s $(PROGRAMS)/sequence "$(DESTDIR)$(PREFIX)/bin/sequence"
	install -m 755 -s $(PROGRAMS)/sequence-agent "$(DESTDIR)$(PREFIX)/libexec/sequence/sequence-agent"
	install -m 755 -s $(PROGRAMS)/sequence-import "$(DESTDIR)$(PREFIX)/libexec/sequence/sequence-import"
	install -m 755 -s $(PROGRAMS)/sequence-sound "$(DESTDIR)$(PREFIX)/libexec/sequence/sequence-sound"
	find share -type f -exec install -D -m 644 {} "$(DESTDIR)$(PREFIX)/{}" \;

uninstall:
	rm -f "$(DESTDIR)$(PREFIX)/bin/sequence" "$(DESTDIR)$(PREFIX)/libexec/sequence/sequence-agent" \
	  "$(DESTDIR)$(PREFIX)/libexec/sequence/sequence-import" \
	  "$(DESTDIR)$(PREFIX)/libexec/sequence/sequence-sound"
	@for file in $(SHARED); do rm -f "$(DESTDIR)$(PREFIX)/share/$$file" || exit 1; done
	find share -type f -exec rm -f "$(DESTDIR)$(PREFIX)/{}" \;

## deb: a package for Debian, in .build/deb
deb: deps-deb release
	@scripts/build-deb .build/deb

## try-deb: the package in a fresh Debian, where it is installed, used and removed; this needs root
try-deb: deb
	@scripts/try-deb .build/deb/*.deb

## deps: the system's packages that are missing, those included that the tests need
deps:
	@scripts/install-dependencies tests

## deps-build: the libraries only that the programs are built with
deps-build:
	@scripts/install-dependencies build

## deps-bench: what the benchmarks need and compare with
deps-bench:
	@scripts/install-dependencies bench

## deps-docs: what the documentation is made with
deps-docs:
	@scripts/install-dependencies docs

## deps-screenshots: what the pictures of the documentation show, and what takes them
deps-screenshots:
	@scripts/install-dependencies screenshots
	@scripts/install-dependencies bars

## deps-deb: what builds, checks and tries the package for Debian
deps-deb:
	@scripts/install-dependencies deb

## deps-desktops: also sway with mako, GNOME Shell, zsh and fish, which the tests run against where they are installed,
## and what takes pictures of the screen; up to 160 MB to fetch
deps-desktops:
	@scripts/install-dependencies desktops

## format: write the sources as the formatter would
format:
	$(SWIFT) format format --in-place --recursive $(SOURCES)

## lint: fail on anything that the formatter or the linter would change
lint:
	$(SWIFT) format lint --strict --recursive $(SOURCES)

clean:
	rm -rf .build .build-threads .build-addresses .build-fuzz
