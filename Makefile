# On a machine with Swift and apt three commands do everything: `make demo`, `make check` while you
# work, and `make test`.

# Debian packages for the build. libgps-dev is optional; setup installs it.
PACKAGES = zlib1g-dev libminizip-dev libsqlite3-dev libgps-dev
# What the tests of `feed`, `watch` and `record` run against, libcurl for geocoding servers, jq for the
# blocks of the cookbook, gdal-bin and sqlite3 for the store.
TEST_PACKAGES = gpsd gpsd-clients python3-gps libcurl4 jq gdal-bin sqlite3
# What the tests of webhooks, brokers, pages and converted files run against; `make peers` also installs
# packages of PyPI.
PEER_PACKAGES = libcurl4 libssl3 openssl python3-venv libmosquitto1 mosquitto mosquitto-clients \
  chromium-headless-shell fonts-dejavu-core curl gdal-bin gpsbabel perl
# `make installed` also needs the shells for the completions and systemd for the units.
INSTALLED_PACKAGES = $(TEST_PACKAGES) bash-completion zsh fish man-db systemd python3
STORY = traces/commute
WAYMARK = .build/release/waymark
# Swift is linked in: the programs start in a third of the time, take 12 MB less, and run on machines
# without Swift. All release builds share these options, because other options rebuild everything. The
# commit is for `--version`; a new one compiles a line of C and links again. A section for each function
# lets the linker drop those that nothing calls, and lay those side by side that most runs call.
COMMIT = $(shell git describe --always --abbrev=7 --exclude='*' --dirty=+changes 2>/dev/null)
RELEASE = ENGINE= WAYMARK_COMMIT=$(COMMIT) swift build -c release --static-swift-stdlib \
  -Xswiftc -Xfrontend -Xswiftc -function-sections -Xlinker -L$(CURDIR)/.build/static
# The linker warns that "the use of `mktemp' is dangerous": glibc attaches that to the function. The
# call is in Swift's own library (Data+Writing.swift of libFoundationEssentials.a), which is linked
# in; our code does not call it.
# Debug builds have the engine optimised, because its tests replay weeks. One build serves all tests.
export ENGINE = optimised
SOURCES = Package.swift Sources Tests Docs/Examples

.PHONY: demo check test peers floors coverage live-view docs installed soak setup build lint format stories \
  goldens samples symbols rules clients examples gazetteer base-map picture count bench bombs \
  dist deb debian order \
  differential real-recordings accuracy figures live-figures delivery-figures report-figures crowd crowd-tsan asan tsan fuzz install clean help \
  nanoarrow library library-test python-packages wheel python-test python-figures notebook spark spark-figures

