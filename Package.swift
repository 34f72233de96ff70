// swift-tools-version: 6.2
import Foundation
import PackageDescription

/// Every module of ours is built in the same way: Swift 6, explicit existentials and imports, and
/// a warning is an error.
let plainSettings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .treatAllWarnings(as: .error),
]

/// The flags of a build for libFuzzer, when the variable FUZZ is set (Tests/Fuzz): `address` is with the
/// address sanitizer, `plain` without it.
///
/// The subjects use internals of the modules, as tests do. A package with such flags cannot be a
/// dependency.
let fuzz = Context.environment["FUZZ"]
let address = fuzz == "plain" ? "" : ",address"
let fuzzSettings: [SwiftSetting] =
  fuzz == nil ? [] : [.unsafeFlags(["-sanitize=fuzzer\(address)", "-enable-testing"])]
let fuzzCSettings: [CSetting] =
  fuzz == nil ? [] : [.unsafeFlags(["-fsanitize=fuzzer-no-link\(address)"])]
let settings = plainSettings + fuzzSettings

/// Whether libgps reads the lines of gpsd: if its header is installed, unless the variable GPSD is 0
/// or 1.
let hasLibgps =
  switch Context.environment["GPSD"] {
  case "0": false
  case "1": true
  default:
    ["/usr/include", "/usr/local/include", "/opt/homebrew/include"].contains {
      FileManager.default.fileExists(atPath: $0 + "/gps.h")
    }
  }

/// Where `make nanoarrow` puts the sources of nanoarrow, which reads and writes Arrow streams.
let nanoarrow = ".build-nanoarrow/CNanoarrow"

/// Whether `pipe` reads and writes Arrow streams: if the sources are there, unless the variable ARROW is 0.
let hasNanoarrow =
  Context.environment["ARROW"] != "0"
  && FileManager.default.fileExists(atPath: "\(Context.packageDirectory)/\(nanoarrow)/fetched")

/// The commit of the build, for `--version`; the Makefile sets it.
///
/// `Context.gitInformation` is read with the manifest for the first time, and stale after the next
/// commit.
let commit = Context.environment["WAYMARK_COMMIT"] ?? ""

/// The settings of the engine, which is optimised in a debug build too if ENGINE is `optimised`.
///
/// The tests replay weeks of fixes through it, and unoptimised vectors are slow. A package with such
/// flags cannot be a dependency.
let engineSettings =
  Context.environment["ENGINE"] == "optimised" ? settings + [.unsafeFlags(["-O"])] : settings

/// The targets of the build that measures which lines of the engine its tests run, when the variable
/// COVERAGE is set (`make coverage`): the engine and its tests, without dependencies, in minutes.
let measured: Set<String> = [
  "Geodesy", "Packing", "Estimation", "Fences", "Tracking", "CZlib", "TestSupport", "GeodesyTests",
  "EstimationTests", "FencesTests", "TrackingTests",
]

/// For targets of the libraries that use a C module: clients compile without the module.
///
/// Without library evolution the compiler loads what a module imports internally in every client, also
/// in a package that has no dependency on this one and knows no module maps of it. Only
/// `@_implementationOnly` keeps an import out of the module. See Docs/Decisions/0018-hidden-c-modules.md.
let hidingC: [SwiftSetting] = [.treatWarning("ImplementationOnlyDeprecated", as: .warning)]

/// With a check that no type of the C module is stored where a client needs its layout.
let checkingHiddenC = hidingC + [.enableExperimentalFeature("CheckImplementationOnly")]

/// The condition of the packages that only the commands need.
let commands = TargetDependencyCondition.when(traits: ["Commands"])

