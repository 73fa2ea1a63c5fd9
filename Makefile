# Each target works alone on a fresh machine: it installs the packages that it needs first. `make help` lists them.

PREFIX ?= /usr/local
DESTDIR ?=

SWIFT ?= swift
# How long to fuzz, and which target: all of them if it is empty.
SECONDS ?= 600
TARGET ?=
# The Swift libraries are linked in: the programs start faster, and run where Swift is not installed.
PROGRAMS = .build/programs
# How the programs for measurements are built.
RELEASE = -c release --static-swift-stdlib
# Where zsh looks for completions, below share. Debian's zsh doesn't look in this directory below /usr.
ZSH_COMPLETIONS ?= zsh/site-functions
# The manual pages, completions and catalogs that `make man` writes and `make install` installs below share; without
# lowdown it leaves out the pages, and without gettext the catalogs.
SHARED = $(patsubst po/%.po,locale/%/LC_MESSAGES/sequence-timer.mo,$(wildcard po/*.po)) man/man1/sequence.1 \
  man/man5/sequence.5 man/man5/sequence-config.5 bash-completion/completions/sequence \
  $(ZSH_COMPLETIONS)/_sequence_timer fish/vendor_completions.d/sequence.fish
# What belongs to the package of the window: its description for software centers, and the search of desktops.
WINDOW_SHARE = metainfo/org.sequence_timer.sequence.window.metainfo.xml \
  gnome-shell/search-providers/sequence-search-provider.ini krunner/dbusplugins/plasma-runner-sequence.desktop
# The files of share that get translations from the catalogs.
TRANSLATED = applications/sequence.desktop metainfo/org.sequence_timer.sequence.metainfo.xml
SEARCH_SERVICE = share/dbus-1/services/org.sequence_timer.sequence.search.service
MAKE_SHARE = scripts/make-share $(PROGRAMS)/sequence .build/share $(ZSH_COMPLETIONS)
# What starts the agent at login; %f is the state directory of a unit's instance.
LOGIN = lib/systemd/user/sequence-agent.service lib/systemd/user/sequence-agent@.service share/sequence-timer/sequence-agent.desktop
# The prefix that these files name.
PROGRAM_PREFIX ?= $(PREFIX)
SOURCES = Package.swift Sources Tests Benchmarks examples

# The tests that start no program.
UNIT_TESTS = ^(SequenceRunner|SequenceFiles|SequencePlanning|SequenceConfiguration|SequencePresentation|SequenceImport)Tests|$(DISPLAY_TESTS)
DISPLAY_TESTS = ^SequenceCommandTests.(DisplayFrame|DisplayStyle|GoldenFrame|KeyReader|Terminal)Tests
# Those of them that try every size of a terminal, and every wrong value in a store: they take longer than all others.
THOROUGH_TESTS = WrongRowTests|DisplayFrameTests
# A pattern for the names of tests.
TESTS ?=

# The first seed of a simulation, and its number of scenarios.
SEED ?= 1
SCENARIOS ?= 10000
# The files of the benchmarks.
BENCH = $(CURDIR)/.build/bench

# The Debian release that also builds and tries the packages.
NEXT_DEBIAN ?= trixie

# An older .build/dist, whose programs are updated.
OLDER ?=

# Arguments for the programs that measure or torture, such as ARGS="--only kills --kills 500".
ARGS ?=

.PHONY: build man pot run window check test test-threads test-addresses fuzz simulate torture bench release install uninstall format lint clean
.PHONY: home dist dist-here try-dist try-readme release-window install-window deps deps-build deps-man deps-window deps-bench deps-desktops deps-deb deb try-deb try-dependency help

##@ Build and run

## build: build the programs for development, into .build/debug
build: deps-build
	$(SWIFT) build

## run: build, and run an example sequence
run: release
	@examples/demo.sh $(PROGRAMS)/sequence

## window: build and start the graphical window
window: deps-window
	SEQUENCE_WINDOW=1 $(SWIFT) build
	@scripts/make-catalogs .build/share
	@"$$($(SWIFT) build --show-bin-path 2>/dev/null)/sequence-window"

##@ Test

## check: lint, and run the quick tests that start no program (in about a minute, after the first build)
check: deps-build lint
	$(SWIFT) build --build-tests
	@SWIFT="$(SWIFT)" scripts/run-tests --filter '$(UNIT_TESTS)' --skip '$(THOROUGH_TESTS)'

## test: run all tests
test: deps
	SEQUENCE_WINDOW=1 $(SWIFT) build --build-tests --explicit-target-dependency-import-check error
	@SEQUENCE_WINDOW=1 SWIFT="$(SWIFT)" scripts/run-tests

## fuzz: feed hostile input to each parser, or to TARGET, for SECONDS (600)
fuzz: deps-build
	scripts/fuzz $(SECONDS) $(TARGET)

## test-threads: run all tests, or those that match TESTS and not SKIP, under Thread Sanitizer
test-threads: deps
	scripts/test-under-sanitizer thread $(if $(TESTS),--filter '$(TESTS)') $(if $(SKIP),--skip '$(SKIP)')

## test-addresses: run all tests under Address Sanitizer and Leak Sanitizer
test-addresses: deps
	SEQUENCE_WINDOW=1 scripts/test-under-sanitizer address

## simulate: compare SCENARIOS (10000) random scenarios, from SEED (1), with a model
simulate: deps-build
	$(SWIFT) build $(RELEASE) --product simulate
	"$$($(SWIFT) build $(RELEASE) --show-bin-path 2>/dev/null)/simulate" --seed $(SEED) --scenarios $(SCENARIOS)

## bench: measure costs and compare them with other timers; ARGS="--only startup", ARGS=--long
bench: release release-window deps-bench
	@for program in benchmark recording-server; do $(SWIFT) build $(RELEASE) --product $$program || exit 1; done
	@$(MAKE) --no-print-directory install install-window DESTDIR= PREFIX="$(BENCH)/prefix" >/dev/null
	@Benchmarks/prepare "$(BENCH)"
	@"$$($(SWIFT) build $(RELEASE) --show-bin-path 2>/dev/null)/benchmark" --prefix "$(BENCH)" $(ARGS)

## torture: kill the release programs, fail system calls, fill disks, damage files; ARGS="--only kills"
torture: deps release
	@for program in recording-server torture; do \
	  $(SWIFT) build $(RELEASE) --product $$program || exit 1; \
	  cp -f "$$($(SWIFT) build $(RELEASE) --show-bin-path 2>/dev/null)/$$program" $(PROGRAMS)/; \
	done
	@$(PROGRAMS)/torture $(ARGS)

.PHONY: docs screenshots deps-docs deps-screenshots

##@ Documentation

## docs: build the documentation of the libraries, into .build/documentation.doccarchive
docs: deps-docs
	@SWIFT="$(SWIFT)" scripts/build-documentation .build/documentation.doccarchive

## screenshots: take the pictures of the documentation again, on virtual screens
screenshots: deps-build deps-window deps-screenshots
	SEQUENCE_WINDOW=1 $(SWIFT) build
	@scripts/screenshots "$$($(SWIFT) build --show-bin-path 2>/dev/null)"

##@ Install and package

## release: build the programs as they are installed, into .build/programs
release: deps-build
	@SWIFT="$(SWIFT)" scripts/build-release $(PROGRAMS)

## release-window: build the graphical window as it is installed, into .build/programs
release-window: deps-window
	@SWIFT="$(SWIFT)" scripts/build-release $(PROGRAMS) window

## man: write the manual pages, shell completions and catalogs, into .build/share
man: $(if $(wildcard prebuilt),,deps-man release)
	@$(MAKE_SHARE)

## install: install into PREFIX (/usr/local): programs, manual pages (with lowdown), catalogs (with gettext)
install: release
	@$(MAKE_SHARE)
	install -d "$(DESTDIR)$(PREFIX)/bin" "$(DESTDIR)$(PREFIX)/libexec/sequence"
	@cd .build/share && for file in $(SHARED); do \
	  case $$file in man/* | locale/*) [ -e $$file ] || continue ;; esac; \
	  install -D -m 644 $$file "$(DESTDIR)$(PREFIX)/share/$$file" || exit 1; \
	done
	install -m 755 -s $(PROGRAMS)/sequence "$(DESTDIR)$(PREFIX)/bin/sequence"
	install -m 755 -s $(PROGRAMS)/sequence-agent "$(DESTDIR)$(PREFIX)/libexec/sequence/sequence-agent"
	install -m 755 -s $(PROGRAMS)/sequence-sound "$(DESTDIR)$(PREFIX)/libexec/sequence/sequence-sound"
	find share -mindepth 2 -type f $(WINDOW_SHARE:%=! -path share/%) -exec install -D -m 644 {} "$(DESTDIR)$(PREFIX)/{}" \;
	@for file in $(TRANSLATED); do \
	  [ ! -e .build/share/$$file ] || install -m 644 .build/share/$$file "$(DESTDIR)$(PREFIX)/share/$$file" || exit 1; \
	done
	@scripts/make-login-start "$(PROGRAM_PREFIX)" .build/login
	@for file in $(LOGIN); do \
	  install -D -m 644 .build/login/$${file##*/} "$(DESTDIR)$(PREFIX)/$$file" || exit 1; \
	done

## install-window: install the graphical window into PREFIX, in addition to install
install-window: release-window
	install -d "$(DESTDIR)$(PREFIX)/libexec/sequence"
	install -m 755 -s $(PROGRAMS)/sequence-window "$(DESTDIR)$(PREFIX)/libexec/sequence/sequence-window"
	@scripts/make-catalogs .build/share
	@for file in $(WINDOW_SHARE); do \
	  if [ -e .build/share/$$file ]; then from=.build/share; else from=share; fi; \
	  install -D -m 644 $$from/$$file "$(DESTDIR)$(PREFIX)/share/$$file" || exit 1; \
	done
	@scripts/make-login-start "$(PROGRAM_PREFIX)" .build/login
	install -D -m 644 .build/login/$(notdir $(SEARCH_SERVICE)) "$(DESTDIR)$(PREFIX)/$(SEARCH_SERVICE)"

## uninstall: remove what install and install-window installed, with the same PREFIX
uninstall:
	rm -f "$(DESTDIR)$(PREFIX)/bin/sequence" "$(DESTDIR)$(PREFIX)/libexec/sequence/sequence-agent" \
	  "$(DESTDIR)$(PREFIX)/libexec/sequence/sequence-sound" "$(DESTDIR)$(PREFIX)/libexec/sequence/sequence-window"
	@for file in $(addprefix share/,$(SHARED)) $(LOGIN) $(SEARCH_SERVICE); do rm -f "$(DESTDIR)$(PREFIX)/$$file" || exit 1; done
	find share -mindepth 2 -type f -exec rm -f "$(DESTDIR)$(PREFIX)/{}" \;

## deb: build the Debian packages, into .build/deb
deb: deps-deb release release-window
	@scripts/build-deb .build/deb

## dist: build everything that a release publishes in a fresh Debian 12, into .build/dist
dist:
	@scripts/in-fresh-debian --bring .build/dist .build/dist bookworm make dist-here

## dist-here: the same on this computer, whose glibc the programs then need
dist-here: deps-deb deps-window release release-window
	@scripts/build-dist .build/dist

## try-dist: install, use, update and remove the programs of "make dist" in fresh Debians; OLDER=DIRECTORY of an older one
try-dist:
	@scripts/try-dist .build/dist bookworm $(OLDER)
	@scripts/try-dist .build/dist $(NEXT_DEBIAN) $(OLDER)

## try-readme: follow README.md in a fresh Debian, with the packages of "make dist" as the download
try-readme:
	@scripts/try-readme .build/dist bookworm

## try-dependency: build a package of another program that depends on this one
try-dependency:
	@scripts/try-dependency

## try-deb: install, use and remove the packages in a fresh Debian, and build and use them in the next one
try-deb: deb
	@scripts/try-deb .build/deb
	@scripts/in-fresh-debian --bring .build/deb .build/deb-$(NEXT_DEBIAN) $(NEXT_DEBIAN) make deb
	@scripts/try-deb .build/deb-$(NEXT_DEBIAN) $(NEXT_DEBIAN)

##@ Missing packages, installed with apt-get

## deps: install packages for the build and the tests
deps:
	@scripts/install-dependencies tests

## deps-build: install packages for the build
deps-build:
	@scripts/install-dependencies build

## deps-man: install the tools for the manual pages and catalogs
deps-man:
	@scripts/install-dependencies man

## deps-window: install packages for the window
deps-window:
	@scripts/install-dependencies window

## deps-bench: install packages for the benchmarks
deps-bench:
	@scripts/install-dependencies bench

## deps-docs: install packages for the documentation
deps-docs:
	@scripts/install-dependencies docs

## deps-screenshots: install packages for the pictures
deps-screenshots:
	@scripts/install-dependencies screenshots
	@scripts/install-dependencies bars

## deps-deb: install packages for the Debian package
deps-deb:
	@scripts/install-dependencies deb

## deps-desktops: install GNOME Shell, which the tests use if present (160 MB)
deps-desktops:
	@scripts/install-dependencies desktops

##@ Source code

## home: set the address of the project everywhere, to URL
home:
	@scripts/set-home "$(URL)"

## format: format the sources
format:
	$(SWIFT) format format --in-place --recursive $(SOURCES)

## pot: write the template of the catalogs from the sources, and bring the catalogs up to date
pot: deps-man
	@scripts/make-template po

## lint: fail on anything that the formatter would change
lint:
	$(SWIFT) format lint --strict --recursive $(SOURCES)

## clean: remove everything that was built
clean:
	rm -rf .build .build-threads .build-addresses .build-fuzz

## help: list the targets
help:
	@awk -F ': ' '/^##@ /{print (n++ ? "\n" : "") substr($$0, 5)} \
	  /^## /{name = substr($$1, 4); sub(/^[^:]*: /, ""); printf "  %-16s %s\n", name, $$0}' Makefile
