# Three commands do everything on a machine that has Swift and apt: `make demo`, `make check` while one
# works, and `make test`.

# Debian packages that the build needs; it does without libgps-dev, but setup installs it.
PACKAGES = zlib1g-dev libgps-dev
# What the tests of `feed`, `watch` and `record` run against, what asks servers for names, and what the
# blocks of the cookbook use.
TEST_PACKAGES = gpsd gpsd-clients python3-gps libcurl4 jq
# What `make installed` needs beside these: completions and units are tried in what they are for.
INSTALLED_PACKAGES = $(TEST_PACKAGES) bash-completion zsh fish man-db systemd python3
STORY = traces/commute
WAYMARK = .build/release/waymark
# Swift's libraries are part of each program: it starts in a third of the time, takes 12 MB less, and
# runs where no Swift is. One set of options, as another builds everything anew. The commit is what
# `--version` names; another one compiles a line of C and links again.
COMMIT = $(shell git describe --always --abbrev=7 --exclude='*' --dirty=+changes 2>/dev/null)
RELEASE = ENGINE= WAYMARK_COMMIT=$(COMMIT) swift build -c release --static-swift-stdlib
# The linker warns that "the use of `mktemp' is dangerous": glibc attaches that to the function. The
# call is in Swift's own library (Data+Writing.swift of libFoundationEssentials.a), which is linked
# in; our code does not make it.
# Every debug build has the engine optimised, as its tests replay weeks; it is one build for all.
export ENGINE = optimised
SOURCES = Package.swift Sources Tests Docs/Examples

.PHONY: demo check test floors live-view docs installed soak setup build lint format stories goldens \
  samples symbols rules clients examples gazetteer count bench bombs differential accuracy \
  figures live-figures crowd crowd-tsan asan tsan fuzz install clean help

help:
	@echo "make demo      install what is needed, build, and replay a day with fences"
	@echo "make check     formatter, debug build and the fast tests: in minutes, while you work"
	@echo "make test      install what is needed, build, and run every test"
	@echo "make floors    how right the engine is on made-up days, held to the published figures"
	@echo "make docs      the documentation of the libraries (DocC), without a warning"
	@echo "make live-view the live view of watch on terminals of several sizes"
	@echo "make installed make install into a scratch folder, and start what is there"
	@echo "make soak      faults of the system for HOURS=0.2: kills, errors, power cuts, long runs"
	@echo "make build     the release build: $(WAYMARK)"
	@echo "make install   binary, completions, man pages and units of systemd to PREFIX (/usr/local)"
	@echo "make lint      the formatter in strict mode (make format mends)"
	@echo "make stories   write traces/ anew from its generator (same seed, same bytes)"
	@echo "make goldens   write the event logs of traces/ anew, to be looked at with git diff"
	@echo "make samples   write what the commands of the documents print anew, to be looked at as well"
	@echo "make symbols   hold the module CoreLocation to the list of Apple's symbols, and write its page"
	@echo "make rules     hold the tests to the list of Core Location's rules, and write its page"
	@echo "make clients   build code in the shape of client code against the module CoreLocation"
	@echo "make examples  build Docs/Examples, run its test, and its programs on recordings"
	@echo "make gazetteer SIZE=large|small  build a gazetteer from Debian's and PyPI's data"
	@echo "make count     instructions and allocations a fix, held to a file; UPDATE=1 writes it anew"
	@echo "make bench     speed and memory beside other programs, into Docs/Performance.md; QUICK=1 is short"
	@echo "make bombs     what inputs made to exhaust a program cost; UPDATE=1 puts it into Docs/Limits.md"
	@echo "make differential  our readers against expat, gpsbabel, shapely, libgps and GeographicLib"
	@echo "make accuracy  false events, missed passages, errors and delays on plain scenarios"
	@echo "make figures   the tables of Docs/Accuracy.md on made-up days, printed and put there"
	@echo "make crowd     a crowd of location managers in one process: right, how fast, how large"
	@echo "make crowd-tsan  a smaller one under the thread sanitizer; make tsan runs every test so"
	@echo "make asan      every test under the address sanitizer"
	@echo "make fuzz      every fuzzer for SECONDS=60, or RUNS=N; SUBJECTS=\"gpx csv\" only these"
	@echo "make live-figures  CPU, latency and memory of watch, printed and put into Docs/Performance.md"

demo: build
	@echo
	@sed -n '1,/^$$/p' $(STORY)/README.md
	@echo '$$ waymark replay $(STORY)/track.gpx --config $(STORY)/waymark.yaml'
	@$(WAYMARK) replay $(STORY)/track.gpx --config $(STORY)/waymark.yaml

# Not for the release build, which comes first: what is shipped is what the faults are tried on.
TESTING = WAYMARK_PROGRAMS=.build/release
test: build
	@Tests/install.sh $(TEST_PACKAGES)
	$(TESTING) swift build --build-tests
	@$(TESTING) Tests/run.sh