let package = Package(
  name: "waymark",
  products: [
    // The engine with readers of tracks and writers of events, for programs in Swift: one import, no
    // Foundation. Then its config file, and the types of Foundation.
    .library(name: "WaymarkKit", targets: ["WaymarkKit"]),
    .library(name: "WaymarkSettings", targets: ["WaymarkSettings"]),
    .library(name: "WaymarkFoundation", targets: ["WaymarkFoundation"]),
    // The types of Core Location, for programs that use both.
    .library(name: "WaymarkCoreLocation", targets: ["WaymarkCoreLocation"]),
    // The engine alone: it loads no Foundation.
    .library(name: "Tracking", targets: ["Estimation", "Fences", "Geodesy", "Tracking"]),
    // Code made for Apple's Core Location, fed by gpsd or by a recording.
    .library(name: "CoreLocation", targets: ["CoreLocation"]),
    // Names for places: what a geocoder for Core Location is made of.
    .library(name: "Geocoding", targets: ["Geodesy", "Geocoding"]),
    .executable(name: "waymark", targets: ["waymark"]),
  ],
  traits: [
    .default(enabledTraits: ["Commands", "Libgps"]),
    .trait(
      name: "Commands",
      description:
        "The program waymark, and the packages that only it needs. For `traits: []`, the "
        + "libraries need swift-log alone.",
      enabledTraits: ["Settings"]),
    .trait(
      name: "Settings",
      description: "The config file, and the package that reads YAML: for WaymarkSettings."),
    .trait(
      name: "Libgps",
      description: "Links libgps, which reads the lines of gpsd, where its header is installed."),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
  ],
  targets: [
    // The targets, lowest first; a target imports only targets above it in this list.
    .target(name: "Geodesy", swiftSettings: engineSettings),
    // States as few bytes: the coders, and what is coded of numbers, times and positions.
    .target(name: "Packing", dependencies: ["Geodesy"], swiftSettings: engineSettings),
    // A fix becomes an estimate: the fix, its validation, the filter.
    .target(
      name: "Estimation", dependencies: ["Geodesy", "Packing"], swiftSettings: engineSettings),
    // What a set of fences is, and how it is searched.
    .target(name: "Fences", dependencies: ["Geodesy"], swiftSettings: engineSettings),
    // The engine: estimates become events. It exports the two above.
    .target(
      name: "Tracking", dependencies: ["Estimation", "Fences", "Geodesy", "Packing"],
      swiftSettings: engineSettings),
    // The mutex, in a form that the thread sanitizer sees where it is asked for.
    .target(name: "Locking", swiftSettings: settings),
    // What Swift's module of the C library lacks: the state of the system's clock.
    .target(name: "CClock", cSettings: fuzzCSettings),
    // Files, folders, locks, descriptors, signals, threads, back-off: the only use of the operating
    // system by the targets below.
    .target(
      name: "System", dependencies: ["CClock", "Locking"], swiftSettings: settings + checkingHiddenC
    ),
    // Private files of JSON with a checksum: saved state.
    .target(name: "StateFiles", dependencies: ["System"], swiftSettings: settings),
    // Numbers, times, JSON and lines as text: how every format below reads and writes them.
    .target(name: "Text", dependencies: ["Estimation"], swiftSettings: settings),
    // The event log: events as JSON lines, CSV and text.
    .target(
      name: "EventLog", dependencies: ["Geodesy", "System", "Text", "Tracking"],
      swiftSettings: settings),
    // Why an event was reported or not: a recording played again, fix by fix.
    .target(
      name: "Explaining", dependencies: ["EventLog", "Geodesy", "Text", "Tracking"],
      swiftSettings: engineSettings),
    // Tracks as files for other programs: GPX, GeoJSON, KML, CSV, NDJSON.
    .target(
      name: "TrackFiles", dependencies: ["Estimation", "Geodesy", "Text"], swiftSettings: settings),
    // Arrow IPC streams for `pipe`: fixes in, events out; or an error where nanoarrow is missing.
    .target(
      name: "ArrowStreams",
      dependencies: ["Estimation", "EventLog", "Geodesy", "Text", "Traces"]
        + (hasNanoarrow ? ["CArrow", "CNanoarrow"] : []),
      swiftSettings: settings + (hasNanoarrow ? [.define("WAYMARK_ARROW")] : [])),
    .systemLibrary(name: "CZlib", providers: [.apt(["zlib1g-dev"])]),
    // minizip, for archives.
    .systemLibrary(name: "CMinizip", providers: [.apt(["libminizip-dev"])]),
    // What a trace is, and its bytes: points, marks, files, pipes, gzip, archives, encodings.
    .target(
      name: "Traces",
      dependencies: ["CMinizip", "CZlib", "Estimation", "Geodesy", "System", "Text"],
      swiftSettings: settings + checkingHiddenC),
    // The output of receivers, live or recorded: NMEA 0183 and gpsd's JSON.
    .target(
      name: "Receivers", dependencies: ["Estimation", "Geodesy", "System", "Text", "Traces"],
      swiftSettings: settings),
    // Files of tracks and fences: GPX, CSV, NDJSON, GeoJSON, and which format a file has.
    .target(
      name: "Formats", dependencies: ["Geodesy", "Receivers", "Text", "Traces", "Tracking"],
      swiftSettings: settings),
    // libgps, or a stub that reports that it is missing.
    .target(
      name: "CGPS",
      cSettings: (hasLibgps ? [.define("WAYMARK_LIBGPS", .when(traits: ["Libgps"]))] : [])
        + fuzzCSettings,
      linkerSettings: hasLibgps ? [.linkedLibrary("gps", .when(traits: ["Libgps"]))] : []),
    // The link to gpsd, and libgps. The check refuses its package conformances; it stores no type of C.
    .target(
      name: "GPSD",
      dependencies: [
        "CGPS", "Geodesy", "Locking", "Receivers", "System", "Text", "Traces", "Tracking",
      ],
      swiftSettings: settings + hidingC),
    // Fixes of recorded tracks in order of time, at a pace, through the engine.
    .target(
      name: "Session",
      dependencies: ["EventLog", "Formats", "Geodesy", "System", "Text", "Traces", "Tracking"],
      swiftSettings: settings),
    // The engine for programs in Swift: what its products show, and nothing that decides an event.
    .target(
      name: "WaymarkKit",
      dependencies: [
        "Estimation", "EventLog", "Fences", "Formats", "Geodesy", "Session", "Text", "Traces",
        "Tracking",
      ],
      swiftSettings: settings),
    .target(name: "WaymarkFoundation", dependencies: ["WaymarkKit"], swiftSettings: settings),
    // The config file.
    .target(
      name: "Settings",
      dependencies: [
        "Formats", "Geodesy", "Receivers", "Session", "System", "Text", "Traces", "Tracking",
        .product(name: "Yams", package: "Yams", condition: .when(traits: ["Settings"])),
      ],
      swiftSettings: settings),
    .target(
      name: "WaymarkSettings", dependencies: ["Settings", "WaymarkKit"], swiftSettings: settings),
    // `replay`, `pipe`, `info` and `convert`.
    .target(
      name: "Playing",
      dependencies: [
        "ArrowStreams", "EventLog", "Formats", "Geodesy", "Session", "System", "Text", "Traces",
        "TrackFiles",
        "Tracking",
      ],
      swiftSettings: settings),
    // `watch` and `record`.
    .target(
      name: "Watching",
      dependencies: [
        "EventLog", "Explaining", "GPSD", "Geodesy", "Receivers", "Session", "StateFiles", "System",
        "Text", "Traces", "Tracking",
      ],
      swiftSettings: settings),
    // Events in a database, for `store`: a GeoPackage, and the queue of each receiver.
    .target(
      name: "Storing",
      dependencies: [
        "EventLog", "Geodesy", "Session", "Settings", "System", "Text", "Tracking",
        .product(name: "GRDB", package: "GRDB.swift", condition: commands),
      ],
      swiftSettings: settings),
    // The header of the C library.
    .target(name: "CWaymark", exclude: ["exports.map"], cSettings: fuzzCSettings),
    // The C library: the engine, the readers of tracks and the config for programs in other languages.
    .target(
      name: "CInterface",
      dependencies: [
        "CWaymark", "EventLog", "Formats", "Geodesy", "Session", "Settings", "System", "Text",
        "Traces", "Tracking",
      ],
      swiftSettings: settings),
    // The built-in gazetteer.
    .target(
      name: "CGazetteer", exclude: ["build-gazetteer.py", "build-gazetteer.sh", "gazetteer.wmg"]),
    // libcurl, loaded at run time when a server is called.
    .target(name: "CCurl", cSettings: fuzzCSettings, linkerSettings: [.linkedLibrary("dl")]),
    // Requests to web servers.
    .target(name: "HTTP", dependencies: ["CCurl"], swiftSettings: settings + checkingHiddenC),
    // libcrypto, loaded at run time when a message is signed.
    .target(name: "CCrypto", linkerSettings: [.linkedLibrary("dl")]),
    // Names for places.
    .target(
      name: "Geocoding", dependencies: ["CGazetteer", "Geodesy", "HTTP", "Locking", "System"],
      swiftSettings: settings + checkingHiddenC),
    // libmosquitto, loaded at run time when a receiver is an MQTT broker.
    .target(name: "CMosquitto", linkerSettings: [.linkedLibrary("dl")]),
    // Events that leave: receivers, what each gets, and when. Webhooks, brokers, programs. And the reports
    // of phones that a broker has, over the same connection.
    .target(
      name: "Outbox",
      dependencies: [
        "CCrypto", "CMosquitto", "EventLog", "Formats", "Geodesy", "HTTP", "Locking", "Session",
        "Settings", "Storing", "System", "Text", "Tracking",
      ],
      swiftSettings: settings),
    // The config's geocoder: its settings, validated, and the geocoder for them.
    .target(
      name: "PlaceNaming",
      dependencies: ["Geocoding", "Geodesy", "Session", "Settings", "Tracking"],
      swiftSettings: settings),
    // A location service for programs, on the engine's time: which client gets what, permission, and
    // the state saved between launches.
    .target(
      name: "Services",
      dependencies: [
        "Formats", "GPSD", "Geodesy", "Locking", "Receivers", "Session", "StateFiles", "System",
        "Text", "Traces", "Tracking",
      ],
      swiftSettings: settings),
    // Delivery to a program's threads and tasks: run loops, queues, streams, log lines.
    .target(
      name: "Delivering",
      dependencies: ["Locking", "Text", .product(name: "Logging", package: "swift-log")],
      swiftSettings: settings),
    // Lets `import CoreLocation.CLVisit` and its like find something.
    .target(name: "CoreLocationModules"),
    // The API of Apple's framework.
    .target(
      name: "CoreLocation",
      dependencies: [
        "CoreLocationModules", "Delivering", "GPSD", "Geocoding", "Geodesy", "Locking", "Receivers",
        "Services", "Session", "Text", "Traces", "Tracking",
        .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: settings),
    .target(
      name: "WaymarkCoreLocation", dependencies: ["CoreLocation", "Services", "WaymarkKit"],
      swiftSettings: settings),

    // Simulated journeys with known truth, for `simulate`, the stories in traces/ and the tests.
    .target(
      name: "Simulation",
      dependencies: ["EventLog", "Geodesy", "Text", "TrackFiles", "Tracking"],
      swiftSettings: settings),
    // Tests of fences: tracks, and what must and must not happen on them, for `test`.
    .target(
      name: "FenceTesting",
      dependencies: [
        "EventLog", "Explaining", "Formats", "Geodesy", "Playing", "Session", "Settings",
        "Simulation", "System", "Text", "Traces", "Tracking",
      ],
      swiftSettings: settings),
    // The precision of events, compared with the truth of simulated journeys.
    .target(
      name: "Scoring", dependencies: ["Text", "Tracking"], swiftSettings: settings),
    // Event logs compared with each other, for `compare`.
    .target(
      name: "Comparing",
      dependencies: [
        "EventLog", "Formats", "Geodesy", "Locking", "Playing", "Scoring", "Session", "Settings",
        "System",
        "Text", "Traces", "Tracking",
      ],
      swiftSettings: settings),
    // Map tiles below a track, for `tiles`: MBTiles files and servers.
    .target(
      name: "MapTiles",
      dependencies: [
        "Geodesy", "Settings", "System",
        .product(name: "GRDB", package: "GRDB.swift", condition: commands),
      ],
      swiftSettings: settings),
    // The files of the pages of `report` and `watch --web`: Leaflet, our scripts, the base map.
    .target(
      name: "CPage",
      exclude: ["base-map.bin", "build-base-map.py", "leaflet"]),
    // A recording as a page: map, events, visits, strips; and the live page.
    .target(
      name: "Reporting",
      dependencies: [
        "CPage", "Estimation", "EventLog", "Explaining", "Geocoding", "Geodesy", "MapTiles",
        "Session",
        "Text",
        "Tracking",
      ],
      exclude: ["Page"], swiftSettings: engineSettings),
    // Tracks as a gpsd server, for `feed`, the server of the live map, and the one that phones report to.
    .target(
      name: "Serving",
      dependencies: [
        "Formats", "Geodesy", "Locking", "Receivers", "Session", "System", "Text", "Traces",
        "Tracking",
        .product(name: "NIOCore", package: "swift-nio", condition: commands),
        .product(name: "NIOHTTP1", package: "swift-nio", condition: commands),
        .product(name: "NIOPosix", package: "swift-nio", condition: commands),
      ],
      swiftSettings: settings),

    // The story of `waymark demo`.
    .target(name: "CDemo"),
    // The files NOTICE and LICENSE, for `waymark --licenses`.
    .target(name: "CNotice"),
    // The commit that `--version` names.
    .target(name: "CVersion", cSettings: [.define("WAYMARK_COMMIT", to: "\"\(commit)\"")]),
    .executableTarget(
      name: "waymark",
      dependencies: [
        "ArrowStreams", "CDemo", "CNotice", "CVersion", "Comparing", "EventLog", "Explaining",
        "FenceTesting",
        "Formats",
        "GPSD", "Geocoding", "Geodesy", "MapTiles", "Outbox", "PlaceNaming",
        "Playing", "Receivers", "Reporting", "Scoring", "Services", "Serving", "Session",
        "Settings", "Simulation", "Storing", "System", "Text", "Traces", "TrackFiles", "Tracking",
        "Watching",
        .product(name: "ArgumentParser", package: "swift-argument-parser", condition: commands),
      ],
      swiftSettings: settings,
      // Less of the file in memory: relocations that are packed, which glibc reads since 2.36, no table of
      // exported symbols, and side by side what most runs call (`make order`).
      linkerSettings: [
        .unsafeFlags(
          ["-use-ld=lld"]
            + [
              "-z", "pack-relative-relocs", "--no-export-dynamic", "--no-warn-symbol-ordering",
              "--symbol-ordering-file=\(Context.packageDirectory)/Sources/Packaging/functions.order",
            ].flatMap { ["-Xlinker", $0] },
          .when(configuration: .release))
      ]),

    .executableTarget(
      name: "make-stories", dependencies: ["CZlib", "Geodesy", "Simulation", "Text", "Tracking"],
      path: "Tests/StoryGenerator", swiftSettings: settings),

    // The engine alone and the readers alone, for the benchmarks of `make bench`.
    .executableTarget(
      name: "engine-bench", dependencies: ["Geodesy", "Simulation", "Tracking"],
      path: "Tests/Benchmarks/Engine", swiftSettings: settings),
    .executableTarget(
      name: "read-bench", dependencies: ["EventLog", "Formats", "Geodesy", "Traces", "Tracking"],
      path: "Tests/Benchmarks/Reading", swiftSettings: settings),
    // The readers of gpsd's lines alone.
    .executableTarget(
      name: "report-bench", dependencies: ["GPSD", "Receivers"],
      path: "Tests/Benchmarks/Reports", swiftSettings: settings),
    // Matching alone, beside the peers of `make bench`.
    .executableTarget(
      name: "match-bench", dependencies: ["Geodesy", "Tracking"],
      path: "Tests/Benchmarks/Matching", swiftSettings: settings),
    // The errors of the engine on simple scenarios, for `make accuracy`.
    .executableTarget(
      name: "accuracy-bench", dependencies: ["Geodesy", "Simulation", "Tracking"],
      path: "Tests/Benchmarks/Accuracy", swiftSettings: settings),

    // A crowd of managers in one process, for `make crowd`.
    .executableTarget(
      name: "crowd-bench", dependencies: ["CoreLocation", "Geodesy", "Locking", "Simulation"],
      path: "Tests/Benchmarks/Crowd", swiftSettings: settings),

    .target(
      name: "TestSupport", dependencies: ["CZlib", "Estimation", "Fences", "Geodesy", "Tracking"],
      path: "Tests/Support", swiftSettings: settings),
    // The project's side of `make differential`.
    .executableTarget(
      name: "differential-worker",
      dependencies: [
        "Formats", "GPSD", "Geodesy", "Receivers", "TestSupport", "Text", "Traces", "Tracking",
      ],
      path: "Tests/Differential/Worker", swiftSettings: settings),
    .testTarget(
      name: "GeodesyTests", dependencies: ["Geodesy", "TestSupport"], exclude: ["Fixtures"],
      swiftSettings: settings),
    .testTarget(
      name: "EstimationTests", dependencies: ["Estimation", "Geodesy", "TestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "FencesTests", dependencies: ["Fences", "Geodesy", "TestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "TrackingTests",
      dependencies: ["Estimation", "Fences", "Geodesy", "Packing", "TestSupport", "Tracking"],
      swiftSettings: settings),
    .testTarget(
      name: "TextTests", dependencies: ["TestSupport", "Text", "Tracking"],
      swiftSettings: settings),
    // Traces, Receivers, Formats and EventLog: what one writes is read with another.
    .testTarget(
      name: "TracesTests",
      dependencies: [
        "EventLog", "Formats", "Geodesy", "Receivers", "TestSupport", "Text", "Traces", "Tracking",
      ],
      exclude: ["Fixtures"], swiftSettings: settings),
    .testTarget(
      name: "WaymarkKitTests",
      dependencies: [
        "TestSupport", "WaymarkCoreLocation", "WaymarkFoundation", "WaymarkKit", "WaymarkSettings",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "ExplainingTests",
      dependencies: [
        "EventLog", "Explaining", "Geodesy", "Session", "Settings", "TestSupport", "Text",
        "Tracking",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "FenceTestingTests",
      dependencies: [
        "FenceTesting", "Geodesy", "Settings", "TestSupport", "Tracking",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "TrackFilesTests",
      dependencies: ["Estimation", "Geodesy", "TestSupport", "TrackFiles"],
      swiftSettings: settings),
    .testTarget(
      name: "PlaceNamingTests",
      dependencies: ["Geocoding", "PlaceNaming", "Session", "Settings", "TestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "SystemTests", dependencies: ["System", "TestSupport"], swiftSettings: settings),
    .testTarget(name: "HTTPTests", dependencies: ["HTTP"], swiftSettings: settings),
    .testTarget(
      name: "GPSDTests",
      dependencies: ["GPSD", "Receivers", "System", "TestSupport", "Text", "Tracking"],
      swiftSettings: settings),
    .testTarget(
      name: "SessionTests",
      dependencies: [
        "EventLog", "Formats", "Geodesy", "Session", "TestSupport", "Traces", "Tracking",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "SettingsTests",
      dependencies: [
        "Geodesy", "Outbox", "PlaceNaming", "Receivers", "Session", "Settings", "Storing",
        "System", "TestSupport", "Tracking",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "PlayingTests",
      dependencies: [
        "ArrowStreams", "EventLog", "Formats", "Geodesy", "Playing", "Session", "System",
        "TestSupport", "Traces",
        "Tracking",
      ] + (hasNanoarrow ? ["CNanoarrow"] : []),
      swiftSettings: settings + (hasNanoarrow ? [.define("WAYMARK_ARROW")] : [])),
    .testTarget(
      name: "WatchingTests",
      dependencies: [
        "EventLog", "GPSD", "Geodesy", "Playing", "Receivers", "Session", "System", "TestSupport",
        "Text", "Traces", "Tracking", "Watching",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "ReportingTests",
      dependencies: [
        "EventLog", "Geodesy", "Reporting", "TestSupport", "Text", "Tracking",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "MapTilesTests",
      dependencies: [
        "Geodesy", "MapTiles", "Settings", "TestSupport",
        .product(name: "GRDB", package: "GRDB.swift", condition: commands),
      ],
      swiftSettings: settings),
    .testTarget(
      name: "StoringTests",
      dependencies: [
        "EventLog", "Geodesy", "Session", "Settings", "Storing", "TestSupport", "Text", "Tracking",
        .product(name: "GRDB", package: "GRDB.swift", condition: commands),
      ],
      swiftSettings: settings),
    .testTarget(
      name: "OutboxTests",
      dependencies: [
        "EventLog", "Geodesy", "HTTP", "Locking", "Outbox", "Session", "Settings", "Storing",
        "System", "TestSupport", "Text", "Tracking",
        .product(name: "GRDB", package: "GRDB.swift", condition: commands),
      ],
      swiftSettings: settings),
    .testTarget(
      name: "GeocodingTests",
      dependencies: [
        "CGazetteer", "Geocoding", "Geodesy", "HTTP", "Locking", "System", "TestSupport",
      ],
      exclude: ["Points"], swiftSettings: settings),
    .testTarget(
      name: "ServicesTests",
      dependencies: [
        "GPSD", "Geodesy", "Locking", "Receivers", "Services", "Session", "System", "TestSupport",
        "Text",
        "Traces", "Tracking",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "CoreLocationTests",
      dependencies: [
        "CoreLocation", "Delivering", "GPSD", "Geocoding", "Geodesy", "Locking", "Receivers",
        "Services",
        "TestSupport", "Traces",
        "Tracking",
      ],
      swiftSettings: settings),
    // Code of a textbook's reader, built as client code is in either language mode, without settings
    // of ours: one file, which the folders of the targets link to.
    .target(
      name: "ChapterSwift5", dependencies: ["CoreLocation"], path: "Tests/Chapter/Swift5",
      swiftSettings: [.swiftLanguageMode(.v5)]),
    .target(name: "ChapterSwift6", dependencies: ["CoreLocation"], path: "Tests/Chapter/Swift6"),
    .executableTarget(
      name: "chapter-program", dependencies: ["CoreLocation", "Geocoding", "Geodesy"],
      path: "Tests/ChapterProgram"),
    .testTarget(
      name: "ChapterTests",
      dependencies: [
        "ChapterSwift5", "ChapterSwift6", "CoreLocation", "Geocoding", "Geodesy", "Services",
        "TestSupport", "Tracking",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "ServingTests",
      dependencies: [
        "Formats", "Geodesy", "Serving", "Session", "System", "TestSupport", "Text", "Tracking",
        "Traces",
        .product(name: "NIOCore", package: "swift-nio", condition: commands),
        .product(name: "NIOEmbedded", package: "swift-nio", condition: commands),
        .product(name: "NIOHTTP1", package: "swift-nio", condition: commands),
        .product(name: "NIOPosix", package: "swift-nio", condition: commands),
      ],
      swiftSettings: settings),
    // The binary against real gpsd programs.
    .testTarget(
      name: "LiveTests", dependencies: ["TestSupport", "chapter-program", "waymark"],
      swiftSettings: settings),
    // The binary as a user runs it.
    .testTarget(
      name: "CommandTests",
      dependencies: [
        "Geodesy", "Services", "TestSupport", "Tracking", "waymark",
        .product(name: "GRDB", package: "GRDB.swift", condition: commands),
      ],
      swiftSettings: settings),
    // The binary on a system with failing calls.
    .testTarget(
      name: "FaultTests",
      dependencies: [
        "TestSupport", "chapter-program", "waymark",
        .product(name: "GRDB", package: "GRDB.swift", condition: commands),
      ],
      path: "Tests/Faults", exclude: ["faults.c"], swiftSettings: settings),
    .testTarget(
      name: "ReplayTests",
      dependencies: [
        "EventLog", "Formats", "Geodesy", "Playing", "Session", "Settings", "System", "TestSupport",
        "Traces", "Tracking",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "SimulationTests",
      dependencies: [
        "CZlib", "Formats", "Geodesy", "Settings", "Simulation", "System", "Traces", "Tracking",
        "make-stories",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "ComparingTests",
      dependencies: [
        "Comparing", "EventLog", "Geodesy", "Playing", "Scoring", "Session", "Settings",
        "TestSupport",
        "Tracking",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "ScoringTests",
      dependencies: ["EventLog", "Geodesy", "Scoring", "Simulation", "Text", "Traces", "Tracking"],
      exclude: ["Fixtures"], swiftSettings: settings),
  ]
)

// Documentation of the libraries, for `make docs`; only that needs the plug-in.
if Context.environment["DOCS"] == "1" {
  package.dependencies.append(
    .package(url: "https://github.com/swiftlang/swift-docc-plugin", exact: "1.5.0"))
}

if hasNanoarrow {
  package.targets += [
    // nanoarrow and the runtime of flatcc.
    .target(
      name: "CNanoarrow", path: nanoarrow, exclude: ["fetched", "flatcc/LICENSE", "flatcc/NOTICE"],
      sources: ["nanoarrow", "flatcc"], publicHeadersPath: "include",
      cSettings: [.headerSearchPath("private")] + fuzzCSettings),
    // What nanoarrow does not check.
    .target(
      name: "CArrow", dependencies: ["CNanoarrow"],
      cSettings: [.headerSearchPath("../../\(nanoarrow)/private")] + fuzzCSettings),
  ]
}

/// The targets that the subjects of Tests/Fuzz use.
let fuzzed: [Target.Dependency] = [
  "ArrowStreams", "CZlib", "EventLog", "Formats", "GPSD", "Geocoding", "Geodesy", "HTTP",
  "PlaceNaming", "Playing",
  "Receivers", "Scoring", "Services", "Serving", "Session", "Settings", "StateFiles", "System",
  "Text", "Traces", "Tracking", "Watching",
]

if fuzz == nil {
  // All inputs of the corpora and all past findings, with the other tests.
  package.targets.append(
    .testTarget(
      name: "FuzzTests", dependencies: fuzzed, path: "Tests/Fuzz",
      exclude: ["Corpora", "Driver", "Program", "Regressions", "fuzz.py"],
      swiftSettings: settings))
} else {
  package.targets += [
    .target(
      name: "Fuzzing", dependencies: fuzzed, path: "Tests/Fuzz/Subjects", swiftSettings: settings),
    .target(name: "FuzzDriver", path: "Tests/Fuzz/Driver"),
    .executableTarget(
      name: "fuzz", dependencies: ["FuzzDriver", "Fuzzing"], path: "Tests/Fuzz/Program",
      swiftSettings: plainSettings,
      linkerSettings: [
        .unsafeFlags(fuzz == "plain" ? [] : ["-sanitize=address"]), .linkedLibrary("stdc++"),
      ]),
  ]
}

if Context.environment["COVERAGE"] == "1" {
  package.targets.removeAll { !measured.contains($0.name) }
  (package.products, package.dependencies, package.traits) = ([], [], [])
} else if Context.packageDirectory.contains("/checkouts/") {
  // SwiftPM makes a product of every executable target. A package that has this one by URL gets the
  // libraries and `waymark` alone, without tests, benchmarks and tools.
  package.targets.removeAll { $0.type == .test || $0.path?.hasPrefix("Tests/") == true }
} else {
  // All objects of libwaymark.so, which `make library` links.
  package.products.append(
    .library(name: "waymark-objects", type: .static, targets: ["CInterface"]))
}