help:
	@echo "make demo      install the packages, build, and replay a day with fences"
	@echo "make check     formatter, debug build and the fast tests, in minutes, while you work"
	@echo "make test      install the packages, build, and run every test"
	@echo "make peers     install what the tests of receivers, pages and files compare with, from Debian and PyPI"
	@echo "make floors    precision and recall on simulated days, compared with the published figures"
	@echo "make coverage  every line of Geodesy and Tracking run by tests; comment lines of the public modules"
	@echo "make docs      build the documentation of the libraries (DocC) as one site; a warning is an error"
	@echo "make live-view test the live view of watch on terminals of several sizes"
	@echo "make library   the C library: .build/library/libwaymark.so and waymark.h (make library-test tests it)"
	@echo "make wheel     the Python package: .build/wheel/waymark-*.whl (make python-test tests it)"
	@echo "make notebook  run the notebook Docs/Day.ipynb, and write what it gives"
	@echo "make spark     the Python package on a Spark of two executors, which are killed"
	@echo "make spark-figures  the cost of a fix on Spark"
	@echo "make python-figures  speed and F1 of the Python package beside movingpandas, scikit-mobility, trackintel"
	@echo "make installed run make install into a scratch folder, and start what it installed"
	@echo "make soak      system failures for HOURS=0.2 or POINTS=N: kills, errors, power cuts, long runs"
	@echo "make nanoarrow the C sources of nanoarrow from PyPI, for Arrow streams (ARROW=0 builds without them)"
	@echo "make build     the release build: $(WAYMARK)"
	@echo "make install   install binary, completions, man pages, systemd units to PREFIX (/usr/local)"
	@echo "make deb       the Debian package, in .build/dist; make debian tests it in a Debian of its own"
	@echo "make order     the order of the functions in the program, from usual runs; before a release"
	@echo "make dist      the same with a tarball, checksums and a bill of materials (SPDX)"
	@echo "make lint      check the format (make format mends it) and the types of the scripts of pages"
	@echo "make stories   regenerate traces/ (same seed, same bytes)"
	@echo "make goldens   rewrite the event logs of traces/; then check git diff traces"
	@echo "make samples   rewrite the command output in the documents; then check git diff"
	@echo "make symbols   compare the module CoreLocation with Apple's symbols, and the libraries with a release's"
	@echo "make rules     compare the tests with the list of Core Location's rules, and write its page"
	@echo "make clients   build sample clients of the libraries, by path and by URL"
	@echo "make examples  build Docs/Examples, run its test, and its programs on recordings"
	@echo "make gazetteer SIZE=large|small  build a gazetteer from Debian's and PyPI's data"
	@echo "make base-map  build the coasts and borders of reports from Natural Earth"
	@echo "make picture   take the picture of a report for the documents"
	@echo "make count     instructions and allocations per fix, compared with a file (UPDATE=1 rewrites it)"
	@echo "make bench     compare speed and memory with other programs, into Docs/Performance.md (or QUICK=1)"
	@echo "make bombs     the cost of inputs made to exhaust a program; UPDATE=1 writes Docs/Limits.md"
	@echo "make differential  compare our readers with expat, gpsbabel, ogr2ogr, fitdecode, Python, shapely, libgps, GeographicLib"
	@echo "make real-recordings  compare our readers on 300 recordings of real devices, which it fetches from Debian"
	@echo "make accuracy  false events, missed passages, errors and delays on simple scenarios"
	@echo "make figures   print the tables of Docs/Accuracy.md on simulated days, and write them there"
	@echo "make crowd     thousands of location managers in one process: results, speed, memory"
	@echo "make crowd-tsan  fewer of them under the thread sanitizer; make tsan runs every test with it"
	@echo "make asan      run every test under the address sanitizer"
	@echo "make fuzz      run every fuzzer for SECONDS=60, or RUNS=N; SUBJECTS=\"gpx csv\" for some"
	@echo "make delivery-figures  latency, stored events and memory of deliveries (QUICK=1 only prints)"
	@echo "make report-figures  a report of a million fixes: writing, size, opening, panning (QUICK=1 only prints)"
	@echo "make live-figures  CPU, latency and memory of watch, printed and written to Docs/Performance.md"

demo: build
	@echo
	@sed -n '1,/^$$/p' $(STORY)/README.md
	@echo '$$ waymark replay $(STORY)/track.gpx --config $(STORY)/waymark.yaml'
	@$(WAYMARK) replay $(STORY)/track.gpx --config $(STORY)/waymark.yaml

# Not set for the release build, which comes first: the failure tests run the shipped program.
TESTING = WAYMARK_PROGRAMS=.build/release
test: build peers
	@Tests/install.sh $(TEST_PACKAGES)
	$(TESTING) swift build --build-tests
	@$(TESTING) Tests/run.sh

# Left out: tests that start gpsd, kill programs, run documents or replay weeks. `make test` runs them.
SLOW = LiveTests|FaultTests|FuzzTests|SimulationTests|EntailmentTests|WatchKillTests|BrokerRestartTests|DocumentationTests|HelpExampleTests
check: setup lint peers
	swift build --build-tests
	@Tests/run.sh --skip '$(SLOW)'

# Other implementations of what we write and send, in a folder of their own.
peers:
	@Tests/install.sh $(PEER_PACKAGES)
	@[ -x .build/peers/bin/python ] || python3 -m venv .build/peers
	@.build/peers/bin/pip install --quiet standardwebhooks==1.1.0 cloudevents==2.2.0 gpsd-py3==0.3.0 \
	  geopandas==1.2.0 fitdecode==0.11.0 fitparse==1.2.0 gpxpy==1.6.2 jsonschema==4.25.1 playwright==1.65.2 axe-playwright-python==0.1.8