# Not the tests that start gpsd, kill programs, run documents or replay weeks: `make test` has them.
SLOW = LiveTests|FaultTests|FuzzTests|SimulationTests|WatchKillTests|DocumentationTests|HelpExampleTests
check: setup lint
	swift build --build-tests
	@Tests/run.sh --skip '$(SLOW)'

# Faults for as long as HOURS says: kills, errors, power cuts, long runs. SEED=n repeats a run.
soak: build
	$(TESTING) swift build --build-tests
	@TEST_LIMIT=0 $(TESTING) SOAK=$(or $(HOURS),0.2) Tests/run.sh --filter FaultTests

build: setup
	$(RELEASE) --product waymark

setup:
	@Tests/install.sh $(PACKAGES)

lint:
	swift format lint --strict --recursive $(SOURCES)

format:
	swift format --in-place --recursive $(SOURCES)

stories:
	$(RELEASE) --product make-stories
	.build/release/make-stories traces

goldens: build
	@Tests/goldens.sh $(WAYMARK)

# The documentation of the libraries that others may use, in .build/docs; a warning is an error.
docs: setup
	@mkdir -p .build/docs
	for target in Geodesy Tracking Geocoding CoreLocation; do \
	  DOCS=1 swift package --allow-writing-to-directory .build/docs generate-documentation \
	    --target $$target --warnings-as-errors --output-path .build/docs/$$target || exit 1; done

# Precision and recall of fences and F1 of visits on six worlds of the published figures.
floors: build
	@Tests/install.sh python3
	@python3 -B Tests/Floors/floors.py $(WAYMARK)

# The live view of `watch` in a terminal emulator, which has a folder of its own.
live-view: build
	@Tests/install.sh python3-venv
	@[ -x .build/pyte/bin/python ] || python3 -m venv .build/pyte
	@.build/pyte/bin/pip install --quiet pyte==0.8.2
	@.build/pyte/bin/python -B Tests/Terminal/live-view.py $(WAYMARK)

samples: setup
	swift build --build-tests
	WAYMARK_SAMPLES=write swift test --skip-build --disable-xctest --filter DocumentationTests

symbols: setup
	@Tests/install.sh python3
	swift build --target CoreLocation
	@python3 -B Tests/Symbols/symbols.py --write Docs/CoreLocation-Symbols.md

rules:
	@Tests/install.sh python3
	@python3 -B Tests/Rules/rules.py --write Docs/CoreLocation-Rules.md

# Two packages that share a folder with another get in each other's way.
gazetteer:
	@Tests/install.sh python3-venv
	@Sources/CGazetteer/build-gazetteer.sh $(or $(SIZE),large)

# Both are packages that depend on this one, and share a folder: its modules are built once.
clients: setup
	ENGINE= swift build --package-path Tests/Clients --scratch-path .build-clients

examples: setup
	ENGINE= swift build --package-path Docs/Examples --scratch-path .build-clients --build-tests
	ENGINE= swift test --package-path Docs/Examples --scratch-path .build-clients --skip-build \
	  --disable-xctest
	@Docs/Examples/run.sh .build-clients/debug

count: setup
	@Tests/install.sh valgrind python3 g++ binutils
	for product in engine-bench match-bench read-bench; do \
	  $(RELEASE) --product $$product || exit 1; done
	@python3 -B Tests/Benchmarks/count.py $(if $(UPDATE),--write)

# QUICK=1 takes minutes and writes nothing; ONLY=matching,reading,engine,pipe,growth runs some of it.
bench: build
	@Tests/install.sh python3 time gcc g++
	for product in engine-bench match-bench read-bench; do \
	  $(RELEASE) --product $$product || exit 1; done
	@python3 -B Tests/Benchmarks/Suite/bench.py $(if $(QUICK),--quick,--write) \
	  $(if $(ONLY),--only $(ONLY))

accuracy: setup
	$(RELEASE) --product accuracy-bench
	@.build/release/accuracy-bench

figures: build
	$(RELEASE) --product accuracy-bench
	@Tests/Benchmarks/accuracy.sh --write

# Needs the program without libgps as well, which is built beside the usual one.
live-figures: build
	@Tests/install.sh $(TEST_PACKAGES) gcc python3
	GPSD=0 $(RELEASE) --product waymark --scratch-path .build-nogps
	@python3 -B Tests/Benchmarks/Live/live.py $(WAYMARK) .build-nogps/release/waymark --write

crowd: setup
	$(RELEASE) --product crowd-bench
	.build/release/crowd-bench isolated
	.build/release/crowd-bench shared

# What inputs that are made to exhaust a program cost the shipped one.
bombs: build
	@Tests/install.sh python3 time
	@python3 -B Tests/Benchmarks/bombs.py $(WAYMARK) $(if $(UPDATE),--write)

# Our readers against others that read the same. SECONDS or COUNT for each of them, SEED, ONLY=NAME.
# The Debian packages are those of Debian's own Python.
differential: setup
	@Tests/install.sh python3 python3-shapely python3-geographiclib gpsbabel
	$(RELEASE) --product differential-worker
	@/usr/bin/python3 -B Tests/Differential/differential.py .build/release/differential-worker \
	  $(if $(COUNT),--count $(COUNT) --seconds 1e9,--seconds $(or $(SECONDS),10)) \
	  $(if $(SEED),--seed $(SEED)) $(if $(ONLY),--only $(ONLY))

# Every test under the address sanitizer, for a release; not for leaks, of which XCTest has some.
ASAN = --scratch-path .build-asan --sanitize=address
asan: export ASAN_OPTIONS = detect_leaks=0
asan: build
	@Tests/install.sh $(TEST_PACKAGES)
	$(TESTING) swift build --build-tests $(ASAN)
	$(TESTING) swift test --skip-build --disable-xctest $(ASAN)

# The mutex of the standard library is not known to the sanitizer, so another takes its place
# (Sources/Locking). The numbers are small, as everything takes many times as long.
TSAN = --scratch-path .build-tsan --sanitize=thread -Xswiftc -DTHREAD_SANITIZER
crowd-tsan tsan: export TSAN_OPTIONS = halt_on_error=1
crowd-tsan: setup
	swift build $(TSAN) --product crowd-bench
	.build-tsan/debug/crowd-bench isolated 500 100
	.build-tsan/debug/crowd-bench shared 500 100

tsan: build
	@Tests/install.sh $(TEST_PACKAGES)
	$(TESTING) swift build --build-tests $(TSAN)
	$(TESTING) swift test --skip-build --disable-xctest $(TSAN)

# Every reader with inputs that libFuzzer makes up. FUZZ=plain is without the address sanitizer, for
# long runs: a release has RUNS=10000000 of each. The finds are in .build-fuzz-finds.
FUZZ ?= address
FUZZ_SCRATCH = .build-fuzz-$(FUZZ)
fuzz: setup
	@Tests/install.sh python3
	ENGINE= FUZZ=$(FUZZ) swift build -c release --product fuzz --scratch-path $(FUZZ_SCRATCH) \
	  -Xlinker -L$$($$(dirname $$(command -v swift))/clang -print-resource-dir)/lib/linux \
	  -Xlinker -lclang_rt.fuzzer_no_main-$$(uname -m)
	@python3 -B Tests/Fuzz/fuzz.py $(FUZZ_SCRATCH)/release/fuzz \
	  $(if $(RUNS),--runs $(RUNS),--seconds $(or $(SECONDS),60)) \
	  $(if $(MAX_LENGTH),--max-length $(MAX_LENGTH)) $(if $(SEED),--seed $(SEED)) $(SUBJECTS)

PREFIX ?= /usr/local
SHARE = $(DESTDIR)$(PREFIX)/share
UNITS = $(DESTDIR)$(PREFIX)/lib/systemd/system
MANUAL = .build/plugins/GenerateManual/outputs/waymark
# mdoc(7) has no empty lines: the generator copies those of the help.
install: build
	install -D -s -m 0755 $(WAYMARK) $(DESTDIR)$(PREFIX)/bin/waymark
	$(WAYMARK) --generate-completion-script bash >.build/completions
	install -D -m 0644 .build/completions $(SHARE)/bash-completion/completions/waymark
	$(WAYMARK) --generate-completion-script zsh >.build/completions
	install -D -m 0644 .build/completions $(SHARE)/zsh/site-functions/_waymark
	$(WAYMARK) --generate-completion-script fish >.build/completions
	install -D -m 0644 .build/completions $(SHARE)/fish/vendor_completions.d/waymark.fish
	rm -rf $(MANUAL)
	swift package generate-manual --multi-page
	sed -i 's/^$$/.Pp/' $(MANUAL)/*.1
	for page in $(MANUAL)/*.1; do \
	  install -D -m 0644 $$page $(SHARE)/man/man1/$$(basename $$page .1 | tr . -).1 || exit 1; done
	install -D -m 0644 -t $(SHARE)/doc/waymark NOTICE LICENSE
	install -d $(UNITS)
	for unit in waymark waymark-record; do \
	  sed 's|/usr/local/bin|$(PREFIX)/bin|' Docs/systemd/$$unit.service >$(UNITS)/$$unit.service && \
	  chmod 0644 $(UNITS)/$$unit.service || exit 1; done

# What `make install` installs, in a scratch folder: started, completed, verified by systemd.
installed: export DESTDIR = $(CURDIR)/.build/installed
installed:
	@Tests/install.sh $(INSTALLED_PACKAGES)
	rm -rf $(DESTDIR)
	$(MAKE) install PREFIX=/usr
	@Tests/installed.sh $(DESTDIR)/usr

clean:
	swift package clean
	rm -rf .build-nogps .build-asan .build-tsan .build-clients .build-bench .build-fuzz-*