# System failures for HOURS, or until POINTS random ones were tried, after all that are counted: kills,
# errors, power cuts, broker restarts, long runs. SEED=n repeats a run. A release gets POINTS=10000.
soak: build
	$(TESTING) swift build --build-tests
	@TEST_LIMIT=0 $(TESTING) SOAK=$(or $(HOURS),0.2) SOAK_POINTS=$(POINTS) \
	  Tests/run.sh --filter 'FaultTests|BrokerRestartTests'

build: setup
	$(RELEASE) --product waymark

# The functions that usual runs call, which the linker lays side by side; before a release.
order: build
	@Tests/install.sh python3 valgrind binutils mosquitto mosquitto-clients libmosquitto1 libcurl4
	@python3 -B Sources/Packaging/order.py $(WAYMARK)

# The C library: one file with Swift linked in, which exports the functions of waymark.h alone. SwiftPM
# links no Swift into a dynamic library, so the compiler does it, from the objects; the archive is made
# from scratch, because it would keep the objects of files that are gone.
LIBRARY = .build/library/libwaymark.so
library: setup
	rm -f .build/release/libwaymark-objects.a
	$(RELEASE) --product waymark-objects
	mkdir -p .build/library
	swiftc -emit-library -static-stdlib -use-ld=lld .build/release/CInterface.build/*.o \
	  .build/release/libwaymark-objects.a -L.build/static -lminizip -lz \
	  $(addprefix -Xlinker ,--gc-sections --strip-all --as-needed --no-undefined \
	  -soname=libwaymark.so --version-script=Sources/CWaymark/exports.map) -o $(LIBRARY)
	cp Sources/CWaymark/include/waymark.h .build/library

# The library as C uses it, with the address sanitizer.
library-test: library
	@Tests/install.sh gcc libc6-dev
	rm -rf .build/library/test
	mkdir .build/library/test
	gcc -std=c11 -Wall -Wextra -Werror -g -fsanitize=address,undefined -fno-sanitize-recover=undefined \
	  -I.build/library Tests/Library/library.c -L.build/library -lwaymark -lm -lpthread \
	  -Wl,-rpath,$(CURDIR)/.build/library -o .build/library/test/library
	.build/library/test/library .build/library/test
	g++ -fsyntax-only -Wall -Wextra -Werror -x c++ .build/library/waymark.h

# The Python package: one wheel for every CPython from 3.9 on. The platform is what `auditwheel show`
# finds: glibc 2.35 because of hypot. PyPI's packages are those that its tests use.
WHEEL_PLATFORM = manylinux_2_35_$(shell uname -m)
VERSION = $(shell sed -n 's/.* version = "\(.*\)"/\1/p' Sources/System/Release.swift)
python-packages:
	@Tests/install.sh python3-venv gcc libc6-dev
	@[ -x .build/python/bin/python ] || python3 -m venv .build/python
	@.build/python/bin/pip install --quiet setuptools==84.2.1 auditwheel==6.8.2 mypy==2.4.1 pytest==9.2.0 \
	  numpy==2.4.6 pandas==3.1.1 pyarrow==26.0.1 geopandas==1.2.0 polars==2.1.0 duckdb==2.0.1 tqdm==4.70.1 \
	  nbclient==0.11.0 ipykernel==7.4.0 matplotlib==3.11.2

wheel: library python-packages
	rm -rf .build/wheel
	cp -r Sources/Python .build/wheel
	cp LICENSE NOTICE .build/wheel
	cp $(LIBRARY) .build/wheel/waymark
	WAYMARK_VERSION=$(VERSION) WAYMARK_PLATFORM=$(WHEEL_PLATFORM) .build/python/bin/pip wheel --quiet \
	  --no-deps --no-build-isolation --wheel-dir .build/wheel .build/wheel

# The package as a user installs it, in an environment of its own.
python-test: wheel build
	.build/python/bin/pip install --quiet --no-deps --force-reinstall .build/wheel/waymark-*.whl
	cd Tests/Python && WAYMARK=$(CURDIR)/$(WAYMARK) PYTHONDONTWRITEBYTECODE=1 \
	  ../../.build/python/bin/python -m pytest -q -p no:cacheprovider $(if $(ONLY),-k "$(ONLY)")

# The outputs of the notebook of the documents.
notebook: wheel
	.build/python/bin/pip install --quiet --no-deps --force-reinstall .build/wheel/waymark-*.whl
	.build/python/bin/python -B Tests/Python/notebook.py

# The package on Spark, in a cluster of two executors on this machine, which the tests kill.
SPARK_PACKAGES = pyspark==4.3.0 protobuf==7.36.2
spark: wheel build
	@Tests/install.sh openjdk-17-jre-headless
	.build/python/bin/pip install --quiet $(SPARK_PACKAGES)
	.build/python/bin/pip install --quiet --no-deps --force-reinstall .build/wheel/waymark-*.whl
	cd Tests/Spark && WAYMARK=$(CURDIR)/$(WAYMARK) PYTHONDONTWRITEBYTECODE=1 \
	  ../../.build/python/bin/python -m pytest -q -p no:cacheprovider $(if $(ONLY),-k "$(ONLY)")

# The cost of a fix on Spark, for Docs/Fleet.md.
spark-figures: wheel
	@Tests/install.sh openjdk-17-jre-headless
	.build/python/bin/pip install --quiet $(SPARK_PACKAGES)
	.build/python/bin/pip install --quiet --no-deps --force-reinstall .build/wheel/waymark-*.whl
	.build/python/bin/python -B Tests/Benchmarks/Python/spark.py

# Speed and F1 of the package beside others, for Docs/Python.md; DEVICES of the simulated world.
# scikit-mobility asks for releases of 2022, some of which have no wheels for this Python, so it gets
# the last ones that it works with, in an environment of its own.
python-figures: wheel build
	.build/python/bin/pip install --quiet --no-deps --force-reinstall .build/wheel/waymark-*.whl
	.build/python/bin/pip install --quiet movingpandas==0.23.0 trackintel==1.4.2
	@[ -x .build/mobility/bin/python ] || python3 -m venv .build/mobility
	.build/mobility/bin/pip install --quiet --no-deps scikit-mobility==1.3.1
	.build/mobility/bin/pip install --quiet pandas==1.5.3 numpy==1.26.4 pyarrow==15.0.2 geopandas==0.14.4 \
	  shapely==2.0.7 scipy==1.12.0 scikit-learn==1.9.1 statsmodels==0.15.0 folium==0.12.1.post1 \
	  geojson==3.3.0 requests==2.34.2 tqdm==4.70.1 h3==3.7.7 powerlaw==2.0.0 pooch==1.9.0
	WAYMARK=$(WAYMARK) .build/python/bin/python -B Tests/Benchmarks/Python/visits.py \
	  .build/mobility/bin/python

# The folder has the static libraries of SQLite and minizip alone, so the linker finds them before the
# shared ones.
setup: $(if $(filter 0,$(ARROW)),,nanoarrow)
	@Tests/install.sh $(PACKAGES)
	@mkdir -p .build/static
	@ln -sf $$(dpkg -L libsqlite3-dev libminizip-dev | grep -E '/lib(sqlite3|minizip)\.a$$') .build/static/

# The C sources of nanoarrow, which SwiftPM builds into the program: it is in no package of Debian 12. They
# come from PyPI once, with a fixed checksum. SwiftPM reads its manifest again when a variable has changed,
# so the sources are seen as soon as they are there; ARROW=0 builds without them.
NANOARROW = .build-nanoarrow
ARROW ?= 1
export ARROW
# Without PyPI the program is built without them; `make python-test` then fails.
nanoarrow:
	@Tests/install.sh python3-venv
	@Sources/Packaging/nanoarrow/fetch.sh $(NANOARROW) || \
	  echo "make: the program is built without Arrow streams: see above why nanoarrow was not fetched" >&2

lint:
	swift format lint --strict --recursive $(SOURCES)
	@Tests/install.sh node-typescript
	tsc --project Sources/Reporting/Page

format:
	swift format --in-place --recursive $(SOURCES)

stories:
	$(RELEASE) --product make-stories
	.build/release/make-stories traces

goldens: build
	@Tests/goldens.sh $(WAYMARK)

# The documentation of the public libraries as one site, in .build/docs/site; a warning is an error. Its
# pages fetch their contents with JavaScript, which browsers refuse for files, so they need a server.
DOCUMENTED = Geodesy Estimation Fences Tracking WaymarkKit WaymarkSettings WaymarkFoundation \
  WaymarkCoreLocation Geocoding CoreLocation
# Where the plug-in writes them.
ARCHIVES = .build/plugins/Swift-DocC/outputs
docs: setup
	@Tests/install.sh python3
	rm -rf .build/docs $(ARCHIVES)
	@mkdir -p .build/docs
	DOCS=1 swift package generate-documentation $(DOCUMENTED:%=--target %) --warnings-as-errors
	docc merge $(DOCUMENTED:%=$(ARCHIVES)/%.doccarchive) --synthesized-landing-page-name Waymark \
	  --synthesized-landing-page-kind Package --output-path .build/docs/site
	@python3 -B Tests/Symbols/site.py .build/docs/site $(DOCUMENTED)
	@echo "python3 -m http.server 8000 --directory .build/docs/site"
	@echo "then open http://localhost:8000/documentation"

# Precision and recall of fences and F1 of visits on six of the published worlds.
floors: build
	@Tests/install.sh python3
	@python3 -B Tests/Floors/floors.py $(WAYMARK)

# Which lines of the engine its tests run, and comment lines a code line of the public modules. The
# build has the engine and its tests alone, and leaves the versions of the dependencies as they are.
MEASURED = --enable-code-coverage --force-resolved-versions --scratch-path .build-coverage
coverage: setup
	@Tests/install.sh python3
	COVERAGE=1 swift build --build-tests $(MEASURED)
	COVERAGE=1 swift test --skip-build --disable-xctest $(MEASURED) >.build-coverage/tests.log 2>&1 || \
	  { tail -n 60 .build-coverage/tests.log; exit 1; }
	@python3 -B Tests/Coverage/coverage.py .build-coverage/debug

# The live view of `watch` in a terminal emulator, installed in its own folder.
live-view: build
	@Tests/install.sh python3-venv
	@[ -x .build/pyte/bin/python ] || python3 -m venv .build/pyte
	@.build/pyte/bin/pip install --quiet pyte==0.8.2
	@.build/pyte/bin/python -B Tests/Terminal/live-view.py $(WAYMARK)

samples: setup
	swift build --build-tests
	WAYMARK_SAMPLES=write swift test --skip-build --disable-xctest --filter DocumentationTests

# Also whether every public symbol of the libraries that the last release keeps is still there.
symbols: setup
	@Tests/install.sh python3
	for target in WaymarkCoreLocation WaymarkFoundation WaymarkSettings; do \
	  swift build --target $$target || exit 1; done
	@python3 -B Tests/Symbols/symbols.py --write Docs/CoreLocation-Symbols.md
	@python3 -B Tests/Symbols/stability.py

rules:
	@Tests/install.sh python3
	@python3 -B Tests/Rules/rules.py --write Docs/CoreLocation-Rules.md

gazetteer:
	@Tests/install.sh python3-venv
	@Sources/CGazetteer/build-gazetteer.sh $(or $(SIZE),large)

# Coasts and borders for the map of reports, from Natural Earth as Debian's QGIS has it.
base-map:
	@Tests/install.sh python3 qgis-common
	@python3 -B Sources/CPage/build-base-map.py /usr/share/qgis/resources/data/world_map.gpkg \
	  Sources/CPage/base-map.bin

# The picture of a report in the documents.
picture: build peers
	@$(WAYMARK) report $(STORY)/track.gpx --config $(STORY)/waymark.yaml -o .build/report.html
	@.build/peers/bin/python -B Tests/Peers/report-page.py --picture \
	  $(CURDIR)/.build/report.html \
	  Docs/Maps.png 1280x840

# Both packages depend on this one and share a build folder, so its modules are built once.
clients: setup
	@Tests/install.sh jq
	ENGINE= swift build --package-path Tests/Clients --scratch-path .build-clients
	@Tests/Clients/dependency.sh
	@Tests/Clients/library.sh path .build-clients/library
	@Tests/Clients/library.sh url .build-clients/library-url

examples: setup
	ENGINE= swift build --package-path Docs/Examples --scratch-path .build-clients --build-tests
	ENGINE= swift test --package-path Docs/Examples --scratch-path .build-clients --skip-build \
	  --disable-xctest
	@Docs/Examples/run.sh .build-clients/debug
	@Docs/Examples/guide.sh .build-clients
	@Docs/Examples/portable.sh .build-clients

count: setup
	@Tests/install.sh valgrind python3 g++ binutils
	for product in waymark engine-bench match-bench read-bench; do \
	  $(RELEASE) --product $$product || exit 1; done
	@python3 -B Tests/Benchmarks/count.py $(if $(UPDATE),--write)

# QUICK=1 takes minutes and writes nothing; ONLY=matching,reading,engine,worlds,pipe,testing,growth runs a part.
bench: build
	@Tests/install.sh python3 time gcc g++
	for product in engine-bench match-bench read-bench; do \
	  $(RELEASE) --product $$product || exit 1; done
	@python3 -B Tests/Benchmarks/Suite/bench.py $(if $(QUICK),--quick,--write) \
	  $(if $(ONLY),--only $(ONLY))
	$(if $(ONLY),,@$(MAKE) delivery-figures report-figures)

# Latency, stored events a second and memory of deliveries; a part of `make bench`.
delivery-figures: build
	@Tests/install.sh python3 sqlite3 $(PEER_PACKAGES)
	@python3 -B Tests/Benchmarks/Delivery/delivery.py $(WAYMARK) $(if $(QUICK),--quick,--write)

# A report of a million fixes: writing, size, opening, panning; a part of `make bench`.
report-figures: build peers
	@.build/peers/bin/python -B Tests/Benchmarks/Page/page.py $(WAYMARK) $(if $(QUICK),,--write)

# How time and memory of every reader grow with its file, in counted instructions. ONLY=NAME runs a part.
growth: build
	@Tests/install.sh python3 time valgrind binutils
	@python3 -B Tests/Benchmarks/readers.py $(WAYMARK) $(if $(ONLY),"$(ONLY)")

accuracy: setup
	$(RELEASE) --product accuracy-bench
	@.build/release/accuracy-bench

figures: build
	$(RELEASE) --product accuracy-bench
	@Tests/Benchmarks/accuracy.sh --write

# Also builds the program without libgps, in a folder of its own.
live-figures: build
	@Tests/install.sh $(TEST_PACKAGES) gcc python3
	GPSD=0 $(RELEASE) --product waymark --scratch-path .build-nogps
	@python3 -B Tests/Benchmarks/Live/live.py $(WAYMARK) .build-nogps/release/waymark --write

crowd: setup
	$(RELEASE) --product crowd-bench
	.build/release/crowd-bench isolated
	.build/release/crowd-bench shared
	.build/release/crowd-bench calls

# The cost of inputs made to exhaust the shipped program.
bombs: build
	@Tests/install.sh python3 time
	@python3 -B Tests/Benchmarks/bombs.py $(WAYMARK) $(if $(UPDATE),--write)

# Our readers compared with other programs. SECONDS or COUNT for each of them, SEED, ONLY=NAME.
# The Debian packages are for Debian's own Python.
differential: setup peers
	@Tests/install.sh python3 python3-shapely python3-geographiclib gpsbabel gdal-bin
	$(RELEASE) --product differential-worker
	@/usr/bin/python3 -B Tests/Differential/differential.py .build/release/differential-worker \
	  $(if $(COUNT),--count $(COUNT) --seconds 1e9,--seconds $(or $(SECONDS),10)) \
	  $(if $(SEED),--seed $(SEED)) $(if $(ONLY),--only $(ONLY))

# Our readers compared with others on recordings of real devices, in source packages of Debian, of which
# it fetches 85 MB once.
real-recordings: build peers
	@.build/peers/bin/python -B Tests/Peers/real-recordings.py $(WAYMARK)

# Every test under the address sanitizer, for a release. Leaks are not checked: XCTest has some.
ASAN = --scratch-path .build-asan --sanitize=address
asan: export ASAN_OPTIONS = detect_leaks=0
asan: build peers
	@Tests/install.sh $(TEST_PACKAGES)
	$(TESTING) swift build --build-tests $(ASAN)
	$(TESTING) swift test --skip-build --disable-xctest $(ASAN)

# The thread sanitizer does not know the standard library's mutex, so Sources/Locking replaces it. The
# numbers are small because everything takes many times longer.
TSAN = --scratch-path .build-tsan --sanitize=thread -Xswiftc -DTHREAD_SANITIZER
crowd-tsan tsan: export TSAN_OPTIONS = halt_on_error=1
crowd-tsan: setup
	swift build $(TSAN) --product crowd-bench
	.build-tsan/debug/crowd-bench isolated 500 100
	.build-tsan/debug/crowd-bench shared 500 100

tsan: build peers
	@Tests/install.sh $(TEST_PACKAGES)
	$(TESTING) swift build --build-tests $(TSAN)
	$(TESTING) swift test --skip-build --disable-xctest $(TSAN)

# Every reader with inputs from libFuzzer. FUZZ=plain runs without the address sanitizer, for long runs:
# a release gets RUNS=10000000 of each. Findings are in .build-fuzz-finds.
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
MANUAL = .build/manual
# The manual's tool is run directly: its plug-in would link the program once more with other options.
# The date of the pages is that of the commit, so two builds give the same bytes.
install: build
	install -D -s -m 0755 $(WAYMARK) $(DESTDIR)$(PREFIX)/bin/waymark
	$(WAYMARK) --generate-completion-script bash | sed '1{/^#!/d}' >.build/completions
	install -D -m 0644 .build/completions $(SHARE)/bash-completion/completions/waymark
	$(WAYMARK) --generate-completion-script zsh >.build/completions
	install -D -m 0644 .build/completions $(SHARE)/zsh/site-functions/_waymark
	$(WAYMARK) --generate-completion-script fish >.build/completions
	install -D -m 0644 .build/completions $(SHARE)/fish/vendor_completions.d/waymark.fish
	$(RELEASE) --product generate-manual
	rm -rf $(MANUAL)
	mkdir $(MANUAL)
	.build/release/generate-manual $(WAYMARK) --multi-page --output-directory $(MANUAL) \
	  $(addprefix --date ,$(shell git log -1 --format=%cs 2>/dev/null))
	sed -i -f Sources/Packaging/manual/manual.sed $(MANUAL)/*.1
	for page in $(MANUAL)/waymark.*.1; do \
	  printf '.Sh "SEE ALSO"\n.Xr waymark 1\n' >>$$page || exit 1; done
	for page in $(MANUAL)/*.1; do \
	  install -D -m 0644 $$page $(SHARE)/man/man1/$$(basename $$page .1 | tr . -).1 || exit 1; done
	install -D -m 0644 -t $(SHARE)/doc/waymark NOTICE LICENSE
	install -d $(UNITS)
	for unit in waymark waymark-record; do \
	  sed 's|/usr/local/bin|$(PREFIX)/bin|' Docs/systemd/$$unit.service >$(UNITS)/$$unit.service \
	  || exit 1; done
	sed -f Docs/systemd/instance.sed $(UNITS)/waymark.service >$(UNITS)/waymark@.service
	chmod 0644 $(UNITS)/waymark.service $(UNITS)/waymark@.service $(UNITS)/waymark-record.service

# What a release publishes, in .build/dist: the Debian package, a tarball, the bill of materials (SPDX),
# checksums. GPSD=0 leaves out libgps, whose version differs between Debian 12 and 13.
VERSION = $(shell sed -n 's/.*version = "\(.*\)"/\1/p' Sources/System/Release.swift)
PACKAGE = .build/dist/waymark_$(VERSION)_$$(dpkg --print-architecture).deb
dist: export SOURCE_DATE_EPOCH ?= $(shell git log -1 --format=%ct)
dist:
	@Tests/install.sh python3 dpkg-dev
	rm -rf .build/dist-root
	$(MAKE) install PREFIX=/usr DESTDIR=$(CURDIR)/.build/dist-root
	Sources/Packaging/dist.sh .build/dist-root $(VERSION) .build/dist

# The package is a part of it.
deb: dist
	@echo "sudo apt install ./$(PACKAGE)"

# Lints the package, and installs, upgrades, removes and purges it in a Debian of its own.
debian: deb
	@Tests/install.sh lintian debootstrap systemd
	@Tests/Packaging/debian.sh .build/dist $(VERSION)

# Installs into a scratch folder; then starts the program, tries completions, verifies the units.
installed: export DESTDIR = $(CURDIR)/.build/installed
installed:
	@Tests/install.sh $(INSTALLED_PACKAGES)
	rm -rf $(DESTDIR)
	$(MAKE) install PREFIX=/usr
	@Tests/installed.sh $(DESTDIR)/usr

clean:
	swift package clean
	rm -rf .build-nogps .build-asan .build-tsan .build-coverage .build-clients .build-bench .build-fuzz-*
